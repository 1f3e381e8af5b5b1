//! Answers to questions from outside, out of identity and what came to mind; "I don't know" else.

use std::borrow::Cow;
use std::cmp::Reverse;

use townsfolk_memory::MemoryKind;
use townsfolk_time::GameTime;

use self::question::{Person, Question, Telling, Wanted};
use self::statements::{Statement, own_texts, statements};
use super::news;
use super::phrases::{Phrases, choose, fill};
use super::prose::{capitalised, closed, first_name, names, unclosed};
use super::rules::Rules;
use super::speech;
use super::talk::content_words;
use super::when;
use crate::tasks::{Exchange, Interview, InterviewAnswer};

mod days;
mod occasions;
mod oneself;
mod people;
mod question;
mod statements;
mod talks;

pub(crate) use self::question::Keys;

/// How many memories an answer uses at most.
const MEMORIES: usize = 3;
/// The same where a question asks who does something.
const PEOPLE: usize = 6;
/// How much of a statement's words others must have said for it to say nothing new, in tenths.
const SAID_ALREADY: usize = 8;

/// The answer to a question, or to several in one.
pub(crate) fn answer(task: &Interview<'_>, rules: &Rules<'_>) -> InterviewAnswer {
    let questions = question::apart(task.question);
    if questions.len() < 2 {
        return answer_one(task, rules);
    }
    let mut history = task.history.to_vec();
    let mut parts: Vec<String> = Vec::new();
    let mut used: Vec<usize> = Vec::new();
    for question in questions {
        let one = Interview {
            question: &question,
            history: &history,
            present: task.present.clone(),
            ..*task
        };
        let answered = answer_one(&one, rules);
        used.extend(
            answered
                .used
                .iter()
                .filter(|at| !used.contains(at))
                .copied()
                .collect::<Vec<_>>(),
        );
        // "… and how do you know?": that nothing is known of it adds nothing.
        let empty = Phrases::get().interview.nothing.contains(&answered.answer);
        let bare = empty && !parts.is_empty() && question::leans(&question);
        if !bare && !parts.contains(&answered.answer) {
            parts.push(answered.answer.clone());
        }
        history.push(Exchange {
            question,
            answer: answered.answer,
        });
    }
    InterviewAnswer {
        answer: parts.join(" "),
        used,
    }
}

fn answer_one(task: &Interview<'_>, rules: &Rules<'_>) -> InterviewAnswer {
    let question = Question::new(task);
    let own = own_texts(task.who);
    let mut statements = statements(task, &own, question.telling == Some(Telling::ToMe));
    if let Some(period) = &question.period {
        // What was begun before lasts until the next thing.
        let doing = || days::doing_at(&statements, period, &task.who.name)?.at;
        let lasting = period.is_moment().then(doing).flatten();
        statements.retain(|s| period.has(s.memory) || s.at.is_some() && s.at == lasting);
    }
    let asked = Asked {
        task,
        rules,
        words: Phrases::get(),
        question,
        statements,
    };
    let mut answered = asked.answer();
    answered
        .parts
        .retain(|part| part.chars().any(char::is_alphanumeric));
    if answered.parts.is_empty() {
        answered = asked.nothing();
    }
    InterviewAnswer {
        answer: answered.parts.join(" "),
        used: answered.used,
    }
}

struct Asked<'a> {
    task: &'a Interview<'a>,
    rules: &'a Rules<'a>,
    words: &'static Phrases,
    question: Question,
    statements: Vec<Statement<'a>>,
}

/// The sentences of an answer and the memories behind them.
#[derive(Default)]
struct Answered {
    parts: Vec<String>,
    used: Vec<usize>,
}

impl Answered {
    /// Words that rest on no memory: the resident's own texts, or that nothing is known.
    fn plain(parts: impl IntoIterator<Item = String>) -> Self {
        let parts = parts.into_iter().map(|part| closed(&unclosed(&part)));
        Self {
            parts: parts.collect(),
            used: Vec::new(),
        }
    }

