//! How a resident's thinking puts questions to its mind, and what is written down about it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::join_all;
use serde::Serialize;
use townsfolk_memory::Embedding;

use crate::model::{self, Answers, Asked, Asking, Calls, Cut, ModelMind, Origin, Outcome, RemoteEmbedder};
use crate::routine::{Meanings, Rules};
use crate::{Chance, Task, TaskKind};

/// Thinking cannot go on and the run must pause: nothing of this tick may be kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Halted {
    /// What happened and what to do about it.
    pub reason: String,
}

impl Halted {
    /// The same, with whose thinking it was.
    #[must_use]
    pub fn of(self, who: &str) -> Self {
        Self {
            reason: format!("for {who}: {}", self.reason),
        }
    }
}

/// Who gave an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answerer {
    /// The routine mind, by rules: because there is no model, or in a model's place.
    Routine,
    /// A language model.
    Model,
    /// Nobody had to be asked.
    Known,
}

impl Answerer {
    /// The name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Routine => "routine",
            Self::Model => "model",
            Self::Known => "known",
        }
    }
}

/// One question that was put to a mind, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRecord {
    /// Which of the resident's questions of the tick; calls in the ledger name it too. Numbers grow
    /// but leave gaps.
    pub seq: u32,
    /// Which question.
    pub kind: TaskKind,
    /// The typed input, as JSON.
    pub input: String,
    /// The typed answer, as JSON.
    pub answer: String,
    /// Who answered.
    pub mind: Answerer,
    /// The model that was asked, if one was.
    pub model: Option<String>,
    /// How many of its replies were looked at: 0 without a model, 2 after a corrective one.
    pub calls: u8,
    /// Where the last reply came from, if it was not bought for this.
    pub origin: Option<Origin>,
    /// What was left out of the prompt so that it fits the window.
    pub cut: Cut,
    /// Why the routine mind answered in the model's place, if it did.
    pub fallback: Option<String>,
}

impl TaskRecord {
    /// Who answered, as records name it: a model by its own name.
    pub fn mind_name(&self) -> &str {
        match (self.mind, &self.model) {
            (Answerer::Model, Some(model)) => model,
            (mind, _) => mind.name(),
        }
    }
}

/// Puts one resident's questions of one tick to its mind and keeps a record of each.
///
/// A question takes its number when [`ask`](Asker::ask) is called, not when it is answered, so records
/// stand in the same order however fast replies come. Questions that do not need each other's answers
/// are asked together (`join!`, [`ask_all`](Asker::ask_all)). A joined branch that asks several, one after another, does so
/// through an asker of its own: see [`branches`](Asker::branches).
pub struct Asker<'a> {
    core: Arc<Core<'a>>,
    next: AtomicU32,
    /// One past the last number that may be given.
    end: u32,
}

struct Core<'a> {
    rules: Rules<'a>,
    meanings: &'a Meanings,
    source: Source<'a>,
    turn: Option<futures_util::lock::Mutex<()>>,
    records: Mutex<Vec<TaskRecord>>,
}

