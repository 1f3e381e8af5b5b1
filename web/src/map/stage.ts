/**
 * The map itself: a canvas on which the town, its people and their words are drawn, before every picture anew but only
 * while something changes. Owns the graphics; knows the shared state only through the `Wishes` it is handed.
 *
 * Drawn from below: ground, shadows, people, what hangs over them, the light of the hour, letters and signs.
 * WebGL where there is any, else the 2D canvas.
 */
import { Container, Graphics, autoDetectRenderer, type Renderer } from 'pixi.js';
import 'pixi.js/unsafe-eval';
import type { Frame, Place, PlaceId, Resident, ResidentId, TownMap } from '../api/types.ts';
import type { Scene } from '../replay/scene.ts';
import { Camera, type Point } from './camera.ts';
import { Crowd } from './crowd.ts';
import { Ground } from './ground.ts';
import { Night } from './night.ts';
import { Overlay } from './overlay.ts';
import { hasLayers, loadTilesets, picturePainter } from './picture.ts';
import { planPainter } from './plan/painter.ts';
import { Lettering, type Ink } from './text.ts';

/** Pixels of a tile on maps that are drawn from their places. */
const PLAN_TILE = 16;
/** What lies under everything: the green of the bundled tileset. */
const GRASS = 0x7eb060;
/** Device pixels per CSS pixel at most: more is not seen and costs. */
const MOST_RATIO = 2;

export type Wishes = {
  chosen: ResidentId | null;
  following: ResidentId | null;
  /** Game seconds since 1970 at the end of the tick shown. */
  now: number;
  secondsPerTick: number;
  /** Who waits for a model. */
  thinking: ReadonlySet<ResidentId>;
  /** No motion between ticks, no blinking. */
  still: boolean;
};

export type Hit = { resident: ResidentId | null; object: PlaceId | null; x: number; y: number; inside: boolean };

export class Stage {
  readonly camera = new Camera();
  hovered: ResidentId | null = null;
  private readonly renderer: Renderer;
  private readonly root = new Container();
  private readonly world = new Container();
  private readonly marks = new Graphics();
  private readonly map: TownMap;
  private readonly ground: Ground;
  private readonly above: Ground | null;
  private readonly night: Night;
  private readonly crowd = new Crowd();
  private readonly overlay: Overlay;
  private lettering: Lettering;
  private residents: ReadonlyMap<ResidentId, Resident> = new Map();
  private objects: ReadonlyMap<number, Place>;
  private marked = '';
  private opened = false;

  private constructor(renderer: Renderer, map: TownMap, ground: Ground, above: Ground | null, ink: Ink) {
    this.renderer = renderer;
    this.map = map;
    this.ground = ground;
    this.above = above;
    this.night = new Night(map);
    this.overlay = new Overlay(map.places);
    this.lettering = new Lettering(renderer.resolution, ink);
    this.world.addChild(ground.container, this.crowd.shadows, this.marks, this.crowd.figures);
    if (above) this.world.addChild(above.container);
    this.world.addChild(this.night.container);
    this.root.addChild(this.world, this.overlay.container);
    const objects = new Map<number, Place>();
    for (const place of map.places) {
      if (place.kind !== 'object') continue;
      for (const [x, y, length] of place.spans) for (let i = 0; i < length; i += 1) objects.set(y * map.width + x + i, place);
    }
    this.objects = objects;
  }

  /** Sets the stage up on a canvas. Fails where the browser can draw nothing, or a tileset cannot be loaded (the error names it). */
  static async make(canvas: HTMLCanvasElement, map: TownMap, ink: Ink): Promise<Stage> {
    const { picture } = map;
    const tilesets = picture ? await loadTilesets(picture) : [];
    const renderer = (await autoDetectRenderer({
      canvas,
      preference: ['webgl', 'canvas'],
      antialias: false,
      backgroundAlpha: 0,
      resolution: Math.min(window.devicePixelRatio || 1, MOST_RATIO),
      autoDensity: false,
    })) as Renderer;
    const painter = picture ? picturePainter(picture, tilesets, map, false) : planPainter(map);
    const tile = picture ? picture.tile_width : PLAN_TILE;
    const ground = new Ground(painter, map, tile, GRASS);
    const above =
      picture && hasLayers(picture.layers, true) ? new Ground(picturePainter(picture, tilesets, map, true), map, tile, null) : null;
    return new Stage(renderer, map, ground, above, ink);
  }

