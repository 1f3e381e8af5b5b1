//! One resident, from the inside, at any tick.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use townsfolk_memory::{Preset, Query, Retrieval as Weights};
use townsfolk_store::{
    At, CallFilter, MemoryFilter, MemoryKind, MemoryRow, Person, PlanEntryRow, PlanLevel, PlanRow,
    TaskFilter, TaskRow, Tick,
};
use townsfolk_time::Date;
use utoipa::IntoParams;

use super::run::everybody;
use super::town::talks_of;
use super::{Answer, AtTick, PageAt, known};
use crate::asked::{Asked, Named, within};
use crate::look::{Look, plans};
use crate::refusal::Refusal;
use crate::serve::Served;
use crate::wire::moment::{Action, Body, Talk};
use crate::wire::page::{MOST, Page, Paging};
use crate::wire::person::{
    Appointment, Attempt, Call, DayPlan, Facts, Hour, Identity, Memory, MemoryCounts, MemoryDetail,
    MemoryPage, MemoryRef, Places, Reflection, Relationship, ResidentDetail, Retrieval, Revision, Scored,
    Scores, Stretch, Stroke, TalksBy, Visited,
};

/// Who somebody is, where they are and what they do.
#[utoipa::path(get, path = "/api/residents/{id}",
    params(("id" = u32, Path, description = "Which resident"), AtTick),
    responses((status = OK, body = ResidentDetail)))]
pub(crate) async fn detail(
    State(served): State<Served>,
    Named(id): Named<u32>,
    Asked(at): Asked<AtTick>,
) -> Answer<ResidentDetail> {
    let detail = served.file.look(at.tick, move |look| {
        known(look.run, id)?;
        let (run, tick) = (look.run, look.tick);
        let resident = everybody(look)?.into_iter().find(|resident| resident.id == id);
        let resident = resident.ok_or_else(|| {
            Refusal::missing(
                format!("resident {id} has not come to town yet at tick {tick}"),
                "ask for a later tick; /api/residents lists who is there at which",
            )
        })?;
        let identity = run.identities(tick)?.into_iter().find(|row| row.resident == id);
        let facts = identity.map(|row| Facts::read(&row.identity)).unwrap_or_default();
        let action = run.actions(tick)?.into_iter().find(|at| at.row.resident == id);
        let position = run.positions(tick)?.into_iter().find(|at| at.row.resident == id);
        let talks = run.open_conversations(tick)?;
        let talk = talks
            .into_iter()
            .find(|talk| [talk.began.row.a, talk.began.row.b].contains(&id));
        Ok(ResidentDetail {
            tick,
            resident,
            identity: Identity::from(facts),
            body: position.map(|at| Body::new(&at, action.map(Action::from))),
            talk: talk.map(Talk::from),
            counts: MemoryCounts::of(run.memory_counts(id, tick)?),
        })
    });
    detail.await.map(Json)
}

/// Which day.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlanOf {
    /// The plan as it was at the end of this tick; at the run's last without.
    #[param(value_type = Option<u32>)]
    tick: Option<i64>,
    /// The day, `2024-06-03`; the day of the tick without.
    date: Option<String>,
}

/// Somebody's plan of a day at three levels, and what changed it.
#[utoipa::path(get, path = "/api/residents/{id}/plan",
    params(("id" = u32, Path, description = "Which resident"), PlanOf),
    responses((status = OK, body = DayPlan)))]
pub(crate) async fn plan(
    State(served): State<Served>,
    Named(id): Named<u32>,
    Asked(of): Asked<PlanOf>,
) -> Answer<DayPlan> {
    let plan = served.file.look(of.tick, move |look| {
        known(look.run, id)?;
        let today = look.now().date().to_string();
        let date = match of.date {
            Some(date) => day(&date)?,
            None => today.clone(),
        };
        let now = (date == today).then(|| look.now().minute_of_day());
        let all = look.run.plans(id, look.tick)?;
        let mut dates: Vec<String> = all.iter().map(|plan| plan.row.date.clone()).collect();
        dates.dedup();
        let plans: Vec<&At<PlanRow>> = all.iter().filter(|plan| plan.row.date == date).collect();
        let latest = plans.last().map(|plan| &plan.row);
        let mut revisions = Vec::new();
        for pair in plans.windows(2) {
            let [before, after] = pair else { continue };
            revisions.push(Revision {
                revision: after.row.revision,
                tick: after.tick,
                because: memory_ref(look, id, after.row.cause_memory)?,
                changes: plans::differences(&before.row, &after.row),
            });
        }
        let mut appointments: Vec<Appointment> = look
            .run
            .appointments(id, look.tick)?
            .into_iter()
            .map(|at| at.row.into())
            .collect();
        appointments.sort_by_key(|appointment| appointment.start);
        Ok(DayPlan {
            date,
            dates,
            revision: latest.map(|plan| plan.revision),
            now,
            strokes: latest.map(|plan| strokes(&plan.strokes)).unwrap_or_default(),
            hours: latest
                .map(|plan| hours(look, id, plan, now))
                .transpose()?
                .unwrap_or_default(),
            revisions,
            appointments,
        })
    });
    plan.await.map(Json)
}

