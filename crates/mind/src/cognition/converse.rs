//! Conversing: turn by turn while a talk goes on, and what is kept of it afterwards.

use std::sync::Arc;

use futures_util::join;
use townsfolk_memory::{Hearsay, Memory, MemoryId, MemoryKind, Triple};
use townsfolk_time::GameTime;
use townsfolk_world::PlaceId;

use super::intents::{AppointmentNote, Intents, Journal, Stance, TalkIntent};
use super::places::known_places;
use super::plan;
use super::react::news_for;
use super::reflect::THOUGHT_LASTS;
use super::remember::{KNOWS, Note, facts_about, recall_all, remember};
use super::resident::{Resident, Talking};
use super::situation::{ConversationId, Showing, Sighting, Situation, Status, Talk};
use crate::Phrases;
use crate::asker::{Asker, Halted};
use crate::period::find;
use crate::routine::atlas::names_of;
use crate::routine::notices::{Notice, Says, is_of_change};
use crate::routine::text::Words;
use crate::routine::{retold, speech};
use crate::tasks::{
    AfterTalk, Appointment, ConversationSummary, Line, NextLine, Occasion, Recalled, Relationship, Topic,
};

/// How near people stand to talk, in tiles.
const TALKING_DISTANCE: u16 = 2;
/// How many memories the speaker recalls for a line (2023 code: 50 at first, 25 later; ours ranks
/// what is new to the listener first).
const RECALLED: usize = 15;
/// From this importance on something heard may change today's plan.
const MAY_CHANGE_PLANS: u8 = 3;

/// Takes part in a talk: walks up to the other, and speaks when it is the resident's turn.
pub(crate) async fn take_part(
    resident: &mut Resident,
    situation: &Situation<'_>,
    talk: &Talk,
    asker: &Asker<'_>,
    intents: &mut Intents,
) -> Result<(), Halted> {
    let Some(side) = talk.side(resident.id) else {
        return Ok(());
    };
    let other = &talk.names[1 - side];
    let talking = match resident
        .life
        .talking
        .take()
        .filter(|talking| talking.id == talk.id)
    {
        Some(talking) => talking,
        None => {
            // Both look back as the talk begins, so that the other's first line need not wait for it.
            relationship(resident, situation.now, situation.phrases, other, asker).await?;
            let doing = resident.life.doing.as_ref();
            let interrupted = doing
                .map(|doing| doing.showing.activity.clone())
                .unwrap_or_default();
            Talking {
                id: talk.id,
                interrupted,
                other_doing: doing_of(situation, other),
            }
        }
    };
    resident.life.talking = Some(talking.clone());
    show_talking(resident, situation, other, intents);
    if talk.turn() != side || situation.tick < talk.next_line_tick {
        return Ok(());
    }
    if talk.lines.is_empty() && walk_up(situation, talk, side, intents) {
        return Ok(());
    }
    let relationship = relationship(resident, situation.now, situation.phrases, other, asker).await?;
    let is_thing = |subject: &str| situation.world.find(subject).is_some();
    let topics = topics(resident, situation.now, &talk.lines, other, &is_thing, asker).await?;
    let rest_of_day = match &resident.life.day {
        Some(day) => {
            let now = situation.now.minute_of_day();
            day.hours
                .entries()
                .iter()
                .filter(|e| e.end() > now)
                .cloned()
                .collect()
        }
        None => Vec::new(),
    };
    let answered = resident
        .life
        .people
        .get(other)
        .map_or(&[][..], |person| &person.answered);
    let task = NextLine {
        who: &resident.life.identity,
        listener: other,
        now: situation.now,
        place: &place_words(situation),
        doing: &talking.interrupted,
        listener_doing: &talking.other_doing,
        relationship: &relationship,
        topics: &topics,
        lines: &talk.lines,
        lines_left: talk.lines_left(),
        plan: &rest_of_day,
        appointments: &resident.life.appointments,
        answered,
        called_off: &resident.life.called_off,
    };
    let said = asker.ask(&task).await?;
    let mut tells: Vec<(MemoryId, Arc<str>)> = Vec::new();
    for topic in said.tells.iter().filter_map(|index| topics.get(*index)) {
        if tells.iter().all(|(id, _)| *id != topic.recalled.id) {
            tells.push((topic.recalled.id, topic.as_told(situation.now)));
        }
    }
    let line = Line {
        speaker: resident.life.identity.name.clone(),
        text: said.text.into(),
        tells,
        decision: said.decision,
    };
    intents.talk = Some(TalkIntent::Say {
        talk: talk.id,
        line,
        ends: said.ends,
    });
    Ok(())
}

