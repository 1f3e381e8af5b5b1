//! What residents feel about each other and about subjects, read out of what they remember.

use super::phrases::{Phrases, holds, holds_phrase};
use super::prose::{lower_words, names, sentences};
use crate::Identity;

/// What one resident feels about another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Feeling {
    /// Above 0 where they like them, below 0 where they don't.
    pub(crate) liking: i32,
    /// Whether they are family.
    pub(crate) kin: bool,
    /// Whether they share a household.
    pub(crate) household: bool,
    /// Whether anything ties them: neighbours, friends, colleagues.
    pub(crate) bond: bool,
}

/// What `who` feels about `toward`, from texts that name both.
pub(crate) fn feeling<'t>(who: &Identity, toward: &str, texts: impl Iterator<Item = &'t str>) -> Feeling {
    let attitude = &Phrases::get().attitude;
    let mut feeling = Feeling::default();
    for text in texts {
        if !names(text, toward) || !(text.contains(&*who.first_name) || text.contains(&*who.name)) {
            continue;
        }
        let lower = text.to_lowercase();
        if holds(&lower, &attitude.dislike) {
            feeling.liking -= 2;
        } else if likes(&lower) {
            feeling.liking += 1;
        }
        let words = lower_words(&lower);
        feeling.kin |= words.iter().any(|w| attitude.kin.contains(w));
        feeling.household |= holds(&lower, &attitude.household);
        feeling.bond |= words.iter().any(|w| attitude.bond.contains(w));
    }
    feeling
}

/// Whether a text speaks of liking that isn't denied.
fn likes(lower: &str) -> bool {
    let attitude = &Phrases::get().attitude;
    attitude.liking.iter().any(|phrase| {
        holds_phrase(lower, phrase)
            && lower.find(phrase.as_str()).is_some_and(|at| {
                let before: Vec<&str> = lower[..at].split_whitespace().rev().take(3).collect();
                !before
                    .iter()
                    .any(|w| w.ends_with("n't") || attitude.negations.iter().any(|n| n == w))
            })
    })
}

/// How much a resident seeks company by its traits: above 0 more than others, below 0 less.
pub(crate) fn sociability(who: &Identity) -> i32 {
    let traits = &Phrases::get().traits;
    let words = lower_words(&who.traits);
    let count =
        |set: &std::collections::BTreeSet<String>| words.iter().filter(|w| set.contains(*w)).count() as i32;
    (count(&traits.sociable) - count(&traits.reserved)).clamp(-3, 3)
}

/// Whether a resident's traits are harsh.
pub(crate) fn is_harsh(who: &Identity) -> bool {
    let traits = &Phrases::get().traits;
    lower_words(&who.traits).iter().any(|w| traits.harsh.contains(w))
}

/// Whether a resident's traits are kind.
pub(crate) fn is_kind(who: &Identity) -> bool {
    let traits = &Phrases::get().traits;
    lower_words(&who.traits).iter().any(|w| traits.kind.contains(w))
}

/// The statements about `who` in its own texts, sentence by sentence.
pub(crate) fn own_statements(who: &Identity) -> impl Iterator<Item = &str> {
    [
        &who.traits,
        &who.background,
        &who.current,
        &who.lifestyle,
        &who.daily_requirement,
    ]
    .into_iter()
    .flat_map(|text| sentences(text))
}

/// What `who` has said of itself that makes `subject` no matter to it, such as "Jane Moreno doesn't
/// really care about politics" for the subject of an election.
pub(crate) fn indifference<'t>(
    who: &'t Identity,
    subject: &str,
    texts: impl Iterator<Item = &'t str>,
) -> Option<&'t str> {
    let phrases = Phrases::get();
    let about = lower_words(subject);
    let themes: Vec<&Vec<String>> = phrases
        .themes
        .values()
        .filter(|words| about.iter().any(|w| words.contains(w)))
        .collect();
    if themes.is_empty() {
        return None;
    }
    own_statements(who).chain(texts).find(|text| {
        let lower = text.to_lowercase();
        holds(&lower, &phrases.attitude.indifference)
            && (text.contains(&*who.first_name) || text.contains(&*who.name) || lower.starts_with("you "))
            && lower_words(&lower)
                .iter()
                .any(|w| themes.iter().any(|theme| theme.contains(w)))
    })
}
