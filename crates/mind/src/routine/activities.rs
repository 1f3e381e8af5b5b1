//! What kind of activity a text describes.
//!
//! The lexicon lists kinds with their cues. Every form of a cue's verb is worked out once, so that
//! looking a text over is a walk through its words with one table look-up each.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;

use super::text::Words;
use super::words::lexicon;

/// A kind of activity, as `words/en.toml` describes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Kind {
    /// What it is called.
    pub(crate) name: String,
    /// What in a text makes it this kind.
    cues: Vec<String>,
    /// At least one of these words must stand in the text too, where there are any.
    #[serde(default)]
    with: Vec<String>,
    /// Kinds of objects it uses, best first.
    pub(crate) objects: Vec<String>,
    /// Where it is done as a rule.
    pub(crate) setting: Setting,
    /// How it shows.
    pub(crate) emoji: String,
    /// State of the object it uses.
    pub(crate) state: String,
    /// To how many of the objects the state is fitting, from the first on; all where nothing is said. The others are
    /// in use.
    fitting: Option<usize>,
    /// What it consists of.
    #[serde(default)]
    pub(crate) steps: Vec<String>,
    /// What it consists of at home, where that differs.
    #[serde(default)]
    pub(crate) home_steps: Vec<String>,
    /// Whether the steps stand for themselves rather than detail the activity.
    #[serde(default)]
    pub(crate) whole: bool,
}

impl Kind {
    /// The objects that come into its state.
    pub(crate) fn with_state(&self) -> &[String] {
        &self.objects[..self
            .fitting
            .map_or(self.objects.len(), |count| count.min(self.objects.len()))]
    }
}

/// Where an activity is done as a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Setting {
    /// In the resident's own room.
    OwnRoom,
    /// At home.
    Home,
    /// Behind a counter, by whoever works there.
    Counter,
    /// Away from home, outdoors as a rule.
    Out,
    /// Anywhere.
    Any,
}

/// A kind found in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The kind.
    pub(crate) kind: &'static Kind,
    /// The first word of its cue.
    pub(crate) at: usize,
    /// How many words the cue has.
    pub(crate) length: usize,
}

/// The kind of activity that `words` describe: the one whose cue stands first; of several there,
/// the longest cue, then the lexicon's order. Words in parentheses say it more closely and go first.
pub(crate) fn kind_of(words: &Words<'_>) -> Option<Found> {
    let inner = (0..words.len()).find(|i| words.gap_before(*i).ends_with('('));
    inner
        .and_then(|from| first_in(words, from))
        .or_else(|| first_in(words, 0))
        .map(|found| worked_on(words, found))
}

/// Whether an activity is sleep, as far as its words say.
pub(crate) fn is_sleep(activity: &str) -> bool {
    let found = kind_of(&Words::new(activity));
    found.is_some_and(|found| found.kind.name == "sleep")
}

/// "working on a collection of poetry" is writing: what one works on says more than that one works.
fn worked_on(words: &Words<'_>, found: Found) -> Found {
    let on = found.at + 1;
    if base_of_gerund(words.at(found.at)) != Some("work") || words.at(on) != "on" {
        return found;
    }
    let end = (on..words.len())
        .find(|i| words.at(*i) == "at")
        .unwrap_or(words.len());
    let told = (on + 1..end).find_map(|at| found_at(words, at));
    let plain = kind_named("working").map(|kind| Found {
        kind,
        at: found.at,
        length: 1,
    });
    told.or(plain).unwrap_or(found)
}

fn first_in(words: &Words<'_>, from: usize) -> Option<Found> {
    (from..words.len()).find_map(|at| found_at(words, at))
}

