/**
 * Draws a town that brings no pictures from what it consists of: places, walls and things. Buildings get floors, a
 * kind for each room, walls with a face towards the viewer, and drawn furniture; open places are lawns, and what blocks
 * the way outdoors is greenery.
 */
import type { Place, TownMap } from '../../api/types.ts';
import type { TilePainter } from '../ground.ts';
import { indoorSectors } from '../indoors.ts';
import { hash } from '../people/look.ts';
import { DRAWINGS, INKS, kindOf, type Kind } from './things.ts';

/** Pixels of a tile in the drawings. */
const TILE = 16;

const GRASS = '#7eb060';
/** Patches where it grows thicker. */
const GRASS_THICK = '#7aab5d';
const GRASS_DARK = '#6ea056';
const GRASS_LIGHT = '#92c06e';
const LAWN = '#8abb68';
const LEAF = '#4a804e';
const LEAF_DARK = '#366444';
const LEAF_LIGHT = '#6c9e58';
const WALL_TOP = ['#a8786a', '#8f8a94', '#b39a80', '#8a7a90', '#9a8468', '#7f8f8a'];
const WALL_FACE = ['#8c5f55', '#747080', '#957c64', '#706278', '#7d6a52', '#66756f'];
/** Floors: ground, line, and how the lines run. */
const FLOORS: readonly { ground: string; line: string; lines: 'boards' | 'tiles' | 'flags' | 'carpet' }[] = [
  { ground: '#d6ae7c', line: '#bf976a', lines: 'boards' },
  { ground: '#b28860', line: '#99734f', lines: 'boards' },
  { ground: '#c9c2b6', line: '#b0a89c', lines: 'flags' },
  { ground: '#b56a60', line: '#9f574f', lines: 'carpet' },
  { ground: '#a693a0', line: '#948190', lines: 'carpet' },
  { ground: '#9cae84', line: '#88996f', lines: 'carpet' },
  { ground: '#c8a06c', line: '#ae8756', lines: 'boards' },
];
const WET = { ground: '#dfe7e8', line: '#c3cfd2', lines: 'tiles' } as const;

type Thing = { kind: Kind; tiles: Set<number>; middle: number };
type Grid = {
  width: number;
  height: number;
  /** Per tile: the floor, -1 for grass, -2 for a lawn; walls; which thing. */
  floor: Int8Array;
  wall: Int8Array;
  thing: Int16Array;
  things: Thing[];
};

const GRASSY = -1;
const LAWNY = -2;
const WET_FLOOR = 100;
const NO_WALL = 0;
const HEDGE = 1;

function survey(map: TownMap): Grid {
  const { width, height } = map;
  const at = (x: number, y: number): number => y * width + x;
  const grid: Grid = {
    width,
    height,
    floor: new Int8Array(width * height).fill(GRASSY),
    wall: new Int8Array(width * height).fill(NO_WALL),
    thing: new Int16Array(width * height).fill(-1),
    things: [],
  };
  const blocked = new Uint8Array(width * height);
  for (const [x, y, length] of map.blocked) blocked.fill(1, at(x, y), at(x, y) + length);
  const each = (place: Place, visit: (tile: number, x: number, y: number) => void): void => {
    for (const [x, y, length] of place.spans) for (let i = 0; i < length; i += 1) visit(at(x + i, y), x + i, y);
  };
  const sectorOf = new Int32Array(width * height).fill(-1);
  const indoors = indoorSectors(map);
  for (const place of map.places) {
    if (place.kind !== 'sector') continue;
    // What no room covers: corridors and thresholds inside, lawns outside.
    const floor = indoors.has(place.id) ? hash(place.name) % FLOORS.length : LAWNY;
    each(place, (tile) => {
      sectorOf[tile] = place.id;
      grid.floor[tile] = floor;
    });
  }
  const parents = new Map(map.places.map((place) => [place.id, place.parent]));
  const wet = new Set<number>();
  for (const place of map.places) {
    if (place.kind !== 'object') continue;
    const kind = kindOf(place.name);
    if (['toilet', 'bath', 'cold', 'stove', 'basin'].includes(kind) && place.parent !== null) wet.add(place.parent);
    const tiles = new Set<number>();
    each(place, (tile) => {
      tiles.add(tile);
      grid.thing[tile] = grid.things.length;
    });
    if (tiles.size === 0) continue;
    const sorted = [...tiles].sort((a, b) => a - b);
    const centre = sorted.reduce((sum, tile) => sum + (tile % width), 0) / sorted.length;
    const row = sorted.reduce((sum, tile) => sum + Math.floor(tile / width), 0) / sorted.length;
    const middle = sorted.reduce((best, tile) => (off(tile) < off(best) ? tile : best), sorted[0] ?? 0);
    function off(tile: number): number {
      return Math.abs((tile % width) - centre) + Math.abs(Math.floor(tile / width) - row);
    }
    grid.things.push({ kind, tiles, middle });
  }
  for (const place of map.places) {
    if (place.kind !== 'arena' || !indoors.has(parents.get(place.id) ?? -1)) continue;
    const floor = wet.has(place.id) && place.spans.length < 8 ? WET_FLOOR : hash(place.name) % FLOORS.length;
    each(place, (tile) => (grid.floor[tile] = floor));
  }
  furnish(map, grid, blocked, sectorOf, indoors, each);
  for (let tile = 0; tile < blocked.length; tile += 1) {
    if (!blocked[tile] || grid.thing[tile] !== -1) continue;
    const sector = sectorOf[tile] ?? -1;
    grid.wall[tile] = indoors.has(sector) ? 2 + (hash(String(sector)) % WALL_TOP.length) : HEDGE;
  }
  corners(grid, sectorOf, indoors);
  return grid;
}

