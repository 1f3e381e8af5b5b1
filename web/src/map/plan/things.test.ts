import { describe, expect, test } from 'vitest';
import type { Place, Span, TownMap } from '../../api/types.ts';
import { indoorSectors } from '../indoors.ts';
import { kindOf } from './things.ts';

describe('kinds of things', () => {
  test('are told by the words of their names, in several languages', () => {
    expect(kindOf('Cooking Area')).toBe('stove');
    expect(kindOf('behind the cafe counter')).toBe('mat');
    expect(kindOf('bathroom sink')).toBe('basin');
    expect(kindOf('床')).toBe('bed');
    expect(kindOf('本棚')).toBe('shelf');
    expect(kindOf('orrery')).toBe('other');
  });
});

describe('buildings', () => {
  const ring = (left: number, top: number, size: number): Span[] => [
    [left, top, size],
    ...Array.from({ length: size - 2 }, (_, i): Span[] => [
      [left, top + 1 + i, 1],
      [left + size - 1, top + 1 + i, 1],
    ]).flat(),
    [left, top + size - 1, size],
  ];
  const square = (left: number, top: number, size: number): Span[] => Array.from({ length: size }, (_, i): Span => [left, top + i, size]);
  const place = (id: number, parent: number | null, kind: Place['kind'], name: string, spans: Span[]): Place => ({ id, parent, kind, name, address: name, spans, default_state: null });
  const town = (thing: string, walls: boolean): TownMap => ({
    name: 'Test',
    width: 12,
    height: 12,
    blocked: walls ? ring(1, 1, 8) : [],
    places: [place(0, null, 'world', 'Test', []), place(1, 0, 'sector', 'S', square(1, 1, 8)), place(2, 1, 'arena', 'A', square(2, 2, 6)), place(3, 2, 'object', thing, [[4, 4, 1]])],
    picture: null,
  });

  test('have walls and furniture', () => {
    expect(indoorSectors(town('bed', true)).has(1)).toBe(true);
  });
  test('a hedged park is none', () => {
    expect(indoorSectors(town('park garden', true)).has(1)).toBe(false);
  });
  test('nor is furniture in the open', () => {
    expect(indoorSectors(town('table', false)).has(1)).toBe(false);
  });
  test('in a language nobody thought of, walls decide', () => {
    expect(indoorSectors(town('рояль', true)).has(1)).toBe(true);
    expect(indoorSectors(town('рояль', false)).has(1)).toBe(false);
  });
});
