//! The lexicon of talk: what English phrases, cues and weights the social rules use.
//!
//! It is data (`words/en_talk.toml`), compiled in and parsed once. A missing list is an error that
//! the test below finds, never a silent gap.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::OnceLock;

use serde::Deserialize;

use crate::Chance;

/// The whole lexicon.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Phrases {
    pub(crate) grammar: Grammar,
    pub(crate) importance: Weights,
    pub(crate) themes: BTreeMap<String, Vec<String>>,
    pub(crate) news: News,
    pub(crate) attitude: Attitudes,
    pub(crate) traits: Traits,
    pub(crate) activity: Activities,
    pub(crate) alarm: Alarms,
    pub(crate) errand: Errands,
    pub(crate) cues: Cues,
    pub(crate) talk: Talk,
    pub(crate) summary: Summaries,
    pub(crate) relationship: Relations,
    pub(crate) reflection: Reflections,
    pub(crate) interview: Interviews,
}

macro_rules! section {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            $(pub(crate) $field: $type,)*
        }
    };
}

type List = Vec<String>;
type Set = BTreeSet<String>;

section!(
    /// Words that tell who acts.
    Grammar {
        i: String,
        me: String,
        my: String,
        myself: String,
        you: String,
        your: String,
        yourself: String,
        we: String,
        us: String,
        themselves: String,
        their: String,
        wants_to: String,
        means_not_to: String,
        not_to: List,
        is_to: List,
        instead: Set,
        advising: String,
        advising_not: String,
        first: Set,
        second: Set,
        and: Set,
        conjunctions: Set,
        please: Set,
        relatives: Set,
        letting: Set,
        perceiving: Set,
        kin_he: Set,
        kin_she: Set,
        kin_any: Set,
        being: Set,
        heads: Set,
        articles: Set,
        place_words: Set,
        not_verbs: Set,
        before_objects: Set,
        prohibitions: Set,
        courses: Set,
        openers_lowered: Set,
        clause_openers: Set,
        adverbs: Set,
        before_places: Set,
        calendar: Set,
        function: Set,
        questioning: Set,
        after_verbs: Set,
        finite: Set,
        finite_any: Set,
        past: Set,
        present_verbs: Set,
        commands: Set,
        first_finite: BTreeMap<String, String>,
        second_finite: BTreeMap<String, String>,
        plural_finite: BTreeMap<String, String>,
    }
);

section!(
    /// How much words weigh.
    Weights {
        trivial: List,
        routine: Set,
        talk: Set,
        stress: List,
        dated: Set,
        figures: BTreeMap<String, u8>,
        weights: BTreeMap<String, u8>,
    }
);

section!(
    /// What is passed on and what isn't.
    News {
        words: Set,
        private: List,
        leaning: Set,
        leaning_on: Set,
        unspoken: List,
        announcing: List,
        about_telling: List,
        curious: List,
        questions: Set,
    }
);

section!(
    /// Words of liking, dislike and kinship.
    Attitudes {
        liking: List,
        dislike: List,
        negations: List,
        kin: Set,
        household: List,
        bond: Set,
        indifference: List,
        refusals: List,
    }
);

section!(
    /// Traits that change how people talk.
    Traits {
        sociable: Set,
        reserved: Set,
        harsh: Set,
        kind: Set,
    }
);

section!(
    /// Activities by how they go with company.
    Activities {
        focused: Set,
        intimate: Set,
        talking: Set,
        sociable: Set,
        work: Set,
    }
);

section!(
    /// Objects in states that call for something.
    Alarms {
        fire: List,
        water: List,
        damage: List,
        unusable: List,
        put_out: String,
        stop_water: String,
        repair: String,
    }
);

section!(
    /// What makes a wish an errand to be run at once.
    Errands {
        now: List,
        go: List,
    }
);

section!(
    /// How lines are understood.
    Cues {
        goodbye: List,
        invite: List,
        how_are_you: List,
        plans: List,
        concern: List,
        request: List,
        tell_me: List,
        and_you: List,
        who_are_you: List,
        undertakings: List,
    }
);

