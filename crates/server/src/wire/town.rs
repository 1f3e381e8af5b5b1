//! The town as a whole: its timeline, who knows whom and what, and what it cost.

use serde::Serialize;
use townsfolk_store::Tick;
use utoipa::ToSchema;

use super::moment::ObjectState;
use super::page::Page;
use crate::look::news::Piece;

/// The timeline of the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Marks {
    /// The run's last tick.
    pub(crate) head: Tick,
    /// How many ticks make a stretch.
    pub(crate) bucket_ticks: Tick,
    /// The stretches in which anything is marked, in order.
    pub(crate) buckets: Vec<Bucket>,
}

/// What happened in a stretch of ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Bucket {
    /// Its first tick.
    pub(crate) tick: Tick,
    /// Talks that began.
    pub(crate) talks: u32,
    /// Conclusions drawn.
    pub(crate) reflections: u32,
    /// Gatherings that began.
    pub(crate) gatherings: u32,
    /// Steering from outside, whispers included.
    pub(crate) inputs: u32,
    /// Whispers.
    pub(crate) whispers: u32,
    /// What went otherwise than intended.
    pub(crate) notices: u32,
}

/// Something on the timeline.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Event {
    /// When.
    pub(crate) tick: Tick,
    /// What kind.
    pub(crate) kind: EventKind,
    /// Whom it concerns.
    pub(crate) residents: Vec<u32>,
    /// In words; empty where the ids say it all.
    pub(crate) text: String,
    /// Which talk.
    pub(crate) talk: Option<u32>,
    /// Which memory of the first of the residents.
    pub(crate) memory: Option<u32>,
}

/// The kinds of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EventKind {
    /// A talk began.
    Talk,
    /// A conclusion was drawn.
    Reflection,
    /// A gathering began.
    Gathering,
    /// Something was done to the town from outside.
    Input,
    /// An inner voice was given.
    Whisper,
    /// Something went otherwise than intended.
    Notice,
}

/// Who has talked with whom.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Acquaintances {
    /// The pairs that have, by ids.
    pub(crate) pairs: Vec<Pair>,
}

/// Two who have talked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Pair {
    /// The one with the lower id.
    pub(crate) a: u32,
    /// The other.
    pub(crate) b: u32,
    /// How often.
    pub(crate) talks: u32,
    /// When first.
    pub(crate) first: Tick,
    /// When last.
    pub(crate) last: Tick,
}

/// How the network of acquaintances grew.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Network {
    /// Day by day.
    pub(crate) days: Vec<NetworkDay>,
}

/// The network at the end of a day, or at the moment looked at.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct NetworkDay {
    /// The day, `2024-06-03`.
    pub(crate) date: String,
    /// Its last tick.
    pub(crate) tick: Tick,
    /// How many pairs had talked by then.
    pub(crate) pairs: usize,
    /// Of all pairs, 0 to 1.
    pub(crate) density: f64,
}

/// Who knows what from whom.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct News {
    /// How many memories have the words searched for, passed on or not.
    pub(crate) mentions: Option<usize>,
    /// First what many know and what matters to them.
    pub(crate) items: Vec<Piece>,
}

/// What was asked of minds, and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Cost {
    /// All together.
    #[serde(flatten)]
    pub(crate) total: Count,
    /// What calls to models of known prices cost, in US dollars; null where no price is known.
    pub(crate) usd: Option<f64>,
    /// Models that were asked and whose price is not known: what they cost is not in `usd`.
    pub(crate) without_price: Vec<String>,
    /// By kind of question, most asked first.
    pub(crate) kinds: Vec<KindCost>,
    /// By resident.
    pub(crate) residents: Vec<ResidentCost>,
    /// By model, as far as any was asked.
    pub(crate) models: Vec<ModelCost>,
}

/// How much was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Count {
    /// Questions.
    pub(crate) tasks: u64,
    /// Of these, those put to a model.
    pub(crate) put_to_models: u64,
    /// Answers that are fallbacks.
    pub(crate) fallbacks: u64,
    /// Calls to models.
    pub(crate) calls: u64,
    /// Calls that failed.
    pub(crate) failed: u64,
    /// Calls that an equal one of an earlier tick spared.
    pub(crate) from_cache: u64,
    /// Tokens sent.
    pub(crate) tokens_in: u64,
    /// Tokens received.
    pub(crate) tokens_out: u64,
    /// Wall-clock milliseconds spent waiting.
    pub(crate) milliseconds: u64,
}

/// What one kind of question cost.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct KindCost {
    /// The kind.
    pub(crate) kind: String,
    /// How much.
    #[serde(flatten)]
    pub(crate) count: Count,
}

/// What one resident's thinking cost.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ResidentCost {
    /// Who; null for the town itself.
    pub(crate) resident: Option<u32>,
    /// How much.
    #[serde(flatten)]
    pub(crate) count: Count,
}

/// What one model was asked.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ModelCost {
    /// The model.
    pub(crate) model: String,
    /// How much; questions are not counted by model.
    #[serde(flatten)]
    pub(crate) count: Count,
}

/// An object and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Object {
    /// Which.
    pub(crate) place: u32,
    /// How it stands.
    pub(crate) state: String,
    /// How it stands when nothing happens to it.
    pub(crate) default_state: String,
    /// How it came there, newest first.
    pub(crate) history: Page<ObjectState>,
}

/// A notice with its tick.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Notice {
    /// When.
    pub(crate) tick: Tick,
    /// Whom it concerns.
    pub(crate) resident: Option<u32>,
    /// What kind.
    pub(crate) kind: String,
    /// The particulars.
    pub(crate) detail: String,
}

/// An input with its tick.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Acted {
    /// When it acted.
    pub(crate) tick: Tick,
    /// What kind.
    pub(crate) kind: String,
    /// Its content.
    #[schema(value_type = serde_json::Value)]
    pub(crate) input: serde_json::Value,
}
