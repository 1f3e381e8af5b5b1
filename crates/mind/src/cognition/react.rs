//! Reacting: what to do about somebody or something just seen.

use std::cmp::Reverse;
use std::sync::Arc;

use townsfolk_memory::{MemoryId, MemoryKind};
use townsfolk_time::GameTime;
use townsfolk_world::PlaceId;

use super::act;
use super::intents::{Intents, TalkIntent};
use super::perceive::{Fresh, Subject};
use super::plan::{self, Change};
use super::remember::{KNOWS, recall_all, recalled};
use super::resident::Resident;
use super::situation::{Body, Sighting, Situation, Status};
use crate::asker::{Asker, Halted};
use crate::tasks::{React, Reaction, Recalled, Seen};
use crate::{Entry, ResidentId};

/// From this minute on nobody begins a talk (2023 code: 23 h).
const TOO_LATE_TO_TALK: u16 = 23 * 60;
/// How many seconds after a talk one does not begin another, with anybody.
const BREATHER_SECONDS: i64 = 600;
/// From this importance on something counts as news.
const NEWSWORTHY: u8 = 5;
/// How many pieces of news are weighed at once.
const NEWS: usize = 8;
/// How many memories a reaction recalls (2023 code: 50 for the first look at somebody; ours asks for
/// fewer since they are ranked).
const RECALLED: usize = 12;

pub(crate) async fn react(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    fresh: &[Fresh],
    intents: &mut Intents,
) -> Result<(), Halted> {
    if resident.life.waiting.is_some() {
        return Ok(());
    }
    if let Some(focus) = focus_person(resident, situation, fresh) {
        return react_to_person(resident, situation, asker, focus, intents).await;
    }
    if let Some((object, state, memory)) = focus_object(situation, fresh) {
        return react_to_object(resident, situation, asker, (object, state, memory), intents).await;
    }
    Ok(())
}

/// Whom to react to, and the memory of having just seen them.
struct Focus<'s> {
    id: ResidentId,
    name: &'s Arc<str>,
    body: &'s Body,
    memory: Option<MemoryId>,
}

/// Whoever is in the way, else the nearest one newly seen doing something.
fn focus_person<'s>(resident: &Resident, situation: &'s Situation<'_>, fresh: &[Fresh]) -> Option<Focus<'s>> {
    let memory = |id| {
        fresh
            .iter()
            .find(|f| f.subject == Subject::Person(id))
            .map(|f| f.memory)
    };
    let others = || {
        situation.sight.iter().filter_map(|sighting| match sighting {
            Sighting::Person { id, name, body } if *id != resident.id => Some(Focus {
                id: *id,
                name,
                body,
                memory: memory(*id),
            }),
            _ => None,
        })
    };
    if let Some(object) = wanted_object(resident, situation)
        && let Some(person) = others().find(|other| uses(other.body, object))
    {
        return Some(person);
    }
    others().find(|o| o.memory.is_some() && may_talk(resident, situation, o.name, o.body))
}

/// The object the resident is about to use and has not given way at yet, if it serves one at a time.
/// Whatever covers several tiles, such as a row of seats, has room for more.
fn wanted_object(resident: &Resident, situation: &Situation<'_>) -> Option<PlaceId> {
    let doing = resident
        .life
        .doing
        .as_ref()
        .filter(|doing| !doing.gave_way && !doing.asleep)?;
    let (object, _) = doing.showing.uses.as_ref()?;
    (situation.world.place(*object).tiles.len() == 1).then_some(*object)
}

fn uses(body: &Body, object: PlaceId) -> bool {
    body.showing
        .uses
        .as_ref()
        .is_some_and(|(used, _)| *used == object)
}

fn may_talk(resident: &Resident, situation: &Situation<'_>, name: &str, body: &Body) -> bool {
    let cool_down = resident.settings.talk_cool_down_minutes;
    let last_talk = resident
        .life
        .people
        .values()
        .filter_map(|person| person.last_talk)
        .max();
    situation.talk.is_none()
        && last_talk.is_none_or(|ended| situation.now - ended >= BREATHER_SECONDS)
        && body.talk.is_none()
        && body.showing.status != Status::Asleep
        && situation.now.minute_of_day() < TOO_LATE_TO_TALK
        && resident
            .acquaintance(name, situation.now)
            .minutes_since_talk
            .is_none_or(|m| m >= cool_down)
}

async fn react_to_person(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    Focus {
        id,
        name,
        body,
        memory,
    }: Focus<'_>,
    intents: &mut Intents,
) -> Result<(), Halted> {
    let now = situation.now;
    let me = resident.life.identity.name.clone();
    let phrases = situation.phrases;
    let questions = phrases.questions_about(&me, name);
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    let recalled = recall_all(resident, now, asker, &questions, RECALLED).await?;
    let news = news_for(resident, name, now);
    let in_the_way = wanted_object(resident, situation).filter(|object| uses(body, *object));
    if let Some(doing) = &mut resident.life.doing
        && in_the_way.is_some()
    {
        doing.gave_way = true;
    }
    let Some(doing) = resident.life.doing.clone() else {
        return Ok(());
    };
    let task = React {
        who: &resident.life.identity,
        now,
        doing: &doing.showing.activity,
        minutes_left: minutes_between(now, doing.until),
        seen: Seen::Person {
            name,
            doing: &body.showing.activity,
            acquaintance: resident.acquaintance(name, now),
            in_the_way: in_the_way.is_some(),
            may_talk: may_talk(resident, situation, name, body),
        },
        recalled: &recalled,
        news: &news,
    };
    match (asker.ask(&task).await?, in_the_way) {
        (Reaction::Talk, _) => intents.talk = Some(TalkIntent::Open { with: id }),
        (Reaction::Wait { minutes }, Some(object)) => {
            act::wait_for(resident, object, now + i64::from(minutes) * 60);
        }
        (Reaction::ChangePlan { activity, minutes }, _) => {
            change_plan(
                resident,
                situation,
                asker,
                intents,
                Instead {
                    activity,
                    minutes,
                    cause: memory,
                },
            )
            .await?;
        }
        (Reaction::Wait { .. }, None) | (Reaction::CarryOn, _) => {}
    }
    Ok(())
}

