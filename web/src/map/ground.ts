/**
 * The unmoving part of the map, cut into square pieces that are painted when they come into sight, for a few
 * milliseconds a frame, and forgotten when they have long been out of it. Seen from far away, coarser pieces take over,
 * so that a town of any size costs about the same.
 */
import { CanvasSource, Container, Graphics, Sprite, Texture } from 'pixi.js';
import type { Camera } from './camera.ts';

/**
 * Paints the tiles of a rectangle at `size` pixels each, the first at the context's origin. The rectangle may reach beyond
 * the town: there the land goes on as it is at the town's edge.
 */
export type TilePainter = (
  context: CanvasRenderingContext2D,
  area: { x: number; y: number; width: number; height: number },
  size: number,
) => void;

/** Pixels of a piece's side. */
const PIECE = 512;
/** How much coarser each level is than the one before. */
const STEP = 4;
const LEVELS = 3;
const KEPT = 96;
/** Tiles of plain ground around a town: more than any screen shows. */
export const FAR = 4096;
/** What lies beyond the town is a little darker, so that its edge can be seen. */
const BEYOND = 'rgba(24, 40, 44, 0.18)';

type Piece = { sprite: Sprite; seen: number };

export class Ground {
  readonly container = new Container();
  private readonly pieces = new Map<string, Piece>();
  private frame = 0;
  private readonly paint: TilePainter;
  private readonly town: { width: number; height: number };
  /** Pixels of a tile as painted close by. */
  private readonly size: number;

  /** Whether it goes on beyond the town. */
  private readonly endless: boolean;

  /** `base` is the colour that shows where a piece is not painted yet; without one nothing is drawn beyond the town. */
  constructor(paint: TilePainter, town: { width: number; height: number }, size: number, base: number | null) {
    if (base !== null) {
      this.container.addChild(new Graphics().rect(-FAR, -FAR, town.width + 2 * FAR, town.height + 2 * FAR).fill(base));
    }
    this.endless = base !== null;
    this.paint = paint;
    this.town = town;
    this.size = size;
  }

  /** Brings the pieces in sight up; true while some are still missing. */
  update(camera: Camera, pixel_ratio: number): boolean {
    this.frame += 1;
    let level = 0;
    while (level < LEVELS - 1 && camera.tile * pixel_ratio * STEP ** (level + 1) < this.size * 1.5) level += 1;
    const size = Math.max(1, this.size / STEP ** level);
    const across = Math.floor(PIECE / size);
    const sight = camera.sight();
    const far = this.endless ? Math.floor(FAR / across) : 0;
    const [left, top] = [Math.max(-far, Math.floor(sight.left / across)), Math.max(-far, Math.floor(sight.top / across))];
    const right = Math.min(Math.ceil(this.town.width / across) - 1 + far, Math.floor(sight.right / across));
    const bottom = Math.min(Math.ceil(this.town.height / across) - 1 + far, Math.floor(sight.bottom / across));
    let missing = false;
    // The first pieces may take their time, for an empty map is worse than a late one.
    const enough_ms = performance.now() + (this.pieces.size === 0 ? 400 : 8);
    for (const { sprite } of this.pieces.values()) sprite.visible = false;
    const wanted: { key: string; x: number; y: number; off: number }[] = [];
    for (let y = top; y <= bottom; y += 1) {
      for (let x = left; x <= right; x += 1) {
        const key = `${level}:${x}:${y}`;
        const piece = this.pieces.get(key);
        if (piece) this.show(piece);
        else wanted.push({ key, x, y, off: Math.hypot((x + 0.5) * across - camera.x, (y + 0.5) * across - camera.y) });
      }
    }
    // The middle of the picture first.
    for (const { key, x, y } of wanted.sort((a, b) => a.off - b.off)) {
      if (performance.now() > enough_ms) {
        missing = true;
        break;
      }
      const piece = { sprite: this.make(x * across, y * across, across, size), seen: 0 };
      this.pieces.set(key, piece);
      this.container.addChild(piece.sprite);
      this.show(piece);
    }
    if (this.pieces.size > KEPT) this.forget();
    return missing;
  }

  private show(piece: Piece): void {
    piece.seen = this.frame;
    piece.sprite.visible = true;
  }

  private make(x: number, y: number, across: number, size: number): Sprite {
    const width = this.endless ? across : Math.min(across, this.town.width - x);
    const height = this.endless ? across : Math.min(across, this.town.height - y);
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * size);
    canvas.height = Math.ceil(height * size);
    const context = canvas.getContext('2d');
    if (context) {
      this.paint(context, { x, y, width, height }, size);
      this.shade(context, { x, y, width, height }, size);
    }
    const source = new CanvasSource({ resource: canvas, autoGenerateMipmaps: true });
    source.style.magFilter = 'nearest';
    source.style.minFilter = 'linear';
    source.style.mipmapFilter = 'linear';
    source.style.update();
    const sprite = new Sprite(new Texture({ source }));
    sprite.position.set(x, y);
    sprite.scale.set(1 / size);
    return sprite;
  }

  /** Darkens what of the piece lies beyond the town. */
  private shade(context: CanvasRenderingContext2D, area: { x: number; y: number; width: number; height: number }, size: number): void {
    if (!this.endless) return;
    const inside = (at: number, most: number): number => Math.max(0, Math.min(most, at));
    const [left, right] = [inside(-area.x, area.width), inside(this.town.width - area.x, area.width)];
    const [top, bottom] = [inside(-area.y, area.height), inside(this.town.height - area.y, area.height)];
    context.beginPath();
    context.rect(0, 0, area.width * size, area.height * size);
    context.rect(left * size, top * size, (right - left) * size, (bottom - top) * size);
    context.fillStyle = BEYOND;
    context.fill('evenodd');
  }

  private forget(): void {
    for (const [key, { sprite, seen }] of this.pieces) {
      if (this.pieces.size <= KEPT || seen === this.frame) continue;
      sprite.destroy({ texture: true, textureSource: true });
      this.pieces.delete(key);
    }
  }

  destroy(): void {
    for (const { sprite } of this.pieces.values()) sprite.destroy({ texture: true, textureSource: true });
    this.pieces.clear();
    this.container.destroy();
  }
}
