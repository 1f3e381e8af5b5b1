//! Files of questions: areas of questions with placeholders for names.

use std::path::Path;

use anyhow::anyhow;
use serde::Deserialize;
use toml::Spanned;
use townsfolk_engine::{Engine, ResidentId};

use crate::failure::Failure;
use crate::words;

/// The questions that come with Townsfolk.
const PAPER: &str = include_str!("../questions/en.toml");
/// The name by which they are asked for.
const PAPER_NAME: &str = "paper";

/// A file of questions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Questions {
    /// Names to be tried for `{nobody}`; the first that nobody in town has.
    #[serde(default)]
    nobody: Vec<String>,
    /// The areas, in order.
    area: Vec<Area>,
}

/// Questions that belong together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Area {
    name: String,
    questions: Vec<Spanned<String>>,
}

/// What is filled in for each resident.
const PLACEHOLDERS: [&str; 4] = ["{name}", "{first_name}", "{other}", "{nobody}"];

/// The first `{…}` that nothing is filled in for.
fn unknown_placeholder(question: &str) -> Option<&str> {
    let mut rest = question;
    while let Some(open) = rest.find('{') {
        rest = &rest[open..];
        let close = rest.find('}')?;
        let placeholder = &rest[..=close];
        if !PLACEHOLDERS.contains(&placeholder) {
            return Some(placeholder);
        }
        rest = &rest[close + 1..];
    }
    None
}

/// A question as one resident is asked it.
pub(crate) struct Question {
    /// Its area.
    pub(crate) area: String,
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    /// The words.
    pub(crate) text: String,
}

impl Questions {
    /// Reads a file, or the questions that come with Townsfolk for `paper`.
    ///
    /// # Errors
    /// When the file cannot be read or says something else than questions; the line is named.
    pub(crate) fn read(file: &Path) -> Result<Self, Failure> {
        let text = if file == Path::new(PAPER_NAME) {
            PAPER.to_owned()
        } else {
            let read = std::fs::read_to_string(file);
            read.map_err(|error| Failure::Usage(anyhow!("{}: {error}", words::path(file))))?
        };
        let questions: Self = toml::from_str(&text)
            .map_err(|error| Failure::Usage(anyhow!("{}: {error}", words::path(file))))?;
        if questions.area.iter().all(|area| area.questions.is_empty()) {
            return Err(Failure::Usage(anyhow!(
                "{}: holds no question",
                words::path(file)
            )));
        }
        for question in questions.area.iter().flat_map(|area| &area.questions) {
            if let Some(unknown) = unknown_placeholder(question.get_ref()) {
                let written = &text[question.span()];
                let within = question.span().start + written.find(unknown).unwrap_or(0);
                let line = text[..within].matches('\n').count() + 1;
                let known = PLACEHOLDERS.join(", ");
                return Err(Failure::Usage(anyhow!(
                    "{}:{line}: {unknown} stands for nothing; what can be filled in: {known}",
                    words::path(file)
                )));
            }
        }
        Ok(questions)
    }

    /// The questions for one resident.
    pub(crate) fn put_to(&self, who: ResidentId, engine: &Engine) -> Vec<Question> {
        let people = engine.people();
        let identity = &people[who.index()].newcomer.identity;
        let other = companion(who, engine);
        let nobody = self.nobody.iter().find(|name| engine.find(name).is_none());
        let fill = |text: &str| {
            text.replace("{name}", &identity.name)
                .replace("{first_name}", &identity.first_name)
                .replace("{other}", &other)
                .replace("{nobody}", nobody.map_or("Odalys Fenwright", String::as_str))
        };
        let all = self
            .area
            .iter()
            .flat_map(|area| area.questions.iter().map(move |text| (area, text)));
        let numbered = all.zip(1..);
        numbered
            .map(|((area, text), number)| Question {
                area: area.name.clone(),
                number,
                text: fill(text.get_ref()),
            })
            .collect()
    }
}

/// Whom a resident has talked with most; of several the first by name; without any the next resident.
fn companion(who: ResidentId, engine: &Engine) -> String {
    let met = engine.residents()[who.index()].life.people.iter();
    let most = met
        .filter(|(_, person)| person.talks > 0)
        .reduce(|most, next| if next.1.talks > most.1.talks { next } else { most });
    if let Some((name, _)) = most {
        return name.to_string();
    }
    let people = engine.people();
    let after = people.iter().cycle().skip(who.index() + 1).take(people.len());
    let next = after.into_iter().find(|person| !person.is_visitor());
    next.map_or_else(String::new, |person| person.name().to_string())
}
