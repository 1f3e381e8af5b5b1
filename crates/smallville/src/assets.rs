//! Finding the map that belongs to a base.
//!
//! A map is a folder `MAZE_NAME/matrix` in a folder of assets. The 2023 code keeps its bases in
//! `environment/frontend_server/storage` and its assets beside that in `static_dirs/assets`.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::files::folders_in;
use crate::{ImportError, ImportFault, names};

/// The file by which a `matrix` folder is known.
pub(crate) const META_INFO: &str = "maze_meta_info.json";

/// The `matrix` folder of the map `maze_name`, which the file `meta` asks for.
///
/// `assets` may be the folder of all assets, the map's own, or its `matrix`. Without it, `assets`
/// and `static_dirs/assets` two levels above `folder` are tried.
pub(crate) fn find_matrix(
    folder: &Path,
    assets: Option<&Path>,
    maze_name: &str,
    meta: &Path,
) -> Result<PathBuf, ImportError> {
    let roots = match assets {
        Some(given) => vec![given.to_owned()],
        None => roots_near(folder),
    };
    if let Some(given) = assets.filter(|given| given.join(META_INFO).is_file()) {
        return Ok(given.to_owned());
    }
    let mut looked = Vec::new();
    if is_plain_name(maze_name) {
        for root in &roots {
            looked.push(root.join(maze_name).join("matrix"));
            if assets.is_some() && full(root).ends_with(maze_name) {
                looked.push(root.join("matrix"));
            }
        }
    }
    if let Some(matrix) = looked.iter().find(|matrix| matrix.is_dir()) {
        return Ok(matrix.clone());
    }
    // What is there instead? The map's own folder was perhaps given, under another name.
    for root in roots {
        let mut found = folders_in(&root, "the map is looked for in it").unwrap_or_default();
        found.retain(|name| root.join(name).join("matrix").is_dir());
        if root.join("matrix").is_dir() {
            found.extend(
                full(&root)
                    .file_name()
                    .and_then(|name| name.to_str())
                    .map(str::to_owned),
            );
        }
        if !found.is_empty() {
            let nearest = names::nearest(maze_name, found.iter().map(String::as_str));
            let maze_name = maze_name.to_owned();
            return Err(ImportError::new(
                meta,
                ImportFault::UnknownMaze {
                    maze_name,
                    assets: root,
                    found,
                    nearest,
                },
            ));
        }
    }
    let maze_name = maze_name.to_owned();
    Err(ImportError::new(
        meta,
        ImportFault::NoAssets { maze_name, looked },
    ))
}

fn roots_near(folder: &Path) -> Vec<PathBuf> {
    let above = full(folder).ancestors().nth(2).map(Path::to_owned);
    above.map_or_else(Vec::new, |above| {
        vec![above.join("assets"), above.join("static_dirs").join("assets")]
    })
}

/// Without `..` and links, where the system can say.
fn full(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Whether a name from a file can name a folder, and no other place.
fn is_plain_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}
