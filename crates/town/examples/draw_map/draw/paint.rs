//! How each kind looks: one function each, which paints one variant on a tile of 16 × 16 pixels.
//!
//! Light comes from the north-west. Furniture that joins its neighbours has an outline and a front
//! only on the sides where it ends.

use super::kinds::TILE;
use super::pixels::{Canvas, noise};

/// Paints a variant of a kind.
pub(crate) type Paint = fn(&mut Canvas, usize);

const NORTH: usize = 1;
const EAST: usize = 2;
const SOUTH: usize = 4;
const WEST: usize = 8;

type Rgb = [u8; 3];

const INK: Rgb = [62, 52, 60];
const GRASS: Rgb = [126, 176, 96];
const GRASS_DARK: Rgb = [110, 160, 86];
const GRASS_LIGHT: Rgb = [146, 192, 110];
const LEAF: Rgb = [74, 128, 78];
const LEAF_DARK: Rgb = [54, 100, 68];
const LEAF_LIGHT: Rgb = [108, 158, 88];
const BARK: Rgb = [112, 80, 60];
const SAND: Rgb = [218, 196, 150];
const SAND_DARK: Rgb = [198, 174, 128];
const COBBLE: Rgb = [176, 170, 166];
const COBBLE_DARK: Rgb = [152, 146, 146];
const COBBLE_LIGHT: Rgb = [194, 189, 183];
const WATER: Rgb = [92, 152, 186];
const WATER_LIGHT: Rgb = [128, 182, 206];
const WATER_DARK: Rgb = [74, 130, 168];
const FOAM: Rgb = [206, 228, 230];
const PLANK: Rgb = [178, 140, 98];
const PLANK_DARK: Rgb = [146, 110, 78];
const PLANK_LIGHT: Rgb = [198, 160, 116];
const OAK: Rgb = [206, 168, 120];
const OAK_DARK: Rgb = [184, 146, 102];
const SOIL: Rgb = [130, 98, 74];
const SOIL_DARK: Rgb = [108, 80, 62];
const WOOD: Rgb = [154, 108, 74];
const WOOD_DARK: Rgb = [116, 78, 58];
const WOOD_LIGHT: Rgb = [184, 136, 94];
const WHITE: Rgb = [244, 240, 230];
const PALE: Rgb = [220, 218, 212];
const GREY: Rgb = [150, 152, 158];
const STEEL: Rgb = [106, 112, 124];
const COAL: Rgb = [70, 68, 76];
const RED: Rgb = [190, 84, 76];
const RED_DARK: Rgb = [152, 62, 64];
const BLUE: Rgb = [92, 120, 172];
const GREEN: Rgb = [104, 146, 112];
const YELLOW: Rgb = [236, 196, 96];
const ORANGE: Rgb = [226, 140, 72];
const PINK: Rgb = [226, 150, 160];
const GLASS: Rgb = [170, 210, 222];

/// Whether the variant goes on to that side.
fn joins(variant: usize, side: usize) -> bool {
    variant & side != 0
}

/// Marks `count` pixels of a tile at random.
fn speckle(canvas: &mut Canvas, salt: usize, count: usize, colour: Rgb) {
    for n in 0..count {
        let at = noise(n, salt, 11);
        canvas.dot(at % TILE, at / TILE % TILE, colour);
    }
}

fn whole(canvas: &mut Canvas, colour: Rgb) {
    canvas.fill(0, 0, TILE, TILE, colour);
}

/// A line of that thickness along each side on which the variant ends.
fn rim(canvas: &mut Canvas, variant: usize, thick: usize, colour: Rgb) {
    if !joins(variant, NORTH) {
        canvas.fill(0, 0, TILE, thick, colour);
    }
    if !joins(variant, SOUTH) {
        canvas.fill(0, TILE - thick, TILE, thick, colour);
    }
    if !joins(variant, WEST) {
        canvas.fill(0, 0, thick, TILE, colour);
    }
    if !joins(variant, EAST) {
        canvas.fill(TILE - thick, 0, thick, TILE, colour);
    }
}

/// The box that a joined thing fills: it stays `inset` pixels away from the sides where it ends.
/// Left, top, width, height.
fn body(variant: usize, inset: usize) -> [usize; 4] {
    let left = if joins(variant, WEST) { 0 } else { inset };
    let top = if joins(variant, NORTH) { 0 } else { inset };
    let right = if joins(variant, EAST) { 0 } else { inset };
    let bottom = if joins(variant, SOUTH) { 0 } else { inset };
    [left, top, TILE - left - right, TILE - top - bottom]
}

