//! How an action shows: its emoji, its event triple and the state of the object it uses; and an
//! object's state out of a user's words.

use super::activities::{self, kind_named, kind_of};
use super::text::Words;
use crate::tasks::{ActionDetails, Details};

/// How the action shows.
pub(crate) fn details(task: &ActionDetails<'_>) -> Details {
    let words = Words::new(task.activity);
    let kind = if task.asleep {
        kind_named("sleep")
    } else {
        kind_of(&words).map(|found| found.kind)
    };
    let (predicate, object) = event(&words, task.asleep);
    let object_state = task.object.map(|name| match kind {
        Some(kind) if is_one_of(kind.with_state(), name) => kind.state.clone(),
        Some(_) | None => "in use".to_owned(),
    });
    Details {
        emoji: kind.map_or("🙂", |kind| kind.emoji.as_str()).to_owned(),
        predicate,
        object,
        object_state,
    }
}

/// Whether an object is one of the kinds: a "park bench" is a bench and no park.
fn is_one_of(kinds: &[String], object: &str) -> bool {
    let parts = || object.split([' ', '-']);
    kinds.iter().any(|kind| {
        let last = kind.split(' ').next_back().unwrap_or_default();
        let is_last = parts()
            .next_back()
            .is_some_and(|part| part.eq_ignore_ascii_case(last));
        is_last
            && kind
                .split(' ')
                .all(|word| parts().any(|part| part.eq_ignore_ascii_case(word)))
    })
}

/// Predicate and object of an activity: "cooking dinner at home" is (cooks, dinner at home).
fn event(words: &Words<'_>, asleep: bool) -> (String, String) {
    if asleep {
        return ("is".to_owned(), "asleep".to_owned());
    }
    // In "writing a thesis (taking notes)" the action is what is taken closer.
    let end = (0..words.len())
        .find(|i| words.gap_before(*i).contains('('))
        .unwrap_or(words.len());
    let whole = words.phrase(0, end);
    match activities::base_of_gerund(words.at(0)) {
        Some("be") | None if whole.is_empty() => ("is".to_owned(), "idle".to_owned()),
        Some("be") | None => ("is".to_owned(), whole.to_owned()),
        Some(base) => (activities::third_person(base), objects(words, end)),
    }
}

/// What follows the first verb up to `end`; a verb after "and" takes its form.
fn objects(words: &Words<'_>, end: usize) -> String {
    let mut text = String::new();
    for i in 1..end {
        let base = activities::base_of_gerund(words.at(i)).filter(|_| words.at(i - 1) == "and");
        match base {
            Some(base) => text.push_str(&activities::third_person(base)),
            None => text.push_str(words.raw(i)),
        }
        if i + 1 < end {
            text.push_str(words.gap_after(i));
        }
    }
    text
}

/// What an object has where nobody says anything else.
const IDLE: &str = "idle";

/// The state alone out of words such as "the kettle is being descaled" or "kettle: boiling".
pub(crate) fn state(object: &str, said: &str) -> String {
    let mut text = said
        .trim()
        .trim_matches(['"', '\'', '*', '.', '!', '`', '“', '”'])
        .trim();
    for article in ["the ", "The ", "a ", "A ", "its ", "my ", "our "] {
        if let Some(rest) = text
            .strip_prefix(article)
            .filter(|rest| starts_with_name(rest, object))
        {
            text = rest;
            break;
        }
    }
    if starts_with_name(text, object) {
        text = text.get(object.len()..).unwrap_or("");
    }
    let mut text = text
        .trim_start_matches(['\'', ':', ',', '-', '–', '=', ' ', '<', '>', '('])
        .trim_end_matches(')')
        .trim();
    for verb in [
        "is now ",
        "is currently ",
        "is ",
        "are ",
        "was ",
        "has been ",
        "should be ",
        "will be ",
        "becomes ",
        "turns ",
        "now ",
        "it's ",
        "it is ",
    ] {
        let head = text.get(..verb.len());
        if head.is_some_and(|head| head.eq_ignore_ascii_case(verb)) {
            let rest = text.get(verb.len()..).unwrap_or("").trim();
            // "has been repaired" is a state in itself; the others lead up to one.
            text = rest;
            break;
        }
    }
    let text = text.trim_end_matches(['.', '!', ' ']);
    if text.is_empty() {
        IDLE.to_owned()
    } else {
        text.to_owned()
    }
}

