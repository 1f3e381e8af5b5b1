/** Whether this machine has a picture for an emoji. */

const SIZE = 20;
const FONT = `16px 'Apple Color Emoji', 'Segoe UI Emoji', 'Noto Color Emoji', sans-serif`;
/** No character, and none ever: what it looks like is what a browser draws where it has no picture. */
const NOTHING = '\u{10FFFF}';

let context: CanvasRenderingContext2D | null = null;
const known = new Map<string, boolean>();

function drawn(text: string): string {
  context ??= Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE }).getContext('2d', { willReadFrequently: true });
  if (!context) return text;
  context.clearRect(0, 0, SIZE, SIZE);
  context.font = FONT;
  context.textBaseline = 'top';
  context.fillText(text, 0, 0);
  return context.getImageData(0, 0, SIZE, SIZE).data.join();
}

/** What a browser draws one by one where it has no picture for the whole: without joiners and marks that only vary what they follow. */
export function parts(emoji: string): string[] {
  return Array.from(emoji.replace(/[\u200D\uFE0E\uFE0F\u{1F3FB}-\u{1F3FF}]/gu, ''));
}

export function drawable(emoji: string): boolean {
  let can = known.get(emoji);
  if (can === undefined) {
    const box = drawn(NOTHING);
    can = parts(emoji).every((part) => drawn(part) !== box);
    known.set(emoji, can);
  }
  return can;
}
