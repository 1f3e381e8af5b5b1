/**
 * Keeps the panel still for whoever reads or aims at it while time goes on: what is under the pointer, or has the focus,
 * stays where it is on the screen however much changes above it; and new content comes more slowly (`pause_ms`).
 */

/** How often what a panel shows may change: with nobody at it, and with a pointer or the focus in it. */
const ALONE_MS = 500;
const USED_MS = 3000;

let used_ms = -Infinity;
let used = false;

/** Milliseconds that what a panel shows now should stay, counted from its last change or the last movement over it. */
export function pause_ms(changed_ms: number): number {
  const now = performance.now();
  return Math.max(0, used ? Math.max(changed_ms, used_ms) + USED_MS - now : changed_ms + ALONE_MS - now);
}

/** Watches a scrolled element; to be used as `{@attach still}`. */
export function still(body: HTMLElement): () => void {
  /** What must stay: how far from the top of the screen, scrolled how far. */
  let anchor: { element: Element; top: number; scrolled: number } | null = null;
  let pointed: { x: number; y: number } | null = null;

  function hold(element: Element | null): void {
    const held = element !== null && element !== body && body.contains(element);
    anchor = held ? { element, top: element.getBoundingClientRect().top, scrolled: body.scrollTop } : null;
    // One of the two keeps it still: the browser where nothing is held.
    body.style.overflowAnchor = held ? 'none' : '';
  }
  function choose(): void {
    hold(pointed ? document.elementFromPoint(pointed.x, pointed.y) : document.activeElement);
    used = pointed !== null || anchor !== null;
  }
  function point(event: PointerEvent): void {
    used_ms = performance.now();
    pointed = { x: event.clientX, y: event.clientY };
    choose();
  }
  function leave(): void {
    pointed = null;
    choose();
  }
  const observer = new MutationObserver(() => {
    if (!anchor) return;
    if (anchor.element.isConnected) {
      const wandered = anchor.element.getBoundingClientRect().top - anchor.top + body.scrollTop - anchor.scrolled;
      if (wandered !== 0) body.scrollTop += wandered;
    }
    choose();
  });

  observer.observe(body, { childList: true, subtree: true, characterData: true });
  const listening = new AbortController();
  const { signal } = listening;
  for (const kind of ['pointermove', 'pointerdown'] as const) body.addEventListener(kind, point, { signal });
  body.addEventListener('pointerleave', leave, { signal });
  for (const kind of ['scroll', 'focusin', 'focusout'] as const) body.addEventListener(kind, choose, { signal });
  return () => {
    observer.disconnect();
    listening.abort();
    used = false;
  };
}
