//! How poignant a text is: 1 for an idle bed, 10 for a death.
//!
//! Ordinary sights rate 1 or 2, so that a usual day of some hundred observations adds up to a few
//! reflections (two to four at the paper's threshold of 150). Words of weight lift a text, an
//! activity merely watched is held down, a date or a stress lifts it again. A talk is as poignant as the most
//! poignant thing said in it. What comes on top never makes the gravest of what is not.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use townsfolk_time::GameTime;

use super::notices::announces;
use super::phrases::{Phrases, holds, holds_phrase};
use super::prose::lower_words;
use super::text::Words;
use crate::Identity;

/// What a watched activity rates at most, unless it is grave: people decorate for hours.
const ACTIVITY_CAP: u8 = 4;
/// From this weight on a word counts even in a watched activity.
const GRAVE: u8 = 7;
/// What a stressed statement ("This is very important") rates at least.
const STRESSED: u8 = 8;
/// What an announcement rates at least: a place closes, the ferry does not run.
const ANNOUNCED: u8 = 5;
/// An announcement is one on any day.
const SOME_DAY: GameTime = GameTime::from_seconds(0);
/// What only words of that weight reach, a death or a divorce.
const GRAVEST: u8 = 10;

/// What a resident's own concern adds to; made once for all texts rated together.
pub(crate) struct Concern(BTreeSet<String>);

impl Concern {
    /// The words of what occupies `who` at present.
    pub(crate) fn of(who: &Identity) -> Self {
        let names: BTreeSet<String> = lower_words(&who.name).into_iter().collect();
        Self(
            lower_words(&who.current)
                .into_iter()
                .filter(|w| w.chars().count() > 4 && !names.contains(w))
                .collect(),
        )
    }

    fn shared_with(&self, words: &[String]) -> usize {
        let mut found: Vec<&String> = words.iter().filter(|w| self.0.contains(*w)).collect();
        found.sort();
        found.dedup();
        found.len()
    }
}

/// The rating of one text, 1 to 10.
pub(crate) fn rate(concern: &Concern, text: &str) -> u8 {
    let talked = &Phrases::get().summary.talked;
    let between = talked.split(['{', '}']).nth(4).unwrap_or_default();
    match text.split_once(between) {
        Some((who, points)) if !between.trim().is_empty() => {
            let points = points.split("; ").map(|point| rate_statement(concern, point));
            points
                .max()
                .unwrap_or(0)
                .max(rate_statement(concern, &format!("{who}{between}")))
        }
        _ => rate_statement(concern, text),
    }
}

/// The rating of what is one matter.
fn rate_statement(concern: &Concern, text: &str) -> u8 {
    let phrases = Phrases::get();
    let weights = &phrases.importance;
    let lower = text.trim().trim_end_matches('.').to_lowercase();
    if weights.trivial.iter().any(|t| lower.ends_with(t.as_str())) {
        return 1;
    }
    let (figures, literal) = without_figures(&lower);
    let words = lower_words(&literal);
    let heavy = || words.iter().filter_map(|w| weights.weights.get(w)).copied();
    let phrase = heavy_phrases()
        .iter()
        .filter(|(p, _)| holds_phrase(&literal, p))
        .map(|(_, w)| *w)
        .max()
        .unwrap_or(0)
        .max(figures);
    let weight = heavy().max().unwrap_or(0).max(phrase);
    let talks = words.iter().any(|w| weights.talk.contains(w));
    let base = match words.iter().find(|w| weights.routine.contains(*w)) {
        _ if talks => 3,
        Some(_) => 1,
        None => 2,
    };
    let mut score = base.max(weight);
    let activity = words
        .windows(2)
        .any(|w| (w[0] == "is" || w[0] == "was") && w[1].ends_with("ing"));
    let dated = words
        .iter()
        .any(|w| weights.dated.contains(w) || w.chars().any(|c| c.is_ascii_digit()));
    if activity && !dated && weight < GRAVE {
        score = score.min(ACTIVITY_CAP);
    } else if heavy().filter(|w| *w >= 5).count() > 1 {
        score += 1;
    }
    if score > 1 && concern.shared_with(&words) > 1 {
        score += 1;
    }
    if holds(&lower, &weights.stress) {
        score = (score + 2).max(STRESSED);
    }
    if score < ANNOUNCED && announces(&Words::new(text), SOME_DAY) {
        score = ANNOUNCED;
    }
    if weight < GRAVEST {
        score = score.min(GRAVEST - 1);
    }
    score.clamp(1, GRAVEST)
}

