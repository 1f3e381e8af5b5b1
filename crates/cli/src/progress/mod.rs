//! Showing how a run gets on: a bar on a terminal, a line for each game hour elsewhere, JSON lines
//! for programs, or nothing.
//!
//! What is shown never changes what happens; where nobody listens any more, the run goes on.

mod bar;
mod hourly;
mod json;

use std::path::PathBuf;
use std::time::Instant;

use townsfolk_engine::ledger::Spending;
use townsfolk_engine::{Progress, Pulse};

use self::bar::Bar;
use self::hourly::Hourly;
use crate::args::Pace;
use crate::models::ROUTINE;
use crate::output::{self, Channel};
use crate::page::Look;
use crate::when::Clock;
use crate::{Done, words};

/// What is known when a run begins or goes on.
pub(crate) struct Begun {
    /// How it came about, unless it is new: `resumed`, `forked from …`.
    pub(crate) how: Option<String>,
    /// Its file.
    pub(crate) file: PathBuf,
    /// The town's name.
    pub(crate) town: String,
    /// How many live there.
    pub(crate) residents: usize,
    /// The seed.
    pub(crate) seed: u64,
    /// Who answers: `routine`, or the model that thinks.
    pub(crate) mind: String,
    /// How time is counted.
    pub(crate) clock: Clock,
    /// The tick it begins at.
    pub(crate) tick: u64,
    /// How many ticks it is to have.
    pub(crate) until: u64,
}

impl Begun {
    /// The tick as the run file counts, where it fits (the engine refuses longer runs).
    fn time(&self, tick: u64) -> townsfolk_time::GameTime {
        self.clock.time(u32::try_from(tick).unwrap_or(u32::MAX))
    }
}

/// Shows a run, in the way that was asked for.
pub(crate) struct Show {
    begun: Begun,
    how: How,
    since: Instant,
}

enum How {
    Bar(Bar),
    Hourly(Hourly),
    Json(json::Lines),
    Quiet,
}

impl Show {
    /// Chooses the way.
    pub(crate) fn new(pace: Pace, begun: Begun) -> Self {
        let how = match pace {
            Pace { json: true, .. } => How::Json(json::Lines::default()),
            Pace { quiet: true, .. } => How::Quiet,
            _ if Channel::Aside.is_terminal() => How::Bar(Bar::new(&begun)),
            _ => How::Hourly(Hourly::default()),
        };
        Self {
            begun,
            how,
            since: Instant::now(),
        }
    }

    /// The run begins.
    pub(crate) fn started(&mut self) -> Done {
        match &self.how {
            How::Json(lines) => lines.started(&self.begun),
            How::Quiet => Ok(()),
            How::Bar(_) | How::Hourly(_) => {
                self.introduce();
                Ok(())
            }
        }
    }

    /// A tick was computed.
    pub(crate) fn progress(&mut self, progress: &Progress<'_>) {
        let (tick, pulse) = (progress.engine.tick(), progress.engine.pulse());
        let asked = Asked {
            spending: progress.spending,
            fallbacks: progress.fallbacks,
        };
        let asked = (self.begun.mind != ROUTINE).then_some(&asked);
        match &mut self.how {
            How::Bar(bar) => bar.progress(tick, &pulse, asked),
            How::Hourly(hourly) => hourly.progress(tick, &pulse, asked),
            How::Json(lines) => lines.progress(tick, self.begun.until, &pulse, asked),
            How::Quiet => {}
        }
    }

    /// It reached its end.
    pub(crate) fn finished(&mut self, tick: u64) -> Done {
        self.end();
        match &self.how {
            How::Json(lines) => lines.ended("finished", &self.begun, tick),
            How::Quiet => Ok(()),
            How::Bar(_) | How::Hourly(_) => {
                let ticks = words::count(tick - self.begun.tick.min(tick), "tick", "ticks");
                let seconds = self.since.elapsed().as_secs_f64();
                output::remark(&format!("Done: {ticks} in {seconds:.1} s\n\n"));
                Ok(())
            }
        }
    }

    /// It was stopped by Ctrl-C and is saved.
    pub(crate) fn paused(&mut self, tick: u64) -> Done {
        self.end();
        let file = words::path(&self.begun.file);
        let at = words::moment_with_year(self.begun.time(tick));
        // This is said even where quiet was asked for: something was stopped.
        match &self.how {
            How::Json(lines) => lines.ended("paused", &self.begun, tick),
            _ => {
                output::remark(&format!(
                    "Stopped at {at}; everything up to there is saved.\nGo on with: townsfolk resume {file}\n"
                ));
                Ok(())
            }
        }
    }

    /// It cannot go on for now and is saved; the caller says why on standard error.
    pub(crate) fn halted(&mut self, tick: u64, reason: &str) -> Done {
        self.end();
        match &self.how {
            How::Json(lines) => lines.halted(&self.begun, tick, reason),
            _ => Ok(()),
        }
    }

    /// It failed; the caller says why on standard error.
    pub(crate) fn failed(&mut self, message: &str) -> Done {
        self.end();
        match &self.how {
            How::Json(lines) => lines.failed(&self.begun, message),
            _ => Ok(()),
        }
    }

    fn end(&mut self) {
        if let How::Bar(bar) = &self.how {
            bar.end();
        }
    }

    fn introduce(&self) {
        let begun = &self.begun;
        let mut page = output::aside();
        let residents = words::count(begun.residents, "resident", "residents");
        let how = begun
            .how
            .as_ref()
            .map(|how| format!(", {how}"))
            .unwrap_or_default();
        let town = page.look(Look::Strong, &begun.town);
        page.paragraph(0, &format!("{town}: {residents}, seed {}{how}", begun.seed));
        let (from, to) = (begun.time(begun.tick), begun.time(begun.until));
        page.paragraph(
            0,
            &format!(
                "{} to {} ({}), written to {}",
                words::moment_with_year(from),
                words::moment_with_year(to),
                words::span(to - from),
                words::path(&begun.file)
            ),
        );
        let note = match begun.mind.as_str() {
            ROUTINE => {
                "Minds: routine, that is rules over what residents remember; no language model is asked."
                    .to_owned()
            }
            model => format!("Minds: {model}. Every call is written down before its reply is used."),
        };
        let note = page.look(Look::Faint, note);
        page.paragraph(0, &note);
        output::remark(page.text());
    }
}

/// What was asked of models since the run began or was taken up.
struct Asked {
    spending: Spending,
    fallbacks: u64,
}

impl Asked {
    /// `1,204 calls, 310,000 tokens, $0.42, 3 fallbacks`.
    fn words(&self) -> String {
        let Self { spending, fallbacks } = self;
        let mut text = format!(
            "{}, {}",
            words::count(spending.calls, "call", "calls"),
            words::count(spending.tokens(), "token", "tokens")
        );
        if let Some(usd) = spending.usd.filter(|usd| *usd > 0.0) {
            text.push_str(&format!(", {}", words::usd(usd)));
        }
        if *fallbacks > 0 {
            text.push_str(&format!(
                ", {}",
                words::count(*fallbacks, "fallback", "fallbacks")
            ));
        }
        text
    }
}

/// What a town is up to, in a few words: `18 awake, 4 talking`, `all asleep until 06:00`.
fn up_to(pulse: &Pulse) -> String {
    if pulse.asleep == pulse.residents {
        return format!("all asleep until {}", words::time_of_day(pulse.next));
    }
    let mut text = format!("{} awake", pulse.residents - pulse.asleep);
    if pulse.talking > 0 {
        text.push_str(&format!(", {} talking", pulse.talking));
    }
    text
}
