/** Where each holder of a piece of news stands in the drawing of how it travelled. */
import type { Knower } from '../wire.ts';

export type Node = { knower: Knower; depth: number; row: number };
/** Rows of teller and listener. */
export type Link = { from: number; to: number };
export type Laid = { nodes: Node[]; links: Link[]; deepest: number };

/** One row for each holder, tellers before those they told; depth counts mouths since the source. */
export function lay(sources: readonly Knower[]): Laid {
  const nodes: Node[] = [];
  const links: Link[] = [];
  const open = [...sources].reverse().map((knower) => ({ knower, depth: 0, teller: -1 }));
  for (let next = open.pop(); next; next = open.pop()) {
    const row = nodes.length;
    nodes.push({ knower: next.knower, depth: next.depth, row });
    if (next.teller >= 0) links.push({ from: next.teller, to: row });
    for (const told of [...next.knower.told].reverse()) {
      open.push({ knower: told, depth: next.depth + 1, teller: row });
    }
  }
  return { nodes, links, deepest: Math.max(0, ...nodes.map((node) => node.depth)) };
}
