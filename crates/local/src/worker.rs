//! What a chat model's thread does: it answers calls, several at a time.
//!
//! Life of a call: it waits in a queue until a sequence is free; its prompt is computed in pieces
//! of [`PIECE_TOKENS`], the stable part first, which is then put on the shelf (or was taken from
//! it); then it writes one token in every round, together with all other calls that write. Calls
//! join and leave between rounds. A call whose asker has gone is dropped between rounds.
//!
//! Prompts are computed one by one and cut at the same places whatever else goes on, and only the
//! writing is batched: so what a call computes depends on other calls only through the rounding of
//! llama.cpp's products over batches of different sizes, which for many weight types is none.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::sync::mpsc::{Receiver, TryRecvError};

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::{LlamaStateSeqFlags, SeqState};
use townsfolk_model::Usage;

use crate::grammar::Constraint;
use crate::options::Sizes;
use crate::prompt::Prompt;
use crate::sample::Chooser;
use crate::shelf::Shelf;
use crate::thread::Answer;

/// A prompt is computed in pieces of so many tokens, with a round of writing between them, so that
/// a long prompt holds up others by a second or two at most.
const PIECE_TOKENS: usize = 512;
/// Shorter beginnings are computed again sooner than fetched.
const LEAST_STABLE_TOKENS: usize = 32;

/// One call.
pub(crate) struct Job {
    /// What is asked.
    pub(crate) prompt: Prompt,
    /// What the answer is held to.
    pub(crate) constraint: Option<Constraint>,
    /// How tokens are chosen.
    pub(crate) chooser: Chooser,
    /// How many tokens the answer may have.
    pub(crate) most_tokens: u32,
    /// Where the answer goes.
    pub(crate) answer: Answer<Written>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// Its words.
    pub(crate) text: String,
    /// What it took.
    pub(crate) usage: Usage,
    /// Whether it had to end for its length.
    pub(crate) cut_off: bool,
}

/// The memory that calls of these sizes need.
pub(crate) fn parameters(sizes: Sizes) -> LlamaContextParams {
    LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(
            sizes.context_tokens.saturating_mul(sizes.sequences),
        ))
        .with_n_seq_max(sizes.sequences)
        .with_n_batch(PIECE_TOKENS as u32)
        .with_n_ubatch(PIECE_TOKENS as u32)
        .with_n_threads(sizes.threads)
        .with_n_threads_batch(sizes.threads)
        // Each sequence has its own memory: attention then looks at its own tokens only.
        .with_kv_unified(false)
        .with_no_perf(true)
}

/// Answers calls until no more can come.
pub(crate) fn run<'m>(model: &'m LlamaModel, context: LlamaContext<'m>, sizes: Sizes, jobs: &Receiver<Job>) {
    let seats = (0..)
        .take(sizes.sequences as usize)
        .map(|sequence| Seat { sequence, call: None })
        .collect();
    let mut worker = Worker {
        model,
        context,
        batch: LlamaBatch::new(PIECE_TOKENS.max(sizes.sequences as usize), 1),
        seats,
        queue: VecDeque::new(),
        shelf: Shelf::new(sizes.shelf_bytes),
    };
    while worker.take_in(jobs) {
        worker.read();
        worker.write();
    }
}

struct Worker<'a> {
    model: &'a LlamaModel,
    context: LlamaContext<'a>,
    batch: LlamaBatch<'static>,
    seats: Vec<Seat>,
    queue: VecDeque<Job>,
    shelf: Shelf<SeqState>,
}

/// A sequence of the model's memory, and the call it is used for.
struct Seat {
    sequence: i32,
    call: Option<Call>,
}

/// A call on its way.
struct Call {
    job: Job,
    /// Tokens of the prompt and the answer that are in the model's memory.
    computed: usize,
    /// Of them, tokens that came from the shelf.
    cached: usize,
    /// The answer so far; its last token is not yet computed.
    tokens: Vec<u32>,
    text: Vec<u8>,
}

/// What comes after a token.
enum Next {
    Writes,
    Ends { cut_off: bool },
    Fails(String),
}