/// What figures of speech in a text weigh, and the text without them: nobody is at war with slugs.
fn without_figures(lower: &str) -> (u8, Cow<'_, str>) {
    let figures = &Phrases::get().importance.figures;
    let mut literal = Cow::Borrowed(lower);
    let mut weight = 0;
    for (figure, weighs) in figures {
        if holds_phrase(&literal, figure) {
            weight = weight.max(*weighs);
            literal = literal.replace(figure.as_str(), " ").into();
        }
    }
    (weight, literal)
}

/// The weights of more than one word, which need a search rather than a look-up.
fn heavy_phrases() -> &'static [(&'static str, u8)] {
    static HEAVY: OnceLock<Vec<(&str, u8)>> = OnceLock::new();
    HEAVY.get_or_init(|| {
        let weights = &Phrases::get().importance.weights;
        weights
            .iter()
            .filter(|(phrase, _)| phrase.contains(' '))
            .map(|(phrase, weight)| (phrase.as_str(), *weight))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fixtures::somebody;
    use super::*;

    fn rated(text: &str) -> u8 {
        let mut who = somebody("Mara Ilves");
        who.current = "Mara Ilves is preparing an exhibition of her photographs.".into();
        rate(&Concern::of(&who), text)
    }

    #[test]
    fn from_an_idle_bed_to_a_death() {
        let cases = [
            ("bed is idle", 1..=1),
            ("kitchen sink is being used", 1..=1),
            ("Mara Ilves is brushing her teeth", 1..=1),
            ("Ilse Brandt is reading a book", 2..=2),
            ("Mara Ilves is writing an essay", 2..=3),
            ("Mara Ilves and Ilse Brandt talked: Ilse Brandt is a baker", 3..=4),
            ("Ilse Brandt is gathering party material", 3..=4),
            (
                "Ilse Brandt is planning a party at the boathouse on June 4th at 6pm",
                6..=7,
            ),
            ("Sam Moore is running for mayor in the election", 7..=9),
            ("The Lantern Street Clinic closes at 1pm today", 5..=6),
            ("The Heron is closed today", 5..=6),
            ("The ferry does not run today", 5..=6),
            ("School ends at 11am today", 5..=6),
            ("Alder Library opens at 2pm today", 5..=6),
            ("Sam Moore has a high fever and must stay in bed", 5..=6),
            ("cafe is closed", 1..=2),
            ("Mara Ilves's lunch is at 1:30pm today", 1..=2),
            ("Is the cafe closed today?", 1..=2),
            (
                "This is very important -- Mara Ilves has a secret crush on Ilse Brandt",
                9..=10,
            ),
            ("Mara Ilves's mother has died", 10..=10),
            (
                "Mara Ilves and Ilse Brandt talked: Sam Moore has died; it rains",
                10..=10,
            ),
            ("Tomas Reyes is at war with the slugs in his lettuce", 3..=4),
            ("Mara Ilves will lose no sleep over the end of the war", 9..=9),
            (
                "Mara Ilves and Ilse Brandt talked: Tomas Reyes is at war with the slugs in his lettuce; Ilse Brandt is worried about the leak in the roof",
                4..=6,
            ),
            (
                "Mara Ilves and Sam Moore talked: Sam Moore told Mara Ilves that Sam Moore means to stand in the election for mayor this September; Mara Ilves will come to the exhibition",
                7..=9,
            ),
        ];
        for (text, expected) in cases {
            let score = rated(text);
            assert!(expected.contains(&score), "{text}: {score}");
        }
        assert!(
            rated("Ilse Brandt saw the photographs for the exhibition") > rated("Ilse Brandt saw the boats")
        );
    }

    #[test]
    fn an_ordinary_day_sets_off_a_few_reflections() {
        let sights = [
            "Mara Ilves is getting dressed",
            "Ilse Brandt is cooking breakfast",
            "Mara Ilves is walking to the studio",
            "Mara Ilves is sorting prints",
            "desk is being used",
            "Ilse Brandt is serving customers",
            "counter is in use",
            "Mara Ilves is eating lunch",
            "Tomas Reyes is repairing a net",
            "Mara Ilves and Tomas Reyes talked: the ferry is late",
            "bed is idle",
            "Mara Ilves is watching a film",
        ];
        // Some three hundred observations, as in the 25-person town.
        let total: u32 = sights.iter().map(|s| u32::from(rated(s)) * 25).sum();
        assert!((2..=4).contains(&(total / 150)), "{total}");
    }

    proptest! {
        #[test]
        fn any_text_rates_from_1_to_10(text in "\\PC{0,80}") {
            prop_assert!((1..=10).contains(&rated(&text)));
        }
    }
}
