import { describe, expect, test } from 'vitest';
import { distance, looks } from './look.ts';
import { CELLS, HEIGHT, WIDTH, cells, pose } from './paint.ts';

const people = (names: string[]): { name: string; age: number | null }[] => names.map((name, i) => ({ name, age: 20 + ((i * 7) % 50) }));
const TOWN = people([
  ...['Zoë O’Neill-Ångström', '林 秋', 'Mateus Silva', 'Agnes Thorvaldsen', 'Priya Nandakumar', 'ياسمين حداد', 'Ilse', 'Bram Holt'],
  ...Array.from({ length: 17 }, (_, i) => `Resident ${i}`),
]);

describe('looks', () => {
  test('of twenty-five people differ in more than one thing each', () => {
    const all = looks(TOWN);
    for (const [i, a] of all.entries()) {
      for (const b of all.slice(i + 1)) expect(distance(a, b)).toBeGreaterThanOrEqual(5);
    }
  });

  test('stay the same from page to page', () => {
    expect(looks(TOWN)).toEqual(looks(TOWN));
  });

  test('show age: children are smaller, the old are grey', () => {
    const [child, old] = looks([
      { name: 'Dalia', age: 8 },
      { name: 'Agnes', age: 79 },
    ]);
    expect(child?.build).toBe('child');
    expect(old?.hair).toBeGreaterThanOrEqual(9);
    const top = (look: typeof child): number => {
      const picture = look ? pose({ ...look, haircut: 'short' }, 'front', 'stand') : null;
      for (let y = 0; y < HEIGHT; y += 1) for (let x = 0; x < WIDTH; x += 1) if (picture?.filled(x, y)) return y;
      return HEIGHT;
    };
    expect(top(child)).toBeGreaterThan(top(old) + 2);
  });
});

describe('pictures of people', () => {
  test('every pose shows somebody, on the ground, within the cell', () => {
    for (const look of looks(TOWN)) {
      const painted = cells(look);
      expect(painted).toHaveLength(CELLS);
      for (const picture of painted) {
        const rows = Array.from({ length: HEIGHT }, (_, y) => Array.from({ length: WIDTH }, (_, x) => picture.filled(x, y)).some(Boolean));
        expect(rows.filter(Boolean).length).toBeGreaterThan(12);
        expect(rows.lastIndexOf(true)).toBe(HEIGHT - 2);
      }
    }
  });

  test('walking differs from standing in every direction', () => {
    const [look] = looks(TOWN);
    if (!look) throw new Error('nobody');
    for (const view of ['front', 'back', 'side'] as const) {
      const [stand, left, right] = (['stand', 'left', 'right'] as const).map((step) => pose(look, view, step).data.join());
      expect(new Set([stand, left, right]).size).toBe(3);
    }
  });
});
