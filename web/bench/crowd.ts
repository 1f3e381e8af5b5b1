/**
 * A made-up town of many people who all walk all the time, the worst case for the map: how long a picture takes.
 * `crowd.html?people=1000&tile=8` draws 600 pictures and leaves its numbers in `window.result`; `bench/run.mjs` reads them.
 */
import type { Frame, Place, Resident, Span, State, TownMap } from '../src/api/types.ts';
import { Scene } from '../src/replay/scene.ts';
import { Stage } from '../src/map/stage.ts';

const asked = new URLSearchParams(location.search);
const people = Number(asked.get('people') ?? 1000);
/** CSS pixels of a tile; 0 shows the whole town. */
const tile = Number(asked.get('tile') ?? 0);
const PICTURES = Number(asked.get('pictures') ?? 600);
const FRAMES_PER_TICK = 10;
const SIZE = 200;

/** A chance that is the same each time. */
let seed = 12345;
const chance = (below: number): number => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
};

function town(): TownMap {
  const places: Place[] = [{ id: 0, parent: null, kind: 'world', name: 'Crowd', address: 'Crowd', spans: [], default_state: null }];
  const blocked: Span[] = [];
  const add = (parent: number, kind: Place['kind'], name: string, spans: Span[]): number => {
    places.push({ id: places.length, parent, kind, name, address: name, spans, default_state: null });
    return places.length - 1;
  };
  for (let y = 4; y < SIZE - 14; y += 16) {
    for (let x = 4; x < SIZE - 14; x += 16) {
      const rows = (left: number, top: number, size: number): Span[] => Array.from({ length: size }, (_, i): Span => [left, top + i, size]);
      const sector = add(0, 'sector', `House ${places.length}`, rows(x, y, 10));
      const room = add(sector, 'arena', 'room', rows(x + 1, y + 1, 8));
      add(room, 'object', 'bed', [[x + 2, y + 2, 1]]);
      add(room, 'object', 'stove', [[x + 6, y + 2, 1]]);
      blocked.push([x, y, 10], [x, y + 9, 4], [x + 5, y + 9, 5]);
      for (let i = 1; i < 9; i += 1) blocked.push([x, y + i, 1], [x + 9, y + i, 1]);
    }
  }
  return { name: 'Crowd', width: SIZE, height: SIZE, blocked, places, picture: null };
}

const residents: Resident[] = Array.from({ length: people }, (_, id) => ({
  id,
  name: `Resident ${id}`,
  first_name: `R${id}`,
  age: 20 + (id % 50),
  home: null,
  current: '',
  visitor: false,
  role: null,
  came: 0,
  left: null,
}));
const emojis = ['🍳', '📚', '🧹', '☕', '🎨', '🔧', '🌱', '🛒'];
const state: State = {
  tick: 0,
  time: 0,
  objects: [],
  talks: [],
  residents: residents.map(({ id }) => ({
    id,
    x: 2 + chance(SIZE - 4),
    y: 2 + chance(SIZE - 4),
    since: 0,
    action: { resident: id, status: 'walking', activity: 'walking', emoji: emojis[id % emojis.length] ?? '', place: null, ends: null, since: 0 },
  })),
};
for (let i = 0; i + 1 < people; i += 20) {
  state.talks.push({ id: i, a: i, b: i + 1, place: null, began: 0, ended: null, lines: [{ turn: 0, tick: 0, speaker: i, text: `Good morning, I am resident ${i}. How is your day going?` }] });
}

function walk(scene: Scene, tick: number): Frame {
  const moves: [number, number, number][] = [];
  for (const { id, x, y } of scene.figures.values()) {
    const [dx, dy] = [[1, 0], [-1, 0], [0, 1], [0, -1]][chance(4)] ?? [0, 0];
    moves.push([id, Math.max(1, Math.min(SIZE - 2, x + (dx ?? 0))), Math.max(1, Math.min(SIZE - 2, y + (dy ?? 0)))]);
  }
  return { tick, moves };
}

async function measure(): Promise<void> {
  const canvas = document.querySelector('canvas');
  if (!canvas) return;
  const ink = { paper: '#fff', text: '#222', line: '#888', accent: '#264', accent_text: '#fff', name: '#222', halo: '#fff', sign: '#fdeecb', rim: '#4328' };
  const stage = await Stage.make(canvas, town(), ink);
  stage.resize(innerWidth, innerHeight);
  stage.people(residents);
  if (tile > 0) stage.camera.zoom(tile / stage.camera.tile);
  const scene = Scene.of(state);
  let ahead = walk(scene, 1);
  const work: number[] = [];
  const between: number[] = [];
  let last = 0;
  let count = 0;
  const draw = (now: number): void => {
    if (count > 0 && count % FRAMES_PER_TICK === 0) {
      scene.apply(ahead);
      ahead = walk(scene, scene.tick + 1);
    }
    const wishes = { chosen: 3, following: null, now: 75_600 + count * 10, secondsPerTick: 10, thinking: new Set<number>(), still: false };
    stage.draw(scene, ahead, (count % FRAMES_PER_TICK) / FRAMES_PER_TICK, wishes, now);
  };
  await new Promise<void>((done) => {
    const picture = (now: number): void => {
      if (count > 60 && last > 0) between.push(now - last);
      last = now;
      const begun = performance.now();
      draw(now);
      if (count > 60) work.push(performance.now() - begun);
      count += 1;
      Object.assign(window, { pictures: count });
      if (count < PICTURES) requestAnimationFrame(picture);
      else done();
    };
    requestAnimationFrame(picture);
  });
  const sorted = (list: number[]): number[] => [...list].sort((a, b) => a - b);
  const at = (list: number[], part: number): number => Number((sorted(list)[Math.floor(list.length * part)] ?? 0).toFixed(2));
  Object.assign(window, {
    /** Draws one more picture, for whoever measures from outside. */
    step: () => {
      draw(performance.now());
      count += 1;
    },
    result: {
      people,
      tile: Number(stage.camera.tile.toFixed(1)),
      renderer: stage.kind,
      script_ms: { median: at(work, 0.5), p95: at(work, 0.95), p99: at(work, 0.99) },
      frame_ms: { median: at(between, 0.5), p95: at(between, 0.95), p99: at(between, 0.99) },
    },
  });
}

void measure();
