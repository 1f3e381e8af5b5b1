//! How far residents have drifted from who they are: what they say of themselves day by day, held
//! against the pinned identity they began with.
//!
//! A self-description is the answer to a `resident_summary` question, which the town puts to everybody
//! once a day. Two things are measured of each: how unlike the pinned identity it is in meaning, and
//! which facts it states otherwise. A fact is only said to have changed where the words leave no doubt;
//! an absent fact is no changed one.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use townsfolk_store::{Result, RunReader, TaskFilter, Tick};
use townsfolk_time::GameTime;

/// The kind of task whose answers are self-descriptions.
const DESCRIPTION: &str = "resident_summary";
/// What stands behind a number of years, in the languages there are prompts for.
const YEARS: &[&str] = &[
    "years old",
    "year old",
    "year-old",
    "years of age",
    "歳",
    "才",
    "岁",
    "歲",
];
/// A shorter word says nothing about an occupation.
const TELLING_LETTERS: usize = 5;

/// Everybody's drift.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drift {
    /// By resident id; visitors describe nothing.
    pub residents: Vec<Drifted>,
}

/// One resident's drift.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drifted {
    /// Who.
    pub resident: String,
    /// What is pinned, in one text.
    pub pinned: String,
    /// Pinned facts that the identity itself has otherwise by now; always none, unless a run was
    /// written by something else.
    pub identity_changes: Vec<String>,
    /// What they said of themselves, by tick.
    pub descriptions: Vec<Description>,
}

/// A self-description.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    /// The tick that asked.
    pub tick: Tick,
    /// Game time of it.
    pub time: String,
    /// The words.
    pub text: String,
    /// 1 less the likeness to what is pinned: 0 for the same meaning, about 1 for another matter.
    pub distance: f64,
    /// The share of the telling words of the background that the description uses, 0 to 1.
    pub background_kept: f64,
    /// Facts that it states otherwise, in words.
    pub changed: Vec<String>,
}

/// The pinned facts, as far as drift goes by them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Identity {
    name: String,
    age: Option<u16>,
    traits: String,
    background: String,
    lifestyle: String,
}

impl Identity {
    fn text(&self) -> String {
        let age = self.age.map(|age| format!("{age} years old")).unwrap_or_default();
        let parts = [self.name.as_str(), &age, &self.traits, &self.background];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.trim().is_empty()).collect();
        parts.join(". ")
    }
}

