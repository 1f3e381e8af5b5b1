//! The way back: what "I" and "you" say becomes statements about people by name.

use super::super::phrases::{Grammar, Phrases};
use super::super::prose::{Word, words};
use super::verbs::{is_supposed, third};

/// A person by name.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    pub(super) first: &'a str,
}

pub(super) fn third_person(text: &str, i_am: Option<Named<'_>>, you_are: Option<Named<'_>>) -> String {
    let grammar = &Phrases::get().grammar;
    let (all, tail) = words(text);
    let mut out = String::with_capacity(text.len() + 16);
    let mut named: Vec<&str> = Vec::new();
    // Whether the next verb belongs to a recast subject, and whether "and have" still does.
    let (mut verb_next, mut clause) = (false, false);
    // "You two … your": theirs.
    let mut both = false;
    let (mut last_verb, mut simple_present) = (None, false);
    let mut i = 0;
    while i < all.len() {
        let word = all[i];
        out.push_str(word.gap);
        if i == 0 || word.opens_sentence() {
            (verb_next, clause) = (false, false);
            (last_verb, simple_present) = (None, false);
            both = false;
        }
        let lower = word.text.to_lowercase();
        let lower = lower.replace('’', "'");
        let (stem, ending) = lower.split_once('\'').map_or((&*lower, ""), |(s, e)| (s, e));
        let who = match stem {
            "you" | "your" | "yours" | "yourself" => you_are,
            "i" | "me" | "my" | "mine" | "myself" => i_am,
            _ => None,
        };
        if both && stem == "your" {
            out.push_str(&grammar.their);
            i += 1;
            continue;
        }
        if let Some(who) = who {
            let call = if named.contains(&who.name) {
                who.first
            } else {
                named.push(who.name);
                who.name
            };
            match stem {
                "your" | "yours" | "my" | "mine" => {
                    out.push_str(call);
                    out.push_str("'s");
                }
                "yourself" | "myself" => out.push_str(&grammar.themselves),
                _ if !ending.is_empty() => {
                    out.push_str(call);
                    match ending {
                        "ve" => out.push_str(" has"),
                        "re" | "m" => out.push_str(" is"),
                        "ll" => out.push_str(" will"),
                        "d" => out.push_str(" would"),
                        _ => {}
                    }
                    (verb_next, clause) = (false, true);
                }
                _ => {
                    let next = all
                        .get(i + 1)
                        .filter(|w| !w.is_set_off())
                        .map(|w| w.text.to_lowercase());
                    match next.as_deref() {
                        Some(pair @ ("two" | "both")) => {
                            out.push_str(if pair == "two" { "the two" } else { "both" });
                            both = true;
                            i += 2;
                            continue;
                        }
                        Some(and) if grammar.and.contains(and) => {
                            out.push_str(call);
                            (verb_next, clause) = (false, false);
                        }
                        Some(_) if stem != "me" && acts(grammar, &all, i) => {
                            out.push_str(call);
                            // "Lopez and you are": the verb is plural already.
                            let after_and = i > 0
                                && grammar.and.contains(all[i - 1].text)
                                && all.get(i.wrapping_sub(2)).is_some_and(Word::is_capitalised);
                            (verb_next, clause) = (!after_and, !after_and);
                        }
                        _ => out.push_str(call),
                    }
                }
            }
            i += 1;
            continue;
        }
        if verb_next {
            if grammar.is_adverb(&lower) {
                out.push_str(word.text);
            } else {
                let verb = match is_supposed(&all, i) {
                    true => word.text.to_owned(),
                    false => third(grammar, word.text),
                };
                simple_present = verb != word.text && !grammar.finite.contains(&lower);
                out.push_str(&verb);
                verb_next = false;
                last_verb = Some(i);
            }
        } else {
            let follows_and = || {
                let mut at = i;
                while at > 0 && grammar.is_adverb(all[at - 1].text) {
                    at -= 1;
                }
                at > 0 && grammar.conjunctions.contains(&all[at - 1].text.to_lowercase())
            };
            let second_verb = grammar.plural_finite.contains_key(&*lower) && follows_and()
                // "edit and print": a verb straight after another.
                || i > 1 && last_verb == Some(i - 2) && follows_and() && may_be_verb(grammar, word)
                    && !grammar.finite.contains(&lower)
                || goes_on_in_present(grammar, &all, i, &lower, simple_present);
            if clause && second_verb {
                out.push_str(&third(grammar, word.text));
            } else {
                out.push_str(word.text);
            }
        }
        i += 1;
    }
    out.push_str(tail);
    out.trim().to_owned()
}