/**
 * What blocks the way inside a room is furniture, where the walls of a building lie between its rooms: it is drawn as part
 * of the thing it adjoins, or as a cupboard of its own.
 */
function furnish(
  map: TownMap,
  grid: Grid,
  blocked: Uint8Array,
  sectorOf: Int32Array,
  indoors: ReadonlySet<number>,
  each: (place: Place, visit: (tile: number) => void) => void,
): void {
  const room = new Int32Array(blocked.length).fill(-1);
  for (const place of map.places) if (place.kind === 'arena') each(place, (tile) => (room[tile] = place.id));
  const [between, within] = [new Map<number, number>(), new Map<number, number>()];
  for (let tile = 0; tile < blocked.length; tile += 1) {
    const sector = sectorOf[tile] ?? -1;
    if (!blocked[tile] || !indoors.has(sector)) continue;
    const count = room[tile] === -1 ? between : within;
    count.set(sector, (count.get(sector) ?? 0) + 1);
  }
  const open = (tile: number): boolean => {
    const sector = sectorOf[tile] ?? -1;
    return blocked[tile] === 1 && room[tile] !== -1 && grid.thing[tile] === -1 && (between.get(sector) ?? 0) * 4 > (within.get(sector) ?? 0);
  };
  const spread = (queue: number[]): void => {
    for (let next = 0; next < queue.length; next += 1) {
      const from = queue[next] ?? 0;
      const thing = grid.thing[from] ?? -1;
      for (const to of [from - grid.width, from - 1, from + 1, from + grid.width]) {
        if (room[to] !== room[from] || !open(to)) continue;
        grid.thing[to] = thing;
        grid.things[thing]?.tiles.add(to);
        queue.push(to);
      }
    }
  };
  const solid = (kind: Kind): boolean => kind !== 'mat' && kind !== 'green';
  spread(grid.things.flatMap((thing) => (solid(thing.kind) ? [...thing.tiles].sort((a, b) => a - b) : [])));
  for (let tile = 0; tile < blocked.length; tile += 1) {
    if (!open(tile)) continue;
    grid.thing[tile] = grid.things.length;
    grid.things.push({ kind: 'counter', tiles: new Set([tile]), middle: tile });
    spread([tile]);
  }
}

/** Closes the corners of buildings, which maps often leave open since nobody can get there. */
function corners(grid: Grid, sectorOf: Int32Array, indoors: ReadonlySet<number>): void {
  const solid = grid.wall.slice();
  for (let tile = 0; tile < solid.length; tile += 1) {
    if (solid[tile] !== NO_WALL || grid.thing[tile] !== -1 || !indoors.has(sectorOf[tile] ?? -1)) continue;
    const [north, south] = [solid[tile - grid.width] ?? 0, solid[tile + grid.width] ?? 0];
    const [west, east] = [solid[tile - 1] ?? 0, solid[tile + 1] ?? 0];
    const outside = [tile - 1, tile + 1, tile - grid.width, tile + grid.width].filter((other) => sectorOf[other] !== sectorOf[tile]).length;
    const beside = Math.max(north, south, west, east);
    if (outside >= 2 && beside > HEDGE) grid.wall[tile] = beside;
  }
}

/** A chance that belongs to a tile. */
function grain(tile: number, which: number): number {
  let value = Math.imul(tile + 1, 0x9e3779b1) ^ Math.imul(which + 1, 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 15), 0xc2b2ae35);
  return (value ^ (value >>> 13)) >>> 0;
}

/** Whether a tile belongs to the town; around it there is only grass. */
function within(grid: Grid, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < grid.width && y < grid.height;
}

