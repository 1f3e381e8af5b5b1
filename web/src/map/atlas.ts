/**
 * Many small pictures on few large ones, so that everything on the map is drawn in one go.
 *
 * `get(key, …)` gives the picture of that key, painting it the first time. Pages are filled shelf by shelf. When all
 * pages are full everything is forgotten (`generation` counts up) and whoever needs a picture asks again: what is asked
 * for every frame comes back by itself.
 */
import { CanvasSource, Rectangle, Texture } from 'pixi.js';

export type Paint = (context: CanvasRenderingContext2D, width: number, height: number) => void;

type Page = { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D; source: CanvasSource; x: number; y: number; shelf: number; stale: boolean };

/** Pixels between pictures, so that none bleeds into its neighbour when scaled. */
const GAP = 2;

export class Atlas {
  generation = 0;
  private readonly size: number;
  private readonly most_pages: number;
  private readonly smooth: boolean;
  private pages: Page[] = [];
  private readonly textures = new Map<string, Texture>();

  constructor(options: { size: number; most_pages: number; smooth: boolean }) {
    this.size = options.size;
    this.most_pages = options.most_pages;
    this.smooth = options.smooth;
  }

  /** The picture of `key`, `width` × `height` pixels; larger than a page is cut off. */
  get(key: string, width: number, height: number, paint: Paint): Texture {
    const known = this.textures.get(key);
    if (known) return known;
    const w = Math.min(Math.ceil(width), this.size - GAP);
    const h = Math.min(Math.ceil(height), this.size - GAP);
    const page = this.room(w, h);
    const { context } = page;
    context.save();
    context.translate(page.x, page.y);
    context.beginPath();
    context.rect(0, 0, w, h);
    context.clip();
    paint(context, w, h);
    context.restore();
    page.stale = true;
    const texture = new Texture({ source: page.source, frame: new Rectangle(page.x, page.y, w, h) });
    page.x += w + GAP;
    page.shelf = Math.max(page.shelf, h + GAP);
    this.textures.set(key, texture);
    return texture;
  }

  has(key: string): boolean {
    return this.textures.has(key);
  }

  /** Hands what was painted since the last call to the graphics card. */
  flush(): void {
    for (const page of this.pages) {
      if (!page.stale) continue;
      page.source.update();
      page.stale = false;
    }
  }

  private room(width: number, height: number): Page {
    for (const page of this.pages) {
      if (page.x + width + GAP > this.size) {
        if (page.y + page.shelf + height + GAP > this.size) continue;
        page.y += page.shelf;
        page.x = 0;
        page.shelf = 0;
      }
      if (page.y + height + GAP <= this.size) return page;
    }
    if (this.pages.length >= this.most_pages) this.clear();
    const page = this.page();
    this.pages.push(page);
    return page;
  }

  private page(): Page {
    const canvas = document.createElement('canvas');
    canvas.width = this.size;
    canvas.height = this.size;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('This browser draws no pictures (no 2D canvas).');
    const source = new CanvasSource({ resource: canvas, scaleMode: this.smooth ? 'linear' : 'nearest', autoGarbageCollect: false });
    return { canvas, context, source, x: 0, y: 0, shelf: 0, stale: true };
  }

  clear(): void {
    for (const texture of this.textures.values()) texture.destroy();
    for (const page of this.pages) page.source.destroy();
    this.textures.clear();
    this.pages = [];
    this.generation += 1;
  }
}
