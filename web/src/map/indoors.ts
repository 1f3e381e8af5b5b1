/**
 * Which sectors are buildings, and which open ground. A sector is a building where it has furniture and some walls around
 * it; where no name in it speaks of anything known (another language, unusual things), its walls alone decide.
 */
import type { PlaceId, TownMap } from '../api/types.ts';
import { kindOf, type Kind } from './plan/things.ts';

/** Share of a sector's rim that is walled: at least so much around furniture, or so much where walls alone decide. */
const SOME_WALLS = 0.2;
const MOSTLY_WALLS = 0.45;
const OUTDOORS: ReadonlySet<Kind> = new Set<Kind>(['green', 'water', 'seat', 'mat', 'board', 'game']);

/** The sectors that are buildings. */
export function indoorSectors(map: TownMap): ReadonlySet<PlaceId> {
  const blocked = new Uint8Array(map.width * map.height);
  for (const [x, y, length] of map.blocked) blocked.fill(1, y * map.width + x, y * map.width + x + length);
  const parents = new Map(map.places.map((place) => [place.id, place.parent]));
  const furnished = new Set<PlaceId>();
  const told = new Set<PlaceId>();
  for (const place of map.places) {
    if (place.kind !== 'object' || place.parent === null) continue;
    const sector = parents.get(place.parent) ?? null;
    const kind = kindOf(place.name);
    if (sector === null || kind === 'other') continue;
    told.add(sector);
    if (!OUTDOORS.has(kind)) furnished.add(sector);
  }
  const indoor = new Set<PlaceId>();
  for (const sector of map.places) {
    if (sector.kind !== 'sector') continue;
    let [rim, walled] = [0, 0];
    let [top, bottom] = [Infinity, -Infinity];
    for (const [, y] of sector.spans) {
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    const count = (x: number, y: number): void => {
      rim += 1;
      walled += blocked[y * map.width + x] ?? 0;
    };
    for (const [x, y, length] of sector.spans) {
      if (y === top || y === bottom) for (let i = 0; i < length; i += 1) count(x + i, y);
      else {
        count(x, y);
        count(x + length - 1, y);
      }
    }
    const share = rim > 0 ? walled / rim : 0;
    if (told.has(sector.id) ? furnished.has(sector.id) && share >= SOME_WALLS : share >= MOSTLY_WALLS) indoor.add(sector.id);
  }
  return indoor;
}
