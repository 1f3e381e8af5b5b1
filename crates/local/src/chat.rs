//! [`LocalModel`]: a chat model in the process.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use townsfolk_model::{ChatModel, ChatReply, ChatRequest, Fault, ModelError};

use crate::backend::{self, fault};
use crate::grammar::{Grammar, Piece};
use crate::options::{LocalOptions, Sizes};
use crate::prompt::{Layout, Prompt};
use crate::sample::{Chooser, seed_of};
use crate::thread::{Answer, Memory, Thread};
use crate::worker::{self, Job, Written};

/// A chat model in the process, from a GGUF file.
///
/// Calls made at the same time are computed together, up to [`LocalOptions::sequences`]; more wait
/// their turn. A call whose future is dropped is given up. Dropping the model ends its thread.
pub struct LocalModel {
    name: String,
    /// What the model calls itself.
    calls_itself: String,
    notices: Vec<String>,
    sizes: Sizes,
    model: Arc<LlamaModel>,
    layout: Layout,
    grammar: Grammar,
    thread: Thread<Job>,
}

impl LocalModel {
    /// Opens a file and makes memory for its calls. Takes seconds for a large file; blocks.
    ///
    /// # Errors
    /// - [`Fault::NoSuchModel`]: no file, no GGUF file, a damaged one, one that llama.cpp of this
    ///   version does not know;
    /// - [`Fault::Request`]: options out of range, or no memory for them.
    pub fn open(path: &Path, options: &LocalOptions) -> Result<Self, ModelError> {
        let opened = backend::open(path)?;
        let name = opened.name;
        let sizes = Sizes::new(options, opened.header.trained_tokens)
            .map_err(|(detail, remedy)| fault(&name, Fault::Request, detail, &remedy))?;
        let model = Arc::new(opened.model);
        let unusable = |problem: String| {
            fault(
                &name,
                Fault::NoSuchModel,
                problem,
                "use a chat model; this file may be for another purpose",
            )
        };
        let layout = Layout::of(&model).map_err(unusable)?;
        let grammar = grammar(&model).map_err(unusable)?;
        let memory = Memory {
            model: Arc::clone(&model),
            backend: opened.backend,
            parameters: worker::parameters(sizes),
        };
        let thread = Thread::start(&name, memory, move |model, context, jobs| {
            worker::run(model, context, sizes, jobs);
        });
        let thread = thread.map_err(|problem| {
            let detail = format!(
                "llama.cpp makes no memory for {} calls of {} tokens ({problem})",
                sizes.sequences, sizes.context_tokens
            );
            fault(
                &name,
                Fault::Request,
                detail,
                "ask for fewer calls at a time or a smaller window",
            )
        })?;
        Ok(LocalModel {
            calls_itself: opened.header.name.unwrap_or_else(|| name.clone()),
            notices: layout.notice().map(str::to_owned).into_iter().collect(),
            name,
            sizes,
            model,
            layout,
            grammar,
            thread,
        })
    }

    /// What a user should know, such as that the file brings no chat template.
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The window of one call, prompt and answer together, in tokens.
    pub fn context_tokens(&self) -> u32 {
        self.sizes.context_tokens
    }

    /// How many calls are computed at the same time.
    pub fn sequences(&self) -> u32 {
        self.sizes.sequences
    }

    /// How many tokens the prompt of a request has.
    ///
    /// # Errors
    /// [`Fault::Request`] for a request without words.
    pub fn prompt_tokens(&self, request: &ChatRequest) -> Result<u32, ModelError> {
        Ok(u32::try_from(self.prompt(request)?.tokens.len()).unwrap_or(u32::MAX))
    }

    fn prompt(&self, request: &ChatRequest) -> Result<Prompt, ModelError> {
        if request.system.trim().is_empty() && request.turns.iter().all(|turn| turn.text.trim().is_empty()) {
            let detail = "the request has no words".to_owned();
            return Err(fault(&self.name, Fault::Request, detail, "ask something"));
        }
        self.layout.prompt(&self.model, request).map_err(|problem| {
            let detail = format!("the prompt cannot be laid out: {problem}");
            fault(
                &self.name,
                Fault::Request,
                detail,
                "use a file with a common chat template",
            )
        })
    }

    /// What the thread is to do about a request, but for where the answer goes.
    fn job(&self, request: &ChatRequest) -> Result<impl FnOnce(Answer<Written>) -> Job, ModelError> {
        let prompt = self.prompt(request)?;
        let window = self.sizes.context_tokens as usize;
        let room = window.saturating_sub(prompt.tokens.len());
        if room == 0 {
            let detail = format!(
                "the prompt has {} tokens, and the window {window}",
                prompt.tokens.len()
            );
            let remedy =
                "shorten the prompt, or open the model with a larger window if it was trained on one";
            return Err(fault(&self.name, Fault::TooLong, detail, remedy));
        }
        let constraint = match &request.shape {
            None => None,
            Some(shape) => Some(self.grammar.constrain(&shape.schema).map_err(|problem| {
                let detail = format!("the schema of `{}` cannot be used: {problem}", shape.name);
                fault(&self.name, Fault::Request, detail, "mend the schema")
            })?),
        };
        let seed = request
            .seed
            .unwrap_or_else(|| seed_of(prompt.tokens.iter().map(|token| token.0.cast_unsigned())));
        let most_tokens = request
            .max_tokens
            .clamp(1, u32::try_from(room).unwrap_or(u32::MAX));
        let chooser = Chooser {
            temperature: request.temperature,
            seed,
        };
        Ok(move |answer| Job {
            prompt,
            constraint,
            chooser,
            most_tokens,
            answer,
        })
    }
}

impl ChatModel for LocalModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, ModelError>> {
        Box::pin(async move {
            let written = self.thread.ask(self.job(request)?).await?;
            Ok(ChatReply {
                text: written.text,
                usage: written.usage,
                model: self.calls_itself.clone(),
                cut_off: written.cut_off,
            })
        })
    }
}

impl fmt::Debug for LocalModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalModel")
            .field("name", &self.name)
            .field("sizes", &self.sizes)
            .finish_non_exhaustive()
    }
}

/// What the model's vocabulary can be held to.
fn grammar(model: &LlamaModel) -> Result<Grammar, String> {
    let vocabulary = model.vocab();
    let mut pieces = Vec::new();
    let mut ends = Vec::new();
    for number in 0..vocabulary.n_tokens() {
        let token = LlamaToken::new(number);
        if vocabulary.is_eog(token) {
            ends.push(number.cast_unsigned());
        }
        let bytes = vocabulary.token_to_piece(token, false, None);
        let steers = bytes.is_empty() || vocabulary.is_eog(token) || vocabulary.is_control(token);
        pieces.push(if steers {
            Piece::Control
        } else {
            Piece::Text(bytes)
        });
    }
    Grammar::new(pieces, &ends)
}
