//! The run, its map and its people.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use townsfolk_store::Tick;

use super::{Answer, AtTick};
use crate::asked::{Asked, Named};
use crate::assets::unchanged;
use crate::look::Look;
use crate::refusal::Refusal;
use crate::serve::Served;
use crate::wire;
use crate::wire::map::TownMap;
use crate::wire::person::{Facts, Resident};

/// What the run is, and how it goes on.
#[utoipa::path(get, path = "/api/run", responses((status = OK, body = wire::run::Run)))]
pub(crate) async fn run(State(served): State<Served>) -> Answer<wire::run::Run> {
    let reads = served
        .file
        .read(|run| Ok((run.info()?, run.answerers(Tick::MAX)?)));
    let (info, mut minds) = reads.await?;
    if minds.is_empty() {
        minds.push(info.mind);
    }
    let town = served.file.town();
    Ok(Json(wire::run::Run {
        town: info.town,
        story: town.story.clone(),
        language: town.language.clone(),
        file: served.file.name(),
        run_id: info.run_id,
        parent: info.parent.map(|parent| wire::run::ParentRun {
            run_id: parent.run_id,
            tick: parent.tick,
        }),
        seed: info.seed.to_string(),
        mind_is_model: minds.iter().any(|mind| mind != "routine"),
        mind: minds.join(", "),
        townsfolk_version: info.townsfolk_version,
        start: info.start,
        seconds_per_tick: info.seconds_per_tick,
        head: info.head,
        goal: info.goal,
        residents: town.residents.len(),
        mode: served.stage.mode(),
    }))
}

/// The map: places, walls, and how it is drawn. Never changes during a run.
#[utoipa::path(get, path = "/api/map", responses((status = OK, body = TownMap), (status = NOT_MODIFIED)))]
pub(crate) async fn map(State(served): State<Served>, headers: HeaderMap) -> Response {
    let map = &served.map;
    if unchanged(&headers, &map.tag) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let kind = "application/json";
    reply(kind, &map.tag, map.json.clone())
}

/// A picture that the map is drawn from.
#[utoipa::path(get, path = "/api/map/images/{index}",
    params(("index" = usize, Path, description = "Which of the map's pictures")),
    responses((status = OK, content_type = "image/png", body = Vec<u8>), (status = NOT_MODIFIED)))]
pub(crate) async fn image(
    State(served): State<Served>,
    Named(index): Named<usize>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let images = &served.map.images;
    let image = images.get(index).ok_or_else(|| {
        let remedy = "the map's `picture` names those there are";
        Refusal::missing(format!("the map has no picture {index}"), remedy)
    })?;
    if unchanged(&headers, &image.tag) {
        return Ok(StatusCode::NOT_MODIFIED.into_response());
    }
    Ok(reply(image.kind, &image.tag, image.bytes.clone()))
}

fn reply(kind: &'static str, tag: &str, bytes: Bytes) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::ETAG, tag.to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    (headers, bytes).into_response()
}

/// Everybody who lives in the town or visits it, as they see themselves at a tick.
#[utoipa::path(get, path = "/api/residents", params(AtTick),
    responses((status = OK, body = Vec<Resident>)))]
pub(crate) async fn residents(
    State(served): State<Served>,
    Asked(at): Asked<AtTick>,
) -> Answer<Vec<Resident>> {
    let file = Arc::clone(&served.file);
    file.look(at.tick, everybody).await.map(Json)
}

/// Everybody, as they see themselves at the moment.
pub(crate) fn everybody(look: &Look<'_>) -> Result<Vec<Resident>, Refusal> {
    let identities = look.run.identities(look.tick)?;
    let resident = |row: &townsfolk_store::ResidentRow| {
        let revised = identities.iter().find(|identity| identity.resident == row.id);
        let facts = Facts::read(revised.map_or(&row.identity, |identity| &identity.identity));
        Resident::new(row, &facts)
    };
    let rows = look.run.residents()?;
    Ok(rows
        .iter()
        .filter(|row| row.came <= look.tick)
        .map(resident)
        .collect())
}
