//! The town as a whole: talks, who knows whom and what, gatherings, cost, objects, notices.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use townsfolk_engine::ledger::{add_usd, known_cost_usd, prices_of};
use townsfolk_store::Tick;
use townsfolk_world::{PlaceId, PlaceKind};
use utoipa::IntoParams;

use super::{Answer, AtTick, PageAt, known};
use crate::asked::{Asked, Named};
use crate::look::gatherings::{self, Gathering};
use crate::look::{Look, Memories, news};
use crate::refusal::Refusal;
use crate::serve::Served;
use crate::wire::moment::{ObjectState, Talk};
use crate::wire::page::{Page, Paging};
use crate::wire::town::{
    Acquaintances, Cost, Count, KindCost, ModelCost, Network, NetworkDay, News, Notice, Object, Pair,
    ResidentCost,
};

/// Whose talks.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TalkFilter {
    /// As they stood at the end of this tick; the run's last without.
    #[param(value_type = Option<u32>)]
    tick: Option<i64>,
    /// Only this resident's.
    resident: Option<u32>,
    /// `next` of the page before.
    cursor: Option<String>,
    /// Items on a page, 1 to 200; 50 without.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

/// Talks begun by a tick, newest first.
#[utoipa::path(get, path = "/api/talks", params(TalkFilter), responses((status = OK, body = Page<Talk>)))]
pub(crate) async fn talks(
    State(served): State<Served>,
    Asked(filter): Asked<TalkFilter>,
) -> Answer<Page<Talk>> {
    let paging = Paging::new(filter.cursor, filter.limit)?;
    let page = served.file.look(filter.tick, move |look| {
        if let Some(resident) = filter.resident {
            known(look.run, resident)?;
        }
        talks_of(look, filter.resident, &paging)
    });
    page.await.map(Json)
}

/// A page of somebody's talks, or of everybody's.
pub(crate) fn talks_of(
    look: &Look<'_>,
    resident: Option<u32>,
    paging: &Paging,
) -> Result<Page<Talk>, Refusal> {
    let limit = paging.limit();
    let talks = look
        .run
        .conversations_before(look.tick, paging.number()?, resident, limit as u32 + 1)?;
    let talks = talks.into_iter().map(Talk::from).collect();
    Ok(Page::of(talks, limit, |talk: &Talk| talk.id.to_string()))
}

/// One talk.
#[utoipa::path(get, path = "/api/talks/{id}",
    params(("id" = u32, Path, description = "Which talk"), AtTick),
    responses((status = OK, body = Talk)))]
pub(crate) async fn talk(
    State(served): State<Served>,
    Named(id): Named<u32>,
    Asked(at): Asked<AtTick>,
) -> Answer<Talk> {
    let talk = served.file.look(at.tick, move |look| {
        let talk = look.run.conversation(id, look.tick)?;
        talk.map(Talk::from).ok_or_else(|| {
            let error = format!("there is no talk {id} by tick {}", look.tick);
            Refusal::missing(error, "/api/talks lists those there are")
        })
    });
    talk.await.map(Json)
}

/// Who has talked with whom by a tick.
#[utoipa::path(get, path = "/api/relationships", params(AtTick), responses((status = OK, body = Acquaintances)))]
pub(crate) async fn relationships(
    State(served): State<Served>,
    Asked(at): Asked<AtTick>,
) -> Answer<Acquaintances> {
    let pairs = served.file.look(at.tick, |look| {
        let mut pairs: BTreeMap<(u32, u32), Pair> = BTreeMap::new();
        for meeting in look.run.meetings(look.tick)? {
            let tick = meeting.tick;
            let (a, b) = (meeting.row.a, meeting.row.b);
            let key = (a.min(b), a.max(b));
            let pair = pairs.entry(key).or_insert(Pair {
                a: key.0,
                b: key.1,
                talks: 0,
                first: tick,
                last: tick,
            });
            pair.talks += 1;
            pair.last = tick;
        }
        let pairs = pairs.into_values().collect();
        Ok(Acquaintances { pairs })
    });
    pairs.await.map(Json)
}

