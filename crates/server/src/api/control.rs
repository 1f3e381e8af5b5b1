//! Taking part: steering the run, inputs, interviews, and the token.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use townsfolk_engine::{Ablation, Engine, Input, InterviewError, InterviewOptions, InterviewOutcome};
use townsfolk_mind::ResidentId;
use townsfolk_mind::tasks::Exchange;
use utoipa::ToSchema;

use super::{Answer, AtTick, known};
use crate::asked::{Asked, Given};
use crate::refusal::Refusal;
use crate::serve::Served;
use crate::stage::What;
use crate::wire::json;
use crate::wire::person::{Scored, Scores};
use crate::wire::run::{Command, Controlled, Fork};
use crate::wire::town::Acted;

/// What was done to the town from outside up to a tick, oldest first.
#[utoipa::path(get, path = "/api/inputs", params(AtTick), responses((status = OK, body = Vec<Acted>)))]
pub(crate) async fn inputs(State(served): State<Served>, Asked(at): Asked<AtTick>) -> Answer<Vec<Acted>> {
    let inputs = served.file.look(at.tick, |look| {
        let inputs = look.run.inputs(0..=look.tick)?.into_iter();
        let acted = inputs.map(|at| Acted {
            tick: at.tick,
            kind: at.row.kind,
            input: json(&at.row.json),
        });
        Ok(acted.collect())
    });
    inputs.await.map(Json)
}

/// When an input acts.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Accepted {
    /// The tick.
    pub(crate) tick: u64,
    /// The id of whoever it brings to town.
    pub(crate) resident: Option<u32>,
}

/// Does something to the town from outside: a whisper, an object's state, or what a visitor does. It is recorded before
/// it acts, at the next tick that is computed.
#[utoipa::path(post, path = "/api/inputs", request_body(content = serde_json::Value, description = "See docs/api.md"),
    responses((status = OK, body = Accepted)))]
pub(crate) async fn input(State(served): State<Served>, Given(input): Given<Input>) -> Answer<Accepted> {
    served.controls()?;
    let acting = served.stage.order(What::Input(Box::new(input))).await?;
    let acting = acting.ok_or_else(|| Refusal::not_now("the input was not taken", "try again"))?;
    Ok(Json(Accepted {
        tick: acting.tick,
        resident: acting.resident,
    }))
}

/// A question to a resident.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// Whom to ask.
    resident: u32,
    /// At the end of which tick; the run's last without.
    #[schema(value_type = Option<u32>)]
    tick: Option<i64>,
    /// The question.
    question: String,
    /// What was asked and answered before, oldest first.
    #[serde(default)]
    history: Vec<Answered>,
    /// What the resident may not draw on: `none`, `no-reflections`, `no-reflections-or-plans` or `nothing`, which is
    /// no memory at all.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    ablation: Ablation,
}

/// A question and its answer.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answered {
    /// The question.
    question: String,
    /// The answer.
    answer: String,
}

/// What a resident answered.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Interview {
    /// In words.
    pub(crate) answer: String,
    /// When.
    pub(crate) tick: u32,
    /// What answered for the resident, in the order asked.
    pub(crate) minds: Vec<String>,
    /// What came to mind, best first.
    pub(crate) memories: Vec<Recollected>,
    /// Whether nothing could, since the resident lives without memory.
    pub(crate) without_memory: bool,
    /// Why the routine mind answered in the model's place, where it did.
    pub(crate) fallback: Option<String>,
}

/// A memory that came to mind.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Recollected {
    /// The memory with its score.
    #[serde(flatten)]
    pub(crate) scored: Scored,
    /// Whether the answer says that it uses it.
    pub(crate) used: bool,
}

/// Asks a resident something, as they were at a tick. Leaves no trace in the run.
#[utoipa::path(post, path = "/api/interview", request_body = Question,
    responses((status = OK, body = Interview)))]
pub(crate) async fn interview(
    State(served): State<Served>,
    Given(question): Given<Question>,
) -> Answer<Interview> {
    let resident = question.resident;
    let minds = Arc::clone(&served.minds);
    let moment = served.file.look(question.tick, move |look| {
        known(look.run, resident)?;
        Ok((look.tick, minds.at(look.run, look.tick)?))
    });
    let (tick, engine) = moment.await?;
    // A mind may have to be waited for; no reader is kept busy meanwhile.
    let asked = tokio::task::spawn_blocking(move || ask(&engine, &question));
    let outcome = asked
        .await
        .map_err(|_| Refusal::not_now("the question got lost", "ask again"))??;
    let memories = served.file.look(Some(tick.into()), move |look| {
        let mut memories = Vec::new();
        for found in &outcome.memories {
            let Some(memory) = look.run.memory(resident, found.id.index() as u32)? else {
                continue;
            };
            let parts = Scores {
                recency: found.recency,
                relevance: found.relevance,
                importance: found.importance,
            };
            let scored = Scored {
                memory: memory.into(),
                score: found.total,
                parts,
            };
            let used = found.used;
            memories.push(Recollected { scored, used });
        }
        Ok(Interview {
            answer: outcome.answer,
            tick,
            minds: outcome
                .asked
                .iter()
                .map(|record| record.mind.name().to_owned())
                .collect(),
            memories,
            without_memory: outcome.without_memory,
            fallback: outcome.fallback,
        })
    });
    memories.await.map(Json)
}

