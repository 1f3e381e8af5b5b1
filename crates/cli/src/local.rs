//! Models that run in this process, where they are built in (feature `local`).

use townsfolk_model::LocalModels;

/// What opens them; none in a build without them.
#[cfg(not(feature = "local"))]
pub(crate) fn models() -> Option<Box<dyn LocalModels>> {
    None
}

/// What opens them.
#[cfg(feature = "local")]
pub(crate) fn models() -> Option<Box<dyn LocalModels>> {
    Some(Box::new(opener::Llama))
}

#[cfg(feature = "local")]
mod opener {
    use std::path::Path;
    use std::sync::Arc;

    use townsfolk_local::{LocalEmbedder, LocalModel};
    use townsfolk_model::{ChatModel, EmbeddingModel, LocalModels, LocalOptions, ModelError};

    /// llama.cpp.
    pub(super) struct Llama;

    impl LocalModels for Llama {
        fn open(&self, path: &Path, options: &LocalOptions) -> Result<Arc<dyn ChatModel>, ModelError> {
            let options = townsfolk_local::LocalOptions {
                context_tokens: Some(options.window_tokens),
                sequences: options.concurrency,
                ..townsfolk_local::LocalOptions::default()
            };
            Ok(Arc::new(LocalModel::open(path, &options)?))
        }

        fn open_embedding(&self, path: &Path) -> Result<Arc<dyn EmbeddingModel>, ModelError> {
            let options = townsfolk_local::LocalOptions::default();
            Ok(Arc::new(LocalEmbedder::open(path, &options)?))
        }
    }
}