fn show_talking(resident: &Resident, situation: &Situation<'_>, other: &Arc<str>, intents: &mut Intents) {
    let activity = situation.phrases.talking_with(other);
    super::act::show(
        situation,
        intents,
        Showing {
            status: Status::Talking,
            triple: Triple::new(
                resident.life.identity.name.clone(),
                "talk with",
                Arc::clone(other),
            ),
            activity: activity.into(),
            emoji: "💬".into(),
            place: situation.me.showing.place,
            uses: None,
            ends: situation.now,
        },
    );
}

/// Steps towards the other if they are too far away to talk; whether it did.
fn walk_up(situation: &Situation<'_>, talk: &Talk, side: usize, intents: &mut Intents) -> bool {
    let other = talk.between[1 - side];
    let there = situation.sight.iter().find_map(|sighting| match sighting {
        Sighting::Person { id, body, .. } if *id == other => Some(body.tile),
        _ => None,
    });
    let Some(there) = there.filter(|there| there.chebyshev(situation.me.tile) > TALKING_DISTANCE) else {
        return false;
    };
    let beside: Vec<_> = there
        .neighbours()
        .chain([there])
        .filter(|t| situation.world.walkable(*t))
        .collect();
    let step = situation
        .world
        .path(situation.me.tile, &beside)
        .and_then(|path| path.first().copied());
    intents.step = step;
    step.is_some()
}

/// What the resident makes of the other; asked anew only when there is more to go by.
///
/// # Errors
/// If the mind or the embedder cannot answer.
pub async fn relationship(
    resident: &mut Resident,
    now: GameTime,
    phrases: &Phrases,
    other: &Arc<str>,
    asker: &Asker<'_>,
) -> Result<String, Halted> {
    let memories = resident.memories_about(other);
    let known = resident
        .life
        .people
        .get(other)
        .and_then(|person| person.summary.as_ref());
    if let Some((summary, then)) = known
        && memories < then + then / 4 + 3
    {
        return Ok(summary.clone());
    }
    let me = resident.life.identity.name.clone();
    let questions = phrases.questions_about(&me, other);
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    let recalled = recall_all(resident, now, asker, &questions, RECALLED).await?;
    let mut about = facts_about(resident, other);
    for memory in recalled
        .into_iter()
        .filter(|m| m.text.contains(&**other) || m.subject == *other)
    {
        if about.iter().all(|m| m.id != memory.id) {
            about.push(memory);
        }
    }
    let task = Relationship {
        who: &resident.life.identity,
        other,
        recalled: &about,
        talks: resident.talks_with(other),
    };
    let summary = asker.ask(&task).await?.text;
    resident.life.people.entry(other.clone()).or_default().summary = Some((summary.clone(), memories));
    Ok(summary)
}