/// Where answers and vectors come from.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// The routine mind; the embedder may be elsewhere.
    Rules(Option<&'a RemoteEmbedder>),
    /// Language models, with the routine mind behind them.
    Models(&'a ModelMind),
    /// What was answered when the tick was first computed.
    Recorded(&'a dyn Answers),
}

/// How many numbers an asker's branches share out for each that it has itself.
const BRANCH_SHARE: u32 = 64;

impl<'a> Asker<'a> {
    /// An asker for the routine mind.
    pub fn routine(chance: Chance, meanings: &'a Meanings) -> Self {
        Self::new(chance, meanings, Source::Rules(None))
    }

    /// An asker for the routine mind whose memories are embedded elsewhere.
    pub fn routine_with_embedder(
        chance: Chance,
        meanings: &'a Meanings,
        embedder: &'a RemoteEmbedder,
    ) -> Self {
        Self::new(chance, meanings, Source::Rules(Some(embedder)))
    }

    /// An asker for a tick that is history: whatever was answered then is the answer.
    pub fn recorded(chance: Chance, meanings: &'a Meanings, answers: &'a dyn Answers) -> Self {
        Self::new(chance, meanings, Source::Recorded(answers))
    }

    /// An asker for a language model, with the routine mind behind it.
    pub fn with_model(chance: Chance, meanings: &'a Meanings, mind: &'a ModelMind) -> Self {
        Self::new(chance, meanings, Source::Models(mind))
    }

    fn new(chance: Chance, meanings: &'a Meanings, source: Source<'a>) -> Self {
        let one_by_one = matches!(source, Source::Models(mind) if mind.calls == Calls::OneByOne);
        Self {
            core: Arc::new(Core {
                rules: Rules::new(chance, meanings),
                meanings,
                source,
                turn: one_by_one.then(futures_util::lock::Mutex::default),
                records: Mutex::default(),
            }),
            next: AtomicU32::new(0),
            end: u32::MAX,
        }
    }

    /// The same, with `first` as the number of its first question: for askers that follow each other within
    /// a tick, whose questions must not share numbers.
    #[must_use]
    pub fn numbered_from(self, first: u32) -> Self {
        Self {
            next: AtomicU32::new(first),
            ..self
        }
    }

    /// Draws for this resident and tick.
    pub fn chance(&self) -> Chance {
        self.core.rules.chance
    }

    /// `count` askers for branches that go on at the same time and ask several questions each. Their
    /// records stand behind one another in the order of the branches, before whatever this asker
    /// asks next.
    ///
    /// # Errors
    /// If so many questions were asked that there are no numbers left.
    pub fn branches(&self, count: usize) -> Result<Vec<Self>, Halted> {
        let begin = self.next.load(Ordering::Relaxed);
        // A branch of a branch has fewer numbers to give, so that none runs into its neighbour.
        let share = (self.end - begin) / BRANCH_SHARE / u32::try_from(count).unwrap_or(u32::MAX).max(1);
        if share == 0 {
            return Err(too_many());
        }
        let branch = |i: u32| Self {
            core: self.core.clone(),
            next: AtomicU32::new(begin + i * share),
            end: begin + (i + 1) * share,
        };
        let branches: Vec<Self> = (0..).take(count).map(branch).collect();
        let end = branches.last().map_or(begin, |last| last.end);
        self.next.store(end, Ordering::Relaxed);
        Ok(branches)
    }

    /// Asks one question. The answer passes the task's check.
    pub fn ask<'s, T: Task>(
        &'s self,
        task: &'s T,
    ) -> impl Future<Output = Result<T::Answer, Halted>> + Send + use<'s, 'a, T> {
        let seq = self.next.fetch_add(1, Ordering::Relaxed);
        let end = self.end;
        async move {
            if seq >= end {
                return Err(too_many());
            }
            self.core.ask(task, seq).await
        }
    }

    /// Asks several questions together; answers in order. Where one halts, the others are still waited
    /// for, so that no reply that was paid for is lost.
    pub async fn ask_all<T: Task>(&self, tasks: &[T]) -> Result<Vec<T::Answer>, Halted> {
        let answers = join_all(tasks.iter().map(|task| self.ask(task))).await;
        answers.into_iter().collect()
    }

    /// The meaning of a text.
    pub async fn embed(&self, text: &str) -> Result<Embedding, Halted> {
        let mut vectors = self.embed_all(&[text]).await?;
        vectors.pop().ok_or_else(|| Halted {
            reason: "the embedder gave no vector".to_owned(),
        })
    }

    /// The meanings of several texts, in order; an embedder elsewhere gets them together.
    pub async fn embed_all(&self, texts: &[&str]) -> Result<Vec<Embedding>, Halted> {
        let embedder = self.core.meanings.embedder();
        let remote = match self.core.source {
            Source::Rules(remote) => remote,
            Source::Models(mind) => mind.embedder.as_ref(),
            Source::Recorded(answers) => {
                let vector = |text: &&str| Ok(answers.vector(text)?.unwrap_or_else(|| embedder.embed(text)));
                return texts.iter().map(vector).collect();
            }
        };
        match remote {
            Some(remote) => model::embed(remote, self.chance(), texts).await,
            None => Ok(texts.iter().map(|text| embedder.embed(text)).collect()),
        }
    }

    /// What was asked, by number.
    pub fn into_records(self) -> Vec<TaskRecord> {
        let mut records = self
            .core
            .records
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut records = std::mem::take(&mut *records);
        records.sort_by_key(|record| record.seq);
        records
    }
}

impl Core<'_> {
    async fn ask<T: Task>(&self, task: &T, seq: u32) -> Result<T::Answer, Halted> {
        let mind = match self.source {
            Source::Models(mind) => mind,
            Source::Rules(_) => {
                let answer = self.by_rule(task)?;
                self.record(task, seq, &answer, Answerer::Routine, Asked::default(), None)?;
                return Ok(answer);
            }
            Source::Recorded(answers) => {
                let Chance { tick, resident, .. } = self.rules.chance;
                let written = answers.answer(tick, resident, seq, T::KIND)?;
                return serde_json::from_str(&written).map_err(|e| Halted {
                    reason: format!(
                        "the recorded answer to {} at tick {tick} cannot be read ({e}); use the version of townsfolk \
                         that wrote the run",
                        T::KIND.name()
                    ),
                });
            }
        };
        if let Some(answer) = task.known() {
            self.record(task, seq, &answer, Answerer::Known, Asked::default(), None)?;
            return Ok(answer);
        }
        let asking = Asking {
            mind,
            chance: self.rules.chance,
            seq,
            turn: self.turn.as_ref(),
        };
        let (outcome, asked) = asking.ask(task, || task.by_rule(&self.rules)).await?;
        match outcome {
            Outcome::Answered(answer) => {
                self.record(task, seq, &answer, Answerer::Model, asked, None)?;
                Ok(answer)
            }
            Outcome::Failed(reason) => {
                let answer = self.by_rule(task)?;
                self.record(task, seq, &answer, Answerer::Routine, asked, Some(reason))?;
                Ok(answer)
            }
        }
    }

    fn by_rule<T: Task>(&self, task: &T) -> Result<T::Answer, Halted> {
        let answer = task.by_rule(&self.rules);
        match task.check(&answer) {
            Ok(()) => Ok(answer),
            Err(fault) => Err(Halted {
                reason: format!(
                    "the routine mind gave an answer to {} that cannot stand: {fault}",
                    T::KIND.name()
                ),
            }),
        }
    }

    fn record<T: Task>(
        &self,
        task: &T,
        seq: u32,
        answer: &T::Answer,
        mind: Answerer,
        asked: Asked,
        fallback: Option<String>,
    ) -> Result<(), Halted> {
        let record = TaskRecord {
            seq,
            kind: T::KIND,
            input: json(task)?,
            answer: json(answer)?,
            mind,
            model: Some(asked.model).filter(|model| !model.is_empty()),
            calls: asked.calls,
            origin: asked.origin,
            cut: asked.cut,
            fallback,
        };
        let mut records = self
            .records
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        records.push(record);
        Ok(())
    }
}

fn json(value: &impl Serialize) -> Result<String, Halted> {
    serde_json::to_string(value).map_err(|e| Halted {
        reason: format!("a task could not be written down: {e}"),
    })
}

fn too_many() -> Halted {
    Halted {
        reason: "a resident asks more questions in one tick than there are numbers for".to_owned(),
    }
}

/// A place's, person's or object's name, shared.
pub(crate) type Name = Arc<str>;
