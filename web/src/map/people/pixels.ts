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
        this.put((row * this.width + column) * 4, colour);
      }
    }
  }

  private put(at: number, colour: Rgb): void {
    this.data[at] = colour[0];
    this.data[at + 1] = colour[1];
    this.data[at + 2] = colour[2];
    this.data[at + 3] = 255;
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
    const line: [at: number, colour: Rgb][] = [];
    for (let y = 0; y < this.height; y += 1) {
      for (let x = 0; x < this.width; x += 1) {
        if (this.filled(x, y)) continue;
        const from = this.beside(x, y);
        if (from === null) continue;
        const colour: Rgb = [this.data[from] ?? 0, this.data[from + 1] ?? 0, this.data[from + 2] ?? 0];
        line.push([(y * this.width + x) * 4, mix(colour, INK, 0.78)]);
      }
    }
    for (const [at, colour] of line) this.put(at, colour);
  }

  /** Where a painted pixel beside this one lies in the data; null where there is none. */
  private beside(x: number, y: number): number | null {
    if (this.filled(x, y + 1)) return ((y + 1) * this.width + x) * 4;
    if (this.filled(x - 1, y)) return (y * this.width + x - 1) * 4;
    if (this.filled(x + 1, y)) return (y * this.width + x + 1) * 4;
    if (this.filled(x, y - 1)) return ((y - 1) * this.width + x) * 4;
    return null;
  }
}
