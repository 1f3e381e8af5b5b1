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

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use futures_util::lock::Mutex;
use minijinja::value::{Serde, Value};
use townsfolk_model::{
    AnswerShape, ChatModel, ChatReply, ChatRequest, Fault, RoleModel, Speaker, Turn, Usage, estimate_tokens,
};

use super::budget::{Cut, Limits, TooLong};
use super::fit::Fit;
use super::ledger::{Call, CallKey, Origin, Question};
use super::prompts::{Fitted, PromptError, PromptSet, View};
use super::role::Roles;
use super::wire::Bound;
use super::{ModelMind, reader, samples, wire};
use crate::{Chance, Halted, Task, TaskKind};

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

/// A task without its type, so that the way it goes is compiled once and not for each.
struct Put<'p> {
    kind: TaskKind,
    view: View<'p>,
    shape: AnswerShape,
    /// What the schema says of how many and how large.
    bounds: &'p (dyn Fn(&Fit<'_>) -> Vec<Bound> + Sync),
    /// The routine mind's answer as a model would write it.
    by_rule: &'p (dyn Fn() -> Result<String, Halted> + Sync),
    /// Takes an answer to a prompt, or says what is wrong with it.
    read: &'p mut (dyn FnMut(&str, &Fitted) -> Result<(), String> + Send),
}

impl Asking<'_> {
    /// Asks; `by_rule` is what the routine mind would say.
    pub(crate) async fn ask<T: Task>(
        &self,
        task: &T,
        by_rule: impl Fn() -> T::Answer + Sync,
    ) -> Result<(Outcome<T::Answer>, Asked), Halted> {
        let prompts = &self.mind.prompts;
        let mut answer = None;
        let mut read = |reply: &str, fitted: &Fitted| {
            let fit = Fit::new(prompts.phrases(), fitted.limits);
            let shown = prompts.shown(&fitted.prompt);
            let wire = reader::read::<T::Wire>(reply, &shown, T::PLAIN).map_err(|e| e.to_string())?;
            let read = task.read(wire, &fit)?;
            task.check(&read)?;
            answer = Some(read);
            Ok(())
        };
        let put = Put {
            kind: T::KIND,
            view: &|fit| Value::from(Serde(task.view(fit))),
            shape: wire::shape::<T::Wire>(T::KIND),
            bounds: &|fit| task.bounds(fit),
            by_rule: &|| serde_json::to_string(&task.write(&by_rule())).map_err(halted),
            read: &mut read,
        };
        let (failed, asked) = self.put(put).await?;
        let outcome = match answer {
            Some(answer) => Outcome::Answered(answer),
            None => Outcome::Failed(failed),
        };
        Ok((outcome, asked))
    }

    /// Asks until an answer was taken; if none was, the text says why.
    async fn put(&self, put: Put<'_>) -> Result<(String, Asked), Halted> {
        let role = self.mind.models.role(put.kind.role());
        let mut asked = Asked {
            model: role.model.name().to_owned(),
            ..Asked::default()
        };
        let max_tokens = longest_answer(role);
        let bounded = |limits| {
            let bounds = (put.bounds)(&Fit::new(self.mind.prompts.phrases(), limits));
            narrowed(put.shape.clone(), bounds)
        };
        let taken = taken(role, &bounded(Limits::NONE));
        let room = role.window_tokens.saturating_sub(taken);
        let fitted = self.mind.prompts.fitted_view(put.kind, put.view, room);
        let fitted = match fitted.map_err(halted)? {
            Ok(fitted) => fitted,
            Err(too_long) => return Ok((too_long.to_string(), asked)),
        };
        asked.cut = fitted.cut;
        let mut request = ChatRequest {
            system: fitted.prompt.system.clone(),
            turns: vec![turn(Speaker::User, fitted.prompt.user.clone())],
            shape: Some(bounded(fitted.limits)),
            max_tokens,
            temperature: role.temperature,
            // The same everywhere in a run, so that equal questions share one answer.
            seed: Some(self.chance.seed),
        };
        let mut first_fault = None;
        for attempt in 0..2 {
            asked.calls += 1;
            let reply = self.reply(put.kind, put.by_rule, role, &request, attempt, &mut asked);
            let reply = match reply.await? {
                Ok(reply) => reply,
                Err(failed) => return Ok((failed, asked)),
            };
            let fault = match (put.read)(&reply.text, &fitted) {
                Ok(()) => return Ok((String::new(), asked)),
                Err(fault) if reply.cut_off => format!("{fault} (the answer was cut off: be shorter)"),
                Err(fault) => fault,
            };
            let more = first_fault.is_none() && self.correct(&mut request, &reply, &fault, role, taken)?;
            if !more {
                let quote = shortened(&reply.text, QUOTED);
                let mut reason = format!("{fault}; the model wrote: {quote}");
                if let Some(before) = first_fault.filter(|before| *before != fault) {
                    let _ = write!(reason, " (before that: {before})");
                }
                return Ok((reason, asked));
            }
            first_fault = Some(fault);
        }
        Ok((first_fault.unwrap_or_default(), asked))
    }

    /// Adds what is wrong to a request; whether there is room for that. Where there is none for the
    /// model's own words, it is told what was wrong and no more.
    fn correct(
        &self,
        request: &mut ChatRequest,
        reply: &ChatReply,
        fault: &str,
        role: &RoleModel,
        taken: u32,
    ) -> Result<bool, Halted> {
        let correction = self.mind.prompts.retry(fault).map_err(halted)?;
        let again = shortened(&reply.text, SHOWN_AGAIN);
        let left = role
            .window_tokens
            .saturating_sub(used(request).saturating_add(taken));
        let without = generous_tokens(&correction) + FRAME_TOKENS;
        if left >= without + generous_tokens(&again) {
            request.turns.push(turn(Speaker::Model, again));
            request.turns.push(turn(Speaker::User, correction));
        } else if left >= without
            && let Some(last) = request.turns.last_mut()
        {
            last.text = format!("{}\n\n{correction}", last.text);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// A reply, or why there is none; what must not go on halts.
    async fn reply(
        &self,
        kind: TaskKind,
        by_rule: &(dyn Fn() -> Result<String, Halted> + Sync),
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
            kind,
            model,
            request: &written,
        };
        let ledger = &self.mind.ledger;
        asked.origin = None;
        while let Some(arrival) = ledger.on_its_way(&key) {
            arrival.await;
        }
        if let Some(found) = ledger.find(&question)? {
            asked.origin = Some(found.origin);
            return Ok(found.reply);
        }
        if let Some(crib) = &self.mind.crib {
            crib.learn(request, by_rule()?);
        }
        let most = Usage {
            input: used(request)
                .saturating_add(request.shape.as_ref().map_or(0, schema_tokens) + FRAME_TOKENS),
            cached: 0,
            output: request.max_tokens,
        };
        ledger.may_spend(&question, most).await?;
        let (made, fault) = call(&*role.model, key, kind, request, written).await;
        let reply = made.reply.clone();
        match fault {
            Some(Fault::Stopped) => ledger.withdraw(&made.key),
            _ => ledger.record(made)?,
        }
        match reply {
            Err(error) if fault.is_some_and(Fault::stops_everything) => Err(Halted {
                reason: format!("{}: {error}", kind.name()),
            }),
            reply => Ok(reply),
        }
    }
}