impl Worker<'_> {
    /// Takes in new calls, waiting for one when there is nothing else to do. False when no more
    /// can come.
    fn take_in(&mut self, jobs: &Receiver<Job>) -> bool {
        if self.queue.is_empty() && self.seats.iter().all(|seat| seat.call.is_none()) {
            match jobs.recv() {
                Ok(job) => self.queue.push_back(job),
                Err(_) => return false,
            }
        }
        loop {
            match jobs.try_recv() {
                Ok(job) => self.queue.push_back(job),
                Err(TryRecvError::Empty) => break,
                // Nobody waits for an answer any more either.
                Err(TryRecvError::Disconnected) => return false,
            }
        }
        self.queue.retain(|job| !job.answer.is_closed());
        for at in 0..self.seats.len() {
            if self.seats[at]
                .call
                .as_ref()
                .is_some_and(|call| call.job.answer.is_closed())
            {
                self.leave(at);
            }
        }
        for at in 0..self.seats.len() {
            if self.seats[at].call.is_some() {
                continue;
            }
            let Some(next) = self.queue.iter().position(|job| !self.waits(job)) else {
                break;
            };
            if let Some(job) = self.queue.remove(next) {
                self.seat(at, job);
            }
        }
        true
    }

    /// Whether a job had better wait because another call is just computing what both begin with.
    fn waits(&self, job: &Job) -> bool {
        let stable = job.prompt.shareable();
        if stable.is_empty() || self.shelf.is_closed() || self.shelf.holds(&numbers(stable)) {
            return false;
        }
        let mut calls = self.seats.iter().filter_map(|seat| seat.call.as_ref());
        calls.any(|call| call.computed < call.job.prompt.stable && call.job.prompt.shareable() == stable)
    }

    /// Gives a job a free sequence, with what is on the shelf for it.
    fn seat(&mut self, at: usize, job: Job) {
        self.leave(at);
        let sequence = self.seats[at].sequence;
        let stable = job.prompt.shareable();
        let mut cached = 0;
        if let (false, Some(state)) = (stable.is_empty(), self.shelf.get(&numbers(stable))) {
            if self.context.state_seq_set(state, sequence).is_ok() {
                cached = stable.len();
            } else {
                // What does not fit is computed anew.
                self.shelf.drop_entry(&numbers(stable));
                self.leave(at);
            }
        }
        let call = Call {
            job,
            computed: cached,
            cached,
            tokens: Vec::new(),
            text: Vec::new(),
        };
        self.seats[at].call = Some(call);
    }

    /// Frees a sequence and gives back the call that had it.
    fn leave(&mut self, at: usize) -> Option<Call> {
        let sequence = self.seats[at].sequence;
        // Removing a whole sequence cannot fail, and the number is small and not negative.
        let _ = self
            .context
            .clear_kv_cache_seq(u32::try_from(sequence).ok(), None, None);
        self.seats[at].call.take()
    }

    /// Computes a piece of every prompt that is not yet whole.
    fn read(&mut self) {
        for at in 0..self.seats.len() {
            let Seat {
                sequence,
                call: Some(call),
            } = &self.seats[at]
            else {
                continue;
            };
            let (sequence, tokens) = (*sequence, &call.job.prompt.tokens);
            if call.computed >= tokens.len() {
                continue;
            }
            let (from, stable) = (call.computed, call.job.prompt.shareable().len());
            let limit = if from < stable { stable } else { tokens.len() };
            let to = limit.min(from + PIECE_TOKENS);
            self.batch.clear();
            for (position, token) in (from..to).zip(&tokens[from..to]) {
                let last = position + 1 == tokens.len();
                // In range: a prompt is shorter than its window, and a piece than the batch.
                if self
                    .batch
                    .add(*token, position as i32, &[sequence], last)
                    .is_err()
                {
                    break;
                }
            }
            let whole = to == tokens.len();
            if let Err(error) = self.context.decode(&mut self.batch) {
                self.fail(at, format!("llama.cpp cannot compute the prompt ({error})"));
                continue;
            }
            let Some(call) = &mut self.seats[at].call else {
                continue;
            };
            call.computed = to;
            if to == stable && !self.shelf.is_closed() {
                // A state that cannot be saved is computed again next time.
                if let Ok(state) = self.context.state_seq_get(sequence, LlamaStateSeqFlags::empty()) {
                    let bytes = state.byte_len();
                    self.shelf
                        .keep(&numbers(call.job.prompt.shareable()), state, bytes);
                }
            }
            if whole {
                self.follow(at, (to - from - 1) as i32); // the last of the piece
            }
        }
    }

    /// Computes the newest token of every answer, all in one batch.
    fn write(&mut self) {
        self.batch.clear();
        let mut writing = Vec::new();
        for (at, seat) in self.seats.iter().enumerate() {
            let Some(call) = &seat.call else { continue };
            if call.computed < call.job.prompt.tokens.len() {
                continue;
            }
            let Some(newest) = call.tokens.last() else {
                continue;
            };
            // In range: windows and vocabularies are far smaller.
            let token = LlamaToken::new(*newest as i32);
            if self
                .batch
                .add(token, call.computed as i32, &[seat.sequence], true)
                .is_ok()
            {
                writing.push(at);
            }
        }
        if writing.is_empty() {
            return;
        }
        if let Err(error) = self.context.decode(&mut self.batch) {
            for at in writing {
                self.fail(at, format!("llama.cpp cannot go on ({error})"));
            }
            return;
        }
        for (row, at) in (0..).zip(writing) {
            if let Some(call) = &mut self.seats[at].call {
                call.computed += 1;
            }
            self.follow(at, row);
        }
    }

    /// Chooses what follows in a call, from a row of the last batch.
    fn follow(&mut self, at: usize, row: i32) {
        let logits = self.context.get_logits_ith(row);
        let Some(call) = &mut self.seats[at].call else {
            return;
        };
        let next = call.next(self.model, logits).unwrap_or_else(Next::Fails);
        match next {
            Next::Writes => {}
            Next::Fails(problem) => self.fail(at, problem),
            Next::Ends { cut_off } => {
                if let Some(call) = self.leave(at) {
                    let usage = Usage {
                        input: count(call.job.prompt.tokens.len()),
                        cached: count(call.cached),
                        output: count(call.tokens.len()),
                    };
                    let text = text_of(&call.text);
                    let _ = call.job.answer.send(Ok(Written { text, usage, cut_off })); // gone: dropped
                }
            }
        }
    }

    fn fail(&mut self, at: usize, problem: String) {
        if let Some(call) = self.leave(at) {
            let _ = call.job.answer.send(Err(problem)); // gone: dropped
        }
    }
}

