//! What to do about somebody or something seen: mostly nothing.
//!
//! Whether two people talk is addressed chance over windows of time, not over ticks: asking again
//! within a window gives the same answer, so residents who stand together for an hour are not
//! certain to talk. The odds come from acquaintance, news, what both are doing, and traits.

use townsfolk_time::GameTime;

use super::activities;
use super::attitudes::{self, Feeling};
use super::news;
use super::phrases::{Phrases, fill, holds};
use super::prose::{lower_words, names, unclosed};
use super::rules::Rules;
use super::speech::activity;
use super::text::Words;
use super::when;
use crate::tasks::{Acquaintance, React, Reaction, Seen};
use crate::{Chance, Identity};

/// How long one draw about talking to somebody holds.
const WINDOW_MINUTES: i64 = 20;
/// Chance in a window that somebody talks to an acquaintance, both at ordinary things.
const TALK: f64 = 0.12;
/// The same with somebody unknown.
const TALK_UNMET: f64 = 0.03;
/// Chance in a window that people of one household greet each other in the morning.
const GREETING: f64 = 0.5;
/// How much more one's own untold news makes somebody seek talk.
const OWN_NEWS: f64 = 3.0;
/// The same for what others told.
const HEARSAY: f64 = 1.6;
/// No pair's odds rise above this.
const MOST: f64 = 0.85;
/// Within this time after a talk another is unlikely.
const RECENT_MINUTES: u32 = 300;
/// How long an errand takes where nobody says.
const ERRAND_MINUTES: u16 = 60;
/// Longest wait for an object in use.
const LONGEST_WAIT_MINUTES: u16 = 15;

/// What to do about what is seen.
pub(crate) fn react(task: &React<'_>, rules: &Rules<'_>) -> Reaction {
    match &task.seen {
        Seen::Person {
            in_the_way: true,
            name,
            ..
        } => Reaction::Wait {
            minutes: wait_minutes(task, rules, name),
        },
        Seen::Person { may_talk: false, .. } => Reaction::CarryOn,
        Seen::Person {
            name,
            doing,
            acquaintance,
            ..
        } => {
            let draw = windowed(rules.chance, task.now).draw(&format!("talk to {name}"));
            let odds = odds_without_news(task, name, doing, acquaintance);
            // Looking through the news is the costly part: only where it can matter.
            if draw < odds
                || draw < (odds * OWN_NEWS).min(MOST) && draw < odds * eagerness(task.who, name, task)
            {
                Reaction::Talk
            } else {
                Reaction::CarryOn
            }
        }
        Seen::Object { name, state } => about_object(task, name, state),
        Seen::Thought { text } => about_thought(task, text),
    }
}

fn wait_minutes(task: &React<'_>, rules: &Rules<'_>, name: &str) -> u16 {
    let some = 5 + rules.chance.below(&format!("wait for {name}"), 6) as u16;
    some.min(task.minutes_left.max(1)).min(LONGEST_WAIT_MINUTES)
}

/// The resident's chance for the window that holds `now`.
fn windowed(chance: Chance, now: GameTime) -> Chance {
    Chance {
        tick: now.seconds().div_euclid(WINDOW_MINUTES * 60) as u64,
        ..chance
    }
}

fn odds_without_news(task: &React<'_>, name: &str, other_doing: &str, acquaintance: &Acquaintance) -> f64 {
    let who = task.who;
    let mine = Manner::of(task.doing);
    let theirs = Manner::of(activity(other_doing, name));
    if mine == Manner::Intimate || theirs == Manner::Intimate {
        return 0.0;
    }
    let texts = task.recalled.iter().map(|r| &*r.text);
    let feeling = attitudes::feeling(who, name, texts.chain(attitudes::own_statements(who)));
    if feeling.liking < 0 {
        // Even enemies exchange a word now and then.
        return 0.01;
    }
    let met = acquaintance.talks > 0 || feeling.bond || feeling.kin || feeling.household;
    let mut odds = if met { TALK } else { TALK_UNMET };
    odds *= mine.factor() * theirs.factor();
    odds *= match attitudes::sociability(who) {
        0 => 1.0,
        more @ 1.. => 1.0 + 0.25 * f64::from(more),
        _ => 0.6,
    };
    if attitudes::is_harsh(who) {
        odds *= 0.7;
    }
    if feeling.liking > 0 {
        odds *= 1.3;
    }
    odds *= match acquaintance.minutes_since_talk {
        Some(minutes) if minutes < RECENT_MINUTES => 0.1,
        Some(minutes) if minutes < 2 * RECENT_MINUTES => 0.5,
        _ => 1.0,
    };
    if greets(task, feeling, acquaintance) {
        odds = odds.max(GREETING);
    }
    odds.min(MOST)
}

/// How much what the resident could tell makes it seek talk.
fn eagerness(who: &Identity, name: &str, task: &React<'_>) -> f64 {
    let mut most: f64 = 1.0;
    for memory in task.news.iter().filter(|m| news::is_news(who, name, m, task.now)) {
        let own = names(&memory.text, &who.name);
        most = most.max(if own { OWN_NEWS } else { HEARSAY });
    }
    if most == 1.0 && news::curiosity([&*who.current].into_iter()).is_some() {
        most = 1.3;
    }
    most
}

