import { expect, test } from 'vitest';
import { parts } from './emoji.ts';

test('what stands joined in one emoji is looked at piece by piece', () => {
  expect(parts('👩‍🏫')).toEqual(['👩', '🏫']);
  expect(parts('👩🏽‍🍳')).toEqual(['👩', '🍳']);
  expect(parts('🍽️')).toEqual(['🍽']);
  expect(parts('💬')).toEqual(['💬']);
});