/// A date, written as the run file has it.
fn day(written: &str) -> Result<String, Refusal> {
    let date = written.parse::<Date>().map(|date| date.to_string());
    date.map_err(|_| {
        Refusal::malformed(
            format!("\"{written}\" is no date"),
            "write it like 2024-06-03, or leave it out for the day of the tick",
        )
    })
}

/// Broad strokes from their JSON; none where it is in a form this version does not know.
fn strokes(json: &str) -> Vec<Stroke> {
    serde_json::from_str(json).unwrap_or_default()
}

fn hours(look: &Look<'_>, resident: u32, plan: &PlanRow, now: Option<u16>) -> Result<Vec<Hour>, Refusal> {
    let stretch = |entry: &PlanEntryRow| -> Result<Stretch, Refusal> {
        let end = entry.start.saturating_add(entry.minutes);
        Ok(Stretch {
            start: entry.start,
            minutes: entry.minutes,
            activity: entry.activity.clone(),
            now: now.is_some_and(|now| (entry.start..end).contains(&now)),
            because: memory_ref(look, resident, entry.cause_memory)?,
        })
    };
    let of_level = |level| plan.entries.iter().filter(move |entry| entry.level == level);
    let mut hours = Vec::new();
    for hour in of_level(PlanLevel::Hour) {
        let end = hour.start.saturating_add(hour.minutes);
        let within = |step: &&PlanEntryRow| (hour.start..end).contains(&step.start);
        let steps = of_level(PlanLevel::Task).filter(within).map(stretch);
        hours.push(Hour {
            stretch: stretch(hour)?,
            steps: steps.collect::<Result<_, _>>()?,
        });
    }
    Ok(hours)
}

fn memory_ref(look: &Look<'_>, resident: u32, id: Option<u32>) -> Result<Option<MemoryRef>, Refusal> {
    let Some(id) = id else { return Ok(None) };
    let memory = look.run.memory(resident, id)?;
    Ok(memory.map(|memory| MemoryRef {
        id,
        text: memory.row.text,
    }))
}

/// Which memories.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// As of the end of this tick; the run's last without.
    #[param(value_type = Option<u32>)]
    tick: Option<i64>,
    /// Kinds, separated by commas: `observation`, `reflection`, `plan`, `conversation`.
    kind: Option<String>,
    /// Only those that speak of this resident, or were told by them.
    who: Option<u32>,
    /// Only those of at least this importance, 1 to 10.
    #[param(minimum = 1, maximum = 10)]
    min_importance: Option<u8>,
    /// Only those with this in their text, in any case.
    text: Option<String>,
    /// `next` of the page before.
    cursor: Option<String>,
    /// Items on a page, 1 to 200; 50 without.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

/// What somebody remembers, newest first.
#[utoipa::path(get, path = "/api/residents/{id}/memories",
    params(("id" = u32, Path, description = "Which resident"), Which),
    responses((status = OK, body = MemoryPage)))]