/// How the network of acquaintances grew, day by day. Visitors are left out.
#[utoipa::path(get, path = "/api/network", params(AtTick), responses((status = OK, body = Network)))]
pub(crate) async fn network(State(served): State<Served>, Asked(at): Asked<AtTick>) -> Answer<Network> {
    let network = served.file.look(at.tick, |look| {
        let residents = look.town.residents.len() as u32;
        let possible = u64::from(residents) * u64::from(residents.saturating_sub(1)) / 2;
        let mut first: BTreeMap<(u32, u32), Tick> = BTreeMap::new();
        for meeting in look.run.meetings(look.tick)? {
            let (a, b) = (meeting.row.a, meeting.row.b);
            if a < residents && b < residents {
                first.entry((a.min(b), a.max(b))).or_insert(meeting.tick);
            }
        }
        let mut days = Vec::new();
        let mut date = look.clock.start.date();
        loop {
            let tomorrow = townsfolk_time::GameTime::midnight(date) + townsfolk_time::DAY_SECONDS;
            // The last tick that begins on this day, if the run gets there.
            let last = look.clock.tick(tomorrow + -1).min(look.tick.into());
            let tick = Tick::try_from(last).unwrap_or(0);
            let pairs = first.values().filter(|met| **met <= tick).count();
            days.push(NetworkDay {
                date: date.to_string(),
                tick,
                pairs,
                density: pairs as f64 / possible.max(1) as f64,
            });
            if tick >= look.tick {
                break;
            }
            date = tomorrow.date();
        }
        Ok(Network { days })
    });
    network.await.map(Json)
}

/// Which news.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct NewsFilter {
    /// As of the end of this tick; the run's last without.
    #[param(value_type = Option<u32>)]
    tick: Option<i64>,
    /// Some of its words, in any case; whatever was passed on without.
    text: Option<String>,
}

/// Who knows a piece of news and from whom, as trees that begin with those who knew it first.
#[utoipa::path(get, path = "/api/news", params(NewsFilter), responses((status = OK, body = News)))]
pub(crate) async fn news(State(served): State<Served>, Asked(filter): Asked<NewsFilter>) -> Answer<News> {
    let news = served.file.look(filter.tick, move |look| {
        let memories = Memories::read(look)?;
        let text = filter
            .text
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty());
        Ok(News {
            mentions: text.map(|text| news::mentions(text, &memories)),
            items: match text {
                Some(text) => news::about(text, &memories),
                None => news::all(&memories),
            },
        })
    });
    news.await.map(Json)
}

/// What residents meant to attend together, and who came.
#[utoipa::path(get, path = "/api/gatherings", params(AtTick), responses((status = OK, body = Vec<Gathering>)))]
pub(crate) async fn gatherings(
    State(served): State<Served>,
    Asked(at): Asked<AtTick>,
) -> Answer<Vec<Gathering>> {
    let found = served.file.look(at.tick, |look| {
        let memories = Memories::read(look)?;
        Ok(gatherings::all(look, &memories)?)
    });
    found.await.map(Json)
}

/// What was asked of minds by a tick, and what it cost.
#[utoipa::path(get, path = "/api/cost", params(AtTick), responses((status = OK, body = Cost)))]
pub(crate) async fn cost(State(served): State<Served>, Asked(at): Asked<AtTick>) -> Answer<Cost> {
    let cost = served.file.look(at.tick, |look| {
        let mut kinds: BTreeMap<String, Count> = BTreeMap::new();
        let mut residents: BTreeMap<Option<u32>, Count> = BTreeMap::new();
        let mut models: BTreeMap<String, Count> = BTreeMap::new();
        let mut total = Count::default();
        for task in look.run.task_counts(look.tick)? {
            let count = Count {
                tasks: task.tasks,
                put_to_models: task.put_to_models(),
                fallbacks: task.fallbacks,
                ..Count::default()
            };
            total.add(count);
            kinds.entry(task.kind).or_default().add(count);
            residents.entry(task.resident).or_default().add(count);
        }
        let prices = prices_of(&look.run.info()?);
        let mut usd = None;
        let mut without_price: BTreeSet<String> = BTreeSet::new();
        for calls in look.run.call_counts(look.tick, Tick::MAX)? {
            let tokens = [calls.tokens_in, calls.tokens_cached, calls.tokens_out];
            let cost = known_cost_usd(&prices, &calls.model, tokens);
            add_usd(&mut usd, cost);
            if cost.is_none() {
                without_price.insert(calls.model.clone());
            }
            let count = Count {
                calls: calls.calls,
                failed: calls.failed,
                from_cache: calls.from_cache,
                tokens_in: calls.tokens_in,
                tokens_out: calls.tokens_out,
                milliseconds: calls.milliseconds,
                ..Count::default()
            };
            total.add(count);
            kinds.entry(calls.kind).or_default().add(count);
            residents.entry(calls.resident).or_default().add(count);
            models.entry(calls.model).or_default().add(count);
        }
        let kind = |(kind, count)| KindCost { kind, count };
        let mut kinds: Vec<KindCost> = kinds.into_iter().map(kind).collect();
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.count.tasks));
        let resident = |(resident, count)| ResidentCost { resident, count };
        let model = |(model, count)| ModelCost { model, count };
        Ok(Cost {
            total,
            usd,
            without_price: without_price.into_iter().collect(),
            kinds,
            residents: residents.into_iter().map(resident).collect(),
            models: models.into_iter().map(model).collect(),
        })
    });
    cost.await.map(Json)
}