fn found_at(words: &Words<'_>, at: usize) -> Option<Found> {
    let mut best: Option<Found> = None;
    for cue in cues().get(words.at(at)).into_iter().flatten() {
        let length = cue.rest.len() + 1;
        if best.is_some_and(|best| best.length >= length) {
            continue;
        }
        let follows = cue
            .rest
            .iter()
            .enumerate()
            .all(|(i, word)| words.at(at + 1 + i) == *word);
        if follows && has_any(words, &cue.kind.with) {
            best = Some(Found {
                kind: cue.kind,
                at,
                length,
            });
        }
    }
    best
}

fn has_any(words: &Words<'_>, with: &[String]) -> bool {
    with.is_empty() || (0..words.len()).any(|i| with.iter().any(|w| w == words.at(i)))
}

/// Where a kind stands in the lexicon's list.
pub(crate) fn index_of(kind: &'static Kind) -> usize {
    lexicon()
        .kinds
        .iter()
        .position(|other| std::ptr::eq(other, kind))
        .unwrap_or(usize::MAX)
}

/// The kind with this name in the lexicon.
pub(crate) fn kind_named(name: &str) -> Option<&'static Kind> {
    lexicon().kinds.iter().find(|kind| kind.name == name)
}

struct Cue {
    kind: &'static Kind,
    /// The words after the first.
    rest: Vec<&'static str>,
}

/// Cues by their first word in every form, each list in the lexicon's order.
fn cues() -> &'static HashMap<String, Vec<Cue>> {
    static CUES: OnceLock<HashMap<String, Vec<Cue>>> = OnceLock::new();
    CUES.get_or_init(|| {
        let mut cues: HashMap<String, Vec<Cue>> = HashMap::new();
        for kind in &lexicon().kinds {
            for cue in &kind.cues {
                let mut words = cue.split(' ');
                let first = words.next().unwrap_or_default();
                let rest: Vec<_> = words.collect();
                for form in forms(first) {
                    cues.entry(form).or_default().push(Cue {
                        kind,
                        rest: rest.clone(),
                    });
                }
            }
        }
        cues
    })
}

/// Every form of a verb or noun in its base form: walk, walks, walking, walked.
fn forms(base: &str) -> Vec<String> {
    let mut forms = vec![base.to_owned(), third_person(base), gerund(base)];
    let past = match lexicon().irregular.get(base) {
        Some(past) => past.clone(),
        None if base.ends_with('e') => format!("{base}d"),
        None => match base.strip_suffix('y').filter(|stem| !ends_in_vowel(stem)) {
            Some(stem) => format!("{stem}ied"),
            None => gerund(base).replace("ing", "ed"),
        },
    };
    forms.push(past);
    forms.sort();
    forms.dedup();
    forms
}

/// "walk" to "walks", "go" to "goes", "study" to "studies".
pub(crate) fn third_person(base: &str) -> String {
    if base == "have" {
        return "has".to_owned();
    }
    if base == "be" {
        return "is".to_owned();
    }
    if let Some(stem) = base.strip_suffix('y').filter(|stem| !ends_in_vowel(stem)) {
        return format!("{stem}ies");
    }
    let es = ["s", "sh", "ch", "x", "z", "o"]
        .iter()
        .any(|end| base.ends_with(end));
    format!("{base}{}", if es { "es" } else { "s" })
}

/// "walk" to "walking", "write" to "writing", "run" to "running".
pub(crate) fn gerund(base: &str) -> String {
    if let Some(stem) = base.strip_suffix("ie") {
        return format!("{stem}ying");
    }
    if let Some(stem) = base
        .strip_suffix('e')
        .filter(|stem| stem.len() > 1 && !stem.ends_with(['e', 'o', 'y']))
    {
        return format!("{stem}ing");
    }
    let doubles = lexicon().doubling.iter().any(|verb| verb == base);
    match base.chars().last().filter(|_| doubles) {
        Some(last) => format!("{base}{last}ing"),
        None => format!("{base}ing"),
    }
}

