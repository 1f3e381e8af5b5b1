import { describe, expect, test } from 'vitest';
import { date, dayOf, inputText, tickOf, timeOfDay } from './clock.ts';
import { days, hourStep } from './days.ts';

const MONDAY_6_15 = Date.UTC(2024, 5, 3, 6, 15) / 1000;

describe('game time', () => {
  test('is read as it stands, whatever zone the viewer lives in', () => {
    expect(timeOfDay(MONDAY_6_15, 'en-GB')).toBe('06:15');
    expect(timeOfDay(MONDAY_6_15 - 6.25 * 3600, 'en-GB')).toBe('00:00');
    expect(date(MONDAY_6_15, 'en-GB')).toMatch(/Mon.*3 Jun/);
    expect(date(MONDAY_6_15, 'ja-JP')).toContain('6月3日');
  });

  test('counts days from midnight to midnight', () => {
    expect(dayOf(MONDAY_6_15, MONDAY_6_15)).toBe(1);
    expect(dayOf(MONDAY_6_15 + 17.75 * 3600, MONDAY_6_15)).toBe(2);
  });

  test('goes into a form and back', () => {
    expect(tickOf(inputText(MONDAY_6_15 + 3600), MONDAY_6_15, 10)).toBe(360);
    expect(tickOf('soon', MONDAY_6_15, 10)).toBeNull();
  });
});

describe('days on a timeline', () => {
  test('cover the run without gaps, the first from its start', () => {
    const two = days(MONDAY_6_15, 10, 17_279);
    expect(two.map(({ day, from }) => [day, from])).toEqual([
      [1, 0],
      [2, 6390],
      [3, 15_030],
    ]);
    expect(two.at(-1)?.to).toBe(17_279);
    for (const [i, day] of two.entries()) if (i > 0) expect(day.from).toBe(two[i - 1]?.to);
  });

  test('a run without a tick has its first day', () => {
    expect(days(MONDAY_6_15, 10, -1)).toHaveLength(1);
  });

  test('hours are marked as closely as there is room', () => {
    expect(hourStep(30)).toBe(1);
    expect(hourStep(172_800 / 600)).toBe(6);
    expect(hourStep(30 * 86_400)).toBe(24);
  });
});