/** A chance from 0 to 1 that changes slowly from tile to tile. */
function patch(x: number, y: number): number {
  const wide = 7;
  const [column, row] = [Math.floor(x / wide), Math.floor(y / wide)];
  const [right, down] = [x / wide - column, y / wide - row];
  const corner = (dx: number, dy: number): number => (grain((row + dy) * 8191 + column + dx, 9) % 1000) / 1000;
  const top = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * right;
  const bottom = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * right;
  return top + (bottom - top) * down;
}

/** The painter of a map without pictures. */
export function planPainter(map: TownMap): TilePainter {
  const grid = survey(map);
  return (context, area, size) => {
    context.save();
    context.scale(size / TILE, size / TILE);
    for (let row = 0; row < area.height; row += 1) {
      for (let column = 0; column < area.width; column += 1) {
        paintFloor(context, grid, area.x + column, area.y + row, column * TILE, row * TILE);
      }
    }
    for (let row = 0; row < area.height; row += 1) {
      for (let column = 0; column < area.width; column += 1) {
        const [x, y] = [area.x + column, area.y + row];
        if (!within(grid, x, y)) continue;
        paintThing(context, grid, x, y, column * TILE, row * TILE);
        paintWall(context, grid, x, y, column * TILE, row * TILE);
      }
    }
    context.restore();
  };
}

function paintFloor(context: CanvasRenderingContext2D, grid: Grid, x: number, y: number, px: number, py: number): void {
  const inside = within(grid, x, y);
  const tile = y * grid.width + x;
  const kind = inside ? (grid.floor[tile] ?? GRASSY) : GRASSY;
  const noise = grain(tile, 0);
  const box = (dx: number, dy: number, w: number, h: number, colour: string): void => {
    context.fillStyle = colour;
    context.fillRect(px + dx, py + dy, w, h);
  };
  if (kind < 0) {
    box(0, 0, TILE, TILE, kind === LAWNY ? LAWN : GRASS);
    if (kind === GRASSY && patch(x, y) > 0.56) box(0, 0, TILE, TILE, GRASS_THICK);
    for (let i = 0; i < 3; i += 1) {
      const spot = grain(tile, i + 1);
      box(spot % 15, (spot >>> 4) % 14, 1, 2, i === 0 ? GRASS_LIGHT : GRASS_DARK);
    }
    if (noise % 41 === 0) box(6, 7, 2, 2, noise % 2 === 0 ? '#f2e6a0' : '#eec6d2');
    return;
  }
  const { ground, line, lines } = kind === WET_FLOOR ? WET : (FLOORS[kind] ?? WET);
  box(0, 0, TILE, TILE, ground);
  if (lines === 'boards') {
    for (let i = 3; i < TILE; i += 4) box(0, i, TILE, 1, line);
    for (let i = 0; i < 4; i += 1) box((noise >>> (i * 4)) % TILE, i * 4, 1, 3, line);
  } else if (lines === 'tiles') {
    box(0, 0, 8, 8, line);
    box(8, 8, 8, 8, line);
  } else if (lines === 'flags') {
    box(0, 7, TILE, 1, line);
    box(0, 15, TILE, 1, line);
    box((noise % 8) + 3, 0, 1, 7, line);
    box(((noise >>> 5) % 8) + 5, 8, 1, 7, line);
  } else {
    for (let i = 0; i < 4; i += 1) box(((noise >>> i) % 7) * 2 + 1, i * 4 + 1, 2, 1, line);
  }
  // Walls throw a shadow on the floor below them.
  if (y > 0 && (grid.wall[tile - grid.width] ?? NO_WALL) > HEDGE && (grid.wall[tile] ?? 0) === NO_WALL) box(0, 0, TILE, 3, 'rgba(40, 28, 48, 0.22)');
}

