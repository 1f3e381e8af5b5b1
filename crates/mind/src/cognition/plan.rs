//! Planning: the day when it begins, its stretches when they come, its rest when something changes.
//!
//! A day is planned whole or not at all: everything is asked first, then put in place at once.

use std::sync::Arc;

use futures_util::future::join_all;
use futures_util::join;
use townsfolk_memory::{MemoryId, MemoryKind, Triple};
use townsfolk_time::{Date, GameTime};
use townsfolk_world::PlaceKind;

use super::act;
use super::intents::{AppointmentNote, Intents, PlanChange, Stance};
use super::places::{choices, known_places, known_sectors, named, to_sleep};
use super::reflect::THOUGHT_LASTS;
use super::remember::{KNOWS, Note, recall_all, remember};
use super::resident::{Day, Doing, Resident};
use super::situation::{Showing, Situation, Status};
use crate::asker::{Asker, Halted};
use crate::phrases::fill;
use crate::routine::days::speaks_of;
use crate::routine::notices::{Becomes, Notice, is_of_change};
use crate::routine::text::Words;
use crate::routine::when::occasion;
use crate::tasks::{
    ActionDetails, Appointment, ChoosePlace, DayPlan, Decompose, HourlySchedule, Occasion, Recalled,
    ReviseIdentity, ReviseSchedule, WakeUp,
};
use crate::{Entry, Schedule};

/// Importance of a plan in memory (2023 code: 5).
const PLAN_IMPORTANCE: u8 = 5;
/// Stretches shorter than this, in minutes, are not decomposed.
const DECOMPOSE_FROM: u16 = 20;
/// What begins within so many minutes is decomposed in advance (2023 code: the hour at hand and the next).
const DECOMPOSE_AHEAD: u16 = 120;
/// What begins from this minute on is not decomposed (2023 code: 23 h).
const NIGHT: u16 = 23 * 60;

/// Plans the day unless it is planned; whether it had to be.
pub(crate) async fn begin_day(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
) -> Result<bool, Halted> {
    let date = situation.now.date();
    if resident.life.day.as_ref().is_some_and(|day| day.date == date) {
        return Ok(false);
    }
    let name = resident.life.identity.name.clone();
    let date_words = situation.phrases.date(date);
    let values: &[(&str, &str)] = &[("name", &name), ("date", &date_words)];
    let questions = [
        fill(&situation.phrases.ask_plans, values),
        fill(&situation.phrases.ask_recent, values),
    ];
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    let count = resident.settings.recall;
    let recalled = if resident.settings.planning {
        let mut recalled = recall_all(resident, situation.now, asker, &questions, count).await?;
        recall_notices(resident, situation, date, &mut recalled);
        recalled
    } else {
        Vec::new()
    };

    let wake = if resident.life.day.is_some() && resident.settings.planning {
        let who = &resident.life.identity;
        let (revise, wake) = (
            ReviseIdentity {
                who,
                date,
                recalled: &recalled,
            },
            WakeUp { who, date },
        );
        // Both are waited for, so that no reply that was paid for is lost where one halts.
        let (current, wake) = join!(asker.ask(&revise), asker.ask(&wake));
        let (current, wake) = (current?, wake?);
        intents.journal.revised_identity = current.text != resident.life.identity.current;
        resident.life.identity.current = current.text;
        wake.minute
    } else {
        asker
            .ask(&WakeUp {
                who: &resident.life.identity,
                date,
            })
            .await?
            .minute
    };
    let day = plan_day(resident, situation, date, wake, &recalled, asker).await?;

    resident.life.appointments.retain(|a| a.occasion.date >= date);
    resident.life.called_off.retain(|occasion| occasion.date >= date);
    intents.journal.plan = Some(PlanChange { cause: None });
    if !resident.settings.planning {
        resident.life.day = Some(day);
        return Ok(true);
    }
    let strokes: Vec<String> = day
        .strokes
        .iter()
        .map(|s| situation.phrases.stroke(&s.activity, s.start))
        .collect();
    let strokes = strokes.join(", ");
    let text = fill(
        &situation.phrases.plan,
        &[("name", &name), ("date", &date_words), ("strokes", &strokes)],
    );
    let mut note = Note::new(MemoryKind::Plan, Triple::new(name, "plan", date_words), text);
    note.importance = Some(PLAN_IMPORTANCE);
    note.expires = Some(situation.now + THOUGHT_LASTS);
    remember(resident, situation.now, asker, &mut intents.journal, vec![note]).await?;

    resident.life.day = Some(day);
    Ok(true)
}

