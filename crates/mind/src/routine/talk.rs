//! The next line of a talk: an answer to the last line, then perhaps something of one's own, then
//! perhaps leave-taking.
//!
//! Statements come from topics (what retrieval found), the plan, the place or the resident's own
//! texts, recast for the speaker's mouth by [`speech`]; everything between them comes from phrase
//! lists. A line never repeats an earlier one, a topic is told once, a question asked once, and
//! leave is taken once.

use std::cell::OnceCell;
use std::cmp::Reverse;

use townsfolk_time::{Minute, clock};

use super::attitudes::{self, Feeling};
use super::hearing::{Asks, Heard};
use super::invitations::{self, Decider, Verdict};
use super::news;
use super::phrases::{self, Phrases, fill, holds};
use super::prose::{capitalised, closed, first_name, lower_words, names, sentences, unclosed};
use super::rules::Rules;
use super::speech::{self, activity};
use super::when;
use crate::Chance;
use crate::tasks::{Decision, Line, NextLine, Occasion, Topic, Utterance};

/// After this many lines a talk draws to its end.
const LONG_TALK: usize = 8;
/// Chance that somebody passes on, in a talk, news that isn't their own.
const PASSING_ON: f64 = 0.4;
/// From this likeness of a subject to one's own texts on, news of it is met with interest.
const INTERESTING: f64 = 0.35;