/// A block of furniture: outline, top, and a front of `front` pixels where it ends in the south.
fn block(canvas: &mut Canvas, variant: usize, front: usize, top: Rgb, side: Rgb) -> [usize; 4] {
    let [x, y, w, h] = body(variant, 1);
    canvas.fill(x, y, w, h, INK);
    let inner_x = if joins(variant, WEST) { x } else { x + 1 };
    let inner_w = w - (inner_x - x) - usize::from(!joins(variant, EAST));
    let inner_y = if joins(variant, NORTH) { y } else { y + 1 };
    let inner_h = h - (inner_y - y) - usize::from(!joins(variant, SOUTH));
    canvas.fill(inner_x, inner_y, inner_w, inner_h, top);
    if !joins(variant, SOUTH) && front > 0 {
        canvas.fill(inner_x, inner_y + inner_h - front, inner_w, front, side);
        return [inner_x, inner_y, inner_w, inner_h - front];
    }
    [inner_x, inner_y, inner_w, inner_h]
}

// --- ground ---

pub(crate) fn grass(canvas: &mut Canvas, variant: usize) {
    whole(canvas, GRASS);
    speckle(canvas, variant, 5, GRASS_DARK);
    speckle(canvas, variant + 50, 3, GRASS_LIGHT);
    if variant.is_multiple_of(3) {
        let at = noise(variant, 3, 5);
        let (x, y) = (2 + at % 10, 3 + at / 16 % 9);
        canvas.fill(x, y, 1, 2, GRASS_DARK);
        canvas.fill(x + 2, y, 1, 2, GRASS_DARK);
        canvas.dot(x + 1, y + 1, GRASS_DARK);
    }
}

pub(crate) fn meadow(canvas: &mut Canvas, variant: usize) {
    grass(canvas, variant);
    for n in 0..3 {
        let at = noise(n, variant, 21);
        let (x, y) = (2 + at % 12, 2 + at / 16 % 12);
        let petals = [WHITE, YELLOW, PINK][at / 256 % 3];
        canvas.fill(x, y + 1, 3, 1, petals);
        canvas.fill(x + 1, y, 1, 3, petals);
        canvas.dot(x + 1, y + 1, ORANGE);
    }
}

/// Ground whose edge lets some grass in.
fn edged(canvas: &mut Canvas, variant: usize, base: Rgb, dark: Rgb) {
    whole(canvas, base);
    speckle(canvas, variant, 7, dark);
    for n in 0..TILE {
        let ragged = 1 + noise(n, variant, 31) % 2;
        for (side, along_x) in [(NORTH, true), (SOUTH, true), (WEST, false), (EAST, false)] {
            if joins(variant, side) {
                continue;
            }
            let far = matches!(side, SOUTH | EAST);
            let from = if far { TILE - ragged } else { 0 };
            let inner = if far { TILE - ragged - 1 } else { ragged };
            if along_x {
                canvas.fill(n, from, 1, ragged, GRASS);
                canvas.dot(n, inner, dark);
            } else {
                canvas.fill(from, n, ragged, 1, GRASS);
                canvas.dot(inner, n, dark);
            }
        }
    }
}

pub(crate) fn path(canvas: &mut Canvas, variant: usize) {
    edged(canvas, variant, SAND, SAND_DARK);
}

pub(crate) fn soil(canvas: &mut Canvas, variant: usize) {
    edged(canvas, variant, SOIL, SOIL_DARK);
}

pub(crate) fn cobbles(canvas: &mut Canvas, variant: usize) {
    whole(canvas, COBBLE_DARK);
    for row in 0..4 {
        let shift = if row % 2 == 0 { 0 } else { 3 };
        for column in 0..4 {
            let x = (column * 5 + shift) % TILE;
            let stone = [COBBLE, COBBLE, COBBLE_LIGHT][noise(column, row, 41) % 3];
            canvas.fill(x, row * 4, 4.min(TILE - x), 3, stone);
        }
    }
    rim(canvas, variant, 1, GREY);
}

pub(crate) fn water(canvas: &mut Canvas, variant: usize) {
    whole(canvas, WATER);
    canvas.fill(2, 4, 4, 1, WATER_LIGHT);
    canvas.fill(10, 9, 4, 1, WATER_LIGHT);
    canvas.fill(4, 13, 3, 1, WATER_DARK);
    canvas.fill(11, 2, 3, 1, WATER_DARK);
    rim(canvas, variant, 2, WATER_LIGHT);
    rim(canvas, variant, 1, FOAM);
    if !joins(variant, NORTH) {
        canvas.fill(0, 0, TILE, 4, COBBLE_DARK);
        canvas.fill(0, 0, TILE, 1, COBBLE_LIGHT);
        canvas.fill(3, 1, 1, 3, GREY);
        canvas.fill(11, 1, 1, 3, GREY);
        canvas.fill(0, 4, TILE, 2, WATER_DARK);
    }
}

pub(crate) fn planks(canvas: &mut Canvas, variant: usize) {
    whole(canvas, PLANK);
    for row in 0..4 {
        canvas.fill(0, row * 4 + 3, TILE, 1, PLANK_DARK);
        canvas.fill(0, row * 4, TILE, 1, PLANK_LIGHT);
        canvas.fill((row * 7 + 3) % TILE, row * 4, 1, 3, PLANK_DARK);
    }
    rim(canvas, variant, 1, WOOD_DARK);
}

