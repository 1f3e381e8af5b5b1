//! Opening GGUF files for whoever configures models by name.

use townsfolk_model::LocalModels;

/// What opens GGUF files; none in a build without the feature `llama`.
pub fn models() -> Option<&'static dyn LocalModels> {
    #[cfg(feature = "llama")]
    let models: Option<&'static dyn LocalModels> = Some(&llama::Llama);
    #[cfg(not(feature = "llama"))]
    let models = None;
    models
}

#[cfg(feature = "llama")]
mod llama {
    use std::path::Path;
    use std::sync::Arc;

    use townsfolk_model::{ChatModel, EmbeddingModel, LocalModels, LocalOptions as Wanted, ModelError};

    use crate::{LocalEmbedder, LocalModel, LocalOptions};

    /// llama.cpp.
    pub(super) struct Llama;

    impl LocalModels for Llama {
        fn open(&self, path: &Path, wanted: &Wanted) -> Result<Arc<dyn ChatModel>, ModelError> {
            let options = LocalOptions {
                context_tokens: Some(wanted.window_tokens),
                sequences: wanted.concurrency,
                ..LocalOptions::default()
            };
            Ok(Arc::new(LocalModel::open(path, &options)?))
        }

        fn open_embedding(&self, path: &Path) -> Result<Arc<dyn EmbeddingModel>, ModelError> {
            Ok(Arc::new(LocalEmbedder::open(path, &LocalOptions::default())?))
        }
    }
}