/// What the speaker says next.
pub(crate) fn next_line(task: &NextLine<'_>, rules: &Rules<'_>) -> Utterance {
    let texts: Vec<&str> = task.topics.iter().map(|t| &*t.recalled.text).collect();
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
        told: OnceCell::new(),
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
    told: OnceCell<Vec<Occasion>>,
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
            let spoken = self.mine(activity(&entry.activity, &self.task.who.name));
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
        let said = sentences(&self.task.who.current)
            .into_iter()
            .find_map(|sentence| {
                let lower = sentence.to_lowercase();
                let unfit = news::is_private(self.task.who, self.task.listener, sentence, &lower)
                    || when::occasion(sentence, self.task.now).is_some()
                    || news::curiosity([sentence].into_iter()).is_some()
                    || names(sentence, self.task.listener);
                let spoken = closed(&capitalised(&self.mine(&unclosed(sentence))));
                (!unfit && !self.was_said(&spoken)).then_some(spoken)
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
            let text = &topic.recalled.text;
            let lower = text.to_lowercase();
            if news::is_private(self.task.who, self.task.listener, text, &lower)
                || topic.recalled.told_by.as_deref() == Some(&**self.task.listener)
                || names(text, self.task.listener)
                || !matches!(
                    topic.recalled.kind,
                    townsfolk_memory::MemoryKind::Observation | townsfolk_memory::MemoryKind::Reflection
                )
                || holds(&lower, &self.words.news.curious)
                || holds(&lower, &self.words.attitude.indifference)
                || holds(&lower, &self.words.news.unspoken) && !names_someone_of(text, question, "")
                || lower.ends_with("idle")
            {
                continue;
            }
            let words = content_words(text, &[]);
            let shared = asked.iter().filter(|w| words.contains(w)).count();
            if shared >= wanted && best.is_none_or(|(_, most)| shared > most) {
                best = Some((i, shared));
            }
        }
        match best {
            Some((i, _)) => self.tell(i),
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

    // -- invitations and favours --------------------------------------------------------------

    fn decider(&self) -> Decider<'_> {
        Decider {
            who: self.task.who,
            asker: self.task.listener,
            now: self.task.now,
            feeling: self.feeling,
            texts: &self.texts,
            plan: self.task.plan,
            appointments: self.task.appointments,
        }
    }

    fn answer_invitation(&mut self, last: &Line, question: &str) {
        let Some(occasion) = self.occasion_offered(last) else {
            self.answer_request(question);
            return;
        };
        let verdict = invitations::come(&self.decider(), &occasion, self.rules);
        let talk = &self.words.talk;
        let what = occasion.what.as_str();
        let line = match &verdict {
            Verdict::AlreadyGoing => self.phrase("accept", &talk.accept_again, &[]),
            Verdict::Come => self.phrase("accept", &talk.accept, &[]),
            Verdict::OtherAppointment(other) => {
                self.phrase("decline", &talk.decline_appointment, &[("what", other)])
            }
            Verdict::Busy(busy) => {
                let busy = self.mine(activity(busy, &self.task.who.name));
                if begins_with_ing(&busy) {
                    self.phrase("decline", &talk.decline_clash, &[("activity", &busy)])
                } else {
                    self.phrase("decline", &talk.decline_work, &[])
                }
            }
            Verdict::Working => self.phrase("decline", &talk.decline_work, &[]),
            Verdict::Asleep => self.phrase("decline", &talk.decline_sleep, &[]),
            Verdict::Indifferent(words) => {
                let opinion = unclosed(&self.mine(words));
                self.phrase("decline", &talk.decline_theme, &[("opinion", &opinion)])
            }
            Verdict::Dislike => self.phrase("decline", &talk.decline_dislike, &[]),
            Verdict::NoInterest => self.phrase("decline", &talk.decline_interest, &[]),
        };
        self.parts.extend(line);
        let decision = Decision {
            on: format!("coming to the {what}"),
            accept: verdict.accepts(),
            reason: verdict.reason(&self.decider()),
            occasion: Some(occasion),
        };
        self.decision = Some(decision);
    }

    /// The occasion that the other one invites to: told in the last line, or in an earlier one.
    fn occasion_offered(&self, last: &Line) -> Option<Occasion> {
        let earlier = self.task.lines.iter().rev().filter(|l| l.speaker == last.speaker);
        let host = |occasion: Occasion, text: &str| {
            // "I am planning …" makes its speaker the host.
            let own = occasion.host.is_none() && (text.starts_with("I ") || text.contains(" I "));
            Occasion {
                host: if own {
                    Some(last.speaker.to_string())
                } else {
                    occasion.host.clone()
                },
                ..occasion
            }
        };
        for line in earlier {
            for (_, text) in &line.tells {
                if let Some(occasion) = when::occasion(text, self.task.now) {
                    return Some(self.named_in_full(occasion));
                }
            }
            if let Some(occasion) = when::occasion(&line.text, self.task.now) {
                return Some(host(occasion, &line.text));
            }
        }
        None
    }

    /// A host known by first name alone, in full.
    fn named_in_full(&self, occasion: Occasion) -> Occasion {
        let known = [&*self.task.who.name, &**self.task.listener];
        let host = occasion.host.as_deref().map(|host| {
            known
                .into_iter()
                .find(|name| *name == host || first_name(name) == host)
                .unwrap_or(host)
                .to_owned()
        });
        Occasion { host, ..occasion }
    }

    fn answer_request(&mut self, question: &str) {
        let question = question.trim();
        let earlier = self
            .own_lines()
            .filter_map(|l| l.decision.as_ref())
            .find(|d| d.on == question);
        let (accept, words) = match earlier {
            Some(before) => (before.accept, (!before.accept).then(|| before.reason.clone())),
            None => invitations::favour(&self.decider(), question, self.rules),
        };
        let who = self.task.who;
        let talk = &self.words.talk;
        let line = if accept {
            self.phrase("grant", &talk.grant, &[])
        } else if let Some(words) = words.as_ref().filter(|w| is_about(w, &who.name, &who.first_name)) {
            let reason = unclosed(&self.mine(words));
            self.refusal(&talk.refuse, &[("reason", &reason)])
        } else {
            self.refusal(&talk.refuse_plain, &[])
        };
        self.parts.extend(line);
        let reason = words.unwrap_or_else(|| {
            if accept {
                format!("{} is glad to help", who.name)
            } else if self.feeling.liking < 0 {
                format!("does not like {}", self.task.listener)
            } else {
                "does not want to".to_owned()
            }
        });
        self.decision = Some(Decision {
            on: question.to_owned(),
            accept,
            reason,
            occasion: None,
        });
    }

    /// Refusals grow firmer: the lists are read in order, each phrase once.
    fn refusal(&self, phrases: &'static [String], values: &[(&str, &str)]) -> Option<String> {
        let refused = self
            .own_lines()
            .filter(|l| l.decision.as_ref().is_some_and(|d| !d.accept))
            .count();
        let nth = phrases.len().checked_sub(1).map(|last| refused.min(last))?;
        (nth..phrases.len())
            .chain(0..nth)
            .map(|i| fill(&phrases[i], values))
            .find(|line| !self.was_said(line))
    }

    // -- news -------------------------------------------------------------------------------

    fn answer_news(&mut self, last: &Line) {
        let talk = &self.words.talk;
        for (_, text) in &last.tells {
            let about = news::statement(text);
            if let Some(words) = attitudes::indifference(self.task.who, &about, self.texts.iter().copied()) {
                self.say_opinion(words);
                return;
            }
            if let Some(words) = self.opinion_on_person(&about) {
                self.say_opinion(words);
                return;
            }
            let known = self.task.topics.iter().any(|t| {
                t.recalled.text == *text && t.recalled.told_by.as_deref() != Some(&**self.task.listener)
            });
            if known {
                self.say("heard", &talk.heard_known);
                return;
            }
            if self.rules.likeness(&about, &self.task.who.current) > INTERESTING
                || self.rules.likeness(&about, &self.task.who.background) > INTERESTING
            {
                self.say("heard", &talk.heard_interest);
                return;
            }
        }
        self.say("heard", &talk.heard_news);
    }

    fn say_opinion(&mut self, words: &str) {
        let opinion = unclosed(&self.mine(words));
        if self.was_said(&opinion) {
            self.say("heard", &self.words.talk.heard_news);
            return;
        }
        let line = self.phrase("opinion", &self.words.talk.opinion, &[("opinion", &opinion)]);
        self.parts.extend(line);
    }

    /// What the speaker thinks of a person the news names, unless that is the listener: "I don't
    /// really like Sam Moore".
    fn opinion_on_person(&self, about: &str) -> Option<&'a str> {
        let who = &self.task.who.name;
        let attitude = &self.words.attitude;
        self.texts.iter().copied().find(|text| {
            let lower = text.to_lowercase();
            let opinion = holds(&lower, &attitude.dislike) || holds(&lower, &attitude.liking);
            let named = (text.starts_with(&**who)
                || text.starts_with(&format!("{} ", self.task.who.first_name)))
                && !names(text, self.task.listener);
            opinion && named && !holds(&lower, &self.words.news.private) && names_someone_of(text, about, who)
        })
    }

    /// The topic worth passing on most, if any is left.
    fn find_news(&self, sharing: Sharing) -> Option<usize> {
        let news = self.news.get_or_init(|| self.untold_news());
        let fits = |n: &&Untold| (sharing == Sharing::Any || n.eager) && !self.tells.contains(&n.topic);
        let best = news
            .iter()
            .filter(fits)
            .max_by_key(|n| (n.rank, Reverse(n.topic)));
        best.map(|n| n.topic)
    }

    /// All that may be passed on in this line. Looking is costly, so it happens once a line.
    fn untold_news(&self) -> Vec<Untold> {
        let who = self.task.who;
        let candidates = self.task.topics.iter().enumerate().filter(|(_, topic)| {
            !topic.shared && news::is_news(who, self.task.listener, &topic.recalled) && self.is_untold(topic)
        });
        candidates
            .filter_map(|(i, topic)| {
                let invites = self.may_invite(topic).is_some();
                let own = names(&topic.recalled.text, &who.name);
                let eager = invites || own;
                // Not everybody passes on all they hear.
                let passes = eager || self.happens_in_talk(&topic.recalled.text, PASSING_ON);
                passes.then(|| Untold {
                    topic: i,
                    eager,
                    rank: u32::from(topic.recalled.importance) + 20 * u32::from(invites) + 5 * u32::from(own),
                })
            })
            .collect()
    }

    fn is_untold(&self, topic: &Topic) -> bool {
        let id = topic.recalled.id;
        let said = |line: &Line| {
            line.tells.iter().any(|(told, text)| {
                *text == topic.recalled.text || line.speaker == self.task.who.name && *told == id
            })
        };
        !self.task.lines.iter().any(said)
            && !self.was_said(&self.mine(&news::statement(&topic.recalled.text)))
            && !self.repeats_what_was_told(topic)
    }

    /// Whether the topic says much the same as something told in this talk, or tells of the same
    /// occasion as something told or shared.
    fn repeats_what_was_told(&self, topic: &Topic) -> bool {
        let words = content_words(&news::statement(&topic.recalled.text), &[]);
        let alike = |text: &str| {
            let other = content_words(&news::statement(text), &[]);
            words.iter().filter(|w| other.contains(w)).count() * 2 > words.len().min(other.len())
        };
        let mut said = self.task.lines.iter().flat_map(|l| &l.tells);
        if said.any(|(_, text)| alike(text)) {
            return true;
        }
        let Some(occasion) = when::occasion(&topic.recalled.text, self.task.now) else {
            return false;
        };
        self.told_occasions()
            .iter()
            .any(|o| o.date == occasion.date && invitations::same_kind(o, &occasion))
    }

    /// The occasions told in this talk or shared before it.
    fn told_occasions(&self) -> &[Occasion] {
        self.told.get_or_init(|| {
            let told = self
                .task
                .lines
                .iter()
                .flat_map(|l| &l.tells)
                .map(|(_, text)| text);
            let shared = self
                .task
                .topics
                .iter()
                .filter(|t| t.shared)
                .map(|t| &t.recalled.text);
            told.chain(shared)
                .filter_map(|text| when::occasion(text, self.task.now))
                .collect()
        })
    }

    /// The coming occasion of a topic that the speaker hosts or goes to.
    fn may_invite(&self, topic: &Topic) -> Option<(Occasion, bool)> {
        let text = &topic.recalled.text;
        let occasion = when::occasion(text, self.task.now)?;
        let ends = townsfolk_time::GameTime::at(occasion.date, occasion.start);
        if ends <= self.task.now {
            return None;
        }
        let who = self.task.who;
        let hosts = match occasion.host.as_deref() {
            Some(host) => host == &*who.name || host == &*who.first_name,
            None => text.starts_with(&*who.name),
        };
        let goes = self
            .task
            .appointments
            .iter()
            .any(|a| a.occasion.date == occasion.date && invitations::same_kind(&a.occasion, &occasion));
        (hosts || goes).then_some((occasion, hosts))
    }

    /// Passes on one piece of news. False where there is none.
    fn share(&mut self, sharing: Sharing) -> bool {
        let Some(i) = self.find_news(sharing) else {
            return false;
        };
        self.tell(i);
        let topic = &self.task.topics[i];
        if let Some((_, hosts)) = self.may_invite(topic)
            && self.task.lines_left > 1
        {
            if !hosts {
                self.say("going too", &self.words.talk.going_too);
            }
            self.say("invite", &self.words.talk.invite);
        }
        true
    }

    fn tell(&mut self, i: usize) {
        let topic = &self.task.topics[i];
        let recalled = &topic.recalled;
        let own = names(&recalled.text, &self.task.who.name);
        let statement = self.mine(&news::statement(&recalled.text));
        let embedded = speech::embedded(&statement);
        let talk = &self.words.talk;
        let line = match &recalled.told_by {
            Some(teller) => {
                let own = names(&statement, teller);
                let phrases = if own {
                    &talk.tell_firsthand
                } else {
                    &talk.tell_hearsay
                };
                let news = if own { capitalised(&statement) } else { embedded };
                self.phrase(
                    "tell",
                    phrases,
                    &[("teller", first_name(teller)), ("news", &news)],
                )
            }
            None if self.parts.is_empty() && !self.task.lines.is_empty() => {
                // An answer needs no lead.
                Some(closed(&capitalised(&statement))).filter(|line| !self.was_said(line))
            }
            None if own => self.phrase("tell", &talk.tell_own, &[("news", &embedded)]),
            None => {
                let news = capitalised(&statement);
                self.phrase("tell", &talk.tell_other, &[("news", &news)])
            }
        };
        if let Some(line) = line {
            self.parts.push(line);
            if !topic.shared {
                self.tells.push(i);
            }
        }
    }

    // -- questions ---------------------------------------------------------------------------

    /// Asks one question, if the speaker has asked none or few in this talk.
    fn ask(&mut self) -> bool {
        let asked = self.own_lines().filter(|l| l.text.contains(['?', '？'])).count();
        if asked >= 2 || self.parts.iter().any(|p| p.ends_with('?')) {
            return false;
        }
        let talk = &self.words.talk;
        if self.feeling.liking < 0 {
            return false;
        }
        let mut options: Vec<String> = Vec::new();
        if let Some(what) = news::curiosity(
            sentences(&self.task.who.current)
                .into_iter()
                .chain(self.texts.iter().copied()),
        )
        .filter(|what| self.is_open(what))
        {
            options.extend(self.phrase("curious", &talk.ask_curious, &[("what", &what)]));
        }
        if let Some(it) = self.listener_concern() {
            options.extend(self.phrase("concern", &talk.ask_concern, &[("it", &it)]));
        }
        if self.task.lines.len() < 2 {
            options.extend(self.phrase("how", &talk.how_are_you, &[]));
        }
        let evening = self.task.now.minute_of_day() >= 17 * 60;
        let plans = if evening {
            &talk.ask_plans_evening
        } else {
            &talk.ask_plans
        };
        options.extend(self.phrase("plans", plans, &[]));
        if self.is_unmet() || self.texts.iter().all(|t| !names(t, self.task.listener)) {
            options.extend(self.phrase("busy", &talk.ask_busy, &[]));
        }
        // The other one's own question, given back, when it fits.
        if let Some(last) = self.task.lines.last()
            && matches!(
                Heard::of(&last.text).asks,
                Asks::HowAreYou | Asks::Plans | Asks::Concern
            )
            && self.happens("give back", 0.6)
            && let Some(back) = self.phrase("and you", &talk.and_you, &[])
        {
            self.parts.push(back);
            return true;
        }
        let theme_asked = |text: &String| {
            let asks = Heard::of(text).asks;
            asks != Asks::Something && self.task.lines.iter().any(|l| Heard::of(&l.text).asks == asks)
        };
        options.retain(|o| !theme_asked(o));
        let first = usize::from(options.len() > 1 && self.happens("other question", 0.45));
        match options.get(first).or(options.first()) {
            Some(question) => {
                self.parts.push(question.clone());
                true
            }
            None => false,
        }
    }

    /// Whether nothing said or known so far answers a question such as "who will run for mayor".
    fn is_open(&self, what: &str) -> bool {
        let asked = content_words(what, &[]);
        let answered = |text: &str| {
            let words = content_words(text, &[]);
            let lower = text.to_lowercase();
            asked.iter().filter(|w| words.contains(w)).count() >= 2
                && !holds(&lower, &self.words.news.curious)
        };
        let mut told = self.task.lines.iter().map(|l| &*l.text);
        let mut known = self.task.topics.iter().filter(|t| t.recalled.told_by.is_some());
        !told.any(answered) && !known.any(|t| answered(&t.recalled.text))
    }

    /// What the listener is known to be at, as something to ask about: "your research paper".
    fn listener_concern(&self) -> Option<String> {
        self.task.topics.iter().find_map(|topic| {
            let text = &topic.recalled.text;
            let lower = text.to_lowercase();
            if !text.starts_with(&**self.task.listener)
                || news::is_private(self.task.who, self.task.listener, text, &lower)
            {
                return None;
            }
            let sentence = sentences(text).first().copied()?.to_owned();
            let at = self
                .words
                .cues
                .undertakings
                .iter()
                .filter_map(|verb| sentence.find(verb.as_str()).map(|at| at + verb.len()))
                .min()?;
            let rest = unclosed(&sentence[at..]);
            let end = [" that ", " which ", " and ", ", "]
                .iter()
                .filter_map(|stop| rest.find(stop))
                .min()
                .unwrap_or(rest.len());
            let thing = rest[..end].trim();
            let recast = self.mine(&format!("{} has {thing}", self.task.listener));
            let thing = recast.split_once(" have ").map_or(thing, |(_, thing)| thing);
            let thing = ["a ", "an ", "his ", "her ", "their "]
                .iter()
                .find_map(|article| thing.strip_prefix(article))
                .map_or_else(|| thing.to_owned(), |thing| format!("your {thing}"));
            (!thing.is_empty() && thing.split_whitespace().count() < 9).then_some(thing)
        })
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
        if begins_with_ing(doing) && doing.split_whitespace().count() < 10 && !is_getting_ready(doing) {
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
            self.mine(&format!("{} is {doing}", self.task.who.name))
                .split_once(" am ")
                .map_or_else(String::new, |(_, doing)| doing.to_owned())
        } else {
            String::new()
        }
    }
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
fn spoken_clock(minute: Minute) -> String {
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