  people(residents: readonly Resident[]): void {
    this.residents = new Map(residents.map((who) => [who.id, who]));
    this.crowd.people(residents);
  }

  get portraits(): Crowd {
    return this.crowd;
  }

  /** What draws: for the curious and for tests. */
  get kind(): string {
    return this.renderer.name;
  }

  ink(ink: Ink): void {
    this.overlay.reset();
    this.lettering.atlas.clear();
    this.lettering = new Lettering(this.renderer.resolution, ink);
  }

  resize(width: number, height: number): void {
    this.renderer.resize(width, height);
    this.camera.resize(width, height);
    if (!this.opened) this.camera.town(this.map.width, this.map.height);
    this.opened = true;
  }

  /** Draws one picture. True while there is more to come without anything else changing. */
  draw(scene: Scene | null, ahead: Frame | null, part: number, wishes: Wishes, time_ms: number): boolean {
    const { camera } = this;
    if (scene) {
      this.crowd.update(scene, ahead, part, camera, wishes.still);
      const followed = wishes.following === null ? null : this.crowd.where(wishes.following);
      if (followed) {
        camera.centre(followed.x, followed.y);
        this.crowd.update(scene, ahead, part, camera, wishes.still);
      }
      const minute = ((wishes.now + part * wishes.secondsPerTick) % 86400) / 60;
      const dark = this.night.update(scene, minute);
      this.mark(wishes.chosen);
      this.overlay.update({
        scene,
        crowd: this.crowd,
        camera,
        lettering: this.lettering,
        residents: this.residents,
        chosen: wishes.chosen,
        hovered: this.hovered,
        thinking: wishes.thinking,
        time_ms,
        still: wishes.still,
        night: dark > 0.6,
      });
    }
    this.world.scale.set(camera.tile);
    const origin = camera.screen(0, 0);
    this.world.position.set(origin.x, origin.y);
    let more = this.ground.update(camera, this.renderer.resolution) || this.crowd.missing;
    if (this.above) more = this.above.update(camera, this.renderer.resolution) || more;
    this.renderer.render(this.root);
    return more;
  }

  /** A ring under the feet of whom one looks at. */
  private mark(chosen: ResidentId | null): void {
    const who = chosen === null ? null : this.crowd.where(chosen);
    this.marks.visible = who?.visible === true;
    if (!who) return;
    const wide = Math.max(0.55, 9 / this.camera.tile);
    const wanted = wide.toFixed(2);
    if (wanted !== this.marked) {
      this.marked = wanted;
      this.marks.clear();
      this.marks.ellipse(0, 0, wide, wide * 0.5).fill({ color: 0xffffff, alpha: 0.35 });
      this.marks.ellipse(0, 0, wide, wide * 0.5).stroke({ color: 0xffffff, width: 0.12 });
      this.marks.ellipse(0, 0, wide + 0.06, wide * 0.5 + 0.06).stroke({ color: 0x2f6b4f, width: 0.1 });
    }
    this.marks.position.set(who.x, who.y + 0.32);
  }

  /** The tile of the town that is nearest to a place in it. */
  nearest({ x, y }: Point): Point {
    const within = (at: number, size: number): number => Math.max(0, Math.min(size - 1, Math.floor(at)));
    return { x: within(x, this.map.width), y: within(y, this.map.height) };
  }

  /** What lies under a point of the screen. */
  hit(at: Point): Hit {
    const { x, y } = this.camera.world(at);
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const inside = column >= 0 && row >= 0 && column < this.map.width && row < this.map.height;
    return {
      resident: this.crowd.at(x, y, this.camera),
      object: inside ? (this.objects.get(row * this.map.width + column)?.id ?? null) : null,
      x: column,
      y: row,
      inside,
    };
  }

  /** Where somebody is drawn, in CSS pixels from the map's top left; null for who is not there or out of sight. */
  spot(id: ResidentId): Point | null {
    const who = this.crowd.where(id);
    return who?.visible ? this.camera.screen(who.x, who.y) : null;
  }

  /** The tile somebody is drawn on; null for who is not there. */
  tile(id: ResidentId): Point | null {
    const who = this.crowd.where(id);
    return who ? { x: Math.floor(who.x), y: Math.floor(who.y) } : null;
  }

  destroy(): void {
    this.ground.destroy();
    this.above?.destroy();
    this.night.destroy();
    this.root.destroy({ children: true });
    this.renderer.destroy();
  }
}