/// Whether this is the morning's first sight of somebody of the same household.
fn greets(task: &React<'_>, feeling: Feeling, acquaintance: &Acquaintance) -> bool {
    let hour = task.now.minute_of_day() / 60;
    (feeling.household || feeling.kin)
        && (5..11).contains(&hour)
        && acquaintance.minutes_since_talk.is_none_or(|m| m > 8 * 60)
}

/// How an activity goes with company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Intimate,
    Focused,
    Plain,
    Sociable,
}

impl Manner {
    fn of(activity: &str) -> Self {
        let sets = &Phrases::get().activity;
        let words = lower_words(activity);
        let any = |set: &std::collections::BTreeSet<String>| words.iter().any(|w| set.contains(w));
        if any(&sets.intimate) {
            Self::Intimate
        } else if any(&sets.sociable) {
            Self::Sociable
        } else if any(&sets.focused) {
            Self::Focused
        } else {
            Self::Plain
        }
    }

    fn factor(self) -> f64 {
        match self {
            Self::Intimate => 0.0,
            Self::Focused => 0.35,
            Self::Plain => 1.0,
            Self::Sociable => 1.4,
        }
    }
}

/// Fire is put out, water is stopped, and what is broken matters to whoever needs it.
fn about_object(task: &React<'_>, name: &str, state: &str) -> Reaction {
    let alarm = &Phrases::get().alarm;
    let lower = state.to_lowercase();
    let act = |template: &str, minutes| Reaction::ChangePlan {
        activity: fill(template, &[("object", name), ("state", state.trim())]),
        minutes,
    };
    if holds(&lower, &alarm.fire) {
        act(&alarm.put_out, 15)
    } else if holds(&lower, &alarm.water) {
        act(&alarm.stop_water, 10)
    } else if holds(&lower, &alarm.damage) && concerns(task, name) {
        act(&alarm.repair, 20)
    } else {
        Reaction::CarryOn
    }
}

/// Whether an object in this state cannot be used.
pub(crate) fn is_out_of_order(state: &str) -> bool {
    let alarm = &Phrases::get().alarm;
    let lower = state.to_lowercase();
    [&alarm.fire, &alarm.water, &alarm.damage, &alarm.unusable]
        .into_iter()
        .any(|states| holds(&lower, states))
}

/// What a thought of one's own calls for at once: an errand that it names without a time of its own.
fn about_thought(task: &React<'_>, thought: &str) -> Reaction {
    let phrases = Phrases::get();
    let Some((_, wish)) = thought.split_once(phrases.grammar.wants_to.as_str()) else {
        return Reaction::CarryOn;
    };
    let wish = unclosed(wish);
    let lower = wish.to_lowercase();
    let errand = phrases.errand.go.iter().any(|go| lower.starts_with(go.as_str()))
        || holds(&lower, &phrases.errand.now);
    if !errand || when::occasion(&wish, task.now).is_some() || !when::clock_times(&lower).is_empty() {
        return Reaction::CarryOn;
    }
    let Some((verb, rest)) = lower.split_once(' ').map(|(verb, _)| (verb, &wish[verb.len()..])) else {
        return Reaction::CarryOn;
    };
    Reaction::ChangePlan {
        activity: without_haste(&format!("{}{rest}", activities::gerund(verb))),
        minutes: ERRAND_MINUTES,
    }
}

/// An errand without the words that only say that it is to be done at once.
fn without_haste(errand: &str) -> String {
    let words = Words::new(errand);
    let mut end = words.len();
    while let Some(phrase) = Phrases::get().errand.now.iter().find(|phrase| {
        let length = phrase.split(' ').count();
        end > length && words.phrase_at(end - length, phrase)
    }) {
        end -= phrase.split(' ').count();
    }
    words.phrase(0, end).to_owned()
}

