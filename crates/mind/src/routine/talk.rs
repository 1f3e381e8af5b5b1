//! The next line of a talk: an answer to the last line, then perhaps something of one's own, then
//! perhaps leave-taking.
//!
//! Statements come from topics (what retrieval found), the plan, the place or the resident's own
//! texts, recast for the speaker's mouth by [`speech`]; everything between them comes from phrase
//! lists. A line never repeats an earlier one, a topic is told once, a question asked once, and
//! leave is taken once.

mod asking;
mod decisions;
mod telling;

use std::cell::OnceCell;
use std::sync::Arc;

use townsfolk_memory::MemoryKind;
use townsfolk_time::{Minute, clock};

use super::attitudes::{self, Feeling};
use super::hearing::{Asks, Heard};
use super::news;
use super::phrases::{self, Phrases, fill, holds};
use super::prose::{capitalised, closed, first_name, lower_words, names, sentences, unclosed};
use super::rules::Rules;
use super::speech::{self, activity};
use super::when;
use crate::Chance;
use crate::tasks::{Decision, Line, NextLine, Topic, Utterance};

/// After this many lines a talk draws to its end.
const LONG_TALK: usize = 8;
/// Chance that somebody passes on, in a talk, news that isn't their own.
const PASSING_ON: f64 = 0.4;
/// Chance that somebody brings up, in a talk, news of its own that isn't about a coming occasion.
const OWN_NEWS: f64 = 0.5;
/// Chance that somebody passes on, in a talk, that an occasion is coming which it has heard of.
const COMING: f64 = 0.7;
/// From this likeness of a subject to one's own texts on, news of it is met with interest.
const INTERESTING: f64 = 0.35;

/// What the speaker says next.
pub(crate) fn next_line(task: &NextLine<'_>, rules: &Rules<'_>) -> Utterance {
    // The record of a talk or a plan holds others' words; it is no view of the speaker's own.
    let own_words = |t: &&Topic| matches!(t.recalled.kind, MemoryKind::Observation | MemoryKind::Reflection);
    let texts: Vec<&str> = task
        .topics
        .iter()
        .filter(own_words)
        .map(|t| &*t.recalled.text)
        .collect();
    let with_relationship = texts.iter().copied().chain([task.relationship]);
    let own = attitudes::own_statements(task.who);
    let feeling = attitudes::feeling(task.who, task.listener, with_relationship.chain(own));
    let turn = Turn {
        task,
        rules,
        words: Phrases::get(),
        texts,
        feeling,
        friend: first_name(task.listener),
        parts: Vec::new(),
        tells: Vec::new(),
        decision: None,
        ends: false,
        news: OnceCell::new(),
    };
    turn.speak()
}

struct Turn<'a> {
    task: &'a NextLine<'a>,
    rules: &'a Rules<'a>,
    words: &'static Phrases,
    texts: Vec<&'a str>,
    feeling: Feeling,
    friend: &'a str,
    parts: Vec<String>,
    tells: Vec<usize>,
    decision: Option<Decision>,
    ends: bool,
    news: OnceCell<Vec<Untold>>,
}

/// A topic that may be passed on.
struct Untold {
    topic: usize,
    /// Whether it is the speaker's own news, or an invitation.
    eager: bool,
    rank: u32,
}

impl<'a> Turn<'a> {
    fn speak(mut self) -> Utterance {
        match self.task.lines.last() {
            None => self.open(),
            Some(last) => self.reply(last),
        }
        if self.task.lines_left <= 1 && !self.ends {
            self.leave();
        }
        self.finish()
    }

    // -- the first line ---------------------------------------------------------------------

