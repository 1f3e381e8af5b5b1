/**
 * The live connection: a WebSocket that is opened again whenever it breaks, from the last tick that arrived. Waits
 * half a second before the second try and up to eight seconds later on; a page that becomes visible tries at once.
 */
import { apiUrl } from './client.ts';
import type { Message, Tick } from './types.ts';

export type Listener = {
  message(message: Message): void;
  /** The connection stands, or does not. */
  connected(connected: boolean): void;
  /** The last tick the page has, or null where it has none. */
  from(): Tick | null;
};

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

/** Connects for good; the function returned ends it. */
export function connect(listener: Listener): () => void {
  let socket: WebSocket | null = null;
  let wait_ms = FIRST_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  function open(): void {
    clearTimeout(timer);
    const url = apiUrl('live', { from: listener.from() });
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const opened = new WebSocket(url);
    socket = opened;
    opened.onmessage = (event: MessageEvent<string>) => {
      wait_ms = FIRST_WAIT_MS;
      listener.connected(true);
      listener.message(JSON.parse(event.data) as Message);
    };
    opened.onclose = () => {
      if (ended || socket !== opened) return;
      socket = null;
      listener.connected(false);
      timer = setTimeout(open, wait_ms);
      wait_ms = Math.min(wait_ms * 2, LONGEST_WAIT_MS);
    };
  }

  function visible(): void {
    if (!document.hidden && socket === null) open();
  }

  document.addEventListener('visibilitychange', visible);
  window.addEventListener('online', visible);
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', visible);
    window.removeEventListener('online', visible);
    socket?.close();
  };
}
