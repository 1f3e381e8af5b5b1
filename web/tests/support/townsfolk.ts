/** The program itself: run to its end, or as a process that serves a page. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { resolve } from 'node:path';

const PROGRAM = resolve(process.env['TOWNSFOLK_BIN'] ?? resolve(import.meta.dirname, '../../../target/debug/townsfolk'));
/** How long a debug build on a busy machine may take to say where its page is. */
const LINK_MS = 30_000;

/** Runs a command to its end and gives what it printed. */
export function townsfolk(folder: string, ...args: string[]): string {
  return execFileSync(PROGRAM, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A process that serves a page at `link`. */
export class Serving {
  readonly link: string;
  readonly #process: ChildProcess;

  private constructor(link: string, process: ChildProcess) {
    this.link = link;
    this.#process = process;
  }

  /** Starts a command and waits for the link it prints. */
  static start(folder: string, ...args: string[]): Promise<Serving> {
    const process = spawn(PROGRAM, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    return new Promise((done, failed) => {
      let said = '';
      const timer = setTimeout(() => {
        process.kill('SIGKILL');
        failed(new Error(`no link after ${LINK_MS} ms: ${said}`));
      }, LINK_MS);
      const hear = (words: Buffer): void => {
        said += words.toString('utf8');
        const link = /http:\/\/\S+/.exec(said)?.[0];
        if (link === undefined) return;
        clearTimeout(timer);
        done(new Serving(link, process));
      };
      process.stdout.on('data', hear);
      process.stderr.on('data', hear);
      process.once('exit', (code) => {
        clearTimeout(timer);
        failed(new Error(`${args.join(' ')} ended with ${code}: ${said}`));
      });
    });
  }

  get port(): string {
    return new URL(this.link).port;
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends it as Ctrl-C does. */
  async stop(): Promise<void> {
    await this.#end('SIGINT');
  }

  async #end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((done) => this.#process.once('exit', done));
    this.#process.kill(signal);
    const late = setTimeout(() => this.#process.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(late);
  }
}