    fn open(&mut self) {
        if self.feeling.liking < 0 {
            self.say("curt greeting", &self.words.talk.curt_greeting);
        } else if self.is_unmet() {
            self.introduce(&self.words.talk.introduce);
        } else {
            self.say("greeting", self.greetings());
        }
        if self.task.lines_left <= 1 {
            return;
        }
        let hostile = self.feeling.liking < 0;
        if !hostile && self.share(Sharing::Eager) {
            return;
        }
        let doing = self.listener_doing();
        if !hostile
            && !doing.is_empty()
            && !self.is_unmet()
            && self.happens("remark", 0.35)
            && let Some(remark) = self.phrase("remark", &self.words.talk.see_doing, &[("doing", &doing)])
        {
            self.parts.push(remark);
        }
        if !self.ask() {
            self.share(Sharing::Any);
        }
    }

    fn greetings(&self) -> &'static [String] {
        match self.task.now.minute_of_day() / 60 {
            4..11 => &self.words.talk.good_morning,
            11..18 => &self.words.talk.good_day,
            _ => &self.words.talk.good_evening,
        }
    }

    fn introduce(&mut self, phrases: &'static [String]) {
        let me = self.task.who.name.to_string();
        let values = [("me", me.as_str()), ("name", self.friend)];
        if let Some(line) = self.phrase("introduce", phrases, &values) {
            self.parts.push(line);
        }
        if let Some(trade) = self.trade() {
            self.parts.push(closed(&trade));
        }
    }

    /// "I am a bartender": the first statement of the background, without what follows "who".
    fn trade(&self) -> Option<String> {
        let first = sentences(&self.task.who.background).first().copied()?;
        let cut = first.find(" who ").unwrap_or(first.len());
        Some(unclosed(&self.my_own(&first[..cut])))
    }

    fn is_unmet(&self) -> bool {
        let who = &self.task.who.name;
        let unmet = fill(
            &self.words.relationship.unmet,
            &[("who", who), ("whom", self.task.listener)],
        );
        self.task.relationship.is_empty() || self.task.relationship == unmet
    }

    // -- later lines -------------------------------------------------------------------------

    fn reply(&mut self, last: &'a Line) {
        let mut heard = Heard::of(&last.text);
        if heard.asks == Asks::TheSame {
            let own = self.own_lines().last().map(|l| Heard::of(&l.text).asks);
            heard.asks = own
                .filter(|asks| matches!(asks, Asks::Plans | Asks::Concern | Asks::HowAreYou))
                .unwrap_or(Asks::HowAreYou);
        }
        if heard.goodbye && heard.asks == Asks::Nothing {
            if let Some(decided) = last.decision.as_ref() {
                self.answer_decision(decided);
            }
            if !last.tells.is_empty() && self.feeling.liking >= 0 {
                self.answer_news(last);
            }
            self.ends = true;
            self.say("bye again", &self.words.talk.goodbye_again);
            return;
        }
        let hostile = self.feeling.liking < 0;
        if self.task.lines.len() == 1 && !hostile {
            if self.is_unmet() && self.own_lines().next().is_none() {
                self.introduce(&self.words.talk.introduce_back);
            } else {
                self.say("greet back", &self.words.talk.greet_back);
            }
        }
        let settled = self.answer(last, &heard);
        if hostile {
            if self.parts.is_empty() {
                self.say("curt", &self.words.talk.curt_reply);
            }
            if self.task.lines.len() > 1 || heard.asks == Asks::Nothing {
                self.leave();
            }
            return;
        }
        if self.task.lines_left <= 1 {
            if self.decision.is_none() {
                self.share(Sharing::Any);
            }
            return;
        }
        if settled {
            // Something was agreed or refused: that is a good place to part.
            if self.decision.is_none() {
                self.leave();
            }
            return;
        }
        if self.decision.is_some() {
            return;
        }
        if !self.goes_on() {
            if self.parts.is_empty() {
                self.say("hear", &self.words.talk.hear_plan);
            }
            self.leave();
            return;
        }
        let shared = self.share(Sharing::Any);
        if !shared && !self.ask() {
            if self.parts.is_empty() && !self.mention_concern() {
                self.say("hear", &self.words.talk.hear_plan);
                self.leave();
            } else if self.happens("part", 0.6) || !self.mention_concern() {
                self.leave();
            }
        }
    }

    fn goes_on(&self) -> bool {
        let odds = match self.task.lines.len() {
            0..=2 => 0.95,
            3 | 4 => 0.6,
            5..LONG_TALK => 0.35,
            _ => 0.0,
        };
        let eager = self.find_news(Sharing::Eager).is_some();
        eager || self.happens("go on", odds)
    }

    /// Answers the last line. True where the talk has come to a point with it.
    fn answer(&mut self, last: &'a Line, heard: &Heard<'_>) -> bool {
        if let Some(decided) = last.decision.as_ref() {
            self.answer_decision(decided);
            return true;
        }
        let told = !last.tells.is_empty();
        match heard.asks {
            _ if told && self.feeling.liking < 0 && heard.asks != Asks::ToCome => {
                self.say("curt", &self.words.talk.curt_reply)
            }
            Asks::ToCome => self.answer_invitation(last, heard.question),
            Asks::AFavour => self.answer_request(heard.question),
            _ if told => {
                self.answer_news(last);
                if heard.asks != Asks::Nothing {
                    self.answer_question(heard);
                }
            }
            Asks::Nothing if self.feeling.liking < 0 => {}
            Asks::Nothing if self.task.lines.len() > 1 => {
                self.say("hear", &self.words.talk.hear_plan);
            }
            Asks::Nothing => {}
            _ => self.answer_question(heard),
        }
        false
    }

    fn answer_question(&mut self, heard: &Heard<'_>) {
        let talk = &self.words.talk;
        if self.feeling.liking < 0 {
            self.say("curt", &talk.curt_reply);
            return;
        }
        match heard.asks {
            Asks::HowAreYou => {
                let doing = self.own_doing();
                let line = if !doing.is_empty() && !self.was_said(&doing) && self.happens("say doing", 0.6) {
                    self.phrase("fine", &talk.fine_doing, &[("doing", &doing)])
                } else {
                    self.phrase("fine", &talk.fine, &[])
                };
                self.parts.extend(line);
            }
            Asks::Plans => self.tell_plans(),
            Asks::Concern => {
                if !heard.question.to_lowercase().starts_with(['h', 'i']) || self.own_lines().next().is_some()
                {
                    if !self.mention_concern() {
                        self.say("no concern", &talk.no_concern);
                    }
                } else {
                    self.say("going well", &talk.going_well);
                }
            }
            Asks::WhoAreYou => self.introduce(&talk.introduce_back),
            _ => self.answer_from_memory(heard.question),
        }
    }

    fn answer_decision(&mut self, decided: &Decision) {
        let talk = &self.words.talk;
        let phrases = match (decided.accept, decided.occasion.is_some()) {
            (true, true) => &talk.accept_pleased,
            (false, true) => &talk.decline_heard,
            (true, false) => &talk.granted,
            (false, false) => &talk.refused,
        };
        self.say("answer decision", phrases);
    }

    fn tell_plans(&mut self) {
        let now = self.task.now.minute_of_day();
        let talk = &self.words.talk;
        let next = self
            .task
            .plan
            .iter()
            .find(|e| e.start > now && !e.asleep && !e.step && !is_getting_ready(&e.activity))
            .or_else(|| self.task.plan.iter().find(|e| e.start > now && !e.asleep));
        let line = next.and_then(|entry| {
            let doing = activity(&entry.activity, &self.task.who.name);
            let spoken = speech::own_activity(doing, self.task.who, self.task.listener);
            let spoken = spoken.unwrap_or_else(|| doing.to_owned());
            let phrases = if begins_with_ing(&spoken) {
                &talk.plan_next
            } else {
                &talk.plan_next_plain
            };
            let time = spoken_clock(entry.start);
            self.phrase("plan", phrases, &[("time", &time), ("activity", &spoken)])
        });
        match line {
            Some(line) => self.parts.push(line),
            None => self.say("no plans", &talk.no_plans),
        }
    }

    /// Says what occupies the speaker, once a talk. False where there is nothing (left) to say.
    fn mention_concern(&mut self) -> bool {
        let leaning = &self.words.news.leaning_on;
        let said = sentences(&self.task.who.current)
            .into_iter()
            .enumerate()
            .find_map(|(i, sentence)| {
                let lower = sentence.to_lowercase();
                // "She is telling everyone about it": about what was said before.
                let leans = i > 0 && lower_words(sentence).iter().any(|word| leaning.contains(word));
                let unfit = leans
                    || news::is_private(self.task.who, self.task.listener, sentence, &lower)
                    || when::occasion(sentence, self.task.now).is_some()
                    || news::curiosity([sentence].into_iter()).is_some()
                    || names(sentence, self.task.listener);
                let spoken = closed(&capitalised(&self.my_own(&news::statement(sentence))));
                (!unfit && !self.was_told(sentence) && !self.was_said(&spoken)).then_some(spoken)
            });
        match said {
            Some(said) => {
                self.parts.push(said);
                true
            }
            None => false,
        }
    }

    /// Answers a question with the memory that shares most words with it, if any may be told.
    fn answer_from_memory(&mut self, question: &str) {
        let asked = content_words(question, &[&self.task.who.name, self.task.listener]);
        let wanted = if asked.len() > 2 { 2 } else { 1 };
        let mut best: Option<(usize, usize)> = None;
        for (i, topic) in self.task.topics.iter().enumerate() {
            let words = content_words(&topic.recalled.text, &[]);
            let shared = asked.iter().filter(|w| words.contains(w)).count();
            if shared >= wanted
                && best.is_none_or(|(_, most)| shared > most)
                && self.may_answer(topic, question)
            {
                best = Some((i, shared));
            }
        }
        match best {
            Some((i, _)) => self.tell(i, Lead::None),
            None => {
                if let Some(words) =
                    attitudes::indifference(self.task.who, question, self.texts.iter().copied())
                {
                    self.say_opinion(words);
                } else {
                    self.say("unknown", &self.words.talk.unknown);
                }
            }
        }
    }

    /// Whether a memory may be told in answer to a question.
    fn may_answer(&self, topic: &Topic, question: &str) -> bool {
        let recalled = &topic.recalled;
        let text = &*recalled.text;
        if !matches!(recalled.kind, MemoryKind::Observation | MemoryKind::Reflection)
            || recalled.told_by.as_deref() == Some(&**self.task.listener)
            || names(text, self.task.listener)
            || text.ends_with("idle")
        {
            return false;
        }
        let lower = text.to_lowercase();
        let news = &self.words.news;
        // "Who will run for mayor?" isn't answered by what somebody thinks or likes to talk about,
        // "Do you know Carlos Gomez?" is.
        let asks_after_person = names_someone_of(text, question, "")
            && holds(&question.to_lowercase(), &self.words.interview.know_who);
        !news::is_private(self.task.who, self.task.listener, text, &lower)
            && !news::is_over(text, recalled.created, self.task.now)
            && !holds(&lower, &news.curious)
            && !holds(&lower, &self.words.attitude.indifference)
            && (asks_after_person || !holds(&lower, &news.unspoken))
    }

    // -- the last line -------------------------------------------------------------------------

    fn leave(&mut self) {
        let talk = &self.words.talk;
        let last_decision = self.task.lines.last().and_then(|l| l.decision.as_ref());
        let will_meet = last_decision
            .or(self.decision.as_ref())
            .is_some_and(|d| d.accept && d.occasion.is_some());
        let night = !(5..21).contains(&(self.task.now.minute_of_day() / 60));
        let phrases = if self.feeling.liking < 0 {
            &talk.goodbye_curt
        } else if will_meet {
            &talk.goodbye_meet
        } else if night {
            &talk.goodbye_night
        } else {
            &talk.goodbye
        };
        self.say("goodbye", phrases);
        self.ends = true;
    }

    /// A memory as it is told now.
    fn told(&self, topic: &Topic) -> Arc<str> {
        topic.as_told(self.task.now)
    }

    // -- wording ------------------------------------------------------------------------------

    fn finish(mut self) -> Utterance {
        if self.parts.is_empty() {
            let phrases = if self.ends {
                &self.words.talk.goodbye_again
            } else {
                &self.words.talk.hear_plan
            };
            self.say("fallback", phrases);
        }
        if self.parts.is_empty() {
            // Everything has been said, so nothing is left but to part.
            self.say("fallback", &self.words.talk.goodbye);
            self.ends = true;
        }
        let mut text = self.parts.join(" ");
        if text.trim().is_empty() {
            text = closed(self.friend);
            self.ends = true;
        }
        let mut again = self.words.talk.again.iter();
        let plain = text.clone();
        while self.task.lines.iter().any(|l| *l.text == *text) {
            text = match again.next() {
                Some(template) => fill(template, &[("line", &plain)]),
                None => format!("{text} {plain}"),
            };
        }
        Utterance {
            text,
            tells: self.tells,
            decision: self.decision,
            ends: self.ends,
        }
    }

    fn say(&mut self, purpose: &str, phrases: &[String]) {
        let line = self.phrase(purpose, phrases, &[]);
        self.parts.extend(line);
    }

    /// A phrase not said before in this talk.
    fn phrase(&self, purpose: &str, phrases: &[String], values: &[(&str, &str)]) -> Option<String> {
        let mut all = vec![("name", self.friend)];
        all.extend_from_slice(values);
        let purpose = format!("{purpose} {}", self.task.lines.len());
        phrases::choose(&self.chance(), &purpose, phrases, &all, |line| {
            !self.was_said(line)
        })
    }

    fn was_said(&self, words: &str) -> bool {
        let bare = words.trim_end_matches(['.', '!', '?']);
        self.task.lines.iter().any(|l| l.text.contains(bare)) || self.parts.iter().any(|p| p.contains(bare))
    }

    fn happens(&self, purpose: &str, probability: f64) -> bool {
        self.chance()
            .happens(&format!("{purpose} {}", self.task.lines.len()), probability)
    }

    /// The same for every line of a talk, so that asking again changes nothing.
    fn happens_in_talk(&self, purpose: &str, probability: f64) -> bool {
        let hour = Chance {
            tick: self.task.now.seconds().div_euclid(3_600) as u64,
            ..self.rules.chance
        };
        hour.happens(&format!("{purpose} to {}", self.task.listener), probability)
    }

    fn chance(&self) -> Chance {
        self.rules.chance
    }

    fn own_lines(&self) -> impl Iterator<Item = &'a Line> {
        let who = &self.task.who.name;
        self.task.lines.iter().filter(move |l| l.speaker == *who)
    }

    /// A third-person text in the speaker's mouth.
    fn mine(&self, text: &str) -> String {
        let who = self.task.who;
        speech::spoken(text, &who.name, &who.first_name, self.task.listener)
    }

    /// A statement of the speaker's own texts in the speaker's mouth.
    fn my_own(&self, text: &str) -> String {
        let who = self.task.who;
        speech::spoken_of_self(text, &who.name, &who.first_name, self.task.listener)
    }

    /// What the listener was seen doing, for "I see you are …"; empty where that says nothing.
    fn listener_doing(&self) -> String {
        let doing = activity(self.task.listener_doing, self.task.listener);
        let talking = lower_words(doing)
            .iter()
            .any(|w| self.words.activity.talking.contains(w));
        if begins_with_ing(doing)
            && !talking
            && doing.split_whitespace().count() < 10
            && !is_getting_ready(doing)
        {
            let doing = without_aside(doing);
            self.mine(&format!("{} is {doing}", self.task.listener))
                .split_once(" are ")
                .map_or_else(String::new, |(_, doing)| doing.to_owned())
        } else {
            String::new()
        }
    }

    fn own_doing(&self) -> String {
        let doing = activity(self.task.doing, &self.task.who.name);
        if begins_with_ing(doing) && doing.split_whitespace().count() < 10 {
            let doing = without_aside(doing);
            speech::own_activity(doing, self.task.who, self.task.listener).unwrap_or_default()
        } else {
            String::new()
        }
    }
}