impl Count {
    fn add(&mut self, other: Count) {
        self.tasks += other.tasks;
        self.put_to_models += other.put_to_models;
        self.fallbacks += other.fallbacks;
        self.calls += other.calls;
        self.failed += other.failed;
        self.from_cache += other.from_cache;
        self.tokens_in += other.tokens_in;
        self.tokens_out += other.tokens_out;
        self.milliseconds += other.milliseconds;
    }
}

/// How an object stands at a tick and how it came there.
#[utoipa::path(get, path = "/api/objects/{place}",
    params(("place" = u32, Path, description = "Which object"), PageAt),
    responses((status = OK, body = Object)))]
pub(crate) async fn object(
    State(served): State<Served>,
    Named(place): Named<u32>,
    Asked(page): Asked<PageAt>,
) -> Answer<Object> {
    let object = served.file.look(page.tick, move |look| {
        let world = &look.town.world;
        let found = world.places().get(place as usize);
        let found = found
            .filter(|found| found.kind == PlaceKind::Object)
            .ok_or_else(|| {
                Refusal::missing(format!("there is no object {place}"), "/api/map lists all places")
            })?;
        let default_state = found.default_state.clone().unwrap_or_default();
        let paging = page.paging()?;
        let states =
            look.run
                .object_history(place, look.tick, paging.number()?, paging.limit() as u32 + 1)?;
        let latest = look.run.object_history(place, look.tick, None, 1)?;
        let state = latest.into_iter().next().map(|at| at.row.state);
        let states = states.into_iter().map(ObjectState::from).collect();
        Ok(Object {
            place: PlaceId::index(found.id) as u32,
            state: state.unwrap_or_else(|| default_state.clone()),
            default_state,
            history: Page::of(states, paging.limit(), |state: &ObjectState| {
                state.since.to_string()
            }),
        })
    });
    object.await.map(Json)
}

/// Which notices.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct NoticeFilter {
    /// Up to the end of this tick; the run's last without.
    #[param(value_type = Option<u32>)]
    tick: Option<i64>,
    /// Only those that concern this resident.
    resident: Option<u32>,
    /// `next` of the page before.
    cursor: Option<String>,
    /// Items on a page, 1 to 200; 50 without.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

/// What went otherwise than intended, newest first.
#[utoipa::path(get, path = "/api/notices", params(NoticeFilter), responses((status = OK, body = Page<Notice>)))]
pub(crate) async fn notices(
    State(served): State<Served>,
    Asked(filter): Asked<NoticeFilter>,
) -> Answer<Page<Notice>> {
    let paging = Paging::new(filter.cursor, filter.limit)?;
    let page = served.file.look(filter.tick, move |look| {
        if let Some(resident) = filter.resident {
            known(look.run, resident)?;
        }
        let skipped = paging.skipped()?;
        let fits = |notice: &Notice| filter.resident.is_none() || notice.resident == filter.resident;
        let notices = look
            .run
            .notices(0..=look.tick)?
            .into_iter()
            .rev()
            .map(|at| Notice {
                tick: at.tick,
                resident: at.row.resident,
                kind: at.row.kind,
                detail: at.row.detail,
            });
        // Those before `skipped` come from later pages of an earlier moment only where `tick` is
        // left out; with a tick the count is exact.
        let rest = notices.filter(fits).skip(skipped);
        let items: Vec<Notice> = rest.take(paging.limit() + 1).collect();
        let next = skipped + paging.limit();
        Ok(Page::of(items, paging.limit(), |_| next.to_string()))
    });
    page.await.map(Json)
}
