/**
 * Brings server, reel, playback and the shared state together. One session lives as long as the page.
 *
 * Life: `start` loads run, map and residents (again and again, where the server is away or wants a token first), chooses
 * the moment to begin with and connects; from then on `frame` is called before every picture, and live messages arrive in between. A server that
 * comes back with another run starts the page afresh.
 */
import { ApiError, get, post, takeToken } from '../api/client.ts';
import { connect } from '../api/live.ts';
import type { Command, Controlled, Frames, Marks, Message, Resident, Run, State, Tick, TownMap } from '../api/types.ts';
import { t } from '../i18n/index.ts';
import { Reel } from '../replay/reel.ts';
import type { Scene } from '../replay/scene.ts';
import { Playback } from '../time/playback.ts';
import { type Address, readAddress, writeAddress } from './address.ts';
import { app } from './app.svelte.ts';

const RETRY_MS = 2000;
/** Marks are fetched again at most so often while the run goes on. */
const MARKS_MS = 3000;
/** A run computed elsewhere that stands this long is no longer called live. */
const STALLED_MS = 60_000;
/** A finished run is shown from this hour of its first day on, when people are about. */
const OPENING_HOUR = 9;
const BUCKETS = 480;

class Session {
  readonly reel = new Reel(
    {
      state: (tick) => get<State>('state', { tick }),
      frames: (from, to) => get<Frames>('frames', { from, to }),
    },
    (error) => this.failed(error),
  );
  readonly playback = new Playback();
  private last_ms = 0;
  private marks_ms = -Infinity;
  private grew_ms = 0;
  private retry_ms = 0;
  /** Ends the wait before loading is tried again. */
  private wake: () => void = () => {};
  /** Whether frames were left out, in which somebody may have come. */
  private skipped = false;

  async start(): Promise<void> {
    app.seek = (tick) => this.seek(tick);
    window.addEventListener('hashchange', () => void this.addressed());
    let token = takeToken();
    this.open(readAddress(location.hash));
    for (;;) {
      if (token !== null && (await this.enter(token))) token = null;
      try {
        await this.load();
        break;
      } catch (error) {
        this.failed(error);
        await new Promise<void>((done) => {
          this.wake = done;
          setTimeout(done, RETRY_MS);
        });
      }
    }
    this.begin(readAddress(location.hash));
    connect({
      message: (message) => this.message(message),
      connected: (connected) => {
        app.connected = connected;
        if (connected) return;
        app.awaiting = new Set();
        // Away, or answering nobody without the new token?
        void this.again(() => get<Run>('run'));
      },
      from: () => (app.head >= 0 ? app.head : null),
    });
  }

  /** Shows the token, which everything else needs; false where the server did not say whether it is the right one. */
  async enter(token: string): Promise<boolean> {
    try {
      await post('session', { token });
    } catch (error) {
      const refused = error instanceof ApiError && error.status === 401;
      if (refused) app.locked = 'wrong';
      else this.failed(error);
      return refused;
    }
    app.locked = null;
    this.wake();
    if (app.run) await this.sameRun();
    return true;
  }

  /** Another link was opened in this page. */
  private async addressed(): Promise<void> {
    const token = takeToken();
    if (token !== null) await this.enter(token);
    const wished = readAddress(location.hash);
    this.open(wished);
    if (!app.run) return;
    app.notice = null;
    this.show(wished);
    if (wished.tick === null && this.goesOn) this.follow();
  }

  private async load(): Promise<void> {
    const [run, map, residents] = await Promise.all([
      get<Run>('run'),
      get<TownMap>('map'),
      get<Resident[]>('residents').catch((error: unknown) => {
        // A run without a single tick yet.
        if (error instanceof ApiError && error.status === 409) return [];
        throw error;
      }),
    ]);
    app.run = run;
    app.map = map;
    app.residents = residents;
    app.conduct = run.mode;
    app.start = run.start;
    app.secondsPerTick = run.seconds_per_tick;
    this.playback.secondsPerTick = run.seconds_per_tick;
    app.connected = true;
    app.locked = null;
    this.headAt(run.head);
    document.title = `${run.town} · Townsfolk`;
  }