/// Floor of boards that run along the street.
fn boarded(canvas: &mut Canvas, variant: usize, base: Rgb, dark: Rgb) {
    whole(canvas, base);
    for row in 0..4 {
        canvas.fill(0, row * 4 + 3, TILE, 1, dark);
        canvas.fill((noise(row, variant, 51) % 4) * 4 + 1, row * 4, 1, 3, dark);
    }
}

pub(crate) fn boards(canvas: &mut Canvas, variant: usize) {
    boarded(canvas, variant, OAK, OAK_DARK);
}

pub(crate) fn oak(canvas: &mut Canvas, variant: usize) {
    boarded(canvas, variant, [172, 124, 84], [152, 106, 72]);
}

pub(crate) fn tiles(canvas: &mut Canvas, _: usize) {
    whole(canvas, [222, 226, 222]);
    canvas.fill(0, 0, 8, 8, [202, 212, 212]);
    canvas.fill(8, 8, 8, 8, [202, 212, 212]);
}

pub(crate) fn flagstones(canvas: &mut Canvas, variant: usize) {
    whole(canvas, [188, 184, 172]);
    let line = [170, 166, 156];
    canvas.fill(0, 7, TILE, 1, line);
    canvas.fill(0, 15, TILE, 1, line);
    canvas.fill(4 + variant, 0, 1, 7, line);
    canvas.fill(13 - variant, 8, 1, 7, line);
}

pub(crate) fn carpet(canvas: &mut Canvas, variant: usize) {
    whole(canvas, [168, 92, 88]);
    for y in (1..TILE).step_by(4) {
        for x in (1..TILE).step_by(4) {
            canvas.dot(x + y % 8 / 4 * 2, y, [186, 112, 102]);
        }
    }
    rim(canvas, variant, 2, [212, 176, 128]);
    rim(canvas, variant, 1, [140, 72, 76]);
}

// --- walls ---

/// A wall seen from the south: its top, and its face where the wall ends in the south.
fn wall(canvas: &mut Canvas, variant: usize, top: Rgb, face: Rgb, mark: fn(&mut Canvas)) {
    whole(canvas, top);
    let shine = top.map(|part| part.saturating_add(16));
    let [x, y, w, h] = body(variant, 2);
    canvas.fill(x, y, w, h, shine);
    if !joins(variant, SOUTH) {
        canvas.fill(0, 5, TILE, 11, face);
        mark(canvas);
        canvas.fill(0, 5, TILE, 1, top.map(|part| part - 24));
        canvas.fill(0, 15, TILE, 1, face.map(|part| part.saturating_sub(50)));
    }
}

pub(crate) fn brick(canvas: &mut Canvas, variant: usize) {
    wall(canvas, variant, [128, 84, 80], [186, 112, 94], |canvas| {
        for row in 0..3 {
            canvas.fill(0, 8 + row * 3, TILE, 1, [160, 92, 80]);
            for x in [1, 9] {
                canvas.fill(x + row % 2 * 4, 6 + row * 3, 1, 2, [160, 92, 80]);
            }
        }
    });
}

pub(crate) fn timber(canvas: &mut Canvas, variant: usize) {
    wall(canvas, variant, [106, 76, 62], [158, 116, 84], |canvas| {
        for x in (3..TILE).step_by(4) {
            canvas.fill(x, 6, 1, 9, [132, 94, 70]);
        }
    });
}

pub(crate) fn plaster(canvas: &mut Canvas, variant: usize) {
    wall(canvas, variant, [150, 128, 112], [232, 218, 196], |canvas| {
        canvas.fill(0, 13, TILE, 2, [204, 188, 166]);
    });
}

pub(crate) fn stone(canvas: &mut Canvas, variant: usize) {
    wall(canvas, variant, [104, 108, 118], [158, 162, 166], |canvas| {
        canvas.fill(0, 10, TILE, 1, [134, 138, 146]);
        canvas.fill(4, 6, 1, 4, [134, 138, 146]);
        canvas.fill(12, 6, 1, 4, [134, 138, 146]);
        canvas.fill(8, 11, 1, 4, [134, 138, 146]);
    });
}

/// A door stands open: its frame, and a threshold to walk over.
pub(crate) fn door(canvas: &mut Canvas, variant: usize) {
    whole(canvas, [168, 128, 92]);
    for n in [3, 7, 11] {
        if joins(variant, EAST) || joins(variant, WEST) {
            canvas.fill(2, n, 12, 1, [150, 112, 80]);
        } else {
            canvas.fill(n, 2, 1, 12, [150, 112, 80]);
        }
    }
    if joins(variant, EAST) || joins(variant, WEST) {
        canvas.fill(0, 0, 2, TILE, WOOD_DARK);
        canvas.fill(14, 0, 2, TILE, WOOD_DARK);
        canvas.fill(2, 0, 3, TILE, WOOD_LIGHT);
        canvas.dot(4, 9, YELLOW);
    } else {
        canvas.fill(0, 0, TILE, 2, WOOD_DARK);
        canvas.fill(0, 14, TILE, 2, WOOD_DARK);
        canvas.fill(0, 2, TILE, 3, WOOD_LIGHT);
        canvas.dot(9, 4, YELLOW);
    }
}