/// The nearest object newly seen in a state that nobody's use explains.
fn focus_object<'s>(situation: &'s Situation<'_>, fresh: &[Fresh]) -> Option<(PlaceId, &'s str, MemoryId)> {
    situation.sight.iter().find_map(|sighting| match sighting {
        Sighting::Object {
            place,
            state,
            in_use: false,
        } => {
            let usual = situation.world.place(*place).default_state.as_deref() == Some(*state);
            let fresh = fresh
                .iter()
                .find(|f| f.subject == Subject::Object(*place))
                .filter(|_| !usual)?;
            Some((*place, *state, fresh.memory))
        }
        _ => None,
    })
}

async fn react_to_object(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    (object, state, memory): (PlaceId, &str, MemoryId),
    intents: &mut Intents,
) -> Result<(), Halted> {
    let name = situation.world.place(object).name.as_str();
    let recalled = recall_all(resident, situation.now, asker, &[name], RECALLED).await?;
    let Some(doing) = resident.life.doing.clone() else {
        return Ok(());
    };
    let task = React {
        who: &resident.life.identity,
        now: situation.now,
        doing: &doing.showing.activity,
        minutes_left: minutes_between(situation.now, doing.until),
        seen: Seen::Object { name, state },
        recalled: &recalled,
        news: &[],
    };
    if let Reaction::ChangePlan { activity, minutes } = asker.ask(&task).await? {
        let instead = Instead {
            activity,
            minutes,
            cause: Some(memory),
        };
        change_plan(resident, situation, asker, intents, instead).await?;
    }
    Ok(())
}

/// Lets a thought that came of itself change what is being done.
pub(crate) async fn react_to_thought(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
    id: MemoryId,
) -> Result<(), Halted> {
    let text = resident.stream.get(id).map(|memory| memory.text.clone());
    let (Some(text), Some(doing)) = (text, resident.life.doing.clone()) else {
        return Ok(());
    };
    let recalled = recall_all(resident, situation.now, asker, &[&text], RECALLED).await?;
    let task = React {
        who: &resident.life.identity,
        now: situation.now,
        doing: &doing.showing.activity,
        minutes_left: minutes_between(situation.now, doing.until),
        seen: Seen::Thought { text: &text },
        recalled: &recalled,
        news: &[],
    };
    if let Reaction::ChangePlan { activity, minutes } = asker.ask(&task).await? {
        let instead = Instead {
            activity,
            minutes,
            cause: Some(id),
        };
        change_plan(resident, situation, asker, intents, instead).await?;
    }
    Ok(())
}

/// What to do instead of what is planned, for how long, and the memory of why.
struct Instead {
    activity: String,
    minutes: u16,
    cause: Option<MemoryId>,
}

async fn change_plan(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
    Instead {
        activity,
        minutes,
        cause,
    }: Instead,
) -> Result<(), Halted> {
    let start = situation.now.minute_of_day();
    let minutes = minutes.min(townsfolk_time::DAY_MINUTES - start);
    let new = Entry {
        start,
        minutes,
        activity: activity.as_str().into(),
        asleep: false,
        cause,
        step: false,
    };
    let change = Change {
        new: Some(new),
        reason: &activity,
        cause,
    };
    plan::revise(resident, situation, asker, intents, change).await
}

/// What the resident knows that is worth telling and that `other` has not heard from it: the most
/// important first, then the newest.
pub(crate) fn news_for(resident: &Resident, other: &Arc<str>, now: GameTime) -> Vec<Recalled> {
    if !resident.settings.memory {
        return Vec::new();
    }
    let person = resident.life.people.get(other);
    let unusual: Vec<MemoryId> = resident.life.unusual.values().filter_map(|u| u.memory).collect();
    let is_unusual = |id| unusual.contains(&id);
    let is_news = |memory: &&townsfolk_memory::Memory| {
        memory.kind == MemoryKind::Observation
            && memory.importance >= NEWSWORTHY
            && !memory.is_expired(now)
            && memory.triple.subject != *other
            && (memory.hearsay.is_some() || *memory.triple.predicate == *KNOWS || is_unusual(memory.id))
            && person.is_none_or(|p| !p.shared.contains(&memory.id))
    };
    let mut news: Vec<_> = resident.stream.iter().rev().filter(is_news).collect();
    news.sort_by_key(|memory| Reverse(memory.importance));
    news.truncate(NEWS);
    news.into_iter()
        .filter_map(|memory| recalled(resident, memory.id))
        .collect()
}

fn minutes_between(now: GameTime, then: GameTime) -> u16 {
    ((then - now).max(0) / 60).min(i64::from(u16::MAX)) as u16
}
