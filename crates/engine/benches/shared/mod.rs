//! The town that benchmarks run: the 2023 code's 25 residents where its files are.

use std::path::Path;

use townsfolk_town::Town;

pub(crate) fn town() -> Town {
    let shared = std::env::var("TOWNSFOLK_SHARED").unwrap_or_else(|_| "../../../shared".to_owned());
    let base = Path::new(&shared).join("smallville/storage/base_the_ville_n25");
    let base = if base.is_absolute() {
        base
    } else {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(base)
    };
    if base.exists() {
        return townsfolk_smallville::read_base(&base, None)
            .expect("the base can be read")
            .town;
    }
    println!("skipped: the 2023 base is not there; the bundled town instead");
    Town::bundled("osier_quay").expect("a bundled town")
}