pub(crate) fn hedge(canvas: &mut Canvas, variant: usize) {
    grass(canvas, 1);
    let [x, y, w, h] = body(variant, 2);
    canvas.fill(x, y, w, h, LEAF_DARK);
    canvas.fill(x, y, w, h.saturating_sub(4), LEAF);
    for n in 0..8 {
        let at = noise(n, variant, 61);
        canvas.dot(x + at % w, y + at / 16 % (h - 3), LEAF_LIGHT);
    }
}

pub(crate) fn fence(canvas: &mut Canvas, variant: usize) {
    let along = joins(variant, EAST) || joins(variant, WEST);
    if along {
        let [x, _, w, _] = body(variant, 2);
        canvas.fill(x, 6, w, 2, PLANK_LIGHT);
        canvas.fill(x, 10, w, 2, PLANK);
    }
    if joins(variant, NORTH) || joins(variant, SOUTH) {
        let [_, y, _, h] = body(variant, 6);
        canvas.fill(7, y, 2, h, PLANK);
    }
    for x in if along { &[2, 12][..] } else { &[7][..] } {
        canvas.fill(*x, 3, 2, 11, WOOD);
        canvas.fill(*x, 3, 2, 1, WOOD_LIGHT);
    }
}

// --- things ---

/// A bed lies with its pillow to the north; two side by side are a double bed.
fn bedding(canvas: &mut Canvas, variant: usize, frame: Rgb, blanket: Rgb, fold: Rgb) {
    let [x, y, w, h] = body(variant, 1);
    canvas.fill(x, y, w, h, frame);
    let left = if joins(variant, WEST) { x } else { x + 1 };
    let width = w - (left - x) - usize::from(!joins(variant, EAST));
    if joins(variant, NORTH) {
        canvas.fill(
            left,
            0,
            width,
            if joins(variant, SOUTH) { TILE } else { TILE - 3 },
            blanket,
        );
        canvas.fill(left, 0, width, 1, fold);
    } else {
        canvas.fill(left, y + 2, width, h - 2, WHITE);
        canvas.fill(2, y + 3, 12, 6, PALE);
        canvas.fill(3, y + 3, 10, 5, WHITE);
        canvas.fill(left, y + 10, width, h - 10, blanket);
        canvas.fill(left, y + 10, width, 2, fold);
    }
}

pub(crate) fn bed(canvas: &mut Canvas, variant: usize) {
    bedding(canvas, variant, WOOD_DARK, BLUE, [132, 156, 198]);
}

pub(crate) fn cot(canvas: &mut Canvas, variant: usize) {
    bedding(canvas, variant, GREY, [170, 208, 196], [204, 226, 218]);
}

pub(crate) fn wardrobe(canvas: &mut Canvas, variant: usize) {
    block(canvas, variant, 9, WOOD, WOOD_LIGHT);
    canvas.fill(7, 4, 1, 10, WOOD_DARK);
    canvas.dot(5, 9, YELLOW);
    canvas.dot(9, 9, YELLOW);
}

pub(crate) fn desk(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, _] = block(canvas, variant, 4, WOOD_LIGHT, WOOD);
    canvas.fill(x + w / 2 - 3, y + 2, 5, 5, WHITE);
    canvas.fill(x + w / 2 - 2, y + 4, 3, 1, GREY);
}

pub(crate) fn chair(canvas: &mut Canvas, _: usize) {
    canvas.fill(4, 3, 8, 10, INK);
    canvas.fill(5, 4, 6, 3, WOOD_DARK);
    canvas.fill(5, 7, 6, 4, ORANGE);
    canvas.fill(5, 11, 6, 1, WOOD);
    canvas.fill(4, 13, 1, 1, INK);
    canvas.fill(11, 13, 1, 1, INK);
}

pub(crate) fn table(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, h] = block(canvas, variant, 3, WOOD_LIGHT, WOOD_DARK);
    canvas.fill(x, y, w, 1, [206, 162, 118]);
    canvas.fill(x + w / 2 - 1, y + h / 2 - 1, 3, 3, WHITE);
}

pub(crate) fn counter(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, h] = block(canvas, variant, 5, [228, 208, 172], WOOD);
    canvas.fill(x, y, w, 1, WHITE);
    if !joins(variant, SOUTH) {
        canvas.fill(x + w / 2, y + h + 1, 1, 4, WOOD_DARK);
    }
}

/// A box of household metal or china.
fn appliance(canvas: &mut Canvas, colour: Rgb) {
    canvas.fill(1, 1, 14, 14, INK);
    canvas.fill(2, 2, 12, 12, colour);
}

