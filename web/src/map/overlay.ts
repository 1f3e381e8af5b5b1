/**
 * What stands above the town in letters and signs: names of places and people, signs of what they do, what they say.
 * It keeps its size while the map is zoomed; how much of it is shown depends on the zoom, and what would cover
 * something more important is left out: of words that would cover each other the latest are shown, and who said the others
 * has the sign of somebody who talks.
 */
import { Container, Sprite } from 'pixi.js';
import type { Place, Resident, ResidentId } from '../api/types.ts';
import type { Scene } from '../replay/scene.ts';
import { type Box, Boxes } from './boxes.ts';
import type { Camera } from './camera.ts';
import type { Crowd, Drawn } from './crowd.ts';
import type { Label, Lettering } from './text.ts';

/** Zoom, in CSS pixels of a tile, from which (and to which) things are named. */
const SECTORS = { from: 3.5, to: 30 };
const ARENAS = { from: 22, to: 1000 };
const OBJECTS = { from: 40, to: 1000 };
const NAMES = 26;
const EMOJI = 5.5;
const SPEECH = 7;
/** From this zoom on whole lines of talk are shown; from further away their beginnings. */
const CLOSE = 14;
const MOST_LINES = 7;
const FEW_LINES = 3;
/** CSS pixels between words and the rim of the map. */
const EDGE = 4;
/** CSS pixels by which signs of people who stand close together may overlap. */
const SIGNS_OVERLAP = 7;
/** Who waits for a model thinks of nothing yet. */
const WAITS = '…';
/** Letters and signs shown at a time. */
const MOST = 400;

type Named = { place: Place; x: number; y: number; width: number; height: number };

