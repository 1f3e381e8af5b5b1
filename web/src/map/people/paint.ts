/**
 * Paints a person of 16 × 24 pixels from a `Look`. Every pose is made of the same parts, back to front: hair behind,
 * legs, body, arms, head, hair, face; then a line around it all. Light comes from the north-west, as on the tileset.
 */
import type { Look } from './look.ts';
import { BLANKET, CLOTH, EYES, HAIR, INK, PILLOW, SHOES, SKIN, TROUSERS, light, mix, shade, type Rgb } from './palette.ts';
import { Pixels } from './pixels.ts';

export const WIDTH = 16;
export const HEIGHT = 24;

export type View = 'front' | 'back' | 'side';
export type Step = 'stand' | 'left' | 'right';
/** The cells of one person, in the order they lie in the atlas. `side` looks left; right is its mirror image. */
export const POSES: readonly { view: View; step: Step }[] = (['front', 'back', 'side'] as const).flatMap((view) =>
  (['stand', 'left', 'right'] as const).map((step) => ({ view, step })),
);
/** The cell of somebody asleep comes after the poses. */
export const CELLS = POSES.length + 1;

/** Row of the soles. */
const GROUND = 21;
const SIZES = {
  child: { legs: 2, body: 4 },
  youth: { legs: 3, body: 5 },
  adult: { legs: 4, body: 6 },
} as const;

type Colours = { skin: Rgb; hair: Rgb; cloth: Rgb; second: Rgb; trousers: Rgb; eyes: Rgb };

function colours(look: Look): Colours {
  const at = (palette: readonly Rgb[], index: number): Rgb => palette[index % palette.length] ?? INK;
  return {
    skin: at(SKIN, look.skin),
    hair: at(HAIR, look.hair),
    cloth: at(CLOTH, look.cloth),
    second: at(CLOTH, look.second),
    trousers: at(TROUSERS, look.trousers),
    eyes: at(EYES, look.eyes),
  };
}

/** One pose. */
export function pose(look: Look, view: View, step: Step): Pixels {
  const p = new Pixels(WIDTH, HEIGHT);
  const c = colours(look);
  const { legs, body } = SIZES[look.build];
  // Whoever steps rises by a pixel.
  const lift = step === 'stand' ? 0 : 1;
  const hip = GROUND - legs;
  const shoulder = hip - body - lift;
  const head = shoulder - 7;
  if (view === 'front') hairBehind(p, look, c, head);
  feet(p, c, view, step, hip - lift, legs + lift);
  trunk(p, look, c, view, step, shoulder, body, legs);
  face(p, look, c, view, head);
  hair(p, look, c, view, head);
  p.outline();
  return p;
}

function feet(p: Pixels, c: Colours, view: View, step: Step, top: number, legs: number): void {
  const dark = shade(c.trousers);
  if (view === 'side') {
    if (step === 'stand') {
      p.box(6, top, 4, legs, c.trousers);
      p.box(8, top + 1, 2, legs - 1, dark);
      p.box(5, GROUND, 5, 1, SHOES);
      return;
    }
    const [near, far] = step === 'left' ? [c.trousers, dark] : [dark, c.trousers];
    p.box(6, top, 4, 2, c.trousers);
    p.box(4, top + 2, 3, legs - 2, near);
    p.box(9, top + 2, 3, legs - 2, far);
    p.box(3, GROUND, 3, 1, SHOES);
    p.box(9, GROUND, 3, 1, SHOES);
    return;
  }
  p.box(5, top, 6, 1, c.trousers);
  for (const [x, raised] of [
    [5, step === 'right'],
    [9, step === 'left'],
  ] as const) {
    const length = raised ? legs - 2 : legs;
    p.box(x, top, 2, length, raised ? dark : c.trousers);
    p.box(x, top + length, 2, 1, SHOES);
  }
}

