//! `townsfolk run --dry-run`: what a run would take, before anything is spent.

use std::collections::BTreeMap;

use anyhow::anyhow;
use serde::Serialize;
use townsfolk_engine::ledger::{add_usd, known_cost_usd};
use townsfolk_engine::{Load, Minds, Options, estimate};
use townsfolk_store::EMBEDDING;
use townsfolk_time::DAY_SECONDS;
use townsfolk_town::Town;

use crate::Done;
use crate::args::Pace;
use crate::failure::Failure;
use crate::output;
use crate::page::Look;
use crate::words;

/// The run that would be.
pub(super) struct Planned {
    pub(super) town: Town,
    pub(super) seed: u64,
    pub(super) minds: Minds,
    /// How many ticks it would have.
    pub(super) ticks: u64,
}

#[derive(Serialize)]
struct Shown {
    town: String,
    residents: usize,
    /// Game days that were lived for the estimate; the run's own length, but a day at most.
    days_measured: f64,
    days_of_the_run: f64,
    /// For one resident and one day.
    per_resident_day: BTreeMap<&'static str, Line>,
    per_resident_day_in_all: Line,
    run_in_all: Line,
    models_without_price: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Line {
    calls: f64,
    from_cache: f64,
    tokens_in: f64,
    tokens_out: f64,
    /// US dollars; none where no price is known.
    usd: Option<f64>,
}

impl Line {
    fn of(load: &Load, usd: Option<f64>) -> Self {
        Self {
            calls: load.calls as f64,
            from_cache: load.from_cache as f64,
            tokens_in: load.tokens_in as f64,
            tokens_out: load.tokens_out as f64,
            usd,
        }
    }

    fn times(self, factor: f64) -> Self {
        Self {
            calls: self.calls * factor,
            from_cache: self.from_cache * factor,
            tokens_in: self.tokens_in * factor,
            tokens_out: self.tokens_out * factor,
            usd: self.usd.map(|usd| usd * factor),
        }
    }

    fn plus(self, other: Self) -> Self {
        let mut usd = self.usd;
        add_usd(&mut usd, other.usd);
        Self {
            calls: self.calls + other.calls,
            from_cache: self.from_cache + other.from_cache,
            tokens_in: self.tokens_in + other.tokens_in,
            tokens_out: self.tokens_out + other.tokens_out,
            usd,
        }
    }

    fn cells(self) -> [String; 5] {
        let number = |number: f64| {
            if number < 10.0 {
                format!("{number:.1}")
            } else {
                words::grouped(number.round() as u64)
            }
        };
        [
            number(self.calls),
            number(self.from_cache),
            number(self.tokens_in),
            number(self.tokens_out),
            words::maybe_usd(self.usd),
        ]
    }
}

/// Measures the first day, or less if the run is shorter, and scales it to the run.
pub(super) fn dry_run(planned: Planned, options: Options, pace: Pace) -> Done {
    if planned.minds.models.is_none() && planned.minds.remote.is_none() {
        return Err(Failure::Usage(anyhow!(
            "the routine mind costs nothing; name a model with --model or --models to estimate what it would take"
        )));
    }
    let per_tick = i64::from(planned.town.seconds_per_tick.max(1));
    let ticks_a_day = (DAY_SECONDS / per_tick).max(1) as u64;
    let measured = planned.ticks.min(ticks_a_day);
    let days = |ticks: u64| ticks as f64 / ticks_a_day as f64;
    let (town_name, residents) = (planned.town.name.clone(), planned.town.residents.len());
    if !pace.quiet && !pace.json {
        output::remark("Living a day with the routine mind to see what would be asked …\n");
    }
    let estimate = estimate(planned.town, planned.seed, &planned.minds, measured, options)
        .map_err(|halted| Failure::Failed(anyhow!(halted.reason)))?;
    let resident_days = (residents.max(1) as f64) * days(measured);
    let mut per_resident_day = BTreeMap::new();
    let mut in_all = Line::default();
    let mut models_without_price = Vec::new();
    let tasks = estimate.tasks.iter().map(|(kind, load)| (kind.name(), load));
    let embedding = (estimate.embedding.calls > 0).then_some((EMBEDDING, &estimate.embedding));
    for (name, load) in tasks.chain(embedding) {
        let prices = &planned.minds.terms.prices;
        let usd = known_cost_usd(prices, &load.model, [load.tokens_in, 0, load.tokens_out]);
        if usd.is_none() && load.calls > 0 && !models_without_price.contains(&load.model) {
            models_without_price.push(load.model.clone());
        }
        let line = Line::of(load, usd);
        in_all = in_all.plus(line);
        per_resident_day.insert(name, line.times(1.0 / resident_days));
    }
    let shown = Shown {
        town: town_name,
        residents,
        days_measured: days(measured),
        days_of_the_run: days(planned.ticks),
        per_resident_day,
        per_resident_day_in_all: in_all.times(1.0 / resident_days),
        run_in_all: in_all.times(days(planned.ticks) / days(measured)),
        models_without_price,
    };
    if pace.json {
        return output::print_json(&shown);
    }
    write(&shown)
}

fn write(shown: &Shown) -> Done {
    let mut page = output::page();
    let residents = words::count(shown.residents, "resident", "residents");
    page.title(&format!("What {} would take, {residents}", shown.town));
    // A part of a day is not scaled to a whole one: people wake up and plan once.
    let part = shown.days_measured.min(1.0);
    page.heading(&match part < 1.0 {
        true => format!("For one resident in these {part:.2} days"),
        false => "For one resident and one day".to_owned(),
    });
    let titles = ["", "calls", "cached", "sent", "received", "cost"].map(str::to_owned);
    let mut rows = vec![titles.to_vec()];
    let lines = shown.per_resident_day.iter().map(|(kind, line)| (*kind, *line));
    for (name, line) in lines.chain([("in all", shown.per_resident_day_in_all)]) {
        rows.push([vec![name.to_owned()], line.times(part).cells().to_vec()].concat());
    }
    crate::page::right_aligned(&mut rows);
    page.table(0, &rows);
    page.gap();
    let [calls, _, sent, received, cost] = shown.run_in_all.cells();
    let line = format!(
        "The run of {:.1} days: about {calls} calls, {sent} tokens sent, {received} received, {cost}.",
        shown.days_of_the_run
    );
    page.paragraph(0, &line);
    let note = format!(
        "Measured on {:.1} days of this town lived by the routine mind, whose answers went through the real prompts \
         instead of a model's. Tokens are estimated from the texts; what a provider's cache of prompts saves is not \
         taken off; answers of a model that thinks aloud are longer.",
        shown.days_measured
    );
    let note = page.look(Look::Faint, note);
    page.paragraph(0, &note);
    if !shown.models_without_price.is_empty() {
        let models = words::list(&shown.models_without_price);
        let note = page.look(
            Look::Warning,
            format!("No price is known for {models}: what it costs is in none of these sums."),
        );
        page.paragraph(0, &note);
    }
    output::print(page.text())
}
