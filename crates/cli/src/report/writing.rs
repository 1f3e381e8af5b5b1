//! The report as a page for people.

use std::collections::BTreeMap;

use townsfolk_time::{DAY_SECONDS, GameTime};

use super::days::Day;
use super::news::{Knower, News};
use super::occasions::{Occasion, Stage, Stay};
use super::{DriftTotals, Report, TaskTotals};
use crate::models::ROUTINE;
use crate::page::{Look, Page};
use crate::words;

/// Pieces of news, changed plans and names that the page has room for.
const NEWS: usize = 3;
const CHANGED_PLANS: usize = 3;
const TELLINGS: usize = 6;
const ALSO_THERE: usize = 5;

impl Report {
    /// Writes the page.
    pub(crate) fn write(&self, page: &mut Page) {
        self.write_head(page);
        for day in &self.days {
            day.write(page, self.run.span);
        }
        self.write_occasions(page);
        self.write_news(page);
        self.write_totals(page);
        self.write_further(page);
    }

    fn write_head(&self, page: &mut Page) {
        let run = &self.run;
        let (start, now) = run.span;
        let span = words::span(now - start);
        page.title(&format!(
            "{}: {} to {}",
            run.town,
            words::moment_with_year(start),
            words::moment_with_year(now)
        ));
        let mut residents = words::count(run.residents, "resident", "residents");
        if run.visitors > 0 {
            residents += &format!(" and {}", words::count(run.visitors, "visitor", "visitors"));
        }
        let fork = run
            .forked_at_tick
            .map(|tick| format!(", forked at tick {tick}"))
            .unwrap_or_default();
        let mind = match run.minds.as_slice() {
            [one] if one == ROUTINE => "routine mind (rules over memories; no language model)".to_owned(),
            [model] => format!("mind: {model}"),
            several => format!("minds: {}", words::list(several)),
        };
        let facts = format!(
            "{residents}, {span}, seed {}{fork}, {mind}, {}",
            run.seed, run.state
        );
        let facts = page.look(Look::Faint, facts);
        page.paragraph(0, &facts);
    }

    fn write_occasions(&self, page: &mut Page) {
        if self.occasions.is_empty() {
            return;
        }
        page.heading("Occasions");
        for occasion in &self.occasions {
            occasion.write(page);
        }
    }

    fn write_news(&self, page: &mut Page) {
        page.heading("What went around");
        if self.news.is_empty() {
            page.line("  Nothing was passed on.");
        }
        for news in self.news.iter().take(NEWS) {
            news.write_short(page, self.run.residents);
        }
        if let Some(more @ 1..) = self.news.len().checked_sub(NEWS) {
            let more = words::count(more, "other thing was", "other things were");
            page.line(&format!("  {more} passed on."));
        }
    }

    fn write_totals(&self, page: &mut Page) {
        page.heading("In numbers");
        let memories = self.memories;
        let mut rows = vec![vec![
            "memories".to_owned(),
            format!(
                "{}: {} observations, {} reflections, {} plans, {} conversations",
                words::grouped(memories.total() as u64),
                words::grouped(memories.observations as u64),
                words::grouped(memories.reflections as u64),
                words::grouped(memories.plans as u64),
                words::grouped(memories.conversations as u64)
            ),
        ]];
        rows.extend(asked(&self.tasks));
        rows.extend(drifted(&self.drift));
        rows.push(vec![
            "file".to_owned(),
            format!("{}, {}", self.run.file, words::size(self.run.file_bytes)),
        ]);
        page.table(2, &rows);
    }

    fn write_further(&self, page: &mut Page) {
        page.heading("Look further");
        let file = words::path(std::path::Path::new(&self.run.file));
        let somebody = words::path(std::path::Path::new(&self.run.somebody));
        for line in [
            format!("townsfolk inspect {file} chats"),
            format!("townsfolk inspect {file} schedule {somebody} --at \"day 1 12:00\""),
            format!("townsfolk inspect {file} news"),
            format!("townsfolk resume {file} --days 1"),
        ] {
            page.line(&format!("  {line}"));
        }
    }
}

