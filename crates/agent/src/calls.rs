//! The calls that an agent's mind makes to a language model: none is made twice, and each is written down
//! with the answers that rest on it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use townsfolk_mind::Halted;
use townsfolk_mind::model::{Call, CallKey, Found, Ledger, Origin, Question};
use townsfolk_model::ChatReply;

/// The memory of calls while an agent lives.
#[derive(Default)]
pub(crate) struct Calls(Mutex<Made>);

#[derive(Default)]
struct Made {
    /// What was replied to each question, by its hash.
    replies: BTreeMap<String, (CallKey, ChatReply)>,
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
        let Some((key, reply)) = made.replies.get(&question.key.hash) else {
            return Ok(None);
        };
        let origin = if key == question.key {
            Origin::Recorded
        } else if key.tick < question.key.tick {
            Origin::Cache
        } else {
            return Ok(None);
        };
        let reply = Ok(reply.clone());
        made.is_used(question.key);
        Ok(Some(Found { reply, origin }))
    }

    fn may_spend(&self, _: &Question<'_>, _: u32) -> Result<(), Halted> {
        Ok(())
    }

    fn record(&self, call: Call) -> Result<(), Halted> {
        let mut made = self.lock();
        if let Ok(reply) = &call.reply {
            let known = (call.key.clone(), reply.clone());
            made.replies.entry(call.key.hash.clone()).or_insert(known);
        }
        made.is_used(&call.key);
        made.fresh.push(call);
        Ok(())
    }
}