  /** Whether the run is being computed, or only paused. */
  private get goesOn(): boolean {
    return app.conduct?.state === 'running' || app.conduct?.state === 'paused';
  }

  private begin(wished: Address): void {
    this.show(wished);
    if (wished.tick !== null) return;
    if (this.goesOn) this.follow();
    else {
      const second_of_day = app.start % 86400;
      const until_open = OPENING_HOUR * 3600 - second_of_day;
      this.seek(until_open > 0 && until_open / app.secondsPerTick < app.head ? until_open / app.secondsPerTick : 0);
      if (!matchMedia('(prefers-reduced-motion: reduce)').matches) this.play();
    }
  }

  /** Opens in the panel what a link says. */
  private open({ resident, talk, object, news, tab }: Address): void {
    app.talk = talk;
    app.object = object;
    app.news = news ?? '';
    app.tab = tab;
    if (resident !== null || news !== null || tab !== 'town') app.panelOpen = true;
  }

  /** Shows on the map what a link says. */
  private show({ tick, resident, run }: Address): void {
    if (tick !== null) this.seek(tick);
    app.chosen = app.resident(resident)?.id ?? null;
    if (run !== null && run !== app.run?.run_id) app.tell(t('link.other_run'), 'bad');
    else if (app.chosen !== resident) app.tell(t('link.nobody'), 'bad');
    app.following = app.chosen;
  }

  private headAt(head: Tick | null): void {
    const now = performance.now();
    const at = head ?? -1;
    if (at !== app.head) this.grew_ms = now;
    // With the first tick there are people.
    if (app.head < 0 && at >= 0 && app.residents.length === 0) [this.skipped, this.marks_ms] = [true, -Infinity];
    app.head = at;
    this.reel.head = Math.max(this.reel.head, at);
    this.playback.grow(at, now);
  }

  private message(message: Message): void {
    if (message.type === 'frames') {
      this.reel.live(message);
      if (message.to > app.head) app.growing = true;
      this.headAt(message.to);
      this.came(message.frames.flatMap((frame) => frame.came ?? []));
      return;
    }
    if (message.type === 'waiting') {
      app.awaiting = new Set(message.residents);
      return;
    }
    if (message.type === 'jump') this.skipped = true;
    if (message.type === 'hello') {
      app.conduct = message.mode;
      app.awaiting = new Set(message.waiting);
      app.locked = null;
      void this.sameRun();
    } else if (message.type === 'mode') {
      const before = app.conduct?.state;
      app.conduct = message.mode;
      // Whoever watched the head when the run went on goes on watching it.
      if (before !== 'running' && message.mode.state === 'running' && app.atHead && app.motion === 'still') this.follow();
      if (before === 'running' && message.mode.state !== 'running') this.marks_ms = -Infinity;
    }
    this.headAt(message.head);
  }

  /** After the connection was away: whether it is still the same run. */
  private sameRun(): Promise<void> {
    return this.again(async () => {
      const run = await get<Run>('run');
      if (app.run && run.run_id !== app.run.run_id) location.reload();
      app.run = run;
      this.skipped = true;
      this.marks_ms = -Infinity;
    });
  }

