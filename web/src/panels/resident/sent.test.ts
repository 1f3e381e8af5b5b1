import { expect, test } from 'vitest';
import { sent } from './sent.ts';

test('a request is shown turn by turn, with who speaks, what stays the same first', () => {
  const request = {
    system: 'You are Zoë.',
    turns: [
      { speaker: 'user', text: 'Where to?' },
      { speaker: 'model', text: 'Home.' },
    ],
    max_tokens: 100,
  };
  expect(sent(request)).toEqual([
    { speaker: 'system', text: 'You are Zoë.' },
    { speaker: 'user', text: 'Where to?' },
    { speaker: 'model', text: 'Home.' },
  ]);
});

test('what has another form is shown whole', () => {
  expect(sent('as it was')).toEqual([{ speaker: '', text: 'as it was' }]);
  expect(sent({ prompt: 'x' })[0]?.text).toContain('"prompt": "x"');
  expect(sent(null)).toEqual([{ speaker: '', text: 'null' }]);
});