/// Makes a call; beside it, what is at fault where it failed. `written` is the request as JSON.
pub async fn call(
    model: &dyn ChatModel,
    key: CallKey,
    kind: TaskKind,
    request: &ChatRequest,
    written: String,
) -> (Call, Option<Fault>) {
    let begun = Instant::now();
    let reply = model.chat(request).await;
    let ms = u32::try_from(begun.elapsed().as_millis()).unwrap_or(u32::MAX);
    let fault = reply.as_ref().err().map(|error| error.fault);
    let call = Call {
        key,
        kind,
        model: model.name().to_owned(),
        request: written,
        reply: reply.map_err(|error| error.to_string()),
        ms,
    };
    (call, fault)
}

/// The questions for whose shortest prompt a window has no room beside the answer, tried on a sample of each: the
/// routine mind will always answer them.
///
/// # Errors
/// If a prompt cannot be filled in.
pub fn too_long(roles: &Roles, prompts: &PromptSet) -> Result<BTreeMap<TaskKind, TooLong>, PromptError> {
    struct Measure<'a> {
        roles: &'a Roles,
        prompts: &'a PromptSet,
        too_long: Result<BTreeMap<TaskKind, TooLong>, PromptError>,
    }
    impl samples::Visit for Measure<'_> {
        fn visit<T: Task>(&mut self, task: &T) {
            let role = self.roles.role(T::KIND.role());
            let bounds = task.bounds(&Fit::new(self.prompts.phrases(), Limits::NONE));
            let shape = narrowed(wire::shape::<T::Wire>(T::KIND), bounds);
            let room = role.window_tokens.saturating_sub(taken(role, &shape));
            match (&mut self.too_long, self.prompts.fitted(task, room)) {
                (Ok(found), Ok(Err(too_long))) => drop(found.insert(T::KIND, too_long)),
                (Ok(_), Err(error)) => self.too_long = Err(error),
                _ => {}
            }
        }
    }
    let mut measure = Measure {
        roles,
        prompts,
        too_long: Ok(BTreeMap::new()),
    };
    samples::each(&mut measure);
    measure.too_long
}

/// How many tokens an answer may have.
fn longest_answer(role: &RoleModel) -> u32 {
    role.max_output_tokens.min(role.window_tokens / 2).max(1)
}

/// What of a window is not the prompt's: the longest answer, its schema and the frame.
fn taken(role: &RoleModel, shape: &AnswerShape) -> u32 {
    longest_answer(role).saturating_add(schema_tokens(shape) + FRAME_TOKENS)
}

/// A schema that says how many and how large.
fn narrowed(mut shape: AnswerShape, bounds: Vec<Bound>) -> AnswerShape {
    for bound in bounds {
        bound.narrow(&mut shape.schema);
    }
    shape
}

fn turn(speaker: Speaker, text: String) -> Turn {
    Turn { speaker, text }
}

/// About how many tokens the schema of an answer takes where it goes out with the prompt.
fn schema_tokens(shape: &AnswerShape) -> u32 {
    generous_tokens(&shape.schema.to_string())
}

/// About how many tokens the texts of a request take.
fn used(request: &ChatRequest) -> u32 {
    let turns: u32 = request.turns.iter().map(|t| generous_tokens(&t.text)).sum();
    generous_tokens(&request.system) + turns
}

/// BLAKE3 of model and request, in hexadecimal.
pub(super) fn hash(model: &str, request: &str) -> String {
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

/// About how many tokens a text takes, rather too many than too few: an estimate that is a quarter off
/// must not send a prompt that is too long.
pub(crate) fn generous_tokens(text: &str) -> u32 {
    let tokens = estimate_tokens(text);
    tokens.saturating_add(tokens.div_ceil(4))
}
