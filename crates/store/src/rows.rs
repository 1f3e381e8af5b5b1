//! What is written and read: plain rows, one struct per table.
//!
//! Rows hold numbers, text and JSON text, no type of any other crate, so that a renamed field
//! elsewhere never breaks a run already on somebody's disk. Rows that belong to a tick do not
//! carry it while being written ([`TickRows::tick`] says it once); when read they come as [`At`].
//!
//! Units: a *tick* is counted from 0 at the run's start; a *game time* is whole seconds since
//! 1970-01-01 on a calendar without zones; a *minute* is a minute of the day.

use std::fmt;

/// Ticks since the start of the run.
pub type Tick = u32;
/// Seconds of game time since 1970-01-01T00:00:00.
pub type GameSeconds = i64;
/// A resident: its position in the town's list of residents.
pub type ResidentId = u32;
/// A place: its position in the town's list of places.
pub type PlaceId = u32;
/// A memory: its position in its resident's stream, without gaps from 0.
pub type MemoryId = u32;
/// A conversation, numbered by the engine.
pub type ConversationId = u32;
/// An appointment, numbered by the engine for each resident.
pub type AppointmentId = u32;

/// A row together with the tick at whose end it became true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At<R> {
    /// The tick that committed the row.
    pub tick: Tick,
    /// The row.
    pub row: R,
}

/// Everything a run is started with. The run file keeps it all and needs nothing else afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRun {
    /// The town's name.
    pub town: String,
    /// Game time of tick 0.
    pub start: GameSeconds,
    /// Game seconds per tick.
    pub seconds_per_tick: u32,
    /// The seed every addressed draw starts from.
    pub seed: u64,
    /// Which mind answers (`routine`, or a model's name).
    pub mind: String,
    /// How its models were set up, as text without any key; `None` without models.
    pub models: Option<String>,
    /// Hash of the prompts; `None` without models.
    pub prompts: Option<String>,
    /// Which embedder made the vectors: name and content hash. Vectors of two embedders never mix.
    pub embedder: String,
    /// Length of the embedder's vectors, in components.
    pub embedding_dimensions: u32,
    /// Version of the program; not part of the digest.
    pub townsfolk_version: String,
    /// The whole town, in named parts.
    pub parts: Vec<TownPart>,
    /// The residents, in id order.
    pub residents: Vec<ResidentRow>,
    /// The places, in id order, parents before children.
    pub places: Vec<PlaceRow>,
}

/// One part of the town (map, settings, …) as text, usually JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TownPart {
    /// The part's name, unique within the run.
    pub part: String,
    /// Its content.
    pub data: String,
}

/// A resident as the run began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResidentRow {
    /// Position in the town's list.
    pub id: ResidentId,
    /// Full name, in any script.
    pub name: String,
    /// The pinned facts, as a JSON object.
    pub identity: String,
    /// The tick at which they came to town; 0 for those it was started with.
    pub came: Tick,
    /// What a visitor is, such as "a reporter", perhaps in no words; `None` for residents.
    pub role: Option<String>,
    /// The tick at which they left town for good.
    pub left: Option<Tick>,
}

/// A place of the town.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceRow {
    /// Position in the town's list.
    pub id: PlaceId,
    /// The place it lies in; `None` for the world itself.
    pub parent: Option<PlaceId>,
    /// World, sector, arena or object.
    pub kind: PlaceKind,
    /// Its own name.
    pub name: String,
    /// Its full address, such as `the Ville:Hobbs Cafe:cafe:counter`; unique.
    pub address: String,
}

