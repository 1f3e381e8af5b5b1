/** A small picture in memory, with the few marks that people are made of. */
import { INK, mix, type Rgb } from './palette.ts';

export class Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha of every pixel, row by row. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.data = new Uint8ClampedArray(width * height * 4);
  }

  /** A filled box; what lies outside the picture is cut off. */
  box(x: number, y: number, width: number, height: number, colour: Rgb): void {
    for (let row = Math.max(y, 0); row < Math.min(y + height, this.height); row += 1) {
      for (let column = Math.max(x, 0); column < Math.min(x + width, this.width); column += 1) {
        this.data.set([colour[0], colour[1], colour[2], 255], (row * this.width + column) * 4);
      }
    }
  }

  dot(x: number, y: number, colour: Rgb): void {
    this.box(x, y, 1, 1, colour);
  }

  clear(x: number, y: number): void {
    this.data.fill(0, (y * this.width + x) * 4, (y * this.width + x) * 4 + 4);
  }

  filled(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height && this.data[(y * this.width + x) * 4 + 3] === 255;
  }

  /** A dark line around all that is painted, tinted by what it borders on. */
  outline(): void {
    const line: [number, number, Rgb][] = [];
    for (let y = 0; y < this.height; y += 1) {
      for (let x = 0; x < this.width; x += 1) {
        if (this.filled(x, y)) continue;
        const beside = [
          [x, y + 1],
          [x - 1, y],
          [x + 1, y],
          [x, y - 1],
        ].find(([nx, ny]) => this.filled(nx ?? -1, ny ?? -1));
        if (!beside) continue;
        const at = ((beside[1] ?? 0) * this.width + (beside[0] ?? 0)) * 4;
        const colour: Rgb = [this.data[at] ?? 0, this.data[at + 1] ?? 0, this.data[at + 2] ?? 0];
        line.push([x, y, mix(colour, INK, 0.78)]);
      }
    }
    for (const [x, y, colour] of line) this.dot(x, y, colour);
  }

  /** Left and right exchanged. */
  mirrored(): Pixels {
    const other = new Pixels(this.width, this.height);
    for (let y = 0; y < this.height; y += 1) {
      for (let x = 0; x < this.width; x += 1) {
        const from = (y * this.width + (this.width - 1 - x)) * 4;
        other.data.set(this.data.subarray(from, from + 4), (y * this.width + x) * 4);
      }
    }
    return other;
  }
}
