/**
 * What the whole page agrees on: which moment is shown, what is selected, what the server is doing. Components read
 * these fields and call these methods; none keeps a copy. What changes sixty times a second (where a sprite is between
 * two tiles) is not here but in `map/`; how the fields come to change is in `session.ts`.
 */
import type { Conduct, Marks, Place, PlaceId, Resident, ResidentId, Run, Tick, Tile, TownMap } from '../api/types.ts';
import type { TabId } from './address.ts';

export type { TabId };

/** Something to look at in the panel. */
export type Selection =
  | { kind: 'resident'; resident: ResidentId }
  | { kind: 'object'; place: PlaceId }
  | { kind: 'conversation'; conversation: number };

/** The one label: the head as it grows, the past, or a run that stands still at its head. */
export type Mode = 'live' | 'replay' | 'paused';

/** Something the page has to tell: what went wrong, or what was done. What is told of the moment shown goes with the next one. */
export type Notice = { text: string; remedy: string | null; tone: 'good' | 'bad'; of_moment: boolean };

const NOBODY: ReadonlySet<ResidentId> = new Set();

class App {
  run: Run | null = $state.raw(null);
  map: TownMap | null = $state.raw(null);
  residents: readonly Resident[] = $state.raw([]);
  marks: Marks | null = $state.raw(null);
  /** What the server does with the run; null before it has said so. */
  conduct: Conduct | null = $state.raw(null);

  /** The moment shown, a whole tick; panels load what held at its end. */
  tick: Tick = $state(0);
  /** The last committed tick; -1 before there is any. */
  head: Tick = $state(-1);
  /** Game seconds since 1970 at tick 0, and per tick. */
  start: number = $state(0);
  secondsPerTick: number = $state(10);

  /** How the moment shown moves by itself. */
  motion: 'still' | 'playing' | 'following' = $state('still');
  /** Game seconds per real second while playing; `Infinity` is as fast as possible. */
  speed: number = $state(60);
  /** True once the head was seen to grow although this server does not compute the run: somebody else does. */
  growing: boolean = $state(false);
  /** True while the moment wanted is not loaded yet. */
  waiting: boolean = $state(false);
  /** The residents of whom a call to a model is on its way, at the head of the run. */
  awaiting: ReadonlySet<ResidentId> = $state.raw(new Set());

  /** What is looked at, one of each kind: whoever opens a talk does not lose the resident. */
  chosen: ResidentId | null = $state(null);
  object: PlaceId | null = $state(null);
  talk: number | null = $state(null);
  /** The news searched for; empty for none. */
  news: string = $state('');
  /** Which of it is in front. */
  tab: TabId = $state('town');
  /** The resident whom the map keeps in view. */
  following: ResidentId | null = $state(null);
  /** False while the server cannot be reached. */
  connected: boolean = $state(true);
  notice: Notice | null = $state.raw(null);
  /** Why the server tells nothing: there is no token, or not the right one. */
  locked: 'missing' | 'wrong' | null = $state(null);
  /** Called with the tile when somebody clicks the map while a panel asks for a tile; see `askForTile`. */
  tileAsked: ((tile: Tile | null) => void) | null = $state.raw(null);
  /** Whether the panel covers the map on a narrow screen. */
  panelOpen: boolean = $state(false);

  /** Game seconds since 1970 at the moment shown. */
  now: number = $derived(this.start + this.tick * this.secondsPerTick);
  atHead: boolean = $derived(this.tick >= this.head);
  /** Whether the run goes on. */
  live: boolean = $derived(this.conduct?.state === 'running' || (this.conduct?.state === 'replay' && this.growing));
  mode: Mode = $derived(
    this.motion === 'following' && this.live
      ? 'live'
      : this.atHead && (this.conduct?.state === 'paused' || this.conduct?.state === 'ended')
        ? 'paused'
        : 'replay',
  );

  /** Whether the moment shown moves on by itself: following a head that stands still is standing still. */
  moving: boolean = $derived(this.motion === 'playing' || (this.motion === 'following' && this.live));

  /** Who waits for a model in the moment shown: a recording waits for nothing. */
  thinking: ReadonlySet<ResidentId> = $derived(this.mode === 'live' ? this.awaiting : NOBODY);

  private placesById: ReadonlyMap<PlaceId, Place> = $derived(new Map(this.map?.places.map((place) => [place.id, place])));
  private residentsById: ReadonlyMap<ResidentId, Resident> = $derived(new Map(this.residents.map((who) => [who.id, who])));

  place(id: PlaceId | null): Place | null {
    return id === null ? null : (this.placesById.get(id) ?? null);
  }

  resident(id: ResidentId | null): Resident | null {
    return id === null ? null : (this.residentsById.get(id) ?? null);
  }

  /** Brings something to the front of the panel. */
  select(selection: Selection): void {
    this.panelOpen = true;
    if (selection.kind === 'resident') [this.chosen, this.tab] = [selection.resident, 'resident'];
    if (selection.kind === 'object') [this.object, this.tab] = [selection.place, 'object'];
    if (selection.kind === 'conversation') [this.talk, this.tab] = [selection.conversation, 'talk'];
  }

  /** Looks at nobody and nothing on the map any more. */
  letGo(): void {
    this.chosen = null;
    this.object = null;
    this.following = null;
  }

  /** Shows another moment; out of range is brought into it. Set by the session. */
  seek: (tick: Tick) => void = () => {};

  /** The next tile clicked on the map, or null where the person pressed Escape. The map shows that it waits for a click. */
  askForTile(): Promise<Tile | null> {
    this.tileAsked?.(null);
    this.panelOpen = false;
    return new Promise((resolve) => {
      this.tileAsked = (tile) => {
        this.tileAsked = null;
        resolve(tile);
      };
    });
  }

  /** Tells something in the corner of the page until it is closed or replaced. */
  tell(text: string, tone: Notice['tone'] = 'good', { remedy = null, of_moment = false }: Partial<Pick<Notice, 'remedy' | 'of_moment'>> = {}): void {
    this.notice = { text, tone, remedy, of_moment };
  }
}

export const app = new App();
