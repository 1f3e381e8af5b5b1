//! The checked-in map of the bundled town is exactly what its plan draws.

#[allow(dead_code)]
#[path = "../examples/draw_map/draw/mod.rs"]
mod draw;

use std::path::Path;

fn town() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("towns/osier_quay")
}

const REMEDY: &str = "draw it again: cargo run -p townsfolk-town --example draw_map";

#[test]
fn the_map_is_what_the_plan_draws() {
    let plan = draw::plan::read(&town().join("plan")).unwrap();
    let kept = std::fs::read_to_string(town().join("map.tmj")).unwrap();
    // A checkout on Windows may have changed line ends.
    assert!(kept.replace("\r\n", "\n") == draw::tmj::map(&plan), "{REMEDY}");
}

#[test]
fn the_tileset_is_what_the_paints_paint() {
    // Compared as pixels: how they are packed is the packer's business.
    assert!(
        pixels(&std::fs::read(town().join("tiles.png")).unwrap()) == pixels(&draw::picture::tileset().png()),
        "{REMEDY}"
    );
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
