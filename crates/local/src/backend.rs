//! llama.cpp itself: started once for the process, and opening files with it.

use std::path::Path;
use std::sync::OnceLock;

use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use townsfolk_model::{Fault, ModelError};

use crate::{GgufError, GgufHeader};

/// A file that llama.cpp has opened.
pub(crate) struct Opened {
    /// `gguf:`, the file's name without its folder, which may tell of people, `#` and its
    /// [fingerprint](crate::fingerprint): replies and vectors of other weights are another model's.
    pub(crate) name: String,
    pub(crate) header: GgufHeader,
    pub(crate) model: LlamaModel,
    pub(crate) backend: &'static LlamaBackend,
}

/// Checks a file and has llama.cpp open it.
pub(crate) fn open(path: &Path) -> Result<Opened, ModelError> {
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let name = format!("gguf:{file}");
    let wrong = |error: GgufError| fault(&name, Fault::NoSuchModel, error.to_string(), error.remedy());
    let header = GgufHeader::read(path).map_err(wrong)?;
    let name = format!("{name}#{}", crate::fingerprint(path).map_err(wrong)?);
    let backend = backend().map_err(|problem| {
        fault(
            &name,
            Fault::Server,
            format!("llama.cpp does not start ({problem})"),
            "start the program again",
        )
    })?;
    let model = LlamaModel::load_from_file(backend, path, &LlamaModelParams::default()).map_err(|error| {
        let detail = format!(
            "llama.cpp cannot open {} ({error}): architecture `{}`, {} tensors",
            path.display(),
            header.architecture,
            header.tensors
        );
        let remedy = "check that there is memory for it; a newer architecture needs a newer Townsfolk, another file of the model may do";
        fault(&name, Fault::NoSuchModel, detail, remedy)
    })?;
    Ok(Opened {
        name,
        header,
        model,
        backend,
    })
}

fn backend() -> Result<&'static LlamaBackend, String> {
    static BACKEND: OnceLock<Result<LlamaBackend, String>> = OnceLock::new();
    let started = BACKEND.get_or_init(|| {
        let mut backend = LlamaBackend::init().map_err(|error| error.to_string())?;
        // It would write pages to the standard error stream.
        backend.void_logs();
        Ok(backend)
    });
    started.as_ref().map_err(Clone::clone)
}

/// A fault of a local model; no status, nothing to wait for.
pub(crate) fn fault(model: &str, fault: Fault, detail: String, remedy: &str) -> ModelError {
    ModelError {
        model: model.to_owned(),
        status: None,
        fault,
        detail,
        remedy: remedy.to_owned(),
        retry_after: None,
    }
}
