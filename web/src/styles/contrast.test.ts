/** Contrast of every pair of colours that meet on the page, light and dark, as WCAG 2.2 (1.4.3, 1.4.11) measures it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8');
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]),
);

function luminance(hex: string): number {
  const part = (at: number): number => {
    const value = parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const SURFACES = ['surface', 'surface-raised', 'surface-sunken'];
/** Text upon what it stands on: 4.5. */
const TEXT: [string, string[]][] = [
  ['text', [...SURFACES, 'accent-soft', 'warn-soft']],
  ['text-soft', [...SURFACES, 'warn-soft']],
  ['link', [...SURFACES, 'accent-soft']],
  ['accent-text', ['accent']],
  ['warn', ['warn-soft', 'surface']],
  ['live', ['surface']],
  ['replay', ['surface']],
  ['paused', ['surface']],
];
/** Marks, lines of charts, borders of controls, the ring of focus: 3. */
const MARKS: [string, string[]][] = [
  ['mark-talk', SURFACES],
  ['mark-reflection', SURFACES],
  ['mark-gathering', SURFACES],
  ['mark-whisper', SURFACES],
  ['mark-notice', SURFACES],
  ['accent', SURFACES],
  ['line-strong', ['surface', 'surface-raised']],
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const colour = (name: string): string => {
    const found = colours.get(name)?.[theme];
    if (found === undefined) throw new Error(`theme.css has no --${name}`);
    return found;
  };
  test.each([
    ...TEXT.flatMap(([name, on]) => on.map((ground) => [name, ground, 4.5] as const)),
    ...MARKS.flatMap(([name, on]) => on.map((ground) => [name, ground, 3] as const)),
  ])('%s on %s reaches %d', (name, ground, least) => {
    expect(contrast(colour(name), colour(ground))).toBeGreaterThanOrEqual(least);
  });
});