/// What comes to mind for this listener and what was just said; what would be news to them first.
/// `is_thing` tells subjects that are things from people.
///
/// # Errors
/// If the embedder cannot answer.
pub async fn topics(
    resident: &mut Resident,
    now: GameTime,
    lines: &[Line],
    other: &Arc<str>,
    is_thing: &(dyn Fn(&str) -> bool + Sync),
    asker: &Asker<'_>,
) -> Result<Vec<Topic>, Halted> {
    let mut questions: Vec<&str> = vec![other];
    if let Some(last) = lines.last() {
        questions.push(&last.text);
    }
    let mut recalled = news_for(resident, other, now);
    let ranked = recall_all(resident, now, asker, &questions, RECALLED).await?;
    for memory in ranked.into_iter().chain(facts_about(resident, other)) {
        if recalled.iter().all(|m| m.id != memory.id) {
            recalled.push(memory);
        }
    }
    // Whoever speaks of an appointment that was moved knows to when.
    let appointments = resident.life.appointments.iter();
    for id in appointments.filter_map(|appointment| appointment.memory) {
        let change =
            super::remember::recalled(resident, id).filter(|memory| is_of_change(&Words::new(&memory.text)));
        recalled.extend(change.filter(|change| recalled.iter().all(|m| m.id != change.id)));
    }
    let person = resident.life.people.get(other);
    let told_here = |id| {
        lines.iter().any(|line| {
            line.speaker == resident.life.identity.name && line.tells.iter().any(|(told, _)| *told == id)
        })
    };
    let heard_here = |memory: &Recalled| {
        let text = retold(&memory.text, memory.created, now);
        lines
            .iter()
            .any(|line| line.speaker == *other && line.tells.iter().any(|(_, told)| **told == *text))
    };
    // What people are seen doing is no news to anybody who lives with them.
    let is_sighting = |id| {
        resident.stream.get(id).is_some_and(|memory| {
            memory.kind == MemoryKind::Observation
                && memory.hearsay.is_none()
                && &*memory.triple.predicate != KNOWS
                && !is_thing(&memory.triple.subject)
        })
    };
    let topic = |recalled: Recalled| {
        let shared = is_sighting(recalled.id)
            || person.is_some_and(|p| p.shared.contains(&recalled.id))
            || told_here(recalled.id)
            || heard_here(&recalled);
        Topic { recalled, shared }
    };
    Ok(recalled.into_iter().map(topic).collect())
}

/// Keeps what is worth keeping of a talk that has ended.
pub(crate) async fn keep(
    resident: &mut Resident,
    situation: &Situation<'_>,
    talk: &Talk,
    asker: &Asker<'_>,
    intents: &mut Intents,
) -> Result<(), Halted> {
    let Some(side) = talk.side(resident.id) else {
        return Ok(());
    };
    let other = talk.names[1 - side].clone();
    let now = situation.now;
    resident.life.talking = None;
    if talk.lines.is_empty() {
        return Ok(());
    }
    let me = resident.life.identity.name.clone();
    // Asked by one or by ten, an occasion is declined once; what was settled before this talk counts.
    let people = resident.life.people.values();
    let settled: Vec<Occasion> = people
        .flat_map(|person| person.answered.iter().cloned())
        .collect();
    let is_settled = |o: &Occasion| settled.iter().any(|s| (s.date, s.start) == (o.date, o.start));
    let heard = Heard {
        other: &other,
        lines: &talk.lines,
        talk: Some(talk.id),
        place: situation.world.spot(situation.me.tile).arena,
    };
    let Kept {
        talk: talk_memory,
        facts,
        planning,
        agreed,
    } = keep_in_mind(resident, now, heard, asker, &mut intents.journal).await?;
    let own_lines = talk.lines.iter().filter(|line| line.speaker == me);
    for decision in own_lines
        .filter_map(|line| line.decision.as_ref())
        .filter(|d| !d.accept)
    {
        if let Some(occasion) = decision.occasion.as_ref().filter(|o| !is_settled(o)) {
            let appointment = Appointment {
                occasion: occasion.clone(),
                place: None,
                memory: Some(talk_memory),
            };
            let reason = decision.reason.clone();
            intents.journal.appointments.push(AppointmentNote {
                appointment,
                stood: None,
                stance: Stance::Declined,
                reason,
            });
        }
    }
    for id in &facts {
        plan::rearrange(resident, situation, intents, *id);
    }
    for occasion in agreed {
        let stance = if occasion.host.as_deref() == Some(&*me) {
            Stance::Own
        } else {
            Stance::Accepted
        };
        let memory = planning.unwrap_or(talk_memory);
        plan::attend(
            resident,
            situation,
            asker,
            intents,
            occasion,
            stance,
            Some(memory),
        )
        .await?;
    }
    for id in facts {
        plan::rearrange(resident, situation, intents, id);
        news_may_change_plans(resident, situation, asker, intents, id).await?;
    }
    Ok(())
}

