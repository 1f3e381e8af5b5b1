import { expect, test } from 'vitest';
import { type Address, readAddress, writeAddress } from './address.ts';

const NOTHING: Address = { tick: null, resident: null, talk: null, object: null, news: null, tab: 'town', run: null };

test('a link says run, moment, resident and what is open, and is read back', () => {
  const moment = { ...NOTHING, tick: 4210, resident: 7, run: 'acb9fa14c83f4c75' };
  for (const open of [
    { tab: 'town' },
    { tab: 'town', news: 'the supper & the 灯' },
    { tab: 'resident' },
    { tab: 'talk' },
    { tab: 'talk', talk: 0 },
    { tab: 'object', object: 12 },
    { tab: 'object' },
    { tab: 'take_part' },
  ] as const) {
    for (const address of [{ ...moment, ...open }, { ...NOTHING, ...open }]) expect(readAddress(writeAddress(address))).toEqual(address);
  }
  expect(writeAddress(NOTHING)).toBe('');
  expect(writeAddress({ ...moment, tab: 'resident' })).toBe('#t=4210&r=7&run=acb9fa14c83f4c75');
});

test('what is not in front is not in the link, but for who is looked at', () => {
  const behind = { ...NOTHING, resident: 3, talk: 5, object: 9, news: 'supper' };
  expect(writeAddress({ ...behind, tab: 'resident' })).toBe('#r=3');
  expect(writeAddress({ ...behind, tab: 'talk' })).toBe('#r=3&talk=5');
  expect(writeAddress({ ...behind, tab: 'town' })).toBe('#r=3&news=supper');
});

test('what cannot be read counts as absent', () => {
  expect(readAddress('#t=now&r=1e9&tab=attic&talk=&news=&run=x')).toEqual({ ...NOTHING, run: 'x' });
  expect(readAddress('#t=-1')).toEqual({ ...NOTHING, tick: -1 });
  expect(readAddress('')).toEqual(NOTHING);
});
