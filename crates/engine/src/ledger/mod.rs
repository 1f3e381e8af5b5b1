//! The run file as the memory of calls: every call is written down before its reply is used, and none
//! is made twice.
//!
//! - `Recorder`: the ledger of a run that is being written.
//! - [`Recorded`]: the calls of a run that is only read: for replays, and for rebuilding a tick.
//! - [`Unkept`]: remembers no call, for questions that leave no trace; counts what they take.
//! - `Account`: what was spent, and whether another call fits into the budget.
//! - `Past`: the answers of ticks that are computed again.
//! - [`Spending`], [`Budget`]: what was spent, and what may be.
//! - [`Waiting`]: whose calls are on their way.
//! - [`Stop`]: how people stop a run whose calls are on their way. A tick that misses a reply is not committed;
//!   resumed, the run asks only for what is missing.

mod account;
mod past;
mod recorded;
mod recorder;
mod spending;
mod unkept;
mod waiting;

pub(crate) use self::past::Past;
pub use self::recorded::{Mismatch, Recorded};
pub(crate) use self::recorder::{Recorder, Trouble, lock};
pub use self::spending::{Budget, Prices, Spending, add_usd, known_cost_usd, note_prices, prices_of};
pub use self::unkept::{Aside, Unkept};
pub use self::waiting::Waiting;

use townsfolk_memory::Embedding;
use townsfolk_mind::ResidentId;
use townsfolk_mind::model::{Call, CallKey, VectorCall};
pub use townsfolk_model::Stop;
use townsfolk_model::Usage;
use townsfolk_record as record;
use townsfolk_store as store;

/// Who asks where the town itself does: no resident has this id.
pub(crate) const TOWN: ResidentId = ResidentId(u16::MAX);

/// A resident as the file has it.
fn resident_row(who: ResidentId) -> Option<store::ResidentId> {
    (who != TOWN).then(|| who.0.into())
}

/// A key as the file has it. Ticks are kept below `u32::MAX` by `Run::run_until`.
fn key_row(key: &CallKey) -> store::CallKey {
    store::CallKey {
        tick: u32::try_from(key.tick).unwrap_or(u32::MAX),
        resident: resident_row(key.resident),
        seq: key.seq,
        attempt: key.attempt,
        hash: key.hash.clone(),
    }
}

fn call_row(call: Call) -> store::CallRow {
    record::call(key_row(&call.key), call)
}

/// A call for vectors as the file has it. What they are is in the texts' own rows.
fn vectors_row(call: &VectorCall, made: Result<(&[Embedding], Usage), String>, ms: u32) -> store::CallRow {
    store::CallRow {
        key: key_row(&call.key),
        kind: store::EMBEDDING.to_owned(),
        model: call.model.clone(),
        request: call.request.clone(),
        outcome: made.map(|(vectors, usage)| store::ReplyRow {
            text: format!(
                "{} of {} numbers",
                vectors.len(),
                vectors.first().map_or(0, Embedding::dimensions)
            ),
            answered_by: None,
            cut_off: false,
            tokens_in: usage.input,
            tokens_cached: usage.cached,
            tokens_out: usage.output,
        }),
        milliseconds: Some(ms),
        paid_by: store::Payer::ThisRun,
    }
}

/// A text and its vector as the file has them.
fn text_row((text, vector): (&String, &Embedding)) -> store::TextRow {
    store::TextRow {
        text: text.clone(),
        vector: vector.codes().iter().map(|code| code.cast_unsigned()).collect(),
    }
}

/// The row of a call for vectors that nobody's thinking asked for, to be recorded for tick `tick`: texts that are
/// embedded anew.
pub fn re_embedding_row(
    tick: u64,
    model: &str,
    texts: &[String],
    made: (&[Embedding], Usage),
    ms: u32,
) -> store::CallRow {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    vectors_row(&VectorCall::new(tick, TOWN, model, &texts), Ok(made), ms)
}

/// A vector as the file has it: 8-bit codes.
fn embedding(bytes: &[u8]) -> Embedding {
    let codes: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
    Embedding::from_codes(&codes)
}
