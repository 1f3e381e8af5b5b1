//! The towns of the 2023 code, where their data are at hand.

use std::path::{Path, PathBuf};

use crate::common::Desk;

fn shared() -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("TOWNSFOLK_SHARED")
        .map_or_else(default, PathBuf::from)
        .join("smallville");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no data of the 2023 code in {}", folder.display());
    None
}

#[test]
fn a_base_of_the_2023_code_is_checked_run_and_looked_into() {
    let Some(shared) = shared() else { return };
    let desk = Desk::new();
    let base = shared.join("storage/base_the_ville_isabella_maria_klaus");
    let (base, assets) = (base.to_str().unwrap(), shared.join("assets"));
    let history = assets.join("the_ville/agent_history_init_n3.csv");
    let (assets, history) = (assets.to_str().unwrap(), history.to_str().unwrap());
    let checked = desk.json(&["check", base, "--assets", assets, "--history", history, "--json"]);
    assert_eq!(checked["residents"].as_array().unwrap().len(), 3);
    assert!(checked["whispers"].as_u64().unwrap() > 0);
    let error = desk.refused(&["run", base, "--assets", "nowhere"]);
    assert!(error.contains("the_ville"), "{error}");
    desk.ok(&[
        "run",
        base,
        "--assets",
        assets,
        "--history",
        history,
        "--out",
        "ville.run",
        "--quiet",
        "--ticks",
        "60",
    ]);
    let places = desk.json(&["inspect", "ville.run", "places", "--json"]);
    assert_eq!(places["residents"].as_array().unwrap().len(), 3);
    assert!(
        desk.ok(&["inspect", "ville.run", "memories", "isabella"])
            .contains("Isabella Rodriguez")
    );
}
