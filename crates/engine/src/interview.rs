//! Questions to a resident from outside, at any moment, without a trace.
//!
//! The question brings memories to mind as in Park et al. 2023, and the resident's mind answers from
//! them. An [`Ablation`] leaves kinds of memory out of what can come to mind: the same stream, fewer
//! kinds, as the paper's own conditions have it (section 6).

use serde::{Deserialize, Serialize};
use townsfolk_memory::{Filter, Kinds, MemoryId, MemoryKind, Query};
use townsfolk_mind::tasks::{Exchange, Interview, Recalled, ResidentSummary};
use townsfolk_mind::{Chance, Halted, ResidentId, TaskRecord};
use townsfolk_time::GameTime;

use crate::engine::Engine;

/// How many memories a question brings to mind (2023 code: 50).
const RECALLED: usize = 50;
/// How many memories each question of the summary brings to mind.
const FOR_SUMMARY: usize = 15;

/// What a resident may draw on for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ablation {
    /// Everything it remembers.
    #[default]
    None,
    /// No reflections.
    NoReflections,
    /// Neither reflections nor plans.
    NoReflectionsOrPlans,
    /// No memory at all: only who it is.
    Nothing,
}

impl Ablation {
    /// Every condition, from the whole to nothing.
    pub const ALL: [Self; 4] = [
        Self::None,
        Self::NoReflections,
        Self::NoReflectionsOrPlans,
        Self::Nothing,
    ];

    /// The kinds of memory that are left.
    pub fn kinds(self) -> Kinds {
        let no_reflections = Kinds::ALL.without(MemoryKind::Reflection);
        match self {
            Self::None => Kinds::ALL,
            Self::NoReflections => no_reflections,
            Self::NoReflectionsOrPlans => no_reflections.without(MemoryKind::Plan),
            Self::Nothing => Kinds::NONE,
        }
    }

    /// Its name, as written on command lines and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::NoReflections => "no-reflections",
            Self::NoReflectionsOrPlans => "no-reflections-or-plans",
            Self::Nothing => "nothing",
        }
    }
}

/// How to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterviewOptions {
    /// What the resident may not draw on.
    pub ablation: Ablation,
    /// How many memories come to mind at most (2023 code: 50).
    pub count: usize,
}

impl Default for InterviewOptions {
    fn default() -> Self {
        Self {
            ablation: Ablation::None,
            count: RECALLED,
        }
    }
}

/// An answer, and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InterviewOutcome {
    /// The moment of asking.
    pub now: GameTime,
    /// The answer.
    pub answer: String,
    /// What came to mind, best first.
    pub memories: Vec<Recollection>,
    /// What was asked of the mind, in order.
    #[serde(skip)]
    pub asked: Vec<TaskRecord>,
}

/// A memory that came to mind for a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recollection {
    /// Which of the resident's memories.
    pub id: MemoryId,
    /// Its kind.
    pub kind: MemoryKind,
    /// Its text.
    pub text: String,
    /// When it was made.
    pub created: GameTime,
    /// Who told it, if it is hearsay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told_by: Option<String>,
    /// Whether the answer says that it uses it.
    pub used: bool,
    /// The share of recency in the score.
    pub recency: f64,
    /// The share of importance.
    pub importance: f64,
    /// The share of relevance.
    pub relevance: f64,
    /// The sum, by which memories are ordered.
    pub total: f64,
}

/// Why a question could not be put.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterviewError {
    /// There is nobody with that id.
    #[error("there is nobody with number {0} to ask; numbers are counted from 0")]
    NoResident(u16),
    /// A body without a mind.
    #[error("{0} is a visitor, without a mind of ours; ask a resident")]
    Visitor(String),
    /// A question without words.
    #[error("the question is empty; ask something")]
    Empty,
    /// The mind does not answer.
    #[error(transparent)]
    Halted(#[from] Halted),
}

/// Puts a question to a resident as it is at the engine's present; `history` is what was asked and
/// answered before, oldest first. Nothing of it stays with the resident.
///
/// # Errors
/// [`InterviewError`].
pub fn interview(
    engine: &Engine,
    who: ResidentId,
    history: &[Exchange],
    question: &str,
    options: &InterviewOptions,
) -> Result<InterviewOutcome, InterviewError> {
    let resident = engine.residents().get(who.index());
    let resident = resident.ok_or(InterviewError::NoResident(who.0))?;
    let person = &engine.people[who.index()];
    if person.is_visitor() {
        return Err(InterviewError::Visitor(person.name().to_string()));
    }
    if question.trim().is_empty() {
        return Err(InterviewError::Empty);
    }
    let setting = engine.setting();
    // The last tick that was computed; asked before the first, the start.
    let tick = engine.tick().saturating_sub(1);
    let now = setting.time_of(tick);
    let chance = Chance {
        seed: setting.seed,
        resident: who,
        tick,
    };
    let asker = engine.asker_without_trace(chance);
    let filter = Filter {
        kinds: options.ablation.kinds(),
        skip_idle: true,
        ..Filter::default()
    };
    let look = |text: &str, count: usize| {
        let embedding = futures_executor::block_on(asker.embed(text))?;
        Ok::<_, Halted>(resident.stream.peek(&Query {
            embedding: &embedding,
            now,
            count,
            retrieval: &resident.settings.retrieval,
            filter,
        }))
    };
    let recalled = |id: MemoryId| {
        let memory = resident.stream.get(id)?;
        Some(Recalled {
            id,
            kind: memory.kind,
            text: memory.text.clone(),
            subject: memory.triple.subject.clone(),
            importance: memory.importance,
            created: memory.created,
            told_by: memory.hearsay.as_ref().map(|h| h.teller.clone()),
        })
    };
    let identity = &resident.life.identity;
    let summary = match &resident.life.self_view {
        // As the day began; it may rest on any memory.
        Some(view) if options.ablation == Ablation::None => view.text.clone(),
        _ => {
            let mut about: Vec<Recalled> = Vec::new();
            for question in setting.phrases.self_questions(&identity.name) {
                for found in look(&question, FOR_SUMMARY)? {
                    if about.iter().all(|memory| memory.id != found.id) {
                        about.extend(recalled(found.id));
                    }
                }
            }
            let summary = ResidentSummary {
                who: identity,
                recalled: &about,
            };
            futures_executor::block_on(asker.ask(&summary))?.text
        }
    };
    let found = look(question, options.count)?;
    let memories: Vec<Recalled> = found.iter().filter_map(|f| recalled(f.id)).collect();
    let task = Interview {
        who: identity,
        now,
        summary: &summary,
        history,
        question,
        recalled: &memories,
    };
    let answer = futures_executor::block_on(asker.ask(&task))?;
    let memories = found.iter().zip(memories).enumerate();
    let memories = memories.map(|(position, (found, memory))| Recollection {
        id: memory.id,
        kind: memory.kind,
        text: memory.text.to_string(),
        created: memory.created,
        told_by: memory.told_by.map(|teller| teller.to_string()),
        used: answer.used.contains(&position),
        recency: found.recency,
        importance: found.importance,
        relevance: found.relevance,
        total: found.score,
    });
    Ok(InterviewOutcome {
        now,
        answer: answer.answer.clone(),
        memories: memories.collect(),
        asked: asker.into_records(),
    })
}
