/** The colour of the light over a day, as a factor on every picture, by minutes after midnight. */

type Light = readonly [minute: number, red: number, green: number, blue: number];

const DAY: readonly Light[] = [
  [0, 66, 76, 128],
  [270, 66, 76, 128],
  [345, 142, 128, 158],
  [390, 236, 194, 172],
  [460, 255, 246, 232],
  [540, 255, 255, 255],
  [1000, 255, 255, 255],
  [1100, 255, 240, 216],
  [1170, 255, 216, 184],
  [1230, 186, 156, 184],
  [1300, 92, 96, 148],
  [1380, 66, 76, 128],
  [1440, 66, 76, 128],
];

export type Tint = { red: number; green: number; blue: number };

/** Lamplight, where somebody is awake in the dark. */
export const LAMP: Tint = { red: 255, green: 224, blue: 172 };

/** The light at that many minutes after midnight. */
export function daylight(minute: number): Tint {
  const at = ((minute % 1440) + 1440) % 1440;
  const next = DAY.findIndex(([start]) => start > at);
  const [from, to] = [DAY[next - 1], DAY[next]];
  if (!from || !to) return { red: 255, green: 255, blue: 255 };
  const part = (at - from[0]) / (to[0] - from[0]);
  const mix = (i: 1 | 2 | 3): number => Math.round(from[i] + (to[i] - from[i]) * part);
  return { red: mix(1), green: mix(2), blue: mix(3) };
}

/** From 0 (broad day) to 1 (night): how much lamps show. */
export function darkness({ red, green, blue }: Tint): number {
  return Math.max(0, Math.min(1, (215 - (red + green + blue) / 3) / 110));
}