/// Adds what the resident knows or was told about `date`: what is closed, off or moved then, or what it is
/// to do, which a plan has to reckon with however long ago it was said.
fn recall_notices(resident: &Resident, situation: &Situation<'_>, date: Date, recalled: &mut Vec<Recalled>) {
    if !resident.settings.memory {
        return;
    }
    let places = known_places(resident, situation);
    let life = &resident.life;
    let ahead = |memory: &&townsfolk_memory::Memory| {
        let told = memory.hearsay.is_some() || *memory.triple.predicate == *KNOWS;
        memory.kind == MemoryKind::Observation
            && told
            && Notice::of(&memory.text, &life.identity, memory.created, &places)
                .is_some_and(|notice| speaks_of(&notice, date, memory.created.date(), &life.appointments))
    };
    for memory in resident.stream.iter().filter(ahead) {
        if recalled.iter().all(|known| known.id != memory.id) {
            recalled.extend(super::remember::recalled(resident, memory.id));
        }
    }
}

async fn plan_day(
    resident: &Resident,
    situation: &Situation<'_>,
    date: Date,
    wake: u16,
    recalled: &[Recalled],
    asker: &Asker<'_>,
) -> Result<Day, Halted> {
    let who = &resident.life.identity;
    let appointments: Vec<Appointment> = resident
        .life
        .appointments
        .iter()
        .filter(|a| a.occasion.date == date && resident.settings.planning)
        .cloned()
        .collect();
    let plan = DayPlan {
        who,
        date,
        wake,
        appointments: &appointments,
        recalled,
        known_places: &known_sectors(resident, situation),
        places: &known_places(resident, situation),
    };
    let strokes = asker.ask(&plan).await?.strokes;
    let hours = asker
        .ask(&HourlySchedule {
            plan: &plan,
            strokes: &strokes,
        })
        .await?;
    let hours = schedule(hours.entries())?;
    Ok(Day {
        date,
        wake,
        strokes,
        steps: hours.clone(),
        hours,
    })
}

/// Goes on with what is being done, or begins what the plan has next.
pub(crate) async fn keep_acting(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
) -> Result<(), Halted> {
    let now = situation.now;
    let Some(day) = &resident.life.day else {
        return Ok(());
    };
    let (date, minute) = (day.date, now.minute_of_day());
    let entry = day.steps.at(minute).clone();
    if let Some(doing) = &mut resident.life.doing {
        let same = doing.entry == (date, entry.start, entry.activity.clone());
        if same && now < doing.until {
            return Ok(());
        }
        if doing.asleep && entry.asleep {
            // Sleep goes on past midnight without another thought.
            doing.until = GameTime::at(date, entry.end());
            doing.entry = (date, entry.start, entry.activity);
            doing.showing.ends = doing.until;
            return Ok(());
        }
    }
    let entry = decompose(resident, entry, now, asker, intents).await?;
    begin(resident, situation, entry, asker, intents).await
}

/// Decomposes what the next two hours hold and is not decomposed yet, all asked together, and returns
/// what is to be done now. Not at night: neither sleep nor what begins then.
async fn decompose(
    resident: &mut Resident,
    entry: Entry,
    now: GameTime,
    asker: &Asker<'_>,
    intents: &mut Intents,
) -> Result<Entry, Halted> {
    let Some(day) = &resident.life.day else {
        return Ok(entry);
    };
    let minute = now.minute_of_day();
    let entries = day.steps.entries();
    let tasks: Vec<Decompose<'_>> = (day.steps.index_at(minute)..entries.len())
        .take_while(|index| entries[*index].start < minute.saturating_add(DECOMPOSE_AHEAD))
        .filter(|index| is_coarse(&entries[*index]))
        .map(|index| Decompose {
            who: &resident.life.identity,
            date: day.date,
            entry: &entries[index],
            before: index.checked_sub(1).and_then(|i| entries.get(i)),
            after: entries.get(index + 1),
            reuse: resident.settings.reuse_routine,
        })
        .collect();
    let answers = join_all(tasks.iter().map(|task| asker.ask(task))).await;
    let answers: Vec<_> = answers.into_iter().collect::<Result<_, _>>()?;
    let mut steps = Vec::new();
    for (task, answer) in tasks.iter().zip(answers) {
        let mut start = task.entry.start;
        for step in answer.steps {
            let activity: Arc<str> = step.activity.into();
            steps.push(Entry {
                start,
                minutes: step.minutes,
                activity,
                asleep: false,
                cause: task.entry.cause,
                step: true,
            });
            start += step.minutes;
        }
    }
    drop(tasks);
    let Some(day) = &mut resident.life.day else {
        return Ok(entry);
    };
    for step in &steps {
        day.steps.splice(vec![step.clone()]).map_err(|e| Halted {
            reason: e.to_string(),
        })?;
    }
    intents.journal.steps.extend(steps);
    Ok(day.steps.at(minute).clone())
}

