//! One resident, from the inside.

use serde::Serialize;
use serde_json::Value;
use townsfolk_memory::{Retrieval as Weights, Retrieved};
use townsfolk_store::{
    AppointmentRow, At, CallUse, MemoryKind, MemoryRow, ReplyRow, ResidentRow, TaskRow, Tick,
};
use utoipa::ToSchema;

use super::json;
use super::moment::{Body, Talk};
use super::page::Page;
use crate::look::plans::Change;

/// Somebody who lives in the town or visits it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Resident {
    /// Their number.
    pub(crate) id: u32,
    /// Full name.
    pub(crate) name: String,
    /// What friends call them.
    pub(crate) first_name: String,
    /// In years.
    pub(crate) age: Option<u16>,
    /// Where they live.
    pub(crate) home: Option<u32>,
    /// What occupies them at present.
    pub(crate) current: String,
    /// Whether they are moved by a person rather than by a mind.
    pub(crate) visitor: bool,
    /// What a visitor is, such as "a reporter".
    pub(crate) role: Option<String>,
    /// The tick they came; 0 for those the story began with.
    pub(crate) came: Tick,
    /// The tick they left for good.
    pub(crate) left: Option<Tick>,
}

/// The pinned facts about a resident, as the run file keeps them; what is absent stays empty.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(default)]
pub(crate) struct Facts {
    first_name: String,
    age: Option<u16>,
    traits: String,
    background: String,
    current: String,
    lifestyle: String,
    daily_requirement: String,
    home: Option<u32>,
}

impl Facts {
    pub(crate) fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }
}

impl Resident {
    /// A resident with the facts that hold at the moment.
    pub(crate) fn new(row: &ResidentRow, facts: &Facts) -> Self {
        let first_name = match facts.first_name.as_str() {
            "" => row.name.clone(),
            name => name.to_owned(),
        };
        Self {
            id: row.id,
            name: row.name.clone(),
            first_name,
            age: facts.age,
            home: facts.home,
            current: facts.current.clone(),
            visitor: row.role.is_some(),
            role: row.role.clone(),
            came: row.came,
            left: row.left,
        }
    }
}

/// The texts of a resident's identity.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Identity {
    /// Inborn traits.
    pub(crate) traits: String,
    /// What they do, love and look for.
    pub(crate) background: String,
    /// What occupies them at present.
    pub(crate) current: String,
    /// When they sleep, rise and eat.
    pub(crate) lifestyle: String,
    /// What their days must contain.
    pub(crate) daily_requirement: String,
}

impl From<Facts> for Identity {
    fn from(facts: Facts) -> Self {
        Self {
            traits: facts.traits,
            background: facts.background,
            current: facts.current,
            lifestyle: facts.lifestyle,
            daily_requirement: facts.daily_requirement,
        }
    }
}

/// A resident at a tick.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ResidentDetail {
    /// The tick.
    pub(crate) tick: Tick,
    /// Who.
    pub(crate) resident: Resident,
    /// What is pinned about them.
    pub(crate) identity: Identity,
    /// Where they are and what they do.
    pub(crate) body: Option<Body>,
    /// The talk they are in.
    pub(crate) talk: Option<Talk>,
    /// How many memories they have.
    pub(crate) counts: MemoryCounts,
}

/// How many memories of each kind there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct MemoryCounts {
    /// Things seen or heard.
    pub(crate) observation: u32,
    /// Conclusions.
    pub(crate) reflection: u32,
    /// Intentions.
    pub(crate) plan: u32,
    /// Talks.
    pub(crate) conversation: u32,
}

/// A page of memories, and how many there are in all.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct MemoryPage {
    /// The memories.
    #[serde(flatten)]
    pub(crate) page: Page<Memory>,
    /// How many of each kind fit everything else that was asked for, on whatever page.
    pub(crate) counts: MemoryCounts,
}

impl MemoryCounts {
    pub(crate) fn of(counted: impl IntoIterator<Item = (MemoryKind, u32)>) -> Self {
        let mut counts = Self::default();
        for (kind, count) in counted {
            *match kind {
                MemoryKind::Observation => &mut counts.observation,
                MemoryKind::Reflection => &mut counts.reflection,
                MemoryKind::Plan => &mut counts.plan,
                MemoryKind::Conversation => &mut counts.conversation,
            } += count;
        }
        counts
    }
}

/// A resident's plan of one day.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct DayPlan {
    /// The day, `2024-06-03`.
    pub(crate) date: String,
    /// The days that have plans by then.
    pub(crate) dates: Vec<String>,
    /// How often it was changed; null where there is no plan.
    pub(crate) revision: Option<u32>,
    /// The minute of the day, where the day is today.
    pub(crate) now: Option<u16>,
    /// The day in broad strokes.
    pub(crate) strokes: Vec<Stroke>,
    /// Hour by hour, with the steps worked out so far.
    pub(crate) hours: Vec<Hour>,
    /// What changed it.
    pub(crate) revisions: Vec<Revision>,
    /// Appointments, of every day, by start.
    pub(crate) appointments: Vec<Appointment>,
}

