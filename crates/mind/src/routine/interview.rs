//! Answers to questions from outside, out of identity and what came to mind; "I don't know" else.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use townsfolk_memory::MemoryKind;
use townsfolk_time::{Date, GameTime, Minute, clock};

use self::question::{Person, Question, Wanted};
use self::statements::{Statement, statements};
use super::attitudes;
use super::insights::people_in;
use super::news;
use super::phrases::{Phrases, choose, fill, holds};
use super::prose::{capitalised, closed, first_name, lower_words, names, sentences, unclosed};
use super::rules::Rules;
use super::speech;
use super::talk::content_words;
use super::text::Words;
use super::when;
use super::words::lexicon;
use crate::Entry;
use crate::period::Period;
use crate::tasks::{Interview, InterviewAnswer};

mod question;
mod statements;

pub(crate) use self::question::Keys;

/// How many memories an answer uses at most.
const MEMORIES: usize = 3;
/// The same where a question asks who does something.
const PEOPLE: usize = 6;
/// How much of a statement's words others must have said for it to say nothing new, in tenths.
const SAID_ALREADY: usize = 8;
/// How many of one's own doings make up what was lived through.
const DOINGS: usize = 4;
/// How many talks and other things that happened do.
const EVENTS: usize = 3;
/// From this importance on what was seen of others belongs to what happened.
const STRIKING: u8 = 5;

