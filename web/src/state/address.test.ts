import { expect, test } from 'vitest';
import { readAddress, writeAddress } from './address.ts';

test('a link says which run, moment and resident, and is read back', () => {
  const address = { tick: 4210, resident: 7, run: 'acb9fa14c83f4c75' };
  expect(readAddress(writeAddress(address))).toEqual(address);
  expect(writeAddress({ tick: null, resident: null, run: null })).toBe('');
});

test('what cannot be read counts as absent', () => {
  expect(readAddress('#t=now&r=1e9&run=x')).toEqual({ tick: null, resident: null, run: 'x' });
  expect(readAddress('#t=-1')).toEqual({ tick: -1, resident: null, run: null });
  expect(readAddress('')).toEqual({ tick: null, resident: null, run: null });
});
