//! The town at a tick, and what changes from tick to tick.

use serde::Serialize;
use serde_json::Value;
use townsfolk_store::{ActionRow, At, Conversation, LineRow, MoveRow, ObjectStateRow, Tick};
use utoipa::ToSchema;

use super::json;
use super::person::Resident;

/// The town at the end of a tick.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct State {
    /// The tick.
    pub(crate) tick: Tick,
    /// Game time, in seconds since 1970.
    pub(crate) time: i64,
    /// Where everybody is and what they do.
    pub(crate) residents: Vec<Body>,
    /// The objects whose state ever changed.
    pub(crate) objects: Vec<ObjectState>,
    /// Talks going on, with the lines so far.
    pub(crate) talks: Vec<Talk>,
}

/// Somebody on the map.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Body {
    /// Who.
    pub(crate) id: u32,
    /// Column from the left.
    pub(crate) x: u16,
    /// Row from the top.
    pub(crate) y: u16,
    /// The tick they came to this tile.
    pub(crate) since: Tick,
    /// What they do; null before they first think.
    pub(crate) action: Option<Action>,
}

impl Body {
    pub(crate) fn new(at: &At<MoveRow>, action: Option<Action>) -> Self {
        Self {
            id: at.row.resident,
            x: at.row.x,
            y: at.row.y,
            since: at.tick,
            action,
        }
    }
}

/// What somebody does.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Action {
    /// Who.
    pub(crate) resident: u32,
    /// `walking`, `doing`, `talking`, `waiting` or `asleep`.
    pub(crate) status: &'static str,
    /// In words.
    pub(crate) activity: String,
    /// As emoji.
    pub(crate) emoji: String,
    /// Where.
    pub(crate) place: Option<u32>,
    /// Game time at which it is meant to end.
    pub(crate) ends: Option<i64>,
    /// The tick it began.
    pub(crate) since: Tick,
}

impl From<At<ActionRow>> for Action {
    fn from(at: At<ActionRow>) -> Self {
        Self {
            resident: at.row.resident,
            status: at.row.status.as_str(),
            activity: at.row.activity,
            emoji: at.row.emoji,
            place: at.row.place,
            ends: at.row.ends,
            since: at.tick,
        }
    }
}

/// How an object stands.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct ObjectState {
    /// The object.
    pub(crate) place: u32,
    /// Its state in words that follow "is".
    pub(crate) state: String,
    /// Whose doing it is; null for the town's own or an input.
    pub(crate) by: Option<u32>,
    /// The tick it came into this state.
    pub(crate) since: Tick,
}

impl From<At<ObjectStateRow>> for ObjectState {
    fn from(at: At<ObjectStateRow>) -> Self {
        Self {
            place: at.row.place,
            state: at.row.state,
            by: at.row.by,
            since: at.tick,
        }
    }
}

/// A conversation.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Talk {
    /// Its number.
    pub(crate) id: u32,
    /// Who spoke to the other.
    pub(crate) a: u32,
    /// Who was spoken to.
    pub(crate) b: u32,
    /// Where.
    pub(crate) place: Option<u32>,
    /// The tick it began.
    pub(crate) began: Tick,
    /// The tick it ended; null while it goes on.
    pub(crate) ended: Option<Tick>,
    /// Why it ended.
    pub(crate) end_reason: Option<String>,
    /// What was said.
    pub(crate) lines: Vec<Line>,
}

impl From<Conversation> for Talk {
    fn from(talk: Conversation) -> Self {
        let (began, ended) = (talk.began, talk.ended);
        Self {
            id: began.row.id,
            a: began.row.a,
            b: began.row.b,
            place: began.row.place,
            began: began.tick,
            ended: ended.as_ref().map(|end| end.tick),
            end_reason: ended.map(|end| end.row.reason),
            lines: talk.lines.into_iter().map(Line::from).collect(),
        }
    }
}

/// A line of talk.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Line {
    /// Which turn, from 0.
    pub(crate) turn: u32,
    /// When.
    pub(crate) tick: Tick,
    /// Who speaks.
    pub(crate) speaker: u32,
    /// The words.
    pub(crate) text: String,
    /// The speaker's memories that it passes on.
    pub(crate) tells: Vec<u32>,
    /// What the speaker decided with it, apart from the words.
    #[schema(value_type = Value)]
    pub(crate) decision: Value,
}

impl From<At<LineRow>> for Line {
    fn from(at: At<LineRow>) -> Self {
        Self {
            turn: at.row.turn,
            tick: at.tick,
            speaker: at.row.speaker,
            tells: serde_json::from_str(&at.row.tells).unwrap_or_default(),
            decision: json(&at.row.decision),
            text: at.row.text,
        }
    }
}

/// What changed in a stretch of ticks.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Frames {
    /// The tick whose state they build on.
    pub(crate) from: Tick,
    /// The last tick they tell of, which may be earlier than asked.
    pub(crate) to: Tick,
    /// One for each tick at which something changed, in order.
    pub(crate) frames: Vec<Frame>,
}

/// What one tick changed; lists that are absent are empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub(crate) struct Frame {
    /// The tick.
    pub(crate) tick: Tick,
    /// Who came to town.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) came: Vec<Resident>,
    /// Who left it for good.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) left: Vec<u32>,
    /// Who is on another tile: resident, column, row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) moves: Vec<[u32; 3]>,
    /// Who does something else.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) actions: Vec<Action>,
    /// Objects in another state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) objects: Vec<ObjectState>,
    /// Talks that began.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) talks: Vec<TalkBegun>,
    /// Lines said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lines: Vec<Said>,
    /// Talks that ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) ends: Vec<TalkEnded>,
    /// Conclusions drawn: resident, memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) reflections: Vec<[u32; 2]>,
    /// What went otherwise than intended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notices: Vec<Noticed>,
    /// Steering from outside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) inputs: Vec<Steered>,
}

/// A talk that began.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TalkBegun {
    /// Its number.
    pub(crate) id: u32,
    /// Who spoke to the other.
    pub(crate) a: u32,
    /// Who was spoken to.
    pub(crate) b: u32,
    /// Where.
    pub(crate) place: Option<u32>,
}

/// A line that was said.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Said {
    /// In which talk.
    pub(crate) talk: u32,
    /// Which turn, from 0.
    pub(crate) turn: u32,
    /// Who speaks.
    pub(crate) speaker: u32,
    /// The words.
    pub(crate) text: String,
}

/// A talk that ended.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TalkEnded {
    /// Which.
    pub(crate) talk: u32,
    /// Why.
    pub(crate) reason: String,
}

/// Something that went otherwise than intended.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Noticed {
    /// Whom it concerns.
    pub(crate) resident: Option<u32>,
    /// What kind.
    pub(crate) kind: String,
    /// The particulars.
    pub(crate) detail: String,
}

/// Something done to the town from outside.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Steered {
    /// What kind.
    pub(crate) kind: String,
    /// Its content.
    #[schema(value_type = Value)]
    pub(crate) input: Value,
}