/// The answer to a question.
pub(crate) fn answer(task: &Interview<'_>, rules: &Rules<'_>) -> InterviewAnswer {
    let question = Question::new(task);
    let mut statements = statements(task);
    if let Some(period) = &question.period {
        statements.retain(|s| period.has(s.memory));
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
        return InterviewAnswer {
            answer: asked.one_of("nothing", &asked.words.interview.nothing, &[]),
            used: Vec::new(),
        };
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
            && !recalled.any(|memory| period.has(memory))
        {
            return Answered::plain([cues.not_then.clone()]);
        }
        if let Some(Person::Known(name)) = &question.person {
            return self.about_person(name);
        }
        let declined = self.statements.iter().find(|s| s.declines(question, &who.name));
        if let Some(declined) = declined.filter(|_| question.past && question.wanted == Wanted::YesNo) {
            return self.say([declined], 1).led_by(&cues.lead_no);
        }
        if question.has(&cues.most_met)
            && let Some(most_met) = self.statements.iter().find(|s| s.says_most_met(&who.name))
        {
            return self.say([most_met], 1);
        }
        if question.past && question.lived {
            return self.lived();
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
        self.by_statements()
    }

    /// The first sentences of one of the resident's own texts, in its mouth.
    fn identity(&self, text: &str, count: usize) -> Vec<String> {
        // What leans on a sentence that is gone says too little: "She is telling everyone about it."
        let leaning = &self.words.news.leaning;
        let leans = |s: &&str| lower_words(s).first().is_some_and(|word| leaning.contains(word));
        let over = lexicon().phrases.over_end();
        let own = sentences(text).into_iter().skip_while(leans);
        let own = own.filter(|s| !s.ends_with(over)).take(count);
        own.map(|s| capitalised(&self.my_own(s))).collect()
    }

    /// What is so at this moment, where the question asks just that and it is known.
    fn at_present(&self) -> Option<Answered> {
        let cues = &self.words.interview;
        let present = &self.task.present;
        let question = &self.question;
        let at = |place: &[&str]| match place {
            [] => None,
            [place] => Some(fill(&cues.at_place, &[("place", place)])),
            [place, room, ..] => {
                let proper = room.starts_with(char::is_uppercase);
                let room = if proper {
                    (*room).to_owned()
                } else {
                    format!("the {room}")
                };
                Some(fill(&cues.at_room, &[("place", place), ("room", &room)]))
            }
        };
        let said = if question.is_of_now(&cues.what_clock) {
            let now = self.task.now;
            let date = crate::Phrases::of("en").date(now.date());
            let time = clock(now.minute_of_day());
            fill(&cues.it_is, &[("date", &date), ("time", &time)])
        } else if question.is_of_now(&cues.where_now) {
            at(&present.place)?
        } else if question.is_of_now(&cues.where_home) {
            fill(&cues.i_live, &[("place", present.home.first()?)])
        } else if question.is_of_now(&cues.doing_now) {
            let doing = self.own_activity(present.doing?);
            fill(&cues.i_am, &[("doing", &doing)])
        } else {
            return None;
        };
        Some(Answered::plain([said]))
    }

    /// That nobody of that name is known.
    fn unknown(&self, name: &str) -> Answered {
        let phrases = &self.words.interview.unknown_person;
        Answered::plain([self.one_of("unknown person", phrases, &[("name", name)])])
    }

    /// What is known of somebody, or of somebody and what else the question names.
    fn about_person(&self, name: &str) -> Answered {
        let cues = &self.words.interview;
        if self.question.has(&cues.talked_about) {
            let talks = self.statements.iter().filter(|s| {
                let head = s.memory.text.split(':').next().unwrap_or_default();
                s.memory.kind == MemoryKind::Conversation && names(head, name)
            });
            let last = talks.clone().map(|s| s.memory.created).max();
            let of_last = talks.filter(|s| Some(s.memory.created) == last);
            return self.say(of_last, MEMORIES);
        }
        let about: Vec<&Statement<'_>> = self.statements.iter().filter(|s| names(&s.text, name)).collect();
        let mut asked = self.question.words.clone();
        let own_words = content_words(name, &[]);
        asked.retain(|w| !own_words.contains(w));
        let asks_who = self.question.has(&cues.know_who) || asked.is_empty();
        if !asks_who {
            let found = self.best(about.iter().copied(), &asked);
            if !found.is_empty() {
                return self.lead(found, MEMORIES);
            }
        }
        // What ties us first, then what is important, then the rest, each in the order recalled.
        let talking = |s: &&Statement<'_>| {
            let words = lower_words(&s.text);
            s.is_sight() && words.iter().any(|w| self.words.activity.talking.contains(w))
        };
        // What they were about to do at some hour of a day that is over does not say who they are.
        let stale = |s: &&Statement<'_>| {
            let said = s.memory.kind == MemoryKind::Conversation;
            said && s.memory.created.date() < self.task.now.date() && !when::clock_times(&s.text).is_empty()
        };
        let told: Vec<&Statement<'_>> = about.into_iter().filter(|s| !talking(s) && !stale(s)).collect();
        let mut found: Vec<(usize, &Statement<'_>)> = told.into_iter().enumerate().collect();
        found.sort_by_key(|(i, s)| {
            let bond = lower_words(&s.text)
                .iter()
                .any(|w| self.words.attitude.bond.contains(w));
            let talk = s.memory.kind == MemoryKind::Conversation;
            (!bond, s.is_sight(), talk, s.memory.importance < 3, *i)
        });
        let mut said = self.say(found.into_iter().map(|(_, s)| s), MEMORIES);
        let says = |text| sentences(text).into_iter().find(|s| names(s, name));
        let current = says(&self.task.who.current).filter(|_| said.is_empty());
        if let Some(own) = says(&self.task.who.background).or(current) {
            said = said.led_by(&closed(&capitalised(&self.my_own(&unclosed(own)))));
        }
        match (said.is_empty(), asks_who) {
            // Named in what came to mind, if in nothing that could be said.
            (true, _) => Answered::plain([fill(&cues.barely_known, &[("name", name)])]),
            (false, true) => said,
            (false, false) => said.led_by(&fill(&cues.only_know, &[("name", name)])),
        }
    }

    /// What the resident would do if something happened: by the rules it lives by, else it can't tell.
    fn supposing(&self) -> Answered {
        let cues = &self.words.interview;
        let alarm = &self.words.alarm;
        let does = if self.question.has(&alarm.fire) {
            &cues.would_put_out
        } else if self.question.has(&alarm.water) {
            &cues.would_stop
        } else if self.question.has(&cues.taken) {
            &cues.would_wait
        } else if self.question.has(&alarm.damage) || self.question.has(&alarm.unusable) {
            &cues.would_see_to
        } else {
            &cues.cannot_tell
        };
        Answered::plain([does.clone()])
    }

    /// With whom the resident would spend time: whoever it likes, else has talked with most.
    fn company(&self) -> Option<Answered> {
        let who = self.task.who;
        let recalled = self.task.recalled.iter();
        let people: BTreeSet<String> = recalled.flat_map(|memory| people_in(memory, &who.name)).collect();
        let texts = || self.task.recalled.iter().map(|memory| &*memory.text);
        let talks = |name: &str| {
            let with =
                |s: &&Statement<'_>| s.memory.kind == MemoryKind::Conversation && names(&s.memory.text, name);
            self.statements.iter().filter(with).count()
        };
        let rank = |name: &String| (attitudes::feeling(who, name, texts()).liking, talks(name));
        let chosen = people
            .into_iter()
            .filter(|name| rank(name) > (0, 0))
            .max_by_key(|name| (rank(name), Reverse(name.clone())))?;
        let lead = fill(&self.words.interview.would_choose, &[("person", &chosen)]);
        let about = self
            .statements
            .iter()
            .filter(|s| names(&s.text, &chosen) && !s.is_sight());
        Some(self.say(about, 1).led_by(&lead))
    }

    /// What was lived through in the time asked, oldest first; else what was planned for it.
    fn lived(&self) -> Answered {
        let cues = &self.words.interview;
        let today = Period::today(self.task.now);
        let period = self.question.period.as_ref().unwrap_or(&today);
        let who = &*self.task.who.name;
        let mut own: Vec<&Statement<'_>> = Vec::new();
        let mut others: Vec<&Statement<'_>> = Vec::new();
        let happened = |s: &&Statement<'_>| !s.memory.known && period.holds(s.memory.created);
        // What is heard of others' plans is news on the day; of days that are over, and of oneself, it is nothing lived.
        let over = period.from.date() < self.task.now.date();
        let meant =
            |s: &Statement<'_>| (over || names(&s.text, who)) && holds(&s.text.to_lowercase(), &cues.to_come);
        for s in self.statements.iter().filter(happened) {
            let memory = s.memory;
            match memory.kind {
                MemoryKind::Observation if s.teller.is_none() && &*memory.subject == who => own.push(s),
                MemoryKind::Observation if s.teller.is_none() && memory.importance >= STRIKING => {
                    others.push(s)
                }
                // Of each talk one thing.
                MemoryKind::Conversation if others.iter().all(|other| other.at != s.at) && !meant(s) => {
                    others.push(s)
                }
                _ => {}
            }
        }
        others.truncate(EVENTS);
        own.sort_by_key(|s| (s.memory.created, s.memory.id));
        own.dedup_by(|next, before| next.text == before.text);
        let mut lived: Vec<&Statement<'_>> = spread(&own, DOINGS).into_iter().chain(others).collect();
        lived.sort_by_key(|s| (s.memory.created, s.memory.id));
        if !lived.is_empty() {
            return self.say(lived, DOINGS + EVENTS);
        }
        let nothing = cues.not_then.clone();
        match self.planned(period.from.date(), self.question.minute) {
            Some((at, items)) => Answered {
                parts: vec![nothing, fill(&cues.had_planned, &[("plan", &items)])],
                used: at.into_iter().collect(),
            },
            None => Answered::plain([nothing]),
        }
    }

    /// Whom the resident lives with, as far as its texts and memories say.
    fn household(&self) -> Answered {
        let attitude = &self.words.attitude;
        let cues = &self.words.interview;
        let shares = |text: &str| {
            let lower = text.to_lowercase();
            holds(&lower, &attitude.household) || holds(&lower, &cues.lives_with)
        };
        let who = self.task.who;
        let own = sentences(&who.current)
            .into_iter()
            .chain(sentences(&who.background))
            .find(|s| shares(s));
        let mine = |s: &&Statement<'_>| {
            s.teller.is_none() && s.memory.kind != MemoryKind::Conversation && names(&s.text, &who.name)
        };
        let kin = |text: &str| lower_words(text).iter().any(|w| attitude.kin.contains(w));
        let mut found: Vec<&Statement<'_>> = self
            .statements
            .iter()
            .filter(mine)
            .filter(|s| shares(&s.text))
            .collect();
        if found.is_empty() && own.is_none() {
            found = self
                .statements
                .iter()
                .filter(mine)
                .filter(|s| kin(&s.text))
                .collect();
        }
        let mut said = self.say(found, MEMORIES);
        if let Some(own) = own {
            said = said.led_by(&closed(&capitalised(&self.my_own(&unclosed(own)))));
        }
        if said.is_empty() {
            return Answered::plain([cues.nobody_shares.clone()]);
        }
        said
    }

    /// How the resident's days go, as its own texts say.
    fn usual(&self) -> Answered {
        let who = self.task.who;
        let own = [&who.daily_requirement, &who.lifestyle]
            .into_iter()
            .flat_map(|t| sentences(t))
            .map(|s| capitalised(&self.my_own(s)));
        Answered::plain(own)
    }

    /// What the resident means to do, at the time asked if one is: from its plan for that day, from what
    /// was agreed, then from how its days go.
    fn plans(&self) -> Answered {
        let cues = &self.words.interview;
        let who = self.task.who;
        let today = self.task.now.date();
        let date = self.question.day.unwrap_or(today);
        let minute = self.question.minute;
        if let Some((at, items)) = self.planned(date, minute) {
            return Answered {
                parts: vec![fill(&cues.my_plan, &[("plan", &items)])],
                used: at.into_iter().collect(),
            };
        }
        let plan = self.task.present.plan.filter(|_| date == today);
        let sleeps = |minute| match plan {
            Some(plan) => plan.at(minute).asleep,
            None => super::invitations::sleeps_at(who, minute),
        };
        if minute.is_some_and(sleeps) {
            return Answered::plain([cues.asleep.clone()]);
        }
        let agreed = self.statements.iter().filter(|s| {
            let days = when::days_in(&Words::new(&s.text), s.memory.created);
            s.memory.kind == MemoryKind::Plan && days.iter().any(|day| day.date == date)
        });
        let agreed = self.say(agreed, MEMORIES);
        let usual = self.usual();
        let mut said = match (agreed.is_empty(), usual.is_empty()) {
            (false, _) => agreed,
            (true, false) => usual,
            (true, true) => return Answered::plain([cues.no_plan.clone()]),
        };
        if date > today {
            said = said.led_by(&cues.not_yet_planned);
        }
        said
    }

    /// What the plan of a day has, at `minute` if one is asked for, and its memory: today's as it stands
    /// where that is known, else the newest remembered.
    fn planned(&self, date: Date, minute: Option<Minute>) -> Option<(Option<usize>, String)> {
        let today = date == self.task.now.date();
        if let Some(plan) = self.task.present.plan.filter(|_| today) {
            let mut kept: Vec<&Entry> = match minute {
                Some(minute) => vec![plan.at(minute)],
                None => plan.entries().iter().collect(),
            };
            kept.retain(|entry| !entry.asleep);
            kept.dedup_by(|next, before| next.activity == before.activity);
            let phrases = crate::Phrases::of("en");
            let items = kept
                .iter()
                .map(|e| phrases.stroke(&self.own_activity(&e.activity), e.start));
            let items = items.collect::<Vec<_>>().join(", ");
            return (!items.is_empty()).then_some((None, items));
        }
        let timed = |items: &str| {
            let times = items
                .split([',', ';'])
                .filter(|item| !when::clock_times(item).is_empty());
            times.count()
        };
        let plans = self.task.recalled.iter().enumerate().filter_map(|(at, memory)| {
            let items = memory
                .text
                .split_once(": ")
                .map_or(&*memory.text, |(_, items)| items);
            let of_day = memory.kind == MemoryKind::Plan && memory.created.date() == date;
            (of_day && timed(items) > 1 && memory.text.contains(": ")).then_some((
                memory.created,
                memory.id,
                at,
                items,
            ))
        });
        // What was agreed for a day is no plan of it: its statements have been told apart.
        let (.., at, items) = plans
            .filter(|(_, _, at, _)| self.statements.iter().all(|s| s.at != *at))
            .max()?;
        let items = match minute {
            Some(minute) => item_at(items, minute)?,
            None => unclosed(items),
        };
        Some((Some(at), self.mine(&items)))
    }

    /// What the resident cares about, in its own texts.
    fn interests(&self) -> Answered {
        let who = self.task.who;
        let liking = &self.words.interview.caring;
        let all = sentences(&who.background)
            .into_iter()
            .chain(sentences(&who.current));
        let own: Vec<&str> = all.filter(|s| holds(&s.to_lowercase(), liking)).take(2).collect();
        if own.is_empty() {
            return Answered::plain(self.identity(&who.background, 2));
        }
        Answered::plain(own.into_iter().map(|s| capitalised(&self.my_own(s))))
    }

    /// What occupies the resident, and what it has concluded about itself.
    fn thoughts(&self) -> Answered {
        let who = self.task.who;
        let own = self.statements.iter().filter(|s| {
            let own = s.text.starts_with(&*who.name) || s.text.starts_with(&*who.first_name);
            s.memory.kind == MemoryKind::Reflection && s.teller.is_none() && own
        });
        let mut said = self.say(own, MEMORIES - 1);
        if let Some(current) = self.identity(&who.current, 1).first() {
            said = said.led_by(&closed(&unclosed(current)));
        }
        said
    }

    /// What shares most words with the question, and has what it asks for.
    fn by_statements(&self) -> Answered {
        let cues = &self.words.interview;
        let who = self.task.who;
        let question = &self.question;
        let found = self.best(self.statements.iter(), &question.words);
        if !found.is_empty() {
            return self.lead(
                found,
                if question.wanted == Wanted::Person {
                    PEOPLE
                } else {
                    MEMORIES
                },
            );
        }
        let needed = needed(question.words.len());
        let own = attitudes::own_statements(who).find(|s| {
            let found = content_words(s, &[]);
            !question.words.is_empty()
                && question.words.iter().filter(|w| found.contains(w)).count() >= needed
        });
        match own {
            Some(own) => Answered::plain([capitalised(&self.my_own(&unclosed(own)))]),
            None => Answered::plain([self.one_of("nothing", &cues.nothing, &[])]),
        }
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
            (s.memory.kind == MemoryKind::Conversation, of_others)
        });
        scored.into_iter().map(|(_, s)| s).collect()
    }

    /// Whether the question names a thing: how a wardrobe looks says nothing of a clinic, nor who runs.
    fn asks_of_thing(&self, thing: &str) -> bool {
        let named = content_words(thing, &[]);
        self.question.wanted != Wanted::Person && named.iter().any(|word| self.question.words.contains(word))
    }

    /// Whether the resident is married: as its own texts or what it knows name a spouse.
    fn married(&self) -> Option<Answered> {
        let cues = &self.words.interview;
        let who = self.task.who;
        let names_spouse = |text: &str| holds(&text.to_lowercase(), &cues.spouses);
        let own = sentences(&who.background)
            .into_iter()
            .chain(sentences(&who.current))
            .chain(sentences(&who.lifestyle))
            .chain(sentences(&who.daily_requirement));
        let mine = |s: &&Statement<'_>| {
            s.teller.is_none()
                && s.memory.kind != MemoryKind::Conversation
                && !s.is_sight()
                && names_spouse(&s.text)
                && (names(&s.text, &who.name) || s.text.contains(&format!("{}'s", who.first_name)))
        };
        let known = self.statements.iter().find(mine);
        let said = match known {
            Some(known) => self.say([known], 1),
            None => {
                let own = own.into_iter().find(|s| names_spouse(s))?;
                Answered::plain([capitalised(&self.my_own(&unclosed(own)))])
            }
        };
        Some(said.led_by(&cues.lead_yes))
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
            if !answered.used.contains(&statement.at) {
                answered.used.push(statement.at);
            }
        }
        answered
    }

    /// A statement in the resident's mouth, with its teller.
    fn in_words(&self, statement: &Statement<'_>) -> String {
        let mut mine = self.mine(&self.as_seen(statement));
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
    /// matter, dates, and that has ended.
    fn is_over(&self, statement: &Statement<'_>) -> bool {
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
    if words > 3 { 2 } else { 1 }
}

/// At most `most` of them, evenly spread, the first and the last among them.
fn spread<'s, T>(all: &[&'s T], most: usize) -> Vec<&'s T> {
    let count = all.len().min(most);
    let at = |i: usize| i * (all.len() - 1) / (count - 1).max(1);
    (0..count).map(|i| all[at(i)]).collect()
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
mod tests;