pub(crate) fn stove(canvas: &mut Canvas, _: usize) {
    appliance(canvas, GREY);
    for (x, y) in [(3, 3), (9, 3), (3, 7), (9, 7)] {
        canvas.disc(x, y, 4, 4, COAL);
        canvas.dot(x + 1, y + 1, RED);
    }
    canvas.fill(3, 12, 10, 2, STEEL);
}

pub(crate) fn fridge(canvas: &mut Canvas, _: usize) {
    appliance(canvas, WHITE);
    canvas.fill(2, 6, 12, 1, GREY);
    canvas.fill(12, 3, 1, 2, STEEL);
    canvas.fill(12, 8, 1, 4, STEEL);
}

pub(crate) fn sink(canvas: &mut Canvas, _: usize) {
    appliance(canvas, PALE);
    canvas.fill(4, 5, 8, 7, STEEL);
    canvas.fill(4, 6, 8, 6, GLASS);
    canvas.fill(7, 2, 2, 4, STEEL);
}

pub(crate) fn toilet(canvas: &mut Canvas, _: usize) {
    canvas.fill(4, 1, 8, 4, INK);
    canvas.fill(5, 2, 6, 3, WHITE);
    canvas.disc(3, 4, 10, 11, INK);
    canvas.disc(4, 5, 8, 9, WHITE);
    canvas.disc(6, 7, 4, 5, GLASS);
}

pub(crate) fn shower(canvas: &mut Canvas, _: usize) {
    canvas.fill(0, 0, TILE, TILE, STEEL);
    canvas.fill(1, 1, 14, 14, GLASS);
    for n in 0..6 {
        canvas.fill(3 + n * 2, 4 + n % 3 * 3, 1, 3, WHITE);
    }
    canvas.fill(6, 1, 4, 2, STEEL);
}

/// Shelves seen from the front, filled with things of these colours.
fn shelves(canvas: &mut Canvas, variant: usize, goods: &[Rgb]) {
    let [x, _, w, _] = body(variant, 1);
    canvas.fill(x, 0, w, TILE, WOOD_DARK);
    canvas.fill(x, 0, w, 2, WOOD_LIGHT);
    for top in [3, 10] {
        canvas.fill(x, top, w, 5, [92, 62, 48]);
        for n in 0..w / 2 {
            let at = noise(n, variant + top, 71);
            let tall = 3 + at % 3;
            canvas.fill(x + n * 2, top + 5 - tall, 2, tall, goods[at / 16 % goods.len()]);
        }
    }
}

pub(crate) fn bookshelf(canvas: &mut Canvas, variant: usize) {
    shelves(canvas, variant, &[RED, BLUE, GREEN, YELLOW, RED_DARK, PALE]);
}

pub(crate) fn shelf(canvas: &mut Canvas, variant: usize) {
    shelves(canvas, variant, &[ORANGE, WHITE, GREEN, PINK, GLASS, SAND]);
}

pub(crate) fn sofa(canvas: &mut Canvas, variant: usize) {
    let (seat, back) = ([132, 172, 136], [84, 122, 96]);
    let [x, y, w, h] = block(canvas, variant, 0, GREEN, GREEN);
    canvas.fill(x, y + 1, w, h.saturating_sub(3), seat);
    if !joins(variant, NORTH) {
        canvas.fill(x, y, w, 6, back);
        canvas.fill(x, y + 5, w, 1, INK);
    }
    for (side, at) in [(WEST, x), (EAST, x + w - 3)] {
        if !joins(variant, side) {
            canvas.fill(at, y, 3, h, back);
        }
    }
    if joins(variant, EAST) {
        canvas.fill(TILE - 1, y + 1, 1, h - 1, GREEN);
    }
}

pub(crate) fn plant(canvas: &mut Canvas, _: usize) {
    canvas.fill(5, 10, 6, 5, RED_DARK);
    canvas.fill(5, 10, 6, 1, ORANGE);
    canvas.disc(2, 1, 12, 10, LEAF_DARK);
    canvas.disc(3, 1, 9, 8, LEAF);
    for (x, y) in [(5, 3), (9, 4), (7, 6)] {
        canvas.dot(x, y, LEAF_LIGHT);
    }
}

pub(crate) fn fireplace(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, _] = block(canvas, variant, 9, COBBLE_DARK, COBBLE);
    if !joins(variant, SOUTH) {
        canvas.fill(x + 2, y + 5, w - 4, 8, COAL);
        canvas.fill(x + 4, y + 8, w - 8, 5, ORANGE);
        canvas.fill(x + w / 2 - 1, y + 9, 3, 4, YELLOW);
    }
}

