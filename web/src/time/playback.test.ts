import { describe, expect, test } from 'vitest';
import { Playback } from './playback.ts';

describe('playing', () => {
  test('goes at the speed chosen and ends at the head', () => {
    const playback = new Playback();
    playback.grow(100, 0);
    playback.speed = 60;
    playback.motion = 'playing';
    for (let i = 0; i < 20; i += 1) playback.pass(0.05);
    // 60 game seconds a second are six ticks.
    expect(playback.position).toBeCloseTo(6);
    playback.speed = Infinity;
    playback.pass(0.2);
    expect(playback.position).toBe(100);
    expect(playback.motion).toBe('still');
  });

  test('does not leap after a pause of the page', () => {
    const playback = new Playback();
    playback.grow(100_000, 0);
    playback.motion = 'playing';
    playback.pass(3600);
    expect(playback.position).toBeLessThan(10);
  });
});

describe('seeking', () => {
  test('stays within the run', () => {
    const playback = new Playback();
    playback.grow(39, 0);
    for (const [wished, tick] of [
      [0, 0],
      [25, 25],
      [39, 39],
      [40, 39],
      [-1, 0],
    ] as const) {
      playback.seek(wished);
      expect(playback.tick).toBe(tick);
    }
  });

  test('of a run without a tick is at its beginning', () => {
    const playback = new Playback();
    playback.seek(12);
    expect(playback.tick).toBe(0);
    expect(playback.atHead).toBe(true);
  });
});

describe('following', () => {
  test('keeps close behind a head that grows, and never runs ahead or back', () => {
    const playback = new Playback();
    playback.grow(0, 0);
    playback.motion = 'following';
    let before = 0;
    for (let frame = 1; frame <= 600; frame += 1) {
      // Six ticks a second, told three times a second.
      if (frame % 20 === 0) playback.grow((frame / 20) * 2, frame * 16.7);
      playback.pass(1 / 60);
      expect(playback.position).toBeGreaterThanOrEqual(before);
      expect(playback.position).toBeLessThanOrEqual(playback.head);
      before = playback.position;
    }
    expect(playback.head - playback.position).toBeLessThan(6);
  });

  test('reaches the head when it stands still', () => {
    const playback = new Playback();
    playback.grow(0, 0);
    playback.motion = 'following';
    playback.grow(8, 100);
    for (let i = 0; i < 600; i += 1) playback.pass(1 / 60);
    expect(playback.position).toBeCloseTo(8);
  });

  test('jumps to the head after the page was hidden', () => {
    const playback = new Playback();
    playback.grow(0, 0);
    playback.motion = 'following';
    playback.grow(5000, 60_000);
    playback.pass(60);
    expect(playback.position).toBe(5000);
  });
});
