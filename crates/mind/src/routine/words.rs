//! The lexicon: what words mean to the rules, as data.
//!
//! `words/en.toml` is compiled in and parsed once. It knows English in general and nothing of any
//! town or person. Each section belongs to the module that reads it.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;
use townsfolk_time::Minute;

use super::activities::Kind;

/// Everything in `words/en.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lexicon {
    /// Dates and times.
    pub(crate) when: When,
    /// Occasions that people meet for.
    pub(crate) occasions: Occasions,
    /// Kinds of activities, in order of preference.
    pub(crate) kinds: Vec<Kind>,
    /// Past tenses that do not follow the rule, by base form.
    pub(crate) irregular: HashMap<String, String>,
    /// Verbs that double their last letter: "running".
    pub(crate) doubling: Vec<String>,
    /// First words of cues that are no verbs.
    pub(crate) nouns: Vec<String>,
    /// Verbs that are no activity's cue, in their base form.
    pub(crate) verbs: Vec<String>,
    /// What days are made of.
    pub(crate) days: Days,
    /// Words about objects.
    pub(crate) spots: Spots,
    /// Words about people.
    pub(crate) people: People,
    /// What plans and concerns are written in.
    pub(crate) phrases: Phrases,
}

/// Phrases in which plans and concerns are written, with `{names}` to fill in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Phrases {
    /// Nothing in particular.
    pub(crate) resting: String,
    /// Getting up.
    pub(crate) rising: String,
    /// Going to bed.
    pub(crate) retiring: String,
    /// Sleep.
    pub(crate) sleeping: String,
    /// One's own home.
    pub(crate) home: String,
    /// The first meal.
    pub(crate) breakfast: String,
    /// The second meal.
    pub(crate) lunch: String,
    /// The third meal.
    pub(crate) dinner: String,
    /// A `{meal}` at a `{place}`.
    pub(crate) having: String,
    /// Being somewhere for no purpose that is said.
    pub(crate) spending_time: String,
    /// A break at an eatery, `{place}`.
    pub(crate) visiting: String,
    /// An evening at a `{place}`.
    pub(crate) evening_out: String,
    /// A drink at a `{place}`.
    pub(crate) drink_out: String,
    /// An occasion that is nobody's: `{what}`.
    pub(crate) the: String,
    /// An occasion of a `{host}`: `{what}`.
    pub(crate) somebodys: String,
    /// The host before the occasion: `{what}`, `{place}` as in `at_place`.
    pub(crate) preparing: String,
    /// The host during the occasion, likewise.
    pub(crate) hosting: String,
    /// On the way to a `{place}` for `{what}`.
    pub(crate) going: String,
    /// On the way to `{what}`, wherever it is.
    pub(crate) going_anywhere: String,
    /// A guest at `{what}`, `{place}` as in `at_place`.
    pub(crate) attending: String,
    /// A meal without a name.
    pub(crate) a_meal: String,
    /// The first step of whoever opens a place.
    pub(crate) opening_up: String,
    /// The last step of whoever closes it.
    pub(crate) closing_up: String,
    /// A `{what}` of `{date}` that is over; its last words mark the sentence.
    pub(crate) over: String,
    /// An occasion agreed to: `{name}`, `{what}`, `{place}`, `{date}`, `{time}`.
    pub(crate) means_to_attend: String,
    /// Where: `{place}`.
    pub(crate) at_place: String,
    /// Important `{news}` that occupies `{name}`; the words between mark the sentence.
    pub(crate) lately: String,
    /// Nothing else occupies `{name}`.
    pub(crate) usual_days: String,
}

impl Phrases {
    /// Whether a sentence tells of news.
    pub(crate) fn is_news(&self, sentence: &str) -> bool {
        let mark = self.lately.split(['{', '}']).nth(2).unwrap_or_default();
        !mark.trim().is_empty() && sentence.contains(mark)
    }

    /// How a sentence ends that says that something is over.
    pub(crate) fn over_end(&self) -> &str {
        self.over.rsplit('}').next().unwrap_or_default()
    }
}