/// One of the broad strokes of a day.
#[derive(Clone, Debug, PartialEq, Serialize, serde::Deserialize, ToSchema)]
pub(crate) struct Stroke {
    /// Minute of the day.
    pub(crate) start: u16,
    /// In words.
    pub(crate) activity: String,
}

/// A stretch of a plan, with its steps.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Hour {
    /// The stretch.
    #[serde(flatten)]
    pub(crate) stretch: Stretch,
    /// What it is made of, as far as that is worked out.
    pub(crate) steps: Vec<Stretch>,
}

/// A stretch of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Stretch {
    /// Minute of the day.
    pub(crate) start: u16,
    /// How long.
    pub(crate) minutes: u16,
    /// In words.
    pub(crate) activity: String,
    /// Whether it is going on.
    pub(crate) now: bool,
    /// The memory that put it there.
    pub(crate) because: Option<MemoryRef>,
}

/// A memory by its text.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct MemoryRef {
    /// Its number.
    pub(crate) id: u32,
    /// In words.
    pub(crate) text: String,
}

/// A change of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Revision {
    /// The plan's count of changes after it.
    pub(crate) revision: u32,
    /// When.
    pub(crate) tick: Tick,
    /// The memory that brought it about.
    pub(crate) because: Option<MemoryRef>,
    /// The stretches that differ.
    pub(crate) changes: Vec<Change>,
}

/// An appointment, as one resident holds it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Appointment {
    /// What it is.
    pub(crate) what: String,
    /// Whose it is.
    pub(crate) host: u32,
    /// Where.
    pub(crate) place: Option<u32>,
    /// Game time at which it starts.
    pub(crate) start: i64,
    /// Game time at which it ends.
    pub(crate) end: i64,
    /// `own`, `accepted`, `declined`.
    pub(crate) status: String,
    /// Why.
    pub(crate) reason: String,
    /// The memory through which they know of it.
    pub(crate) memory: Option<u32>,
}

impl From<AppointmentRow> for Appointment {
    fn from(row: AppointmentRow) -> Self {
        Self {
            what: row.what,
            host: row.host,
            place: row.place,
            start: row.start,
            end: row.end,
            status: row.status,
            reason: row.reason,
            memory: row.memory,
        }
    }
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Memory {
    /// Its number in its resident's stream.
    pub(crate) id: u32,
    /// The tick it was made.
    pub(crate) tick: Tick,
    /// Game time at which it was made.
    pub(crate) created: i64,
    /// `observation`, `reflection`, `plan` or `conversation`.
    pub(crate) kind: &'static str,
    /// In words.
    pub(crate) text: String,
    /// 1 to 10.
    pub(crate) importance: u8,
    /// 0 for what was seen; for a reflection one more than its deepest evidence.
    pub(crate) depth: u16,
    /// The memories it rests on.
    pub(crate) evidence: Vec<u32>,
    /// Who told it.
    pub(crate) told_by: Option<ToldBy>,
    /// The talk it stems from.
    pub(crate) talk: Option<u32>,
    /// Where it was made.
    pub(crate) place: Option<u32>,
}

/// Where told news came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ToldBy {
    /// Who told it.
    pub(crate) resident: u32,
    /// The teller's memory of it.
    pub(crate) memory: u32,
}

impl From<At<MemoryRow>> for Memory {
    fn from(at: At<MemoryRow>) -> Self {
        let row = at.row;
        Self {
            id: row.id,
            tick: at.tick,
            created: row.created,
            kind: row.kind.as_str(),
            text: row.text,
            importance: row.importance,
            depth: row.depth,
            evidence: row.evidence,
            told_by: row.hearsay.map(|hearsay| ToldBy {
                resident: hearsay.teller,
                memory: hearsay.memory,
            }),
            talk: row.conversation,
            place: row.place,
        }
    }
}

/// A memory with what is around it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct MemoryDetail {
    /// The memory.
    pub(crate) memory: Memory,
    /// What it rests on, in order.
    pub(crate) evidence: Vec<Memory>,
    /// What rests on it, oldest first.
    pub(crate) rests_on_it: Vec<Memory>,
}

/// A conclusion, down to what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Reflection {
    /// The conclusion, or a memory beneath one.
    pub(crate) memory: Memory,
    /// What it rests on.
    #[schema(no_recursion)]
    pub(crate) rests_on: Vec<Reflection>,
}

/// What a query brings up.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Retrieval {
    /// The query.
    pub(crate) query: String,
    /// `paper`, `reference`, `langchain` or `plain`.
    pub(crate) preset: &'static str,
    /// What the parts are multiplied with.
    pub(crate) weights: Scores,
    /// How many memories were looked at.
    pub(crate) considered: usize,
    /// Best first.
    pub(crate) items: Vec<Scored>,
}

/// A memory with its score.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Scored {
    /// The memory.
    pub(crate) memory: Memory,
    /// The sum that decides.
    pub(crate) score: f64,
    /// Its three shares, as they entered it: scaled and weighted.
    pub(crate) parts: Scores,
}