function trunk(p: Pixels, look: Look, c: Colours, view: View, step: Step, top: number, body: number, legs: number): void {
  const dark = shade(c.cloth);
  const sleeve = look.top === 'dungarees' || look.top === 'apron' ? c.second : c.cloth;
  const x = view === 'side' ? 5 : 5;
  const chest = look.top === 'dungarees' || look.top === 'apron' ? c.second : c.cloth;
  p.box(x, top, 6, body, chest);
  p.box(x, top, 1, body, light(chest));
  p.box(x + 5, top + 1, 1, body - 1, shade(chest));

  const front = view === 'front';
  if (look.top === 'stripes') for (let y = top + 1; y < top + body; y += 2) p.box(x, y, 6, 1, c.second);
  if (look.top === 'jacket' && front) {
    p.box(7, top, 2, body, light(c.second));
    p.dot(7, top + 1, dark);
  }
  if (look.top === 'apron' && view !== 'back') p.box(front ? 6 : 5, top + 2, front ? 4 : 2, body + 1, c.cloth);
  if (look.top === 'coat') p.box(x, top + body, 6, Math.max(1, legs - 1), dark);
  if (look.top === 'dress') {
    p.box(4, top + body - 1, 8, Math.max(2, legs - 1), c.cloth);
    p.box(11, top + body, 1, Math.max(1, legs - 2), dark);
    p.box(4, top + body + Math.max(2, legs - 1) - 1, 8, 1, light(c.second));
  }
  if (look.top === 'dungarees') {
    p.box(5, top + Math.ceil(body / 2), 6, Math.floor(body / 2), c.trousers);
    p.box(6, top, 1, body, c.trousers);
    p.box(9, top, 1, body, c.trousers);
  }
  if (look.top === 'scarf') {
    p.box(5, top, 6, 1, c.second);
    if (view !== 'back') p.box(front ? 9 : 5, top + 1, 1, 3, c.second);
  }

  const length = body - 1;
  if (view === 'side') {
    const swing = step === 'stand' ? 0 : step === 'left' ? -2 : 1;
    p.box(7 + swing, top + 1, 2, length - 1, shade(sleeve));
    p.box(7 + swing, top + length, 2, 1, c.skin);
    return;
  }
  for (const [arm, forward] of [
    [3, step === 'right'],
    [11, step === 'left'],
  ] as const) {
    const shorter = forward ? 1 : 0;
    p.box(arm, top + 1, 2, length - 1 - shorter, arm === 3 ? sleeve : shade(sleeve));
    p.box(arm, top + length - shorter, 2, 1, c.skin);
  }
}

function face(p: Pixels, look: Look, c: Colours, view: View, top: number): void {
  p.box(4, top, 8, 7, c.skin);
  for (const [x, y] of [
    [4, top],
    [11, top],
    [4, top + 6],
    [11, top + 6],
  ] as const)
    p.clear(x, y);
  if (view === 'back') return;
  p.box(view === 'front' ? 6 : 5, top + 6, view === 'front' ? 4 : 5, 1, shade(c.skin));
  const blush = mix(c.skin, [226, 104, 100], 0.28);
  const metal = mix(c.skin, [70, 80, 100], 0.75);
  if (view === 'front') {
    for (const x of [6, 9]) p.box(x, top + 3, 1, 2, c.eyes);
    p.dot(5, top + 5, blush);
    p.dot(10, top + 5, blush);
    if (look.glasses) for (const x of [5, 7, 8, 10]) p.dot(x, top + 4, metal);
  } else {
    p.box(5, top + 3, 1, 2, c.eyes);
    p.dot(6, top + 5, blush);
    if (look.glasses) {
      p.dot(4, top + 4, metal);
      p.box(6, top + 4, 2, 1, metal);
    }
  }
}

/** Hair that falls behind the shoulders, seen from the front. */
function hairBehind(p: Pixels, look: Look, c: Colours, top: number): void {
  const dark = shade(c.hair);
  if (look.haircut === 'long') p.box(3, top + 2, 10, 8, dark);
  if (look.haircut === 'tail') p.box(12, top + 3, 2, 6, dark);
}

