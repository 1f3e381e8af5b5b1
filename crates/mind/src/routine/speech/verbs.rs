//! Verbs that agree with their subject, and what of a sentence says whether they have to.

use super::super::phrases::Grammar;
use super::super::prose::{Word, capitalised};
use super::recast::Voice;

/// Whether the verb at `i` says what is only supposed, and agrees with nobody: "if you were mayor".
pub(super) fn is_supposed(all: &[Word<'_>], i: usize) -> bool {
    let mut before = all[i.saturating_sub(3)..i].iter();
    all[i].text == "were" && before.any(|word| word.text.eq_ignore_ascii_case("if"))
}

/// Whether a name between commas stands right before the word at `at`, which then goes on about whoever bears
/// it: "her son, Tom, has been ill".
pub(super) fn follows_apposition(all: &[Word<'_>], at: usize) -> bool {
    let name = (0..at).rev().take_while(|i| all[*i].begins_name());
    let mut name = name.skip_while(|i| !all[*i].is_set_off());
    name.next().is_some_and(|first| all[first].gap.contains(','))
}

pub(super) fn push(out: &mut String, word: &str, opens: bool) {
    if opens {
        out.push_str(&capitalised(word));
    } else {
        out.push_str(word);
    }
}

pub(super) fn join(words: &[Word<'_>]) -> String {
    let mut out = String::new();
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            out.push_str(word.gap);
        }
        out.push_str(word.text);
    }
    out
}

pub(super) fn is_third_person_form(word: &str) -> bool {
    word.len() > 2 && word.ends_with('s') && !word.ends_with("ss") && !word.contains(['\'', '’'])
}

/// The verb after "I" or "you": "is" becomes "am" or "are", "works" becomes "work".
pub(super) fn agreeing(grammar: &Grammar, verb: &str, voice: Voice) -> String {
    let lower = verb.to_lowercase().replace('’', "'");
    let forms = match voice {
        Voice::First => &grammar.first_finite,
        Voice::Second => &grammar.second_finite,
    };
    if let Some(form) = forms.get(&*lower) {
        return form.clone();
    }
    if grammar.finite.contains(&*lower) || !is_third_person_form(&lower) {
        return verb.to_owned();
    }
    base_form(verb)
}

/// "works" → "work", "tries" → "try", "watches" → "watch".
pub(crate) fn base_form(verb: &str) -> String {
    if let Some(stem) = verb.strip_suffix("ies").filter(|s| s.len() > 1) {
        return format!("{stem}y");
    }
    for ending in ["sses", "shes", "ches", "xes", "zzes", "oes"] {
        if verb.ends_with(ending) {
            return verb[..verb.len() - 2].to_owned();
        }
    }
    match verb.strip_suffix('s') {
        Some(stem) if is_third_person_form(verb) => stem.to_owned(),
        _ => verb.to_owned(),
    }
}

/// The verb after a name: "are" becomes "is", "work" becomes "works"; past forms stay.
pub(super) fn third(grammar: &Grammar, verb: &str) -> String {
    let lower = verb.to_lowercase().replace('’', "'");
    if let Some(form) = grammar.plural_finite.get(&*lower) {
        return form.clone();
    }
    if grammar.finite.contains(&*lower)
        || grammar.past.contains(&*lower)
        || lower.ends_with("ed") && lower.len() > 4 && !lower.ends_with("eed")
        || !lower.chars().all(|c| c.is_ascii_alphabetic())
    {
        return verb.to_owned();
    }
    let consonant_y = lower.ends_with('y') && !["ay", "ey", "oy", "uy"].iter().any(|e| lower.ends_with(e));
    if consonant_y {
        format!("{}ies", &verb[..verb.len() - 1])
    } else if ["s", "sh", "ch", "x", "z", "o"]
        .iter()
        .any(|e| lower.ends_with(e))
    {
        format!("{verb}es")
    } else {
        format!("{verb}s")
    }
}
