//! The map as Tiled writes it (`.tmj`), one row of a layer to a line.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::kinds::{Choice, KINDS, Kind, Layer, TILE, VARIANTS};
use super::pixels::noise;
use super::plan::{Place, Plan};

/// The id of the tile drawn at (x, y) on a layer.
pub(crate) fn tile(plan: &Plan, x: usize, y: usize, layer: Layer) -> Option<usize> {
    let cell = plan.cell(x, y);
    let row = match layer {
        Layer::Ground => Some(cell.ground),
        Layer::Walls => cell.wall,
        Layer::Things => cell.thing,
        Layer::Above => cell.above,
    }?;
    let variant = match KINDS[row].choice {
        Choice::Only => 0,
        Choice::Joined => plan.joins(x, y, layer),
        // A tree's crown is of the same variant as the trunk one tile below.
        Choice::Scattered(variants) => noise(x, y + usize::from(layer == Layer::Above), 1) % variants,
    };
    Some(row * VARIANTS + variant)
}

/// The whole map file.
pub(crate) fn map(plan: &Plan) -> String {
    let blocked = KINDS.len() * VARIANTS - VARIANTS;
    let drawn = |layer| move |x, y| tile(plan, x, y, layer);
    let mut layers = vec![
        tiles(plan, "Ground", true, drawn(Layer::Ground)),
        tiles(plan, "Walls", true, drawn(Layer::Walls)),
        tiles(plan, "Furniture", true, drawn(Layer::Things)),
        tiles(plan, "Above", true, drawn(Layer::Above)),
        tiles(plan, "Collision", false, |x, y| {
            plan.blocked(x, y).then_some(blocked)
        }),
    ];
    let mut next = 1;
    layers.push(objects("Sectors", &plan.sectors, &mut next));
    layers.push(objects("Arenas", &plan.arenas, &mut next));
    layers.push(objects("Objects", &plan.objects, &mut next));
    let spawn = |(name, tile): &(String, (usize, usize))| Place {
        name: name.clone(),
        tiles: vec![*tile],
    };
    let spawns: Vec<Place> = plan.spawns.iter().map(spawn).collect();
    layers.push(objects("Spawns", &spawns, &mut next));
    for (layer, id) in layers.iter_mut().zip(1..) {
        layer.insert_str(1, &format!("\"id\":{id},"));
    }
    let kinds = KINDS.iter().enumerate().flat_map(|(row, kind)| {
        let variants = variants(kind);
        (0..variants).map(move |variant| json!({ "id": row * VARIANTS + variant, "type": kind.name }))
    });
    let tileset = json!({
        "firstgid": 1,
        "name": "tiles",
        "image": "tiles.png",
        "imagewidth": VARIANTS * TILE,
        "imageheight": KINDS.len() * TILE,
        "columns": VARIANTS,
        "tilecount": KINDS.len() * VARIANTS,
        "tilewidth": TILE,
        "tileheight": TILE,
        "margin": 0,
        "spacing": 0,
        "tiles": kinds.collect::<Vec<Value>>(),
    });
    let mut text = format!(
        "{{\"type\":\"map\",\"version\":\"1.10\",\"tiledversion\":\"1.11.0\",\"orientation\":\"orthogonal\",\
         \"renderorder\":\"right-down\",\"infinite\":false,\"compressionlevel\":-1,\n\
         \"width\":{},\"height\":{},\"tilewidth\":{TILE},\"tileheight\":{TILE},\
         \"nextlayerid\":{},\"nextobjectid\":{next},\n",
        plan.width,
        plan.height,
        layers.len() + 1,
    );
    let name = json!([{ "name": "name", "type": "string", "value": plan.name }]);
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "\"properties\":{name},\n\"tilesets\":[{tileset}],\n\"layers\":["
    );
    text.push_str(&layers.join(",\n"));
    text.push_str("\n]}\n");
    text
}

/// How many variants of a kind there are.
pub(crate) fn variants(kind: &Kind) -> usize {
    match kind.choice {
        Choice::Only => 1,
        Choice::Joined => VARIANTS,
        Choice::Scattered(variants) => variants,
    }
}

fn tiles(plan: &Plan, name: &str, visible: bool, tile: impl Fn(usize, usize) -> Option<usize>) -> String {
    let row = |y| {
        let gid = |x| tile(x, y).map_or(0, |id| id + 1).to_string();
        (0..plan.width).map(gid).collect::<Vec<_>>().join(",")
    };
    let rows: Vec<String> = (0..plan.height).map(row).collect();
    let head = json!({
        "name": name, "type": "tilelayer", "visible": visible, "opacity": 1,
        "x": 0, "y": 0, "width": plan.width, "height": plan.height,
    });
    let head = head.to_string();
    format!(
        "{},\"data\":[\n{}]}}",
        head.trim_end_matches('}'),
        rows.join(",\n")
    )
}

fn objects(name: &str, places: &[Place], next: &mut usize) -> String {
    let mut lines = Vec::new();
    for place in places {
        for [x, y, width, height] in boxes(&place.tiles) {
            let object = json!({
                "id": *next, "name": place.name, "type": "", "visible": true, "rotation": 0,
                "x": x * TILE, "y": y * TILE, "width": width * TILE, "height": height * TILE,
            });
            *next += 1;
            lines.push(object.to_string());
        }
    }
    let head = json!({
        "name": name, "type": "objectgroup", "draworder": "index", "visible": true, "opacity": 1, "x": 0, "y": 0,
    });
    let head = head.to_string();
    format!(
        "{},\"objects\":[\n{}]}}",
        head.trim_end_matches('}'),
        lines.join(",\n")
    )
}

/// Boxes that together cover exactly these tiles: widest first along rows, then merged downwards.
fn boxes(tiles: &[(usize, usize)]) -> Vec<[usize; 4]> {
    let mut tiles: Vec<_> = tiles.iter().map(|&(x, y)| (y, x)).collect();
    tiles.sort_unstable();
    let mut runs: Vec<[usize; 4]> = Vec::new();
    for (y, x) in tiles {
        match runs.last_mut() {
            Some(run) if run[1] == y && run[0] + run[2] == x => run[2] += 1,
            _ => runs.push([x, y, 1, 1]),
        }
    }
    let mut boxes: Vec<[usize; 4]> = Vec::new();
    for run in runs {
        let above = |b: &&mut [usize; 4]| b[0] == run[0] && b[2] == run[2] && b[1] + b[3] == run[1];
        match boxes.iter_mut().find(above) {
            Some(above) => above[3] += 1,
            None => boxes.push(run),
        }
    }
    boxes
}
