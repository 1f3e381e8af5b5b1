import { describe, expect, it } from 'vitest';
import { freeIn, nearestFree } from './free.ts';

describe('somebody sent onto a wall', () => {
  const ground = { width: 4, height: 3, blocked: [[0, 0, 4], [0, 1, 2]] as [number, number, number][] };

  it('stands beside it', () => {
    expect(nearestFree(ground, { x: 1, y: 1 })).toEqual({ x: 2, y: 1 });
    expect(nearestFree(ground, { x: 0, y: 0 })).toEqual({ x: 0, y: 2 });
  });

  it('stands where they were sent if that is free', () => {
    expect(nearestFree(ground, { x: 3, y: 2 })).toEqual({ x: 3, y: 2 });
  });

  it('stays where nothing is free', () => {
    const walls = { width: 1, height: 1, blocked: [[0, 0, 1]] as [number, number, number][] };
    expect(nearestFree(walls, { x: 0, y: 0 })).toEqual({ x: 0, y: 0 });
  });

  it('sent into a room stands in its middle, and not in the room behind the wall', () => {
    const room = [[2, 1, 2], [2, 2, 2]] as [number, number, number][];
    expect(freeIn(ground, room)).toEqual({ x: 2, y: 1 });
    expect(freeIn({ ...ground, blocked: [[2, 1, 2], [2, 2, 1]] }, room)).toEqual({ x: 3, y: 2 });
    expect(freeIn({ ...ground, blocked: [[2, 1, 2], [2, 2, 2]] }, room)).toBeNull();
  });
});