pub(crate) async fn memories(
    State(served): State<Served>,
    Named(id): Named<u32>,
    Asked(which): Asked<Which>,
) -> Answer<MemoryPage> {
    let page = served.file.look(which.tick, move |look| {
        known(look.run, id)?;
        let paging = Paging::new(which.cursor, which.limit)?;
        let involving = match which.who {
            None => None,
            Some(who) => {
                known(look.run, who)?;
                let rows = look.run.residents()?;
                let row = rows.into_iter().find(|row| row.id == who);
                row.map(|row| Person {
                    id: row.id,
                    name: row.name,
                })
            }
        };
        let of_any_kind = MemoryFilter {
            until: Some(look.tick),
            containing: which.text.filter(|text| !text.is_empty()),
            min_importance: within("min_importance", which.min_importance, 1..=10)?,
            involving,
            ..MemoryFilter::default()
        };
        let filter = MemoryFilter {
            kinds: memory_kinds(which.kind.as_deref())?,
            before: paging.number()?,
            newest: Some(paging.limit() + 1),
            ..of_any_kind.clone()
        };
        let mut memories = look.run.memories(id, &filter)?;
        memories.reverse();
        let memories = memories.into_iter().map(Memory::from).collect();
        let page = Page::of(memories, paging.limit(), |memory: &Memory| memory.id.to_string());
        let everything = MemoryFilter {
            until: of_any_kind.until,
            ..MemoryFilter::default()
        };
        let counts = if of_any_kind == everything {
            MemoryCounts::of(look.run.memory_counts(id, look.tick)?)
        } else {
            let fitting = look.run.memories(id, &of_any_kind)?;
            MemoryCounts::of(fitting.iter().map(|memory| (memory.row.kind, 1)))
        };
        Ok(MemoryPage { page, counts })
    });
    page.await.map(Json)
}

fn memory_kinds(written: Option<&str>) -> Result<Vec<MemoryKind>, Refusal> {
    let words = written.into_iter().flat_map(|list| list.split(','));
    let kind = |word: &str| {
        MemoryKind::from_word(word.trim()).ok_or_else(|| {
            Refusal::malformed(
                format!("there are no memories of kind \"{word}\""),
                "ask for observation, reflection, plan or conversation",
            )
        })
    };
    words.filter(|word| !word.trim().is_empty()).map(kind).collect()
}

/// One memory, what it rests on, and what rests on it.
#[utoipa::path(get, path = "/api/residents/{id}/memories/{memory}",
    params(("id" = u32, Path, description = "Which resident"),
        ("memory" = u32, Path, description = "Which memory"), AtTick),
    responses((status = OK, body = MemoryDetail)))]
pub(crate) async fn memory(
    State(served): State<Served>,
    Named((id, memory)): Named<(u32, u32)>,
    Asked(at): Asked<AtTick>,
) -> Answer<MemoryDetail> {
    let detail = served.file.look(at.tick, move |look| {
        known(look.run, id)?;
        let one = |memory| -> Result<Option<Memory>, Refusal> {
            let found = look.run.memory(id, memory)?;
            Ok(found.filter(|found| found.tick <= look.tick).map(Memory::from))
        };
        let found = one(memory)?.ok_or_else(|| {
            let error = format!("resident {id} has no memory {memory} by tick {}", look.tick);
            Refusal::missing(error, "its memories are listed by /api/residents/{id}/memories")
        })?;
        let several = |ids: &[u32]| -> Result<Vec<Memory>, Refusal> {
            let mut memories = Vec::new();
            for id in ids {
                memories.extend(one(*id)?);
            }
            Ok(memories)
        };
        let evidence = several(&found.evidence)?;
        let rests_on_it = several(&look.run.resting_on(id, memory)?)?;
        Ok(MemoryDetail {
            memory: found,
            evidence,
            rests_on_it,
        })
    });
    detail.await.map(Json)
}

/// What to look for.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Lookup {
    /// At the end of this tick; the run's last without.
    #[param(value_type = Option<u32>)]
    tick: Option<i64>,
    /// What is asked of the memory.
    query: String,
    /// How many memories, 1 to 200; 30 without.
    #[param(minimum = 1, maximum = 200)]
    count: Option<usize>,
    /// `paper`, `reference`, `langchain` or `plain`; the resident's own weights without.
    preset: Option<String>,
}

/// What a query brings up in somebody's mind, with the parts of each score. Leaves no trace.
#[utoipa::path(get, path = "/api/residents/{id}/retrieval",
    params(("id" = u32, Path, description = "Which resident"), Lookup),
    responses((status = OK, body = Retrieval)))]
