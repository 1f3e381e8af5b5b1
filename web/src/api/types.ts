/** What the server sends (`docs/api.md`), as far as the shell and the map read it. Panels keep theirs in `src/panels`. */

/** Committed step of time, from 0. */
export type Tick = number;
/** A resident's number, from 0. */
export type ResidentId = number;
/** A place's number, from 0. */
export type PlaceId = number;
/** A tile: column and row, from the top left. */
export type Tile = { x: number; y: number };

/** What the server does with the run. */
export type Conduct = {
  state: 'running' | 'paused' | 'ended' | 'replay';
  /** Whether the page may steer. */
  controls: boolean;
  /** Why it may not. */
  barred: 'read_only' | 'written_elsewhere' | null;
  /** Game seconds per real second; null for as fast as possible. */
  speed: number | null;
  /** It goes on up to this tick, exclusive. */
  until: Tick | null;
  failure: string | null;
};

export type Run = {
  town: string;
  story: string;
  language: string;
  file: string;
  run_id: string;
  parent: { run_id: string; tick: Tick } | null;
  seed: string;
  mind: string;
  mind_is_model: boolean;
  townsfolk_version: string;
  /** Game seconds since 1970 at tick 0. */
  start: number;
  seconds_per_tick: number;
  head: Tick | null;
  goal: Tick | null;
  residents: number;
  mode: Conduct;
};

/** A horizontal run of tiles. */
export type Span = [x: number, y: number, length: number];

export type Place = {
  id: PlaceId;
  parent: PlaceId | null;
  kind: 'world' | 'sector' | 'arena' | 'object';
  name: string;
  address: string;
  spans: Span[];
  default_state: string | null;
};

export type Tileset = {
  first: number;
  count: number;
  columns: number;
  tile_width: number;
  tile_height: number;
  margin: number;
  spacing: number;
  /** Which of its tiles glow at night, counted from 0. */
  lights: number[];
  image: string;
};

/** A row-major layer of tile numbers; 0 for none, the top three bits flip (as in Tiled). */
export type Layer = { name: string; opacity: number; above: boolean; tiles: number[] };

export type Picture = { tile_width: number; tile_height: number; layers: Layer[]; tilesets: Tileset[] };

export type TownMap = {
  name: string;
  width: number;
  height: number;
  blocked: Span[];
  places: Place[];
  /** Null where the town has no pictures: it is drawn from its places, then. */
  picture: Picture | null;
};

export type Resident = {
  id: ResidentId;
  name: string;
  first_name: string;
  age: number | null;
  home: PlaceId | null;
  current: string;
  visitor: boolean;
  role: string | null;
  /** Ticks at which they came, and left for good. */
  came: Tick;
  left: Tick | null;
};

export type Status = 'walking' | 'doing' | 'talking' | 'waiting' | 'asleep';

export type Action = {
  resident: ResidentId;
  status: Status;
  activity: string;
  emoji: string;
  place: PlaceId | null;
  /** Game time it is meant to end. */
  ends: number | null;
  since: Tick;
};

export type Body = { id: ResidentId; x: number; y: number; since: Tick; action: Action | null };
export type ObjectState = { place: PlaceId; state: string; by: ResidentId | null; since: Tick };
export type Line = { turn: number; tick: Tick; speaker: ResidentId; text: string };
export type Talk = {
  id: number;
  a: ResidentId;
  b: ResidentId;
  place: PlaceId | null;
  began: Tick;
  ended: Tick | null;
  lines: Line[];
};

export type State = { tick: Tick; time: number; residents: Body[]; objects: ObjectState[]; talks: Talk[] };

/** What changed in one tick; a list that is absent is empty. */
export type Frame = {
  tick: Tick;
  moves?: [resident: ResidentId, x: number, y: number][];
  actions?: Action[];
  objects?: ObjectState[];
  talks?: { id: number; a: ResidentId; b: ResidentId; place: PlaceId | null }[];
  lines?: { talk: number; turn: number; speaker: ResidentId; text: string }[];
  ends?: { talk: number; reason: string }[];
  reflections?: [resident: ResidentId, memory: number][];
  notices?: { resident: ResidentId | null; kind: string; detail: string }[];
  inputs?: { kind: string; input: unknown }[];
  came?: Resident[];
  left?: ResidentId[];
};

/** Complete for `from < tick <= to`. */
export type Frames = { from: Tick; to: Tick; frames: Frame[] };

/** The kinds of mark on the timeline, in the order they are drawn. */
export const MARK_KINDS = ['talks', 'reflections', 'gatherings', 'whispers', 'notices'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];
export type Bucket = { tick: Tick } & Record<MarkKind, number>;
export type Marks = { head: Tick; bucket_ticks: number; buckets: Bucket[] };

export type Message =
  | { type: 'hello'; head: Tick | null; mode: Conduct; waiting: ResidentId[] }
  | ({ type: 'frames' } & Frames)
  | { type: 'jump'; head: Tick }
  | { type: 'mode'; mode: Conduct; head: Tick | null }
  | { type: 'waiting'; residents: ResidentId[] };

export type Command =
  | { command: 'pause' }
  | { command: 'resume' }
  | { command: 'step' }
  | { command: 'run_until'; tick: Tick }
  | { command: 'speed'; speed: number | null }
  | { command: 'save' }
  | { command: 'fork'; tick: Tick; file?: string };
export type Controlled = { mode: Conduct; head: Tick | null; fork: { file: string; tick: Tick } | null };
