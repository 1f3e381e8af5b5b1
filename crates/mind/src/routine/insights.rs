//! What follows from memories: only what several of them bear out, or what one says outright.
//!
//! Regularities (who is met, who does what, what recurs), news and who told it, and who will come
//! to an occasion. Each conclusion names the memories it rests on; where nothing follows, the
//! answer is empty rather than invented.

use std::collections::{BTreeMap, BTreeSet};

use townsfolk_memory::MemoryKind;

use super::importance::{Concern, rate};
use super::news;
use super::phrases::{Phrases, fill};
use super::prose::{lower_words, names, sentences, unclosed, words};
use super::speech::{self, activity};
use super::words::lexicon;
use crate::tasks::{FocalQuestions, Insight, Insights, Recalled};

/// From how many memories on something is a regularity.
const OFTEN: usize = 3;
/// From how many meetings on somebody is met often.
const OFTEN_MET: usize = 6;
/// What happens within this time is one meeting.
const MEETING_SECONDS: i64 = 3_600;

/// The questions that recent memories raise.
pub(crate) fn focal_questions(task: &FocalQuestions<'_>) -> Vec<String> {
    let words = &Phrases::get().reflection;
    let who = &*task.who.name;
    let mut weights: BTreeMap<String, (u32, bool)> = BTreeMap::new();
    let mut concern_weight = 0;
    let concern = concern_of(task.who);
    let concern_words = concern.as_deref().map(|c| super::talk::content_words(c, &[who]));
    let mut habits: BTreeMap<String, u32> = BTreeMap::new();
    for memory in task.recalled {
        let importance = u32::from(memory.importance);
        for person in people_in(memory, who) {
            let entry = weights.entry(person).or_default();
            entry.0 += importance;
            entry.1 |= memory.kind == MemoryKind::Conversation;
        }
        if let Some(words) = &concern_words {
            let found = super::talk::content_words(&memory.text, &[]);
            if words.iter().filter(|w| found.contains(w)).count() > 1 {
                concern_weight += importance;
            }
        }
        if let Some(habit) = habit_of(memory, who) {
            *habits.entry(habit).or_default() += importance;
        }
    }
    let mut candidates: Vec<(u32, String)> = weights
        .into_iter()
        .map(|(person, (weight, talked))| {
            let template = if talked {
                &words.ask_relationship
            } else {
                &words.ask_person
            };
            (weight, fill(template, &[("who", who), ("person", &person)]))
        })
        .collect();
    if let Some(concern) = concern.filter(|_| concern_weight > 0) {
        let question = fill(&words.ask_concern, &[("who", who), ("concern", &concern)]);
        candidates.push((concern_weight, question));
    }
    candidates.extend(habits.into_iter().map(|(habit, weight)| {
        (
            weight,
            fill(&words.ask_activity, &[("who", who), ("activity", &habit)]),
        )
    }));
    candidates.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut questions: Vec<String> = candidates.into_iter().map(|(_, q)| q).collect();
    questions.dedup();
    questions.truncate(task.wanted);
    if questions.is_empty() {
        questions.push(fill(&words.ask_default, &[("who", who)]));
    }
    questions
}

fn concern_of(who: &crate::Identity) -> Option<String> {
    let first = sentences(&who.current).first().copied()?;
    Some(unclosed(activity(&unclosed(first), &who.name)))
}