/// Whether a stretch is one to be decomposed.
fn is_coarse(entry: &Entry) -> bool {
    !entry.step && !entry.asleep && entry.minutes >= DECOMPOSE_FROM && entry.start < NIGHT
}

/// Begins what the plan has now: where, how it shows, and the way there.
async fn begin(
    resident: &mut Resident,
    situation: &Situation<'_>,
    entry: Entry,
    asker: &Asker<'_>,
    intents: &mut Intents,
) -> Result<(), Halted> {
    let now = situation.now;
    let Some(day) = &resident.life.day else {
        return Ok(());
    };
    let date = day.date;
    let within = day.hours.at(entry.start).activity.clone();
    let known = choices(resident, situation);
    let choices = if entry.asleep { to_sleep(known) } else { known };
    let who = &resident.life.identity;
    let task = ChoosePlace {
        who,
        activity: &entry.activity,
        within: &within,
        asleep: entry.asleep,
        choices: &choices,
    };
    let place = asker.ask(&task).await?.place;
    let chosen = situation.world.place(place);
    let object = (chosen.kind == PlaceKind::Object).then_some(chosen.name.as_str());
    let details = ActionDetails {
        who,
        activity: &entry.activity,
        asleep: entry.asleep,
        object,
    };
    let details = asker.ask(&details).await?;

    let until = GameTime::at(date, entry.end());
    let showing = Showing {
        status: if entry.asleep {
            Status::Asleep
        } else {
            Status::Doing
        },
        activity: entry.activity.clone(),
        emoji: details.emoji.into(),
        triple: Triple::new(who.name.clone(), details.predicate, details.object),
        place: Some(place),
        uses: object
            .and(details.object_state)
            .map(|state| (place, state.into())),
        ends: until,
    };
    resident.life.doing = Some(Doing {
        since: now,
        until,
        entry: (date, entry.start, entry.activity),
        asleep: entry.asleep,
        showing,
        place: Some(place),
        gave_way: false,
        moved_over: false,
    });
    resident.life.waiting = None;
    act::set_out(resident, situation, place, intents);
    Ok(())
}

/// Takes something new into today's plan, from now on.
pub(crate) async fn revise(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
    change: Change<'_>,
) -> Result<(), Halted> {
    let Some(day) = resident.life.day.as_ref().filter(|_| resident.settings.planning) else {
        return Ok(());
    };
    let now = situation.now.minute_of_day();
    let task = ReviseSchedule {
        who: &resident.life.identity,
        date: day.date,
        now,
        plan: &day.hours,
        new: change.new.as_ref(),
        reason: change.reason,
        cause: change.cause,
        places: &known_places(resident, situation),
    };
    let rest = asker.ask(&task).await?.entries();
    let mut hours = day.hours.clone();
    hours.splice(rest.clone()).map_err(|e| Halted {
        reason: e.to_string(),
    })?;
    if same_activities(&hours, &day.hours) {
        return Ok(());
    }
    let Some(day) = &mut resident.life.day else {
        return Ok(());
    };
    day.steps.splice(rest).map_err(|e| Halted {
        reason: e.to_string(),
    })?;
    day.hours = hours;
    intents.journal.plan = Some(PlanChange { cause: change.cause });
    Ok(())
}

/// Lets a memory move or drop what is planned for today.
pub(crate) async fn heed(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
    id: MemoryId,
) -> Result<(), Halted> {
    let Some(reason) = resident.stream.get(id).map(|memory| memory.text.clone()) else {
        return Ok(());
    };
    let change = Change {
        new: None,
        reason: &reason,
        cause: Some(id),
    };
    revise(resident, situation, asker, intents, change).await
}

/// A change to today's plan.
pub(crate) struct Change<'a> {
    /// What must stand in it; none where something heard may only move or drop what is there.
    pub(crate) new: Option<Entry>,
    /// Why, in words: what was heard, seen or agreed.
    pub(crate) reason: &'a str,
    /// The memory behind it.
    pub(crate) cause: Option<MemoryId>,
}

/// Whether two schedules say the same at every minute, however they are cut.
fn same_activities(a: &Schedule, b: &Schedule) -> bool {
    (0..townsfolk_time::DAY_MINUTES).all(|minute| a.at(minute).activity == b.at(minute).activity)
}

