/** The colours people are painted with, chosen to sit well on the bundled tileset. */
export type Rgb = readonly [red: number, green: number, blue: number];

export const INK: Rgb = [52, 42, 54];

export const SKIN: readonly Rgb[] = [
  [250, 221, 194],
  [242, 203, 168],
  [228, 180, 140],
  [206, 152, 110],
  [176, 120, 82],
  [146, 96, 66],
  [112, 72, 52],
];

/** From `HAIR_OF_AGE` on, the colours of older people. */
export const HAIR: readonly Rgb[] = [
  [54, 44, 50],
  [82, 56, 46],
  [124, 80, 52],
  [168, 112, 62],
  [218, 172, 96],
  [240, 210, 140],
  [186, 84, 48],
  [138, 50, 48],
  [72, 78, 110],
  [208, 204, 198],
  [168, 166, 168],
  [240, 238, 232],
  [126, 122, 124],
];
export const HAIR_OF_AGE = 9;

export const EYES: readonly Rgb[] = [
  [48, 38, 46],
  [58, 70, 104],
  [66, 84, 58],
];

export const CLOTH: readonly Rgb[] = [
  [200, 74, 70],
  [70, 120, 186],
  [232, 176, 68],
  [78, 148, 98],
  [150, 92, 164],
  [230, 132, 74],
  [60, 150, 158],
  [222, 120, 150],
  [240, 234, 218],
  [92, 96, 116],
  [154, 176, 84],
  [128, 58, 72],
  [110, 168, 214],
  [176, 142, 104],
  [44, 74, 110],
];

export const TROUSERS: readonly Rgb[] = [
  [66, 76, 110],
  [92, 74, 62],
  [70, 68, 78],
  [122, 112, 96],
  [60, 92, 88],
  [150, 124, 92],
];

export const SHOES: Rgb = [72, 54, 52];
export const BLANKET: Rgb = [104, 136, 186];
export const PILLOW: Rgb = [244, 240, 230];

/** A colour mixed with another; `part` 0 is the first, 1 the second. */
export function mix(a: Rgb, b: Rgb, part: number): Rgb {
  const at = (i: 0 | 1 | 2): number => Math.round(a[i] + (b[i] - a[i]) * part);
  return [at(0), at(1), at(2)];
}

export const shade = (colour: Rgb): Rgb => mix(colour, INK, 0.26);
export const light = (colour: Rgb): Rgb => mix(colour, [255, 250, 235], 0.3);
