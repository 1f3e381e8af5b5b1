/**
 * What the whole page agrees on: which moment is shown, what is selected, what the server is doing. Components read
 * these fields and call these methods; none keeps a copy. What changes sixty times a second (where a sprite is between
 * two tiles) is not here but in `map/`.
 */
import type { PlaceId, ResidentId, Tick, Tile } from '../api/types.ts';

/** What a person is looking at in the panel. */
export type Selection =
  | { kind: 'resident'; resident: ResidentId }
  | { kind: 'object'; place: PlaceId }
  | { kind: 'conversation'; conversation: number };

/** The one label: the head as it grows, the past, or a run that stands still at its head. */
export type Mode = 'live' | 'replay' | 'paused';

export type TabId = 'resident' | 'town' | 'object' | 'talk' | 'take_part';

class App {
  /** The moment shown, a whole tick; panels load what held at its end. */
  tick: Tick = $state(0);
  /** The last committed tick; -1 before there is any. */
  head: Tick = $state(-1);
  mode: Mode = $state('replay');
  /** Game seconds since 1970 at tick 0, and per tick. */
  start: number = $state(0);
  secondsPerTick: number = $state(10);
  selection: Selection | null = $state(null);
  tab: TabId = $state('town');
  /** The resident whom the map keeps in view. */
  following: ResidentId | null = $state(null);
  /** False while the server cannot be reached. */
  connected: boolean = $state(true);
  /** Called with the tile when somebody clicks the map while a panel asks for a tile; see `askForTile`. */
  tileAsked: ((tile: Tile | null) => void) | null = $state(null);

  /** Game seconds since 1970 at the moment shown. */
  now: number = $derived(this.start + this.tick * this.secondsPerTick);

  select(selection: Selection | null): void {
    this.selection = selection;
    if (selection?.kind === 'resident') this.tab = 'resident';
    if (selection?.kind === 'object') this.tab = 'object';
    if (selection?.kind === 'conversation') this.tab = 'talk';
  }

  /** Shows another moment; out of range is brought into it. */
  seek(tick: Tick): void {
    this.tick = Math.max(0, Math.min(Math.round(tick), Math.max(this.head, 0)));
  }

  /** The next tile clicked on the map, or null where the person pressed Escape. The map shows that it waits for a click. */
  askForTile(): Promise<Tile | null> {
    this.tileAsked?.(null);
    return new Promise((resolve) => {
      this.tileAsked = (tile) => {
        this.tileAsked = null;
        resolve(tile);
      };
    });
  }
}

export const app = new App();