/// Means to attend an occasion from now on; if it is today, the rest of the day makes room for it.
pub(crate) async fn attend(
    resident: &mut Resident,
    situation: &Situation<'_>,
    asker: &Asker<'_>,
    intents: &mut Intents,
    occasion: Occasion,
    stance: Stance,
    memory: Option<MemoryId>,
) -> Result<(), Halted> {
    let same = |a: &Appointment| a.occasion.date == occasion.date && a.occasion.start == occasion.start;
    if resident.life.appointments.iter().any(same) {
        return Ok(());
    }
    let words = occasion.place.clone().unwrap_or_else(|| occasion.what.clone());
    let place = named(resident, situation, &words);
    let appointment = Appointment {
        occasion,
        place,
        memory,
    };
    intents.journal.appointments.push(AppointmentNote {
        appointment: appointment.clone(),
        stood: None,
        stance,
        reason: String::new(),
    });
    let occasion = appointment.occasion.clone();
    resident.life.appointments.push(appointment);
    resident
        .life
        .appointments
        .sort_by_key(|a| (a.occasion.date, a.occasion.start));

    let now = situation.now;
    let begins = GameTime::at(occasion.date, occasion.start);
    if occasion.date != now.date() || begins < now || resident.life.day.is_none() {
        return Ok(());
    }
    let hosts = occasion.host.as_deref() == Some(&*resident.life.identity.name);
    let template = match (hosts, occasion.place.is_some()) {
        (true, true) => &situation.phrases.hosting_at,
        (true, false) => &situation.phrases.hosting,
        (false, true) => &situation.phrases.attending_at,
        (false, false) => &situation.phrases.attending,
    };
    let place = occasion.place.as_deref().unwrap_or_default();
    let phrases = situation.phrases;
    let what = match &occasion.host {
        Some(host) if !hosts && !occasion.what.contains(host.as_str()) => {
            fill(&phrases.whose, &[("host", host), ("what", &occasion.what)])
        }
        _ => phrases.the(&occasion.what),
    };
    let activity = fill(template, &[("what", &what), ("place", place)]);
    let minutes = occasion.minutes.min(townsfolk_time::DAY_MINUTES - occasion.start);
    let new = Entry {
        start: occasion.start,
        minutes,
        activity: activity.as_str().into(),
        asleep: false,
        cause: memory,
        step: false,
    };
    let change = Change {
        new: Some(new),
        reason: &activity,
        cause: memory,
    };
    revise(resident, situation, asker, intents, change).await
}

/// Lets what the resident has heard move or call off what it means to attend, and keeps in mind what does not take
/// place.
pub(crate) fn rearrange(
    resident: &mut Resident,
    situation: &Situation<'_>,
    intents: &mut Intents,
    id: MemoryId,
) {
    let Some(memory) = resident.stream.get(id) else {
        return;
    };
    if !is_of_change(&Words::new(&memory.text)) {
        return;
    }
    let (reason, said) = (memory.text.to_string(), memory.created);
    let places = known_places(resident, situation);
    let Some(notice) = Notice::of(&reason, &resident.life.identity, said, &places) else {
        return;
    };
    let life = &mut resident.life;
    let me = life.identity.name.clone();
    let mut off = Vec::new();
    for appointment in &mut life.appointments {
        let occasion = &mut appointment.occasion;
        let stood = GameTime::at(occasion.date, occasion.start);
        let hosts = occasion.host.as_deref() == Some(&*me);
        let stance = match notice.becomes_of(&occasion.what, occasion.date) {
            Some(Becomes::CalledOff) => {
                off.push(occasion.clone());
                Stance::Declined
            }
            // It was agreed to at that time, of which this memory tells whom it is told to.
            Some(Becomes::Moved { to, .. }) if to == occasion.start => {
                appointment.memory = Some(id);
                continue;
            }
            Some(Becomes::Moved { stood, to }) if stood.is_none_or(|stood| stood == occasion.start) => {
                occasion.start = to;
                if hosts { Stance::Own } else { Stance::Accepted }
            }
            _ => continue,
        };
        appointment.memory = Some(id);
        intents.journal.appointments.push(AppointmentNote {
            appointment: appointment.clone(),
            stood: Some(stood),
            stance,
            reason: reason.clone(),
        });
    }
    life.appointments
        .retain(|appointment| !off.contains(&appointment.occasion));
    life.appointments
        .sort_by_key(|a| (a.occasion.date, a.occasion.start));
    // Whoever only heard of it does not go either.
    let told = resident.stream.iter();
    let told = told.filter(|memory| memory.hearsay.is_some() || *memory.triple.predicate == *KNOWS);
    let known = told.filter_map(|memory| occasion(&memory.text, memory.created));
    let is_off = |occasion: &Occasion| {
        occasion.date >= said.date()
            && notice.becomes_of(&occasion.what, occasion.date) == Some(Becomes::CalledOff)
    };
    off.extend(known.filter(is_off));
    for occasion in off {
        if !resident.life.called_off.contains(&occasion) {
            resident.life.called_off.push(occasion);
        }
    }
}

pub(crate) fn schedule(entries: Vec<Entry>) -> Result<Schedule, Halted> {
    Schedule::new(entries).map_err(|e| Halted {
        reason: e.to_string(),
    })
}