impl Call {
    /// Chooses the next token and takes it in.
    fn next(&mut self, model: &LlamaModel, logits: &[f32]) -> Result<Next, String> {
        let place = count(self.tokens.len());
        let job = &mut self.job;
        let chosen = match &mut job.constraint {
            None => job.chooser.choose(logits, |_| true, place),
            Some(constraint) => {
                let allowed = constraint.allowed()?;
                job.chooser.choose(logits, |token| allowed.get(token), place)
            }
        };
        let chosen = chosen.ok_or("the model's numbers are none; the file may be damaged")?;
        let token = LlamaToken::new(chosen as i32); // vocabularies are far smaller
        let vocabulary = model.vocab();
        // A control token that ends nothing is no answer either: the model has lost the thread.
        if vocabulary.is_eog(token) || vocabulary.is_control(token) {
            return Ok(Next::Ends { cut_off: false });
        }
        let number = count(chosen);
        self.tokens.push(number);
        vocabulary.token_to_piece_into(token, &mut self.text, false, None);
        let full = count(self.tokens.len()) >= job.most_tokens;
        let Some(constraint) = &mut job.constraint else {
            return Ok(if full {
                Next::Ends { cut_off: true }
            } else {
                Next::Writes
            });
        };
        constraint.take(number)?;
        if constraint.is_done() {
            return Ok(Next::Ends { cut_off: false });
        }
        if !full {
            return Ok(Next::Writes);
        }
        if constraint.is_whole() {
            return Ok(Next::Ends { cut_off: false });
        }
        // Where no ending is found the answer goes out as it is, and says that it was cut off.
        let _ = constraint.close(&self.tokens, &mut self.text);
        Ok(Next::Ends { cut_off: true })
    }
}

impl Prompt {
    /// The beginning worth keeping for other calls; empty where there is none.
    fn shareable(&self) -> &[LlamaToken] {
        if self.stable < LEAST_STABLE_TOKENS {
            &[]
        } else {
            &self.tokens[..self.stable]
        }
    }
}

fn numbers(tokens: &[LlamaToken]) -> Vec<i32> {
    tokens.iter().map(|token| token.0).collect()
}

/// Windows and vocabularies have far fewer than 2³² tokens.
fn count(tokens: usize) -> u32 {
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

/// The text of an answer, without a character that was only half written at its end.
fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) if error.error_len().is_none() => {
            String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned()
        }
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}
