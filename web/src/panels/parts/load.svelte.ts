/** Something the server is asked for again whenever what it depends on changes; what became useless is aborted. */
import { untrack } from 'svelte';
import { ApiError } from '../../api/client.ts';
import { app } from '../../state/app.svelte.ts';
import { asked as under_way } from '../../state/settled.svelte.ts';

/** Counts a request as on its way until it has come, failed, or was aborted. */
function counted<T>(request: Promise<T>): Promise<T> {
  under_way.count += 1;
  return request.finally(() => (under_way.count -= 1));
}

/** Asks again once the server, which was away when it was asked, is back. */
function once_back(error: () => ApiError | null, again: () => void): void {
  $effect(() => {
    if (app.connected && untrack(error)?.away) again();
  });
}

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
    counted(asked).then(
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
  once_back(
    () => error,
    () => (round += 1),
  );
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

type Page<T> = { items: T[]; next: string | null };

/** A long list, page after page. `ask` gets the cursor of the page wanted, `null` for the first. */
export type Pages<T> = {
  readonly items: readonly T[];
  readonly error: ApiError | null;
  readonly loading: boolean;
  readonly more: boolean;
  next(): void;
};

/** Keeps as many pages as were asked for when the first is loaded anew, so that a long list does not fold up as time goes on. */
export function pages<T>(
  ask: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>> | null,
): Pages<T> {
  let items: T[] = $state.raw([]);
  let cursor: string | null = $state.raw(null);
  let error: ApiError | null = $state.raw(null);
  let loading = $state(false);
  let round = $state(0);
  let wanted = 1;
  let stop = new AbortController();

  /** Adds pages to those `before` until there are as many as wanted. */
  async function take(first: Promise<Page<T>>, before: T[], had: number): Promise<void> {
    const { signal } = stop;
    loading = true;
    try {
      let page = await counted(first);
      let found = [...before, ...page.items];
      for (let have = had + 1; have < wanted && page.next !== null; have += 1) {
        const next = ask(page.next, signal);
        if (next === null) break;
        page = await counted(next);
        found = [...found, ...page.items];
      }
      if (signal.aborted) return;
      items = found;
      cursor = page.next;
      error = null;
    } catch (reason) {
      if (signal.aborted) return;
      error = reason instanceof ApiError ? reason : new ApiError(0, String(reason));
    }
    loading = false;
  }

  $effect(() => {
    void round;
    stop = new AbortController();
    const asked = ask(null, stop.signal);
    if (asked === null) {
      items = [];
      cursor = null;
      loading = false;
    } else {
      void take(asked, [], 0);
    }
    const mine = stop;
    return () => mine.abort();
  });

  once_back(
    () => error,
    () => (round += 1),
  );
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
      if (cursor === null || loading) return;
      const asked = ask(cursor, stop.signal);
      if (asked === null) return;
      wanted += 1;
      void take(asked, items, wanted - 1);
    },
  };
}
