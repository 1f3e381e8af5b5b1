/** Something the server is asked for again whenever what it depends on changes; what became useless is aborted. */
import { ApiError } from '../../api/client.ts';

export type Loaded<T> = {
  /** The last answer; stays while a newer one is on the way. */
  readonly value: T | null;
  readonly error: ApiError | null;
  readonly loading: boolean;
  again(): void;
};

/** Runs `ask` now and whenever a reactive value it reads has changed; `null` asks nothing. */
export function load<T>(ask: (signal: AbortSignal) => Promise<T> | null): Loaded<T> {
  let value: T | null = $state.raw(null);
  let error: ApiError | null = $state.raw(null);
  let loading = $state(false);
  let round = $state(0);
  $effect(() => {
    void round;
    const stop = new AbortController();
    const asked = ask(stop.signal);
    if (asked === null) {
      value = null;
      error = null;
      loading = false;
      return;
    }
    loading = true;
    asked.then(
      (answer) => {
        if (stop.signal.aborted) return;
        value = answer;
        error = null;
        loading = false;
      },
      (reason: unknown) => {
        if (stop.signal.aborted) return;
        error = reason instanceof ApiError ? reason : new ApiError(0, String(reason));
        loading = false;
      },
    );
    return () => stop.abort();
  });
  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
    get loading() {
      return loading;
    },
    again() {
      round += 1;
    },
  };
}

/** A long list, page after page. `ask` gets the cursor of the page wanted, `null` for the first. */
export type Pages<T> = {
  readonly items: readonly T[];
  readonly error: ApiError | null;
  readonly loading: boolean;
  readonly more: boolean;
  next(): void;
};

export function pages<T>(
  ask: (cursor: string | null, signal: AbortSignal) => Promise<{ items: T[]; next: string | null }> | null,
): Pages<T> {
  let items: T[] = $state.raw([]);
  let cursor: string | null = $state.raw(null);
  let error: ApiError | null = $state.raw(null);
  let loading = $state(false);
  let stop = new AbortController();

  function take(from: string | null, before: T[], asked: ReturnType<typeof ask>): void {
    if (asked === null) return;
    const mine = stop.signal;
    loading = true;
    asked.then(
      (page) => {
        if (mine.aborted) return;
        items = from === null ? page.items : [...before, ...page.items];
        cursor = page.next;
        error = null;
        loading = false;
      },
      (reason: unknown) => {
        if (mine.aborted) return;
        error = reason instanceof ApiError ? reason : new ApiError(0, String(reason));
        loading = false;
      },
    );
  }

  $effect(() => {
    stop = new AbortController();
    const asked = ask(null, stop.signal);
    if (asked === null) {
      items = [];
      cursor = null;
      loading = false;
    } else {
      take(null, [], asked);
    }
    const mine = stop;
    return () => mine.abort();
  });

  return {
    get items() {
      return items;
    },
    get error() {
      return error;
    },
    get loading() {
      return loading;
    },
    get more() {
      return cursor !== null;
    },
    next() {
      if (cursor !== null && !loading) take(cursor, items, ask(cursor, stop.signal));
    },
  };
}
