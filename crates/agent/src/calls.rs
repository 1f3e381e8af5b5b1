//! The calls that an agent's mind makes to a language model: none that its memory rests on is made twice,
//! over restarts too, and each is written down with the answers that rest on it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use townsfolk_mind::Halted;
use townsfolk_mind::model::{Call, CallKey, Found, Ledger, Origin, Question};
use townsfolk_model::{ChatReply, Usage};
use townsfolk_store::{RunReader, StoreError, Tick};

/// The memory of calls: those made while the agent lives, and those in its file.
#[derive(Default)]
pub(crate) struct Calls(Mutex<Made>);

#[derive(Default)]
struct Made {
    /// What was replied to each question, by its hash, and which call of this life it was, if it was one.
    replies: BTreeMap<String, (Option<CallKey>, ChatReply)>,
    /// The file as it was when the agent was opened.
    past: Option<RunReader>,
    /// Calls that are not in the file yet.
    fresh: Vec<Call>,
    /// Which calls the answers of the moment rest on.
    used: Vec<Use>,
}

/// A call that an attempt at a question rests on.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// Which question.
    pub(crate) seq: u32,
    /// Which attempt.
    pub(crate) attempt: u8,
    /// Which call, by its hash.
    pub(crate) hash: String,
}

impl Calls {
    /// Also knows what is in the agent's file.
    pub(crate) fn look_back(&self, file: RunReader) {
        self.lock().past = Some(file);
    }

    /// The calls that are not in the file yet, and what rests on which. They are given away.
    pub(crate) fn take(&self) -> (Vec<Call>, Vec<Use>) {
        let mut made = self.lock();
        (std::mem::take(&mut made.fresh), std::mem::take(&mut made.used))
    }

    /// Forgets which answers rested on what: they did not come about. The calls stay, so that whoever
    /// tries again need not make them again.
    pub(crate) fn forget_uses(&self) {
        self.lock().used.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Made> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Made {
    /// A reply that an answer in the file rests on, taken from there.
    fn recall(&mut self, hash: &str) -> Result<(), StoreError> {
        let Some(file) = self.past.as_ref().filter(|_| !self.replies.contains_key(hash)) else {
            return Ok(());
        };
        let call = file.equal_call(hash, Tick::MAX)?;
        if let Some((row, Ok(reply))) = call.map(|call| (call.row.model, call.row.outcome)) {
            let reply = ChatReply {
                text: reply.text,
                usage: Usage {
                    input: reply.tokens_in,
                    cached: reply.tokens_cached,
                    output: reply.tokens_out,
                },
                model: reply.answered_by.unwrap_or(row),
                cut_off: reply.cut_off,
            };
            self.replies.insert(hash.to_owned(), (None, reply));
        }
        Ok(())
    }

    fn is_used(&mut self, key: &CallKey) {
        self.used.push(Use {
            seq: key.seq,
            attempt: key.attempt,
            hash: key.hash.clone(),
        });
    }
}

impl Ledger for Calls {
    fn find(&self, question: &Question<'_>) -> Result<Option<Found>, Halted> {
        let mut made = self.lock();
        let recalled = made.recall(&question.key.hash);
        recalled.map_err(|error| Halted {
            reason: error.to_string(),
        })?;
        let Some((key, reply)) = made.replies.get(&question.key.hash) else {
            return Ok(None);
        };
        let origin = match key {
            Some(key) if key == question.key => Origin::Recorded,
            Some(key) if key.tick >= question.key.tick => return Ok(None),
            _ => Origin::Cache,
        };
        let reply = Ok(reply.clone());
        made.is_used(question.key);
        Ok(Some(Found { reply, origin }))
    }

    fn record(&self, call: Call) -> Result<(), Halted> {
        let mut made = self.lock();
        if let Ok(reply) = &call.reply {
            let known = (Some(call.key.clone()), reply.clone());
            made.replies.entry(call.key.hash.clone()).or_insert(known);
        }
        made.is_used(&call.key);
        made.fresh.push(call);
        Ok(())
    }
}
