/** What the server sends (`crates/server/API.md`), as far as the shell and the map read it. Panels keep theirs in `src/panels`. */

/** Committed step of time, from 0. */
export type Tick = number;
/** A resident's number, from 0. */
export type ResidentId = number;
/** A place's number, from 0. */
export type PlaceId = number;
/** A tile: column and row, from the top left. */
export type Tile = { x: number; y: number };
