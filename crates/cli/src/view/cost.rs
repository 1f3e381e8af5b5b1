//! What calls to models took and cost: by task, resident, hour of game time and model.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use townsfolk_engine::ledger::{Prices, add_usd, known_cost_usd, prices_of};
use townsfolk_store::{CallCount, CallRow};
use townsfolk_time::GameTime;

use super::{Moment, View, head};
use crate::failure::Failure;
use crate::page::{Look, Page, right_aligned};
use crate::run_at::RunAt;
use crate::words;

/// Seconds of game time in a line of the table by hour.
const HOUR: i64 = 3_600;

/// What the story cost up to the moment looked at, and what this file has paid for.
#[derive(Serialize)]
pub(super) struct Cost {
    total: Sum,
    tasks: BTreeMap<String, Sum>,
    residents: Vec<Resident>,
    hours: Vec<Hour>,
    models: BTreeMap<String, Sum>,
    /// All that this run paid for, whatever became of it. A fork has not paid for its parent's calls.
    paid: Paid,
    /// Of it, what was asked for ticks to come, which no sum above has.
    waiting: Sum,
    /// Of it, what was asked ahead for ticks that came otherwise, which no sum above has either.
    unneeded: Sum,
    /// Models whose price is not known: no sum has what they cost.
    without_price: Vec<String>,
    #[serde(skip)]
    moment: Moment,
    /// The run, to be pasted.
    #[serde(skip)]
    file: String,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Sum {
    calls: u64,
    failed: u64,
    from_cache: u64,
    tokens_in: u64,
    tokens_cached: u64,
    tokens_out: u64,
    /// US dollars; none where no price is known.
    usd: Option<f64>,
    milliseconds: u64,
}

#[derive(Serialize)]
struct Resident {
    resident: String,
    #[serde(flatten)]
    sum: Sum,
}

#[derive(Serialize)]
struct Hour {
    /// When it begins.
    from: String,
    #[serde(skip)]
    time: GameTime,
    #[serde(flatten)]
    sum: Sum,
}

#[derive(Default, Serialize)]
struct Paid {
    calls: u64,
    tokens: u64,
    usd: Option<f64>,
}

impl Sum {
    /// Adds a call that no tick rests on.
    fn add_unused(&mut self, call: &CallRow, prices: &Prices) {
        self.calls += 1;
        self.milliseconds += u64::from(call.milliseconds.unwrap_or(0));
        let Ok(reply) = &call.outcome else {
            self.failed += 1;
            return;
        };
        let sums = [reply.tokens_in, reply.tokens_cached, reply.tokens_out].map(u64::from);
        self.tokens_in += sums[0];
        self.tokens_cached += sums[1];
        self.tokens_out += sums[2];
        add_usd(&mut self.usd, known_cost_usd(prices, &call.model, sums));
    }