/// All that one tick changed. Committed whole or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TickRows {
    /// The tick; later than every tick committed before.
    pub tick: Tick,
    /// Who came to town.
    pub arrivals: Vec<ResidentRow>,
    /// Who left it for good.
    pub departures: Vec<ResidentId>,
    /// Residents who now see themselves otherwise.
    pub identities: Vec<IdentityRow>,
    /// Residents now on another tile.
    pub moves: Vec<MoveRow>,
    /// Residents now doing something else.
    pub actions: Vec<ActionRow>,
    /// Objects now in another state.
    pub object_states: Vec<ObjectStateRow>,
    /// New memories.
    pub memories: Vec<MemoryRow>,
    /// New plans and new revisions of plans, each with the entries known so far.
    pub plans: Vec<PlanRow>,
    /// Entries added to a plan that is already there (tasks decomposed just in time).
    pub plan_entries: Vec<AddedPlanEntry>,
    /// Conversations that began.
    pub conversations: Vec<ConversationRow>,
    /// Lines that were said.
    pub lines: Vec<LineRow>,
    /// Conversations that ended.
    pub conversation_ends: Vec<ConversationEnd>,
    /// Appointments made, or whose status changed.
    pub appointments: Vec<AppointmentRow>,
    /// Questions whose answers this tick used.
    pub tasks: Vec<TaskRow>,
    /// What went otherwise than intended.
    pub notices: Vec<NoticeRow>,
}

impl TickRows {
    /// An empty set of rows for `tick`; committing it only moves the head.
    pub fn new(tick: Tick) -> Self {
        Self {
            tick,
            ..Self::default()
        }
    }
}

/// What must outlive even the tick in flight: recorded as soon as it exists, kept when later ticks
/// are deleted for re-execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Steering from outside, before it acts.
    pub inputs: Vec<At<InputRow>>,
    /// Embeddings that were paid for.
    pub texts: Vec<TextRow>,
}

/// A resident's pinned facts as revised, at a day's end for instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityRow {
    /// Who.
    pub resident: ResidentId,
    /// The pinned facts, as a JSON object.
    pub identity: String,
}

/// A resident on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveRow {
    /// Who.
    pub resident: ResidentId,
    /// Column of the map, from the left.
    pub x: u16,
    /// Row of the map, from the top.
    pub y: u16,
}

/// What a resident does from this tick on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionRow {
    /// Who.
    pub resident: ResidentId,
    /// The activity in words.
    pub activity: String,
    /// Where it is done.
    pub place: Option<PlaceId>,
    /// The activity as emoji.
    pub emoji: String,
    /// Subject of the event triple.
    pub subject: String,
    /// Predicate of the event triple.
    pub predicate: String,
    /// Object of the event triple.
    pub object: String,
    /// Walking there, doing it, …
    pub status: ActionStatus,
    /// Game time at which it is meant to end, where known.
    pub ends: Option<GameSeconds>,
}

/// An object's state from this tick on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectStateRow {
    /// The object.
    pub place: PlaceId,
    /// Its state in words.
    pub state: String,
    /// Who brought it about; `None` for the town itself or an input.
    pub by: Option<ResidentId>,
}

/// One record of a resident's memory stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRow {
    /// Whose.
    pub resident: ResidentId,
    /// Position in the stream.
    pub id: MemoryId,
    /// Game time at which it was made.
    pub created: GameSeconds,
    /// Observation, reflection, plan or conversation.
    pub kind: MemoryKind,
    /// 0 for what was seen; for a reflection one more than its deepest evidence.
    pub depth: u16,
    /// The memory in words.
    pub text: String,
    /// The text's embedding, in the bytes the embedder's owner uses. Stored once per text.
    pub vector: Vec<u8>,
    /// Subject of the triple.
    pub subject: String,
    /// Predicate of the triple.
    pub predicate: String,
    /// Object of the triple.
    pub object: String,
    /// 1 to 10, how poignant.
    pub importance: u8,
    /// Game time after which it no longer counts.
    pub expires: Option<GameSeconds>,
    /// Words it is found by, in order.
    pub keywords: Vec<String>,
    /// The memories it rests on, in order.
    pub evidence: Vec<MemoryId>,
    /// Who told it, where it is hearsay.
    pub hearsay: Option<HearsayRow>,
    /// The conversation it stems from.
    pub conversation: Option<ConversationId>,
    /// Where it was made.
    pub place: Option<PlaceId>,
}

/// Where told news came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HearsayRow {
    /// Who told it.
    pub teller: ResidentId,
    /// The teller's own memory of it.
    pub memory: MemoryId,
}

