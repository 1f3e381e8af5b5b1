//! What was lived through, what is planned, and how days go.

use townsfolk_memory::MemoryKind;
use townsfolk_time::{Date, Minute};

use super::super::phrases::{fill, holds};
use super::super::prose::{capitalised, names, sentences, unclosed};
use super::super::text::Words;
use super::super::when;
use super::statements::Statement;
use super::{Answered, Asked, MEMORIES};
use crate::Entry;
use crate::period::Period;

/// How many of one's own doings make up what was lived through.
const DOINGS: usize = 4;
/// How many talks and other things that happened do.
const EVENTS: usize = 3;
/// After this long somebody who was on the way has arrived.
const WAY_SECONDS: i64 = 900;
/// From this importance on what was seen of others belongs to what happened.
const STRIKING: u8 = 5;

impl Asked<'_> {
    /// What was lived through in the time asked, oldest first; else what was planned for it.
    pub(super) fn lived(&self) -> Answered {
        let cues = &self.words.interview;
        let today = Period::today(self.task.now);
        let period = self.question.period.as_ref().unwrap_or(&today);
        let who = &*self.task.who.name;
        if period.is_moment()
            && let Some(doing) = doing_at(&self.statements, period, who)
        {
            let mut said = self.say([doing], 1);
            // Nobody is long on the way within a town.
            let way = doing.text.split_once(&*cues.on_the_way);
            if let Some((_, place)) = way.filter(|_| period.until - doing.memory.created > WAY_SECONDS) {
                said.parts = vec![fill(&cues.was_at, &[("place", place)])];
            }
            return said;
        }
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

    /// How the resident's days go, as its own texts say.
    pub(super) fn usual(&self) -> Answered {
        let who = self.task.who;
        let own = [&who.daily_requirement, &who.lifestyle]
            .into_iter()
            .flat_map(|t| sentences(t))
            .map(|s| capitalised(&self.my_own(s)));
        Answered::plain(own)
    }

    /// What the resident means to do, at the time asked if one is: from its plan for that day, from what
    /// was agreed, then from how its days go.
    pub(super) fn plans(&self) -> Answered {
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
            None => super::super::invitations::sleeps_at(who, minute),
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
    pub(super) fn planned(&self, date: Date, minute: Option<Minute>) -> Option<(Option<usize>, String)> {
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
            .filter(|(_, _, at, _)| self.statements.iter().all(|s| s.at != Some(*at)))
            .max()?;
        let items = match minute {
            Some(minute) => item_at(items, minute)?,
            None => unclosed(items),
        };
        Some((Some(at), self.mine(&items)))
    }
}

/// What `who` was doing when a stretch of time ended: what was begun last before, on that day.
pub(super) fn doing_at<'s, 'a>(
    statements: &'s [Statement<'a>],
    period: &Period,
    who: &str,
) -> Option<&'s Statement<'a>> {
    let before = statements.iter().filter(|s| {
        let begun = s.memory.created;
        s.is_sight()
            && &*s.memory.subject == who
            && begun < period.until
            && begun.date() == period.from.date()
    });
    before.max_by_key(|s| (s.memory.created, s.memory.id))
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