/// Whether the resident is using the object, or its own texts speak of it.
fn concerns(task: &React<'_>, object: &str) -> bool {
    let object = lower_words(object);
    let doing = lower_words(task.doing);
    !object.is_empty()
        && (object.iter().all(|w| doing.contains(w)) || {
            let own = lower_words(&task.who.current);
            object.iter().all(|w| own.contains(w))
        })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use townsfolk_memory::{MemoryId, MemoryKind};

    use super::super::fixtures::{rules, somebody};
    use super::*;
    use crate::Task;
    use crate::tasks::Recalled;

    fn memory(text: &str) -> Recalled {
        Recalled {
            id: MemoryId::from_index(0),
            kind: MemoryKind::Reflection,
            text: text.into(),
            subject: "Mara Ilves".into(),
            importance: 7,
            created: GameTime::from_seconds(0),
            told_by: None,
            known: false,
        }
    }

    /// How often Mara speaks to Ilse in 1,000 windows of time.
    fn talks(doing: &str, other_doing: &str, traits: &str, recalled: &[&str], news: &[&str]) -> usize {
        let mut who = somebody("Mara Ilves");
        who.traits = traits.into();
        let name: Arc<str> = "Ilse Brandt".into();
        let recalled: Vec<Recalled> = recalled.iter().map(|t| memory(t)).collect();
        let news: Vec<Recalled> = news.iter().map(|t| memory(t)).collect();
        let noon: GameTime = "2023-02-13 12:00".parse().unwrap();
        (0..1_000)
            .filter(|n| {
                let now = noon + n * 86_400;
                let news: Vec<Recalled> = news
                    .iter()
                    .map(|m| Recalled {
                        created: now,
                        ..m.clone()
                    })
                    .collect();
                let task = React {
                    who: &who,
                    now,
                    doing,
                    minutes_left: 30,
                    seen: Seen::Person {
                        name: &name,
                        doing: other_doing,
                        acquaintance: Acquaintance {
                            memories: 9,
                            talks: 0,
                            minutes_since_talk: None,
                        },
                        in_the_way: false,
                        may_talk: true,
                    },
                    recalled: &recalled,
                    news: &news,
                };
                let reaction = task.by_rule(&rules(0, 0));
                task.check(&reaction).unwrap();
                reaction == Reaction::Talk
            })
            .count()
    }

    #[test]
    fn people_talk_when_it_makes_sense() {
        let friends = ["Mara Ilves and Ilse Brandt are good friends"];
        let enemies = ["Mara Ilves doesn't like Ilse Brandt"];
        let party = ["Mara Ilves is planning a party at the boathouse tomorrow at 6pm"];
        let plain = talks("reading", "reading", "", &friends, &[]);
        assert!((80..250).contains(&plain), "{plain}");
        assert!(talks("writing a thesis", "studying", "", &friends, &[]) < plain / 3);
        assert!(talks("eating lunch", "eating lunch", "", &friends, &[]) > plain);
        assert!(talks("reading", "reading", "outgoing, friendly", &friends, &[]) > plain);
        assert!(talks("reading", "reading", "", &friends, &party) > 2 * plain);
        assert!(talks("reading", "reading", "", &[], &[]) < plain / 2);
        assert!(talks("reading", "reading", "", &enemies, &party) < 60);
        assert_eq!(talks("showering", "reading", "", &friends, &party), 0);
    }

    #[test]
    fn a_bathroom_in_use_is_waited_for() {
        let who = somebody("Mara Ilves");
        let name: Arc<str> = "Ilse Brandt".into();
        let task = React {
            who: &who,
            now: GameTime::from_seconds(0),
            doing: "taking a shower",
            minutes_left: 30,
            seen: Seen::Person {
                name: &name,
                doing: "showering",
                acquaintance: Acquaintance {
                    memories: 0,
                    talks: 0,
                    minutes_since_talk: None,
                },
                in_the_way: true,
                may_talk: false,
            },
            recalled: &[],
            news: &[],
        };
        assert!(matches!(
            task.by_rule(&rules(0, 0)),
            Reaction::Wait { minutes: 5..=15 }
        ));
    }

    #[test]
    fn fire_calls_for_something_and_a_made_bed_does_not() {
        let who = somebody("Mara Ilves");
        let about = |name, state| {
            React {
                who: &who,
                now: GameTime::from_seconds(0),
                doing: "reading",
                minutes_left: 30,
                seen: Seen::Object { name, state },
                recalled: &[],
                news: &[],
            }
            .by_rule(&rules(0, 0))
        };
        let Reaction::ChangePlan { activity, .. } = about("stove", "burning") else {
            panic!("nobody minds the fire");
        };
        assert_eq!(activity, "putting out the fire at the stove");
        assert_eq!(about("bed", "neatly made"), Reaction::CarryOn);
        assert_eq!(about("printer", "broken"), Reaction::CarryOn);
    }

    #[test]
    fn a_wish_for_now_is_acted_on_and_one_for_later_is_not() {
        let who = somebody("Mara Ilves");
        let thinks = |text: &str| {
            let task = React {
                who: &who,
                now: "2024-06-03 11:00".parse().unwrap(),
                doing: "sorting prints",
                minutes_left: 30,
                seen: Seen::Thought { text },
                recalled: &[],
                news: &[],
            };
            let reaction = task.by_rule(&rules(0, 0));
            task.check(&reaction).unwrap();
            match reaction {
                Reaction::ChangePlan { activity, .. } => Some(activity),
                _ => None,
            }
        };
        for (thought, expected) in [
            (
                "Mara Ilves wants to go to the Boathouse.",
                Some("going to the Boathouse"),
            ),
            (
                "Mara Ilves wants to write a letter right away",
                Some("writing a letter"),
            ),
            (
                "Mara Ilves wants to go to the library, now!",
                Some("going to the library"),
            ),
            ("Mara Ilves wants to go to the Boathouse at 5pm", None),
            ("Mara Ilves wants to run for mayor", None),
            ("Mara Ilves means not to go to the Boathouse", None),
            ("The clinic closes at noon", None),
        ] {
            assert_eq!(thinks(thought).as_deref(), expected, "{thought}");
        }
    }
}