/// What follows from memories, most telling first.
pub(crate) fn insights(task: &Insights<'_>) -> Vec<Insight> {
    let words = &Phrases::get().reflection;
    let who = &*task.who.name;
    let concern = Concern::of(task.who);
    let mut found: Vec<(u32, Insight)> = Vec::new();
    let mut add = |weight: u32, text: String, evidence: Vec<usize>| {
        let known = task.recalled.iter().any(|r| unclosed(&r.text) == text);
        if !known && !evidence.is_empty() && !found.iter().any(|(_, i)| i.text == text) {
            found.push((weight, Insight { text, evidence }));
        }
    };

    // Who will come to what, said outright.
    for (i, memory) in task.recalled.iter().enumerate() {
        for (person, what) in attendances(&memory.text) {
            add(
                9,
                fill(&words.attends, &[("person", &person), ("what", &what)]),
                vec![i],
            );
        }
    }
    // News and who told it; more than one teller makes it the talk of the town.
    let mut tellers: BTreeMap<String, (BTreeSet<&str>, Vec<usize>)> = BTreeMap::new();
    for (i, memory) in task.recalled.iter().enumerate() {
        if let Some(teller) = &memory.told_by {
            let statement = news::statement(&memory.text);
            let entry = tellers.entry(statement).or_default();
            entry.0.insert(&**teller);
            entry.1.push(i);
        }
    }
    for (statement, (who_told, evidence)) in tellers {
        let statement = speech::embedded(&statement);
        let weight = u32::from(rate(&concern, &statement));
        if who_told.len() > 1 {
            let text = fill(&words.spreads, &[("who", who), ("news", &statement)]);
            add(weight + 1, text, evidence);
        } else if let Some(teller) = who_told.first() {
            let values = [("who", who), ("person", *teller), ("news", statement.as_str())];
            add(weight, fill(&words.learned, &values), evidence);
        }
    }
    // Who is met and talked with.
    let mut seen: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut talked: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut doing: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (i, memory) in task.recalled.iter().enumerate() {
        for person in people_in(memory, who) {
            match memory.kind {
                MemoryKind::Conversation => talked.entry(person).or_default().push(i),
                MemoryKind::Observation if memory.told_by.is_none() => {
                    seen.entry(person).or_default().push(i);
                }
                _ => {}
            }
        }
        if memory.told_by.is_none()
            && memory.kind == MemoryKind::Observation
            && let Some((subject, habit)) = subject_habit(memory)
        {
            doing.entry((subject, habit)).or_default().push(i);
        }
    }
    for ((subject, habit), evidence) in doing.into_iter().filter(|(_, e)| e.len() >= OFTEN) {
        let weight = 3 + evidence.len().min(3) as u32;
        let text = if subject == who {
            fill(&words.own_habit, &[("who", who), ("activity", &habit)])
        } else {
            fill(&words.usually, &[("person", &subject), ("activity", &habit)])
        };
        add(weight, text, evidence);
    }
    if let Some((person, evidence)) = task.most_met.and_then(|person| seen.get_key_value(person)) {
        let text = fill(&words.met_most, &[("who", who), ("person", person)]);
        add(5, text, evidence.clone());
    }
    for (person, evidence) in talked.into_iter().filter(|(_, e)| e.len() > 1) {
        let text = fill(&words.often_talks, &[("who", who), ("person", &person)]);
        add(6, text, evidence);
    }
    for (person, evidence) in seen.into_iter().filter(|(_, e)| e.len() >= OFTEN) {
        let text = fill(&words.often_sees, &[("who", who), ("person", &person)]);
        add(3, text, evidence);
    }

    // What the question names comes first.
    let asked = super::talk::content_words(task.question, &[who]);
    let relevance = |text: &str| {
        let found = super::talk::content_words(text, &[who]);
        asked.iter().filter(|w| found.contains(w)).count() as u32
    };
    let mut ranked: Vec<(u32, Insight)> = found
        .into_iter()
        .map(|(weight, insight)| (weight + 4 * relevance(&insight.text).min(2), insight))
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.text.cmp(&b.1.text)));
    ranked
        .into_iter()
        .map(|(_, insight)| insight)
        .take(task.wanted)
        .collect()
}

/// Whom `who` has met most often, if it has met somebody often and nobody else as often. All that happens
/// within an hour is one meeting.
pub(crate) fn most_met(remembered: impl Iterator<Item = Recalled>, who: &str) -> Option<String> {
    let mut meetings: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    let met = |memory: &Recalled| match memory.kind {
        MemoryKind::Conversation => true,
        MemoryKind::Observation => memory.told_by.is_none() && !memory.known,
        _ => false,
    };
    for memory in remembered.filter(met) {
        let hour = memory.created.seconds().div_euclid(MEETING_SECONDS);
        for person in people_in(&memory, who) {
            meetings.entry(person).or_default().insert(hour);
        }
    }
    let count = |entry: &(String, BTreeSet<i64>)| entry.1.len();
    let mut ranked: Vec<_> = meetings.into_iter().collect();
    ranked.sort_by_key(|entry| std::cmp::Reverse(count(entry)));
    let second = ranked.get(1).map_or(0, count);
    let first = ranked.into_iter().next()?;
    (count(&first) >= OFTEN_MET && count(&first) > second + second / 4).then_some(first.0)
}

/// The people a memory is about, other than the resident: subjects with a person's name, tellers,
/// and full names in what was talked about.
pub(super) fn people_in(memory: &Recalled, who: &str) -> BTreeSet<String> {
    let mut people = BTreeSet::new();
    if is_person(&memory.subject) && names(&memory.text, &memory.subject) && &*memory.subject != who {
        people.insert(memory.subject.to_string());
    }
    if let Some(teller) = memory.told_by.as_deref().filter(|t| *t != who) {
        people.insert(teller.to_owned());
    }
    if memory.kind == MemoryKind::Conversation {
        // "Mara Ilves and Ilse Brandt talked: …" names the other one in its first words.
        let head = memory.text.split(':').next().unwrap_or(&memory.text);
        for name in full_names(head).into_iter().filter(|n| n != who) {
            people.insert(name);
        }
    }
    people
}