impl Drift {
    /// How far apart the first and the last self-description of anybody are from what is pinned: the
    /// largest growth of distance, with whose it is.
    pub fn largest_growth(&self) -> Option<(&str, f64)> {
        let growth = |who: &'_ Drifted| {
            let (first, last) = (who.descriptions.first()?, who.descriptions.last()?);
            Some(last.distance - first.distance)
        };
        let all = self.residents.iter();
        all.filter_map(|who| Some((who.resident.as_str(), growth(who)?)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// How many self-descriptions there are.
    pub fn descriptions(&self) -> usize {
        self.residents.iter().map(|who| who.descriptions.len()).sum()
    }

    /// How many facts were stated otherwise, in descriptions or identities.
    pub fn changed_facts(&self) -> usize {
        let of = |who: &Drifted| {
            let said: usize = who.descriptions.iter().map(|said| said.changed.len()).sum();
            said + who.identity_changes.len()
        };
        self.residents.iter().map(of).sum()
    }
}

/// Compares self-descriptions up to and including `until` with pinned identities. `likeness` is the
/// likeness of two texts in meaning, at most 1.
///
/// # Errors
/// Those of reading the file.
pub fn drift(run: &RunReader, until: Tick, likeness: impl Fn(&str, &str) -> f64) -> Result<Drift> {
    let info = run.info()?;
    let people = run.residents()?;
    let now = run.identities(until)?;
    let mut residents = Vec::new();
    for person in people.iter().filter(|person| person.role.is_none()) {
        // An identity that cannot be read pins nothing.
        let pinned: Identity = serde_json::from_str(&person.identity).unwrap_or_default();
        let latest = now.iter().find(|row| row.resident == person.id);
        let latest: Identity = latest
            .and_then(|row| serde_json::from_str(&row.identity).ok())
            .unwrap_or_else(|| pinned.clone());
        let others: Vec<&str> = people
            .iter()
            .map(|other| other.name.as_str())
            .filter(|name| *name != person.name)
            .collect();
        let filter = TaskFilter {
            until: Some(until),
            resident: Some(person.id),
            kind: Some(DESCRIPTION.to_owned()),
            ..TaskFilter::default()
        };
        let mut descriptions = Vec::new();
        for task in run.tasks(&filter)? {
            let Some(text) = text_of(&task.row.answer) else {
                continue;
            };
            let seconds = i64::from(task.tick) * i64::from(info.seconds_per_tick);
            descriptions.push(Description {
                tick: task.tick,
                time: (GameTime::from_seconds(info.start) + seconds).to_string(),
                distance: 1.0 - likeness(&text, &pinned.text()),
                background_kept: kept(&pinned, &text),
                changed: changed(&pinned, &others, &text),
                text,
            });
        }
        residents.push(Drifted {
            resident: person.name.clone(),
            pinned: pinned.text(),
            identity_changes: identity_changes(&pinned, &latest),
            descriptions,
        });
    }
    Ok(Drift { residents })
}

fn text_of(answer: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Text {
        text: String,
    }
    serde_json::from_str::<Text>(answer)
        .ok()
        .map(|answer| answer.text)
}

fn identity_changes(pinned: &Identity, latest: &Identity) -> Vec<String> {
    let pairs = [
        ("name", &pinned.name, &latest.name),
        ("traits", &pinned.traits, &latest.traits),
        ("background", &pinned.background, &latest.background),
        ("lifestyle", &pinned.lifestyle, &latest.lifestyle),
    ];
    let mut changes: Vec<String> = pairs
        .into_iter()
        .filter(|(_, was, is)| was != is)
        .map(|(fact, was, is)| format!("{fact}: \"{was}\" became \"{is}\""))
        .collect();
    if pinned.age != latest.age {
        changes.push(format!("age: {:?} became {:?}", pinned.age, latest.age));
    }
    changes
}

/// Facts that a description states otherwise.
fn changed(pinned: &Identity, others: &[&str], text: &str) -> Vec<String> {
    let mut changed = Vec::new();
    if let Some(age) = pinned.age {
        let wrong = ages(text).into_iter().filter(|stated| *stated != age);
        changed.extend(wrong.map(|stated| format!("age {stated} instead of {age}")));
    }
    // A description is about whom it begins with.
    if let Some(other) = others.iter().find(|other| text.trim_start().starts_with(**other))
        && !text.trim_start().starts_with(pinned.name.as_str())
    {
        changed.push(format!("name {other} instead of {}", pinned.name));
    }
    changed
}

/// The ages that a text states.
fn ages(text: &str) -> BTreeSet<u16> {
    let lower = text.to_lowercase();
    let mut ages = BTreeSet::new();
    for years in YEARS {
        for (at, _) in lower.match_indices(years) {
            let before = lower[..at].trim_end_matches([' ', '-']);
            let digits = before.chars().rev().take_while(char::is_ascii_digit).count();
            ages.extend(before[before.len() - digits..].parse::<u16>().ok());
        }
    }
    ages
}

/// The share of the telling words of the background that `text` uses; 1 where there are none.
fn kept(pinned: &Identity, text: &str) -> f64 {
    let words = |text: &str| -> BTreeSet<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() >= TELLING_LETTERS)
            .map(str::to_owned)
            .collect()
    };
    let names = words(&pinned.name);
    let telling: Vec<String> = words(&pinned.background)
        .into_iter()
        .filter(|word| !names.contains(word))
        .collect();
    if telling.is_empty() {
        return 1.0;
    }
    let said = words(text);
    let found = telling.iter().filter(|word| said.contains(*word)).count();
    found as f64 / telling.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ilse() -> Identity {
        Identity {
            name: "Ilse Brandt".to_owned(),
            age: Some(43),
            background: "Ilse Brandt keeps the lighthouse and collects levies.".to_owned(),
            ..Identity::default()
        }
    }

    #[test]
    fn a_wrong_age_is_a_changed_fact_in_any_language() {
        let others = ["Tomas Varga", "林 秋"];
        let changes = |text| changed(&ilse(), &others, text);
        assert!(changes("Ilse Brandt is 43 years old and has kept the lighthouse for 20 years.").is_empty());
        assert_eq!(changes("Ilse, a 34-year-old keeper"), ["age 34 instead of 43"]);
        assert_eq!(changes("伊尔塞今年34岁"), ["age 34 instead of 43"]);
        assert_eq!(changes("林 秋 keeps bees"), ["name 林 秋 instead of Ilse Brandt"]);
        assert!(changes("I like 林 秋 and years old jokes").is_empty());
    }

    #[test]
    fn the_background_is_kept_as_far_as_its_words_are() {
        assert_eq!(kept(&ilse(), "She keeps a LIGHTHOUSE and collects levies"), 1.0);
        assert_eq!(kept(&ilse(), "She sells lighthouse postcards"), 0.25);
        assert_eq!(kept(&Identity::default(), "anything"), 1.0);
    }
}
