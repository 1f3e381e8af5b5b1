/** How the residents look, for panels: the same looks as on the map. */
import type { ResidentId } from '../../api/types.ts';
import { looks, type Look } from '../../map/people/look.ts';
import { app } from '../../state/app.svelte.ts';

class Faces {
  private given: ReadonlyMap<ResidentId, Look> = $derived.by(() => {
    const all = looks(app.residents);
    return new Map(app.residents.flatMap((who, i) => (all[i] ? [[who.id, all[i]] as const] : [])));
  });

  look(id: ResidentId): Look | null {
    return this.given.get(id) ?? null;
  }
}

export const faces = new Faces();
