/**
 * A value that changes often, at the pace at which panels can show it: at once when time stands still; else twice a second at
 * most, more slowly while somebody is at the panel, and not before everything asked for the value before has come.
 */
import { app } from './app.svelte.ts';
import { pause_ms } from './still.ts';

const AGAIN_MS = 100;
/** Moments chosen by hand come at most so often. */
const STILL_MS = 300;

/** Requests of panels on their way. */
export const asked = { count: 0 };

export function settled<T>(read: () => T): { readonly value: T } {
  let next = read();
  let value = $state.raw(next);
  let changed_ms = -Infinity;
  let moving = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function take(): void {
    const wait_ms = moving ? (asked.count > 0 ? AGAIN_MS : pause_ms(changed_ms)) : changed_ms + STILL_MS - performance.now();
    if (wait_ms > 0) {
      timer = setTimeout(take, Math.min(wait_ms, AGAIN_MS));
      return;
    }
    timer = undefined;
    changed_ms = performance.now();
    value = next;
  }
  $effect(() => {
    next = read();
    moving = app.motion !== 'still';
    timer ??= setTimeout(take);
  });
  $effect(() => () => clearTimeout(timer));
  return {
    get value() {
      return value;
    },
  };
}
