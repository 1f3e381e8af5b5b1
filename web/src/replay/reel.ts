/**
 * The run as far as the page has loaded it: stretches of an hour or so, each a scene at its beginning and the frames
 * after it. Any tick of a loaded stretch can be shown at once, forwards or backwards; what is missing is asked for.
 *
 * Life of a stretch: wanted by `want` → loaded (state and frames together) → complete, or open at the head, where live
 * frames lengthen it → forgotten when long unused. A stretch reaches to the first tick of the next, so that steps across
 * the border can be drawn. A failed load is forgotten and can be wanted again. What comes live while
 * something loads is held until then: else what a slow page fetches would always end before what it is told next.
 */
import type { Frame, Frames, State, Tick } from '../api/types.ts';
import { Scene } from './scene.ts';

/** Ticks in a stretch. */
export const STRETCH = 360;
/** Stretches kept. */
const KEPT = 64;

/** Where the reel gets a run from. */
export type Source = {
  state(tick: Tick): Promise<State>;
  frames(from: Tick, to: Tick): Promise<Frames>;
};

type Stretch = { base: Scene; frames: Frame[]; to: Tick; used: number };

export class Reel {
  /** The last tick of the run. */
  head: Tick = -1;
  private readonly source: Source;
  private readonly failed: (error: unknown) => void;
  private readonly stretches = new Map<number, Stretch>();
  private readonly loading = new Map<number, Promise<void>>();
  /** What came live since something is loading: it follows from that. */
  private held: Frames[] = [];
  private uses = 0;
  /** The scene shown last, and which frame of its stretch comes next. */
  private shown: { scene: Scene; stretch: Stretch; next: number } | null = null;

  constructor(source: Source, failed: (error: unknown) => void = () => {}) {
    this.source = source;
    this.failed = failed;
  }

  /** The scene at the end of `tick`, or null where it is not loaded. Valid until the next call. */
  at(tick: Tick): Scene | null {
    const stretch = this.stretches.get(Math.floor(tick / STRETCH));
    if (!stretch || tick > stretch.to) return null;
    stretch.used = ++this.uses;
    if (this.shown === null || this.shown.stretch !== stretch || this.shown.scene.tick > tick) {
      this.shown = { scene: stretch.base.clone(), stretch, next: 0 };
    }
    const shown = this.shown;
    for (;;) {
      const frame = stretch.frames[shown.next];
      if (!frame || frame.tick > tick) break;
      shown.scene.apply(frame);
      shown.next += 1;
    }
    shown.scene.tick = tick;
    return shown.scene;
  }

  /** What happens in the tick after the one `at` gave last; null where nothing does, or nothing is known of it. */
  ahead(): Frame | null {
    if (!this.shown) return null;
    const frame = this.shown.stretch.frames[this.shown.next];
    return frame?.tick === this.shown.scene.tick + 1 ? frame : null;
  }

  /** Whether the tick after `tick` is loaded, so that steps towards it can be drawn. */
  has(tick: Tick): boolean {
    const stretch = this.stretches.get(Math.floor(tick / STRETCH));
    return stretch !== undefined && tick <= stretch.to;
  }

  /** Sees to it that `tick` gets loaded. */
  want(tick: Tick): Promise<void> {
    const key = Math.floor(tick / STRETCH);
    if (tick < 0 || tick > this.head || this.has(tick)) return Promise.resolve();
    const under_way = this.loading.get(key);
    if (under_way) return under_way;
    const load = this.load(key)
      .catch((error: unknown) => this.failed(error))
      .finally(() => {
        this.loading.delete(key);
        for (const frames of this.held) this.take(frames);
        if (this.loading.size === 0) this.held = [];
      });
    this.loading.set(key, load);
    return load;
  }

  private async load(key: number): Promise<void> {
    const from = key * STRETCH;
    const open = this.stretches.get(key);
    const since = open?.to ?? from;
    const to = Math.min(from + STRETCH, this.head);
    const [state, frames] = await Promise.all([
      open ? null : this.source.state(from),
      to > since ? this.source.frames(since, to) : { from: since, to: since, frames: [] },
    ]);
    const now = this.stretches.get(key);
    if (now) {
      this.lengthen(now, key, frames);
    } else if (state) {
      this.stretches.set(key, { base: Scene.of(state), frames: frames.frames, to: frames.to, used: ++this.uses });
    }
    this.forget();
  }

  /** Takes in what the server tells while the run goes on. */
  live(frames: Frames): void {
    this.head = Math.max(this.head, frames.to);
    if (this.loading.size > 0) this.held.push(frames);
    this.take(frames);
  }

  private take(frames: Frames): void {
    for (let key = Math.max(0, Math.floor((frames.from - 1) / STRETCH)); key <= Math.floor(frames.to / STRETCH); key += 1) {
      const stretch = this.stretches.get(key);
      if (stretch) {
        this.lengthen(stretch, key, frames);
        continue;
      }
      // A stretch that begins now follows from the one before it, where that is complete.
      const before = this.stretches.get(key - 1);
      if (!before || before.to < key * STRETCH) continue;
      const base = before.base.clone();
      for (const frame of before.frames) base.apply(frame);
      base.tick = key * STRETCH;
      const begun = { base, frames: [], to: key * STRETCH, used: ++this.uses };
      this.stretches.set(key, begun);
      this.lengthen(begun, key, frames);
    }
    this.forget();
  }

  private lengthen(stretch: Stretch, key: number, frames: Frames): void {
    if (frames.from > stretch.to || frames.to <= stretch.to) return;
    const to = Math.min(frames.to, (key + 1) * STRETCH);
    for (const frame of frames.frames) {
      if (frame.tick > stretch.to && frame.tick <= to) stretch.frames.push(frame);
    }
    stretch.to = Math.max(stretch.to, to);
  }

  private forget(): void {
    while (this.stretches.size > KEPT) {
      let oldest: [number, number] | null = null;
      for (const [key, { used }] of this.stretches) {
        if (oldest === null || used < oldest[1]) oldest = [key, used];
      }
      if (oldest) this.stretches.delete(oldest[0]);
    }
  }
}