  private async again(ask: () => Promise<unknown>): Promise<void> {
    try {
      await ask();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Newcomers are residents like the others from now on. */
  private came(newcomers: readonly Resident[]): void {
    const unknown = newcomers.filter((who) => app.resident(who.id) === null);
    if (unknown.length > 0) app.residents = [...app.residents, ...unknown];
  }

  private async refreshMarks(now: number): Promise<void> {
    this.marks_ms = now;
    await this.again(async () => (app.marks = await get<Marks>('marks', { buckets: BUCKETS })));
    if (!this.skipped) return;
    this.skipped = false;
    await this.again(async () => (app.residents = await get<Resident[]>('residents')));
  }

  private failed(error: unknown): void {
    this.retry_ms = performance.now() + RETRY_MS;
    if (error instanceof ApiError && error.away) app.connected = false;
    else if (error instanceof ApiError && error.status === 401) app.locked ??= 'missing';
    else if (error instanceof ApiError) app.tell(error.message, 'bad', { remedy: error.remedy });
    else if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
  }

  // What people do ------------------------------------------------------------------------------------------------

  seek(tick: number): void {
    if (tick < 0 || tick > app.head) app.tell(t('time.out_of_range', { head: Math.max(app.head, 0) }), 'bad', { of_moment: true });
    else this.elsewhere();
    this.playback.motion = 'still';
    this.playback.seek(Math.round(tick));
    this.publish();
  }

  /** What is told of the moment that was shown no longer holds. */
  private elsewhere(): void {
    if (app.notice?.of_moment) app.notice = null;
  }

  /** What the large button and the space bar do. */
  toggle(): void {
    if (app.moving) this.pause();
    else this.play();
  }

  play(): void {
    this.elsewhere();
    if (this.playback.atHead && !app.live) this.playback.seek(0);
    this.playback.motion = 'playing';
    this.publish();
  }

  pause(): void {
    this.playback.motion = 'still';
    this.playback.seek(this.playback.tick);
    this.publish();
  }

  follow(): void {
    this.elsewhere();
    this.playback.motion = 'following';
    this.playback.seek(app.head);
    this.publish();
  }

  /** Lets a run go on: to where it was to end or, where it has ended, for an hour more. */
  goOn(): Promise<Controlled | null> {
    if (app.conduct?.state !== 'ended') return this.command({ command: 'resume' });
    return this.command({ command: 'run_until', tick: app.head + 1 + Math.round(3600 / app.secondsPerTick) });
  }

  step(ticks: number): void {
    this.seek(Math.max(0, Math.min(this.playback.tick + ticks, Math.max(app.head, 0))));
  }

  setSpeed(speed: number): void {
    this.playback.speed = speed;
    app.speed = speed;
  }

  /**
   * Steers the run itself; null where the server did not do as asked. How the run stands is told by the live messages
   * alone: a later one may come before this answer.
   */
  async command(command: Command): Promise<Controlled | null> {
    try {
      return await post<Controlled>('control', command);
    } catch (error) {
      this.failed(error);
      return null;
    }
  }

  /** A link to what is open, at a moment or, without one, wherever the run stands. */
  link(tick: Tick | null): string {
    const { chosen, talk, object, news, tab, run } = app;
    return writeAddress({ tick, resident: chosen, talk, object, news: news || null, tab, run: run?.run_id ?? null });
  }

  // Before every picture ------------------------------------------------------------------------------------------

  private publish(): void {
    app.tick = this.playback.tick;
    if (app.motion !== this.playback.motion) app.motion = this.playback.motion;
  }

  /** Moves on to `now_ms` and gives the scene to draw, with how far the next step has come; null while it loads. */
  frame(now_ms: number): { scene: Scene; part: number } | null {
    const seconds = this.last_ms === 0 ? 0 : (now_ms - this.last_ms) / 1000;
    this.last_ms = now_ms;
    const { playback, reel } = this;
    const loaded = app.head < 0 || reel.has(playback.tick);
    // Waits for what is loading rather than running past it.
    if (loaded) playback.pass(seconds);
    this.publish();
    // Who watches a run that another process computes sees it end by its standing still.
    if (app.growing && now_ms - this.grew_ms > STALLED_MS) app.growing = false;
    const running = app.conduct?.state === 'running';
    if (app.head < 0) return null;
    if (this.marks_ms === -Infinity || (running && now_ms - this.marks_ms > MARKS_MS)) void this.refreshMarks(now_ms);

    const tick = playback.tick;
    const scene = reel.at(tick);
    if (app.waiting !== (scene === null)) app.waiting = scene === null;
    if (now_ms >= this.retry_ms) for (const wanted of this.wanted(tick)) void reel.want(wanted);
    return scene === null ? null : { scene, part: playback.position - tick };
  }

  /** What should be loaded by now: the moment shown, and what playing reaches soon. */
  private wanted(tick: Tick): Tick[] {
    if (this.playback.motion !== 'playing') return [tick];
    const ahead = this.playback.speed > 1000 ? 3 : 1;
    return Array.from({ length: ahead + 1 }, (_, i) => Math.min(tick + i * 300, Math.max(app.head, 0)));
  }
}

export const session = new Session();
