//! Progress for programs: one JSON object to a line, as `docs/command-line.md` describes.

use serde_json::json;
use townsfolk_engine::Pulse;

use super::{Asked, Begun};
use crate::Done;
use crate::output;

/// What was reported last.
#[derive(Default)]
pub(super) struct Lines {
    hour: Option<i64>,
}

impl Lines {
    pub(super) fn started(&self, begun: &Begun) -> Done {
        output::print_json_line(&json!({
            "event": "started",
            "town": begun.town,
            "residents": begun.residents,
            "mind": begun.mind,
            "seed": begun.seed,
            "file": begun.file,
            "how": begun.how.as_deref().unwrap_or("new"),
            "tick": begun.tick,
            "time": begun.time(begun.tick).to_string(),
            "until_tick": begun.until,
            "until_time": begun.time(begun.until).to_string(),
            "seconds_per_tick": begun.clock.seconds_per_tick,
        }))
    }

    pub(super) fn progress(&mut self, tick: u64, until: u64, pulse: &Pulse, asked: Option<&Asked>) {
        let hour = pulse.now.seconds().div_euclid(3_600);
        if self.hour.replace(hour) == Some(hour) {
            return;
        }
        // Where nobody reads any more the run goes on: its file is what counts.
        let mut line = json!({
            "event": "progress",
            "tick": tick,
            "until_tick": until,
            "time": pulse.now.to_string(),
            "asleep": pulse.asleep,
            "walking": pulse.walking,
            "talking": pulse.talking,
        });
        if let Some(Asked { spending, fallbacks }) = asked {
            line["models"] = json!({
                "calls": spending.calls,
                "failed": spending.failed,
                "from_cache": spending.from_cache,
                "recorded": spending.recorded,
                "tokens_in": spending.tokens_in,
                "tokens_out": spending.tokens_out,
                "usd": spending.usd,
                "fallbacks": fallbacks,
            });
        }
        let _ = output::print_json_line(&line);
    }

    pub(super) fn ended(&self, event: &str, begun: &Begun, tick: u64) -> Done {
        output::print_json_line(&json!({
            "event": event,
            "tick": tick,
            "time": begun.time(tick).to_string(),
            "file": begun.file,
        }))
    }

    pub(super) fn halted(&self, begun: &Begun, tick: u64, reason: &str) -> Done {
        output::print_json_line(&json!({
            "event": "paused",
            "tick": tick,
            "time": begun.time(tick).to_string(),
            "file": begun.file,
            "reason": reason,
        }))
    }

    pub(super) fn failed(&self, begun: &Begun, error: &str) -> Done {
        output::print_json_line(&json!({ "event": "failed", "file": begun.file, "error": error }))
    }
}