/// Whether `text` begins with the object's name as a whole word, whatever its case.
fn starts_with_name(text: &str, object: &str) -> bool {
    let head = text.get(..object.len());
    let next = text.get(object.len()..).and_then(|rest| rest.chars().next());
    !object.is_empty()
        && head.is_some_and(|head| head.to_lowercase() == object.to_lowercase())
        && next.is_none_or(|c| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fixtures::{rules, somebody};
    use super::super::words::lexicon;
    use super::*;
    use crate::Task;
    use crate::tasks::ObjectState;

    #[test]
    fn a_users_words_become_a_state() {
        let cases = [
            ("the kettle is being descaled", "being descaled"),
            ("The kettle is now boiling over.", "boiling over"),
            ("being descaled", "being descaled"),
            ("Kettle: empty", "empty"),
            ("kettle", "idle"),
            ("\"on fire\"", "on fire"),
            ("kettles everywhere", "kettles everywhere"),
            ("it is broken", "broken"),
            ("沸いている", "沸いている"),
            ("", "idle"),
            ("  ", "idle"),
        ];
        for (said, expected) in cases {
            assert_eq!(state("kettle", said), expected, "{said}");
        }
        assert_eq!(state("", "is on"), "on");
    }

    fn shown(activity: &str, object: Option<&str>) -> String {
        let who = somebody("Wren Okafor");
        let d = details(&ActionDetails {
            who: &who,
            activity,
            asleep: activity == "sleeping",
            object,
        });
        format!(
            "{} | {} {} | {}",
            d.emoji,
            d.predicate,
            d.object,
            d.object_state.as_deref().unwrap_or("-")
        )
    }

    #[test]
    fn actions_show() {
        let cases = [
            ("sleeping", Some("bed"), "😴 | is asleep | being slept in"),
            (
                "cooking dinner",
                Some("stove"),
                "🍳 | cooks dinner | being cooked on",
            ),
            (
                "writing a thesis (taking notes)",
                Some("desk"),
                "📖 | writes a thesis | being studied at",
            ),
            (
                "brushing teeth",
                Some("bathroom sink"),
                "🪥 | brushes teeth | being used",
            ),
            ("brushing teeth", Some("guitar"), "🪥 | brushes teeth | in use"),
            ("taking a walk", Some("park bench"), "🚶 | takes a walk | in use"),
            ("reading", Some("library sofa"), "📚 | reads  | being sat on"),
            ("reading", Some("bookshelf"), "📚 | reads  | in use"),
            (
                "getting out of bed and stretching",
                None,
                "🛏️ | gets out of bed and stretches | -",
            ),
            (
                "Twitch streaming at home (answering viewers)",
                None,
                "🎮 | is Twitch streaming at home | -",
            ),
            (
                "taking a walk around Johnson Park",
                None,
                "🚶 | takes a walk around Johnson Park | -",
            ),
            (
                "朝ごはんを食べる",
                Some("table"),
                "🙂 | is 朝ごはんを食べる | in use",
            ),
            ("", None, "🙂 | is idle | -"),
        ];
        for (activity, object, expected) in cases {
            assert_eq!(shown(activity, object), expected, "{activity}");
        }
    }

    proptest! {
        #[test]
        fn anything_shows(activity in ".{0,40}", object in prop::option::of(".{0,12}"), words in ".{0,40}") {
            let who = somebody("林 秋");
            let task = ActionDetails { who: &who, activity: &activity, asleep: false, object: object.as_deref() };
            prop_assert_eq!(task.check(&task.by_rule(&rules(0, 0))), Ok(()));
            let task = ObjectState { object: object.as_deref().unwrap_or(""), words: &words };
            prop_assert_eq!(task.check(&task.by_rule(&rules(0, 0))), Ok(()));
        }
    }

    #[test]
    fn every_kind_of_activity_can_be_shown() {
        let who = somebody("Wren Okafor");
        for kind in &lexicon().kinds {
            let activity = format!(
                "{} ({})",
                kind.name,
                kind.steps.first().map_or("", String::as_str)
            );
            let task = ActionDetails {
                who: &who,
                activity: &activity,
                asleep: false,
                object: Some("thing"),
            };
            assert_eq!(
                task.check(&Details {
                    emoji: kind.emoji.clone(),
                    ..task.by_rule(&rules(0, 0))
                }),
                Ok(()),
                "{}",
                kind.name
            );
            assert!(
                !kind.state.trim().is_empty() && !kind.objects.is_empty(),
                "{}",
                kind.name
            );
        }
    }
}
