//! What the tests share: an embedder that counts words, models that say what they are told to, and a
//! ledger that keeps calls in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use futures_util::future::BoxFuture;
use townsfolk_memory::{Embedder, Embedding};
use townsfolk_mind::model::{
    Call, CallKey, Calls, Found, Ledger, ModelMind, Origin, PromptSet, Question, Roles,
};
use townsfolk_mind::routine::Meanings;
use townsfolk_mind::{Asker, Chance, Halted, ResidentId, Task, TaskRecord};
use townsfolk_model::{ChatModel, ChatReply, ChatRequest, Fault, ModelError, RoleModel, Structured, Usage};

/// Texts are alike when they share words.
pub(crate) struct WordCounts;

impl Embedder for WordCounts {
    fn name(&self) -> &str {
        "word counts"
    }

    fn dimensions(&self) -> usize {
        64
    }

    fn embed(&self, text: &str) -> Embedding {
        let mut counts = [0f32; 64];
        for word in text
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
        {
            let hash = word
                .bytes()
                .fold(7u32, |h, b| h.wrapping_mul(31).wrapping_add(u32::from(b)));
            counts[hash as usize % 64] += 1.0;
        }
        Embedding::from_f32(&counts)
    }
}

pub(crate) fn meanings() -> Meanings {
    Meanings::new(Arc::new(WordCounts))
}

/// What a scripted model says next: words, or a fault.
pub(crate) type Say = Box<dyn Fn(usize, &ChatRequest) -> Result<String, Fault> + Send + Sync>;

/// A model that says what it is told to, and remembers what it was asked.
pub(crate) struct Scripted {
    say: Say,
    pub(crate) asked: Mutex<Vec<ChatRequest>>,
}

impl Scripted {
    pub(crate) fn new(
        say: impl Fn(usize, &ChatRequest) -> Result<String, Fault> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            say: Box::new(say),
            asked: Mutex::default(),
        })
    }

    /// Says these things in turn, and the last for ever.
    pub(crate) fn saying(replies: &[&str]) -> Arc<Self> {
        let replies: Vec<String> = replies.iter().map(|r| (*r).to_owned()).collect();
        Self::new(move |i, _| Ok(replies[i.min(replies.len() - 1)].clone()))
    }

    pub(crate) fn calls(&self) -> usize {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl ChatModel for Scripted {
    fn name(&self) -> &str {
        "scripted:one"
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, ModelError>> {
        let mut asked = self.asked.lock().unwrap();
        let said = (self.say)(asked.len(), request);
        asked.push(request.clone());
        Box::pin(async move {
            let error = |fault| ModelError {
                model: "scripted:one".to_owned(),
                status: Some(404),
                fault,
                detail: "model retired".to_owned(),
                remedy: "name another model".to_owned(),
                retry_after: None,
            };
            said.map_err(error).map(|text| ChatReply {
                text,
                usage: Usage::default(),
                model: "one".to_owned(),
                cut_off: false,
            })
        })
    }
}

/// Keeps calls in memory, and finds replies of earlier ticks.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) calls: Mutex<Vec<Call>>,
}

impl Ledger for Kept {
    fn find(&self, question: &Question<'_>) -> Result<Option<Found>, Halted> {
        let calls = self.calls.lock().unwrap();
        let by_key: BTreeMap<&CallKey, &Call> = calls.iter().map(|call| (&call.key, call)).collect();
        if let Some(call) = by_key.get(question.key) {
            return Ok(Some(Found {
                reply: call.reply.clone(),
                origin: Origin::Recorded,
            }));
        }
        let same = calls.iter().find(|call| {
            call.key.hash == question.key.hash && call.key.tick < question.key.tick && call.reply.is_ok()
        });
        Ok(same.map(|call| Found {
            reply: call.reply.clone(),
            origin: Origin::Cache,
        }))
    }

    fn record(&self, call: Call) -> Result<(), Halted> {
        self.calls.lock().unwrap().push(call);
        Ok(())
    }
}

/// The English prompts, opened once.
fn prompts() -> Arc<PromptSet> {
    static PROMPTS: OnceLock<Arc<PromptSet>> = OnceLock::new();
    PROMPTS
        .get_or_init(|| Arc::new(PromptSet::of("en").unwrap()))
        .clone()
}

const LARGE_WINDOW: u32 = 32_768;

/// A mind whose every role is played by `model`, which has a large window.
pub(crate) fn mind(model: Arc<dyn ChatModel>, ledger: Arc<dyn Ledger>) -> ModelMind {
    mind_with_window(model, ledger, LARGE_WINDOW)
}

pub(crate) fn mind_with_window(
    model: Arc<dyn ChatModel>,
    ledger: Arc<dyn Ledger>,
    window_tokens: u32,
) -> ModelMind {
    ModelMind {
        models: Roles::all(RoleModel {
            model,
            window_tokens,
            max_output_tokens: 512,
            temperature: 0.7,
            structured: Structured::Plain,
            price: None,
        }),
        prompts: prompts(),
        ledger,
        embedder: None,
        calls: Calls::Together,
        crib: None,
    }
}

/// Chance of the first resident at a tick of run 7.
pub(crate) fn at(tick: u64) -> Chance {
    Chance {
        seed: 7,
        resident: ResidentId(0),
        tick,
    }
}

/// What came of one question.
pub(crate) struct Asked<A> {
    pub(crate) answer: A,
    pub(crate) record: TaskRecord,
    /// What the model was sent.
    pub(crate) requests: Vec<ChatRequest>,
}

/// Asks one question of a model that says `replies` in turn and has a window of so many tokens.
pub(crate) fn ask_within<T: Task>(task: &T, replies: &[&str], window_tokens: u32) -> Asked<T::Answer> {
    let model = Scripted::saying(replies);
    let mind = mind_with_window(model.clone(), Arc::new(Kept::default()), window_tokens);
    let meanings = meanings();
    let asker = Asker::with_model(at(1), &meanings, &mind);
    let answer = futures_executor::block_on(asker.ask(task)).unwrap();
    let requests = model.asked.lock().unwrap().clone();
    Asked {
        answer,
        record: asker.into_records().pop().unwrap(),
        requests,
    }
}

/// The same with a large window.
pub(crate) fn asked<T: Task>(task: &T, replies: &[&str]) -> Asked<T::Answer> {
    ask_within(task, replies, LARGE_WINDOW)
}

/// The same; the answer and its record.
pub(crate) fn ask<T: Task>(task: &T, replies: &[&str]) -> (T::Answer, TaskRecord) {
    let Asked { answer, record, .. } = asked(task, replies);
    (answer, record)
}
