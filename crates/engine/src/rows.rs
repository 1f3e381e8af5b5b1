//! From what happened to rows of the run file, and back to memories.

use townsfolk_memory::{Hearsay, Memory, MemoryId};
use townsfolk_mind::cognition::{
    AppointmentNote, ConversationId, Day, Resident, Showing, Stance, Status, Talk,
};
use townsfolk_mind::tasks::Line;
use townsfolk_mind::{Entry, ResidentId, TaskRecord};
use townsfolk_record::{self as record, memory_id};
use townsfolk_store as store;
use townsfolk_store::TickRows;
use townsfolk_time::GameTime;
use townsfolk_town::Town;
use townsfolk_world::{PlaceId, PlaceKind, Tile};

use crate::engine::{Engine, Thought};
use crate::input::Written;
use crate::minds::Minds;
use crate::people::Person;

fn resident(id: ResidentId) -> store::ResidentId {
    id.0.into()
}

fn place(id: PlaceId) -> store::PlaceId {
    id.index() as store::PlaceId
}

pub(crate) fn position(who: ResidentId, tile: Tile) -> store::MoveRow {
    store::MoveRow {
        resident: resident(who),
        x: tile.x,
        y: tile.y,
    }
}

pub(crate) fn action(who: ResidentId, showing: &Showing) -> store::ActionRow {
    store::ActionRow {
        resident: resident(who),
        activity: showing.activity.to_string(),
        place: showing.place.map(place),
        emoji: showing.emoji.to_string(),
        subject: showing.triple.subject.to_string(),
        predicate: showing.triple.predicate.to_string(),
        object: showing.triple.object.to_string(),
        status: match showing.status {
            Status::Asleep => store::ActionStatus::Asleep,
            Status::Walking => store::ActionStatus::Walking,
            Status::Doing => store::ActionStatus::Doing,
            Status::Talking => store::ActionStatus::Talking,
            Status::Waiting => store::ActionStatus::Waiting,
        },
        ends: Some(showing.ends.seconds()),
    }
}

pub(crate) fn object_state(object: PlaceId, state: String, by: Option<ResidentId>) -> store::ObjectStateRow {
    store::ObjectStateRow {
        place: place(object),
        state,
        by: by.map(resident),
    }
}

pub(crate) fn conversation(talk: &Talk, at: Option<PlaceId>) -> store::ConversationRow {
    let [a, b] = talk.between.map(resident);
    store::ConversationRow {
        id: talk.id.0,
        a,
        b,
        place: at.map(place),
    }
}

pub(crate) fn conversation_end(talk: ConversationId, reason: &str) -> store::ConversationEnd {
    store::ConversationEnd {
        conversation: talk.0,
        reason: reason.to_owned(),
    }
}

pub(crate) fn line(talk: &Talk, speaker: ResidentId, line: &Line) -> store::LineRow {
    let tells: Vec<MemoryId> = line.tells.iter().map(|(id, _)| *id).collect();
    store::LineRow {
        conversation: talk.id.0,
        turn: talk.lines.len() as u32,
        speaker: resident(speaker),
        text: line.text.to_string(),
        tells: json(&tells),
        decision: json(&line.decision),
    }
}

/// What happened inside one resident.
pub(crate) fn journal(engine: &mut Engine, thought: Thought, rows: &mut TickRows) {
    let Thought {
        who,
        intents,
        records,
    } = thought;
    let journal = intents.journal;
    let resident_id = resident(who);
    let me = &engine.residents[who.index()];
    let people = &engine.people;
    for (id, conversation, at) in journal.memories {
        if let Some(row) = memory(people, me, id, conversation, at) {
            rows.memories.push(row);
        }
    }
    if journal.revised_identity {
        let identity = json(&me.life.identity);
        rows.identities.push(store::IdentityRow {
            resident: resident_id,
            identity,
        });
    }
    let counters = &mut engine.state.counters[who.index()];
    if let Some(day) = &me.life.day {
        if let Some(change) = journal.plan {
            if counters.plan_date == Some(day.date) {
                counters.plan_revision += 1;
            } else {
                (counters.plan_date, counters.plan_revision) = (Some(day.date), 0);
            }
            let cause_memory = change.cause.map(memory_id);
            rows.plans
                .push(plan(resident_id, day, counters.plan_revision, cause_memory));
        } else {
            rows.plan_entries
                .extend(journal.steps.iter().map(|step| store::AddedPlanEntry {
                    resident: resident_id,
                    date: day.date.to_string(),
                    revision: counters.plan_revision,
                    entry: entry(step),
                }));
        }
    }
    for note in &journal.appointments {
        // What is moved or called off keeps its number.
        let known = counters
            .begins
            .iter()
            .position(|(_, begins)| Some(*begins) == note.stood);
        let number = match known {
            Some(known) => counters.begins.swap_remove(known).0,
            None => {
                counters.appointments += 1;
                counters.appointments - 1
            }
        };
        let occasion = &note.appointment.occasion;
        if note.stance != Stance::Declined {
            let begins = GameTime::at(occasion.date, occasion.start);
            counters.begins.push((number, begins));
        }
        rows.appointments.push(appointment(people, who, number, note));
    }
    if !journal.appointments.is_empty() {
        let held = |begins: GameTime| {
            let mut appointments = me.life.appointments.iter().map(|a| &a.occasion);
            appointments.any(|occasion| GameTime::at(occasion.date, occasion.start) == begins)
        };
        counters.begins.retain(|(_, begins)| held(*begins));
    }
    for (kind, detail) in journal.notices {
        rows.notices.push(store::NoticeRow {
            resident: Some(resident_id),
            kind: kind.to_owned(),
            detail,
        });
    }
    for record in records {
        rows.tasks.push(task(Some(who), record));
    }
}

