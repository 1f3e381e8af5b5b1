/** Names of residents and places, in the words panels use. */
import type { Place, PlaceId, Resident, ResidentId } from '../../api/types.ts';
import { app } from '../../state/app.svelte.ts';

export const names = {
  /** A resident's name; a number for somebody who is yet to come. */
  name(id: ResidentId): string {
    return app.resident(id)?.name ?? `#${id}`;
  },

  /** A place in words people use: an object with its arena, an arena with its sector. */
  place(id: PlaceId | null): string | null {
    const place = app.place(id);
    if (!place) return null;
    const parent = app.place(place.parent);
    return place.kind === 'sector' || place.kind === 'world' || !parent || parent.name === place.name
      ? place.name
      : `${place.name}, ${parent.name}`;
  },

  /** Those who have a mind: everybody but visitors. */
  get minds(): Resident[] {
    return app.residents.filter((who) => !who.visitor);
  },

  /** Who is chosen on the page, where that is somebody with a mind. */
  get chosenMind(): ResidentId | null {
    const chosen = app.resident(app.chosen);
    return chosen === null || chosen.visitor ? null : chosen.id;
  },

  places(kind: Place['kind']): Place[] {
    return (app.map?.places ?? []).filter((place) => place.kind === kind);
  },
};
