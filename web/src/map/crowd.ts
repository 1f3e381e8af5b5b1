/**
 * The residents on the map: where each is drawn at this instant, in which pose, and what stands above the head.
 *
 * All figures share one atlas, so however many there are they are drawn in one go; who is out of sight costs a comparison.
 */
import { Container, Rectangle, Sprite, Texture, type CanvasSource } from 'pixi.js';
import type { Frame, Resident, ResidentId } from '../api/types.ts';
import { facing, type Facing, type Figure, type Scene } from '../replay/scene.ts';
import { Atlas } from './atlas.ts';
import type { Camera } from './camera.ts';
import { looks, type Look } from './people/look.ts';
import { CELLS, HEIGHT, POSES, WIDTH, cells } from './people/paint.ts';

/** Steps of a walk per tile: two strides. */
const STRIDES_PER_TILE = 2;
/** Somebody who gets further than this in a tick was put there and does not walk. */
const LONGEST_STEP = 1.5;
/** CSS pixels a figure is high at least, so that it can be told apart from far away. */
const LEAST_HEIGHT = 19;
const ATLAS_SIZE = 2048;
/** Milliseconds a picture may spend on painting people it has not shown before; a crowd appears over several. */
const PAINTING_MS = 40;

/** One resident as drawn in this frame. */
export type Drawn = {
  readonly id: ResidentId;
  readonly figure: Figure;
  /** The middle of the tile, in tiles, between two ticks. */
  x: number;
  y: number;
  visible: boolean;
};

type Actor = Drawn & { sprite: Sprite; shadow: Sprite; frames: Texture[]; figure: Figure };

const FACING_VIEW: Record<Facing, number> = { down: 0, up: 3, left: 6, right: 6 };

export class Crowd {
  readonly shadows = new Container();
  readonly figures = new Container({ sortableChildren: true });
  readonly drawn: Actor[] = [];
  private readonly actors = new Map<ResidentId, Actor>();
  private readonly atlas = new Atlas({ size: ATLAS_SIZE, most_pages: 8, smooth: false });
  private readonly looks = new Map<ResidentId, Look>();
  /** True while some have not been painted yet. */
  missing = false;
  private enough_ms = 0;
  private readonly steps = new Map<ResidentId, { x: number; y: number }>();

  /** Tells who may appear; called again when visitors come. */
  people(residents: readonly Resident[]): void {
    const given = looks(residents);
    residents.forEach((who, i) => {
      const look = given[i];
      if (look && !this.looks.has(who.id)) this.looks.set(who.id, look);
    });
  }

  look(id: ResidentId): Look | null {
    return this.looks.get(id) ?? null;
  }

  private actor(figure: Figure): Actor | null {
    const known = this.actors.get(figure.id);
    if (known) return known;
    const look = this.looks.get(figure.id);
    if (!look) return null;
    if (performance.now() > this.enough_ms) {
      this.missing = true;
      return null;
    }
    const painted = cells(look);
    const strip = this.atlas.get(`person ${figure.id}`, WIDTH * CELLS, HEIGHT, (context) => {
      const { e, f } = context.getTransform();
      painted.forEach((cell, i) => context.putImageData(new ImageData(cell.data, WIDTH, HEIGHT), e + i * WIDTH, f));
    });
    const frames = painted.map(
      (_, i) =>
        new Texture({
          source: strip.source as CanvasSource,
          frame: new Rectangle(strip.frame.x + i * WIDTH, strip.frame.y, WIDTH, HEIGHT),
        }),
    );
    const sprite = new Sprite(frames[0]);
    sprite.anchor.set(0.5, 22 / HEIGHT);
    const shadow = new Sprite(this.shadow());
    shadow.anchor.set(0.5, 0.5);
    this.figures.addChild(sprite);
    this.shadows.addChild(shadow);
    const actor: Actor = { id: figure.id, figure, x: figure.x, y: figure.y, visible: false, sprite, shadow, frames };
    this.actors.set(figure.id, actor);
    this.drawn.push(actor);
    return actor;
  }

