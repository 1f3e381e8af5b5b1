//! Cognition: one resident thinks for one tick.
//!
//! [`think`] reads the [`Situation`] and the resident, asks its mind, changes only the resident, and
//! returns [`Intents`]. In order: whispers and a talk just ended are remembered; a new day is
//! planned; what is in sight is perceived; a talk is continued, or what is new is reacted to and the
//! plan carried on; and when enough has happened it is reflected upon.

mod act;
mod converse;
mod describe;
mod intents;
mod objects;
mod perceive;
mod places;
mod plan;
mod question;
mod react;
mod reflect;
mod remember;
mod resident;
mod situation;
mod whisper;

use townsfolk_time::{DAY_SECONDS, GameTime};

/// The parts of cognition that need no town: for an agent that lives somewhere else.
pub mod apart {
    pub use super::converse::{Heard, Kept, keep_in_mind, relationship, topics};
    pub use super::describe::{SelfView, describe};
    pub use super::question::comes_to_mind;
    pub use super::reflect::{reflect, reflect_if_due};
    pub use super::remember::{KNOWS, Note, facts_about, recall, recall_all, recalled, remember};
}

pub use converse::statements_of;
pub use describe::SelfView;
pub use intents::{AppointmentNote, Intents, Journal, PlanChange, Stance, TalkIntent};
pub use resident::{Day, Doing, Life, Person, Resident, Talking, Unusual, Waiting};
pub use situation::{Body, ConversationId, Showing, Sighting, Situation, Status, Talk};

use crate::asker::{Asker, Halted};

/// One resident thinks for one tick.
///
/// # Errors
/// Thinking that cannot go on halts the run; the resident is then not to be used any further, since
/// part of the tick may already be in it.
pub async fn think(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
) -> Result<Intents, Halted> {
    let mut intents = Intents::default();
    whisper::settle_in(resident, situation, asker, &mut intents).await?;
    whisper::listen(resident, situation, asker, &mut intents).await?;
    whisper::remember_answers(resident, situation, asker, &mut intents).await?;
    act::find_the_way_again(resident, situation, &mut intents);
    if let Some(talk) = situation.ended_talk {
        converse::keep(resident, situation, talk, asker, &mut intents).await?;
    }
    if plan::begin_day(resident, situation, asker, &mut intents).await? {
        let now = situation.now;
        describe::describe(resident, now, now, situation.phrases, asker).await?;
    }

    let fresh = perceive::perceive(resident, situation, asker, &mut intents).await?;
    objects::note_states(resident, situation, &fresh);
    if let Some(talk) = situation.talk {
        converse::take_part(resident, situation, talk, asker, &mut intents).await?;
    } else {
        react::react(resident, situation, asker, &fresh, &mut intents).await?;
        plan::keep_acting(resident, situation, asker, &mut intents).await?;
        if intents.talk.is_none() {
            act::act(resident, situation, &mut intents);
        }
    }
    reflect::reflect_if_due(resident, situation.now, asker, &mut intents.journal).await?;
    intents.think_again = think_again(resident, situation);
    Ok(intents)
}

/// When to think again if nothing in sight changes.
fn think_again(resident: &Resident, situation: &Situation<'_>) -> Option<GameTime> {
    let life = &resident.life;
    if let Some(talk) = situation.talk {
        let ticks = talk.next_line_tick.saturating_sub(situation.tick).max(1);
        return Some(situation.now + ticks as i64 * situation.seconds_per_tick);
    }
    if !life.path.is_empty() {
        return Some(situation.now + situation.seconds_per_tick);
    }
    let midnight = GameTime::midnight(situation.now.date()) + DAY_SECONDS;
    let until = life.doing.as_ref().map(|doing| doing.until);
    let waiting = life.waiting.as_ref().map(|waiting| waiting.until);
    [until, waiting].into_iter().flatten().chain([midnight]).min()
}