/// A question that was asked, and its answer.
pub(crate) fn task(who: Option<ResidentId>, asked: TaskRecord) -> store::TaskRow {
    record::task(who.map(resident), asked)
}

/// Something done from outside.
pub(crate) fn input(input: &Written) -> store::InputRow {
    store::InputRow {
        kind: input.kind().to_owned(),
        json: json(input),
    }
}

/// Somebody who came to town.
pub(crate) fn arrival(who: ResidentId, person: &Person) -> store::ResidentRow {
    store::ResidentRow {
        id: resident(who),
        name: person.name().to_string(),
        identity: json(&person.newcomer.identity),
        came: u32::try_from(person.came).unwrap_or(u32::MAX),
        role: person.role.as_deref().map(str::to_owned),
        left: None,
    }
}

pub(crate) fn memory(
    people: &[Person],
    me: &Resident,
    id: MemoryId,
    conversation: Option<ConversationId>,
    at: Option<PlaceId>,
) -> Option<store::MemoryRow> {
    let memory = me.stream.get(id)?;
    let vector = me.stream.vector(id).unwrap_or_default();
    Some(store::MemoryRow {
        hearsay: memory.hearsay.as_ref().and_then(|h| hearsay(people, h)),
        conversation: conversation.map(|c| c.0),
        place: at.map(place),
        ..record::memory(resident(me.id), memory, vector)
    })
}

fn hearsay(people: &[Person], hearsay: &Hearsay) -> Option<store::HearsayRow> {
    let teller = people
        .iter()
        .position(|person| *person.name() == hearsay.teller)?;
    Some(store::HearsayRow {
        teller: teller as store::ResidentId,
        memory: memory_id(hearsay.memory),
    })
}

/// A stored memory as the stream takes it back, with its vector.
pub(crate) fn recall(people: &[Person], mut row: store::MemoryRow) -> (Memory, Vec<u8>) {
    let hearsay = row.hearsay.take().and_then(|told| {
        Some(Hearsay {
            teller: people.get(told.teller as usize)?.name().clone(),
            memory: MemoryId::from_index(told.memory),
        })
    });
    record::recalled(row, hearsay)
}

fn plan(
    resident: store::ResidentId,
    day: &Day,
    revision: u32,
    cause_memory: Option<store::MemoryId>,
) -> store::PlanRow {
    let hours = day.hours.entries().iter().map(entry);
    let steps = day.steps.entries().iter().filter(|e| e.step).map(entry);
    store::PlanRow {
        resident,
        date: day.date.to_string(),
        revision,
        cause_memory,
        strokes: json(&day.strokes),
        entries: hours.chain(steps).collect(),
    }
}

fn entry(entry: &Entry) -> store::PlanEntryRow {
    store::PlanEntryRow {
        level: if entry.step {
            store::PlanLevel::Task
        } else {
            store::PlanLevel::Hour
        },
        start: entry.start,
        minutes: entry.minutes,
        activity: entry.activity.to_string(),
        place: None,
        cause_memory: entry.cause.map(memory_id),
    }
}

fn appointment(people: &[Person], who: ResidentId, id: u32, note: &AppointmentNote) -> store::AppointmentRow {
    let occasion = &note.appointment.occasion;
    let start = GameTime::at(occasion.date, occasion.start);
    let host = occasion.host.as_deref();
    let host = host.and_then(|host| people.iter().position(|person| **person.name() == *host));
    store::AppointmentRow {
        resident: resident(who),
        id,
        what: occasion.what.clone(),
        place: note.appointment.place.map(place),
        start: start.seconds(),
        end: (start + i64::from(occasion.minutes) * 60).seconds(),
        host: host.map_or(resident(who), |host| host as store::ResidentId),
        status: match note.stance {
            Stance::Own => "own",
            Stance::Accepted => "accepted",
            Stance::Declined => "declined",
        }
        .to_owned(),
        reason: note.reason.clone(),
        memory: note.appointment.memory.map(memory_id),
    }
}

/// What a new run file starts with.
pub(crate) fn new_run(
    town: &Town,
    seed: u64,
    minds: &Minds,
    version: &str,
) -> Result<store::NewRun, serde_json::Error> {
    let residents = town
        .residents
        .iter()
        .zip(0..)
        .map(|(new, id)| arrival(ResidentId(id), &Person::resident(new.clone(), 0)));
    let world = &town.world;
    let places = world.places().iter().map(|p| store::PlaceRow {
        id: place(p.id),
        parent: p.parent.map(place),
        kind: match p.kind {
            PlaceKind::World => store::PlaceKind::World,
            PlaceKind::Sector => store::PlaceKind::Sector,
            PlaceKind::Arena => store::PlaceKind::Arena,
            PlaceKind::Object => store::PlaceKind::Object,
        },
        name: p.name.clone(),
        address: world.address(p.id),
    });
    Ok(store::NewRun {
        town: town.name.clone(),
        start: town.start.seconds(),
        seconds_per_tick: town.seconds_per_tick,
        seed,
        mind: minds.name().to_owned(),
        models: minds.config.clone(),
        prompts: minds.models.as_ref().map(|plan| plan.prompts.hash().to_owned()),
        embedder: minds.vectors().0.to_owned(),
        embedding_dimensions: minds.vectors().1 as u32,
        townsfolk_version: version.to_owned(),
        parts: vec![store::TownPart {
            part: TOWN_PART.to_owned(),
            data: serde_json::to_string(town)?,
        }],
        residents: residents.collect(),
        places: places.collect(),
    })
}

/// The part of a run file that holds the whole town.
pub(crate) const TOWN_PART: &str = "town";

/// Plain data as JSON text; what cannot be written (it never happens) is null.
fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}