    fn led_by(mut self, lead: &str) -> Self {
        self.parts.insert(0, lead.to_owned());
        self
    }

    fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

impl Asked<'_> {
    fn answer(&self) -> Answered {
        let cues = &self.words.interview;
        let who = self.task.who;
        let question = &self.question;
        if let Some(Person::Unknown(name)) = &question.person {
            return self.unknown(name);
        }
        if let Some(present) = self.at_present() {
            return present;
        }
        if question.hypothetical {
            return self.supposing();
        }
        let mut recalled = self.task.recalled.iter();
        if let Some(period) = &question.period
            && self.statements.is_empty()
            && !recalled.any(|memory| period.has(memory))
        {
            return Answered::plain([cues.not_then.clone()]);
        }
        if let Some(told) = self.told() {
            return told;
        }
        if let Some(talked) = self.talked() {
            return talked;
        }
        if let Some(went) = self.going() {
            return went;
        }
        if let Some(Person::Known(name)) = &question.person {
            return self.about_person(name);
        }
        if question.has(&cues.most_met)
            && let Some(most_met) = self.statements.iter().find(|s| s.says_most_met(&who.name))
        {
            return self.say([most_met], 1);
        }
        if question.asks_what_was_lived() {
            return self.lived();
        }
        if question.has(&cues.hours) && !question.past && !who.lifestyle.trim().is_empty() {
            return Answered::plain([self.own_text(&who.lifestyle)]);
        }
        if question.has(&cues.typical) {
            let usual = self.usual();
            if !usual.is_empty() {
                return usual;
            }
        }
        if question.has(&cues.company)
            && let Some(chosen) = self.company()
        {
            return chosen;
        }
        if question.has(&cues.plan)
            || question.has(&cues.typical)
            || question.minute.is_some() && !question.past
        {
            return self.plans();
        }
        if question.has(&cues.age)
            && let Some(age) = who.age
        {
            return Answered::plain([fill(
                &cues.name_age,
                &[("name", &who.name), ("age", &age.to_string())],
            )]);
        }
        if question.has(&cues.live_with) {
            return self.household();
        }
        if question.is_of_now(&cues.married)
            && let Some(married) = self.married()
        {
            return married;
        }
        if question.has(&cues.traits) && !who.traits.trim().is_empty() {
            let traits = format!("{} is {}", who.name, who.traits.trim().to_lowercase());
            return Answered::plain([self.mine(&traits)]);
        }
        if question.has(&cues.worry) {
            let worries = self.worries();
            if !worries.is_empty() {
                return worries;
            }
        }
        if question.has(&cues.thinking) {
            return self.thoughts();
        }
        if question.has(&cues.about_self) {
            let name = match who.age {
                Some(age) => fill(&cues.name_age, &[("name", &who.name), ("age", &age.to_string())]),
                None => fill(&cues.name, &[("name", &who.name)]),
            };
            return Answered::plain([name].into_iter().chain(self.identity(&who.background, 2)));
        }
        if question.has(&cues.occupation) {
            let own = self.identity(&who.background, 1);
            return Answered::plain(own.into_iter().chain(self.identity(&who.current, 1)));
        }
        if question.has(&cues.interest) {
            return self.interests();
        }
        if question.has(&cues.heard) {
            let mut told: Vec<&Statement<'_>> =
                self.statements.iter().filter(|s| s.teller.is_some()).collect();
            told.sort_by_key(|s| Reverse((s.memory.created, s.memory.id)));
            return self.say(told, MEMORIES);
        }
        if question.has(&cues.coming) {
            let now = self.task.now;
            let coming = self.statements.iter().filter(|s| news::is_coming(&s.text, now));
            return self.say(coming, MEMORIES);
        }
        if question.has(&cues.opinion) && !question.words.is_empty() {
            return self.opinion();
        }
        self.by_statements()
    }

