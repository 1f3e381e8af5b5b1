/** What stories need: the real program over a real run, and a page that may ask nobody else. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base, type Page } from '@playwright/test';

const root = resolve(import.meta.dirname, '../..');

/** The program: `TOWNSFOLK`, or what cargo built last. */
export function program(): string {
  const wished = process.env['TOWNSFOLK'];
  if (wished !== undefined) return wished;
  const built = ['target/release/townsfolk', 'target/debug/townsfolk'].map((path) => join(root, path)).find((path) => existsSync(path));
  if (built === undefined) throw new Error('No townsfolk in target/: build it with `cargo build`, or name it in TOWNSFOLK.');
  return built;
}

export type Served = {
  link: string;
  folder: string;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<void>;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
};

/** Starts the program with these arguments in `folder` and waits for the link it prints. */
export async function serve(folder: string, args: string[], more: NodeJS.ProcessEnv = {}): Promise<Served> {
  const env = { ...process.env, ...more };
  const child: ChildProcess = spawn(program(), args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  const link = await new Promise<string>((found, failed) => {
    const late = setTimeout(() => failed(new Error(`No link within a minute. ${told}`)), 60_000);
    const listen = (data: Buffer): void => {
      told += data.toString();
      const match = /http:\/\/[^\s"]+/.exec(told);
      if (!match) return;
      clearTimeout(late);
      found(match[0]);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.on('exit', (code) => failed(new Error(`${args.join(' ')} ended with ${code}. ${told}`)));
  });
  const end = (signal: NodeJS.Signals): Promise<void> =>
    new Promise((done) => {
      if (child.exitCode !== null || child.signalCode !== null) return done();
      child.on('exit', () => done());
      child.kill(signal);
      setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
    });
  return { link, folder, stop: () => end('SIGINT'), kill: () => end('SIGKILL') };
}

/** Computes a run of so many ticks without a page. */
export function compute(folder: string, town: string, ticks: number, out: string, more: string[] = []): void {
  execFileSync(program(), ['run', town, '--ticks', String(ticks), '--out', out, '--quiet', ...more], { cwd: folder });
}

/** The small town of two houses. */
export const TWO_NEIGHBOURS = join(root, 'examples/two_neighbours');

/** A folder of its own for each story, and a watch over what the page asks for. */
export const test = base.extend<{ folder: string; outside: string[]; faults: string[] }>({
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'townsfolk-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  /** Requests and sockets of any page to anybody but the program: there must be none, and none gets through. */
  outside: async ({ context, page }, use) => {
    const outside: string[] = [];
    const foreign = (url: URL): boolean =>
      !['127.0.0.1', 'localhost'].includes(url.hostname) && !['data:', 'blob:', 'about:'].includes(url.protocol);
    await context.route(foreign, (route) => {
      outside.push(route.request().url());
      return route.abort();
    });
    const listen = (each: Page): unknown => each.on('websocket', (socket) => foreign(new URL(socket.url())) && outside.push(socket.url()));
    listen(page);
    context.on('page', listen);
    await use(outside);
  },
  /** Errors the page made, what its policy forbade among them. */
  faults: async ({ page }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && /Content Security Policy|Uncaught/.test(message.text())) faults.push(message.text());
    });
    await use(faults);
  },
});

/** Where the page is: label, tick, time of day. */
export async function moment(page: Page): Promise<{ mode: string; tick: number; clock: string }> {
  const clock = page.locator('#clock');
  return {
    mode: (await page.locator('#mode').innerText()).trim(),
    tick: Number(await clock.getAttribute('data-tick')),
    clock: await clock.innerText(),
  };
}

/** The tile a resident is drawn on. */
export function tile(page: Page, resident: number): Promise<{ x: number; y: number } | null> {
  return page.evaluate((id) => (window as unknown as { townsfolk: { tile(id: number): { x: number; y: number } | null } }).townsfolk.tile(id), resident);
}

/** Where a resident stands on the screen, once the map shows them. */
export async function spot(page: Page, resident: number): Promise<{ x: number; y: number }> {
  const seen = await page.waitForFunction(
    (id) => (window as unknown as { townsfolk?: { spot(id: number): { x: number; y: number } | null } }).townsfolk?.spot(id) ?? null,
    resident,
  );
  return (await seen.jsonValue()) as { x: number; y: number };
}