function paintThing(context: CanvasRenderingContext2D, grid: Grid, x: number, y: number, px: number, py: number): void {
  const tile = y * grid.width + x;
  const thing = grid.things[grid.thing[tile] ?? -1];
  if (!thing) return;
  const { top, front, sign } = DRAWINGS[thing.kind];
  const joins = (dx: number, dy: number): boolean => thing.tiles.has((y + dy) * grid.width + x + dx);
  const [west, east, north, south] = [joins(-1, 0), joins(1, 0), joins(0, -1), joins(0, 1)];
  const [left, right, upper, lower] = [west ? 0 : 1, east ? TILE : TILE - 1, north ? 0 : 1, south ? TILE : TILE - 1];
  if (thing.kind === 'mat') {
    context.fillStyle = top;
    context.fillRect(px + left, py + upper, right - left, lower - upper);
    return;
  }
  if (thing.kind === 'green') {
    // Beds and bushes grow all over their ground.
    for (let i = 0; i < 5; i += 1) {
      const spot = grain(tile, i + 1);
      const [dx, dy] = [spot % 13, 2 + ((spot >>> 5) % 11)];
      context.fillStyle = i % 2 === 0 ? LEAF : LEAF_DARK;
      context.fillRect(px + dx, py + dy, 3, 3);
      context.fillStyle = ['#e8b84a', '#be544c', '#c890a8', LEAF_LIGHT, '#f4f0e6'][(spot >>> 10) % 5] ?? LEAF;
      context.fillRect(px + dx + 1, py + dy - 1, 1, 2);
    }
    return;
  }
  context.fillStyle = INKS['k'] ?? '#000';
  context.fillRect(px + left, py + upper, right - left, lower - upper);
  const [l, r, u, d] = [west ? 0 : 2, east ? TILE : TILE - 2, north ? 0 : 2, south ? TILE : TILE - 2];
  context.fillStyle = top;
  context.fillRect(px + l, py + u, r - l, d - u);
  if (!south) {
    context.fillStyle = front;
    context.fillRect(px + l, py + d - 3, r - l, 3);
  }
  if (!north) {
    context.fillStyle = 'rgba(255, 250, 235, 0.35)';
    context.fillRect(px + l, py + u, r - l, 1);
  }
  if (tile !== thing.middle && thing.kind !== 'shelf') return;
  sign.forEach((row, dy) => {
    for (let dx = 0; dx < row.length; dx += 1) {
      const ink = INKS[row[dx] ?? '.'];
      if (!ink) continue;
      context.fillStyle = ink;
      context.fillRect(px + 3 + dx, py + 2 + dy, 1, 1);
    }
  });
}

function paintWall(context: CanvasRenderingContext2D, grid: Grid, x: number, y: number, px: number, py: number): void {
  const tile = y * grid.width + x;
  const wall = grid.wall[tile] ?? NO_WALL;
  if (wall === NO_WALL) return;
  const box = (dx: number, dy: number, w: number, h: number, colour: string): void => {
    context.fillStyle = colour;
    context.fillRect(px + dx, py + dy, w, h);
  };
  const same = (dx: number, dy: number): boolean => {
    const [nx, ny] = [x + dx, y + dy];
    if (nx < 0 || ny < 0 || nx >= grid.width || ny >= grid.height) return true;
    const other = grid.wall[ny * grid.width + nx] ?? NO_WALL;
    return wall === HEDGE ? other === HEDGE : other > HEDGE;
  };
  if (wall === HEDGE) {
    const [l, r, u, d] = [same(-1, 0) ? 0 : 1, same(1, 0) ? TILE : TILE - 1, same(0, -1) ? 0 : 1, same(0, 1) ? TILE : TILE - 1];
    box(l, u, r - l, d - u, LEAF);
    for (let i = 0; i < 7; i += 1) {
      const spot = grain(tile, i + 1);
      box(Math.min(r - 3, Math.max(l, spot % 14)), Math.min(d - 2, Math.max(u, (spot >>> 5) % 14)), 3, 2, i % 2 === 0 ? LEAF_LIGHT : LEAF_DARK);
    }
    if (!same(0, 1)) box(l, d - 3, r - l, 3, LEAF_DARK);
    if (!same(0, 1)) box(l, TILE - 1, r - l, 1, 'rgba(40, 50, 40, 0.4)');
    return;
  }
  const top = WALL_TOP[wall - 2] ?? '#8f8a94';
  const face = WALL_FACE[wall - 2] ?? '#747080';
  const ink = INKS['k'] ?? '#000';
  if (same(0, 1)) {
    box(0, 0, TILE, TILE, top);
  } else {
    box(0, 0, TILE, 6, top);
    box(0, 6, TILE, 10, face);
    box(0, 6, TILE, 1, 'rgba(40, 28, 48, 0.35)');
    for (const [row, shift] of [
      [9, 4],
      [12, 0],
    ] as const) {
      box(0, row, TILE, 1, 'rgba(40, 28, 48, 0.18)');
      box((8 + shift) % TILE, row + 1, 1, 2, 'rgba(40, 28, 48, 0.18)');
      box(shift, row + 1, 1, 2, 'rgba(40, 28, 48, 0.18)');
    }
    box(0, 15, TILE, 1, ink);
  }
  if (!same(0, -1)) box(0, 0, TILE, 1, ink);
  if (!same(-1, 0)) box(0, 0, 1, TILE, ink);
  if (!same(1, 0)) box(15, 0, 1, TILE, ink);
  if (!same(0, -1)) box(1, 1, 14, 1, 'rgba(255, 250, 235, 0.3)');
}