/// Whether the "you" or "I" at `i` acts, so that its verb comes next. In "shows you his drawings" and
/// "lets you choose" something is done to whoever it is, and what follows is no verb to conjugate.
pub(super) fn acts(grammar: &Grammar, all: &[Word<'_>], i: usize) -> bool {
    let mut at = i + 1;
    while at + 1 < all.len() && grammar.is_adverb(all[at].text) && !all[at + 1].is_set_off() {
        at += 1;
    }
    let Some(verb) = all.get(at).filter(|word| !word.is_set_off()) else {
        return false;
    };
    if !may_be_verb(grammar, *verb) {
        return false;
    }
    if i == 0 || all[i].is_set_off() {
        return true;
    }
    let before = all[i - 1].text.to_lowercase();
    let verb = verb.text.to_lowercase();
    let bare_verb = !grammar.finite.contains(&verb) || matches!(&*verb, "have" | "do");
    if grammar.before_objects.contains(&before)
        || bare_verb && (grammar.letting.contains(&before) || grammar.perceiving.contains(&before))
    {
        return false;
    }
    if grammar.finite.contains(&verb)
        || grammar.clause_openers.contains(&before)
        || grammar.relatives.contains(&before)
    {
        return true;
    }
    // "Mara sends you guests", "he gave you books": a verb right after its subject has an object.
    let subject_before = i > 1
        && !all[i - 1].is_set_off()
        && (all[i - 2].begins_name()
            || grammar.is_adverb(all[i - 2].text)
            || grammar.finite.contains(&all[i - 2].text.to_lowercase())
            || grammar.conjunctions.contains(&all[i - 2].text.to_lowercase())
            || grammar.relatives.contains(&all[i - 2].text.to_lowercase())
            || matches!(
                &*all[i - 2].text.to_lowercase(),
                "he" | "she" | "it" | "they" | "we" | "to"
            ));
    !subject_before
}

/// Whether the word may be a verb after "you": no name, no possessive, nothing like "coming".
fn may_be_verb(grammar: &Grammar, word: Word<'_>) -> bool {
    let lower = word.text.to_lowercase();
    // "sing" and "bring" are verbs themselves.
    let gerund = lower
        .strip_suffix("ing")
        .is_some_and(|stem| stem.contains(['a', 'e', 'i', 'o', 'u', 'y']));
    !word.begins_name()
        && !gerund
        && !grammar.function.contains(&lower)
        && !grammar.not_verbs.contains(&lower)
        && !lower.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the word is a further verb of the same subject after "and" or in a row of verbs, and no infinitive ("wants to
/// sing and write") nor one after "will" stands before it.
fn goes_on_in_present(
    grammar: &Grammar,
    all: &[Word<'_>],
    i: usize,
    lower: &str,
    simple_present: bool,
) -> bool {
    let begins = (0..=i).rev().find(|at| all[*at].opens_sentence()).unwrap_or(0);
    let bare = |at: usize| {
        let word = all[at].text.to_lowercase();
        // "from 6pm to 9pm" and "to the park" hold no infinitive.
        let verb_next = all[at + 1].text.starts_with(|c: char| c.is_lowercase())
            && !grammar.function.contains(all[at + 1].text);
        word == "to" && verb_next || grammar.finite_any.contains(&word) || grammar.relatives.contains(&word)
    };
    i > begins
        && (grammar.conjunctions.contains(&all[i - 1].text.to_lowercase())
            // "…, want them all to come, and are gathering".
            || all[i].gap.trim() == "," && all.get(i + 1).is_some_and(|next| !next.is_set_off()))
        && grammar.present_verbs.contains(&third(grammar, lower))
        && !(begins..i).any(bare)
        // The verb that begins the sentence must itself be a present one: "met Ann and watch birds" is unsure.
        && (simple_present
            || all[begins..i].iter().any(|w| grammar.plural_finite.contains_key(&*w.text.to_lowercase())))
}