pub(crate) async fn retrieval(
    State(served): State<Served>,
    Named(id): Named<u32>,
    Asked(lookup): Asked<Lookup>,
) -> Answer<Retrieval> {
    let minds = Arc::clone(&served.minds);
    let count = within("count", lookup.count, 1..=MOST)?.unwrap_or(USUAL_RECALL);
    let query = lookup.query.trim().to_owned();
    let moment = served.file.look(lookup.tick, move |look| {
        known(look.run, id)?;
        Ok((look.tick, minds.at(look.run, look.tick)?))
    });
    let (tick, engine) = moment.await?;
    if engine.people()[id as usize].is_visitor() {
        let error = format!("{id} is a visitor, who has no memory of ours");
        return Err(Refusal::missing(error, "ask a resident"));
    }
    if query.is_empty() {
        return Err(Refusal::malformed(
            "the query is empty",
            "give some words as `query`",
        ));
    }
    let resident = &engine.residents()[id as usize];
    let weights = match lookup.preset.as_deref() {
        None => resident.settings.retrieval.clone(),
        Some(name) => preset(name)?,
    };
    // An embedder elsewhere may have to be waited for; no reader is kept busy meanwhile.
    let (asker, asked) = (Arc::clone(&engine), query.clone());
    let embedding = tokio::task::spawn_blocking(move || asker.meaning_of(&asked))
        .await
        .map_err(|_| Refusal::not_now("the query got lost", "ask again"))?
        .map_err(|halted| Refusal::failed(StatusCode::BAD_GATEWAY, halted))?;
    let retrieval = served.file.look(Some(tick.into()), move |look| {
        let resident = &engine.residents()[id as usize];
        let found = resident
            .stream
            .peek(&Query::new(&embedding, look.now(), count, &weights));
        let mut items = Vec::new();
        for found in found {
            let memory = look.run.memory(id, found.id.index() as u32)?;
            items.extend(memory.map(|memory| Scored::new(memory.into(), &found)));
        }
        Ok(Retrieval {
            query,
            preset: name_of(weights.preset),
            weights: Scores::from(&weights),
            considered: resident.stream.len(),
            items,
        })
    });
    retrieval.await.map(Json)
}

/// Memories that a query brings up unless asked otherwise.
const USUAL_RECALL: usize = 30;

fn preset(name: &str) -> Result<Weights, Refusal> {
    Ok(match name {
        "paper" => Weights::paper(),
        "reference" => Weights::reference(),
        "langchain" => Weights::langchain(),
        "plain" => Weights::plain(),
        _ => {
            let error = format!("there is no preset \"{name}\"");
            return Err(Refusal::malformed(
                error,
                "use paper, reference, langchain or plain",
            ));
        }
    })
}

fn name_of(preset: Preset) -> &'static str {
    match preset {
        Preset::Paper => "paper",
        Preset::Reference => "reference",
        Preset::Langchain => "langchain",
        Preset::Plain => "plain",
    }
}

/// Somebody's conclusions that no other rests on, newest first, down to the memories they rest on.
#[utoipa::path(get, path = "/api/residents/{id}/reflections",
    params(("id" = u32, Path, description = "Which resident"), PageAt),
    responses((status = OK, body = Page<Reflection>)))]
pub(crate) async fn reflections(
    State(served): State<Served>,
    Named(id): Named<u32>,
    Asked(page): Asked<PageAt>,
) -> Answer<Page<Reflection>> {
    let page = served.file.look(page.tick, move |look| {
        known(look.run, id)?;
        let paging = page.paging()?;
        let filter = MemoryFilter {
            until: Some(look.tick),
            ..MemoryFilter::default()
        };
        let memories: BTreeMap<u32, At<MemoryRow>> = look
            .run
            .memories(id, &filter)?
            .into_iter()
            .map(|memory| (memory.row.id, memory))
            .collect();
        let is_conclusion = |memory: &&At<MemoryRow>| memory.row.kind == MemoryKind::Reflection;
        let conclusions = memories.values().filter(is_conclusion);
        let beneath: BTreeSet<u32> = conclusions
            .flat_map(|memory| memory.row.evidence.clone())
            .collect();
        let before = paging.number()?.unwrap_or(u32::MAX);
        let on_top = memories
            .values()
            .rev()
            .filter(is_conclusion)
            .filter(|memory| memory.row.id < before && !beneath.contains(&memory.row.id));
        let trees = on_top.take(paging.limit() + 1);
        let trees = trees.map(|memory| tree(memory, &memories)).collect();
        Ok(Page::of(trees, paging.limit(), |tree: &Reflection| {
            tree.memory.id.to_string()
        }))
    });
    page.await.map(Json)
}

/// A memory and what it rests on. The file keeps evidence older than what rests on it, so this comes
/// to an end; below what was seen or heard there is nothing more to show.
fn tree(memory: &At<MemoryRow>, memories: &BTreeMap<u32, At<MemoryRow>>) -> Reflection {
    let evidence = match memory.row.kind {
        MemoryKind::Reflection => memory.row.evidence.as_slice(),
        _ => &[],
    };
    let beneath = evidence.iter().filter_map(|id| memories.get(id));
    Reflection {
        rests_on: beneath.map(|memory| tree(memory, memories)).collect(),
        memory: Memory::from(memory.clone()),
    }
}