/// A text with its embedding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRow {
    /// The text.
    pub text: String,
    /// Its embedding.
    pub vector: Vec<u8>,
}

/// A resident's plan of one day, in one revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRow {
    /// Whose.
    pub resident: ResidentId,
    /// The day, `YYYY-MM-DD`.
    pub date: String,
    /// 0 for the first plan of the day, counting up.
    pub revision: u32,
    /// The memory that made the resident change the plan.
    pub cause_memory: Option<MemoryId>,
    /// The day in broad strokes, as a JSON array.
    pub strokes: String,
    /// The entries, in any order; read back ordered by level (hours first) and start.
    pub entries: Vec<PlanEntryRow>,
}

/// One stretch of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanEntryRow {
    /// Hour or task.
    pub level: PlanLevel,
    /// Minute of the day at which it starts, 0 to 1,439.
    pub start: u16,
    /// Its length in minutes, at least 1.
    pub minutes: u16,
    /// The activity in words.
    pub activity: String,
    /// Where, once chosen.
    pub place: Option<PlaceId>,
    /// The memory that put it there.
    pub cause_memory: Option<MemoryId>,
}

/// An entry for a plan that is already in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedPlanEntry {
    /// Whose plan.
    pub resident: ResidentId,
    /// The plan's day, `YYYY-MM-DD`.
    pub date: String,
    /// The plan's revision.
    pub revision: u32,
    /// The entry.
    pub entry: PlanEntryRow,
}

/// A conversation that began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConversationRow {
    /// Its number.
    pub id: ConversationId,
    /// Who spoke to the other.
    pub a: ResidentId,
    /// Who was spoken to.
    pub b: ResidentId,
    /// Where.
    pub place: Option<PlaceId>,
}

/// A conversation that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationEnd {
    /// Which.
    pub conversation: ConversationId,
    /// Why it ended.
    pub reason: String,
}

/// A conversation as a reader finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// How it began.
    pub began: At<ConversationRow>,
    /// What was said so far, in turn.
    pub lines: Vec<At<LineRow>>,
    /// How it ended, unless it goes on.
    pub ended: Option<At<ConversationEnd>>,
}

/// One line of talk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRow {
    /// In which conversation.
    pub conversation: ConversationId,
    /// Which turn, from 0.
    pub turn: u32,
    /// Who speaks.
    pub speaker: ResidentId,
    /// The words.
    pub text: String,
    /// Which of the speaker's memories it tells, as JSON.
    pub tells: String,
    /// What the speaker decided (accept, decline, lend, …) apart from the words, as JSON.
    pub decision: String,
}

/// Something two or more agreed on, or were asked to, as one resident holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppointmentRow {
    /// Who holds it.
    pub resident: ResidentId,
    /// Its number for this resident; a later row with the same number replaces it.
    pub id: AppointmentId,
    /// What it is.
    pub what: String,
    /// Where.
    pub place: Option<PlaceId>,
    /// Game time at which it starts.
    pub start: GameSeconds,
    /// Game time at which it ends.
    pub end: GameSeconds,
    /// Whose it is.
    pub host: ResidentId,
    /// `own`, `heard`, `accepted`, `declined`, …
    pub status: String,
    /// Why.
    pub reason: String,
    /// The memory through which the resident knows of it.
    pub memory: Option<MemoryId>,
}

/// One question put to a mind, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRow {
    /// For whom; `None` where the town itself asked.
    pub resident: Option<ResidentId>,
    /// Which of that resident's questions of the tick, from 0.
    pub seq: u32,
    /// Which task.
    pub kind: String,
    /// The typed input, as JSON.
    pub input: String,
    /// The typed answer, as JSON.
    pub answer: String,
    /// Who answered: `routine`, or a model's name.
    pub mind: String,
    /// Why the answer is a fallback, where it is one.
    pub fallback: Option<String>,
    /// What was cut from the prompt to fit the model's window, for people; `None` for nothing.
    pub cut: Option<String>,
    /// The calls it took, by attempt.
    pub calls: Vec<UsedCall>,
}

