//! The ledger of thinking ahead: it hands out what is known, and notes what would have to be asked.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use futures_util::future::{BoxFuture, ready};
use townsfolk_memory::Embedding;
use townsfolk_mind::model::{Call, CallKey, Found, Ledger, Origin, Question, VectorCall, Vectors};
use townsfolk_mind::{Halted, TaskKind};
use townsfolk_model::{ChatRequest, Usage};

use crate::ledger::{Recorder, lock};

/// What thinking ahead finds out. Whoever thinks with it never waits: thinking ends where a reply is missing,
/// and begins anew when it is there.
pub(super) struct Foresight {
    recorder: Arc<Recorder>,
    noted: Mutex<Missing>,
    /// The tick at hand: what it misses it asks for itself.
    now: AtomicU64,
    /// What must not be asked ahead: it failed as every call would.
    refused: Mutex<BTreeSet<CallKey>>,
}

/// What was missing in one resident's thinking.
#[derive(Default)]
pub(super) struct Missing {
    /// Calls to be made, without fail: they count as on their way.
    pub(super) calls: Vec<ToMake>,
    /// Calls on their way.
    pub(super) on_their_way: Vec<CallKey>,
}

/// A call to be made.
pub(super) struct ToMake {
    pub(super) key: CallKey,
    pub(super) kind: TaskKind,
    pub(super) request: ChatRequest,
    /// The request as JSON.
    pub(super) written: String,
}

impl Foresight {
    pub(super) fn new(recorder: Arc<Recorder>) -> Self {
        Self {
            recorder,
            noted: Mutex::default(),
            now: AtomicU64::new(0),
            refused: Mutex::default(),
        }
    }

    /// The town comes to a tick.
    pub(super) fn begin(&self, tick: u64) {
        self.now.store(tick, Ordering::Relaxed);
    }

    /// What was missing since the last time.
    pub(super) fn missing(&self) -> Missing {
        std::mem::take(&mut *self.noted())
    }

    /// Never asks for a call ahead again.
    pub(super) fn refuse(&self, key: CallKey) {
        lock(&self.refused).insert(key);
    }

    fn noted(&self) -> MutexGuard<'_, Missing> {
        lock(&self.noted)
    }
}

fn not_yet() -> Halted {
    Halted {
        reason: "the reply is not there yet".to_owned(),
    }
}

impl Ledger for Foresight {
    fn find(&self, question: &Question<'_>) -> Result<Option<Found>, Halted> {
        // First, so that no arrival falls between the two.
        let expected = self.recorder.expected(question.key);
        let found = self.recorder.foreseen(question).map_err(|error| Halted {
            reason: error.to_string(),
        })?;
        if let Some(call) = found {
            return Ok(Some(Found {
                reply: townsfolk_record::reply(&call.row),
                origin: Origin::Recorded,
            }));
        }
        if let Some(expected) = expected {
            self.noted().on_their_way.push(expected);
            return Err(not_yet());
        }
        Ok(None)
    }

    /// Notes the call, which counts as on its way from now on, if it may be made.
    fn may_spend<'a>(&'a self, question: &'a Question<'_>, most: Usage) -> BoxFuture<'a, Result<(), Halted>> {
        let key = question.key;
        let may = key.tick > self.now.load(Ordering::Relaxed) && !lock(&self.refused).contains(key);
        let request = || serde_json::from_str(question.request).ok();
        if let Some(request) = may.then(request).flatten()
            && self.recorder.reserve_ahead(key, question.model, most)
        {
            self.noted().calls.push(ToMake {
                key: key.clone(),
                kind: question.kind,
                request,
                written: question.request.to_owned(),
            });
        }
        Box::pin(ready(Err(not_yet())))
    }

    fn record(&self, _: Call) -> Result<(), Halted> {
        Err(not_yet())
    }
}

impl Vectors for Foresight {
    fn find_vector(&self, text: &str) -> Result<Option<Embedding>, Halted> {
        match self.recorder.find_vector(text)? {
            Some(vector) => Ok(Some(vector)),
            None => Err(not_yet()),
        }
    }

    fn may_embed<'a>(&'a self, _: &'a VectorCall, _: Usage) -> BoxFuture<'a, Result<(), Halted>> {
        Box::pin(ready(Err(not_yet())))
    }

    fn record_vectors(
        &self,
        _: &VectorCall,
        _: Result<(&[Embedding], Usage), String>,
        _: u32,
    ) -> Result<(), Halted> {
        Err(not_yet())
    }
}
