//! The run file as the memory of calls: every call is written down before its reply is used, and none
//! is made twice.
//!
//! - `Recorder`: the ledger of a run that is being written.
//! - [`Recorded`]: the calls of a run that is only read: for replays, and for rebuilding a tick.
//! - [`Unkept`]: remembers nothing, for questions that leave no trace.
//! - `Past`: the answers of ticks that are computed again.
//! - [`Spending`], [`Budget`]: what was spent, and what may be.
//! - [`Stop`]: how people stop a run whose calls are on their way.

mod past;
mod recorded;
mod recorder;
mod spending;
mod stop;
mod unkept;

pub(crate) use self::past::Past;
pub use self::recorded::{Mismatch, Recorded};
pub(crate) use self::recorder::{Recorder, Trouble, lock};
pub use self::spending::{Budget, Prices, Spending, cost_usd};
pub use self::stop::Stop;
pub use self::unkept::Unkept;

use townsfolk_memory::Embedding;
use townsfolk_mind::ResidentId;
use townsfolk_mind::model::{Call, CallKey};
use townsfolk_model::{ChatReply, Usage};
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
    store::CallRow {
        key: key_row(&call.key),
        kind: call.kind.name().to_owned(),
        model: call.model,
        request: call.request,
        outcome: call.reply.map(|reply| store::ReplyRow {
            text: reply.text,
            answered_by: Some(reply.model),
            cut_off: reply.cut_off,
            tokens_in: reply.usage.input,
            tokens_cached: reply.usage.cached,
            tokens_out: reply.usage.output,
        }),
        milliseconds: Some(call.ms),
        paid_by: store::Payer::ThisRun,
    }
}

pub(crate) fn reply_of(row: &store::CallRow) -> Result<ChatReply, String> {
    let reply = row.outcome.as_ref().map_err(String::clone)?;
    Ok(ChatReply {
        text: reply.text.clone(),
        usage: Usage {
            input: reply.tokens_in,
            cached: reply.tokens_cached,
            output: reply.tokens_out,
        },
        model: reply.answered_by.clone().unwrap_or_else(|| row.model.clone()),
        cut_off: reply.cut_off,
    })
}

/// A vector as the file has it: 8-bit codes.
fn embedding(bytes: &[u8]) -> Embedding {
    let codes: Vec<i8> = bytes.iter().map(|byte| byte.cast_signed()).collect();
    Embedding::from_codes(&codes)
}
