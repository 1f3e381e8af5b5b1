/** Texts on the map as small pictures: names, places, what is said. In any script. */
import type { Texture } from 'pixi.js';
import { Atlas } from './atlas.ts';
import { drawable } from './emoji.ts';

const FONT = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', 'Noto Sans CJK JP', sans-serif";
const EMOJI_FONT = "'Apple Color Emoji', 'Segoe UI Emoji', 'Noto Color Emoji', sans-serif";
const BUBBLE_WIDTH = 200;
/** Names of places by night, in either theme. */
const NIGHT_NAME = '#f4efe4';
const NIGHT_HALO = 'rgba(18, 20, 40, 0.8)';

/** The colours of the theme that is on. */
export type Ink = { paper: string; text: string; line: string; accent: string; accent_text: string; name: string; halo: string; sign: string; rim: string };

/** A picture with its size in CSS pixels. */
export type Label = { texture: Texture; width: number; height: number };

export class Lettering {
  readonly atlas = new Atlas({ size: 2048, most_pages: 6, smooth: true });
  private readonly measure: CanvasRenderingContext2D;
  private readonly sizes = new Map<string, Label>();
  private generation = 0;
  private readonly ratio: number;
  private readonly ink: Ink;

  constructor(ratio: number, ink: Ink) {
    this.ratio = ratio;
    this.ink = ink;
    const context = document.createElement('canvas').getContext('2d');
    if (!context) throw new Error('This browser draws no pictures (no 2D canvas).');
    this.measure = context;
  }

  private label(key: string, width: number, height: number, paint: (context: CanvasRenderingContext2D) => void): Label {
    const texture = this.atlas.get(key, width * this.ratio, height * this.ratio, (context) => {
      context.scale(this.ratio, this.ratio);
      paint(context);
    });
    const label = { texture, width, height };
    if (this.generation !== this.atlas.generation) {
      this.sizes.clear();
      this.generation = this.atlas.generation;
    }
    this.sizes.set(key, label);
    return label;
  }

  private known(key: string): Label | null {
    return this.generation === this.atlas.generation ? (this.sizes.get(key) ?? null) : null;
  }

  /** A name on a small plate. */
  name(text: string, chosen: boolean): Label {
    const key = `name ${chosen} ${text}`;
    const known = this.known(key);
    if (known) return known;
    const font = `600 11px ${FONT}`;
    this.measure.font = font;
    const shown = this.shorten(text, 150);
    const width = Math.ceil(this.measure.measureText(shown).width) + 10;
    return this.label(key, width, 17, (context) => {
      context.fillStyle = chosen ? this.ink.accent : this.ink.paper;
      context.globalAlpha = chosen ? 1 : 0.86;
      round(context, 0.5, 0.5, width - 1, 16, 5);
      context.fill();
      context.globalAlpha = 1;
      context.fillStyle = chosen ? this.ink.accent_text : this.ink.text;
      context.font = font;
      context.textBaseline = 'middle';
      context.fillText(shown, 5, 9);
    });
  }

  /** The name of a place, without a plate, light by night; `weight` 0 for sectors, 1 for rooms, 2 for things. */
  place(text: string, weight: 0 | 1 | 2, night: boolean): Label {
    const key = `place ${weight} ${night} ${text}`;
    const known = this.known(key);
    if (known) return known;
    const font = [`700 12px ${FONT}`, `600 11px ${FONT}`, `500 10px ${FONT}`][weight] ?? FONT;
    this.measure.font = font;
    const lines = this.wrap(text, weight === 0 ? 130 : 100).slice(0, 3);
    const size = [15, 14, 13][weight] ?? 14;
    const width = Math.ceil(Math.max(...lines.map((line) => this.measure.measureText(line).width))) + 8;
    const height = lines.length * size + 4;
    return this.label(key, width, height, (context) => {
      context.font = font;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.lineJoin = 'round';
      context.lineWidth = 3;
      context.strokeStyle = night ? NIGHT_HALO : this.ink.halo;
      context.fillStyle = night ? NIGHT_NAME : this.ink.name;
      lines.forEach((line, i) => {
        context.strokeText(line, width / 2, 2 + size * (i + 0.5));
        context.fillText(line, width / 2, 2 + size * (i + 0.5));
      });
    });
  }

