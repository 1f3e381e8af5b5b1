//! Where clauses begin, whose they are, and how far they go.

use super::super::activities;
use super::super::phrases::Grammar;
use super::super::prose::{Word, bare};
use super::recast::State;
use super::verbs::{base_form, follows_apposition, is_third_person_form};

impl State {
    /// Whether what stands at `start..end` is the subject of a clause.
    pub(super) fn is_subject(&self, grammar: &Grammar, all: &[Word<'_>], start: usize, end: usize) -> bool {
        let Some(next) = all.get(end).filter(|w| !w.is_set_off()) else {
            return false;
        };
        // "lets me have supper": whoever is let do something isn't the subject.
        // Nor is the one whom something is for: "next for me is supper".
        let behind = |words: &std::collections::BTreeSet<String>| {
            start > 0 && words.contains(&all[start - 1].text.to_lowercase())
        };
        let let_do = behind(&grammar.letting) || behind(&grammar.before_objects);
        if let_do && !all[start].is_set_off() {
            return false;
        }
        let mut at = end;
        while at + 1 < all.len() && grammar.is_adverb(all[at].text) {
            at += 1;
        }
        let verb = all[at].text;
        if grammar.finite.contains(next.text) || grammar.finite.contains(verb) {
            return true;
        }
        let opened = start > 0
            && (all[start].is_set_off() || behind(&grammar.clause_openers) || behind(&grammar.relatives));
        // "everyone she meets", "the doctor she works with".
        let headed = start > 0
            && !all[start].is_set_off()
            && (grammar.heads.contains(&all[start - 1].text.to_lowercase())
                || start > 1 && grammar.articles.contains(&all[start - 2].text.to_lowercase()));
        let is_past = grammar.past.contains(verb) || verb.ends_with("ed");
        opened && (is_past || is_third_person_form(verb))
            || headed && (is_past || grammar.present_verbs.contains(verb))
    }

    /// Whether a verb that follows "is …ing …" is more likely the subject's than that of somebody
    /// spoken of in between ("a man who lives and works"), or a noun at the end.
    pub(super) fn governs(&self, grammar: &Grammar, all: &[Word<'_>], i: usize) -> bool {
        let begins = (0..=i).rev().find(|at| all[*at].opens_sentence()).unwrap_or(0);
        let begins = begins.max(self.clause_from);
        let relative = all[begins..i]
            .iter()
            .any(|w| grammar.relatives.contains(&w.text.to_lowercase()));
        !relative && all.get(i + 1).is_some_and(|next| !next.is_set_off())
    }

    /// Whether the word is a further verb of the same subject: "works and *is* writing".
    pub(super) fn goes_on(&self, grammar: &Grammar, all: &[Word<'_>], i: usize, lower: &str) -> bool {
        // "edits and prints": a verb straight after another.
        let at_once = i > 1
            && self.last_verb == Some(i - 2)
            && self.simple_present
            && is_third_person_form(lower)
            && all.get(i + 1).is_some_and(|next| !next.is_set_off());
        let is_verb = grammar.present_verbs.contains(lower) || self.is_further_verb(grammar, all, i, lower);
        let known = at_once
            || grammar.finite.contains(lower) && !grammar.finite_any.contains(lower)
            || is_verb && (self.simple_present || self.governs(grammar, all, i));
        if !known || i == 0 {
            return false;
        }
        let mut at = i;
        while at > 0 && grammar.is_adverb(all[at - 1].text) {
            at -= 1;
        }
        at > 0
            && (grammar.conjunctions.contains(&all[at - 1].text.to_lowercase())
                || all[at].gap.contains(',') && is_verb && !follows_apposition(all, at))
    }

    /// Whether a word after "and" or a comma is a verb, and no noun in a row of them: it has the form of one,
    /// and is known as one or stands before a word that follows no noun: "corrects everyone's posture".
    pub(super) fn is_further_verb(&self, grammar: &Grammar, all: &[Word<'_>], i: usize, lower: &str) -> bool {
        let Some(next) = all.get(i + 1).filter(|next| !next.is_set_off()) else {
            return false;
        };
        let base = base_form(lower);
        let next = bare(next.text).to_lowercase();
        is_third_person_form(lower)
            && !all[i].begins_name()
            && (grammar.is_command(&base)
                || activities::is_verb(&base)
                || grammar.after_verbs.contains(&next)
                || grammar.heads.contains(&next))
    }

    /// Whether somebody is spoken of only after an opening phrase: "In the afternoon, he likes to read".
    pub(super) fn opens_phrase(grammar: &Grammar, all: &[Word<'_>], i: usize, lower: &str) -> bool {
        let leads = grammar.function.contains(lower)
            && !grammar.openers_lowered.contains(lower)
            && !grammar.questioning.contains(lower);
        let rest = all.get(i + 1..).unwrap_or_default();
        let after = rest
            .iter()
            .take_while(|word| !word.opens_sentence())
            .find(|word| word.is_set_off());
        leads && after.is_some_and(|word| matches!(&*word.text.to_lowercase(), "he" | "she"))
    }
}