/// Whether a subject looks like a person's name and not like a place or an object.
pub(super) fn is_person(subject: &str) -> bool {
    let parts: Vec<&str> = subject.split_whitespace().collect();
    let capital = |w: &&str| {
        w.chars()
            .next()
            .is_some_and(|c| c.is_uppercase() || !c.is_ascii())
    };
    !subject.contains(':') && parts.len() > 1 && parts.iter().all(capital)
}

/// Runs of two or more capitalised words.
pub(super) fn full_names(text: &str) -> Vec<String> {
    let (all, _) = words(text);
    let mut found = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    let mut end = |run: &mut Vec<&str>| {
        if run.len() > 1 {
            found.push(run.join(" "));
        }
        run.clear();
    };
    for word in &all {
        if word.is_set_off() || !word.is_capitalised() {
            end(&mut run);
        }
        if word.is_capitalised() {
            let bare = super::prose::bare(word.text);
            run.push(bare);
            // "Ilse Brandt's" ends a name; "Valentine's Day" is none.
            if bare != word.text {
                end(&mut run);
            }
        }
    }
    end(&mut run);
    found
}

/// Who a memory shows at what, where that is worth a thought.
fn subject_habit(memory: &Recalled) -> Option<(String, String)> {
    let subject = &*memory.subject;
    if !is_person(subject) || !memory.text.starts_with(subject) {
        return None;
    }
    let doing = activity(&memory.text, subject);
    let doing = doing.split(" (").next().unwrap_or(doing).trim();
    let first = doing.split_whitespace().next()?;
    let trivial = &Phrases::get().importance;
    // An evening at somebody's party is no way to spend one's days.
    let once = || {
        let (kinds, timed) = (&lexicon().occasions.kinds, &lexicon().days.timed);
        let attends = |template: &str| template.split(' ').next() == doing.split(' ').next();
        let phrases = &lexicon().phrases;
        let named = lower_words(doing).into_iter();
        (attends(&phrases.attending) || attends(&phrases.hosting))
            && named
                .filter(|word| !timed.contains(word))
                .any(|word| kinds.contains_key(&word))
    };
    let dull = lower_words(doing)
        .iter()
        .all(|w| trivial.routine.contains(w) || Phrases::get().grammar.speaks(w))
        || lower_words(doing).iter().any(|w| trivial.talk.contains(w));
    (first.ends_with("ing") && !dull && !doing.contains("idle") && !once())
        .then(|| (subject.to_owned(), doing.to_owned()))
}

fn habit_of(memory: &Recalled, who: &str) -> Option<String> {
    if memory.kind != MemoryKind::Observation || memory.told_by.is_some() {
        return None;
    }
    subject_habit(memory)
        .filter(|(subject, _)| subject == who)
        .map(|(_, habit)| habit)
}

