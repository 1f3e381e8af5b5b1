//! Models that run in this process, where they are built in (feature `local`).

use townsfolk_model::LocalModels;

/// What opens them; none in a build without them.
pub(crate) fn models() -> Option<Box<dyn LocalModels>> {
    None
}
