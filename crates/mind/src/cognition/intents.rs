//! What a resident's thinking wants from the world, and what there is to write down about it.

use serde::{Deserialize, Serialize};
use townsfolk_memory::MemoryId;
use townsfolk_time::GameTime;
use townsfolk_world::{PlaceId, Tile};

use super::situation::{ConversationId, Showing};
use crate::tasks::{Appointment, Line};
use crate::{Entry, ResidentId};

/// What a resident wants to happen. The engine merges all residents' intents in resident order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intents {
    /// The neighbouring tile to step on.
    pub step: Option<Tile>,
    /// What to show from now on.
    pub showing: Option<Showing>,
    /// What to do in conversation.
    pub talk: Option<TalkIntent>,
    /// When to think again if nothing changes around; the next tick if in the past.
    pub think_again: Option<GameTime>,
    /// What there is to write down.
    pub journal: Journal,
}

/// What a resident wants in conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum TalkIntent {
    /// Speak to somebody in sight.
    Open {
        /// Whom.
        with: ResidentId,
    },
    /// Say a line in the conversation it is in.
    Say {
        /// Which conversation; the line is dropped if it has ended meanwhile.
        talk: ConversationId,
        /// The line.
        line: Line,
        /// Whether it ends the conversation.
        ends: bool,
    },
}

/// What happened inside a resident, for the run file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Journal {
    /// New memories, with the conversation and the place they come from.
    pub memories: Vec<(MemoryId, Option<ConversationId>, Option<PlaceId>)>,
    /// Whether what occupies it was revised.
    pub revised_identity: bool,
    /// Whether today's plan is new or changed, and because of which memory.
    pub plan: Option<PlanChange>,
    /// Steps that a stretch of today's plan was decomposed into.
    pub steps: Vec<Entry>,
    /// What it agreed to, declined, or hosts.
    pub appointments: Vec<AppointmentNote>,
    /// What went otherwise than intended: kind and particulars.
    pub notices: Vec<(&'static str, String)>,
}

/// How today's plan changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanChange {
    /// The memory behind the change, where there is one.
    pub cause: Option<MemoryId>,
}

/// Where a resident stands on an occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// Its own, as host or by its own will.
    Own,
    /// Agreed to attend.
    Accepted,
    /// Asked, and declined.
    Declined,
}

/// Where a resident stands on an occasion, for the run file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppointmentNote {
    /// What, when, where.
    pub appointment: Appointment,
    /// When it stood before, where this changes what was noted of it.
    pub stood: Option<GameTime>,
    /// Where the resident stands.
    pub stance: Stance,
    /// Why, in words.
    pub reason: String,
}
