//! The checked-in maps are exactly what their plans draw.

#[allow(dead_code)]
#[path = "../examples/draw_map/draw/mod.rs"]
mod draw;

use std::path::Path;

const TOWNS: &[&str] = &["towns/osier_quay", "../../examples/two_neighbours"];
const REMEDY: &str = "draw it again: cargo run -p townsfolk-town --example draw_map";

#[test]
fn a_map_is_what_its_plan_draws() {
    for town in TOWNS
        .iter()
        .map(|town| Path::new(env!("CARGO_MANIFEST_DIR")).join(town))
    {
        let plan = draw::plan::read(&town.join("plan")).unwrap();
        let kept = std::fs::read_to_string(town.join("map.tmj")).unwrap();
        // A checkout on Windows may have changed line ends.
        let same = kept.replace("\r\n", "\n") == draw::tmj::map(&plan);
        assert!(same, "{}: {REMEDY}", town.display());
    }
}

#[test]
fn the_tileset_is_what_the_paints_paint() {
    let painted = pixels(&draw::picture::tileset().png());
    for town in TOWNS
        .iter()
        .map(|town| Path::new(env!("CARGO_MANIFEST_DIR")).join(town))
    {
        // Compared as pixels: how they are packed is the packer's business.
        let kept = pixels(&std::fs::read(town.join("tiles.png")).unwrap());
        assert!(kept == painted, "{}: {REMEDY}", town.display());
    }
}

fn pixels(png: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    pixels.truncate(info.buffer_size());
    pixels
}
