/**
 * What somebody typed, chose or unfolded in a panel, kept while the page lives: another tab, or a click on the map, does
 * not lose it.
 */
class Kept<T> {
  value: T = $state.raw() as T;
  constructor(value: T) {
    this.value = value;
  }
}
export type { Kept };

const all = new Map<string, Kept<unknown>>();

/** What is kept under that name; at first, what it begins with. */
export function kept<T>(name: string, begins: T): Kept<T> {
  const known = all.get(name);
  if (known) return known as Kept<T>;
  const made = new Kept(begins);
  all.set(name, made as Kept<unknown>);
  return made;
}

/** A choice that is kept, and follows what is chosen elsewhere on the page whenever something else is chosen there. */
export function keptChoice<T>(name: string, elsewhere: () => T | null): Kept<T | null> {
  const choice = kept<T | null>(name, null);
  const followed = kept<T | null>(`${name}, elsewhere`, null);
  const follow = (): void => {
    const chosen = elsewhere();
    if (chosen === null || chosen === followed.value) return;
    followed.value = chosen;
    choice.value = chosen;
  };
  follow();
  $effect(follow);
  return choice;
}