/// How a statement is led up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    /// As news: "By the way, …".
    News,
    /// Not at all: it answers a question.
    None,
}

/// How readily news is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sharing {
    /// Only one's own news, and invitations.
    Eager,
    /// Anything worth it.
    Any,
}

/// "writing (reviewing notes)" → "writing".
fn without_aside(doing: &str) -> &str {
    doing.split(" (").next().unwrap_or(doing).trim()
}

fn begins_with_ing(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|first| {
        first.len() > 4 && first.ends_with("ing") && first.chars().all(char::is_alphabetic)
    })
}

fn is_getting_ready(activity: &str) -> bool {
    let intimate = &Phrases::get().activity.intimate;
    lower_words(activity).iter().any(|w| intimate.contains(w))
}

fn is_about(text: &str, name: &str, first: &str) -> bool {
    text.starts_with(name) || text.starts_with(first)
}

/// Whether `text` names somebody, other than `not`, whom `about` names too: two capitalised words in
/// a row that both have.
fn names_someone_of(text: &str, about: &str, not: &str) -> bool {
    let (all, _) = super::prose::words(about);
    all.windows(2).any(|pair| {
        if !(pair[0].is_capitalised() && pair[1].is_capitalised()) || pair[1].is_set_off() {
            return false;
        }
        let name = format!("{} {}", pair[0].text, super::prose::bare(pair[1].text));
        name != not && !not.contains(&name) && text.contains(&name)
    })
}

