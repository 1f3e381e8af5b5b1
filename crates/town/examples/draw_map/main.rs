//! Draws the maps of the towns that have a plan: `cargo run -p townsfolk-town --example draw_map`.
//!
//! Reads the folder `plan` of a town and writes `map.tmj` and `tiles.png` beside it, and of the
//! bundled town the picture `docs/pictures/map.png`. The same plan always gives the same files.

mod draw;

use std::path::Path;
use std::process::ExitCode;

/// The towns that are drawn, from the folder of this crate.
const TOWNS: &[&str] = &["towns/osier_quay", "../../examples/two_neighbours"];
/// The picture of the first of them.
const PICTURE: &str = "../../docs/pictures/map.png";

fn main() -> ExitCode {
    match draw_all(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

fn draw_all(here: &Path) -> Result<(), String> {
    let mut picture = Some(here.join(PICTURE));
    for town in TOWNS.iter().map(|town| here.join(town)) {
        let plan = draw::plan::read(&town.join("plan"))?;
        write(&town.join("map.tmj"), draw::tmj::map(&plan).into_bytes())?;
        write(&town.join("tiles.png"), draw::picture::tileset().png())?;
        if let Some(picture) = picture.take() {
            write(&picture, draw::picture::whole(&plan).png())?;
        }
    }
    Ok(())
}

fn write(path: &Path, bytes: Vec<u8>) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