/// Words about objects.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spots {
    /// Words in the names of objects for whoever works there.
    pub(crate) staff: Vec<String>,
    /// Objects at which one may do anything that needs no other.
    pub(crate) plain: Vec<String>,
    /// Objects to lie on, for nothing but rest.
    pub(crate) beds: Vec<String>,
}

/// Words about people.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct People {
    /// Pronouns of men.
    pub(crate) male_pronouns: Vec<String>,
    /// Pronouns of women.
    pub(crate) female_pronouns: Vec<String>,
    /// Words in the names of rooms for men.
    pub(crate) male_rooms: Vec<String>,
    /// Words in the names of rooms for women.
    pub(crate) female_rooms: Vec<String>,
}

/// Words of dates and times.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct When {
    /// Names and short names of months, 1 to 12.
    pub(crate) months: HashMap<String, i8>,
    /// Names of months as they are written, January first.
    pub(crate) month_names: Vec<String>,
    /// Names and short names of weekdays, Monday 1 to Sunday 7.
    pub(crate) weekdays: HashMap<String, i8>,
    /// Numbers in words.
    pub(crate) numbers: HashMap<String, u16>,
    /// Words that lead to a time or a day.
    pub(crate) leading: Vec<String>,
    /// Words before a weekday that make it a habit.
    pub(crate) every: Vec<String>,
    /// Words that mean every day.
    pub(crate) daily: Vec<String>,
    /// Words before a stretch of time that make it another than this.
    pub(crate) relating: Vec<String>,
    /// Stretches of time.
    pub(crate) stretches: Vec<String>,
    /// Stretches that are over, before "ago".
    pub(crate) ago: Vec<String>,
    /// Words that stand for one time of day.
    pub(crate) moments: HashMap<String, Minute>,
    /// Parts of the day, with the time meant where no other is said.
    pub(crate) parts: HashMap<String, Minute>,
    /// When parts of the day begin and end.
    pub(crate) spans: HashMap<String, (Minute, Minute)>,
    /// Parts of the day that make an hour below 12 one of the second half.
    pub(crate) afternoon_parts: Vec<String>,
    /// Words after which a bare number is a time of day.
    pub(crate) before_times: Vec<String>,
    /// Words after a number that make it an amount and no time.
    pub(crate) units: Vec<String>,
    /// Days with a name, as month and day.
    pub(crate) holidays: HashMap<String, (i8, i8)>,
}

