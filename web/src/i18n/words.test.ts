import { expect, test } from 'vitest';
import en from './en.json';
import ja from './ja.json';
import zh from './zh.json';

test.each([
  ['zh', zh],
  ['ja', ja],
] as const)('%s says everything English says, with the same values in it', (_, words: Record<string, string>) => {
  const values = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').sort();
  for (const [key, text] of Object.entries(en)) {
    expect(words[key], key).toBeTruthy();
    expect([key, values(words[key] ?? '')]).toEqual([key, values(text)]);
  }
  expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
});