fn ask(engine: &Engine, question: &Question) -> Result<InterviewOutcome, Refusal> {
    let history: Vec<Exchange> = question
        .history
        .iter()
        .map(|past| Exchange {
            question: past.question.clone(),
            answer: past.answer.clone(),
        })
        .collect();
    // Ids that are known fit.
    let who = ResidentId(u16::try_from(question.resident).unwrap_or(u16::MAX));
    let options = InterviewOptions {
        ablation: question.ablation,
        ..InterviewOptions::default()
    };
    let outcome = townsfolk_engine::interview(engine, who, &history, &question.question, &options);
    outcome.map_err(|error| match error {
        InterviewError::NoResident(_) | InterviewError::Visitor(_) => {
            Refusal::failed(StatusCode::NOT_FOUND, error)
        }
        InterviewError::Empty => Refusal::failed(StatusCode::UNPROCESSABLE_ENTITY, error),
        InterviewError::Halted(_) => Refusal::failed(StatusCode::BAD_GATEWAY, error),
    })
}

/// Pauses, resumes or steps the run, lets it run until a tick, sets its speed, saves or forks it.
#[utoipa::path(post, path = "/api/control", request_body = Command,
    responses((status = OK, body = Controlled)))]
pub(crate) async fn control(
    State(served): State<Served>,
    Given(command): Given<Command>,
) -> Answer<Controlled> {
    served.controls()?;
    let fork = match command {
        Command::Fork { tick, file } => Some(fork(&served, tick, file).await?),
        command => {
            served.stage.order(What::Command(command)).await?;
            None
        }
    };
    let head = served.file.read(|run| Ok(run.head()?)).await?;
    let mode = served.stage.mode();
    Ok(Json(Controlled { mode, head, fork }))
}

/// Makes a fork beside the run's file.
async fn fork(served: &Served, tick: u32, name: Option<String>) -> Result<Fork, Refusal> {
    let own = served.file.path().to_owned();
    let name = match name {
        Some(name) => bare(name)?,
        None => {
            let stem = own.file_stem().unwrap_or_default().to_string_lossy();
            format!("{stem}.{tick}.run")
        }
    };
    let child = own.with_file_name(&name);
    served.file.look(Some(tick.into()), |_| Ok(())).await?;
    let forks = Arc::clone(&served.forks);
    let made = tokio::task::spawn_blocking(move || forks(&own, &child, tick));
    made.await
        .map_err(|_| Refusal::not_now("the fork was not made", "try again"))??;
    Ok(Fork { file: name, tick })
}

/// How long a fork's name may be, in bytes: file systems take 255, and endings are added.
const LONGEST_NAME: usize = 200;

/// Refuses whatever is more than a file's name.
fn bare(name: String) -> Result<String, Refusal> {
    let plain = Path::new(&name)
        .file_name()
        .is_some_and(|file| file == name.as_str());
    let hidden = name.starts_with('.') || name.contains(['/', '\\', '\0', ':']);
    if !plain || hidden || name.trim().is_empty() || name.len() > LONGEST_NAME {
        return Err(Refusal::malformed(
            "a fork's file is a name without folders",
            "give a short name such as noon.run; it is made beside this run",
        ));
    }
    Ok(if name.ends_with(".run") {
        name
    } else {
        format!("{name}.run")
    })
}

/// The token, as the page read it from its link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Offered {
    token: String,
}

/// Takes the token once and gives it back as a cookie that scripts cannot read.
#[utoipa::path(post, path = "/api/session", request_body = Offered,
    responses((status = NO_CONTENT)))]
pub(crate) async fn session(
    State(served): State<Served>,
    Given(offered): Given<Offered>,
) -> Result<Response, Refusal> {
    let Some(token) = &served.guard.token else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    if !token.is(&offered.token) {
        let remedy = "open the link that the terminal shows";
        return Err(Refusal::new(
            StatusCode::UNAUTHORIZED,
            "this is not the token",
            remedy,
        ));
    }
    let name = served.guard.cookie();
    let cookie = format!("{name}={}; HttpOnly; SameSite=Strict; Path=/", token.reveal());
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_cannot_be_put_elsewhere() {
        for name in [
            "../a.run",
            "/etc/a.run",
            "a/b.run",
            "..",
            "",
            " ",
            ".hidden",
            "a\\b.run",
            "C:x.run",
            "a\0.run",
        ] {
            assert!(bare(name.to_owned()).is_err(), "{name:?} was taken");
        }
        assert_eq!(bare("正午".to_owned()), Ok("正午.run".to_owned()));
        assert_eq!(bare("noon.run".to_owned()), Ok("noon.run".to_owned()));
    }
}
