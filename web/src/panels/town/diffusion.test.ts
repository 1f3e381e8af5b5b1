import { describe, expect, it } from 'vitest';
import type { Knower } from '../wire.ts';
import { lay } from './diffusion.ts';

const knower = (resident: number, told: Knower[] = []): Knower => ({
  resident,
  since: resident * 10,
  place: null,
  talk: null,
  memory: 0,
  told,
});

describe('a diffusion tree', () => {
  it('gives every holder a row of their own, tellers before those they told', () => {
    const laid = lay([knower(0, [knower(1, [knower(2)]), knower(3)])]);
    expect(laid.nodes.map((node) => [node.knower.resident, node.depth, node.row])).toEqual([
      [0, 0, 0],
      [1, 1, 1],
      [2, 2, 2],
      [3, 1, 3],
    ]);
    expect(laid.links).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 0, to: 3 },
    ]);
  });

  it('holds several sources', () => {
    const laid = lay([knower(0), knower(1, [knower(2)])]);
    expect(laid.nodes.filter((node) => node.depth === 0)).toHaveLength(2);
    expect(laid.deepest).toBe(1);
  });

  it('is empty where nobody knows', () => {
    expect(lay([])).toEqual({ nodes: [], links: [], deepest: 0 });
  });
});
