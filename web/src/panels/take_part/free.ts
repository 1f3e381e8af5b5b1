/** Where somebody can stand who was sent onto a wall, or into a room. */
import type { Span, Tile } from '../../api/types.ts';

export type Ground = { width: number; height: number; blocked: Span[] };

/** The free tile nearest to `wanted`, the first in reading order among equally near ones; `wanted` where none is free. */
export function nearestFree(ground: Ground, wanted: Tile): Tile {
  return nearest(ground, wanted, [[0, 0, ground.width * ground.height]]) ?? wanted;
}

/** A free tile in the middle of a place, null where all of it is walls and things. */
export function freeIn(ground: Ground, spans: readonly Span[]): Tile | null {
  const tiles = spans.reduce((sum, [, , length]) => sum + length, 0);
  const middle = {
    x: spans.reduce((sum, [x, , length]) => sum + length * (x + (length - 1) / 2), 0) / tiles,
    y: spans.reduce((sum, [, y, length]) => sum + length * y, 0) / tiles,
  };
  return nearest(ground, middle, spans);
}

/** The free tile of `spans` nearest to `wanted`, the first in their order among equally near ones. A span may run over rows. */
function nearest(ground: Ground, wanted: Tile, spans: readonly Span[]): Tile | null {
  const { width } = ground;
  const blocked = new Set<number>();
  for (const [x, y, length] of ground.blocked) for (let i = 0; i < length; i++) blocked.add(y * width + x + i);
  let best: Tile | null = null;
  let distance = Infinity;
  for (const [x, y, length] of spans) {
    for (let at = y * width + x; at < y * width + x + length; at++) {
      const tile = { x: at % width, y: Math.floor(at / width) };
      const far = Math.abs(tile.x - wanted.x) + Math.abs(tile.y - wanted.y);
      if (far < distance && !blocked.has(at)) {
        best = tile;
        distance = far;
      }
    }
  }
  return best;
}
