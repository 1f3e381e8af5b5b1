//! How a local model is opened.

/// How a local model is opened. The default suits a small model on a small machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalOptions {
    /// Threads that compute; without it half of what the machine runs at once, which is its real
    /// cores where each runs two. Threads wait for each other some hundred times a token, and spin
    /// while they wait: with more threads than idle cores a token takes seconds.
    pub threads: Option<u32>,
    /// The window of one call, prompt and answer together, in tokens; without it what the model was
    /// trained on, at most [`LocalOptions::DEFAULT_CONTEXT_TOKENS`].
    pub context_tokens: Option<u32>,
    /// Calls computed at the same time, 1 to 64. Each holds a window's worth of memory. With 1,
    /// answers cannot depend on which calls happen to meet in a batch.
    pub sequences: u32,
    /// Memory for prompts' beginnings that may come again, in MiB: a resident's stable part is then
    /// computed once. 0 keeps none.
    pub prefix_mebibytes: u32,
}

impl LocalOptions {
    /// The window where none is asked for: room for a prompt of some 3,000 words.
    pub const DEFAULT_CONTEXT_TOKENS: u32 = 4096;
    /// The most calls at a time.
    pub const MOST_SEQUENCES: u32 = 64;
    /// The smallest window that leaves room for a question and an answer.
    pub const SMALLEST_CONTEXT_TOKENS: u32 = 256;
}

impl Default for LocalOptions {
    fn default() -> Self {
        LocalOptions {
            threads: None,
            context_tokens: None,
            sequences: 4,
            prefix_mebibytes: 512,
        }
    }
}

/// Options after a look at the model and the machine.
#[cfg(feature = "llama")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Threads that compute.
    pub(crate) threads: i32,
    /// The window of one call, in tokens.
    pub(crate) context_tokens: u32,
    /// Calls at a time.
    pub(crate) sequences: u32,
    /// Room for stable beginnings.
    pub(crate) shelf_bytes: usize,
}

#[cfg(feature = "llama")]
impl Sizes {
    /// Checks options against what a model was trained on.
    ///
    /// # Errors
    /// What is wrong with them, and the remedy.
    pub(crate) fn new(options: &LocalOptions, trained_tokens: Option<u64>) -> Result<Self, (String, String)> {
        let trained = trained_tokens.map_or(u32::MAX, |tokens| u32::try_from(tokens).unwrap_or(u32::MAX));
        let default = LocalOptions::DEFAULT_CONTEXT_TOKENS.min(trained);
        let context_tokens = options.context_tokens.unwrap_or(default);
        let least = LocalOptions::SMALLEST_CONTEXT_TOKENS;
        if context_tokens < least.min(trained) {
            let detail = format!("a window of {context_tokens} tokens is too small");
            return Err((detail, format!("ask for {least} or more")));
        }
        if context_tokens > trained {
            let detail =
                format!("a window of {context_tokens} tokens is longer than what the model was trained on");
            return Err((detail, format!("ask for at most {trained}")));
        }
        let most = LocalOptions::MOST_SEQUENCES;
        if !(1..=most).contains(&options.sequences) {
            return Err((
                format!("{} calls at a time", options.sequences),
                format!("ask for 1 to {most}"),
            ));
        }
        if options.threads == Some(0) {
            return Err((
                "no thread to compute with".to_owned(),
                "ask for 1 or more".to_owned(),
            ));
        }
        let machine = std::thread::available_parallelism().map_or(1, |threads| threads.get().div_ceil(2));
        let machine = u32::try_from(machine).unwrap_or(u32::MAX);
        Ok(Sizes {
            threads: i32::try_from(options.threads.unwrap_or(machine)).unwrap_or(i32::MAX),
            context_tokens,
            sequences: options.sequences,
            shelf_bytes: (options.prefix_mebibytes as usize).saturating_mul(1 << 20),
        })
    }
}
