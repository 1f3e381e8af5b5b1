/** Where days and hours begin on a timeline. */
import { DAY_SECONDS, dayOf } from './clock.ts';

export type Day = {
  day: number;
  /** Game seconds at its midnight (or at the run's start). */
  seconds: number;
  /** Ticks it reaches from and to, within the run. */
  from: number;
  to: number;
};

/** The days of a run whose last tick is `head`. */
export function days(start: number, seconds_per_tick: number, head: number): Day[] {
  const found: Day[] = [];
  const end = start + Math.max(head, 0) * seconds_per_tick;
  for (let midnight = Math.floor(start / DAY_SECONDS) * DAY_SECONDS; midnight <= end; midnight += DAY_SECONDS) {
    const seconds = Math.max(midnight, start);
    found.push({
      day: dayOf(seconds, start),
      seconds,
      from: Math.ceil((seconds - start) / seconds_per_tick),
      to: Math.min(head, Math.ceil((midnight + DAY_SECONDS - start) / seconds_per_tick)),
    });
  }
  return found;
}

/** Every how many hours a mark stands so that they are some 60 pixels apart or more. */
export function hourStep(seconds_per_pixel: number): number {
  for (const hours of [1, 2, 3, 6, 12]) if ((hours * 3600) / seconds_per_pixel >= 60) return hours;
  return 24;
}