    /// What shares most words with the question, and has what it asks for.
    fn by_statements(&self) -> Answered {
        let question = &self.question;
        let found = self.best(self.statements.iter(), &question.words);
        if found.is_empty() {
            return self.nothing();
        }
        let most = if question.wanted == Wanted::Person {
            PEOPLE
        } else {
            MEMORIES
        };
        self.lead(found, most)
    }

    /// That nothing is known of it.
    fn nothing(&self) -> Answered {
        Answered::plain([self.one_of("nothing", &self.words.interview.nothing, &[])])
    }

    /// The statements that share most of the words, best first: of those, the ones that hold what the
    /// question wants, if any do.
    fn best<'s>(
        &self,
        from: impl Iterator<Item = &'s Statement<'s>>,
        words: &[String],
    ) -> Vec<&'s Statement<'s>> {
        let shared = |s: &Statement<'_>| words.iter().filter(|w| s.words.contains(w)).count();
        let mut scored: Vec<(usize, &Statement<'_>)> = from
            .filter(|s| s.thing().is_none_or(|thing| self.asks_of_thing(thing)))
            .map(|s| (shared(s), s))
            .filter(|(shared, _)| *shared >= needed(words.len()))
            .collect();
        let best = scored.iter().map(|(shared, _)| *shared).max().unwrap_or(0);
        scored.retain(|(shared, _)| *shared == best);
        let fits = |s: &Statement<'_>| s.fits(self.question.wanted, self.task.question);
        if scored.iter().any(|(_, s)| fits(s)) {
            scored.retain(|(_, s)| fits(s));
        }
        // What is known outright comes before what came up in a talk.
        let own = &self.task.who.name;
        let to_me = self.question.to_oneself();
        scored.sort_by_key(|(_, s)| {
            let of_others = to_me && !names(&s.text, own);
            let of_own = s.at.is_none();
            (s.memory.kind == MemoryKind::Conversation, of_others, of_own)
        });
        scored.into_iter().map(|(_, s)| s).collect()
    }

    /// Whether the question names a thing: how a wardrobe looks says nothing of a clinic, nor who runs.
    fn asks_of_thing(&self, thing: &str) -> bool {
        let named = content_words(thing, &[]);
        self.question.wanted != Wanted::Person && named.iter().any(|word| self.question.words.contains(word))
    }

    /// Says statements, with what the kind of question calls for in front: "Yes.", "No.", or that just
    /// this is not known.
    fn lead(&self, found: Vec<&Statement<'_>>, most: usize) -> Answered {
        let cues = &self.words.interview;
        let question = &self.question;
        let first = found.first().copied();
        let fits = first.is_some_and(|s| s.fits(question.wanted, self.task.question));
        if question.wanted == Wanted::YesNo {
            let own = &self.task.who.name;
            let plain = found.iter().find_map(|s| Some((*s, s.states(question, own)?)));
            let Some((plain, so)) = plain else {
                return self.say(found, most).led_by(&cues.lead_unsure);
            };
            let lead = if so { &cues.lead_yes } else { &cues.lead_no };
            return self.say([plain], most).led_by(lead);
        }
        let said = self.say(found, most);
        match question.wanted {
            Wanted::Time if !fits => said.led_by(&cues.not_when),
            Wanted::Place if !fits => said.led_by(&cues.not_where),
            Wanted::Reason if !fits => said.led_by(&cues.not_why),
            _ => said,
        }
    }

    /// Statements in the resident's mouth, without those that say nothing new.
    fn say<'s>(&self, found: impl IntoIterator<Item = &'s Statement<'s>>, most: usize) -> Answered {
        let mut said: Vec<&String> = Vec::new();
        let mut answered = Answered::default();
        for statement in found {
            if answered.parts.len() >= most {
                break;
            }
            let known = statement.words.iter().filter(|w| said.contains(w)).count();
            if known * 10 >= statement.words.len() * SAID_ALREADY && !answered.is_empty() {
                continue;
            }
            said.extend(&statement.words);
            answered.parts.push(self.in_words(statement));
            if let Some(at) = statement.at.filter(|at| !answered.used.contains(at)) {
                answered.used.push(at);
            }
        }
        answered
    }

    /// A statement in the resident's mouth, with its teller.
    fn in_words(&self, statement: &Statement<'_>) -> String {
        let mut mine = match statement.at {
            Some(_) => self.mine(&self.as_seen(statement)),
            None => self.my_own(&statement.text),
        };
        if self.is_over(statement) {
            let over = &self.words.interview.over;
            let pair = over.chunks_exact(2).find(|pair| mine.contains(&*pair[0]));
            if let Some([then, now]) = pair {
                mine = mine.replacen(&**then, now, 1);
            }
        }
        let cues = &self.words.interview;
        let said = match statement.teller {
            // "Ilse told me that Ilse is …" names her twice.
            Some(teller) if mine.starts_with(teller) => fill(
                &cues.heard_of_self,
                &[("teller", first_name(teller)), ("news", &unclosed(&mine))],
            ),
            Some(teller) => fill(
                &cues.heard_from,
                &[("teller", teller), ("news", &speech::embedded(&mine))],
            ),
            None => capitalised(&mine),
        };
        closed(&said)
    }

    /// A statement as it is told now: what somebody did when it was seen is not what they do.
    fn as_seen<'s>(&self, statement: &'s Statement<'_>) -> Cow<'s, str> {
        let cues = &self.words.interview;
        let (memory, text) = (statement.memory, &*statement.text);
        let rest = text
            .strip_prefix(&*memory.subject)
            .filter(|_| statement.is_sight());
        match rest.and_then(|rest| rest.strip_prefix(&*cues.seen_doing)) {
            Some(rest) => Cow::Owned(format!("{}{}{rest}", memory.subject, cues.was_doing)),
            None => Cow::Borrowed(text),
        }
    }

    /// Whether what a statement looks forward to has been: an occasion that it, or another on the same
    /// matter, dates, and that has ended, or a time of the day on which it was said.
    fn is_over(&self, statement: &Statement<'_>) -> bool {
        if statement.is_past_hour(self.task.now) {
            return true;
        }
        let asked = &self.question.words;
        let matter: Vec<&String> = asked.iter().filter(|w| statement.words.contains(w)).collect();
        let ended = |s: &Statement<'_>| {
            let occasion = when::occasion(&s.text, s.memory.created);
            let end = occasion.map(|o| GameTime::at(o.date, o.start) + i64::from(o.minutes) * 60);
            end.is_some_and(|end| end <= self.task.now && end > statement.memory.created)
        };
        let on_it = |s: &&Statement<'_>| matter.iter().any(|w| s.words.contains(*w));
        !matter.is_empty() && self.statements.iter().filter(on_it).any(ended)
    }

    fn one_of(&self, purpose: &str, phrases: &[String], values: &[(&str, &str)]) -> String {
        let purpose = format!("{purpose} {}", self.task.history.len());
        choose(&self.rules.chance, &purpose, phrases, values, |_| true)
            .unwrap_or_else(|| closed(first_name(&self.task.who.name)))
    }

    /// A statement of the resident's own texts in its mouth.
    fn my_own(&self, text: &str) -> String {
        let who = self.task.who;
        speech::spoken_of_self(text, &who.name, &who.first_name, "")
    }

    /// An activity of the resident in its mouth.
    fn own_activity(&self, doing: &str) -> String {
        speech::own_activity(doing, self.task.who, "").unwrap_or_else(|| doing.to_owned())
    }

    /// A third-person text in the resident's mouth; the one who asks has no name.
    fn mine(&self, text: &str) -> String {
        let who = self.task.who;
        speech::spoken(text, &who.name, &who.first_name, "")
    }
}

/// How many of a question's words a statement must share to answer it.
fn needed(words: usize) -> usize {
    if words > 2 { 2 } else { 1 }
}

#[cfg(test)]
mod tests;
