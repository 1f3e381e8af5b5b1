//! Calls to models: what was sent, what came back, what was made of it.

use std::collections::BTreeMap;

use serde::Serialize;
use townsfolk_model::{ChatRequest, Speaker};
use townsfolk_store::{CallFilter, CallRecord, CallUse, EMBEDDING, TaskFilter, TaskRow};

use super::{Moment, head, refuse};
use crate::args::CallsArgs;
use crate::failure::Failure;
use crate::page::{Look, Page};
use crate::run_at::RunAt;
use crate::{Done, output, words};

/// One attempt at one question, as a line of the export.
#[derive(Serialize)]
struct Line<'a> {
    tick: u32,
    time: String,
    resident: &'a str,
    /// Which question of the resident's at that tick; none for a call that made vectors.
    seq: Option<u32>,
    attempt: u8,
    task: &'a str,
    model: &'a str,
    /// Whether the tick has come about; where not, the reply waits for it.
    used: bool,
    /// The tick whose reply served here, where it is another one.
    from_cache_of_tick: Option<u32>,
    tokens_in: u32,
    tokens_cached: u32,
    tokens_out: u32,
    milliseconds: Option<u32>,
    request: serde_json::Value,
    reply: Option<&'a str>,
    answered_by: Option<&'a str>,
    cut_off: bool,
    error: Option<&'a str>,
    /// What was made of it: the task's answer in the end.
    answer: Option<serde_json::Value>,
    /// Why that answer is a fallback, where it is one.
    fallback: Option<&'a str>,
    /// What was cut from the prompt.
    cut: Option<&'a str>,
}

/// Shows the calls that were asked for: a line each, in full, or as lines of JSON.
pub(super) fn show(run: &RunAt, args: &CallsArgs, json: bool) -> Done {
    let resident = run.maybe_resident(args.resident.as_deref())?;
    let only = args
        .tick
        .map(|when| run.clock.tick(when, run.tick))
        .transpose()
        .map_err(Failure::usage)?;
    let (from, until) = (only.unwrap_or(0), only.unwrap_or(run.tick));
    let tasks = TaskFilter {
        from: Some(from),
        until: Some(until),
        resident,
        kind: args.task.clone(),
    };
    let tasks: BTreeMap<(u32, Option<u32>, u32), TaskRow> = run
        .reader
        .tasks(&tasks)?
        .into_iter()
        .map(|at| ((at.tick, at.row.resident, at.row.seq), at.row))
        .collect();
    let mut unused = run.unused_calls()?;
    if let Some(kind) = args
        .task
        .as_ref()
        .filter(|kind| tasks.is_empty() && *kind != EMBEDDING)
        && unused.iter().all(|call| call.row.kind != *kind)
        && !run
            .reader
            .task_counts(run.tick)?
            .iter()
            .any(|count| count.kind == *kind)
    {
        return refuse(format!(
            "no task of this run is called \"{kind}\"; `townsfolk inspect {} tasks` lists them",
            words::path(run.reader.path())
        ));
    }
    let filter = CallFilter {
        from: Some(from),
        until: Some(until),
        resident,
        kind: args.task.clone(),
    };
    if !json {
        let mut page = output::page();
        head(&mut page, "Calls to models", &Moment::of(run));
        output::print(page.text())?;
    }
    let mut shown = 0_u64;
    let mut show = |of: &CallUse, used: bool| -> Done {
        let task = tasks.get(&(of.tick, of.resident, of.seq)).filter(|_| used);
        let failed = of.call.row.outcome.is_err() || task.is_some_and(|task| task.fallback.is_some());
        if args.failed && !failed {
            return Ok(());
        }
        shown += 1;
        let line = Line::of(run, of, task, used);
        if json {
            return output::print_json_line(&line);
        }
        let mut page = output::page();
        line.write(&mut page, run, args.full);
        output::print(page.text())
    };
    run.reader
        .calls(&filter, |of| -> Result<(), Failure> { show(&of, true) })?;
    unused.retain(|CallRecord { row, .. }| {
        only.is_none_or(|tick| tick == row.key.tick)
            && resident.is_none_or(|resident| Some(resident) == row.key.resident)
            && args.task.as_ref().is_none_or(|kind| *kind == row.kind)
    });
    for call in unused {
        let key = call.row.key.clone();
        let of = CallUse {
            tick: key.tick,
            resident: key.resident,
            seq: key.seq,
            attempt: key.attempt,
            call,
        };
        show(&of, false)?;
    }
    if shown == 0 && !json {
        output::print("None.\n")?;
    }
    Ok(())
}

