//! Pictures: the tileset, and the whole map.

use super::kinds::{KINDS, Layer, TILE, VARIANTS};
use super::pixels::Canvas;
use super::plan::Plan;
use super::tmj::{tile, variants};

/// One tile.
fn painted(id: usize) -> Canvas {
    let mut canvas = Canvas::new(TILE, TILE);
    (KINDS[id / VARIANTS].paint)(&mut canvas, id % VARIANTS);
    canvas
}

/// The image of the tileset: a row for each kind.
pub(crate) fn tileset() -> Canvas {
    let mut all = Canvas::new(VARIANTS * TILE, KINDS.len() * TILE);
    for (row, kind) in KINDS.iter().enumerate() {
        for variant in 0..variants(kind) {
            all.lay(&painted(row * VARIANTS + variant), variant * TILE, row * TILE);
        }
    }
    all
}

/// The whole map.
pub(crate) fn whole(plan: &Plan) -> Canvas {
    let mut all = Canvas::new(plan.width * TILE, plan.height * TILE);
    for layer in [Layer::Ground, Layer::Walls, Layer::Things, Layer::Above] {
        for y in 0..plan.height {
            for x in 0..plan.width {
                if let Some(id) = tile(plan, x, y, layer) {
                    all.lay(&painted(id), x * TILE, y * TILE);
                }
            }
        }
    }
    all
}
