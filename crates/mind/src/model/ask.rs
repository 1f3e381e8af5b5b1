//! One question put to a model: prompt, call, reading, one corrective call, or a reason why not.
//!
//! 1. The prompt is rendered and fitted to what the model's window leaves beside the longest answer.
//! 2. The ledger is looked up; a reply that exists is never bought again.
//! 3. Otherwise the budget is asked, the model is called, and the call is written down before its
//!    reply is used.
//! 4. The reply is read leniently and checked. If it cannot stand, the model is asked once more, with
//!    its own reply and what is wrong with it.
//! 5. If that fails too, [`Outcome::Failed`] says why, and the routine mind answers.
//!
//! A fault that every further call would meet halts thinking instead; a passing one is a reason.

use std::fmt::Write as _;
use std::time::Instant;

use futures_util::lock::Mutex;
use townsfolk_model::{ChatReply, ChatRequest, Speaker, Turn};

use super::budget::Cut;
use super::fit::Fit;
use super::ledger::{Call, CallKey, Origin, Question};
use super::prompts::Fitted;
use super::role::RoleModel;
use super::{ModelMind, reader, wire};
use crate::{Chance, Halted, Task};

/// Tokens that providers put around a prompt: roles, separators, the schema's frame.
const FRAME_TOKENS: u32 = 48;
/// How much of an answer that cannot stand is shown to the model again, in characters.
const SHOWN_AGAIN: usize = 1_200;
/// How much of it is kept in a reason, in characters.
const QUOTED: usize = 160;

/// What came of asking a model.
pub(crate) enum Outcome<A> {
    /// It answered.
    Answered(A),
    /// It did not, and this is why.
    Failed(String),
}

/// What there is to record about it, whatever came of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Provider and model.
    pub(crate) model: String,
    /// How many replies were looked at, wherever they came from.
    pub(crate) calls: u8,
    /// What was left out of the prompt.
    pub(crate) cut: Cut,
    /// Where the last reply came from, if it was not bought now.
    pub(crate) origin: Option<Origin>,
}

/// One question on its way.
pub(crate) struct Asking<'m> {
    pub(crate) mind: &'m ModelMind,
    pub(crate) chance: Chance,
    pub(crate) seq: u32,
    /// Held during a call where one resident's calls go out one by one.
    pub(crate) turn: Option<&'m Mutex<()>>,
}