/// A talk that is over, as one of the two heard it.
pub struct Heard<'a> {
    /// With whom it was.
    pub other: &'a Arc<str>,
    /// What was said, never empty.
    pub lines: &'a [Line],
    /// Which conversation of the town it was.
    pub talk: Option<ConversationId>,
    /// Where it was.
    pub place: Option<PlaceId>,
}

/// What was kept of a talk.
pub struct Kept {
    /// The memory of the talk itself.
    pub talk: MemoryId,
    /// The memories of what was heard in it and not known before.
    pub facts: Vec<MemoryId>,
    /// The memory of what it means for the resident's plans.
    pub planning: Option<MemoryId>,
    /// What the resident agreed to attend.
    pub agreed: Vec<Occasion>,
}

/// Remembers a talk: what it was about, what was heard in it, and, with the talk as evidence, a note for
/// planning and a memo (2023 code: `reflect.py`).
///
/// # Errors
/// If the mind or the embedder cannot answer.
pub async fn keep_in_mind(
    resident: &mut Resident,
    now: GameTime,
    Heard {
        other,
        lines,
        talk,
        place,
    }: Heard<'_>,
    asker: &Asker<'_>,
    journal: &mut Journal,
) -> Result<Kept, Halted> {
    let who = &resident.life.identity;
    let me = who.name.clone();
    let summary = ConversationSummary { who, other, lines };
    let after = AfterTalk {
        who,
        other,
        now,
        lines,
    };
    let (summary, notes) = join!(asker.ask(&summary), asker.ask(&after));
    let (summary, notes) = (summary?, notes?);

    // The talk itself comes first; what follows from it names it as evidence.
    let talk_memory = MemoryId::from_index(resident.stream.len().try_into().unwrap_or(u32::MAX));
    let triple = Triple::new(me.clone(), "talk with", other.clone());
    let mut memories = vec![Note::new(MemoryKind::Conversation, triple, summary.text)];
    let heard = what_was_heard(resident, now, lines, other);
    for (source, text) in &heard {
        let mut note = Note::new(
            MemoryKind::Observation,
            subject_of(resident, text, other),
            text.clone(),
        );
        note.hearsay = Some(Hearsay {
            teller: other.clone(),
            memory: *source,
        });
        note.evidence = vec![talk_memory];
        memories.push(note);
    }
    // Whoever does without planning or reflection keeps neither's notes.
    let settings = &resident.settings;
    let plans = notes.planning.filter(|_| settings.planning);
    let memo = notes.memo.filter(|_| settings.reflection);
    let planning = plans.is_some();
    for (kind, predicate, text) in [
        (MemoryKind::Plan, "plan", plans),
        (MemoryKind::Reflection, "note", memo),
    ] {
        let Some(text) = text else { continue };
        let mut note = Note::new(kind, Triple::new(me.clone(), predicate, other.clone()), text);
        note.evidence = vec![talk_memory];
        note.expires = Some(now + THOUGHT_LASTS);
        memories.push(note);
    }
    for note in &mut memories {
        note.conversation = talk;
        note.place = place;
    }
    let ids = remember(resident, now, asker, journal, memories).await?;
    let facts = ids[1..=heard.len()].to_vec();
    let planning = planning.then(|| ids[heard.len() + 1]);

    let person = resident.life.people.entry(other.clone()).or_default();
    person.talks += 1;
    person.last_talk = Some(now);
    person.shared.extend(&facts);
    let answers = lines
        .iter()
        .filter_map(|line| line.decision.as_ref()?.occasion.clone());
    person.answered.extend(answers);
    let own_lines = lines.iter().filter(|line| line.speaker == me);
    person
        .shared
        .extend(own_lines.flat_map(|line| line.tells.iter().map(|(id, _)| *id)));
    Ok(Kept {
        talk: talk_memory,
        facts,
        planning,
        agreed: notes.agreed,
    })
}

