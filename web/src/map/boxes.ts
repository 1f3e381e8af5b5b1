/**
 * Which part of the screen is taken by letters: boxes that must not cover each other. However many there are, a new one is
 * compared only with those in the same cells of a grid.
 */
export type Box = { left: number; top: number; right: number; bottom: number };

/** CSS pixels of a cell's side: about as much as a short word. */
const CELL = 64;

export class Boxes {
  private columns = 1;
  private rows = 1;
  private cells: Box[][] = [[]];

  /** Takes nothing any more; the screen is so large. */
  clear(width: number, height: number): void {
    this.columns = Math.max(1, Math.ceil(width / CELL));
    this.rows = Math.max(1, Math.ceil(height / CELL));
    for (const cell of this.cells) cell.length = 0;
    while (this.cells.length < this.columns * this.rows) this.cells.push([]);
  }

  /** Whether it covers none that is taken. */
  free(box: Box): boolean {
    const { first, last, top, bottom } = this.reach(box);
    for (let row = top; row <= bottom; row += 1) {
      for (let column = first; column <= last; column += 1) {
        for (const other of this.cells[row * this.columns + column] ?? []) {
          if (other.left < box.right && other.right > box.left && other.top < box.bottom && other.bottom > box.top) return false;
        }
      }
    }
    return true;
  }

  take(box: Box): void {
    const { first, last, top, bottom } = this.reach(box);
    for (let row = top; row <= bottom; row += 1) {
      for (let column = first; column <= last; column += 1) this.cells[row * this.columns + column]?.push(box);
    }
  }

  /** The cells a box lies in; what lies beside the screen counts to its rim. */
  private reach({ left, right, top, bottom }: Box): { first: number; last: number; top: number; bottom: number } {
    const within = (at: number, most: number): number => Math.max(0, Math.min(most - 1, Math.floor(at / CELL)));
    return { first: within(left, this.columns), last: within(right, this.columns), top: within(top, this.rows), bottom: within(bottom, this.rows) };
  }
}