/// A call that an attempt at a task's answer rests on: its own, or an equal one of an earlier tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsedCall {
    /// 0 for the first attempt, 1 for the corrective one.
    pub attempt: u8,
    /// The call.
    pub call: CallId,
}

/// A call's number in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub i64);

/// The kind of a call that made vectors and serves no task.
pub const EMBEDDING: &str = "embedding";

/// For which attempt at which question a call was made, and what exactly it asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallKey {
    /// The tick.
    pub tick: Tick,
    /// Whose question; `None` where the town itself asked.
    pub resident: Option<ResidentId>,
    /// Which of that resident's questions of the tick, from 0; any number that no question has where it
    /// made vectors.
    pub seq: u32,
    /// 0 for the first attempt, 1 for the corrective one.
    pub attempt: u8,
    /// Hash of model and request: equal hashes ask the same. Empty in runs brought up from format 1.
    pub hash: String,
}

/// One call to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallRow {
    /// Which.
    pub key: CallKey,
    /// For which task, or [`EMBEDDING`].
    pub kind: String,
    /// The model that was asked: provider and name.
    pub model: String,
    /// The request as sent, without keys and headers.
    pub request: String,
    /// The reply, or why there was none.
    pub outcome: Result<ReplyRow, String>,
    /// Wall-clock milliseconds it took; not part of the digest.
    pub milliseconds: Option<u32>,
    /// Whether it was paid for by another run: the one this was forked from, or replays.
    pub paid_by: Payer,
}

/// Which run paid for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payer {
    /// The one whose file this is.
    ThisRun,
    /// The one it was forked from, or replays.
    AnotherRun,
}

/// What a model replied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyRow {
    /// The reply, word for word.
    pub text: String,
    /// The model that answered, as it calls itself.
    pub answered_by: Option<String>,
    /// Whether the reply was cut off at its greatest length.
    pub cut_off: bool,
    /// Tokens sent, cached ones included.
    pub tokens_in: u32,
    /// Of them, tokens the provider had in its cache.
    pub tokens_cached: u32,
    /// Tokens received.
    pub tokens_out: u32,
}

/// Steering from outside: a whisper, a history, an object set by a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRow {
    /// What kind.
    pub kind: String,
    /// Its content, as JSON.
    pub json: String,
}

/// Something that went otherwise than intended, shown and counted rather than passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeRow {
    /// Whom it concerns.
    pub resident: Option<ResidentId>,
    /// What kind: a fallback, a substituted place, an unreachable target, a skipped night, …
    pub kind: String,
    /// The particulars, for people.
    pub detail: String,
}

/// Declares an enum that is stored as a word.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)+ }

        impl $name {
            /// Every value, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word it is stored as.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The value stored as `word`.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// What a resident's body is at.
    ActionStatus {
        /// On the way to the action's place.
        Walking = "walking",
        /// At it.
        Doing = "doing",
        /// In conversation.
        Talking = "talking",
        /// Waiting for somebody or something.
        Waiting = "waiting",
        /// Asleep.
        Asleep = "asleep",
    }
}

words! {
    /// The four kinds of memory.
    MemoryKind {
        /// Something seen or heard.
        Observation = "observation",
        /// A conclusion drawn from other memories.
        Reflection = "reflection",
        /// An intention.
        Plan = "plan",
        /// A talk, remembered as a whole.
        Conversation = "conversation",
    }
}

words! {
    /// How fine a plan entry is.
    PlanLevel {
        /// One of the stretches that cover the day.
        Hour = "hour",
        /// A 5 to 15 minute part of such a stretch.
        Task = "task",
    }
}

words! {
    /// The four levels of place.
    PlaceKind {
        /// The whole map.
        World = "world",
        /// A building or an area.
        Sector = "sector",
        /// A room.
        Arena = "arena",
        /// A thing in a room.
        Object = "object",
    }
}

words! {
    /// How the run was left.
    RunState {
        /// Being written, or its writer was killed.
        Running = "running",
        /// Left on purpose, to go on later.
        Paused = "paused",
        /// Reached its end.
        Finished = "finished",
    }
}