    fn add(&mut self, count: &CallCount, usd: Option<f64>) {
        self.calls += count.calls;
        self.failed += count.failed;
        self.from_cache += count.from_cache;
        self.tokens_in += count.tokens_in;
        self.tokens_cached += count.tokens_cached;
        self.tokens_out += count.tokens_out;
        add_usd(&mut self.usd, usd);
        self.milliseconds += count.milliseconds;
    }
}

impl Cost {
    pub(super) fn of(run: &RunAt) -> Result<Self, Failure> {
        let prices = prices_of(&run.info);
        let usd = |model: &str, tokens| known_cost_usd(&prices, model, tokens);
        let ticks_per_hour = u32::try_from(HOUR / run.clock.seconds_per_tick)
            .unwrap_or(1)
            .max(1);
        let mut total = Sum::default();
        let mut tasks: BTreeMap<String, Sum> = BTreeMap::new();
        let mut residents: BTreeMap<Option<u32>, Sum> = BTreeMap::new();
        let mut hours: BTreeMap<u32, Sum> = BTreeMap::new();
        let mut by_model: BTreeMap<String, Sum> = BTreeMap::new();
        for count in run.reader.call_counts(run.tick, ticks_per_hour)? {
            let cost = usd(
                &count.model,
                [count.tokens_in, count.tokens_cached, count.tokens_out],
            );
            total.add(&count, cost);
            tasks.entry(count.kind.clone()).or_default().add(&count, cost);
            residents.entry(count.resident).or_default().add(&count, cost);
            hours.entry(count.stretch).or_default().add(&count, cost);
            by_model.entry(count.model.clone()).or_default().add(&count, cost);
        }
        let mut paid = Paid::default();
        for spent in run.reader.spent()? {
            paid.calls += spent.calls;
            paid.tokens += spent.tokens_in + spent.tokens_out;
            let cost = usd(
                &spent.model,
                [spent.tokens_in, spent.tokens_cached, spent.tokens_out],
            );
            add_usd(&mut paid.usd, cost);
        }
        let (mut waiting, mut unneeded) = (Sum::default(), Sum::default());
        let mut asked: BTreeSet<String> = by_model.keys().cloned().collect();
        for call in run.unused_calls()? {
            let sum = match run.is_to_come(call.row.key.tick) {
                true => &mut waiting,
                false => &mut unneeded,
            };
            sum.add_unused(&call.row, &prices);
            asked.insert(call.row.model);
        }
        asked.retain(|model| !prices.contains_key(model));
        Ok(Self {
            total,
            without_price: asked.into_iter().collect(),
            waiting,
            unneeded,
            tasks,
            residents: residents
                .into_iter()
                .map(|(id, sum)| Resident {
                    resident: id.map_or("the town", |id| run.name(id)).to_owned(),
                    sum,
                })
                .collect(),
            hours: hours
                .into_iter()
                .map(|(hour, sum)| {
                    let time = run.clock.time(hour * ticks_per_hour);
                    Hour {
                        from: time.to_string(),
                        time,
                        sum,
                    }
                })
                .collect(),
            models: by_model,
            paid,
            moment: Moment::of(run),
            file: words::path(run.reader.path()),
        })
    }
}

impl View for Cost {
    fn write(&self, page: &mut Page) {
        head(page, "Calls to models, and what they took", &self.moment);
        let used = self.total.calls + self.total.from_cache;
        if used + self.waiting.calls + self.unneeded.calls == 0 {
            page.line("No model was asked.");
            return;
        }
        if used > 0 {
            self.write_tables(page);
        }
        let Paid { calls, tokens, usd } = self.paid;
        page.paragraph(
            0,
            &format!(
                "This file has paid for {} with {}, {}.",
                words::count(calls, "call", "calls"),
                words::count(tokens, "token", "tokens"),
                words::maybe_usd(usd)
            ),
        );
        let waiting = &self.waiting;
        if waiting.calls > 0 {
            let mut note = format!(
                "{} not used yet: they are for ticks to come, and in none of the tables.",
                words::count(waiting.calls, "of these calls is", "of these calls are"),
            );
            if waiting.failed > 0 {
                note.push_str(&format!(
                    " {} of them failed; `townsfolk inspect {} calls --failed` says why.",
                    words::grouped(waiting.failed),
                    self.file
                ));
            }
            page.paragraph(0, &note);
        }
        if self.unneeded.calls > 0 {
            let note = format!(
                "{} in none of the tables: asked ahead, and not needed when their tick came.",
                words::count(self.unneeded.calls, "of these calls is", "of these calls are"),
            );
            page.paragraph(0, &note);
        }
        if !self.without_price.is_empty() {
            let note = format!(
                "No price is known for {}: what it cost is in none of these sums.",
                words::list(&self.without_price)
            );
            let note = page.look(Look::Warning, note);
            page.paragraph(0, &note);
        }
    }
}

impl Cost {
    fn write_tables(&self, page: &mut Page) {
        table(
            page,
            "By task",
            self.tasks.iter().map(|(task, sum)| (task.clone(), sum)),
        );
        let residents = self.residents.iter().map(|of| (of.resident.clone(), &of.sum));
        table(page, "By resident", residents);
        let hours = self.hours.iter().map(|of| (words::moment(of.time), &of.sum));
        table(page, "By hour of game time", hours);
        let models = self.models.iter().map(|(model, sum)| (model.clone(), sum));
        table(
            page,
            "By model",
            models.chain([("in all".to_owned(), &self.total)]),
        );
        page.gap();
    }
}

/// Sums, most tokens first as they come.
fn table<'a>(page: &mut Page, title: &str, sums: impl Iterator<Item = (String, &'a Sum)>) {
    page.heading(title);
    let titles = [
        "", "calls", "cached", "failed", "sent", "received", "cost", "s a call",
    ];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    for (name, sum) in sums {
        let seconds = sum.milliseconds as f64 / 1e3 / sum.calls.max(1) as f64;
        let mut row = vec![name];
        row.extend(
            [
                sum.calls,
                sum.from_cache,
                sum.failed,
                sum.tokens_in,
                sum.tokens_out,
            ]
            .map(words::grouped),
        );
        row.extend([words::maybe_usd(sum.usd), format!("{seconds:.1}")]);
        rows.push(row);
    }
    right_aligned(&mut rows);
    page.table(0, &rows);
}
