//! The town at a tick, what changes from tick to tick, and the timeline.

use std::collections::BTreeMap;
use std::str::FromStr;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use townsfolk_store::{MemoryKind, RunReader, Tallied, Tick};
use townsfolk_time::GameTime;
use utoipa::IntoParams;

use super::{Answer, AtTick, known};
use crate::asked::{Asked, within};
use crate::files::moment;
use crate::frames;
use crate::look::Clock;
use crate::refusal::Refusal;
use crate::serve::Served;
use crate::wire::json;
use crate::wire::moment::{Action, Body, Frames, ObjectState, State as TownState, Talk};
use crate::wire::page::{Page, Paging};
use crate::wire::town::{Bucket, Event, EventKind, Marks};

/// The town as it was at the end of a tick.
#[utoipa::path(get, path = "/api/state", params(AtTick),
    responses((status = OK, body = TownState)))]
pub(crate) async fn state(State(served): State<Served>, Asked(at): Asked<AtTick>) -> Answer<TownState> {
    let state = served.file.look(at.tick, |look| {
        let (run, tick) = (look.run, look.tick);
        let mut actions: BTreeMap<u32, Action> = run
            .actions(tick)?
            .into_iter()
            .map(|at| (at.row.resident, Action::from(at)))
            .collect();
        let residents = run.residents()?;
        let gone = |id: u32| {
            residents
                .iter()
                .any(|row| row.id == id && row.left.is_some_and(|left| left <= tick))
        };
        let positions = run.positions(tick)?;
        let bodies = positions
            .iter()
            .filter(|at| !gone(at.row.resident))
            .map(|at| Body::new(at, actions.remove(&at.row.resident)));
        Ok(TownState {
            tick,
            time: look.now().seconds(),
            residents: bodies.collect(),
            objects: run
                .object_states(tick)?
                .into_iter()
                .map(ObjectState::from)
                .collect(),
            talks: run
                .open_conversations(tick)?
                .into_iter()
                .map(Talk::from)
                .collect(),
        })
    });
    state.await.map(Json)
}

/// Between which ticks.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Between {
    /// The tick whose state is known.
    #[param(value_type = u32)]
    from: i64,
    /// The last tick of interest; the run's last without.
    #[param(value_type = Option<u32>)]
    to: Option<i64>,
}

/// What changed after one tick, up to and including another, tick by tick. At most 2,160 ticks are told of at
/// once: `to` says how far the answer reaches.
#[utoipa::path(get, path = "/api/frames", params(Between),
    responses((status = OK, body = Frames)))]
pub(crate) async fn frames(State(served): State<Served>, Asked(between): Asked<Between>) -> Answer<Frames> {
    let frames = served.file.read(move |run| {
        let from = moment(run, Some(between.from))?;
        let to = moment(run, between.to)?;
        let to = to.clamp(from, from.saturating_add(frames::MOST_TICKS));
        let frames = if from == to {
            Vec::new()
        } else {
            frames::between(run, from + 1..=to)?
        };
        Ok(Frames { from, to, frames })
    });
    frames.await.map(Json)
}

/// How finely the timeline is divided.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Division {
    /// Into how many stretches at most, 1 to 5,000; 480 without.
    #[param(minimum = 1, maximum = 5000)]
    buckets: Option<u32>,
}

/// What happened when, over the whole run.
#[utoipa::path(get, path = "/api/marks", params(Division), responses((status = OK, body = Marks)))]
pub(crate) async fn marks(State(served): State<Served>, Asked(division): Asked<Division>) -> Answer<Marks> {
    let clock = served.file.clock();
    let buckets = within("buckets", division.buckets, 1..=5_000)?.unwrap_or(480);
    let marks = served.file.read(move |run| {
        let head = moment(run, None)?;
        let bucket_ticks = (head / buckets).saturating_add(1);
        let mut marks: BTreeMap<Tick, Bucket> = BTreeMap::new();
        let mut add = |what, field: fn(&mut Bucket) -> &mut u32| -> Result<(), Refusal> {
            for tally in run.tally(what, bucket_ticks)? {
                *field(marks.entry(tally.bucket).or_default()) += tally.count;
            }
            Ok(())
        };
        add(Tallied::Talks, |bucket| &mut bucket.talks)?;
        add(Tallied::Memories(MemoryKind::Reflection), |bucket| {
            &mut bucket.reflections
        })?;
        add(Tallied::Notices, |bucket| &mut bucket.notices)?;
        for at in run.inputs(0..=head)? {
            let bucket = marks.entry(at.tick / bucket_ticks).or_default();
            bucket.inputs += 1;
            bucket.whispers += u32::from(at.row.kind == WHISPER);
        }
        for event in gatherings(run, clock, head)? {
            marks.entry(event.tick / bucket_ticks).or_default().gatherings += 1;
        }
        for (bucket, mark) in &mut marks {
            mark.tick = bucket * bucket_ticks;
        }
        let buckets = marks.into_values().collect();
        Ok(Marks {
            head,
            bucket_ticks,
            buckets,
        })
    });
    marks.await.map(Json)
}

/// The kind that a whisper is recorded as.
const WHISPER: &str = "whisper";

/// Which events.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventFilter {
    /// Kinds, separated by commas: `talk`, `reflection`, `gathering`, `input`, `whisper`, `notice`.
    kind: Option<String>,
    /// Only those that concern this resident.
    resident: Option<u32>,
    /// Only from this tick on.
    from: Option<u32>,
    /// Only up to this tick.
    to: Option<u32>,
    /// `next` of the page before.
    cursor: Option<String>,
    /// Items on a page, 1 to 200; 50 without.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