  private shadow(): Texture {
    return this.atlas.get('shadow', 12, 6, (context, width, height) => {
      context.fillStyle = 'rgba(30, 24, 40, 0.35)';
      context.beginPath();
      context.ellipse(width / 2, height / 2, width / 2 - 0.5, height / 2 - 0.5, 0, 0, Math.PI * 2);
      context.fill();
    });
  }

  /** Places everybody. `part` of the step into the tick `ahead` is done. */
  update(scene: Scene, ahead: Frame | null, part: number, camera: Camera, still: boolean): void {
    this.missing = false;
    this.enough_ms = performance.now() + PAINTING_MS;
    this.steps.clear();
    for (const [id, x, y] of ahead?.moves ?? []) this.steps.set(id, { x, y });
    const sight = camera.sight(2);
    const scale = Math.max(1 / WIDTH, LEAST_HEIGHT / camera.tile / HEIGHT);
    for (const actor of this.drawn) actor.visible = false;
    for (const figure of scene.figures.values()) {
      const actor = this.actor(figure);
      if (!actor) continue;
      actor.figure = figure;
      const step = this.steps.get(figure.id);
      const [dx, dy] = step ? [step.x - figure.x, step.y - figure.y] : [0, 0];
      const walks = step !== undefined && !still && Math.hypot(dx, dy) <= LONGEST_STEP;
      actor.x = figure.x + 0.5 + (walks ? dx * part : 0);
      actor.y = figure.y + 0.5 + (walks ? dy * part : 0);
      if (actor.x < sight.left || actor.x > sight.right || actor.y < sight.top || actor.y > sight.bottom) continue;
      actor.visible = true;
      const { sprite, shadow } = actor;
      const sleeping = figure.action?.status === 'asleep';
      const faces = walks ? facing(dx, dy, figure.facing) : this.towards(figure, scene);
      const stride = walks ? Math.floor(part * STRIDES_PER_TILE * 2) % 4 : 0;
      // Stand, left, stand, right.
      const pose = FACING_VIEW[faces] + [0, 1, 0, 2][stride]!;
      const texture = actor.frames[sleeping ? POSES.length : pose];
      if (texture && sprite.texture !== texture) sprite.texture = texture;
      sprite.scale.set(faces === 'right' && !sleeping ? -scale : scale, scale);
      sprite.position.set(actor.x, actor.y + 0.3);
      sprite.zIndex = actor.y;
      shadow.scale.set(scale);
      shadow.position.set(actor.x, actor.y + 0.32);
      shadow.visible = !sleeping;
    }
    for (const { sprite, shadow, visible } of this.drawn) {
      sprite.visible = visible;
      if (!visible) shadow.visible = false;
    }
    this.atlas.flush();
  }

  /** Who talks looks at the other. */
  private towards(figure: Figure, scene: Scene): Facing {
    if (figure.action?.status !== 'talking') return figure.facing;
    for (const talk of scene.talks.values()) {
      if (talk.a !== figure.id && talk.b !== figure.id) continue;
      const other = scene.figures.get(talk.a === figure.id ? talk.b : talk.a);
      if (other) return facing(other.x - figure.x, other.y - figure.y, figure.facing);
    }
    return figure.facing;
  }

  /** How high a figure is, in tiles. */
  height(camera: Camera): number {
    return Math.max(HEIGHT / WIDTH, LEAST_HEIGHT / camera.tile);
  }

  /** Who stands at that point of the town, the nearest to the viewer first; null for nobody. */
  at(x: number, y: number, camera: Camera): ResidentId | null {
    const height = this.height(camera);
    const half = Math.max(0.6, 11 / camera.tile);
    let best: Actor | null = null;
    for (const actor of this.drawn) {
      if (!actor.visible || Math.abs(actor.x - x) > half) continue;
      if (y > actor.y + 0.6 || y < actor.y + 0.5 - height) continue;
      if (best === null || actor.y > best.y) best = actor;
    }
    return best?.id ?? null;
  }

  where(id: ResidentId): Drawn | null {
    return this.actors.get(id) ?? null;
  }
}