pub(crate) fn blackboard(canvas: &mut Canvas, variant: usize) {
    let [x, _, w, _] = body(variant, 1);
    canvas.fill(x, 1, w, 12, WOOD);
    let left = if joins(variant, WEST) { x } else { x + 1 };
    let width = w - (left - x) - usize::from(!joins(variant, EAST));
    canvas.fill(left, 2, width, 10, [62, 84, 76]);
    canvas.fill(left + 2, 5, width.saturating_sub(5), 1, PALE);
    canvas.fill(left + 2, 8, width.saturating_sub(7), 1, PALE);
    canvas.fill(x, 13, w, 1, WOOD_DARK);
}

pub(crate) fn noticeboard(canvas: &mut Canvas, _: usize) {
    canvas.fill(3, 12, 2, 4, WOOD_DARK);
    canvas.fill(11, 12, 2, 4, WOOD_DARK);
    canvas.fill(1, 2, 14, 10, WOOD);
    canvas.fill(2, 3, 12, 8, SAND);
    canvas.fill(3, 4, 4, 5, WHITE);
    canvas.fill(8, 4, 3, 3, PINK);
    canvas.fill(9, 8, 4, 2, WHITE);
}

pub(crate) fn oven(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, _] = block(canvas, variant, 8, [172, 110, 92], [190, 124, 100]);
    if !joins(variant, SOUTH) {
        canvas.fill(x + 2, y + 6, w - 4, 6, COAL);
        canvas.fill(x + 4, y + 9, w - 8, 3, ORANGE);
    }
}

pub(crate) fn crate_(canvas: &mut Canvas, variant: usize) {
    canvas.fill(1, 2, 14, 13, WOOD_DARK);
    canvas.fill(2, 3, 12, 11, PLANK_LIGHT);
    canvas.fill(2, 8, 12, 1, PLANK_DARK);
    if variant == 0 {
        canvas.fill(7, 3, 2, 11, PLANK);
    } else {
        for x in [3, 7, 11] {
            canvas.disc(x, 3, 3, 3, RED);
        }
    }
}

pub(crate) fn barrel(canvas: &mut Canvas, _: usize) {
    canvas.disc(2, 1, 12, 14, INK);
    canvas.disc(3, 2, 10, 12, WOOD);
    canvas.disc(4, 2, 8, 5, WOOD_LIGHT);
    canvas.fill(3, 9, 10, 1, STEEL);
    canvas.fill(4, 12, 8, 1, STEEL);
}

pub(crate) fn piano(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, h] = block(canvas, variant, 0, COAL, COAL);
    canvas.fill(x, y, w, 2, STEEL);
    if !joins(variant, SOUTH) {
        canvas.fill(x, y + h - 5, w, 4, WHITE);
        for key in (x + 1..x + w).step_by(3) {
            canvas.fill(key, y + h - 5, 1, 2, INK);
        }
    }
}

pub(crate) fn easel(canvas: &mut Canvas, variant: usize) {
    canvas.fill(3, 10, 1, 6, WOOD_DARK);
    canvas.fill(12, 10, 1, 6, WOOD_DARK);
    canvas.fill(2, 1, 12, 11, WOOD);
    canvas.fill(3, 2, 10, 9, WHITE);
    let (sky, land) = [(GLASS, GREEN), (YELLOW, RED), (BLUE, SAND), (PINK, WATER)][variant];
    canvas.fill(4, 3, 8, 4, sky);
    canvas.fill(4, 6, 8, 4, land);
    canvas.disc(8, 4, 3, 3, WHITE);
}

pub(crate) fn workbench(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, _] = block(canvas, variant, 4, WOOD, WOOD_DARK);
    canvas.fill(x + 2, y + 3, 6.min(w - 2), 1, STEEL);
    canvas.fill(x + 2, y + 2, 2, 3, RED);
    canvas.fill(x + w / 2 + 1, y + 6, 3, 1, PALE);
}

pub(crate) fn anvil(canvas: &mut Canvas, _: usize) {
    canvas.fill(4, 10, 8, 5, WOOD_DARK);
    canvas.fill(2, 4, 12, 3, STEEL);
    canvas.fill(2, 4, 12, 1, PALE);
    canvas.fill(5, 7, 6, 3, COAL);
}

pub(crate) fn press(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, h] = block(canvas, variant, 4, STEEL, COAL);
    canvas.disc(x + 2, y + 1, w.min(9), h.min(9), GREY);
    canvas.fill(x, y + h.saturating_sub(3), w, 2, WHITE);
}

/// A hull drawn on its keel; its ends are rounded where it ends.
pub(crate) fn boat(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, h] = body(variant, 2);
    canvas.fill(x, y, w, h, WOOD_DARK);
    let top = if joins(variant, NORTH) { 0 } else { y + 2 };
    let bottom = if joins(variant, SOUTH) { TILE } else { y + h - 2 };
    canvas.fill(x, top, w, bottom - top, PLANK_LIGHT);
    if !joins(variant, NORTH) {
        canvas.fill(x, top, w, 1, RED);
    }
    if !joins(variant, SOUTH) {
        canvas.fill(x, bottom - 3, w, 3, RED);
    }
    for rib in (3..TILE).step_by(6) {
        canvas.fill(rib, top + 1, 1, (bottom - top).saturating_sub(4), PLANK_DARK);
    }
    for (side, edge) in [(WEST, x), (EAST, x + w - 2)] {
        if !joins(variant, side) {
            canvas.fill(edge, y, 2, h, WOOD_DARK);
        }
    }
}

