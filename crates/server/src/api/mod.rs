//! The endpoints, each documented where it stands; the routes and their description are one.

pub(crate) mod control;
mod refusals;
pub(crate) mod resident;
pub(crate) mod run;
pub(crate) mod time;
pub(crate) mod town;

use axum::{Json, Router};
use serde::Deserialize;
use townsfolk_store::RunReader;
use utoipa::{IntoParams, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::refusal::{Problem, Refusal};
use crate::serve::Served;
use crate::wire::page::Paging;

/// What endpoints give back.
pub(crate) type Answer<T> = Result<Json<T>, Refusal>;

/// Which tick.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AtTick {
    /// The run as it was at the end of this tick; its last without.
    #[param(value_type = Option<u32>)]
    pub(crate) tick: Option<i64>,
}

/// Which tick and page.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageAt {
    /// The run as it was at the end of this tick; its last without.
    #[param(value_type = Option<u32>)]
    pub(crate) tick: Option<i64>,
    /// `next` of the page before.
    cursor: Option<String>,
    /// Items on a page, 1 to 200; 50 without.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

impl PageAt {
    pub(crate) fn paging(&self) -> Result<Paging, Refusal> {
        Paging::new(self.cursor.clone(), self.limit)
    }
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "A served run of Townsfolk",
        description = "Reads any tick of a run, follows it live, and steers it. All reads leave the run as it is."
    ),
    components(schemas(Problem))
)]
struct Description;

/// Every endpoint but the socket, and the description of each.
pub(crate) fn described() -> (Router<Served>, utoipa::openapi::OpenApi) {
    let (router, mut description) = router().split_for_parts();
    refusals::describe(&mut description);
    (router, description)
}

fn router() -> OpenApiRouter<Served> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(run::run))
        .routes(routes!(run::map))
        .routes(routes!(run::image))
        .routes(routes!(run::residents))
        .routes(routes!(time::state))
        .routes(routes!(time::frames))
        .routes(routes!(time::marks))
        .routes(routes!(time::events))
        .routes(routes!(resident::detail))
        .routes(routes!(resident::plan))
        .routes(routes!(resident::memories))
        .routes(routes!(resident::memory))
        .routes(routes!(resident::retrieval))
        .routes(routes!(resident::reflections))
        .routes(routes!(resident::relationships))
        .routes(routes!(resident::places))
        .routes(routes!(resident::talks))
        .routes(routes!(resident::calls))
        .routes(routes!(town::talks))
        .routes(routes!(town::talk))
        .routes(routes!(town::relationships))
        .routes(routes!(town::network))
        .routes(routes!(town::news))
        .routes(routes!(town::gatherings))
        .routes(routes!(town::cost))
        .routes(routes!(town::object))
        .routes(routes!(town::notices))
        .routes(routes!(control::inputs, control::input))
        .routes(routes!(control::interview))
        .routes(routes!(control::control))
        .routes(routes!(control::session))
}

/// Refuses a resident that is not there.
pub(crate) fn known(run: &RunReader, resident: u32) -> Result<(), Refusal> {
    let residents = run.residents()?;
    if residents.iter().any(|row| row.id == resident) {
        return Ok(());
    }
    let last = residents.len().saturating_sub(1);
    Err(Refusal::missing(
        format!("there is no resident {resident}"),
        format!("residents have the ids 0 to {last}; /api/residents lists them"),
    ))
}
