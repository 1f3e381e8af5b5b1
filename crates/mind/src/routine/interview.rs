//! Answers to questions from outside, out of identity and what came to mind; "I don't know" else.

use townsfolk_memory::MemoryKind;

use super::phrases::{Phrases, choose, fill, holds};
use super::prose::{capitalised, closed, first_name, lower_words, names, sentences, unclosed, words};
use super::rules::Rules;
use super::speech;
use super::talk::content_words;
use super::when;
use crate::tasks::{Interview, InterviewAnswer, Recalled};

/// How many memories an answer uses at most.
const MEMORIES: usize = 3;

/// The answer to a question.
pub(crate) fn answer(task: &Interview<'_>, rules: &Rules<'_>) -> InterviewAnswer {
    let asked = Asked {
        task,
        words: Phrases::get(),
        lower: task.question.to_lowercase(),
    };
    let (parts, used) = asked.answer(rules);
    let answer = parts.join(" ");
    if answer.trim().is_empty() {
        return InterviewAnswer {
            answer: asked.nothing(rules),
            used: Vec::new(),
        };
    }
    InterviewAnswer { answer, used }
}

struct Asked<'a> {
    task: &'a Interview<'a>,
    words: &'static Phrases,
    lower: String,
}

type Answered = (Vec<String>, Vec<usize>);

