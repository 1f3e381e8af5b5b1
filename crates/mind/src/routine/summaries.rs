//! What residents keep of talks, of each other and of themselves.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use townsfolk_memory::MemoryKind;

use super::attitudes;
use super::news;
use super::phrases::{Phrases, fill};
use super::prose::{closed, lower_words, names, sentences, unclosed};
use super::speech;
use super::talk::spoken_clock;
use crate::Identity;
use crate::tasks::{
    AfterTalk, ConversationSummary, Decision, Line, Notes, Occasion, Recalled, Relationship, ResidentSummary,
};

/// How many statements a summary of a talk holds at most.
const POINTS: usize = 4;

/// What the resident makes of somebody.
pub(crate) fn relationship(task: &Relationship<'_>) -> String {
    let words = &Phrases::get().relationship;
    let who = task.who;
    let values = |count: &str| {
        [
            ("who", who.name.to_string()),
            ("whom", task.other.to_string()),
            ("count", count.to_owned()),
        ]
    };
    let put = |template: &str, count: &str| {
        let values = values(count);
        let values: Vec<(&str, &str)> = values.iter().map(|(k, v)| (*k, v.as_str())).collect();
        fill(template, &values)
    };
    if task.recalled.is_empty() && task.talks == 0 {
        return put(&words.unmet, "");
    }
    let attitude = &Phrases::get().attitude;
    let about = || task.recalled.iter().filter(|r| names(&r.text, task.other));
    let mut parts: Vec<String> = Vec::new();
    for memory in about() {
        let both = names(&memory.text, &who.name) || memory.text.contains(&*who.first_name);
        let bond = lower_words(&memory.text)
            .iter()
            .any(|w| attitude.bond.contains(w));
        if both && bond && is_thought(memory) && parts.len() < 3 {
            let part = closed(unclosed(&memory.text).trim());
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    let texts = about().map(|r| &*r.text).chain(attitudes::own_statements(who));
    let feeling = attitudes::feeling(who, task.other, texts);
    match feeling.liking {
        ..0 => parts.push(put(&words.dislikes, "")),
        2.. => parts.push(put(&words.likes, "")),
        _ => {}
    }
    // Not the talks that came to mind: some of those were with others, about this one.
    match task.talks {
        0 => {}
        1 => parts.push(put(&words.talk, "")),
        more => parts.push(put(&words.talks, &more.to_string())),
    }
    if parts.is_empty() {
        parts.push(put(&words.little, ""));
    }
    parts.join(" ")
}

/// Whether a memory is more than a sight of somebody at something, or a record of a talk.
fn is_thought(memory: &Recalled) -> bool {
    memory.kind != MemoryKind::Conversation && !memory.text.contains(" talked: ")
}

/// What a talk was about.
pub(crate) fn conversation(task: &ConversationSummary<'_>) -> String {
    let words = &Phrases::get().summary;
    let who = &*task.who.name;
    let points = points(who, task.other, task.lines);
    if points.is_empty() {
        return fill(&words.greeted, &[("who", who), ("whom", task.other)]);
    }
    fill(
        &words.talked,
        &[("who", who), ("whom", task.other), ("points", &points.join("; "))],
    )
}

/// The statements of a talk, most telling first: what was decided, what was passed on, what was said.
fn points(who: &str, other: &str, lines: &[Line]) -> Vec<String> {
    let words = &Phrases::get().summary;
    let opposite = |speaker: &str| if speaker == who { other } else { who };
    let mut points: Vec<String> = Vec::new();
    let mut add = |point: String| {
        if points.len() < POINTS && !points.contains(&point) {
            points.push(point);
        }
    };
    for line in lines {
        if let Some(decision) = &line.decision {
            add(decision_point(&line.speaker, decision));
        }
    }
    for line in lines {
        for (_, text) in &line.tells {
            let news = news::statement(text);
            add(fill(
                &words.told,
                &[
                    ("who", &line.speaker),
                    ("whom", opposite(&line.speaker)),
                    ("news", &speech::embedded(&news)),
                ],
            ));
        }
    }
    for line in lines
        .iter()
        .filter(|l| l.tells.is_empty() && l.decision.is_none())
    {
        for sentence in sentences(&line.text) {
            if !sentence.ends_with(['?', '？']) && says_something(sentence, other, who) {
                let reported = speech::reported(sentence, &line.speaker, opposite(&line.speaker));
                add(speech::embedded(&unclosed(&reported)));
            }
        }
    }
    points
}

fn decision_point(speaker: &str, decision: &Decision) -> String {
    let words = &Phrases::get().summary;
    let (template, what) = match (&decision.occasion, decision.accept) {
        (Some(occasion), true) => (&words.agreed, occasion.what.as_str()),
        (Some(occasion), false) => (&words.declined, occasion.what.as_str()),
        (None, true) => (&words.granted, decision.on.as_str()),
        (None, false) => (&words.refused, decision.on.as_str()),
    };
    let what = what.trim_end_matches(['?', '.', '？']);
    fill(template, &[("who", speaker), ("what", what)])
}

/// Whether a sentence says more than the phrases between statements do.
fn says_something(sentence: &str, a: &str, b: &str) -> bool {
    static SMALL_TALK: OnceLock<BTreeSet<String>> = OnceLock::new();
    let small = SMALL_TALK.get_or_init(|| Phrases::get().talk.all().flat_map(|p| lower_words(p)).collect());
    let talk = &Phrases::get().talk;
    // "I see you are …" and "I was just …" only open a talk.
    let opens = |template: &String| {
        let fixed = template.split('{').next().unwrap_or("");
        let fixed = sentences(fixed).last().map_or("", |s| s.trim());
        fixed.len() > 4 && sentence.contains(fixed)
    };
    if talk.see_doing.iter().chain(&talk.fine_doing).any(opens) {
        return false;
    }
    let own: Vec<String> = [a, b].iter().flat_map(|n| lower_words(n)).collect();
    let telling = lower_words(sentence)
        .iter()
        .filter(|w| !small.contains(*w) && !own.contains(w) && !Phrases::get().grammar.speaks(w))
        .count();
    telling >= 2 || telling == 1 && !sentence.is_ascii()
}

/// What is kept of a talk for plans, as a memo, and as agreed.
pub(crate) fn after_talk(task: &AfterTalk<'_>) -> Notes {
    let words = &Phrases::get().summary;
    let who = &*task.who.name;
    let mut plans: Vec<String> = Vec::new();
    let mut agreed: Vec<Occasion> = Vec::new();
    let mut memo = None;
    for line in task.lines {
        let Some(decision) = &line.decision else { continue };
        let own = &*line.speaker == who;
        match &decision.occasion {
            Some(occasion) if decision.accept => {
                let hosts = occasion.host.as_deref() == Some(who);
                let (template, whom) = if own {
                    (&words.attend, "")
                } else {
                    (&words.expect, &**task.other)
                };
                let point = occasion_point(template, who, whom, occasion);
                if !plans.contains(&point) {
                    plans.push(point);
                }
                let takes_part = own || hosts;
                if takes_part
                    && !agreed
                        .iter()
                        .any(|o| o.date == occasion.date && o.start == occasion.start)
                {
                    agreed.push(occasion.clone());
                }
            }
            Some(occasion) if !own => {
                memo = Some(fill(
                    &words.memo_declined,
                    &[("who", who), ("whom", task.other), ("what", &occasion.what)],
                ));
            }
            None => {
                let what = decision.on.trim_end_matches(['?', '.', '？']);
                let values = [
                    ("who", &*line.speaker),
                    ("whom", other_of(&line.speaker, task)),
                    ("what", what),
                ];
                if decision.accept {
                    plans.push(fill(&words.promised, &values));
                } else if !own {
                    memo = Some(fill(
                        &words.memo_refused,
                        &[("who", who), ("whom", task.other), ("what", what)],
                    ));
                }
            }
            Some(_) => {}
        }
    }
    let learned = task
        .lines
        .iter()
        .filter(|l| &*l.speaker != who)
        .flat_map(|l| &l.tells)
        .map(|(_, text)| news::statement(text))
        .max_by_key(|text| text.len().min(200));
    if let Some(news) = learned {
        memo = Some(fill(
            &words.memo,
            &[
                ("who", who),
                ("whom", task.other),
                ("news", &speech::embedded(&news)),
            ],
        ));
    }
    let planning =
        (!plans.is_empty()).then(|| fill(&words.planning, &[("who", who), ("points", &plans.join("; "))]));
    Notes {
        planning,
        memo,
        agreed,
    }
}

fn other_of<'a>(speaker: &str, task: &'a AfterTalk<'_>) -> &'a str {
    if *speaker == *task.who.name {
        task.other
    } else {
        &task.who.name
    }
}

fn occasion_point(template: &str, who: &str, whom: &str, occasion: &Occasion) -> String {
    let place = occasion
        .place
        .as_ref()
        .map_or_else(String::new, |p| format!(" at {p}"));
    let end = (occasion.start + occasion.minutes) % 1_440;
    fill(
        template,
        &[
            ("who", who),
            ("whom", whom),
            ("what", &occasion.what),
            ("place", &place),
            ("date", &crate::Phrases::of("en").date(occasion.date)),
            ("from", &spoken_clock(occasion.start)),
            ("to", &spoken_clock(end)),
        ],
    )
}

/// The resident in a few sentences.
pub(crate) fn resident(task: &ResidentSummary<'_>) -> String {
    let who: &Identity = task.who;
    let mut parts: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        let text = unclosed(text);
        if text.trim().is_empty() {
            return;
        }
        let text = closed(&text);
        if !parts.contains(&text) && parts.len() < 7 {
            parts.push(text);
        }
    };
    for sentence in sentences(&who.background).into_iter().take(2) {
        add(&speech::named(sentence, &who.name));
    }
    if !who.traits.trim().is_empty() {
        add(&format!("{} is {}", who.name, who.traits.trim().to_lowercase()));
    }
    for sentence in sentences(&who.current).into_iter().take(2) {
        add(&speech::thought(
            &speech::named(sentence, &who.name),
            &who.name,
            &who.first_name,
        ));
    }
    let telling = task.recalled.iter().filter(|r| {
        r.kind == MemoryKind::Reflection
            && r.importance > 2
            && r.told_by.is_none()
            && names(&r.text, &who.name)
    });
    for memory in telling.take(2) {
        add(&memory.text);
    }
    if parts.is_empty() {
        let name = who.name.to_string();
        parts.push(match who.age {
            Some(age) => format!("{name}, {age}."),
            None => closed(&name),
        });
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;
    use townsfolk_memory::MemoryId;
    use townsfolk_time::GameTime;

    use super::super::fixtures::{rules, somebody};
    use super::*;
    use crate::Task;
    use crate::tasks::InnerThought;

    fn memory(kind: MemoryKind, text: &str) -> Recalled {
        Recalled {
            id: MemoryId::from_index(0),
            kind,
            text: text.into(),
            subject: "Mara Ilves".into(),
            importance: 5,
            created: GameTime::from_seconds(0),
            told_by: None,
            known: false,
        }
    }

    fn relation(recalled: &[Recalled], talks: u32) -> String {
        let other: Arc<str> = "Ilse Brandt".into();
        Relationship {
            who: &somebody("Mara Ilves"),
            other: &other,
            recalled,
            talks,
        }
        .by_rule(&rules(0, 0))
        .text
    }

    #[test]
    fn a_relationship_says_how_long_how_often_and_how_well() {
        assert_eq!(relation(&[], 0), "Mara Ilves has not met Ilse Brandt before.");
        assert_eq!(
            relation(
                &[memory(MemoryKind::Observation, "Ilse Brandt is baking bread")],
                0
            ),
            "Mara Ilves knows little about Ilse Brandt."
        );
        assert_eq!(
            relation(
                &[
                    memory(
                        MemoryKind::Reflection,
                        "Ilse Brandt is Mara Ilves's housemate whom Mara has known for a year"
                    ),
                    memory(MemoryKind::Reflection, "Mara Ilves doesn't like Ilse Brandt"),
                    memory(
                        MemoryKind::Conversation,
                        "Mara Ilves and Ilse Brandt talked: Ilse Brandt is a baker."
                    ),
                ],
                1
            ),
            "Ilse Brandt is Mara Ilves's housemate whom Mara has known for a year. Mara Ilves does not like \
             Ilse Brandt. Mara Ilves and Ilse Brandt have talked once."
        );
    }

    #[test]
    fn talks_with_others_about_somebody_are_no_talks_with_them() {
        let talk = |with: &str| {
            let text = format!("Mara Ilves and {with} talked: Ilse Brandt is a baker.");
            memory(MemoryKind::Conversation, &text)
        };
        assert!(
            relation(&[talk("Ilse Brandt"), talk("Tomas Reyes"), talk("Ben Okoro")], 1)
                .ends_with("have talked once.")
        );
        assert!(
            relation(&[talk("Ilse Brandt")], 4).ends_with("have talked 4 times."),
            "also where not all of them come to mind"
        );
        assert!(!relation(&[talk("Tomas Reyes")], 0).contains("have talked"));
    }

    #[test]
    fn a_resident_is_summed_up_from_its_texts_and_thoughts() {
        let mut who = somebody("Mara Ilves");
        who.background = "Mara Ilves is a photographer. She loves boats.".into();
        who.traits = "Patient, dry".into();
        let thought = memory(MemoryKind::Reflection, "Mara Ilves often sees Ilse Brandt");
        let task = ResidentSummary {
            who: &who,
            recalled: &[thought],
        };
        assert_eq!(
            task.by_rule(&rules(0, 0)).text,
            "Mara Ilves is a photographer. Mara Ilves loves boats. Mara Ilves is patient, dry. Mara Ilves often \
             sees Ilse Brandt."
        );
    }

    proptest! {
        #[test]
        fn any_texts_can_be_kept(texts in prop::collection::vec("\\PC{0,40}", 1..12), whisper in "\\PC{0,60}") {
            let mut who = somebody("林 秋");
            who.background.clone_from(&whisper);
            who.current.clone_from(&whisper);
            let other: Arc<str> = "Ilse Brandt".into();
            let lines: Vec<Line> = texts
                .iter()
                .enumerate()
                .map(|(i, text)| Line {
                    speaker: if i % 2 == 0 { who.name.clone() } else { other.clone() },
                    text: text.as_str().into(),
                    tells: vec![(MemoryId::from_index(0), text.as_str().into())],
                    decision: (i % 3 == 0).then(|| Decision {
                        on: text.clone(),
                        accept: i % 2 == 0,
                        reason: text.clone(),
                        occasion: None,
                    }),
                })
                .collect();
            let recalled: Vec<Recalled> = texts.iter().map(|t| memory(MemoryKind::Reflection, t)).collect();
            let rules = rules(0, 0);
            let summary = ConversationSummary { who: &who, other: &other, lines: &lines };
            prop_assert!(summary.check(&summary.by_rule(&rules)).is_ok());
            let after = AfterTalk { who: &who, other: &other, now: GameTime::from_seconds(0), lines: &lines };
            prop_assert!(after.check(&after.by_rule(&rules)).is_ok());
            let relation = Relationship { who: &who, other: &other, recalled: &recalled, talks: 2 };
            prop_assert!(relation.check(&relation.by_rule(&rules)).is_ok());
            let resident = ResidentSummary { who: &who, recalled: &recalled };
            prop_assert!(resident.check(&resident.by_rule(&rules)).is_ok());
            let thought = InnerThought { who: &who, whisper: &whisper };
            prop_assert!(thought.check(&thought.by_rule(&rules)).is_ok());
        }
    }
}
