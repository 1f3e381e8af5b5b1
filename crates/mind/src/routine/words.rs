//! The lexicon: what words mean to the rules, as data.
//!
//! `words/en.toml` is compiled in and parsed once. It knows English in general and nothing of any
//! town or person. Each section belongs to the module that reads it.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;
use townsfolk_time::Minute;

/// Everything in `words/en.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lexicon {
    /// Dates and times.
    pub(crate) when: When,
    /// Occasions that people meet for.
    pub(crate) occasions: Occasions,
}

/// Words of dates and times.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct When {
    /// Names and short names of months, 1 to 12.
    pub(crate) months: HashMap<String, i8>,
    /// Names and short names of weekdays, Monday 1 to Sunday 7.
    pub(crate) weekdays: HashMap<String, i8>,
    /// Numbers in words.
    pub(crate) numbers: HashMap<String, u16>,
    /// Words that stand for one time of day.
    pub(crate) moments: HashMap<String, Minute>,
    /// Parts of the day, with the time meant where no other is said.
    pub(crate) parts: HashMap<String, Minute>,
    /// Parts of the day that make an hour below 12 one of the second half.
    pub(crate) afternoon_parts: Vec<String>,
    /// Words after which a bare number is a time of day.
    pub(crate) before_times: Vec<String>,
    /// Words after a number that make it an amount and no time.
    pub(crate) units: Vec<String>,
    /// Days with a name, as month and day.
    pub(crate) holidays: HashMap<String, (i8, i8)>,
}

/// Words about occasions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Occasions {
    /// What people gather for, with how long it lasts in minutes where that is not said.
    pub(crate) kinds: HashMap<String, u16>,
    /// Verbs that make their subject the host.
    pub(crate) hosting: Vec<String>,
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