impl Asking<'_> {
    /// Asks; `by_rule` is what the routine mind would say.
    pub(crate) async fn ask<T: Task>(
        &self,
        task: &T,
        by_rule: impl Fn() -> T::Answer,
    ) -> Result<(Outcome<T::Answer>, Asked), Halted> {
        let role = self.mind.models.role(T::KIND.role());
        let mut asked = Asked {
            model: role.model.name().to_owned(),
            ..Asked::default()
        };
        let max_tokens = role.max_output_tokens.min(role.window_tokens / 2).max(1);
        let shape = wire::shape::<T::Wire>(T::KIND);
        let schema_tokens = estimated_tokens(&shape.schema.to_string());
        let taken = max_tokens + schema_tokens + FRAME_TOKENS;
        let room = role.window_tokens.saturating_sub(taken);
        let Fitted { prompt, limits, cut } = match self.mind.prompts.fitted(task, room).map_err(halted)? {
            Ok(fitted) => fitted,
            Err(too_long) => return Ok((Outcome::Failed(too_long.to_string()), asked)),
        };
        asked.cut = cut;
        let mut request = ChatRequest {
            system: prompt.system,
            turns: vec![turn(Speaker::User, prompt.user)],
            shape: Some(shape),
            max_tokens,
            temperature: role.temperature,
            // The same everywhere in a run, so that equal questions share one answer.
            seed: Some(self.chance.seed),
        };
        let fit = || Fit::new(self.mind.prompts.phrases(), limits);
        let mut wrong = String::new();
        for attempt in 0..2 {
            if let Some(crib) = &self.mind.crib {
                let answer = serde_json::to_string(&task.write(&by_rule())).map_err(halted)?;
                crib.learn(&request, answer);
            }
            asked.calls += 1;
            let reply = match self.reply::<T>(role, &request, attempt, &mut asked).await? {
                Ok(reply) => reply,
                Err(failed) => return Ok((Outcome::Failed(failed), asked)),
            };
            let read = reader::read::<T::Wire>(&reply.text, self.mind.prompts.marks())
                .map_err(|e| e.to_string())
                .and_then(|wire| task.read(wire, &fit()))
                .and_then(|answer| task.check(&answer).map(|()| answer));
            let fault = match read {
                Ok(answer) => return Ok((Outcome::Answered(answer), asked)),
                Err(fault) if reply.cut_off => format!("{fault} (the answer was cut off: be shorter)"),
                Err(fault) => fault,
            };
            if attempt == 0 {
                let correction = self.mind.prompts.retry(&fault).map_err(halted)?;
                let again = shortened(&reply.text, SHOWN_AGAIN);
                let longer = estimated_tokens(&correction) + estimated_tokens(&again) + FRAME_TOKENS;
                // Without room for its own words the model is told what was wrong, no more.
                if used(&request) + longer + taken <= role.window_tokens {
                    request.turns.push(turn(Speaker::Model, again));
                    request.turns.push(turn(Speaker::User, correction));
                } else if let Some(last) = request.turns.last_mut() {
                    last.text = format!("{}\n\n{correction}", last.text);
                    if used(&request) + taken > role.window_tokens {
                        let quote = shortened(&reply.text, QUOTED);
                        return Ok((
                            Outcome::Failed(format!("{fault}; the model wrote: {quote}")),
                            asked,
                        ));
                    }
                }
                wrong = fault;
            } else {
                let quote = shortened(&reply.text, QUOTED);
                let mut reason = format!("{fault}; the model wrote: {quote}");
                if wrong != fault {
                    let _ = write!(reason, " (before that: {wrong})");
                }
                return Ok((Outcome::Failed(reason), asked));
            }
        }
        Ok((Outcome::Failed(wrong), asked))
    }

    /// A reply, or why there is none; what must not go on halts.
    async fn reply<T: Task>(
        &self,
        role: &RoleModel,
        request: &ChatRequest,
        attempt: u8,
        asked: &mut Asked,
    ) -> Result<Result<ChatReply, String>, Halted> {
        let _turn = match self.turn {
            Some(turn) => Some(turn.lock().await),
            None => None,
        };
        let model = role.model.name();
        let written = serde_json::to_string(request).map_err(halted)?;
        let key = CallKey {
            tick: self.chance.tick,
            resident: self.chance.resident,
            seq: self.seq,
            attempt,
            hash: hash(model, &written),
        };
        let question = Question {
            key: &key,
            kind: T::KIND,
            model,
            request: &written,
        };
        let ledger = &self.mind.ledger;
        asked.origin = None;
        if let Some(found) = ledger.find(&question)? {
            asked.origin = Some(found.origin);
            return Ok(found.reply);
        }
        ledger.may_spend(&question, used(request) + request.max_tokens)?;
        let begun = Instant::now();
        let reply = role.model.chat(request).await;
        let ms = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
        let failed = reply.as_ref().err().map(ToString::to_string);
        ledger.record(Call {
            key,
            kind: T::KIND,
            model: model.to_owned(),
            request: written,
            reply: reply.as_ref().map_err(ToString::to_string).cloned(),
            ms,
        })?;
        match reply {
            Ok(reply) => Ok(Ok(reply)),
            Err(error) if error.fault.stops_everything() => Err(Halted {
                reason: format!("{}: {error}", T::KIND.name()),
            }),
            Err(_) => Ok(Err(failed.unwrap_or_default())),
        }
    }
}

fn turn(speaker: Speaker, text: String) -> Turn {
    Turn { speaker, text }
}

/// About how many tokens the texts of a request take.
fn used(request: &ChatRequest) -> u32 {
    let turns: u32 = request.turns.iter().map(|t| estimated_tokens(&t.text)).sum();
    estimated_tokens(&request.system) + turns
}

/// BLAKE3 of model and request, in hexadecimal.
fn hash(model: &str, request: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(model.as_bytes())
        .update(b"\0")
        .update(request.as_bytes());
    hasher.finalize().to_hex().to_string()
}

/// At most `most` characters, in one line.
fn shortened(text: &str, most: usize) -> String {
    let text = super::fit::one_line(text);
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

fn halted(error: impl std::fmt::Display) -> Halted {
    Halted {
        reason: error.to_string(),
    }
}

/// About how many tokens a text takes, rather too many than too few: one for every three and a half
/// letters of scripts that models know in pieces of words, one and a half for a character of others.
///
/// English prose has four to five letters a token in the tokenisers of today's models, Chinese and
/// Japanese about one character, rarer scripts fewer.
pub fn estimated_tokens(text: &str) -> u32 {
    let (mut narrow, mut wide) = (0u64, 0u64);
    for c in text.chars() {
        if c.is_ascii() { narrow += 1 } else { wide += 1 }
    }
    u32::try_from((narrow * 2).div_ceil(7) + (wide * 3).div_ceil(2)).unwrap_or(u32::MAX)
}