impl Asked<'_> {
    fn answer(&self, rules: &Rules<'_>) -> Answered {
        let cues = &self.words.interview;
        let who = self.task.who;
        let about = |cues: &[String]| holds(&self.lower, cues);
        // A name in the question, other than the resident's own.
        if let Some(name) = self.person_asked_about() {
            return self.about_person(&name, rules);
        }
        if about(&cues.plan) || about(&cues.typical) || !when::clock_times(&self.lower).is_empty() {
            let planned = self.plans();
            if !planned.0.is_empty() {
                return planned;
            }
        }
        if about(&cues.age)
            && let Some(age) = who.age
        {
            return self.plain([fill(
                &cues.name_age,
                &[("name", &who.name), ("age", &age.to_string())],
            )]);
        }
        if about(&cues.live_with) {
            return self.household();
        }
        if about(&cues.traits) && !who.traits.trim().is_empty() {
            return self.plain([self.mine(&format!("{} is {}", who.name, who.traits.trim().to_lowercase()))]);
        }
        if about(&cues.about_self) {
            let name = match who.age {
                Some(age) => fill(&cues.name_age, &[("name", &who.name), ("age", &age.to_string())]),
                None => fill(&cues.name, &[("name", &who.name)]),
            };
            let own = self.identity(&who.background, 2);
            return self.plain([name].into_iter().chain(own));
        }
        if about(&cues.occupation) || about(&cues.interest) {
            let own = self
                .identity(&who.background, 1)
                .into_iter()
                .chain(self.identity(&who.current, 1));
            return self.plain(own);
        }
        self.by_memories(rules)
    }

    fn plain(&self, parts: impl IntoIterator<Item = String>) -> Answered {
        let parts = parts
            .into_iter()
            .map(|p| closed(&unclosed(&p)))
            .filter(|p| p.chars().any(char::is_alphanumeric))
            .collect();
        (parts, Vec::new())
    }

    fn identity(&self, text: &str, count: usize) -> Vec<String> {
        sentences(text)
            .into_iter()
            .take(count)
            .map(|s| capitalised(&self.my_own(s)))
            .collect()
    }

    /// The first run of capitalised words after the question's first word that is no place or date,
    /// where the question asks after somebody.
    fn person_asked_about(&self) -> Option<String> {
        if !holds(&self.lower, &self.words.interview.know_who) {
            return None;
        }
        let (all, _) = words(self.task.question);
        let mut run: Vec<&str> = Vec::new();
        for (i, word) in all.iter().enumerate() {
            let lower = word.text.to_lowercase();
            let names_someone = i > 0
                && word
                    .text
                    .chars()
                    .next()
                    .is_some_and(|c| c.is_uppercase() || !c.is_ascii())
                && !self.words.grammar.is_calendar(&lower)
                && !self.words.grammar.first.contains(&lower);
            if names_someone && (run.is_empty() || !word.is_set_off()) {
                run.push(super::prose::bare(word.text));
            } else if !run.is_empty() {
                break;
            }
        }
        let name = run.join(" ");
        let own = name == *self.task.who.name || name == *self.task.who.first_name;
        // "Valentine's Day party" and "Hobbs Cafe" are no people: a person's name ends the phrase.
        let known_place = self
            .task
            .recalled
            .iter()
            .any(|r| r.text.contains(&format!("at {name}")) || r.text.contains(&format!("in {name}")));
        (run.len() > 1 && !own && !known_place && !self.task.question.contains(&format!("{}'s", run[0])))
            .then_some(name)
    }

    fn about_person(&self, name: &str, rules: &Rules<'_>) -> Answered {
        let mut used: Vec<usize> = Vec::new();
        let mut parts = Vec::new();
        // What ties us first, then what is important, then the rest, each in the order recalled.
        let mut found: Vec<(usize, &Recalled)> = self
            .task
            .recalled
            .iter()
            .enumerate()
            .filter(|(_, r)| r.kind != MemoryKind::Plan && names(&r.text, name))
            .collect();
        found.sort_by_key(|(i, r)| {
            let bond = lower_words(&r.text)
                .iter()
                .any(|w| self.words.attitude.bond.contains(w));
            (!bond, r.kind == MemoryKind::Conversation, r.importance < 3, *i)
        });
        for (i, memory) in found.into_iter().take(MEMORIES) {
            let part = self.memory(memory);
            if !parts.contains(&part) {
                parts.push(part);
                used.push(i);
            }
        }
        let own = [&self.task.who.background, &self.task.who.current]
            .into_iter()
            .flat_map(|t| sentences(t))
            .find(|s| names(s, name));
        if let Some(own) = own {
            parts.insert(0, closed(&capitalised(&self.my_own(&unclosed(own)))));
        }
        if parts.is_empty() {
            parts.push(self.one_of(
                rules,
                "unknown person",
                &self.words.interview.unknown_person,
                &[("name", name)],
            ));
        }
        (parts, used)
    }

    /// A memory in the resident's mouth, with its teller.
    fn memory(&self, memory: &Recalled) -> String {
        let text = unclosed(&memory.text);
        let said = match memory.told_by.as_deref() {
            Some(teller) => fill(
                &self.words.interview.heard_from,
                &[("teller", teller), ("news", &self.mine(&text))],
            ),
            None => capitalised(&self.mine(&text)),
        };
        closed(&said)
    }

    fn household(&self) -> Answered {
        let attitude = &self.words.attitude;
        let fits = |text: &str| {
            let lower = text.to_lowercase();
            holds(&lower, &attitude.household) || lower_words(&lower).iter().any(|w| attitude.kin.contains(w))
        };
        let own = sentences(&self.task.who.current)
            .into_iter()
            .chain(sentences(&self.task.who.background))
            .find(|s| holds(&s.to_lowercase(), &attitude.household));
        let mut parts: Vec<String> = own
            .map(|s| closed(&capitalised(&self.my_own(&unclosed(s)))))
            .into_iter()
            .collect();
        let mut used = Vec::new();
        for (i, memory) in self.task.recalled.iter().enumerate() {
            if used.len() < MEMORIES
                && fits(&memory.text)
                && memory.told_by.is_none()
                && memory.kind != MemoryKind::Conversation
            {
                parts.push(self.memory(memory));
                used.push(i);
            }
        }
        (parts, used)
    }

    /// What the resident means to do, at the time asked if one is: from plan memories, then from
    /// its lifestyle and daily requirement.
    fn plans(&self) -> Answered {
        let asked = when::clock_times(&self.lower).first().map(|t| t.minute);
        let plan = self
            .task
            .recalled
            .iter()
            .enumerate()
            .filter(|(_, r)| r.kind == MemoryKind::Plan)
            .max_by_key(|(i, r)| (r.created, std::cmp::Reverse(*i)));
        if let Some((i, plan)) = plan {
            let items = plan.text.split_once(": ").map_or(&*plan.text, |(_, items)| items);
            let said = match asked {
                Some(minute) => item_at(items, minute),
                None => Some(unclosed(items)),
            };
            if let Some(said) = said {
                return (vec![closed(&capitalised(&self.mine(&said)))], vec![i]);
            }
        }
        let who = self.task.who;
        if asked.is_some_and(|minute| super::invitations::sleeps_at(who, minute)) {
            return self.plain([self.words.interview.asleep.clone()]);
        }
        let own = [&who.daily_requirement, &who.lifestyle]
            .into_iter()
            .flat_map(|t| sentences(t))
            .map(|s| capitalised(&self.my_own(s)));
        let own: Vec<String> = own.collect();
        if own.is_empty() {
            return self.plain([self.words.interview.no_plan.clone()]);
        }
        self.plain(own)
    }

    /// The memories that share most words with the question.
    fn by_memories(&self, rules: &Rules<'_>) -> Answered {
        let who = self.task.who;
        let asked = content_words(self.task.question, &[&who.name]);
        let wanted = if asked.len() > 3 { 2 } else { 1 };
        let mut scored: Vec<(usize, usize)> = self
            .task
            .recalled
            .iter()
            .enumerate()
            .filter(|(_, r)| !r.text.ends_with("idle"))
            .map(|(i, r)| {
                let found = content_words(&r.text, &[]);
                (asked.iter().filter(|w| found.contains(w)).count(), i)
            })
            .filter(|(shared, _)| *shared >= wanted)
            .collect();
        scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let mut parts: Vec<String> = Vec::new();
        let mut used = Vec::new();
        let best = scored.first().map_or(0, |(shared, _)| *shared);
        for (_, i) in scored
            .into_iter()
            .filter(|(shared, _)| *shared == best)
            .take(MEMORIES)
        {
            let part = self.memory(&self.task.recalled[i]);
            if !parts.contains(&part) {
                parts.push(part);
                used.push(i);
            }
        }
        if parts.is_empty() {
            let own = super::attitudes::own_statements(who).find(|s| {
                let found = content_words(s, &[]);
                !asked.is_empty() && asked.iter().filter(|w| found.contains(w)).count() >= wanted
            });
            match own {
                Some(own) => parts.push(closed(&capitalised(&self.my_own(&unclosed(own))))),
                None => parts.push(self.nothing(rules)),
            }
        } else if holds(&self.lower, &self.words.interview.yes_no) {
            parts.insert(0, self.words.interview.lead_yes.clone());
        }
        (parts, used)
    }

    fn nothing(&self, rules: &Rules<'_>) -> String {
        self.one_of(rules, "nothing", &self.words.interview.nothing, &[])
    }

    fn one_of(
        &self,
        rules: &Rules<'_>,
        purpose: &str,
        phrases: &[String],
        values: &[(&str, &str)],
    ) -> String {
        let purpose = format!("{purpose} {}", self.task.history.len());
        choose(&rules.chance, &purpose, phrases, values, |_| true)
            .unwrap_or_else(|| closed(first_name(&self.task.who.name)))
    }

    /// A statement of the resident's own texts in its mouth.
    fn my_own(&self, text: &str) -> String {
        let who = self.task.who;
        speech::spoken_of_self(text, &who.name, &who.first_name, "")
    }

    /// A third-person text in the resident's mouth; the one who asks has no name.
    fn mine(&self, text: &str) -> String {
        let who = self.task.who;
        speech::spoken(text, &who.name, &who.first_name, "")
    }
}