impl<'a> Line<'a> {
    fn of(run: &'a RunAt, of: &'a CallUse, task: Option<&'a TaskRow>, used: bool) -> Self {
        let call = &of.call.row;
        let reply = call.outcome.as_ref().ok();
        Self {
            tick: of.tick,
            time: run.clock.time(of.tick).to_string(),
            resident: of.resident.map_or("the town", |id| run.name(id)),
            seq: (call.kind != EMBEDDING).then_some(of.seq),
            attempt: of.attempt,
            task: &call.kind,
            model: &call.model,
            used,
            from_cache_of_tick: of.from_cache().then_some(call.key.tick),
            tokens_in: reply.map_or(0, |reply| reply.tokens_in),
            tokens_cached: reply.map_or(0, |reply| reply.tokens_cached),
            tokens_out: reply.map_or(0, |reply| reply.tokens_out),
            milliseconds: call.milliseconds,
            request: serde_json::from_str(&call.request)
                .unwrap_or_else(|_| serde_json::Value::String(call.request.clone())),
            reply: reply.map(|reply| reply.text.as_str()),
            answered_by: reply.and_then(|reply| reply.answered_by.as_deref()),
            cut_off: reply.is_some_and(|reply| reply.cut_off),
            error: call.outcome.as_ref().err().map(String::as_str),
            answer: task.and_then(|task| serde_json::from_str(&task.answer).ok()),
            fallback: task.and_then(|task| task.fallback.as_deref()),
            cut: task.and_then(|task| task.cut.as_deref()),
        }
    }

    fn write(&self, page: &mut Page, run: &RunAt, full: bool) {
        let again = if self.attempt > 0 && self.seq.is_some() {
            ", asked again"
        } else {
            ""
        };
        let question = self.seq.map_or(String::new(), |seq| format!(", question {seq}"));
        let took = match self.from_cache_of_tick {
            Some(tick) => format!("the reply of tick {}", words::grouped(tick.into())),
            None => {
                let sent = words::grouped(self.tokens_in.into());
                let received = words::grouped(self.tokens_out.into());
                let seconds = f64::from(self.milliseconds.unwrap_or(0)) / 1e3;
                format!("{sent} → {received} tokens, {seconds:.1} s")
            }
        };
        let title = format!(
            "{} {} {}{again}",
            page.look(Look::Faint, words::moment(run.clock.time(self.tick))),
            page.look(Look::Name, self.resident),
            page.look(Look::Strong, self.task),
        );
        let waits = match self.used {
            true => "",
            false if run.is_to_come(self.tick) => "; not used yet",
            false => "; asked ahead and not needed",
        };
        let facts = page.look(
            Look::Faint,
            format!("(tick {}{question}; {}; {took}{waits})", self.tick, self.model),
        );
        if full {
            page.gap();
        }
        page.paragraph(0, &format!("{title} {facts}"));
        if full {
            self.write_request(page);
        }
        match (self.reply, self.error) {
            (Some(reply), _) if full => block(page, "Reply", reply),
            (Some(reply), _) => {
                let one_line = words::shortened(reply, 100);
                page.paragraph(2, &one_line);
            }
            (None, error) => {
                let error = page.look(Look::Warning, error.unwrap_or("no reply"));
                page.paragraph(2, &error);
            }
        }
        if full && let Some(answer) = &self.answer {
            block(page, "Answer", &answer.to_string());
        }
        for (label, text) in [("fallback", self.fallback), ("cut from the prompt", self.cut)] {
            if let Some(text) = text {
                let text = page.look(Look::Warning, format!("{label}: {text}"));
                page.paragraph(2, &text);
            }
        }
        if full {
            page.line("");
        }
    }

    fn write_request(&self, page: &mut Page) {
        let Ok(request) = serde_json::from_value::<ChatRequest>(self.request.clone()) else {
            block(page, "Request", &self.request.to_string());
            return;
        };
        block(page, "Instructions", &request.system);
        for turn in &request.turns {
            let speaker = match turn.speaker {
                Speaker::User => "Question",
                Speaker::Model => "Reply so far",
            };
            block(page, speaker, &turn.text);
        }
    }
}

/// A text under its label, line by line as it is.
fn block(page: &mut Page, label: &str, text: &str) {
    let label = page.look(Look::Faint, format!("  {label}:"));
    page.line(&label);
    for line in text.lines() {
        page.flow("    ", "    ", line);
    }
}
