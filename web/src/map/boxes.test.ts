import { expect, test } from 'vitest';
import { type Box, Boxes } from './boxes.ts';

test('a box is free where it covers none that was taken, in sight or beside it', () => {
  // A chance that is the same each time.
  let seed = 7;
  const chance = (below: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const boxes = new Boxes();
  for (const [width, height] of [
    [900, 500],
    [300, 700],
  ] as const) {
    boxes.clear(width, height);
    const taken: Box[] = [];
    let refused = 0;
    for (let i = 0; i < 400; i += 1) {
      const [left, top] = [chance(width + 200) - 100, chance(height + 200) - 100];
      const box = { left, top, right: left + 1 + chance(150), bottom: top + 1 + chance(40) };
      const free = taken.every((each) => each.left >= box.right || each.right <= box.left || each.top >= box.bottom || each.bottom <= box.top);
      expect(boxes.free(box)).toBe(free);
      if (!free) refused += 1;
      if (!free && i % 10 > 0) continue;
      taken.push(box);
      boxes.take(box);
    }
    expect(refused).toBeGreaterThan(50);
  }
});
