/**
 * What the server says, as `docs/api.md` has it. Ids and ticks are numbers; times are game seconds since 1970 without
 * a zone; texts are data and may hold anything.
 */
import type { Action, Body, ObjectState, Place, PlaceId, Resident, ResidentId, Run, Status, Tick, Tile } from '../api/types.ts';

export type { Action, Body, ObjectState, Place, Resident, Run, Status };

export type MemoryId = number;
export type TalkId = number;
export type GameTime = number;

/** Part of a long list; `next` is given back as `cursor`. */
export type Page<T> = { items: T[]; next: string | null };

export type Line = {
  turn: number;
  tick: Tick;
  speaker: ResidentId;
  text: string;
  tells: MemoryId[];
  decision: { on?: string; accept?: boolean; reason?: string } | null;
};
export type Talk = {
  id: TalkId;
  a: ResidentId;
  b: ResidentId;
  place: PlaceId | null;
  began: Tick;
  ended: Tick | null;
  end_reason: string | null;
  lines: Line[];
};
export type State = { tick: Tick; time: GameTime; residents: Body[]; objects: ObjectState[]; talks: Talk[] };

export type MemoryKind = 'observation' | 'reflection' | 'plan' | 'conversation';
export type Memory = {
  id: MemoryId;
  tick: Tick;
  created: GameTime;
  kind: MemoryKind;
  text: string;
  importance: number;
  depth: number;
  evidence: MemoryId[];
  told_by: { resident: ResidentId; memory: MemoryId } | null;
  talk: TalkId | null;
  place: PlaceId | null;
};
export type Counts = Record<MemoryKind, number>;
/** Counts are of those that fit everything asked for but their kind. */
export type MemoryPage = Page<Memory> & { counts: Counts };
export type MemoryDetail = { memory: Memory; evidence: Memory[]; rests_on_it: Memory[] };
export type MemoryRef = { id: MemoryId; text: string };

export type ResidentDetail = {
  tick: Tick;
  resident: Resident;
  identity: { traits: string; background: string; current: string; lifestyle: string; daily_requirement: string };
  body: Body | null;
  talk: Talk | null;
  counts: Counts;
};

export type Stretch = { start: number; minutes: number; activity: string; now: boolean; because: MemoryRef | null };
export type Appointment = {
  what: string;
  host: ResidentId;
  place: PlaceId | null;
  start: GameTime;
  end: GameTime;
  status: string;
  reason: string;
  memory: MemoryId | null;
};
export type DayPlan = {
  date: string;
  dates: string[];
  revision: number | null;
  now: number | null;
  strokes: { start: number; activity: string }[];
  hours: (Stretch & { steps: Stretch[] })[];
  revisions: {
    revision: number;
    tick: Tick;
    because: MemoryRef | null;
    changes: { from: number; to: number; was: string; is: string }[];
  }[];
  appointments: Appointment[];
};

export type Scores = { recency: number; relevance: number; importance: number };
export type Scored = { memory: Memory; score: number; parts: Scores };
export type Preset = 'paper' | 'reference' | 'langchain' | 'plain';
export type Retrieval = { query: string; preset: Preset; weights: Scores; considered: number; items: Scored[] };

export type Reflection = { memory: Memory; rests_on: Reflection[] };
export type Relationship = {
  resident: ResidentId;
  talks: number;
  lines: number;
  first: Tick | null;
  last: Tick | null;
  makes_of_them: string | null;
  made_at: Tick | null;
  over_time: { tick: Tick; talks: number }[];
};
export type KnownPlaces = {
  known: PlaceId[];
  visited: { place: PlaceId | null; minutes: number; visits: number; last: Tick; here: boolean }[];
};

/** What was sent to a model for a question, and what came back. */
export type Attempt = {
  /** 0 for the first, 1 for the corrective one. */
  attempt: number;
  model: string;
  request: unknown;
  reply: string | null;
  error: string | null;
  from_cache: boolean;
  tokens_in: number;
  tokens_cached: number;
  tokens_out: number;
  milliseconds: number | null;
};
export type Call = {
  tick: Tick;
  seq: number;
  kind: string;
  mind: string;
  input: unknown;
  answer: unknown;
  fallback: string | null;
  cut: string | null;
  attempts: Attempt[];
};

export type Knower = {
  resident: ResidentId;
  since: Tick;
  place: PlaceId | null;
  talk: TalkId | null;
  memory: MemoryId;
  told: Knower[];
};
export type News = {
  mentions: number | null;
  items: { text: string; known_by: number; importance: number; holders: Knower[] }[];
};
export type Stay = { resident: ResidentId; minutes: number };
export type Gathering = {
  what: string;
  host: ResidentId;
  place: PlaceId | null;
  start: GameTime;
  end: GameTime;
  stage: 'ahead' | 'going_on' | 'over';
  heard: ResidentId[];
  accepted: ResidentId[];
  declined: { resident: ResidentId; reason: string }[];
  came: Stay[];
  also_there: Stay[];
};
export type Network = { days: { date: string; tick: Tick; pairs: number; density: number }[] };
export type Count = {
  tasks: number;
  put_to_models: number;
  fallbacks: number;
  calls: number;
  failed: number;
  from_cache: number;
  tokens_in: number;
  tokens_out: number;
  milliseconds: number;
};
export type Cost = Count & {
  /** Null where no price is known. */
  usd: number | null;
  /** Models that were asked and are not in `usd`. */
  without_price: string[];
  kinds: (Count & { kind: string })[];
  residents: (Count & { resident: ResidentId | null })[];
  models: (Count & { model: string })[];
};
export type ObjectHistory = {
  place: PlaceId;
  state: string;
  default_state: string;
  history: Page<ObjectState>;
};

/** What a resident is made to do without while it answers. */
export type Ablation = 'none' | 'no-reflections' | 'no-reflections-or-plans' | 'nothing';
export type Interview = {
  resident: ResidentId;
  tick?: Tick;
  question: string;
  history?: { question: string; answer: string }[];
  ablation?: Ablation;
};
export type Recollected = Scored & { used: boolean };
export type InterviewAnswer = { answer: string; tick: Tick; minds: string[]; memories: Recollected[]; without_memory: boolean; fallback: string | null };

export type Input =
  | { input: 'whisper'; resident: ResidentId; text: string }
  | { input: 'set_object'; object: PlaceId; state: string }
  | { input: 'arrive'; name: string; role: string; tile: Tile }
  | { input: 'walk'; visitor: ResidentId; to: Tile }
  | { input: 'speak'; visitor: ResidentId; to: ResidentId; text: string; ends: boolean }
  | { input: 'leave'; who: ResidentId }
  | { input: 'move'; resident: ResidentId; to: Tile };
/** How many letters a whisper, a visitor's line or a state has at most. */
export const MOST_LETTERS = 2000;
/** No name and no role need be longer than this, and every list and map shows them. */
export const MOST_LETTERS_OF_NAME = 80;
export type InputTaken = { tick: Tick; resident: ResidentId | null };