/** Where the name of a place stands: the middle of its largest row block. */
function named(place: Place): Named {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y, length] of place.spans) {
    left = Math.min(left, x);
    right = Math.max(right, x + length);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  return { place, x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
}

export class Overlay {
  readonly container = new Container();
  private readonly pool: Sprite[] = [];
  private used = 0;
  private readonly boxes = new Boxes();
  private readonly places: Record<'sector' | 'arena' | 'object', Named[]>;

  constructor(places: readonly Place[]) {
    const of = (kind: Place['kind']): Named[] => places.filter((p) => p.kind === kind && p.spans.length > 0).map(named);
    this.places = { sector: of('sector'), arena: of('arena'), object: of('object') };
  }

  update(input: {
    scene: Scene;
    crowd: Crowd;
    camera: Camera;
    lettering: Lettering;
    residents: ReadonlyMap<ResidentId, Resident>;
    chosen: ResidentId | null;
    hovered: ResidentId | null;
    thinking: ReadonlySet<ResidentId>;
    time_ms: number;
    still: boolean;
    night: boolean;
  }): void {
    const { scene, crowd, camera, lettering } = input;
    this.used = 0;
    this.boxes.clear(camera.width, camera.height);
    const lines = new Map<ResidentId, { text: string; tick: number }>();
    for (const talk of scene.talks.values()) if (talk.line) lines.set(talk.line.speaker, talk.line);

    const high = crowd.height(camera) * camera.tile;
    const said = this.said(lines, high, input);
    for (const actor of crowd.drawn) {
      if (!actor.visible || said.has(actor.id)) continue;
      if (camera.tile < EMOJI && actor.id !== input.chosen && actor.id !== input.hovered) continue;
      const foot = camera.screen(actor.x, actor.y + 0.3);
      this.sign(actor, foot.x, foot.y - high * 0.92, input);
    }
    // Names: first of whom one looks at, then of all.
    for (const marked of [true, false]) {
      if (!marked && camera.tile < NAMES) break;
      // A name must not cover somebody who stands in front.
      if (!marked) {
        for (const actor of crowd.drawn) {
          if (!actor.visible) continue;
          const foot = camera.screen(actor.x, actor.y + 0.3);
          this.boxes.take({ left: foot.x - high / 4, right: foot.x + high / 4, top: foot.y - high * 0.8, bottom: foot.y - 1 });
        }
      }
      for (const actor of crowd.drawn) {
        if (!actor.visible || (actor.id === input.chosen || actor.id === input.hovered) !== marked) continue;
        const who = input.residents.get(actor.id);
        if (!who) continue;
        const foot = camera.screen(actor.x, actor.y + 0.3);
        const label = lettering.name(marked ? who.name : who.first_name, actor.id === input.chosen);
        const half = label.width / 2 + EDGE;
        const x = marked ? Math.max(half, Math.min(camera.width - half, foot.x)) : foot.x;
        this.put(label, x, foot.y + 3, 0, marked);
      }
    }
    this.name(this.places.sector, SECTORS, 0, input);
    this.name(this.places.arena, ARENAS, 1, input);
    this.name(this.places.object, OBJECTS, 2, input);
    for (const { label, left, top } of said.values()) this.show(label, left, top);
    for (let i = this.used; i < this.pool.length; i += 1) this.pool[i]!.visible = false;
    lettering.atlas.flush();
  }

  /** Where the words of those stand who speak and whose words are shown. */
  private said(
    lines: ReadonlyMap<ResidentId, { text: string; tick: number }>,
    high: number,
    { crowd, camera, lettering, chosen, hovered }: { crowd: Crowd; camera: Camera; lettering: Lettering; chosen: ResidentId | null; hovered: ResidentId | null },
  ): ReadonlyMap<ResidentId, { label: Label; left: number; top: number }> {
    const said = new Map<ResidentId, { label: Label; left: number; top: number }>();
    const weight = (id: ResidentId): number => Number(id === hovered) + 2 * Number(id === chosen);
    const speakers = [...lines]
      .map(([id, line]) => ({ id, line, drawn: crowd.where(id) }))
      .sort((a, b) => weight(b.id) - weight(a.id) || b.line.tick - a.line.tick || a.id - b.id);
    for (const { id, line, drawn } of speakers) {
      if (!drawn?.visible || (camera.tile < SPEECH && weight(id) === 0)) continue;
      const label = lettering.speech(line.text, camera.tile < CLOSE ? FEW_LINES : MOST_LINES);
      const foot = camera.screen(drawn.x, drawn.y + 0.3);
      // At the rim of the map words move inwards.
      const left = Math.round(Math.max(EDGE, Math.min(camera.width - label.width - EDGE, foot.x - label.width / 2)));
      const top = Math.round(Math.max(EDGE, foot.y - high * 0.92 - label.height));
      if (this.take({ left, top, right: left + label.width, bottom: top + label.height }, false)) said.set(id, { label, left, top });
    }
    return said;
  }

  private sign(
    actor: Drawn,
    x: number,
    y: number,
    input: {
      lettering: Lettering;
      thinking: ReadonlySet<ResidentId>;
      time_ms: number;
      still: boolean;
      chosen: ResidentId | null;
      hovered: ResidentId | null;
    },
  ): void {
    if (input.thinking.has(actor.id)) {
      this.put(input.lettering.emoji(WAITS), x, y, 1, true);
      return;
    }
    const action = actor.figure.action;
    if (!action) return;
    if (action.status === 'asleep') {
      const beat = input.still ? 2 : Math.floor(input.time_ms / 600 + actor.id) % 3;
      this.put(input.lettering.sign(['z', 'zz', 'zzz'][beat] ?? 'z'), x + 6, y + 4, 1, true);
    } else if (action.emoji !== '') {
      const marked = actor.id === input.chosen || actor.id === input.hovered;
      this.put(input.lettering.emoji(action.emoji), x, y, 1, marked, SIGNS_OVERLAP);
    }
  }

  private name(
    places: readonly Named[],
    zoom: { from: number; to: number },
    weight: 0 | 1 | 2,
    { camera, lettering, night }: { camera: Camera; lettering: Lettering; night: boolean },
  ): void {
    if (camera.tile < zoom.from || camera.tile >= zoom.to) return;
    const sight = camera.sight(1);
    for (const { place, x, y, width, height } of places) {
      if (x < sight.left || x > sight.right || y < sight.top || y > sight.bottom) continue;
      const label = lettering.place(place.name, weight, night);
      if (label.width > Math.max(width, 2.2) * camera.tile * (weight === 0 ? 1.6 : 1.25)) continue;
      const at = camera.screen(x, y);
      if (weight > 0) {
        this.put(label, at.x, at.y - label.height / 2, 0, false);
        continue;
      }
      // Buildings are named on their upper wall or, where somebody stands there, on the lower one.
      const half = (height / 2 - 0.6) * camera.tile;
      if (!this.put(label, at.x, at.y - half - label.height / 2, 0, false)) this.put(label, at.x, at.y + half - label.height / 2, 0, false);
    }
  }

  /** Shows a label whose top (or, with `up` 1, bottom) middle is there, unless it must not cover what is shown already: then false. */
  private put(label: Label, x: number, y: number, up: 0 | 1, forced: boolean, slack = 0): boolean {
    if (this.used >= MOST) return false;
    const left = Math.round(x - label.width / 2);
    const top = Math.round(y - label.height * up);
    const box = { left: left + slack, top: top + slack, right: left + label.width - slack, bottom: top + label.height - slack };
    if (!this.take(box, forced)) return false;
    this.show(label, left, top);
    return true;
  }

  /** Keeps a place free of other letters, unless it is taken already: then false. */
  private take(box: Box, forced: boolean): boolean {
    if (!forced && !this.boxes.free(box)) return false;
    this.boxes.take(box);
    return true;
  }

  private show(label: Label, left: number, top: number): void {
    let sprite = this.pool[this.used];
    if (!sprite) {
      sprite = new Sprite();
      this.pool.push(sprite);
      this.container.addChild(sprite);
    }
    this.used += 1;
    if (sprite.texture !== label.texture) sprite.texture = label.texture;
    sprite.visible = true;
    sprite.position.set(left, top);
    sprite.width = label.width;
    sprite.height = label.height;
  }

  /** A changed theme or screen: forget pictures that are gone. */
  reset(): void {
    for (const sprite of this.pool) sprite.destroy();
    this.pool.length = 0;
  }
}