function hair(p: Pixels, look: Look, c: Colours, view: View, top: number): void {
  const { haircut } = look;
  const colour = c.hair;
  const dark = shade(colour);
  const shine = light(colour);
  const cropped = haircut === 'cropped';
  const crown = top - 2;

  // The crown, and what every view adds to it.
  p.box(4, crown + 1, 8, 2, colour);
  p.box(5, crown, 6, 1, colour);
  if (!cropped) p.box(4, top + 1, 8, 1, colour);
  if (view === 'back') {
    p.box(4, top, 8, cropped ? 3 : 6, colour);
    p.box(10, top, 2, cropped ? 3 : 6, dark);
    p.box(5, top + (cropped ? 3 : 5), 6, 1, dark);
  } else if (view === 'side') {
    p.box(8, top, 4, cropped ? 3 : 5, colour);
    p.box(11, top + 1, 1, cropped ? 2 : 5, dark);
    if (!cropped) p.box(7, top + 2, 1, 1, colour);
  } else if (!cropped) {
    p.box(4, top + 2, 1, 2, colour);
    p.box(11, top + 2, 1, 2, dark);
    if (parting(look) % 2 === 0) p.box(5, top + 2, 2, 1, colour);
    else p.box(8, top + 2, 3, 1, colour);
  }
  p.box(6, crown + 1, 3, 1, shine);

  switch (haircut) {
    case 'long':
      if (view === 'front') {
        p.box(3, top + 1, 2, 8, colour);
        p.box(11, top + 1, 2, 8, dark);
      } else if (view === 'back') {
        p.box(3, top + 1, 10, 9, colour);
        p.box(10, top + 2, 3, 8, dark);
      } else {
        p.box(9, top + 2, 4, 8, colour);
        p.box(11, top + 3, 2, 7, dark);
      }
      break;
    case 'bob':
      if (view === 'front') {
        p.box(3, top, 2, 6, colour);
        p.box(11, top, 2, 6, dark);
      } else if (view === 'back') {
        p.box(3, top, 10, 7, colour);
        p.box(10, top, 3, 7, dark);
      } else {
        p.box(8, top, 5, 6, colour);
        p.box(11, top + 1, 2, 5, dark);
      }
      break;
    case 'bun':
      p.box(view === 'side' ? 9 : 6, crown - 2, 4, 3, colour);
      p.box(view === 'side' ? 11 : 8, crown - 1, 2, 2, dark);
      break;
    case 'tail':
      if (view === 'back') p.box(7, top + 4, 2, 7, dark);
      if (view === 'side') {
        p.box(12, top + 1, 2, 7, colour);
        p.box(13, top + 3, 1, 5, dark);
      }
      break;
    case 'curls':
      p.box(3, crown, 10, 3, colour);
      p.box(4, crown - 1, 8, 1, colour);
      for (const [x, y] of [
        [5, crown],
        [9, crown - 1],
        [11, crown + 1],
        [7, crown + 2],
      ] as const)
        p.dot(x, y, shine);
      if (view !== 'side') p.box(2, crown + 2, 2, 5, colour);
      if (view === 'back') p.box(3, crown + 2, 10, 6, colour);
      p.box(12, crown + 2, 2, 5, dark);
      break;
    case 'tuft':
      for (const x of [5, 7, 9]) p.box(x, crown - 1, 1, 1, colour);
      p.box(10, crown - 1, 1, 1, dark);
      if (view !== 'back') p.box(view === 'front' ? 5 : 4, top + 2, 2, 1, colour);
      break;
    case 'cap': {
      const cap = c.second;
      p.box(4, crown, 8, 3, cap);
      p.box(5, crown - 1, 6, 1, light(cap));
      p.box(9, crown + 1, 3, 2, shade(cap));
      if (view === 'front') p.box(4, top + 1, 8, 1, shade(cap));
      if (view === 'side') p.box(2, top + 1, 6, 1, shade(cap));
      break;
    }
    case 'braids':
      if (view !== 'side') {
        p.box(2, top + 4, 2, 5, colour);
        p.box(12, top + 4, 2, 5, dark);
        p.dot(2, top + 8, c.second);
        p.dot(13, top + 8, c.second);
      } else {
        p.box(10, top + 4, 2, 6, dark);
        p.dot(10, top + 9, c.second);
      }
      break;
    case 'short':
    case 'cropped':
      break;
  }
}

/** Which way the parting falls. */
function parting(look: Look): number {
  return look.hair + look.cloth + look.trousers;
}

/** Somebody in bed, the head on a pillow. */
export function asleep(look: Look): Pixels {
  const p = new Pixels(WIDTH, HEIGHT);
  const c = colours(look);
  const top = 9;
  p.box(2, top - 2, 12, 8, PILLOW);
  face(p, { ...look, glasses: false }, { ...c, eyes: c.skin }, 'front', top);
  for (const x of [5, 9]) p.box(x, top + 4, 2, 1, mix(c.skin, INK, 0.7));
  hair(p, look.haircut === 'cap' ? { ...look, haircut: 'short' } : look, c, 'front', top);
  p.box(2, top + 7, 12, 6, BLANKET);
  p.box(2, top + 7, 12, 1, light(BLANKET));
  p.box(12, top + 8, 2, 5, shade(BLANKET));
  p.outline();
  return p;
}

/** A person's head and shoulders: a square of `WIDTH` pixels. */
export function portrait(look: Look): Pixels {
  const whole = pose(look, 'front', 'stand');
  const { legs, body } = SIZES[look.build];
  // Everybody's eyes are on one line, whatever their height.
  const raised = SIZES.adult.legs + SIZES.adult.body - legs - body;
  const p = new Pixels(WIDTH, WIDTH);
  p.data.set(whole.data.subarray(raised * WIDTH * 4, (raised + WIDTH) * WIDTH * 4));
  return p;
}

/** All cells of a person, in the order of `POSES`, then asleep. */
export function cells(look: Look): Pixels[] {
  return [...POSES.map(({ view, step }) => pose(look, view, step)), asleep(look)];
}