/// Words of which days are planned.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Days {
    /// Words that say when somebody goes to bed, in a description of a way of life.
    pub(crate) bed: Vec<String>,
    /// Words that say when somebody gets up.
    pub(crate) wake: Vec<String>,
    /// Words that say when somebody works.
    pub(crate) work: Vec<String>,
    /// Words for the first meal.
    pub(crate) breakfast: Vec<String>,
    /// Words for the second meal.
    pub(crate) lunch: Vec<String>,
    /// Words for the third meal.
    pub(crate) dinner: Vec<String>,
    /// Words in the names of places where people eat.
    pub(crate) eateries: Vec<String>,
    /// Words in the names of places where people drink in the evening.
    pub(crate) pubs: Vec<String>,
    /// Words in the names of places where people live.
    pub(crate) residences: Vec<String>,
    /// Words of things that begin and end at set hours, such as classes.
    pub(crate) timed: Vec<String>,
    /// Verbs in the "-ing" form that describe a state of life and nothing to do.
    pub(crate) states: Vec<String>,
    /// Verbs that only say how gladly or often something else is done.
    pub(crate) wishes: Vec<String>,
    /// Names of kinds of activities that are no work.
    pub(crate) leisure: Vec<String>,
    /// Words in front of what somebody does out of habit: "frequent", "spend time at".
    pub(crate) habits: Vec<String>,
    /// Traits of people who go out to meet others.
    pub(crate) sociable: Vec<String>,
    /// Words that say that an occasion is off.
    pub(crate) calling_off: Vec<String>,
    /// Words that say that a place or thing is not to be had.
    pub(crate) cancelling: Vec<String>,
    /// Words before the time from which something is to be had.
    pub(crate) opening: Vec<String>,
    /// Which of these say how something is, so that "was" makes it past.
    pub(crate) lapsing: Vec<String>,
    /// Words that make it so from then on.
    pub(crate) lasting: Vec<String>,
    /// What is closed where its doors are.
    pub(crate) fronts: Vec<String>,
    /// Words before a time from which something is to be had again.
    pub(crate) reopening: Vec<String>,
    /// Words with which a sentence states nothing, wherever they stand in it.
    pub(crate) conditions: Vec<String>,
    /// Words with which it states nothing that follows them.
    pub(crate) unsure: Vec<String>,
    /// Words that part clauses.
    pub(crate) parting: Vec<String>,
    /// Words between two places of which the first is meant.
    pub(crate) beside: Vec<String>,
    /// Verbs for what somebody is to do with a plan that is to fall.
    pub(crate) dropping: Vec<String>,
    /// What may go unsaid where it is done, as the "game" of cards.
    pub(crate) sessions: Vec<String>,
    /// What all of somebody's work is called.
    pub(crate) workday: Vec<String>,
    /// What somebody is to do that keeps it at home.
    pub(crate) staying: Vec<String>,
    /// Words that say that something is at another time, which follows.
    pub(crate) moving: Vec<String>,
    /// Words before the time at which it stood, which the new one follows.
    pub(crate) moving_from: Vec<String>,
    /// Words before the time of a meal or a session of one's own.
    pub(crate) standing_at: Vec<String>,
    /// Words that may stand between what is off or moved and the words that say so.
    pub(crate) helping: Vec<String>,
    /// Which of these make it past.
    pub(crate) past: Vec<String>,
    /// Which of these have something done to it.
    pub(crate) passive: Vec<String>,
    /// Words for what somebody was going to, which say nothing of where or with whom.
    pub(crate) engagements: Vec<String>,
    /// What people of an occupation do, by the occupation's noun.
    pub(crate) occupations: HashMap<String, String>,
    /// What people with a trait like to do in the evening, by trait.
    pub(crate) evenings: HashMap<String, String>,
    /// What people do in the evening as a rule, where nothing else is known.
    pub(crate) quiet_evenings: Vec<String>,
    /// Words for the people one has dinner with at home.
    pub(crate) kin: Vec<String>,
    /// What interrupts a long stretch of one thing, away from home.
    pub(crate) breaks_out: Vec<String>,
    /// The same at home.
    pub(crate) breaks_in: Vec<String>,
    /// How long an activity of a kind goes on before something else comes, in minutes, by kind.
    pub(crate) longest: HashMap<String, Minute>,
    /// What people without any occupation do, likewise.
    pub(crate) quiet_days: Vec<String>,
}

/// Words about occasions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Occasions {
    /// What people gather for, with how long it lasts in minutes where that is not said.
    pub(crate) kinds: HashMap<String, u16>,
    /// Words of those at which people eat.
    pub(crate) fed: Vec<String>,
    /// Verbs that make their subject the host.
    pub(crate) hosting: Vec<String>,
    /// Verbs, in their base form or past, of those who attend.
    pub(crate) attending: Vec<String>,
    /// Words that begin a phrase: what stands before them is not part of a name of a thing.
    pub(crate) determiners: Vec<String>,
    /// Words that end a name of a place or thing.
    pub(crate) stops: Vec<String>,
}

/// The lexicon.
pub(crate) fn lexicon() -> &'static Lexicon {
    static LEXICON: OnceLock<Lexicon> = OnceLock::new();
    LEXICON.get_or_init(|| {
        // The file is part of the program; a test reads it.
        toml::from_str(include_str!("words/en.toml")).expect("words/en.toml is well formed")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lexicon_is_well_formed() {
        let words = lexicon();
        assert_eq!(words.when.months.values().max(), Some(&12));
        assert!(words.occasions.kinds.values().all(|minutes| *minutes > 0));
    }
}
