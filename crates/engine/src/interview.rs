//! Questions to a resident from outside, at any moment, without a trace.
//!
//! The question brings memories to mind as in Park et al. 2023, and the resident's mind answers from
//! them. An [`Ablation`] leaves kinds of memory out of what can come to mind: the same stream, fewer
//! kinds, as the paper's own conditions have it (section 6).

use serde::{Deserialize, Serialize};
use townsfolk_memory::{Filter, Kinds, MemoryId, MemoryKind, Query};
use townsfolk_mind::cognition::apart::{comes_to_mind, recalled};
use townsfolk_mind::tasks::{Exchange, Interview, Present, Recalled, ResidentSummary};
use townsfolk_mind::{Chance, Halted, ResidentId, TaskRecord};
use townsfolk_time::GameTime;
use townsfolk_world::{PlaceId, PlaceKind};

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
    /// Whether whoever lives without memory answers without it.
    pub as_lived: bool,
}

impl Default for InterviewOptions {
    fn default() -> Self {
        Self {
            ablation: Ablation::None,
            count: RECALLED,
            as_lived: true,
        }
    }
}

/// An answer, and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct InterviewOutcome {
    /// The moment of asking.
    pub now: GameTime,
    /// The answer.
    pub answer: String,
    /// Why the routine mind answered in a model's place, if it did.
    pub fallback: Option<String>,
    /// What came to mind, best first.
    pub memories: Vec<Recollection>,
    /// Whether nothing could, since the resident lives without memory.
    pub without_memory: bool,
    /// What was asked of the mind, in order.
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
    let without_memory = options.as_lived && !resident.settings.memory;
    let kinds = if without_memory {
        Kinds::NONE
    } else {
        options.ablation.kinds()
    };
    let filter = Filter {
        kinds,
        skip_idle: true,
        ..Filter::default()
    };
    let embed = |text: &str| futures_executor::block_on(asker.embed(text));
    let embedding = embed(question)?;
    let query = Query {
        embedding: &embedding,
        now,
        count: options.count,
        retrieval: &resident.settings.retrieval,
        filter,
    };
    // What occupies a resident is revised from its memories; as the story began it rests on none.
    let identity = match options.ablation {
        Ablation::None => &resident.life.identity,
        _ => &engine.people[who.index()].newcomer.identity,
    };
    let summary = match &resident.life.self_view {
        // As the day began; it may rest on any memory.
        Some(view) if options.ablation == Ablation::None => view.text.clone(),
        _ => {
            let mut about: Vec<Recalled> = Vec::new();
            for question in setting.phrases.self_questions(&identity.name) {
                let embedding = embed(&question)?;
                let about_self = Query {
                    embedding: &embedding,
                    count: FOR_SUMMARY,
                    ..query
                };
                for found in resident.stream.peek(&about_self) {
                    if about.iter().all(|memory| memory.id != found.id) {
                        about.extend(recalled(resident, found.id));
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
    let found = comes_to_mind(&resident.stream, &query, &identity.name, question);
    let memories: Vec<_> = found.iter().filter_map(|f| recalled(resident, f.id)).collect();
    let task = Interview {
        who: identity,
        now,
        summary: &summary,
        history,
        question,
        recalled: &memories,
        present: present(engine, who, now, options.ablation),
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
    let memories = memories.collect();
    let asked = asker.into_records();
    Ok(InterviewOutcome {
        now,
        answer: answer.answer.clone(),
        fallback: asked.last().and_then(|record| record.fallback.clone()),
        memories,
        without_memory,
        asked,
    })
}

/// What the resident knows of its present; without any memory only where it lives, without plans no plan.
fn present(engine: &Engine, who: ResidentId, now: GameTime, ablation: Ablation) -> Present<'_> {
    let world = &engine.setting.town.world;
    let named = |place: Option<PlaceId>| {
        let place = place.into_iter();
        let levels =
            place.flat_map(|id| [PlaceKind::Sector, PlaceKind::Arena].map(|kind| world.ancestor(id, kind)));
        levels.flatten().map(|id| &*world.place(id).name).collect()
    };
    let life = &engine.residents[who.index()].life;
    let home = named(Some(life.identity.home));
    if ablation == Ablation::Nothing {
        return Present {
            home,
            ..Present::default()
        };
    }
    let body = &engine.state.bodies[who.index()];
    let spot = world.spot(body.tile);
    let day = life.day.as_ref().filter(|day| day.date == now.date());
    Present {
        place: named(spot.arena.or(spot.sector)),
        home,
        doing: Some(&*body.showing.activity),
        plan: day
            .map(|day| &day.hours)
            .filter(|_| ablation.kinds().contains(MemoryKind::Plan)),
    }
}
