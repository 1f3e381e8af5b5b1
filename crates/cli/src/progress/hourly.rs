//! Progress where there is no terminal: one line for each game hour in which anything happened.

use std::time::Instant;

use townsfolk_engine::Pulse;

use super::{Asked, up_to};
use crate::output;
use crate::words;

/// What was reported last.
#[derive(Default)]
pub(super) struct Hourly {
    last: Option<Report>,
}

struct Report {
    hour: i64,
    quiet: bool,
    tick: u64,
    at: Instant,
}

impl Hourly {
    pub(super) fn progress(&mut self, tick: u64, pulse: &Pulse, asked: Option<&Asked>) {
        let hour = pulse.now.seconds().div_euclid(3_600);
        let quiet = pulse.asleep == pulse.residents;
        let pace = match &self.last {
            // A quiet stretch is one line, however many hours it has.
            Some(last) if last.hour == hour || (last.quiet && quiet) => return,
            Some(last) => {
                let pace = (tick - last.tick.min(tick)) as f64 / last.at.elapsed().as_secs_f64().max(0.001);
                format!(" · {} ticks/s", words::grouped(pace as u64))
            }
            None => String::new(),
        };
        let asked = asked
            .map(|asked| format!(" · {}", asked.words()))
            .unwrap_or_default();
        output::remark(&format!(
            "{}  {}{pace}{asked}\n",
            words::moment(pulse.now),
            up_to(pulse)
        ));
        self.last = Some(Report {
            hour,
            quiet,
            tick,
            at: Instant::now(),
        });
    }
}