/// The others as somebody knows them, those most talked with first.
#[utoipa::path(get, path = "/api/residents/{id}/relationships",
    params(("id" = u32, Path, description = "Which resident"), AtTick),
    responses((status = OK, body = Vec<Relationship>)))]
pub(crate) async fn relationships(
    State(served): State<Served>,
    Named(id): Named<u32>,
    Asked(at): Asked<AtTick>,
) -> Answer<Vec<Relationship>> {
    let relationships = served.file.look(at.tick, move |look| {
        known(look.run, id)?;
        let mut others: BTreeMap<u32, Relationship> = BTreeMap::new();
        for at in look.run.meetings(look.tick)? {
            let other = match (at.row.a, at.row.b) {
                (a, b) if a == id => b,
                (a, b) if b == id => a,
                _ => continue,
            };
            let known = others.entry(other).or_insert_with(|| stranger(other));
            known.talks += 1;
            known.lines += at.row.lines;
            known.first = known.first.or(Some(at.tick));
            known.last = Some(at.tick);
            known.over_time.push(TalksBy {
                tick: at.tick,
                talks: known.talks,
            });
        }
        for (name, (tick, words)) in opinions(look, id)? {
            let other = look.run.residents()?.into_iter().find(|row| row.name == name);
            if let Some(other) = other {
                let known = others.entry(other.id).or_insert_with(|| stranger(other.id));
                known.makes_of_them = Some(words);
                known.made_at = Some(tick);
            }
        }
        let mut others: Vec<Relationship> = others.into_values().collect();
        others.sort_by_key(|other| std::cmp::Reverse(other.talks));
        Ok(others)
    });
    relationships.await.map(Json)
}

fn stranger(resident: u32) -> Relationship {
    Relationship {
        resident,
        talks: 0,
        lines: 0,
        first: None,
        last: None,
        makes_of_them: None,
        made_at: None,
        over_time: Vec::new(),
    }
}

/// What a resident last made of each other, by name: the latest answers to that question, and when they were given.
fn opinions(look: &Look<'_>, resident: u32) -> Result<BTreeMap<String, (Tick, String)>, Refusal> {
    #[derive(Deserialize)]
    struct Question {
        other: String,
    }
    #[derive(Deserialize)]
    struct Reply {
        text: String,
    }
    let filter = TaskFilter {
        until: Some(look.tick),
        resident: Some(resident),
        kind: Some("relationship".to_owned()),
        ..TaskFilter::default()
    };
    let mut opinions = BTreeMap::new();
    for task in look.run.tasks(&filter)? {
        let question: Option<Question> = serde_json::from_str(&task.row.input).ok();
        let reply: Option<Reply> = serde_json::from_str(&task.row.answer).ok();
        if let (Some(question), Some(reply)) = (question, reply) {
            opinions.insert(question.other, (task.tick, reply.text));
        }
    }
    Ok(opinions)
}

/// The places somebody knows, and where the time was spent.
#[utoipa::path(get, path = "/api/residents/{id}/places",
    params(("id" = u32, Path, description = "Which resident"), AtTick),
    responses((status = OK, body = Places)))]
pub(crate) async fn places(
    State(served): State<Served>,
    Named(id): Named<u32>,
    Asked(at): Asked<AtTick>,
) -> Answer<Places> {
    let places = served.file.look(at.tick, move |look| {
        known(look.run, id)?;
        let newcomer = look.town.residents.get(id as usize);
        let from_the_start = newcomer.iter().flat_map(|newcomer| &newcomer.known);
        let mut known: BTreeSet<u32> = from_the_start.map(|place| place.index() as u32).collect();
        let moves = look.run.moves_of(id, look.tick)?;
        // Stays: the sector, and the tick from which on.
        let mut stays: Vec<(Option<u32>, Tick)> = Vec::new();
        for at in moves {
            let sector = look.sector_at(at.row).map(|sector| sector.index() as u32);
            known.extend(sector);
            if stays.last().is_none_or(|(last, _)| *last != sector) {
                stays.push((sector, at.tick));
            }
        }
        let mut visited: BTreeMap<Option<u32>, (i64, Visited)> = BTreeMap::new();
        for (index, (place, from)) in stays.iter().enumerate() {
            let to = stays.get(index + 1).map_or(look.tick, |(_, next)| *next);
            let (seconds, visit) = visited.entry(*place).or_insert_with(|| {
                let visit = Visited {
                    place: *place,
                    minutes: 0,
                    visits: 0,
                    last: 0,
                    here: false,
                };
                (0, visit)
            });
            *seconds += i64::from(to - from) * look.clock.seconds_per_tick;
            visit.visits += 1;
            visit.minutes = *seconds / 60;
            visit.last = *from;
            visit.here = index + 1 == stays.len();
        }
        let mut visited: Vec<(i64, Visited)> = visited.into_values().collect();
        visited.sort_by_key(|(seconds, _)| std::cmp::Reverse(*seconds));
        Ok(Places {
            known: known.into_iter().collect(),
            visited: visited.into_iter().map(|(_, visit)| visit).collect(),
        })
    });
    places.await.map(Json)
}