/// What happened, one by one, oldest first.
#[utoipa::path(get, path = "/api/events", params(EventFilter), responses((status = OK, body = Page<Event>)))]
pub(crate) async fn events(
    State(served): State<Served>,
    Asked(filter): Asked<EventFilter>,
) -> Answer<Page<Event>> {
    let clock = served.file.clock();
    let page = served.file.read(move |run| {
        let paging = Paging::new(filter.cursor, filter.limit)?;
        if let Some(resident) = filter.resident {
            known(run, resident)?;
        }
        let head = moment(run, None)?;
        let (from, skip) = paging.numbers()?.unwrap_or((filter.from.unwrap_or(0), 0));
        let to = filter.to.unwrap_or(head).min(head);
        let kinds = kinds(filter.kind.as_deref())?;
        let fits = |event: &Event| {
            filter
                .resident
                .is_none_or(|resident| event.residents.contains(&resident))
                && (kinds.is_empty() || kinds.contains(&event.kind))
        };
        let mut events = if from > to {
            Vec::new()
        } else {
            collect(run, clock, from, to)?
        };
        events.retain(fits);
        // A cursor is a tick, and how many of its events were given already.
        let mut numbered: Vec<(Event, u32)> = Vec::new();
        for event in events {
            let before = numbered.last().filter(|(last, _)| last.tick == event.tick);
            let number = before.map_or(0, |(_, number)| number + 1);
            numbered.push((event, number));
        }
        let rest = numbered
            .into_iter()
            .filter(|(event, number)| event.tick > from || *number >= skip);
        let items = rest.take(paging.limit() + 1).collect();
        let cursor = |(event, number): &(Event, u32)| format!("{}-{}", event.tick, number + 1);
        let page = Page::of(items, paging.limit(), cursor);
        Ok(Page {
            items: page.items.into_iter().map(|(event, _)| event).collect(),
            next: page.next,
        })
    });
    page.await.map(Json)
}

fn kinds(written: Option<&str>) -> Result<Vec<EventKind>, Refusal> {
    let words = written.into_iter().flat_map(|list| list.split(','));
    let kind = |word: &str| {
        EventKind::from_str(word.trim()).map_err(|()| {
            Refusal::malformed(
                format!("there are no events of kind \"{word}\""),
                "ask for talk, reflection, gathering, input, whisper or notice",
            )
        })
    };
    words.map(kind).collect()
}

impl FromStr for EventKind {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Ok(match word {
            "talk" => Self::Talk,
            "reflection" => Self::Reflection,
            "gathering" => Self::Gathering,
            "input" => Self::Input,
            "whisper" => Self::Whisper,
            "notice" => Self::Notice,
            _ => return Err(()),
        })
    }
}

/// Every event between two ticks, in order.
fn collect(run: &RunReader, clock: Clock, from: Tick, to: Tick) -> Result<Vec<Event>, Refusal> {
    let event = |tick, kind, residents, text| Event {
        tick,
        kind,
        residents,
        text,
        talk: None,
        memory: None,
    };
    let mut events = Vec::new();
    for at in run.conversations_begun(from..=to)? {
        let mut talk = event(at.tick, EventKind::Talk, vec![at.row.a, at.row.b], String::new());
        talk.talk = Some(at.row.id);
        events.push(talk);
    }
    for at in run.memories_made(MemoryKind::Reflection, from..=to)? {
        let text = run
            .memory(at.row.resident, at.row.id)?
            .map(|memory| memory.row.text);
        let text = text.unwrap_or_default();
        let mut drawn = event(at.tick, EventKind::Reflection, vec![at.row.resident], text);
        drawn.memory = Some(at.row.id);
        events.push(drawn);
    }
    for at in run.inputs(from..=to)? {
        let content = json(&at.row.json);
        let text = |key| {
            content
                .get(key)
                .and_then(|value| value.as_str())
                .map(str::to_owned)
        };
        let resident = content.get("resident").and_then(serde_json::Value::as_u64);
        let residents = resident
            .and_then(|id| u32::try_from(id).ok())
            .into_iter()
            .collect();
        let kind = match at.row.kind.as_str() {
            WHISPER => EventKind::Whisper,
            _ => EventKind::Input,
        };
        let text = text("text").or_else(|| text("state")).unwrap_or(at.row.kind);
        events.push(event(at.tick, kind, residents, text));
    }
    for at in run.notices(from..=to)? {
        let residents = at.row.resident.into_iter().collect();
        let text = format!("{}: {}", at.row.kind, at.row.detail);
        events.push(event(at.tick, EventKind::Notice, residents, text));
    }
    let gatherings = gatherings(run, clock, to)?;
    events.extend(gatherings.into_iter().filter(|event| event.tick >= from));
    events.sort_by_key(|event| (event.tick, event.kind));
    Ok(events)
}

/// When gatherings begin that somebody besides the host accepted, up to a tick.
fn gatherings(run: &RunReader, clock: Clock, to: Tick) -> Result<Vec<Event>, Refusal> {
    let mut found: BTreeMap<(i64, u32), Event> = BTreeMap::new();
    for at in run.appointments_between(0..=to)? {
        let row = at.row;
        let tick = clock.tick(GameTime::from_seconds(row.start));
        let Ok(tick) = Tick::try_from(tick) else { continue };
        if row.status != "accepted" || row.resident == row.host || tick > to {
            continue;
        }
        let event = found.entry((row.start, row.host)).or_insert_with(|| Event {
            tick,
            kind: EventKind::Gathering,
            residents: vec![row.host],
            text: row.what,
            talk: None,
            memory: None,
        });
        if !event.residents.contains(&row.resident) {
            event.residents.push(row.resident);
        }
    }
    Ok(found.into_values().collect())
}