/// The base of a verb in the third person: "goes" to "go", "studies" to "study"; other words are
/// left as they are.
pub(crate) fn base_of_third_person(word: &str) -> String {
    match word {
        "has" => return "have".to_owned(),
        "is" => return "be".to_owned(),
        _ => {}
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    for end in ["sses", "shes", "ches", "xes", "zzes", "oes"] {
        if word.ends_with(end) {
            return word[..word.len() - 2].to_owned();
        }
    }
    word.strip_suffix('s')
        .filter(|stem| !stem.ends_with('s'))
        .unwrap_or(word)
        .to_owned()
}

/// The verb as the lexicon has it, if `word` is the base form of one it knows.
pub(crate) fn verb(word: &str) -> Option<&'static str> {
    base_of_gerund(&gerund(word)).filter(|base| *base == word)
}

/// Whether `word` is the base form of a verb that the lexicon knows.
pub(crate) fn is_verb(word: &str) -> bool {
    verb(word).is_some()
}

/// The base of a gerund whose verb the lexicon knows: "writing" to "write".
pub(crate) fn base_of_gerund(word: &str) -> Option<&'static str> {
    static BASES: OnceLock<HashMap<String, &'static str>> = OnceLock::new();
    let bases = BASES.get_or_init(|| {
        let mut bases = HashMap::new();
        let cues = lexicon().kinds.iter().flat_map(|kind| &kind.cues);
        let verbs = cues.filter_map(|cue| cue.split(' ').next());
        let verbs = verbs.filter(|word| !lexicon().nouns.iter().any(|noun| noun == word));
        for base in verbs.chain(lexicon().verbs.iter().map(String::as_str)) {
            bases.entry(gerund(base)).or_insert(base);
        }
        bases
    });
    bases.get(word).copied()
}

fn ends_in_vowel(word: &str) -> bool {
    word.ends_with(['a', 'e', 'i', 'o', 'u'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> &'static str {
        kind_of(&Words::new(text)).map_or("-", |found| found.kind.name.as_str())
    }

    #[test]
    fn verbs_take_their_forms() {
        let cases = [
            ("write", "writing", "writes"),
            ("run", "running", "runs"),
            ("go", "going", "goes"),
        ];
        for (base, ing, third) in cases
            .into_iter()
            .chain([("study", "studying", "studies"), ("lie", "lying", "lies")])
        {
            assert_eq!(
                (gerund(base), third_person(base)),
                (ing.to_owned(), third.to_owned())
            );
            assert_eq!(base_of_third_person(third), base);
        }
        assert_eq!(base_of_gerund("baking"), Some("bake"));
        assert_eq!(base_of_gerund("morning"), None);
    }

    #[test]
    fn activities_are_told_apart_by_their_cues() {
        let cases = [
            ("sleeping", "sleep"),
            ("waking up and completing the morning routine", "rising"),
            ("having lunch at Hobbs Cafe", "meal"),
            ("working at the counter of Hobbs Cafe", "serving food"),
            (
                "working at the counter of Hobbs Cafe (wiping tables)",
                "wiping tables",
            ),
            ("standing behind the grocery counter", "minding a shop"),
            ("opening The Rose and Crown Pub", "opening up"),
            ("writing a research paper at the library", "writing"),
            ("taking classes at Oak Hill College", "class"),
            ("going for a run in the park", "running"),
            ("baked bread", "baking"),
            (
                "working on a collection of poetry at the Blue Kettle cafe",
                "writing",
            ),
            ("working on a tax compliance project at home", "law"),
            ("working on something at the Blue Kettle cafe", "working"),
            ("working in the workshop of the old boatyard", "crafting"),
            ("working in the newsroom", "office work"),
            ("working behind the library counter", "lending books"),
            ("gathering lanterns and dishes at home", "collecting"),
            ("having a gathering at home", "partying"),
            ("attending lessons", "class"),
            ("running the ferry", "ferrying"),
            ("朝ごはんを食べる", "-"),
            ("", "-"),
        ];
        for (text, expected) in cases {
            assert_eq!(kind(text), expected, "{text}");
        }
    }
}