/// The words of a text that carry meaning, roughly stemmed, without the names given.
pub(crate) fn content_words(text: &str, without: &[&str]) -> Vec<String> {
    let grammar = &Phrases::get().grammar;
    let skipped: Vec<String> = without.iter().flat_map(|n| lower_words(n)).collect();
    let mut found: Vec<String> = lower_words(text)
        .into_iter()
        .filter(|w| w.chars().count() > 2 || !w.is_ascii())
        .filter(|w| !grammar.speaks(w) && !skipped.contains(w) && !grammar.questioning.contains(w))
        .map(|w| rough_stem(&w))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn rough_stem(word: &str) -> String {
    for ending in ["ing", "ed", "es", "s"] {
        let Some(stem) = word.strip_suffix(ending).filter(|s| s.len() > 2) else {
            continue;
        };
        // "running" doubles what "run" has once.
        let mut from_end = stem.chars().rev();
        let doubled = ending.len() > 1 && from_end.next() == from_end.next() && stem.is_ascii();
        return stem[..stem.len() - usize::from(doubled)].to_owned();
    }
    word.to_owned()
}

/// A time as people say it: "at 5pm", "at 5:30pm".
pub(super) fn spoken_clock(minute: Minute) -> String {
    let (hour, past) = (minute / 60 % 24, minute % 60);
    let half = if hour < 12 { "am" } else { "pm" };
    let hour = if hour % 12 == 0 { 12 } else { hour % 12 };
    if minute >= 1_440 {
        clock(minute)
    } else if past == 0 {
        format!("{hour}{half}")
    } else {
        format!("{hour}:{past:02}{half}")
    }
}

#[cfg(test)]
#[path = "talk_tests.rs"]
mod tests;
