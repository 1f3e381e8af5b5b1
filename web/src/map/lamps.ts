/** Where lamps stand that glow by themselves at night, and how far. */
import type { Tile, TownMap } from '../api/types.ts';
import { NUMBER } from './picture.ts';

/** A tile on which the light of lamps falls, from 0 (none) to 1 (under a lamp). */
export type Glow = Tile & { strength: number };

/** How far a lamp shines, in tiles, and how brightly beside it. */
const REACH = 4;
const BRIGHTEST = 0.85;

/** The tiles of a town's pictures that glow. */
export function lamps({ width, picture }: Pick<TownMap, 'width' | 'picture'>): Tile[] {
  const glowing = new Set((picture?.tilesets ?? []).flatMap((set) => set.lights.map((tile) => set.first + tile)));
  const found: Tile[] = [];
  for (const layer of picture?.layers ?? []) {
    layer.tiles.forEach((tile, at) => {
      if (glowing.has(tile & NUMBER)) found.push({ x: at % width, y: Math.floor(at / width) });
    });
  }
  return found;
}

/** The light of lamps on every tile it falls on; where that of several falls, the brightest counts. */
export function glow(lamps: readonly Tile[], town: { width: number; height: number }): Glow[] {
  const lit = new Map<number, Glow>();
  for (const lamp of lamps) {
    for (let y = Math.max(0, lamp.y - REACH); y <= Math.min(town.height - 1, lamp.y + REACH); y += 1) {
      for (let x = Math.max(0, lamp.x - REACH); x <= Math.min(town.width - 1, lamp.x + REACH); x += 1) {
        const strength = BRIGHTEST * (1 - Math.hypot(x - lamp.x, y - lamp.y) / REACH) ** 1.5;
        const at = y * town.width + x;
        if (strength > (lit.get(at)?.strength ?? 0)) lit.set(at, { x, y, strength });
      }
    }
  }
  return [...lit.values()];
}