/// The item of a plan such as "wake up at 7:00 am, have lunch at 12:00 pm" that holds at `minute`.
fn item_at(items: &str, minute: u16) -> Option<String> {
    items
        .split([',', ';'])
        .filter_map(|item| {
            let start = when::clock_times(item).first()?.minute;
            (start <= minute).then(|| (start, item.trim()))
        })
        .max_by_key(|(start, _)| *start)
        .map(|(_, item)| unclosed(item))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use townsfolk_memory::MemoryId;
    use townsfolk_time::GameTime;

    use super::super::fixtures::{rules, somebody};
    use super::*;
    use crate::{Identity, Task};

    fn memory(kind: MemoryKind, text: &str, told_by: Option<&str>) -> Recalled {
        Recalled {
            id: MemoryId::from_index(0),
            kind,
            text: text.into(),
            subject: "Mara Ilves".into(),
            importance: 5,
            created: GameTime::from_seconds(0),
            told_by: told_by.map(Into::into),
        }
    }

    fn asked(who: &Identity, question: &str, recalled: &[Recalled]) -> (String, Vec<usize>) {
        let task = Interview {
            who,
            now: GameTime::from_seconds(0),
            summary: "",
            history: &[],
            question,
            recalled,
        };
        let answer = task.by_rule(&rules(0, 0));
        task.check(&answer).unwrap();
        (answer.answer, answer.used)
    }

    #[test]
    fn the_resident_answers_from_what_it_knows() {
        let mut who = somebody("Mara Ilves");
        who.age = Some(41);
        who.background = "Mara Ilves is a photographer who loves boats. She grew up on an island.".into();
        let recalled = [
            memory(
                MemoryKind::Observation,
                "Sam Moore is running for mayor",
                Some("Ilse Brandt"),
            ),
            memory(
                MemoryKind::Reflection,
                "Mara Ilves and Ilse Brandt are good friends",
                None,
            ),
            memory(
                MemoryKind::Plan,
                "This is Mara Ilves's plan for Monday: wake up at 7:00 am, sort prints at 9:00 am, have dinner with Ilse Brandt at 6:00 pm",
                None,
            ),
        ];
        let ask = |question| asked(&who, question, &recalled);
        assert_eq!(
            ask("Give an introduction of yourself."),
            (
                "My name is Mara Ilves, and I am 41 years old. I am a photographer who loves boats. I grew up on an island.".to_owned(),
                vec![]
            )
        );
        assert_eq!(
            ask("Who is running for mayor?"),
            (
                "Ilse Brandt told me: Sam Moore is running for mayor.".to_owned(),
                vec![0]
            )
        );
        assert_eq!(
            ask("Who is Ilse Brandt?"),
            ("Ilse Brandt and I are good friends.".to_owned(), vec![1])
        );
        assert_eq!(
            ask("What will you be doing at 6pm today?"),
            ("Have dinner with Ilse Brandt at 6:00 pm.".to_owned(), vec![2])
        );
        assert_eq!(ask("What was the score of the match?").1, Vec::<usize>::new());
    }

    #[test]
    fn a_name_nobody_has_is_not_made_up() {
        let who = somebody("Mara Ilves");
        let friends = [memory(
            MemoryKind::Reflection,
            "Mara Ilves and Ilse Brandt are good friends",
            None,
        )];
        for _ in 0..3 {
            let (answer, used) = asked(&who, "Who is Kane Martinez?", &friends);
            assert!(
                [
                    "I don't know anyone of that name.",
                    "I have never heard of Kane Martinez."
                ]
                .contains(&&*answer),
                "{answer}"
            );
            assert!(used.is_empty());
        }
    }

    proptest! {
        #[test]
        fn any_question_has_an_answer(question in "\\PC{0,60}", texts in prop::collection::vec("\\PC{0,40}", 0..20)) {
            let recalled: Vec<Recalled> = texts
                .iter()
                .enumerate()
                .map(|(i, text)| memory(MemoryKind::ALL[i % 4], text, (i % 2 == 0).then_some("林 秋")))
                .collect();
            asked(&somebody("Mara Ilves"), &question, &recalled);
        }
    }
}
