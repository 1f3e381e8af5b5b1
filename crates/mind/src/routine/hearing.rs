//! What a line of talk asks or says, whoever wrote it: a resident's rules, a model or a person.

use super::phrases::{Phrases, holds};
use super::prose::sentences;

/// What a line asks of its listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    /// Nothing.
    Nothing,
    /// To come to something.
    ToCome,
    /// For something: to lend, to help.
    AFavour,
    /// How the listener is.
    HowAreYou,
    /// What the listener is going to do.
    Plans,
    /// What the listener works on, or how it goes.
    Concern,
    /// Who the listener is.
    WhoAreYou,
    /// The listener's own question back.
    TheSame,
    /// Anything else.
    Something,
}

/// A line as it is understood.
#[derive(Clone, Debug)]
pub(crate) struct Heard<'a> {
    /// What it asks.
    pub(crate) asks: Asks,
    /// The sentence that asks it; empty where it asks nothing.
    pub(crate) question: &'a str,
    /// Whether it takes leave.
    pub(crate) goodbye: bool,
}

impl<'a> Heard<'a> {
    /// Understands a line.
    pub(crate) fn of(text: &'a str) -> Self {
        let cues = &Phrases::get().cues;
        let all = sentences(text);
        let lower = text.to_lowercase();
        let question = all
            .iter()
            .rev()
            .find(|s| s.ends_with(['?', '？']))
            .copied()
            .unwrap_or("");
        let asked = question.to_lowercase();
        let asks = if holds(&lower, &cues.invite) {
            Asks::ToCome
        } else if question.is_empty() {
            Asks::Nothing
        } else if cues.and_you.contains(&asked) {
            Asks::TheSame
        } else if holds(&asked, &cues.how_are_you) {
            Asks::HowAreYou
        } else if holds(&asked, &cues.who_are_you) {
            Asks::WhoAreYou
        } else if holds(&asked, &cues.plans) {
            Asks::Plans
        } else if holds(&asked, &cues.concern) {
            Asks::Concern
        } else if holds(&asked, &cues.tell_me) {
            Asks::Something
        } else if holds(&asked, &cues.request) {
            Asks::AFavour
        } else {
            Asks::Something
        };
        let question = match (asks, question) {
            (Asks::ToCome, "") => all
                .iter()
                .rev()
                .find(|s| holds(&s.to_lowercase(), &cues.invite))
                .copied()
                .unwrap_or(text),
            (_, question) => question,
        };
        Self {
            asks,
            question,
            goodbye: holds(&lower, &cues.goodbye),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let asks = |t| Heard::of(t).asks;
        assert_eq!(
            asks("I am planning a party. Would you like to come?"),
            Asks::ToCome
        );
        assert_eq!(asks("I hope you can come!"), Asks::ToCome);
        assert_eq!(asks("Could you lend me your saw?"), Asks::AFavour);
        assert_eq!(asks("Hi, Zoë. How are you?"), Asks::HowAreYou);
        assert_eq!(asks("How is your research coming along?"), Asks::Concern);
        assert_eq!(asks("Do you know who is running for mayor?"), Asks::Something);
        assert_eq!(asks("The ferry leaves every forty minutes."), Asks::Nothing);
        assert!(Heard::of("See you later, Maria.").goodbye);
    }
}