pub(crate) fn radio(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, _] = block(canvas, variant, 4, WOOD_LIGHT, WOOD);
    canvas.fill(x + 1, y, w - 2, 7, COAL);
    canvas.fill(x + 2, y + 1, 4, 3, GREEN);
    canvas.dot(x + w - 3, y + 2, RED);
    canvas.dot(x + w - 3, y + 4, YELLOW);
}

pub(crate) fn bicycle(canvas: &mut Canvas, _: usize) {
    for x in [0, 9] {
        canvas.disc(x, 7, 7, 7, INK);
        canvas.disc(x + 1, 8, 5, 5, PALE);
    }
    canvas.fill(3, 9, 9, 1, RED);
    canvas.fill(5, 5, 1, 5, RED);
    canvas.fill(11, 4, 1, 6, RED);
    canvas.fill(4, 4, 3, 1, INK);
    canvas.fill(10, 3, 4, 1, INK);
}

/// A market stall under a striped awning.
pub(crate) fn stall(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, h] = body(variant, 1);
    canvas.fill(x, y, w, h, INK);
    for n in 0..w {
        let stripe = if (x + n) / 4 % 2 == 0 { RED } else { WHITE };
        canvas.fill(
            x + n,
            if joins(variant, NORTH) { 0 } else { y + 1 },
            1,
            h - 1,
            stripe,
        );
    }
    if !joins(variant, SOUTH) {
        canvas.fill(x, 9, w, 6, WOOD_DARK);
        for n in 0..w / 4 {
            canvas.disc(x + n * 4, 10, 4, 3, [ORANGE, GREEN, YELLOW, PINK][n % 4]);
        }
    }
}

pub(crate) fn fountain(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, h] = body(variant, 1);
    canvas.fill(x, y, w, h, WATER_LIGHT);
    canvas.fill((x + 3) % 13, 5, 3, 1, FOAM);
    canvas.fill((x + 9) % 13, 11, 3, 1, FOAM);
    rim(canvas, variant, 4, COBBLE_LIGHT);
    rim(canvas, variant, 1, COBBLE_DARK);
    if variant == 15 {
        canvas.disc(3, 3, 10, 10, COBBLE_LIGHT);
        canvas.disc(5, 5, 6, 6, FOAM);
    }
}

pub(crate) fn bench(canvas: &mut Canvas, variant: usize) {
    let [x, _, w, _] = body(variant, 1);
    canvas.fill(x, 4, w, 8, WOOD_DARK);
    canvas.fill(x, 5, w, 2, WOOD_LIGHT);
    canvas.fill(x, 8, w, 3, WOOD);
    for (side, at) in [(WEST, 2), (EAST, 12)] {
        if !joins(variant, side) {
            canvas.fill(at, 12, 2, 2, INK);
        }
    }
}

pub(crate) fn stage(canvas: &mut Canvas, variant: usize) {
    whole(canvas, [166, 112, 84]);
    for y in (3..TILE).step_by(4) {
        canvas.fill(0, y, TILE, 1, [146, 94, 72]);
    }
    if !joins(variant, SOUTH) {
        canvas.fill(0, 11, TILE, 5, WOOD_DARK);
        canvas.fill(0, 11, TILE, 1, YELLOW);
    }
    if !joins(variant, NORTH) {
        for x in 0..TILE {
            canvas.fill(x, 0, 1, 5, if x / 2 % 2 == 0 { RED } else { RED_DARK });
        }
    }
}

pub(crate) fn plot(canvas: &mut Canvas, variant: usize) {
    whole(canvas, SOIL);
    for y in [1, 6, 11] {
        canvas.fill(0, y + 3, TILE, 1, SOIL_DARK);
        for x in (1 + variant % 2..TILE).step_by(4) {
            canvas.fill(x, y, 2, 3, [LEAF, LEAF_LIGHT, LEAF_DARK, LEAF][variant]);
            canvas.dot(x, y, [LEAF_LIGHT, YELLOW, RED, WHITE][variant]);
        }
    }
}

pub(crate) fn hive(canvas: &mut Canvas, _: usize) {
    canvas.fill(2, 3, 12, 12, INK);
    canvas.fill(3, 4, 10, 3, WHITE);
    canvas.fill(3, 8, 10, 3, YELLOW);
    canvas.fill(3, 12, 10, 2, YELLOW);
    canvas.fill(6, 12, 4, 1, INK);
}

