/** Names of residents and places, loaded once and again when somebody new is spoken of. */
import { get } from '../../api/client.ts';
import type { PlaceId, ResidentId } from '../../api/types.ts';
import type { Place, Resident, Run } from '../wire.ts';

class Names {
  run: Run | null = $state.raw(null);
  residents: ReadonlyMap<ResidentId, Resident> = $state.raw(new Map());
  places: ReadonlyMap<PlaceId, Place> = $state.raw(new Map());
  #asking: Promise<void> | null = null;
  #unknown = new Set<ResidentId>();

  /** Loads what is missing; safe to call often. */
  load(): Promise<void> {
    this.#asking ??= this.#fetch().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #fetch(): Promise<void> {
    const [run, residents] = await Promise.all([get<Run>('run'), get<Resident[]>('residents')]);
    this.run = run;
    this.residents = new Map(residents.map((resident) => [resident.id, resident]));
    if (this.places.size === 0) {
      const { places } = await get<{ places: Place[] }>('map');
      this.places = new Map(places.map((place) => [place.id, place]));
    }
  }

  /** A resident's name; of somebody who has come since, it is asked for once. */
  name(id: ResidentId): string {
    const known = this.residents.get(id);
    if (known) return known.name;
    if (!this.#unknown.has(id)) {
      this.#unknown.add(id);
      queueMicrotask(() => void this.load().catch(() => this.#unknown.delete(id)));
    }
    return `#${id}`;
  }

  /** A place in words people use: an object with its arena, an arena with its sector. */
  place(id: PlaceId | null): string | null {
    const place = id === null ? undefined : this.places.get(id);
    if (!place) return null;
    const parent = place.parent === null ? undefined : this.places.get(place.parent);
    return place.kind === 'sector' || place.kind === 'world' || !parent || parent.name === place.name
      ? place.name
      : `${place.name}, ${parent.name}`;
  }

  /** Those who live here, then visitors, by id. */
  get people(): Resident[] {
    return [...this.residents.values()];
  }
}

export const names = new Names();
