/** Which part of the town the map shows. World units are tiles; screen units are CSS pixels from the map's top left. */

export type Point = { x: number; y: number };

/** Pixels a tile may take at most, and at least (unless a whole town needs less to fit). */
const LARGEST_TILE = 96;
const SMALLEST_TILE = 4;
/** A town whose tiles get no more than this is not shown whole at first. */
const TOO_SMALL = 5;
/** CSS pixels left free around a town shown whole; above it stand the controls. */
const MARGIN = 8;
const CONTROLS = 52;

export class Camera {
  /** The tile in the middle of the screen. */
  x = 0;
  y = 0;
  /** CSS pixels of a tile's side. */
  tile = 16;
  width = 1;
  height = 1;
  private town_width = 1;
  private town_height = 1;
  /** True until somebody moves the camera: then a changed window shows the whole town again. */
  fitted = true;

  town(width: number, height: number): void {
    this.town_width = width;
    this.town_height = height;
    this.fit();
    // On a small screen a whole town is too small to see anything: fill the screen instead.
    if (this.tile < TOO_SMALL) {
      this.tile = Math.min(TOO_SMALL * 1.5, Math.max(this.width / width, this.height / height));
      this.fitted = false;
    }
  }

  resize(width: number, height: number): void {
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    if (this.fitted) this.fit();
    this.clamp();
  }

  private get fitting(): number {
    const [width, height] = [this.width - 2 * MARGIN, this.height - MARGIN - CONTROLS];
    return Math.max(0.1, Math.min(width / this.town_width, height / this.town_height));
  }

  /** How far, in tiles, a town stands below the middle of the screen so that controls do not cover it. */
  private get lift(): number {
    return (CONTROLS - MARGIN) / 2 / this.tile;
  }

  fit(): void {
    this.tile = this.fitting;
    this.x = this.town_width / 2;
    this.y = this.town_height / 2 - this.lift;
    this.fitted = true;
  }

  pan(dx: number, dy: number): void {
    this.x -= dx / this.tile;
    this.y -= dy / this.tile;
    this.fitted = false;
    this.clamp();
  }

  /** Zooms so that what lies under `at` stays there. */
  zoom(factor: number, at: Point = { x: this.width / 2, y: this.height / 2 }): void {
    const before = this.world(at);
    this.tile = Math.max(Math.min(SMALLEST_TILE, this.fitting), Math.min(LARGEST_TILE, this.tile * factor));
    const after = this.world(at);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
    this.fitted = false;
    this.clamp();
  }

  centre(x: number, y: number): void {
    this.x = x;
    this.y = y;
    this.fitted = false;
    this.clamp();
  }

  /** Moves no further than it takes for a tile to be in sight, so many tiles from the rim where there is room. */
  reveal(x: number, y: number, margin = 2): void {
    const reach = (half: number): number => Math.max(0, half - margin - 0.5);
    const [wide, high] = [reach(this.width / this.tile / 2), reach(this.height / this.tile / 2)];
    this.centre(Math.max(x + 0.5 - wide, Math.min(x + 0.5 + wide, this.x)), Math.max(y + 0.5 - high, Math.min(y + 0.5 + high, this.y)));
  }

  /** Keeps at least part of the town in sight, and a town smaller than the screen in its middle. */
  private clamp(): void {
    const half_width = this.width / this.tile / 2;
    const half_height = this.height / this.tile / 2;
    const keep = (at: number, half: number, size: number, lift: number): number =>
      half * 2 >= size ? size / 2 - lift : Math.max(half - 2 - 2 * lift, Math.min(size - half + 2, at));
    this.x = keep(this.x, half_width, this.town_width, 0);
    this.y = keep(this.y, half_height, this.town_height, this.lift);
  }

  screen(x: number, y: number): Point {
    return { x: (x - this.x) * this.tile + this.width / 2, y: (y - this.y) * this.tile + this.height / 2 };
  }

  world(at: Point): Point {
    return { x: (at.x - this.width / 2) / this.tile + this.x, y: (at.y - this.height / 2) / this.tile + this.y };
  }

  /** What is in sight, in tiles, with a margin. */
  sight(margin = 0): { left: number; top: number; right: number; bottom: number } {
    const half_width = this.width / this.tile / 2 + margin;
    const half_height = this.height / this.tile / 2 + margin;
    return { left: this.x - half_width, top: this.y - half_height, right: this.x + half_width, bottom: this.y + half_height };
  }
}