macro_rules! lists {
    ($(#[$doc:meta])* $name:ident { $($field:ident: List,)* }) => {
        section!($(#[$doc])* $name { $($field: List,)* });

        impl $name {
            /// Every phrase.
            pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
                [$(&self.$field),*].into_iter().flatten()
            }
        }
    };
}

lists!(
    /// What is said.
    Talk {
        good_morning: List,
        good_day: List,
        good_evening: List,
        curt_greeting: List,
        introduce: List,
        introduce_back: List,
        greet_back: List,
        see_doing: List,
        how_are_you: List,
        ask_plans: List,
        ask_plans_evening: List,
        ask_concern: List,
        ask_curious: List,
        ask_busy: List,
        and_you: List,
        fine: List,
        fine_doing: List,
        plan_next: List,
        plan_next_plain: List,
        no_plans: List,
        no_concern: List,
        going_well: List,
        tell_own: List,
        tell_other: List,
        tell_firsthand: List,
        tell_hearsay: List,
        going_too: List,
        invite: List,
        accept: List,
        accept_again: List,
        accept_pleased: List,
        decline_clash: List,
        decline_appointment: List,
        decline_work: List,
        decline_sleep: List,
        decline_interest: List,
        decline_theme: List,
        decline_dislike: List,
        decline_off: List,
        decline_heard: List,
        grant: List,
        granted: List,
        refuse: List,
        refuse_plain: List,
        refused: List,
        unknown: List,
        heard_news: List,
        heard_known: List,
        heard_interest: List,
        opinion: List,
        hear_plan: List,
        hear_meet: List,
        curt_reply: List,
        goodbye: List,
        goodbye_night: List,
        goodbye_meet: List,
        goodbye_again: List,
        goodbye_curt: List,
        again: List,
    }
);

section!(
    /// What is kept of a talk.
    Summaries {
        told: String,
        agreed: String,
        declined: String,
        granted: String,
        refused: String,
        talked: String,
        greeted: String,
        planning: String,
        attend: String,
        expect: String,
        promised: String,
        memo: String,
        memo_declined: String,
        memo_refused: String,
    }
);

section!(
    /// What residents make of each other.
    Relations {
        unmet: String,
        little: String,
        talks: String,
        talk: String,
        likes: String,
        dislikes: String,
    }
);

section!(
    /// Questions and conclusions.
    Reflections {
        memory_marks: List,
        ask_person: String,
        ask_relationship: String,
        ask_concern: String,
        ask_activity: String,
        ask_default: String,
        often_sees: String,
        often_talks: String,
        usually: String,
        own_habit: String,
        learned: String,
        spreads: String,
        attends: String,
        met_most: String,
    }
);

section!(
    /// How questions from outside are understood and answered.
    Interviews {
        unknown_person: List,
        nothing: List,
        name_age: String,
        name: String,
        heard_from: String,
        heard_of_self: String,
        barely_known: String,
        only_know: String,
        my_plan: String,
        no_plan: String,
        not_yet_planned: String,
        had_planned: String,
        seen_doing: String,
        was_doing: String,
        asleep: String,
        nobody_shares: String,
        not_when: String,
        not_where: String,
        not_why: String,
        not_then: String,
        lead_yes: String,
        lead_no: String,
        lead_unsure: String,
        i_am: String,
        at_place: String,
        at_room: String,
        i_live: String,
        it_is: String,
        over: List,
        where_now: List,
        where_home: List,
        doing_now: List,
        what_clock: List,
        now_words: List,
        modals: List,
        requests: List,
        being: List,
        been: List,
        slight: List,
        company: List,
        would_choose: String,
        would_put_out: String,
        would_stop: String,
        would_wait: String,
        would_see_to: String,
        cannot_tell: String,
        know_who: List,
        talked_about: List,
        about_self: List,
        occupation: List,
        age: List,
        traits: List,
        live_with: List,
        lives_with: List,
        to_come: List,
        typical: List,
        plan: List,
        interest: List,
        caring: List,
        heard: List,
        most_met: List,
        married: List,
        spouses: List,
        going: List,
        coming: List,
        thinking: List,
        would: List,
        supposing: List,
        taken: List,
        auxiliaries: List,
        ask_person: List,
        ask_time: List,
        ask_place: List,
        ask_reason: List,
        reasons: List,
        telling: Set,
        told: String,
        source: List,
        told_nothing: String,
        nobody_told: String,
        so_did: String,
        talking_with: List,
        talked_with: String,
        talked_at: String,
        no_talk: String,
        anybody: String,
        several: String,
        pronouns: Set,
        question_words: Set,
        ties: Set,
        living: Set,
        under_way: List,
        on_the_way: String,
        was_at: String,
        opinion: List,
        no_opinion: String,
        will_be_there: String,
        hours: List,
        worry: List,
        troubled: List,
        says_nothing: List,
        negations: List,
        so_far: List,
    }
);

impl Phrases {
    /// The compiled-in lexicon.
    pub(crate) fn get() -> &'static Self {
        static PHRASES: OnceLock<Phrases> = OnceLock::new();
        PHRASES.get_or_init(|| match toml::from_str::<Phrases>(SOURCE) {
            Ok(mut phrases) => {
                let any = phrases.grammar.finite_any.clone();
                phrases.grammar.finite.extend(any);
                phrases
            }
            // Compiled in and read by every test of this crate: it can't be met in the field.
            Err(error) => panic!("words/en_talk.toml: {error}"),
        })
    }
}

const SOURCE: &str = include_str!("words/en_talk.toml");

impl Grammar {
    /// Whether a word may stand between a subject and its verb.
    pub(crate) fn is_adverb(&self, word: &str) -> bool {
        self.adverbs.contains(word) || word.len() > 4 && word.ends_with("ly") && word != "family"
    }

    /// Whether the word is a month or a weekday.
    pub(crate) fn is_calendar(&self, lower: &str) -> bool {
        self.calendar.contains(lower)
    }

    /// Whether a text that begins with the word is an order.
    pub(crate) fn is_command(&self, lower: &str) -> bool {
        self.commands.contains(lower)
    }

    /// Whether a text of these words forbids something: "don't go", "do not go", "never go".
    pub(crate) fn forbids(&self, lower: &[String]) -> bool {
        match lower {
            [first, ..] if self.prohibitions.contains(first) => true,
            [first, second, ..] => first == "do" && second == "not",
            _ => false,
        }
    }

    /// Whether a text is in the lexicon's language, as far as its small words tell.
    pub(crate) fn speaks(&self, lower: &str) -> bool {
        static SMALL: OnceLock<HashSet<&'static str>> = OnceLock::new();
        let small = SMALL.get_or_init(|| {
            let grammar = &Phrases::get().grammar;
            let sets = [
                &grammar.function,
                &grammar.finite,
                &grammar.adverbs,
                &grammar.second,
                &grammar.present_verbs,
            ];
            sets.into_iter().flatten().map(String::as_str).collect()
        });
        small.contains(lower)
    }
}

pub(crate) use crate::phrases::fill;

/// One of the phrases, tried from a place that chance gives, for which `fits` holds once filled.
pub(crate) fn choose(
    chance: &Chance,
    purpose: &str,
    phrases: &[String],
    values: &[(&str, &str)],
    fits: impl Fn(&str) -> bool,
) -> Option<String> {
    let from = chance.below(purpose, phrases.len());
    (0..phrases.len())
        .map(|k| fill(&phrases[(from + k) % phrases.len()], values))
        .find(|text| fits(text))
}

/// Whether `lower`, a text in lower case, holds one of the phrases as whole words. A phrase such as
/// "n't like" begins inside a word.
pub(crate) fn holds(lower: &str, phrases: &[String]) -> bool {
    holds_any(lower, phrases.iter().map(String::as_str))
}

/// Whether `lower` holds the phrase as whole words.
pub(crate) fn holds_phrase(lower: &str, phrase: &str) -> bool {
    holds_any(lower, std::iter::once(phrase))
}

/// Looks for all phrases at each beginning of a word, in one walk over the text.
fn holds_any<'p>(lower: &str, phrases: impl Iterator<Item = &'p str> + Clone) -> bool {
    let mut inside = false;
    for (at, c) in lower.char_indices() {
        let (begins, negates) = (!inside, c == 'n' && lower[at..].starts_with("n't"));
        inside = c.is_alphanumeric();
        if !begins && !negates {
            continue;
        }
        let rest = &lower[at..];
        let first = rest.as_bytes().first();
        let found = phrases.clone().any(|phrase| {
            phrase.as_bytes().first() == first
                && rest.starts_with(phrase)
                && (begins || phrase.starts_with("n't"))
                && {
                    let after = rest[phrase.len()..].chars().next();
                    after.is_none_or(|c| !c.is_alphanumeric() || !phrase.ends_with(char::is_alphanumeric))
                }
        });
        if found {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lexicon_is_whole() {
        let phrases = Phrases::get();
        assert!(phrases.importance.weights.values().all(|w| (1..=10).contains(w)));
        assert!(!phrases.talk.goodbye.is_empty());
    }

    #[test]
    fn phrases_are_whole_words() {
        assert!(holds_phrase("he didn't like it", "n't like"));
        assert!(!holds_phrase("a kindred spirit", "kind"));
        assert!(holds_phrase("kind, they say", "kind"));
    }
}
