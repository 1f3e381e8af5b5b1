/**
 * How a resident looks: a handful of choices drawn from the name, so that the same person looks the same in every run
 * and on every page. Among the people of one town each gets, of several looks its name allows, the one least like
 * those given before it; a look says nothing about what somebody is like.
 */
import type { Resident } from '../../api/types.ts';
import { CLOTH, EYES, HAIR, HAIR_OF_AGE, SKIN, TROUSERS } from './palette.ts';

export const HAIRCUTS = ['short', 'long', 'bob', 'bun', 'tail', 'curls', 'tuft', 'cropped', 'cap', 'braids'] as const;
export type Haircut = (typeof HAIRCUTS)[number];
export const TOPS = ['plain', 'stripes', 'jacket', 'apron', 'coat', 'dungarees', 'scarf', 'dress'] as const;
export type Top = (typeof TOPS)[number];
export type Build = 'child' | 'youth' | 'adult';

/** Numbers are places in the palettes of `palette.ts`. */
export type Look = {
  build: Build;
  skin: number;
  eyes: number;
  haircut: Haircut;
  hair: number;
  top: Top;
  cloth: number;
  second: number;
  trousers: number;
  glasses: boolean;
};

/** Looks tried for each resident: many in a town whose people one gets to know, few in a crowd. */
const TRIES = 24;
const TRIES_IN_A_CROWD = 6;
const CROWD = 100;
/** Neighbours in id that a look is compared with; more would make a town of thousands slow to open. */
const COMPARED = 64;

/** A well-mixed 32-bit number from a text (FNV-1a with a final mix). */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function candidate(who: Pick<Resident, 'name' | 'age'>, attempt: number): Look {
  const pick = (what: string, of: number): number => hash(`${who.name}\u0000${what}\u0000${attempt}`) % of;
  const age = who.age ?? 35;
  const cloth = pick('cloth', CLOTH.length);
  return {
    build: age < 13 ? 'child' : age < 17 ? 'youth' : 'adult',
    skin: hash(`${who.name}\u0000skin`) % SKIN.length,
    eyes: pick('eyes', EYES.length),
    haircut: HAIRCUTS[pick('haircut', HAIRCUTS.length)] ?? 'short',
    hair: age >= 58 ? HAIR_OF_AGE + pick('hair', HAIR.length - HAIR_OF_AGE) : pick('hair', HAIR_OF_AGE),
    top: TOPS[pick('top', TOPS.length)] ?? 'plain',
    cloth,
    second: (cloth + 1 + pick('second', CLOTH.length - 1)) % CLOTH.length,
    trousers: pick('trousers', TROUSERS.length),
    glasses: pick('glasses', age >= 50 ? 3 : 6) === 0,
  };
}

/** How different two looks are to the eye: what is large counts more. */
export function distance(a: Look, b: Look): number {
  return (
    (a.cloth === b.cloth ? 0 : 4) +
    (a.haircut === b.haircut ? 0 : 3) +
    (a.hair === b.hair ? 0 : 3) +
    (a.top === b.top ? 0 : 2) +
    (a.skin === b.skin ? 0 : 2) +
    (a.build === b.build ? 0 : 2) +
    (a.trousers === b.trousers ? 0 : 1) +
    (a.glasses === b.glasses ? 0 : 1)
  );
}

/** A look for each, in their order. */
export function looks(people: readonly Pick<Resident, 'name' | 'age'>[]): Look[] {
  const given: Look[] = [];
  const tries = people.length > CROWD ? TRIES_IN_A_CROWD : TRIES;
  for (const who of people) {
    const others = given.slice(-COMPARED);
    let best = candidate(who, 0);
    let best_distance = -1;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const look = candidate(who, attempt);
      const nearest = others.reduce((least, other) => Math.min(least, distance(look, other)), Infinity);
      if (nearest > best_distance) {
        best = look;
        best_distance = nearest;
      }
    }
    given.push(best);
  }
  return given;
}
