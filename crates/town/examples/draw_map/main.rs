//! Draws the map of a town from its plan: `cargo run -p townsfolk-town --example draw_map`.
//!
//! Reads `towns/osier_quay/plan/` and writes `map.tmj` and `tiles.png` beside it, and the picture
//! `docs/pictures/map.png` of the whole. The same plan always gives the same files.

mod draw;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let town = here.join("towns/osier_quay");
    let picture = here.join("../../docs/pictures/map.png");
    let drawn = draw::plan::read(&town.join("plan")).and_then(|plan| {
        let written = |path: &Path, bytes: Vec<u8>| {
            std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
        };
        written(&town.join("map.tmj"), draw::tmj::map(&plan).into_bytes())?;
        written(&town.join("tiles.png"), draw::picture::tileset().png())?;
        written(&picture, draw::picture::whole(&plan).png())
    });
    match drawn {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}