/// How far residents' views of themselves have moved, where they were asked twice.
fn drifted(drift: &DriftTotals) -> Option<Vec<String>> {
    let (name, growth) = drift.furthest.as_ref()?;
    let facts = words::count(drift.changed_facts, "changed fact", "changed facts");
    let said = words::count(drift.self_descriptions, "self-description", "self-descriptions");
    Some(vec![
        "drift".to_owned(),
        format!("{said}: {facts}; furthest from itself {name} ({growth:+.2})"),
    ])
}

impl Day {
    fn write(&self, page: &mut Page, (start, end): (GameTime, GameTime)) {
        let mut title = format!("Day {}, {}", self.day, words::date(self.begins));
        if start > self.begins {
            title.push_str(&format!(", from {}", words::time_of_day(start)));
        }
        if end < self.begins + DAY_SECONDS {
            title.push_str(&format!(", until {}", words::time_of_day(end)));
        }
        page.heading(&title);
        let talked = match self.conversations {
            0 => "Nobody talked.".to_owned(),
            number => {
                let most: Vec<String> = self
                    .talked_most
                    .iter()
                    .map(|(name, count)| format!("{name} ({count})"))
                    .collect();
                format!(
                    "{} with {}; most by {}.",
                    words::count(number, "conversation", "conversations"),
                    words::count(self.lines, "line", "lines"),
                    words::list(&most)
                )
            }
        };
        page.paragraph(2, &talked);
        if self.facts_heard > 0 {
            let who = words::count(self.residents_who_heard, "resident", "residents");
            let facts = words::count(self.facts_heard, "thing", "things");
            page.paragraph(2, &format!("{who} learned {facts} from others."));
        }
        self.write_changed_plans(page);
        if self.reflections > 0 {
            let reflections = words::count(self.reflections, "reflection", "reflections");
            page.paragraph(2, &format!("{reflections}, such as"));
            for conclusion in &self.conclusions {
                let name = page.look(Look::Name, &conclusion.resident);
                page.flow("    · ", "      ", &format!("{name}: {}", conclusion.text));
            }
        }
        for notice in &self.notices {
            let times = words::count(notice.count, "time", "times");
            let kind = page.look(Look::Warning, notice.kind.replace('_', " "));
            page.flow("  ", "    ", &format!("{kind} {times}, first {}", notice.first));
        }
    }

    fn write_changed_plans(&self, page: &mut Page) {
        if self.changed_plans.is_empty() {
            return;
        }
        let plans = words::count(self.changed_plans.len(), "plan", "plans");
        page.paragraph(
            2,
            &format!("{plans} changed by something heard or agreed, such as"),
        );
        let telling = self
            .changed_plans
            .iter()
            .filter(|change| !change.changes.is_empty());
        for change in telling.take(CHANGED_PLANS) {
            let name = page.look(Look::Name, &change.resident);
            let new = change
                .changes
                .first()
                .map(|change| change.words())
                .unwrap_or_default();
            page.flow(
                "    · ",
                "      ",
                &format!("{name}: {new}, since “{}”", change.because),
            );
        }
    }
}

impl Occasion {
    fn write(&self, page: &mut Page) {
        let (start, end) = self.times;
        let place = self
            .place
            .as_ref()
            .map(|place| format!(", {place}"))
            .unwrap_or_default();
        let when = format!("{}–{}{place}", words::moment(start), words::time_of_day(end));
        let what = page.look(Look::Strong, &self.what);
        let host = page.look(Look::Name, &self.host);
        page.flow("  ", "    ", &format!("{what}, {when}; host: {host}"));
        let mut rows = Vec::new();
        let row = |label: &str, names: &[String]| {
            vec![label.to_owned(), names.len().to_string(), words::list(names)]
        };
        rows.push(row("heard of it", &self.heard));
        rows.push(row("accepted", &self.accepted));
        let (number, declined) = (self.declined.len(), self.declined_words());
        rows.push(vec!["declined".to_owned(), number.to_string(), declined]);
        let stay = |stay: &Stay| format!("{} ({} min)", stay.resident, stay.minutes);
        if self.stage != Stage::Ahead {
            let label = if self.stage == Stage::Over {
                "came"
            } else {
                "there so far"
            };
            let guests = self.came.iter().filter(|stay| stay.resident != self.host);
            rows.push(row(label, &guests.map(stay).collect::<Vec<_>>()));
            let host = self.came.iter().find(|stay| stay.resident == self.host);
            if host.is_none() {
                rows.push(vec!["host absent".to_owned(), String::new(), self.host.clone()]);
            }
            if !self.also_there.is_empty() {
                let mut names: Vec<String> = self.also_there.iter().take(ALSO_THERE).map(stay).collect();
                if let Some(more @ 1..) = self.also_there.len().checked_sub(ALSO_THERE) {
                    names.push(format!("{more} more"));
                }
                rows.push(vec![
                    "also there".to_owned(),
                    self.also_there.len().to_string(),
                    words::list(&names),
                ]);
            }
        } else {
            rows.push(vec!["still ahead".to_owned(), String::new(), String::new()]);
        }
        page.table(4, &rows);
    }
}