/// Who will come to what, by the words of a talk's summary or a note.
fn attendances(text: &str) -> Vec<(String, String)> {
    let marker = Phrases::get()
        .summary
        .agreed
        .replace("{who}", "")
        .replace("{what}", "");
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(&marker) {
        let (start, end) = (from + at, from + at + marker.len());
        let before = text[..start].rsplit(['.', ';', ':']).next().unwrap_or("").trim();
        let what = text[end..].split(['.', ';', ',']).next().unwrap_or("").trim();
        if !before.is_empty() && !what.is_empty() && before.split_whitespace().count() < 5 {
            found.push((before.to_owned(), what.to_owned()));
        }
        from = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use townsfolk_memory::MemoryId;
    use townsfolk_time::GameTime;

    use super::super::fixtures::{rules, somebody};
    use super::*;
    use crate::Task;

    fn memory(kind: MemoryKind, subject: &str, text: &str, told_by: Option<&str>) -> Recalled {
        Recalled {
            id: MemoryId::from_index(0),
            kind,
            text: text.into(),
            subject: subject.into(),
            importance: 3,
            created: GameTime::from_seconds(0),
            told_by: told_by.map(Into::into),
            known: false,
        }
    }

    fn seen(subject: &str, text: &str) -> Recalled {
        memory(MemoryKind::Observation, subject, text, None)
    }

    fn concluded(recalled: &[Recalled]) -> Vec<(String, Vec<usize>)> {
        let who = somebody("Mara Ilves");
        let task = Insights {
            who: &who,
            question: "What does Mara Ilves know about Ilse Brandt?",
            recalled,
            wanted: 5,
            most_met: None,
        };
        let answer = task.by_rule(&rules(0, 0));
        task.check(&answer).unwrap();
        answer
            .insights
            .into_iter()
            .map(|i| (i.text, i.evidence))
            .collect()
    }

    #[test]
    fn regularities_and_news_become_insights_with_their_evidence() {
        let ilse = "Ilse Brandt";
        let recalled = [
            seen(ilse, "Ilse Brandt is baking bread"),
            seen(ilse, "Ilse Brandt is baking bread"),
            seen("bed", "bed is idle"),
            seen(ilse, "Ilse Brandt is baking bread"),
            memory(
                MemoryKind::Observation,
                "Tomas Reyes",
                "Sam Moore is running for mayor",
                Some("Tomas Reyes"),
            ),
            memory(
                MemoryKind::Conversation,
                "Mara Ilves",
                "Mara Ilves and Tomas Reyes talked: Tomas Reyes will come to the lantern supper.",
                None,
            ),
        ];
        assert_eq!(
            concluded(&recalled),
            [
                (
                    "Ilse Brandt spends much time baking bread".to_owned(),
                    vec![0, 1, 3]
                ),
                ("Mara Ilves often sees Ilse Brandt".to_owned(), vec![0, 1, 3]),
                ("Tomas Reyes will come to the lantern supper".to_owned(), vec![5]),
                (
                    "Mara Ilves knows from Tomas Reyes that Sam Moore is running for mayor".to_owned(),
                    vec![4]
                ),
            ]
        );
    }

    #[test]
    fn at_most_one_is_met_most_often_and_glimpses_of_an_hour_are_one_meeting() {
        let at = |person: &str, minutes: i64| Recalled {
            created: GameTime::from_seconds(minutes * 60),
            ..seen(person, &format!("{person} is baking bread"))
        };
        let most = |remembered: &[Recalled]| most_met(remembered.iter().cloned(), "Mara Ilves");
        let glimpses: Vec<Recalled> = (0..20).map(|i| at("Ilse Brandt", i)).collect();
        assert_eq!(most(&glimpses), None, "twenty minutes");
        let meetings: Vec<Recalled> = (0..8)
            .map(|i| at("Tomas Reyes", 60 * i))
            .chain(glimpses)
            .collect();
        assert_eq!(most(&meetings).as_deref(), Some("Tomas Reyes"));
        let as_often: Vec<Recalled> = (0..7)
            .map(|i| at("Ilse Brandt", 60 * i))
            .chain(meetings)
            .collect();
        assert_eq!(most(&as_often), None, "nobody by far");
    }

    #[test]
    fn nothing_follows_from_trivia() {
        let recalled: Vec<Recalled> = (0..9).map(|_| seen("bed", "bed is idle")).collect();
        assert_eq!(concluded(&recalled), []);
    }

    #[test]
    fn questions_ask_about_who_and_what_was_met() {
        let who = somebody("Mara Ilves");
        let recalled = [
            seen("Ilse Brandt", "Ilse Brandt is baking bread"),
            seen("Ilse Brandt", "Ilse Brandt is selling bread"),
            seen("Mara Ilves", "Mara Ilves is mending nets"),
        ];
        let task = FocalQuestions {
            who: &who,
            recalled: &recalled,
            wanted: 3,
        };
        assert_eq!(
            task.by_rule(&rules(0, 0)).questions,
            [
                "What does Mara Ilves know about Ilse Brandt?",
                "What does mending nets mean to Mara Ilves?"
            ]
        );
    }

    proptest! {
        #[test]
        fn any_memories_give_honest_answers(
            texts in prop::collection::vec("(Mara Ilves|Ilse Brandt|林 秋|\\PC{0,9}) (is baking|told|\\PC{0,9}) \\PC{0,12}", 1..60),
            wanted in 1usize..6,
        ) {
            let who = somebody("Mara Ilves");
            let recalled: Vec<Recalled> = texts
                .iter()
                .enumerate()
                .map(|(i, text)| memory(
                    MemoryKind::ALL[i % 4],
                    ["Ilse Brandt", "Mara Ilves", "林 秋", ""][i % 4],
                    text,
                    (i % 3 == 0).then_some("Tomas Reyes"),
                ))
                .collect();
            let insights = Insights { who: &who, question: &texts[0], recalled: &recalled, wanted, most_met: Some("Ilse Brandt") };
            prop_assert!(insights.check(&insights.by_rule(&rules(0, 0))).is_ok());
            let questions = FocalQuestions { who: &who, recalled: &recalled, wanted };
            prop_assert!(questions.check(&questions.by_rule(&rules(0, 0))).is_ok());
        }
    }
}