/// What was heard and not known before: the teller's memory and its words.
fn what_was_heard(
    resident: &Resident,
    now: GameTime,
    lines: &[Line],
    other: &Arc<str>,
) -> Vec<(MemoryId, Arc<str>)> {
    let is_told = |memory: &Memory| memory.hearsay.is_some() || &*memory.triple.predicate == KNOWS;
    let says = |memory: &Memory, text: &str| {
        *memory.text == *text || is_told(memory) && *retold(&memory.text, memory.created, now) == *text
    };
    let mut heard: Vec<(MemoryId, Arc<str>)> = Vec::new();
    for (source, text) in lines
        .iter()
        .filter(|l| l.speaker == *other)
        .flat_map(|l| &l.tells)
    {
        let known = resident.stream.iter().any(|memory| says(memory, text));
        if !known && heard.iter().all(|(_, t)| t != text) {
            heard.push((*source, text.clone()));
        }
    }
    heard
}

/// A told fact as a triple: about whomever the resident knows that it names first, else the teller.
fn subject_of(resident: &Resident, text: &str, teller: &Arc<str>) -> Triple {
    let named = resident
        .life
        .people
        .keys()
        .filter_map(|name| Some((text.find(&**name)?, name)))
        .min();
    let subject = named.map_or(teller, |(_, name)| name);
    Triple::new(subject.clone(), "tell", teller.clone())
}

/// Lets something heard move or drop what is planned for today, if it matters, says what the resident is to
/// do, or is about a place that is still to be visited.
pub(crate) async fn news_may_change_plans(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
    id: MemoryId,
) -> Result<(), Halted> {
    let matters = resident.stream.get(id).is_some_and(|memory| {
        memory.importance >= MAY_CHANGE_PLANS || speaks_of_what_is_to_come(resident, situation, &memory.text)
    });
    if matters {
        plan::heed(resident, situation, asker, intents, id).await?;
    }
    Ok(())
}

/// Whether a text says what the resident is to do today, or speaks of a place that the rest of today's plan
/// leads to.
fn speaks_of_what_is_to_come(resident: &Resident, situation: &Situation<'_>, text: &str) -> bool {
    let Some(day) = &resident.life.day else {
        return false;
    };
    let places = known_places(resident, situation);
    let notice = Notice::of(text, &resident.life.identity, situation.now, &places);
    let is_to = |notice: &Notice| matches!(notice.says, Says::Meant { .. }) && notice.is_for(day.date);
    let names = names_of(text, &places);
    let now = situation.now.minute_of_day();
    let to_come = day.hours.entries().iter().filter(|entry| entry.end() > now);
    let mut activities = to_come.map(|entry| entry.activity.to_lowercase());
    notice.as_ref().is_some_and(is_to)
        || activities.any(|activity| names.iter().any(|name| find(&activity, name).is_some()))
}

/// What a line states, as statements about its speaker and listener by name: what can be passed on.
/// Questions state nothing.
pub fn statements_of(phrases: &Phrases, line: &str, speaker: &str, listener: &str) -> Vec<String> {
    let statements = phrases.statements(line).into_iter();
    statements
        .filter(|statement| !statement.ends_with(['?', '？']))
        .map(|statement| speech::unclosed_report(&speech::advice(&statement, listener), speaker, listener))
        .filter(|statement| statement.split_whitespace().count() > 2 || !statement.is_ascii())
        .collect()
}

fn place_words(situation: &Situation<'_>) -> String {
    let world = situation.world;
    let spot = world.spot(situation.me.tile);
    match spot.sector {
        Some(sector) => world.place(sector).name.clone(),
        None => situation.phrases.street.clone(),
    }
}

/// What the other is seen doing; nothing if it is out of sight.
fn doing_of(situation: &Situation<'_>, other: &Arc<str>) -> Arc<str> {
    let seen = situation.sight.iter().find_map(|sighting| match sighting {
        Sighting::Person { name, body, .. } if *name == other => Some(body.showing.activity.clone()),
        _ => None,
    });
    seen.unwrap_or_default()
}
