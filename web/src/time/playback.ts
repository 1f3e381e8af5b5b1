/**
 * Where in the run the page is, between ticks too, and how that moves on.
 *
 * Position 12.25 means: a quarter of the way from the end of tick 12 to the end of tick 13. Two ways of moving: *playing*
 * goes at a speed of the viewer's choice and ends at the head; *following* stays close behind a head that grows, at the
 * pace at which it grows. A pure calculation; whoever owns it says how much time passed.
 */
import type { Tick } from '../api/types.ts';

/** Game seconds per real second; `Infinity` is as fast as possible. */
export type Speed = number;
export const SPEEDS: readonly Speed[] = [1, 10, 30, 60, 120, 300, 600, 1800, Infinity];
/** Ticks a second at the speed "as fast as possible": two hours of game time with ticks of ten seconds. */
const FASTEST_TICKS_PER_SECOND = 720;
/** How far behind the head following stays, in real seconds, so that the next step is known when it is drawn. */
const BEHIND_SECONDS = 0.25;
/** After a longer gap than this (a hidden tab, a sleeping computer) following jumps instead of running. */
const LONGEST_CATCH_UP_SECONDS = 2;

export class Playback {
  position = 0;
  head: Tick = -1;
  secondsPerTick = 10;
  speed: Speed = 60;
  motion: 'still' | 'playing' | 'following' = 'still';
  /** How fast the head grows, in ticks a second, smoothed. */
  private pace = 0;
  private grewAt_ms: number | null = null;

  get tick(): Tick {
    return Math.max(0, Math.floor(this.position + 1e-9));
  }

  get atHead(): boolean {
    return this.tick >= this.head;
  }

  /** Tells that the head is somewhere else at this moment, in milliseconds of any steady clock. */
  grow(head: Tick, now_ms: number): void {
    if (head > this.head && this.grewAt_ms !== null) {
      const seconds = Math.max((now_ms - this.grewAt_ms) / 1000, 0.02);
      const pace = (head - Math.max(this.head, 0)) / seconds;
      this.pace += (pace - this.pace) * Math.min(1, seconds);
    }
    if (head !== this.head) this.grewAt_ms = now_ms;
    this.head = head;
    this.position = Math.min(this.position, Math.max(head, 0));
  }

  seek(position: number): void {
    this.position = Math.max(0, Math.min(position, Math.max(this.head, 0)));
  }

  /** Lets `seconds` of real time pass. True where the position changed. */
  pass(seconds: number): boolean {
    const before = this.position;
    const head = Math.max(this.head, 0);
    if (this.motion === 'playing') {
      const rate = this.speed === Infinity ? FASTEST_TICKS_PER_SECOND : this.speed / this.secondsPerTick;
      this.position = Math.min(head, this.position + rate * Math.min(seconds, 0.25));
      if (this.position >= head) this.motion = 'still';
    } else if (this.motion === 'following') {
      const gap = head - this.position;
      const pace = Math.max(this.pace, 1);
      if (seconds > 1 || gap > pace * LONGEST_CATCH_UP_SECONDS + 12) {
        this.position = head;
      } else {
        // Pulls the gap towards the one wanted; never backwards, never beyond the head.
        const rate = Math.max(0, this.pace + (gap - pace * BEHIND_SECONDS) * 2);
        this.position = Math.min(head, this.position + Math.max(rate, Math.min(gap, 1) * 2) * seconds);
      }
    }
    return this.position !== before;
  }
}