/// Somebody's talks begun by a tick, newest first.
#[utoipa::path(get, path = "/api/residents/{id}/talks",
    params(("id" = u32, Path, description = "Which resident"), PageAt),
    responses((status = OK, body = Page<Talk>)))]
pub(crate) async fn talks(
    State(served): State<Served>,
    Named(id): Named<u32>,
    Asked(page): Asked<PageAt>,
) -> Answer<Page<Talk>> {
    let page = served.file.look(page.tick, move |look| {
        known(look.run, id)?;
        talks_of(look, Some(id), &page.paging()?)
    });
    page.await.map(Json)
}

/// Which questions.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CallsOf {
    /// Up to the end of this tick; the run's last without.
    #[param(value_type = Option<u32>)]
    tick: Option<i64>,
    /// From this tick on; without, only those asked in the tick that what is done at `tick` began.
    from: Option<u32>,
    /// Only this kind.
    kind: Option<String>,
    /// `next` of the page before.
    cursor: Option<String>,
    /// Items on a page, 1 to 200; 50 without.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

/// What was asked of somebody's mind and what it answered, oldest first.
#[utoipa::path(get, path = "/api/residents/{id}/calls",
    params(("id" = u32, Path, description = "Which resident"), CallsOf),
    responses((status = OK, body = Page<Call>)))]
pub(crate) async fn calls(
    State(served): State<Served>,
    Named(id): Named<u32>,
    Asked(which): Asked<CallsOf>,
) -> Answer<Page<Call>> {
    let page = served.file.look(which.tick, move |look| {
        known(look.run, id)?;
        let paging = Paging::new(which.cursor, which.limit)?;
        let (from, until) = match which.from {
            Some(from) => (from, look.tick),
            None => {
                let actions = look.run.actions(look.tick)?;
                let began = actions
                    .iter()
                    .find(|at| at.row.resident == id)
                    .map_or(0, |at| at.tick);
                (began, began)
            }
        };
        let after = paging.numbers()?;
        let filter = TaskFilter {
            from: Some(after.map_or(from, |(tick, _)| tick)),
            until: Some(until),
            resident: Some(id),
            kind: which.kind,
        };
        let tasks = look.run.tasks(&filter)?.into_iter();
        let rest = tasks.filter(|task| after.is_none_or(|after| (task.tick, task.row.seq) > after));
        let tasks: Vec<At<TaskRow>> = rest.take(paging.limit() + 1).collect();
        let mut attempts = attempts(look, id, &tasks)?;
        let call = |task: At<TaskRow>| {
            let attempts = attempts.remove(&(task.tick, task.row.seq)).unwrap_or_default();
            Call::new(task, attempts)
        };
        let items = tasks.into_iter().map(call).collect();
        let cursor = |call: &Call| format!("{}-{}", call.tick, call.seq);
        Ok(Page::of(items, paging.limit(), cursor))
    });
    page.await.map(Json)
}

/// What was sent to models for some tasks of a resident, by tick and sequence.
fn attempts(
    look: &Look<'_>,
    resident: u32,
    tasks: &[At<TaskRow>],
) -> Result<BTreeMap<(Tick, u32), Vec<Attempt>>, Refusal> {
    let mut attempts: BTreeMap<(Tick, u32), Vec<Attempt>> = BTreeMap::new();
    let filter = CallFilter {
        from: tasks.first().map(|task| task.tick),
        until: tasks.last().map(|task| task.tick),
        resident: Some(resident),
        kind: None,
    };
    if !tasks.is_empty() {
        look.run.calls(&filter, |used| {
            let of_task = attempts.entry((used.tick, used.seq)).or_default();
            of_task.push(Attempt::from(used));
            Ok::<_, Refusal>(())
        })?;
    }
    Ok(attempts)
}
