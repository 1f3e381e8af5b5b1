//! Where calls are looked up before they are made, and written down as soon as they exist.

use futures_util::future::{BoxFuture, ready};
use townsfolk_memory::Embedding;
use townsfolk_model::{ChatReply, Usage};

use super::ask::hash;
use crate::{Halted, ResidentId, TaskKind};

/// Which call: the question of a tick it serves, which attempt, and what exactly was asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallKey {
    /// The tick.
    pub tick: u64,
    /// Whose question.
    pub resident: ResidentId,
    /// Which of that resident's questions of the tick, from 0.
    pub seq: u32,
    /// 0 for the first call, 1 for the corrective one.
    pub attempt: u8,
    /// BLAKE3 of model name and request, in hexadecimal: equal hashes ask the same.
    pub hash: String,
}

/// A call that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Which.
    pub key: CallKey,
    /// For which task.
    pub kind: TaskKind,
    /// The model that was asked.
    pub model: String,
    /// The request as sent, as JSON; holds no key and no header.
    pub request: String,
    /// What came back, or why nothing did.
    pub reply: Result<ChatReply, String>,
    /// Wall-clock milliseconds it took, retries included.
    pub ms: u32,
}

/// A call that is about to be made.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Which.
    pub key: &'a CallKey,
    /// For which task.
    pub kind: TaskKind,
    /// The model that would be asked.
    pub model: &'a str,
    /// The request as it would be sent, as JSON: what [`Call::request`] would hold.
    pub request: &'a str,
}

/// Where a reply was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This very call was made before: a run taken up again, or replayed.
    Recorded,
    /// An earlier tick asked the same and its reply is used once more.
    Cache,
}

/// A reply that need not be bought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The reply; or the failure that a tick already in the run rested on, to be treated as it was
    /// then. From the cache only replies come.
    pub reply: Result<ChatReply, String>,
    /// Where it was found.
    pub origin: Origin,
}

/// The memory of calls: the run file in a run, nothing or a map elsewhere.
///
/// For each call: [`on_its_way`](Ledger::on_its_way) until nothing is, and only then, so that no arrival
/// falls between the two, [`find`](Ledger::find); if nothing is found, [`may_spend`](Ledger::may_spend), the
/// call itself, and [`record`](Ledger::record) whether it failed or not, or [`withdraw`](Ledger::withdraw)
/// if it was not made in the end.
pub trait Ledger: Send + Sync {
    /// A reply that exists already. From the cache only replies of *earlier ticks* come, so that it
    /// does not matter who of several in one tick asks first.
    ///
    /// # Errors
    /// Where a missing reply must not be bought (a replay), thinking halts and says which call.
    fn find(&self, question: &Question<'_>) -> Result<Option<Found>, Halted>;

    /// If this very call is on its way already, what ends when it has arrived and can be
    /// [found](Ledger::find).
    fn on_its_way(&self, _key: &CallKey) -> Option<BoxFuture<'_, ()>> {
        None
    }

    /// Ends when a call that may take `most` may be made; until it is recorded or withdrawn, that counts
    /// as spent. Where any may be made, at once.
    ///
    /// # Errors
    /// If the budget does not hold it or the run is being stopped: the run pauses.
    fn may_spend<'a>(
        &'a self,
        _question: &'a Question<'_>,
        _most: Usage,
    ) -> BoxFuture<'a, Result<(), Halted>> {
        Box::pin(ready(Ok(())))
    }

    /// A call that was to be made was not: people stopped what makes it.
    fn withdraw(&self, _key: &CallKey) {}

    /// Writes a call down, before its reply is used.
    ///
    /// # Errors
    /// If it cannot be written: what cannot be recorded has not happened.
    fn record(&self, call: Call) -> Result<(), Halted>;
}

/// The number in the place of a question's, in the key of a call for vectors: it serves none.
pub const NO_QUESTION: u32 = u32::MAX;

/// A call for vectors that is about to be made, or was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorCall {
    /// Which: its question is [`NO_QUESTION`].
    pub key: CallKey,
    /// The embedder.
    pub model: String,
    /// The request as JSON, such as `{"texts": ["Nora is asleep"]}`.
    pub request: String,
    /// The texts in it.
    pub texts: Vec<String>,
}

impl VectorCall {
    /// A call of a tick, for somebody.
    pub fn new(tick: u64, resident: ResidentId, model: &str, texts: &[&str]) -> Self {
        let request = serde_json::json!({ "texts": texts }).to_string();
        Self {
            key: CallKey {
                tick,
                resident,
                seq: NO_QUESTION,
                attempt: 0,
                hash: hash(model, &request),
            },
            model: model.to_owned(),
            request,
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        }
    }
}

/// The memory of vectors that an embedder elsewhere made, and of the calls that made them: the `text` and
/// `call` rows of a run.
///
/// For each text: [`find_vector`](Vectors::find_vector); for those that are not found, some at a time,
/// [`may_embed`](Vectors::may_embed), the call itself, and [`record_vectors`](Vectors::record_vectors)
/// whether it failed or not, or [`withdraw`](Vectors::withdraw) if it was not made in the end.
pub trait Vectors: Send + Sync {
    /// The vector of a text, if it was made before.
    ///
    /// # Errors
    /// If the run cannot be read, or where a missing vector must not be bought (a replay).
    fn find_vector(&self, text: &str) -> Result<Option<Embedding>, Halted>;

    /// Ends when a call that may take `most` may be made, as [`Ledger::may_spend`].
    ///
    /// # Errors
    /// As there.
    fn may_embed<'a>(&'a self, _call: &'a VectorCall, _most: Usage) -> BoxFuture<'a, Result<(), Halted>> {
        Box::pin(ready(Ok(())))
    }

    /// As [`Ledger::withdraw`].
    fn withdraw(&self, _call: &VectorCall) {}

    /// Writes a call down with its vectors, in the order of its texts, before they are used; or why there
    /// are none. It took `ms` wall-clock milliseconds, retries included.
    ///
    /// # Errors
    /// If it cannot be written.
    fn record_vectors(
        &self,
        call: &VectorCall,
        made: Result<(&[Embedding], Usage), String>,
        ms: u32,
    ) -> Result<(), Halted>;
}

/// What was answered at ticks that are computed again: such a tick is history, whatever models or
/// prompts the run goes on with.
pub trait Answers: Send + Sync {
    /// The answer, as JSON, to a resident's question of a tick.
    ///
    /// # Errors
    /// If no such question was asked then.
    fn answer(&self, tick: u64, who: ResidentId, seq: u32, kind: TaskKind) -> Result<String, Halted>;

    /// The vector of a text, where memories are embedded elsewhere; `None` where the embedder in the
    /// process makes it.
    ///
    /// # Errors
    /// If it is not there.
    fn vector(&self, text: &str) -> Result<Option<Embedding>, Halted>;
}
