//! How poignant several things are to a resident, in one answer.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_model::estimate_tokens;

use crate::model::reading::Reading;
use crate::model::wire::Bound;
use crate::model::{Fit, Who};
use crate::routine::{Rules, importance};
use crate::{Identity, Task, TaskKind};

/// Asks how poignant some events, thoughts or talks are.
#[derive(Clone, Debug, Serialize)]
pub struct Importance<'a> {
    /// Who is asked.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// What is rated, never empty.
    pub items: &'a [Arc<str>],
}

/// A rating for each item, in order: 1 (brushing teeth) to 10 (a divorce, a death).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scores {
    /// 1 to 10 each.
    pub scores: Vec<u8>,
}

/// The ratings as models write them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// 1 to 10 each, in order.
    pub ratings: Vec<i64>,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    items: Vec<Cow<'a, str>>,
}

/// From brushing teeth to a divorce or a death.
const RATINGS: RangeInclusive<u8> = 1..=10;
/// The rating of texts in which nothing happens (2023 code: "is idle" counts 1).
const LEAST: u8 = 1;

/// How many items one question rates at most.
const MOST_ITEMS: usize = 40;
/// How many tokens the items of one question take at most, so that a usual window holds it with its answer.
/// The same for every window: which question is asked must not depend on who answers.
const MOST_TOKENS: u32 = 1_500;

impl<'a> Importance<'a> {
    /// The questions in which `items` are rated, in order: as few as there may be.
    pub fn of_all(who: &'a Identity, items: &'a [Arc<str>]) -> Vec<Self> {
        let mut questions = Vec::new();
        let mut rest = items;
        while !rest.is_empty() {
            let mut tokens = 0_u32;
            let holds = |item: &&Arc<str>| {
                tokens = tokens.saturating_add(estimate_tokens(item));
                tokens <= MOST_TOKENS
            };
            let count = rest.iter().take(MOST_ITEMS).take_while(holds).count();
            let (items, later) = rest.split_at(count.max(1));
            questions.push(Self { who, items });
            rest = later;
        }
        questions
    }
}

impl Importance<'_> {
    /// The items that a mind has to rate.
    fn unknown(&self) -> impl Iterator<Item = &str> {
        self.items
            .iter()
            .map(|item| &**item)
            .filter(|item| !is_idle(item))
    }

    /// Ratings of all items from those of the unknown ones.
    fn with_known(&self, rated: &[u8]) -> Scores {
        let mut rated = rated.iter();
        let score = |item: &Arc<str>| {
            if is_idle(item) {
                Some(LEAST)
            } else {
                rated.next().copied()
            }
        };
        Scores {
            scores: self.items.iter().map_while(score).collect(),
        }
    }
}

fn off_scale() -> String {
    format!("ratings go from {} to {}", RATINGS.start(), RATINGS.end())
}

fn is_idle(text: &str) -> bool {
    Reading::get().is_idle(text)
}

impl Task for Importance<'_> {
    const KIND: TaskKind = TaskKind::Importance;
    type Answer = Scores;

    type Wire = Wire;

    fn known(&self) -> Option<Scores> {
        self.unknown().next().is_none().then(|| self.with_known(&[]))
    }

    fn bounds(&self, _fit: &Fit<'_>) -> Vec<Bound> {
        let wanted = self.unknown().count();
        let ratings = usize::from(*RATINGS.start())..=usize::from(*RATINGS.end());
        vec![
            Bound::within("ratings", wanted..=wanted),
            Bound::within("ratings[]", ratings),
        ]
    }

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            items: self.unknown().map(|item| fit.text(item)).collect(),
        }
    }

    /// One rating for each item. One beyond 1 to 10 is on another scale, and says nothing on this one.
    fn read(&self, wire: Wire, _fit: &Fit<'_>) -> Result<Scores, String> {
        let wanted = self.unknown().count();
        if wire.ratings.len() != wanted {
            return Err(format!(
                "{} ratings were given for {wanted} numbered items: give one for each, in order",
                wire.ratings.len()
            ));
        }
        let on_scale = |rating: &i64| u8::try_from(*rating).ok().filter(|r| RATINGS.contains(r));
        let ratings: Option<Vec<u8>> = wire.ratings.iter().map(on_scale).collect();
        Ok(self.with_known(&ratings.ok_or_else(off_scale)?))
    }

    fn write(&self, answer: &Scores) -> Wire {
        let rated = self
            .items
            .iter()
            .zip(&answer.scores)
            .filter(|(item, _)| !is_idle(item));
        Wire {
            ratings: rated.map(|(_, score)| i64::from(*score)).collect(),
        }
    }

    fn check(&self, answer: &Scores) -> Result<(), String> {
        if answer.scores.len() != self.items.len() {
            return Err(format!("rate all {} items, in order", self.items.len()));
        }
        if answer.scores.iter().any(|s| !RATINGS.contains(s)) {
            return Err(off_scale());
        }
        Ok(())
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Scores {
        let concern = importance::Concern::of(self.who);
        let scores = self
            .items
            .iter()
            .map(|text| importance::rate(&concern, text))
            .collect();
        Scores { scores }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::Cast;
    use crate::model::{Limits, PromptSet};

    #[test]
    fn a_history_of_any_length_is_rated_in_questions_that_fit_a_usual_window() {
        let who = Cast::default().who;
        let prompts = PromptSet::of("en").unwrap();
        let told = |number: usize, more: usize| -> Arc<str> {
            let more = "and thought about the lake for a while ".repeat(more);
            format!("Mara Ilves mended boat number {number} {more}").into()
        };
        let short: Vec<Arc<str>> = (0..300).map(|number| told(number, 1)).collect();
        let long: Vec<Arc<str>> = (0..30).map(|number| told(number, 50)).collect();
        for (items, questions) in [
            (short, 8),
            (long, 10),
            (vec![told(1, 200); 2], 2),
            (Vec::new(), 0),
        ] {
            let asked = Importance::of_all(&who, &items);
            assert_eq!(asked.len(), questions);
            let rated: Vec<_> = asked
                .iter()
                .flat_map(|question| question.items)
                .cloned()
                .collect();
            assert_eq!(rated, items, "each once and in order");
            for question in asked {
                let (prompt, _) = prompts.prompt(&question, Limits::NONE).unwrap();
                assert!(prompt.tokens() < 4_096, "{} tokens", prompt.tokens());
            }
        }
    }
}
