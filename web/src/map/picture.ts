/** Paints a town's own pictures: its tile layers, with the flips Tiled knows. */
import { apiUrl } from '../api/client.ts';
import type { Layer, Picture, Tileset } from '../api/types.ts';
import type { TilePainter } from './ground.ts';

const FLIP_X = 0x80000000;
const FLIP_Y = 0x40000000;
const FLIP_DIAGONAL = 0x20000000;
/** The part of a tile that says which it is. */
export const NUMBER = 0x0fffffff;

export type Loaded = { set: Tileset; image: HTMLImageElement };

/** Loads the tilesets. A picture that cannot be loaded is an error that names it. */
export function loadTilesets(picture: Picture): Promise<Loaded[]> {
  return Promise.all(
    picture.tilesets.map(async (set) => {
      const image = new Image();
      image.src = apiUrl(set.image.replace(/^\/?api\//, '')).href;
      try {
        await image.decode();
      } catch {
        throw new Error(set.image);
      }
      return { set, image };
    }),
  );
}

/** Paints the layers that lie under residents, or those over them. */
export function picturePainter(picture: Picture, tilesets: readonly Loaded[], town: { width: number; height: number }, above: boolean): TilePainter {
  const layers = picture.layers.filter((layer) => layer.above === above);
  const sets = [...tilesets].sort((a, b) => b.set.first - a.set.first);
  return (context, area, size) => {
    context.imageSmoothingEnabled = size < picture.tile_width;
    context.imageSmoothingQuality = 'high';
    for (const [depth, layer] of layers.entries()) {
      context.globalAlpha = layer.opacity;
      for (let row = 0; row < area.height; row += 1) {
        for (let column = 0; column < area.width; column += 1) {
          const [x, y] = [area.x + column, area.y + row];
          const [inside_x, inside_y] = [Math.max(0, Math.min(town.width - 1, x)), Math.max(0, Math.min(town.height - 1, y))];
          // Beyond the town only the ground itself goes on.
          if (depth > 0 && (x !== inside_x || y !== inside_y)) continue;
          const tile = layer.tiles[inside_y * town.width + inside_x] ?? 0;
          if (tile !== 0) paintTile(context, sets, picture, tile, column, row, size);
        }
      }
    }
    context.globalAlpha = 1;
  };
}

/** Whether a town has layers of the kind at all. */
export function hasLayers(layers: readonly Layer[], above: boolean): boolean {
  return layers.some((layer) => layer.above === above && layer.tiles.some((tile) => tile !== 0));
}

function paintTile(
  context: CanvasRenderingContext2D,
  sets: readonly Loaded[],
  picture: Picture,
  tile: number,
  column: number,
  row: number,
  size: number,
): void {
  const number = tile & NUMBER;
  const found = sets.find(({ set }) => set.first <= number);
  if (!found) return;
  const { set, image } = found;
  const index = number - set.first;
  if (index >= set.count || set.columns === 0) return;
  const from_x = set.margin + (index % set.columns) * (set.tile_width + set.spacing);
  const from_y = set.margin + Math.floor(index / set.columns) * (set.tile_height + set.spacing);
  // Tiles larger than the grid stand on its bottom left corner.
  const scale = size / picture.tile_width;
  const [width, height] = [set.tile_width * scale, set.tile_height * scale];
  const [x, y] = [column * size, (row + 1) * size - height];
  if ((tile & (FLIP_X | FLIP_Y | FLIP_DIAGONAL)) === 0) {
    context.drawImage(image, from_x, from_y, set.tile_width, set.tile_height, x, y, width, height);
    return;
  }
  context.save();
  context.translate(x + width / 2, y + height / 2);
  context.scale((tile & FLIP_X) !== 0 ? -1 : 1, (tile & FLIP_Y) !== 0 ? -1 : 1);
  if ((tile & FLIP_DIAGONAL) !== 0) context.transform(0, 1, 1, 0, 0, 0);
  context.drawImage(image, from_x, from_y, set.tile_width, set.tile_height, -width / 2, -height / 2, width, height);
  context.restore();
}
