//! Who has talked with whom, and what a resident makes of the others.

use std::collections::BTreeMap;

use serde::Serialize;
use townsfolk_store::{Conversation, TaskFilter};
use townsfolk_time::GameTime;

use super::{Moment, View, head};
use crate::failure::Failure;
use crate::page::{Look, Page};
use crate::run_at::RunAt;
use crate::words;

/// Everybody who has talked with anybody.
#[derive(Serialize)]
pub(super) struct Pairs {
    /// Pairs of residents that have talked, of all there are: the density of the network, 0 to 1.
    density: f64,
    possible_pairs: u64,
    #[serde(skip)]
    pairs_of_residents: usize,
    /// With visitors, too.
    pairs: Vec<Pair>,
    #[serde(skip)]
    moment: Moment,
}

#[derive(Serialize)]
struct Pair {
    residents: [String; 2],
    conversations: u32,
    last: String,
    /// Both names, and of visitors what they are.
    #[serde(skip)]
    who: [String; 2],
    #[serde(skip)]
    time: GameTime,
}

/// How often a pair has talked, and when last.
fn talks(run: &RunAt, conversations: &[Conversation]) -> BTreeMap<[u32; 2], (u32, GameTime)> {
    let mut talks = BTreeMap::new();
    for chat in conversations.iter().filter(|chat| !chat.lines.is_empty()) {
        let mut pair = [chat.began.row.a, chat.began.row.b];
        pair.sort_unstable();
        let time = run.clock.time(chat.began.tick);
        let (count, last) = talks.entry(pair).or_insert((0, time));
        *count += 1;
        *last = time;
    }
    talks
}

impl Pairs {
    pub(super) fn of(run: &RunAt) -> Result<Self, Failure> {
        let talks = talks(run, &run.reader.conversations(run.tick)?);
        let residents = u64::from(run.residents());
        let possible_pairs = residents * residents.saturating_sub(1) / 2;
        let mut pairs: Vec<Pair> = Vec::new();
        let live_here = |pair: &&[u32; 2]| pair.iter().all(|id| !run.visits(*id));
        let pairs_of_residents = talks.keys().filter(live_here).count();
        for ([a, b], (conversations, time)) in talks {
            let residents = [run.name(a).to_owned(), run.name(b).to_owned()];
            pairs.push(Pair {
                residents,
                conversations,
                last: time.to_string(),
                who: [run.who(a), run.who(b)],
                time,
            });
        }
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.conversations));
        let density = pairs_of_residents as f64 / (possible_pairs.max(1)) as f64;
        Ok(Self {
            density,
            possible_pairs,
            pairs_of_residents,
            pairs,
            moment: Moment::of(run),
        })
    }
}

impl View for Pairs {
    fn write(&self, page: &mut Page) {
        head(page, "Who has talked with whom", &self.moment);
        let (pairs, possible) = (
            words::grouped(self.pairs_of_residents as u64),
            words::grouped(self.possible_pairs),
        );
        page.paragraph(
            0,
            &format!(
                "{pairs} of {possible} pairs of residents have talked (density {:.3}).",
                self.density
            ),
        );
        page.gap();
        let mut rows = Vec::new();
        for pair in &self.pairs {
            let [a, b] = &pair.who;
            rows.push(vec![
                page.look(Look::Name, a),
                page.look(Look::Name, b),
                words::count(pair.conversations, "talk", "talks"),
                page.look(Look::Faint, format!("last {}", words::moment(pair.time))),
            ]);
        }
        page.table(0, &rows);
    }
}

/// The others, as one resident knows them.
#[derive(Serialize)]
pub(super) struct Others {
    resident: String,
    others: Vec<Other>,
    #[serde(skip)]
    moment: Moment,
}

#[derive(Serialize)]
struct Other {
    resident: String,
    conversations: u32,
    last_talk: Option<String>,
    /// What the resident last made of them, in words.
    makes_of_them: Option<String>,
    /// When it did.
    made: Option<String>,
    #[serde(skip)]
    who: String,
    #[serde(skip)]
    made_at: Option<GameTime>,
    #[serde(skip)]
    time: Option<GameTime>,
}

impl Others {
    pub(super) fn of(run: &RunAt, resident: u32) -> Result<Self, Failure> {
        let talks = talks(run, &run.reader.conversations(run.tick)?);
        let opinions = opinions(run, resident)?;
        let mut others = Vec::new();
        for other in run
            .people
            .iter()
            .map(|person| person.id)
            .filter(|other| *other != resident)
        {
            let mut pair = [resident, other];
            pair.sort_unstable();
            let talked = talks.get(&pair);
            let (makes_of_them, made_at) = opinions.get(run.name(other)).cloned().unzip();
            if talked.is_some() || makes_of_them.is_some() {
                others.push(Other {
                    resident: run.name(other).to_owned(),
                    conversations: talked.map_or(0, |(count, _)| *count),
                    last_talk: talked.map(|(_, time)| time.to_string()),
                    makes_of_them,
                    made: made_at.map(|time| time.to_string()),
                    made_at,
                    who: run.who(other),
                    time: talked.map(|(_, time)| *time),
                });
            }
        }
        others.sort_by_key(|other| std::cmp::Reverse(other.conversations));
        Ok(Self {
            resident: run.name(resident).to_owned(),
            others,
            moment: Moment::of(run),
        })
    }
}

/// The latest answer to what a resident makes of each other, and when it was given, by name.
fn opinions(run: &RunAt, resident: u32) -> Result<BTreeMap<String, (String, GameTime)>, Failure> {
    #[derive(serde::Deserialize)]
    struct Asked {
        other: String,
    }
    #[derive(serde::Deserialize)]
    struct Answered {
        text: String,
    }
    let filter = TaskFilter {
        until: Some(run.tick),
        resident: Some(resident),
        kind: Some("relationship".to_owned()),
        ..TaskFilter::default()
    };
    let mut opinions = BTreeMap::new();
    for task in run.reader.tasks(&filter)? {
        let asked: Option<Asked> = serde_json::from_str(&task.row.input).ok();
        let answered: Option<Answered> = serde_json::from_str(&task.row.answer).ok();
        if let (Some(asked), Some(answered)) = (asked, answered) {
            opinions.insert(asked.other, (answered.text, run.clock.time(task.tick)));
        }
    }
    Ok(opinions)
}

impl View for Others {
    fn write(&self, page: &mut Page) {
        head(page, &format!("{} and the others", self.resident), &self.moment);
        if self.others.is_empty() {
            page.line("Has talked with nobody yet.");
        }
        for other in &self.others {
            let talks = words::count(other.conversations, "talk", "talks");
            let last = other
                .time
                .map(|time| format!(", last {}", words::moment(time)))
                .unwrap_or_default();
            let facts = page.look(Look::Faint, format!("{talks}{last}"));
            page.paragraph(0, &format!("{} · {facts}", page.look(Look::Name, &other.who)));
            if let (Some(text), Some(time)) = (&other.makes_of_them, other.made_at) {
                // Talks since then are not in these words.
                let then = page.look(Look::Faint, format!("({})", words::moment(time)));
                page.paragraph(2, &format!("{text} {then}"));
            }
        }
    }
}
