//! Lists the files of `towns/*/` so that they are compiled in. Folders named `plan`, which maps are
//! drawn from, stay out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("towns");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut list = String::from("&[\n");
    for town in sorted(&root)?.iter().filter(|path| path.is_dir()) {
        let _ = writeln!(list, "Bundled {{ name: {:?}, files: &[", name(town));
        files(town, "", &mut list)?;
        list.push_str("] },\n");
    }
    list.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("bundled.rs"), list)
}

fn files(folder: &Path, prefix: &str, list: &mut String) -> io::Result<()> {
    for path in sorted(folder)? {
        let inside = format!("{prefix}{}", name(&path));
        if path.is_dir() && name(&path) != "plan" {
            files(&path, &format!("{inside}/"), list)?;
        } else if path.is_file() {
            let _ = writeln!(
                list,
                "({inside:?}, include_bytes!({:?})),",
                path.display().to_string()
            );
        }
    }
    Ok(())
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| !name(path).starts_with('.'));
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
