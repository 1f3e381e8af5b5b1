//! [`LocalEmbedder`]: sentence vectors in the process.
//!
//! Meant for embedding models in GGUF (of the BERT, Qwen3-Embedding or EmbeddingGemma kind), which
//! state how the vectors of a text's tokens become one. A file that states nothing, such as a chat
//! model, is taken by the mean, and [`LocalEmbedder::notices`] says so.

use std::fmt;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use futures_util::future::BoxFuture;
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::{LlamaContextParams, LlamaPoolingType};
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use townsfolk_model::{Embedded, EmbeddingModel, Fault, ModelError, Usage};

use crate::backend::{self, Opened, fault};
use crate::options::{LocalOptions, Sizes};
use crate::thread::{Answer, Memory, Thread};

type Vectors = Vec<Vec<f32>>;

/// Texts to turn into vectors.
struct Job {
    texts: Vec<Vec<LlamaToken>>,
    answer: Answer<Vectors>,
}

/// A model in the process that turns texts into vectors, from a GGUF file.
///
/// Requests are computed one after the other, the texts of one together as far as they fit.
pub struct LocalEmbedder {
    name: String,
    notices: Vec<String>,
    sizes: Sizes,
    model: Arc<LlamaModel>,
    thread: Thread<Job>,
}

impl LocalEmbedder {
    /// Opens a file. [`LocalOptions::context_tokens`] is the longest text, and
    /// [`LocalOptions::sequences`] how many texts are computed together. Blocks.
    ///
    /// # Errors
    /// As of [`crate::LocalModel::open`].
    pub fn open(path: &Path, options: &LocalOptions) -> Result<Self, ModelError> {
        let Opened {
            name,
            header,
            model,
            backend,
        } = backend::open(path)?;
        let sizes = Sizes::new(options, header.trained_tokens)
            .map_err(|(detail, remedy)| fault(&name, Fault::Request, detail, &remedy))?;
        let model = Arc::new(model);
        let mut parameters = parameters(sizes);
        let mut notices = Vec::new();
        if !header.pools {
            parameters = parameters.with_pooling_type(LlamaPoolingType::Mean);
            notices
                .push("the file is no embedding model, so the mean over a text's tokens is used".to_owned());
        }
        let memory = Memory {
            model: Arc::clone(&model),
            backend,
            parameters,
        };
        let thread = Thread::start(&name, memory, move |_, context, jobs| run(context, sizes, jobs));
        let thread = thread.map_err(|problem| {
            let detail = format!(
                "llama.cpp makes no memory for texts of {} tokens ({problem})",
                sizes.context_tokens
            );
            fault(
                &name,
                Fault::Request,
                detail,
                "ask for fewer or shorter texts at a time",
            )
        })?;
        Ok(LocalEmbedder {
            name,
            notices,
            sizes,
            model,
            thread,
        })
    }

    /// What a user should know, such as that the file is no embedding model.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The longest text, in tokens.
    pub fn context_tokens(&self) -> u32 {
        self.sizes.context_tokens
    }

    /// Texts as tokens, and how many these are.
    fn tokenized(&self, texts: &[String]) -> Result<(Vec<Vec<LlamaToken>>, Usage), ModelError> {
        let vocabulary = self.model.vocab();
        let mut read = 0;
        let mut tokenized = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            let mut tokens = vocabulary.tokenize(text.as_bytes(), true, false);
            if tokens.is_empty() {
                // A vector is owed for every text, and a model needs something to look at.
                tokens = vocabulary.tokenize(b" ", true, false);
            }
            let length = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
            if length > self.sizes.context_tokens {
                let detail = format!(
                    "text {number} has {length} tokens, and the window {}",
                    self.sizes.context_tokens
                );
                return Err(fault(
                    &self.name,
                    Fault::TooLong,
                    detail,
                    "shorten the text or open a larger window",
                ));
            }
            read += length;
            tokenized.push(tokens);
        }
        let usage = Usage {
            input: read,
            ..Usage::default()
        };
        Ok((tokenized, usage))
    }
}

impl EmbeddingModel for LocalEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Embedded, ModelError>> {
        Box::pin(async move {
            let (texts, usage) = self.tokenized(texts)?;
            let count = texts.len();
            let vectors = self.thread.ask(|answer| Job { texts, answer }).await?;
            let embedded = Embedded { vectors, usage };
            match embedded.flaw(count) {
                Some(flaw) => Err(fault(
                    &self.name,
                    Fault::Unreadable,
                    flaw,
                    "choose another embedder",
                )),
                None => Ok(embedded),
            }
        })
    }
}

impl fmt::Debug for LocalEmbedder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalEmbedder")
            .field("name", &self.name)
            .field("sizes", &self.sizes)
            .finish_non_exhaustive()
    }
}

fn parameters(sizes: Sizes) -> LlamaContextParams {
    // A text must be computed in one piece: models of this kind look at it from both sides.
    LlamaContextParams::default()
        .with_embeddings(true)
        // One memory for all texts of a batch: with several, llama.cpp cuts a batch where its shortest
        // text ends, and the mean is then taken over each text's last cut only.
        .with_kv_unified(true)
        .with_n_ctx(NonZeroU32::new(
            sizes.context_tokens.saturating_mul(sizes.sequences),
        ))
        .with_n_seq_max(sizes.sequences)
        .with_n_batch(sizes.context_tokens)
        .with_n_ubatch(sizes.context_tokens)
        .with_n_threads(sizes.threads)
        .with_n_threads_batch(sizes.threads)
        .with_no_perf(true)
}

fn run(mut context: LlamaContext<'_>, sizes: Sizes, jobs: &Receiver<Job>) {
    let mut batch = LlamaBatch::new(sizes.context_tokens as usize, 1);
    while let Ok(job) = jobs.recv() {
        if job.answer.is_closed() {
            continue;
        }
        let vectors = embed(&mut context, &mut batch, sizes, &job.texts);
        let _ = job.answer.send(vectors); // gone: dropped
    }
}

fn embed(
    context: &mut LlamaContext<'_>,
    batch: &mut LlamaBatch<'_>,
    sizes: Sizes,
    texts: &[Vec<LlamaToken>],
) -> Result<Vectors, String> {
    let mut vectors = Vec::new();
    let mut rest = texts;
    while !rest.is_empty() {
        let mut tokens = 0;
        let together = rest
            .iter()
            .take(sizes.sequences as usize)
            .take_while(|text| {
                tokens += text.len();
                tokens <= sizes.context_tokens as usize
            })
            .count()
            .max(1);
        let (now, later) = rest.split_at(together);
        rest = later;
        batch.clear();
        context.clear_kv_cache();
        for (sequence, text) in (0..).zip(now) {
            for (position, token) in (0..).zip(text) {
                batch
                    .add(*token, position, &[sequence], true)
                    .map_err(|error| error.to_string())?;
            }
        }
        context
            .decode(batch)
            .map_err(|error| format!("llama.cpp cannot compute the texts ({error})"))?;
        for (sequence, _) in (0..).zip(now) {
            let vector = context
                .embeddings_seq_ith(sequence)
                .map_err(|error| error.to_string())?;
            vectors.push(vector.to_vec());
        }
    }
    Ok(vectors)
}