impl Scored {
    pub(crate) fn new(memory: Memory, found: &Retrieved) -> Self {
        Self {
            memory,
            score: found.score,
            parts: Scores {
                recency: found.recency,
                relevance: found.relevance,
                importance: found.importance,
            },
        }
    }
}

/// The three parts of a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Scores {
    /// How lately it was used.
    pub(crate) recency: f64,
    /// How near it is to the query.
    pub(crate) relevance: f64,
    /// How much it matters.
    pub(crate) importance: f64,
}

impl From<&Weights> for Scores {
    fn from(weights: &Weights) -> Self {
        Self {
            recency: weights.recency,
            relevance: weights.relevance,
            importance: weights.importance,
        }
    }
}

/// Another, as a resident knows them.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Relationship {
    /// The other.
    pub(crate) resident: u32,
    /// How often they talked.
    pub(crate) talks: u32,
    /// How many lines were said.
    pub(crate) lines: u32,
    /// When they first talked.
    pub(crate) first: Option<Tick>,
    /// When they last began to.
    pub(crate) last: Option<Tick>,
    /// What the resident last made of them, in words.
    pub(crate) makes_of_them: Option<String>,
    /// When that was: as a rule as they began to talk, so that the talk itself is not in it.
    pub(crate) made_at: Option<Tick>,
    /// How often they had talked by when.
    pub(crate) over_time: Vec<TalksBy>,
}

/// How often two had talked by a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct TalksBy {
    /// The tick.
    pub(crate) tick: Tick,
    /// How often.
    pub(crate) talks: u32,
}

/// The places that somebody knows.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Places {
    /// Known from the start or seen since.
    pub(crate) known: Vec<u32>,
    /// Where the time was spent, longest first.
    pub(crate) visited: Vec<Visited>,
}

/// A sector, or the street, where somebody has been.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Visited {
    /// The sector; null for the street.
    pub(crate) place: Option<u32>,
    /// For how many minutes of game time.
    pub(crate) minutes: i64,
    /// How often.
    pub(crate) visits: u32,
    /// When it was last entered.
    pub(crate) last: Tick,
    /// Whether they are there now.
    pub(crate) here: bool,
}

/// A question put to a mind, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Call {
    /// When.
    pub(crate) tick: Tick,
    /// Which of the resident's questions of the tick.
    pub(crate) seq: u32,
    /// Which task.
    pub(crate) kind: String,
    /// Who answered: `routine`, or a model.
    pub(crate) mind: String,
    /// What was put to it.
    #[schema(value_type = Value)]
    pub(crate) input: Value,
    /// What it answered.
    #[schema(value_type = Value)]
    pub(crate) answer: Value,
    /// Why the answer is a fallback, where it is one.
    pub(crate) fallback: Option<String>,
    /// What was left out of the prompt to fit the model's window.
    pub(crate) cut: Option<String>,
    /// What was sent to a model for it; none where rules answered.
    pub(crate) attempts: Vec<Attempt>,
}

/// What was sent to a model, and what came back.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Attempt {
    /// 0 for the first, 1 for the corrective one.
    pub(crate) attempt: u8,
    /// The model that was asked.
    pub(crate) model: String,
    /// The request as sent; holds no key.
    #[schema(value_type = Value)]
    pub(crate) request: Value,
    /// The reply as received.
    pub(crate) reply: Option<String>,
    /// Why there is none.
    pub(crate) error: Option<String>,
    /// Whether an equal call of an earlier tick served again.
    pub(crate) from_cache: bool,
    /// Tokens sent.
    pub(crate) tokens_in: u32,
    /// Of them, those the provider had in its cache.
    pub(crate) tokens_cached: u32,
    /// Tokens received.
    pub(crate) tokens_out: u32,
    /// How long it took.
    pub(crate) milliseconds: Option<u32>,
}

impl Call {
    pub(crate) fn new(at: At<TaskRow>, attempts: Vec<Attempt>) -> Self {
        let row = at.row;
        Self {
            tick: at.tick,
            seq: row.seq,
            kind: row.kind,
            mind: row.mind,
            input: json(&row.input),
            answer: json(&row.answer),
            fallback: row.fallback,
            cut: row.cut,
            attempts,
        }
    }
}

impl From<CallUse> for Attempt {
    fn from(used: CallUse) -> Self {
        let from_cache = used.from_cache();
        let row = used.call.row;
        let request = serde_json::from_str(&row.request).unwrap_or(Value::String(row.request));
        let (reply, error) = match row.outcome {
            Ok(reply) => (Some(reply), None),
            Err(error) => (None, Some(error)),
        };
        let tokens = |count: fn(&ReplyRow) -> u32| reply.as_ref().map_or(0, count);
        Self {
            attempt: used.attempt,
            model: row.model,
            request,
            error,
            from_cache,
            tokens_in: tokens(|reply| reply.tokens_in),
            tokens_cached: tokens(|reply| reply.tokens_cached),
            tokens_out: tokens(|reply| reply.tokens_out),
            milliseconds: row.milliseconds,
            reply: reply.map(|reply| reply.text),
        }
    }
}
