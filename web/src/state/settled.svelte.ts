/** A value that changes often, at the pace at which panels can load: at once when it stands still, else twice a second. */
export function settled<T>(read: () => T, pause_ms = 500): { readonly value: T } {
  let value = $state.raw(read());
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  $effect(() => {
    const next = read();
    const wait = Math.max(0, last + pause_ms - performance.now());
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = performance.now();
      value = next;
    }, wait);
    return () => clearTimeout(timer);
  });
  return {
    get value() {
      return value;
    },
  };
}
