/** How things are drawn on a map without pictures: by what their names speak of, in words that are data (`things.json`). */
import words from './things.json';

export type Kind = keyof typeof words | 'other';

type Drawing = {
  /** What the thing's tiles are filled with: top and front. */
  top: string;
  front: string;
  /** A sign of 10 × 10 pixels in its middle; letters are colours of `INKS`, dots are empty. */
  sign: readonly string[];
};

export const INKS: Record<string, string> = {
  k: '#3e343c',
  w: '#f4f0e6',
  g: '#96989e',
  s: '#6a707c',
  b: '#5c98ba',
  l: '#a8cfe0',
  r: '#be544c',
  y: '#e8b84a',
  n: '#9a6c4a',
  d: '#744e3a',
  v: '#4a804e',
  e: '#6c9e58',
  p: '#c890a8',
  c: '#68a088',
};

const NONE: readonly string[] = [];

export const DRAWINGS: Record<Kind, Drawing> = {
  mat: { top: 'rgba(70, 50, 60, 0.10)', front: 'rgba(70, 50, 60, 0.10)', sign: NONE },
  bed: { top: '#5f86c0', front: '#44659a', sign: ['.wwwwwwww.', 'wwwwwwwwww', 'wwwwwwwwww', '.wwwwwwww.', '..........', 'llllllllll'] },
  basin: { top: '#e6e4de', front: '#bcbab6', sign: ['....gg....', '....gg....', '.llllllll.', 'lbbbbbbbbl', 'lbbbkkbbbl', 'lbbbbbbbbl', '.llllllll.'] },
  toilet: { top: '#e6e4de', front: '#bcbab6', sign: ['.wwwwwwww.', '.wggggggw.', '..wwwwww..', '.wwlllllw.', '.wlbbbblw.', '.wlbbbblw.', '..wllllw..', '...wwww...'] },
  bath: { top: '#d9e8ee', front: '#a9c3cf', sign: ['.......ss.', '......s..s', '.....b....', '....b.b...', '...b.b.b..', '..b.b.b...', '.llllllll.', 'lbbbbbbbbl', '.llllllll.'] },
  cold: { top: '#e9ecee', front: '#bfc6cb', sign: ['gwwwwwwwwg', 'gwwwwwwswg', 'gwwwwwwswg', 'gggggggggg', 'gwwwwwwswg', 'gwwwwwwswg', 'gwwwwwwswg', 'gwwwwwwwwg', 'gggggggggg'] },
  stove: { top: '#8b8f99', front: '#6a6f7b', sign: ['.kkk..kkk.', 'kskskkssk.', '.kkk..kkk.', '..........', '.kkk..kkk.', 'krrkkkrrk.', '.kkk..kkk.'] },
  closet: { top: '#9a6c4a', front: '#744e3a', sign: ['dddddddddd', 'dnnnnddnnn', 'dnnnnddnnn', 'dnnnyddynn', 'dnnnyddynn', 'dnnnnddnnn', 'dnnnnddnnn', 'dddddddddd'] },
  music: { top: '#7d5a46', front: '#5c4035', sign: ['......kk..', '......kkk.', '......k.k.', '......k...', '......k...', '...kkkk...', '..kkkkk...', '..kkkk....'] },
  screen: { top: '#b98f62', front: '#926c49', sign: ['kkkkkkkkkk', 'kllllllllk', 'klbbbbbblk', 'klbbbbbblk', 'kllllllllk', 'kkkkkkkkkk', '....kk....', '..kkkkkk..'] },
  board: { top: '#7a5b42', front: '#5f4633', sign: ['nnnnnnnnnn', 'nvvvvvvvvn', 'nvwwvwwvvn', 'nvvvvvvvvn', 'nvwwwvvvvn', 'nvvvvvvvvn', 'nnnnnnnnnn'] },
  game: { top: '#744e3a', front: '#573a2d', sign: ['cccccccccc', 'cvvvvvvvvc', 'cvwvvvrvvc', 'cvvvyvvvvc', 'cvvvvvkvvc', 'cvvvvvvvvc', 'cccccccccc'] },
  shelf: { top: '#9a6c4a', front: '#744e3a', sign: ['dddddddddd', 'rbyrvbwryb', 'rbyrvbwryb', 'dddddddddd', 'bvrwybrvbr', 'bvrwybrvbr', 'dddddddddd'] },
  counter: { top: '#d8bb8b', front: '#a9835a', sign: NONE },
  seat: { top: '#7aa58c', front: '#56806a', sign: ['.cccccccc.', 'cccccccccc', 'cceeeeeecc', 'cceeeeeecc', 'cceeeeeecc', 'cccccccccc'] },
  green: { top: '#8a6a50', front: '#6c523e', sign: ['..v...e...', '.vev.eve..', '..v...v.p.', 'p.v.r.v.v.', 'v.v.v...v.', 'v...v.e...', '..e...v...', '..v.......'] },
  water: { top: '#cfcac4', front: '#a29c98', sign: ['..llllll..', '.lbbbbbbl.', 'lbbbwwbbbl', 'lbbwllwbbl', 'lbbbwwbbbl', '.lbbbbbbl.', '..llllll..'] },
  table: { top: '#cda06c', front: '#9a7048', sign: NONE },
  other: { top: '#c29a6c', front: '#8f6c48', sign: ['.nnnnnnnn.', '.nddddddn.', '.ndnnnndn.', '.ndnnnndn.', '.nddddddn.', '.nnnnnnnn.'] },
};

/** What a thing of that name is drawn as. */
export function kindOf(name: string): Kind {
  const spoken = name.toLocaleLowerCase();
  for (const [kind, names] of Object.entries(words)) {
    if (names.some((word) => spoken.includes(word))) return kind as Kind;
  }
  return 'other';
}