pub(crate) fn swing(canvas: &mut Canvas, variant: usize) {
    let [x, _, w, _] = body(variant, 1);
    canvas.fill(x, 1, w, 2, RED);
    for (side, at) in [(WEST, 1), (EAST, 13)] {
        if !joins(variant, side) {
            canvas.fill(at, 1, 2, 14, RED_DARK);
        }
    }
    canvas.fill(5, 3, 1, 8, STEEL);
    canvas.fill(10, 3, 1, 8, STEEL);
    canvas.fill(4, 11, 8, 2, WOOD);
}

pub(crate) fn net(canvas: &mut Canvas, variant: usize) {
    let [x, y, w, h] = body(variant, 1);
    for row in y..y + h {
        for column in x..x + w {
            if (row + column).is_multiple_of(4) || (row + 4 * TILE - column).is_multiple_of(4) {
                canvas.dot(column, row, [88, 124, 120]);
            }
        }
    }
    rim(canvas, variant, 1, [70, 104, 104]);
    canvas.disc(4, 5, 4, 4, ORANGE);
    canvas.disc(10, 9, 4, 4, ORANGE);
}

pub(crate) fn bollard(canvas: &mut Canvas, _: usize) {
    canvas.disc(4, 9, 8, 6, INK);
    canvas.fill(5, 4, 6, 9, COAL);
    canvas.disc(4, 2, 8, 5, STEEL);
    canvas.fill(4, 9, 8, 2, SAND);
}

pub(crate) fn bush(canvas: &mut Canvas, variant: usize) {
    canvas.disc(1, 4, 14, 11, LEAF_DARK);
    canvas.disc(2, 4, 11, 9, LEAF);
    for n in 0..6 {
        let at = noise(n, variant, 81);
        let fruit = if variant == 0 { LEAF_LIGHT } else { PINK };
        canvas.fill(4 + at % 8, 6 + at / 16 % 6, 2, 1, fruit);
    }
}

/// The leaves of a tree; the same for the upper and lower half so that they fit.
fn leaves(variant: usize) -> [Rgb; 3] {
    [
        [LEAF_DARK, LEAF, LEAF_LIGHT],
        [[64, 110, 84], [84, 138, 94], [116, 164, 108]],
        [LEAF_DARK, LEAF, LEAF_LIGHT],
        [[110, 120, 58], [146, 154, 76], [180, 184, 100]],
    ][variant]
}

/// The foot of a tree, and the shade around it.
pub(crate) fn trunk(canvas: &mut Canvas, variant: usize) {
    canvas.disc(2, 9, 12, 6, GRASS_DARK);
    canvas.fill(6, 4, 4, 10, BARK);
    canvas.fill(6, 4, 1, 10, [136, 100, 74]);
    let [dark, mid, _] = leaves(variant);
    canvas.fill(0, 0, 16, 3, dark);
    canvas.disc(0, 0, 16, 7, dark);
    canvas.disc(2, 0, 10, 4, mid);
}

/// The crown of a tree, drawn over what stands behind it.
pub(crate) fn crown(canvas: &mut Canvas, variant: usize) {
    let [dark, mid, light] = leaves(variant);
    canvas.disc(0, 0, 16, 22, dark);
    canvas.disc(1, 0, 13, 17, mid);
    canvas.disc(3, 1, 7, 8, light);
    for n in 0..6 {
        let at = noise(n, variant, 91);
        canvas.dot(
            2 + at % 11,
            3 + at / 16 % 10,
            if n % 2 == 0 { dark } else { light },
        );
    }
}

pub(crate) fn post(canvas: &mut Canvas, _: usize) {
    canvas.fill(7, 0, 2, 14, COAL);
    canvas.fill(5, 13, 6, 2, INK);
}

pub(crate) fn lantern(canvas: &mut Canvas, _: usize) {
    canvas.fill(7, 11, 2, 5, COAL);
    canvas.fill(4, 3, 8, 9, INK);
    canvas.fill(5, 5, 6, 6, YELLOW);
    canvas.fill(6, 6, 3, 3, WHITE);
    canvas.fill(5, 2, 6, 1, COAL);
}

pub(crate) fn window(canvas: &mut Canvas, _: usize) {
    canvas.fill(3, 6, 10, 8, WOOD_DARK);
    canvas.fill(4, 7, 8, 6, GLASS);
    canvas.fill(8, 7, 1, 6, WOOD_DARK);
    canvas.fill(4, 7, 2, 2, WHITE);
}

pub(crate) fn lilies(canvas: &mut Canvas, _: usize) {
    canvas.disc(2, 3, 6, 5, LEAF);
    canvas.disc(8, 9, 6, 5, LEAF);
    canvas.disc(10, 9, 3, 3, PINK);
}

/// Marks walls on the layer `Collision`, which is not shown.
pub(crate) fn blocked(canvas: &mut Canvas, _: usize) {
    for y in 0..TILE {
        for x in 0..TILE {
            if (x + y) % 4 < 2 {
                canvas.dot(x, y, RED);
            }
        }
    }
}
