//! What the names of places say: worked out once for each name, since residents choose among the
//! same places all day.

use super::activities::Kind;
use super::words::lexicon;
use crate::model::reading::Reading;

/// What a place's name says.
#[derive(Debug)]
pub(crate) struct Name {
    /// Its words in ASCII lower case, without a leading "the" and without the last of several
    /// letters if that is an s.
    plain: Vec<String>,
    /// Its words as they are written.
    raw: Vec<String>,
    /// For each kind of activity, which of the objects it uses this is.
    uses: Vec<Option<u8>>,
    /// Whether it is for whoever works there: a counter's back, a podium. The word that says so.
    pub(crate) staff: Option<&'static str>,
    /// Whether it is a table or seat, good for anything.
    pub(crate) is_plain: bool,
    /// Whether it is to lie on.
    pub(crate) is_bed: bool,
    /// Whether people live in a sector of this name; a coffee house is no residence.
    pub(crate) is_residence: bool,
    /// Whether it bears a person's name: "Mara's room".
    pub(crate) is_somebodys: bool,
    /// Whether it is for men or for women.
    pub(crate) gendered: Option<Gender>,
}

/// Whom a room is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gender {
    /// Men.
    Men,
    /// Women.
    Women,
}

impl Name {
    /// What `name` says.
    pub(crate) fn new(name: &str) -> Self {
        let lexicon = lexicon();
        let raw: Vec<String> = name
            .split([' ', '-'])
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect();
        let lower: Vec<String> = raw.iter().map(|word| word.to_ascii_lowercase()).collect();
        let has = |word: &str| lower.iter().any(|part| part == word);
        let any = |words: &[String]| words.iter().any(|word| has(word));
        let used = |kind: &Kind| {
            let position = kind.objects.iter().position(|object| object.split(' ').all(has));
            position.and_then(|position| u8::try_from(position).ok())
        };
        let days = &lexicon.days;
        let owner = |word: &String| {
            let possessive = ["'s", "’s", "s'"].iter().any(|end| word.ends_with(end));
            possessive && word.chars().next().is_some_and(char::is_uppercase)
        };
        let gendered = if any(&lexicon.people.female_rooms) {
            Some(Gender::Women)
        } else if any(&lexicon.people.male_rooms) {
            Some(Gender::Men)
        } else {
            None
        };
        let skip = usize::from(lower.first().is_some_and(|word| word == "the"));
        Self {
            uses: lexicon.kinds.iter().map(used).collect(),
            staff: lexicon
                .spots
                .staff
                .iter()
                .find(|word| has(word))
                .map(String::as_str),
            is_plain: any(&lexicon.spots.plain),
            is_bed: any(&lexicon.spots.beds) || Reading::get().is_bed(name),
            is_residence: any(&days.residences) && !any(&days.eateries) && !any(&days.pubs),
            is_somebodys: raw.iter().any(owner),
            gendered,
            plain: lower
                .iter()
                .skip(skip)
                .map(|word| plain(word).to_owned())
                .collect(),
            raw,
        }
    }

    /// Which of the objects that the kind at `index` in the lexicon uses this is, best 0.
    pub(crate) fn used_by(&self, index: usize) -> Option<u8> {
        self.uses.get(index).copied().flatten()
    }

    /// How many words the name has, if they stand one after the other in `text`, a text's words
    /// made plain; else 0.
    pub(crate) fn stands_in(&self, text: &[&str]) -> i32 {
        let length = self.plain.len();
        let stands = length > 0
            && text
                .windows(length)
                .any(|window| window.iter().zip(&self.plain).all(|(a, b)| a == b));
        if stands { length as i32 } else { 0 }
    }

    /// Whether `word`, made plain, is one of the name's words, as "library" is of "Quay Library"; nobody's
    /// home is meant by one word.
    pub(crate) fn is_a(&self, word: &str) -> bool {
        !self.is_residence && self.plain.iter().any(|own| own == word)
    }

    /// How many of the name's longer words satisfy `test`.
    pub(crate) fn count(&self, test: impl Fn(&str) -> bool) -> i32 {
        self.raw
            .iter()
            .filter(|word| word.len() > 3 && test(word))
            .count() as i32
    }

    /// Whether the name says `first_name`, perhaps as an owner.
    pub(crate) fn names_person(&self, first_name: &str) -> bool {
        let bare = |word: &str| word.trim_end_matches("'s").trim_end_matches("’s") == first_name;
        self.raw.iter().any(|word| word == first_name || bare(word))
    }
}

/// A word without a final s, which "The Willow Market" and "The Willows Market" differ by.
pub(crate) fn plain(word: &str) -> &str {
    word.strip_suffix('s')
        .filter(|stem| stem.len() > 2)
        .unwrap_or(word)
}