impl Occasion {
    /// Who declined, those with the same reason together.
    fn declined_words(&self) -> String {
        let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for declined in &self.declined {
            // Where the reason is a sentence about the resident, the name need not stand there again.
            let reason = declined.reason.trim();
            let reason = reason
                .strip_prefix(declined.resident.as_str())
                .unwrap_or(reason)
                .trim();
            by_reason
                .entry(reason)
                .or_default()
                .push(declined.resident.clone());
        }
        let group = |(reason, names): (&str, Vec<String>)| match reason {
            "" => words::list(&names),
            reason => format!("{} ({reason})", words::list(&names)),
        };
        by_reason.into_iter().map(group).collect::<Vec<_>>().join("; ")
    }
}

impl News {
    /// In a few lines: who told whom.
    fn write_short(&self, page: &mut Page, residents: u32) {
        let known = page.look(Look::Faint, format!("{} of {residents} know it", self.known_by));
        page.flow("  ", "    ", &format!("“{}” · {known}", self.text));
        let mut tellings = Vec::new();
        for holder in &self.first_holders {
            chains(holder, &mut tellings);
        }
        let more = tellings.len().saturating_sub(TELLINGS);
        tellings.truncate(TELLINGS);
        let more = if more > 0 {
            format!("; and so on, {more} more")
        } else {
            String::new()
        };
        page.paragraph(4, &format!("{}{more}", tellings.join("; ")));
    }
}

/// `Edda told Priya and Tomas`, for everybody who told anybody.
fn chains(knower: &Knower, tellings: &mut Vec<String>) {
    if !knower.told.is_empty() {
        let names: Vec<String> = knower.told.iter().map(|told| told.resident.clone()).collect();
        tellings.push(format!("{} told {}", knower.resident, words::list(&names)));
    }
    knower.told.iter().for_each(|told| chains(told, tellings));
}

/// What was asked of minds, and how it went: a row each.
fn asked(tasks: &TaskTotals) -> Vec<Vec<String>> {
    let share = |fallbacks: u64, of: u64| format!("{:.1} %", 100.0 * fallbacks as f64 / of.max(1) as f64);
    let mut rows = vec![vec![
        "questions to minds".to_owned(),
        format!(
            "{}, {}",
            words::grouped(tasks.tasks),
            words::count(tasks.fallbacks, "fallback", "fallbacks")
        ),
    ]];
    if tasks.calls + tasks.from_cache > 0 {
        let [calls, again, sent, received] =
            [tasks.calls, tasks.from_cache, tasks.tokens_in, tasks.tokens_out].map(words::grouped);
        rows.push(vec![
            "calls to models".to_owned(),
            format!(
                "{calls}, {again} more answered by earlier ones; {sent} tokens sent, {received} received, {}",
                words::maybe_usd(tasks.usd)
            ),
        ]);
    }
    if tasks.fallbacks > 0 {
        let kinds: Vec<String> = tasks
            .fallbacks_by_kind
            .iter()
            .map(|(kind, count)| format!("{kind} {}", share(count.fallbacks, count.put_to_models)))
            .collect();
        rows.push(vec![
            "fallbacks".to_owned(),
            format!(
                "{} of what models were asked: {}",
                share(tasks.fallbacks, tasks.put_to_models),
                kinds.join(", ")
            ),
        ]);
    }
    rows
}
