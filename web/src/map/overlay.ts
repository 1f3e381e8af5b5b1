/**
 * What stands above the town in letters and signs: names of places and people, signs of what they do, what they say.
 * It keeps its size while the map is zoomed; how much of it is shown depends on the zoom, and what would cover
 * something more important is left out.
 */
import { Container, Sprite } from 'pixi.js';
import type { Place, Resident, ResidentId } from '../api/types.ts';
import type { Scene } from '../replay/scene.ts';
import type { Camera } from './camera.ts';
import type { Crowd, Drawn } from './crowd.ts';
import type { Label, Lettering } from './text.ts';

/** Zoom, in CSS pixels of a tile, from which (and to which) things are named. */
const SECTORS = { from: 3.5, to: 30 };
const ARENAS = { from: 22, to: 1000 };
const OBJECTS = { from: 40, to: 1000 };
const NAMES = 26;
const EMOJI = 6.5;
const SPEECH = 7;
/** Who waits for a model thinks of nothing yet. */
const WAITS = '…';
/** Letters and signs shown at a time. */
const MOST = 400;

type Named = { place: Place; x: number; y: number; width: number; height: number };
type Box = { left: number; top: number; right: number; bottom: number };

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
  private boxes: Box[] = [];
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
  }): void {
    const { scene, crowd, camera, lettering } = input;
    this.used = 0;
    this.boxes = [];
    const lines = new Map<ResidentId, string>();
    for (const talk of scene.talks.values()) if (talk.line) lines.set(talk.line.speaker, talk.line.text);

    const high = crowd.height(camera) * camera.tile;
    const spoken: [Drawn, string][] = [];
    for (const actor of crowd.drawn) {
      if (!actor.visible) continue;
      const foot = camera.screen(actor.x, actor.y + 0.3);
      const head = foot.y - high * 0.92;
      const line = lines.get(actor.id);
      const marked = actor.id === input.chosen || actor.id === input.hovered;
      if (line !== undefined && (camera.tile >= SPEECH || marked)) {
        spoken.push([actor, line]);
      } else if (camera.tile >= EMOJI || marked) {
        this.sign(actor, foot.x, head, input);
      }
    }
    // Names: first of whom one looks at, then of all.
    for (const marked of [true, false]) {
      if (!marked && camera.tile < NAMES) break;
      // A name must not cover somebody who stands in front.
      if (!marked) {
        for (const actor of crowd.drawn) {
          if (!actor.visible) continue;
          const foot = camera.screen(actor.x, actor.y + 0.3);
          this.boxes.push({ left: foot.x - high / 4, right: foot.x + high / 4, top: foot.y - high * 0.8, bottom: foot.y - 1 });
        }
      }
      for (const actor of crowd.drawn) {
        if (!actor.visible || (actor.id === input.chosen || actor.id === input.hovered) !== marked) continue;
        const who = input.residents.get(actor.id);
        if (!who) continue;
        const foot = camera.screen(actor.x, actor.y + 0.3);
        this.put(lettering.name(marked ? who.name : who.first_name, actor.id === input.chosen), foot.x, foot.y + 3, 0, marked);
      }
    }
    this.name(this.places.sector, SECTORS, 0, input);
    this.name(this.places.arena, ARENAS, 1, input);
    this.name(this.places.object, OBJECTS, 2, input);
    // What is said lies over everything else; whom one looks at speaks on top.
    spoken.sort(([a], [b]) => Number(a.id === input.chosen) - Number(b.id === input.chosen) || a.y - b.y);
    for (const [actor, line] of spoken) {
      const foot = camera.screen(actor.x, actor.y + 0.3);
      this.put(lettering.speech(line), foot.x, foot.y - high * 0.92, 1, true);
    }
    for (let i = this.used; i < this.pool.length; i += 1) this.pool[i]!.visible = false;
    lettering.atlas.flush();
  }

  private sign(
    actor: Drawn,
    x: number,
    y: number,
    input: { lettering: Lettering; thinking: ReadonlySet<ResidentId>; time_ms: number; still: boolean },
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
      this.put(input.lettering.emoji(action.emoji), x, y, 1, true);
    }
  }

  private name(
    places: readonly Named[],
    zoom: { from: number; to: number },
    weight: 0 | 1 | 2,
    { camera, lettering }: { camera: Camera; lettering: Lettering },
  ): void {
    if (camera.tile < zoom.from || camera.tile >= zoom.to) return;
    const sight = camera.sight(1);
    for (const { place, x, y, width, height } of places) {
      if (x < sight.left || x > sight.right || y < sight.top || y > sight.bottom) continue;
      const label = lettering.place(place.name, weight);
      if (label.width > Math.max(width, 2.2) * camera.tile * 1.25) continue;
      // Buildings are named on their upper wall, rooms and things in their middle.
      const at = camera.screen(x, weight === 0 ? y - height / 2 + 0.6 : y);
      this.put(label, at.x, at.y - label.height / 2, 0, false);
    }
  }

  /** Shows a label whose top (or, with `up` 1, bottom) middle is there, unless it must not cover what is shown already. */
  private put(label: Label, x: number, y: number, up: 0 | 1, forced: boolean): void {
    if (this.used >= MOST) return;
    const left = Math.round(x - label.width / 2);
    const top = Math.round(y - label.height * up);
    const box = { left, top, right: left + label.width, bottom: top + label.height };
    if (!forced && this.boxes.some((b) => b.left < box.right && b.right > box.left && b.top < box.bottom && b.bottom > box.top)) return;
    this.boxes.push(box);
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
