//! Progress on a terminal: a bar to the end, the game's clock, the pace, what the town is up to.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use townsfolk_engine::Pulse;

use super::{Asked, Begun, up_to};
use crate::output::Channel;
use crate::words;

/// Time between two looks at the town; the eye wants no more.
const EVERY: Duration = Duration::from_millis(100);

/// A bar that is being drawn.
pub(super) struct Bar {
    bar: ProgressBar,
    from: u64,
    began: Instant,
    drawn: Instant,
}

impl Bar {
    pub(super) fn new(begun: &Begun) -> Self {
        let ticks = begun.until.saturating_sub(begun.tick);
        let bar = ProgressBar::with_draw_target(Some(ticks), ProgressDrawTarget::stderr_with_hz(10));
        let template = match Channel::Aside.colours() {
            true => "{bar:18.cyan/dim} {percent:>3} %  {wide_msg}",
            false => "{bar:18} {percent:>3} %  {wide_msg}",
        };
        // The templates are fixed and right; should one be wrong, the usual bar does.
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("━╸─"));
        let now = Instant::now();
        Self {
            bar,
            from: begun.tick,
            began: now,
            drawn: now - EVERY,
        }
    }

    pub(super) fn progress(&mut self, tick: u64, pulse: &Pulse, asked: Option<&Asked>) {
        if self.drawn.elapsed() < EVERY {
            return;
        }
        self.drawn = Instant::now();
        let done = tick.saturating_sub(self.from);
        let pace = done as f64 / self.began.elapsed().as_secs_f64().max(0.001);
        let pace = words::grouped(pace as u64);
        self.bar.set_position(done);
        self.bar.set_message(format!(
            "{}  {} · {}",
            words::moment(pulse.now),
            up_to(pulse),
            asked.map_or_else(|| format!("{pace} ticks/s"), Asked::words)
        ));
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