  /** What somebody does, as a picture sign in a bubble; where the machine has no picture for it, a plain mark. */
  emoji(emoji: string): Label {
    const key = `emoji ${emoji}`;
    const known = this.known(key);
    if (known) return known;
    return this.label(key, 24, 27, (context) => {
      bubble(context, 0.5, 0.5, 23, 20, { ...this.ink, paper: this.ink.sign });
      const sign = firstGrapheme(emoji);
      if (!drawable(sign)) return diamond(context, 12, 10.5, 4, this.ink.accent);
      context.font = `14px ${EMOJI_FONT}`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillStyle = this.ink.text;
      // A rim of the other lightness, so that white plates show on light ground and dark coats on dark.
      context.shadowColor = this.ink.rim;
      context.shadowBlur = 2 * this.ratio;
      context.fillText(sign, 12, 11.5);
    });
  }

  /** A bare sign, without a bubble: z for asleep, dots for waiting. */
  sign(sign: string): Label {
    const key = `sign ${sign}`;
    const known = this.known(key);
    if (known) return known;
    const font = `800 12px ${FONT}`;
    this.measure.font = font;
    const width = Math.ceil(this.measure.measureText(sign).width) + 8;
    return this.label(key, width, 18, (context) => {
      context.font = font;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.lineJoin = 'round';
      context.lineWidth = 3;
      context.strokeStyle = 'rgba(40, 40, 80, 0.85)';
      context.fillStyle = '#eef2ff';
      context.strokeText(sign, width / 2, 9);
      context.fillText(sign, width / 2, 9);
    });
  }

  /** The real line, or its first `most_lines`, in a bubble whose tail points down to the speaker. */
  speech(text: string, most_lines: number): Label {
    const key = `speech ${most_lines} ${text}`;
    const known = this.known(key);
    if (known) return known;
    const font = `500 12px ${FONT}`;
    this.measure.font = font;
    let lines = this.wrap(text, BUBBLE_WIDTH);
    if (lines.length > most_lines) {
      lines = lines.slice(0, most_lines);
      lines[most_lines - 1] = `${lines[most_lines - 1]?.slice(0, -1)}…`;
    }
    const width = Math.ceil(Math.max(20, ...lines.map((line) => this.measure.measureText(line).width))) + 16;
    const height = lines.length * 16 + 19;
    return this.label(key, width, height, (context) => {
      bubble(context, 0.5, 0.5, width - 1, height - 8, this.ink);
      context.font = font;
      context.textBaseline = 'middle';
      context.fillStyle = this.ink.text;
      lines.forEach((line, i) => context.fillText(line, 8, 6 + 16 * (i + 0.5)));
    });
  }

  private shorten(text: string, width: number): string {
    if (this.measure.measureText(text).width <= width) return text;
    const letters = Array.from(graphemes(text));
    while (letters.length > 1 && this.measure.measureText(`${letters.join('')}…`).width > width) letters.pop();
    return `${letters.join('')}…`;
  }

  /** Breaks between words, or anywhere in a word that is longer than a line. */
  private wrap(text: string, width: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of words(text)) {
      if (this.measure.measureText((line + word).trimEnd()).width <= width || line === '') {
        line += word;
      } else {
        lines.push(line.trimEnd());
        line = word.trimStart();
      }
      while (this.measure.measureText(line.trimEnd()).width > width && line.length > 1) {
        let fits = '';
        for (const letter of graphemes(line)) {
          if (fits !== '' && this.measure.measureText(fits + letter).width > width) break;
          fits += letter;
        }
        lines.push(fits);
        line = line.slice(fits.length);
      }
    }
    if (line.trim() !== '' || lines.length === 0) lines.push(line.trimEnd());
    return lines;
  }
}

const by_word = new Intl.Segmenter(undefined, { granularity: 'word' });
const by_letter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function* graphemes(text: string): Iterable<string> {
  for (const { segment } of by_letter.segment(text)) yield segment;
}

/** Words with the punctuation and spaces that follow them. */
function words(text: string): string[] {
  const found: string[] = [];
  for (const { segment, isWordLike } of by_word.segment(text)) {
    const last = found.length - 1;
    if (!isWordLike && last >= 0) found[last] += segment;
    else found.push(segment);
  }
  return found;
}

function firstGrapheme(text: string): string {
  for (const letter of graphemes(text)) return letter;
  return '';
}

function round(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, radius: number): void {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number, half: number, colour: string): void {
  context.beginPath();
  context.moveTo(x, y - half);
  context.lineTo(x + half, y);
  context.lineTo(x, y + half);
  context.lineTo(x - half, y);
  context.fillStyle = colour;
  context.fill();
}

function bubble(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number, ink: Ink): void {
  const middle = x + width / 2;
  context.beginPath();
  context.roundRect(x, y, width, height, 8);
  context.moveTo(middle - 4, y + height);
  context.lineTo(middle, y + height + 6);
  context.lineTo(middle + 4, y + height);
  context.fillStyle = ink.paper;
  context.strokeStyle = ink.line;
  context.lineWidth = 1;
  context.stroke();
  context.fill();
}
