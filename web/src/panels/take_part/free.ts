/** Where somebody can stand who was sent onto a wall. */
import type { Span, Tile } from '../../api/types.ts';

export type Ground = { width: number; height: number; blocked: Span[] };

/** The free tile nearest to `wanted`, the first in reading order among equally near ones; `wanted` where none is free. */
export function nearestFree(ground: Ground, wanted: Tile): Tile {
  const blocked = new Set<number>();
  for (const [x, y, length] of ground.blocked) {
    for (let i = 0; i < length; i++) blocked.add(y * ground.width + x + i);
  }
  let best: Tile = wanted;
  let distance = Infinity;
  for (let y = 0; y < ground.height; y++) {
    for (let x = 0; x < ground.width; x++) {
      const far = Math.abs(x - wanted.x) + Math.abs(y - wanted.y);
      if (far < distance && !blocked.has(y * ground.width + x)) {
        best = { x, y };
        distance = far;
      }
    }
  }
  return best;
}
