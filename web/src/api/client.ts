/**
 * Requests to the server the page came from. Every failure is an `ApiError` with a text for people and a remedy where
 * the server gave one. The token, where the server wants one, stands once in the address (`#token=…`); `takeToken` takes it
 * out of there, and `POST api/session` gives a cookie for it that scripts cannot read.
 */

export class ApiError extends Error {
  readonly status: number;
  readonly remedy: string | null;
  constructor(status: number, message: string, remedy: string | null = null) {
    super(message);
    this.status = status;
    this.remedy = remedy;
  }
  /** True where the server could not be reached at all. */
  get away(): boolean {
    return this.status === 0;
  }
}

export type Query = Record<string, string | number | boolean | null | undefined>;

/** Where the API lives, relative to the page, so that the page works behind any prefix. */
export function apiUrl(path: string, query: Query = {}): URL {
  const url = new URL(`api/${path}`, new URL('.', document.baseURI));
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) url.searchParams.set(key, String(value));
  }
  return url;
}

/** The token in the address, which no longer has it then; null where there is none. */
export function takeToken(): string | null {
  const hash = new URLSearchParams(location.hash.slice(1));
  const token = hash.get('token');
  if (token === null) return null;
  hash.delete('token');
  history.replaceState(null, '', `${location.pathname}${location.search}${hash.size > 0 ? `#${hash}` : ''}`);
  return token;
}

/** The token in what somebody typed: the token itself, or the link that ends in it. */
export function tokenIn(typed: string): string {
  const hash = typed.indexOf('#');
  const token = hash < 0 ? null : new URLSearchParams(typed.slice(hash + 1)).get('token');
  return (token ?? typed).trim();
}

async function request(method: string, url: URL, body: unknown, signal: AbortSignal | null): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The server does not answer.');
  }
  if (response.ok) return response;
  const told = (await response.json().catch(() => null)) as { error?: string; remedy?: string } | null;
  throw new ApiError(response.status, told?.error ?? `The server answered ${response.status}.`, told?.remedy ?? null);
}

/** `GET api/<path>?<query>` as JSON. */
export async function get<T>(path: string, query: Query = {}, signal: AbortSignal | null = null): Promise<T> {
  return (await (await request('GET', apiUrl(path, query), undefined, signal)).json()) as T;
}

/** `POST api/<path>` with a JSON body; an empty answer gives `undefined`. */
export async function post<T>(path: string, body: unknown = {}, signal: AbortSignal | null = null): Promise<T> {
  const text = await (await request('POST', apiUrl(path), body, signal)).text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
