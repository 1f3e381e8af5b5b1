import { expect, test } from 'vitest';
import type { Picture } from '../api/types.ts';
import { glow, lamps } from './lamps.ts';

const picture = (tiles: number[]): Picture => ({
  tile_width: 16,
  tile_height: 16,
  layers: [
    { name: 'Ground', opacity: 1, above: false, tiles: tiles.map(() => 1) },
    { name: 'Above', opacity: 1, above: true, tiles },
  ],
  tilesets: [{ first: 11, count: 8, columns: 8, tile_width: 16, tile_height: 16, margin: 0, spacing: 0, lights: [2], image: '' }],
});

test('a lamp glows where its tile stands, turned over or not; a town without pictures has none', () => {
  expect(lamps({ width: 3, picture: picture([0, 13, 12, 0, 0, 0x8000000d]) })).toEqual([
    { x: 1, y: 0 },
    { x: 2, y: 1 },
  ]);
  expect(lamps({ width: 3, picture: null })).toEqual([]);
});

test('light falls off with the distance, ends, stays in town, and does not add up', () => {
  const lit = glow([{ x: 1, y: 0 }, { x: 3, y: 0 }], { width: 40, height: 2 });
  const at = (x: number, y: number): number => lit.find((tile) => tile.x === x && tile.y === y)?.strength ?? 0;
  expect(lit.every(({ x, y, strength }) => x >= 0 && x < 40 && y >= 0 && y < 2 && strength > 0 && strength < 1)).toBe(true);
  expect(at(1, 0)).toBe(at(3, 0));
  expect(at(2, 0)).toBeLessThan(at(1, 0));
  expect(at(4, 0)).toBe(at(2, 0));
  expect(at(10, 0)).toBe(0);
});
