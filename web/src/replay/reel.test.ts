import { describe, expect, test } from 'vitest';
import type { Frame, Frames, State, Tick } from '../api/types.ts';
import { Reel, STRETCH } from './reel.ts';

/** A run in which resident 0 takes a step to the east every third tick, and a talk starts and ends. */
function run(head: Tick): { source: { state(tick: Tick): Promise<State>; frames(from: Tick, to: Tick): Promise<Frames> }; asked: string[]; between(from: Tick, to: Tick): Frame[] } {
  const asked: string[] = [];
  const between = (from: Tick, to: Tick): Frame[] => {
    const frames: Frame[] = [];
    for (let tick = from + 1; tick <= to; tick += 1) {
      const frame: Frame = { tick };
      if (tick % 3 === 0) frame.moves = [[0, tick / 3, 7]];
      if (tick === 10) frame.talks = [{ id: 4, a: 0, b: 1, place: null }];
      if (tick === 11) frame.lines = [{ talk: 4, turn: 0, speaker: 0, text: 'Good morning.' }];
      if (tick === 20) frame.ends = [{ talk: 4, reason: 'farewell' }];
      if (Object.keys(frame).length > 1) frames.push(frame);
    }
    return frames;
  };
  return {
    asked,
    between,
    source: {
      state: (tick) => {
        asked.push(`state ${tick}`);
        const body = (id: number, x: number) => ({ id, x, y: 7, since: 0, action: null });
        return Promise.resolve({ tick, time: 0, residents: [body(0, Math.floor(tick / 3)), body(1, 90)], objects: [], talks: [] });
      },
      frames: (from, to) => {
        asked.push(`frames ${from}-${to}`);
        return Promise.resolve({ from, to: Math.min(to, head), frames: between(from, Math.min(to, head)) });
      },
    },
  };
}

async function loaded(head: Tick, tick: Tick): Promise<{ reel: Reel; asked: string[]; between: (from: Tick, to: Tick) => Frame[] }> {
  const { source, asked, between } = run(head);
  const reel = new Reel(source);
  reel.head = head;
  await reel.want(tick);
  return { reel, asked, between };
}

describe('the reel', () => {
  test('shows any tick of what it has loaded, forwards and backwards', async () => {
    const { reel } = await loaded(1000, 5);
    for (const tick of [0, 11, 2, 359, 1, 12]) {
      expect(reel.at(tick)?.figures.get(0)?.x).toBe(Math.floor(tick / 3));
    }
    expect(reel.at(STRETCH)).toBeNull();
  });

  test('knows the step that comes next, over the border of a stretch too', async () => {
    const { reel } = await loaded(1000, 0);
    reel.at(2);
    expect(reel.ahead()?.moves).toEqual([[0, 1, 7]]);
    reel.at(3);
    expect(reel.ahead()).toBeNull();
    reel.at(STRETCH - 1);
    expect(reel.ahead()?.moves).toEqual([[0, STRETCH / 3, 7]]);
  });

  test('has a line of talk from the tick it is said to the tick the talk ends', async () => {
    const { reel } = await loaded(1000, 0);
    expect(reel.at(10)?.talks.get(4)?.line).toBeNull();
    expect(reel.at(11)?.talks.get(4)?.line?.text).toBe('Good morning.');
    expect(reel.at(19)?.talks.size).toBe(1);
    expect(reel.at(20)?.talks.size).toBe(0);
  });

  test('asks for a stretch once, however often it is wanted', async () => {
    const { source, asked } = run(1000);
    const reel = new Reel(source);
    reel.head = 1000;
    await Promise.all([reel.want(3), reel.want(4), reel.want(350)]);
    await reel.want(5);
    expect(asked).toEqual(['state 0', 'frames 0-360']);
  });

  test('grows with the live run and begins new stretches by itself', async () => {
    const { reel, asked, between } = await loaded(350, 340);
    expect(reel.at(355)).toBeNull();
    for (let from = 350; from < 800; from += 50) reel.live({ from, to: from + 50, frames: between(from, from + 50) });
    expect(reel.head).toBe(800);
    for (const tick of [351, 360, 361, 719, 721, 800]) expect(reel.at(tick)?.figures.get(0)?.x).toBe(Math.floor(tick / 3));
    expect(asked).toEqual(['state 0', 'frames 0-350']);
  });

  test('does not join what does not follow, but fetches what is missing', async () => {
    const { source, asked, between } = run(100);
    const reel = new Reel(source);
    reel.head = 50;
    await reel.want(50);
    reel.live({ from: 80, to: 100, frames: between(80, 100) });
    expect(reel.at(90)).toBeNull();
    await reel.want(90);
    expect(asked.at(-1)).toBe('frames 50-100');
    expect(reel.at(90)?.figures.get(0)?.x).toBe(30);
  });

  test('loses nothing that comes live while it loads: once at the head it stays there', async () => {
    const { source, asked, between } = run(350);
    let answer = (): void => {};
    const slow = new Promise<void>((done) => (answer = done));
    const reel = new Reel({ ...source, frames: (from, to) => slow.then(() => source.frames(from, to)) });
    reel.head = 350;
    const wanted = reel.want(350);
    // On into the next stretch, in messages that overlap what was asked for or follow each other.
    for (const [from, to] of [[349, 352], [352, 358], [358, 400]] as const) reel.live({ from, to, frames: between(from, to) });
    expect(reel.at(350)).toBeNull();
    answer();
    await wanted;
    for (const tick of [350, 357, 400]) expect(reel.at(tick)?.figures.get(0)?.x).toBe(Math.floor(tick / 3));
    expect(asked).toEqual(['state 0', 'frames 0-350']);
  });

  test('wants again what failed', async () => {
    const { source } = run(100);
    let away = true;
    const faults: unknown[] = [];
    const reel = new Reel(
      { ...source, state: (tick) => (away ? Promise.reject(new Error('away')) : source.state(tick)) },
      (fault) => faults.push(fault),
    );
    reel.head = 100;
    await reel.want(3);
    expect(faults).toHaveLength(1);
    away = false;
    await reel.want(3);
    expect(reel.at(3)).not.toBeNull();
  });
});
