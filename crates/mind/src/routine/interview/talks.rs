//! Who told what, and who was talked with.

use townsfolk_memory::MemoryKind;
use townsfolk_time::clock;

use super::super::insights::full_names;
use super::super::phrases::fill;
use super::super::talk::content_words;
use super::question::{Person, Telling, Wanted};
use super::statements::Statement;
use super::{Answered, Asked, MEMORIES, needed};
use crate::tasks::Recalled;

impl Asked<'_> {
    /// What was told by whom, where the question asks just that.
    pub(super) fn told(&self) -> Option<Answered> {
        let question = &self.question;
        let known = match &question.person {
            Some(Person::Known(name)) => Some(name),
            _ => None,
        };
        match (question.telling?, known) {
            (Telling::ToMe, Some(name)) if question.is_told_by(name) => Some(self.told_by(name)),
            (Telling::ToMe, _) if question.asks_for_teller() => Some(self.tellers()),
            (Telling::ToMe, _) => None,
            (Telling::Mine, Some(name)) => self.told_to(name),
            (Telling::Mine, None) => None,
        }
    }

    /// What somebody told the resident, newest first.
    fn told_by(&self, name: &str) -> Answered {
        let cues = &self.words.interview;
        let from = self
            .statements
            .iter()
            .filter(|s| s.teller.is_some_and(|teller| teller == name));
        let found = self.on_matter(from, name);
        if found.is_empty() {
            return Answered::plain([fill(&cues.told_nothing, &[("name", name)])]);
        }
        let said = self.say(found, MEMORIES);
        match self.question.wanted {
            Wanted::YesNo => said.led_by(&cues.lead_yes),
            _ => said,
        }
    }

    /// What the resident told somebody; `None` where none of it came to mind.
    fn told_to(&self, name: &str) -> Option<Answered> {
        let template = &self.words.summary.told;
        let (begins, _) = template.split_once("{news}")?;
        let begins = begins
            .replace("{who}", &self.task.who.name)
            .replace("{whom}", name);
        let found = self.on_matter(
            self.statements.iter().filter(|s| s.text.starts_with(&begins)),
            name,
        );
        let said = self.say(found, MEMORIES);
        if said.is_empty() {
            return None;
        }
        Some(match self.question.wanted {
            Wanted::YesNo => said.led_by(&self.words.interview.lead_yes),
            _ => said,
        })
    }

    /// Who told the resident of a matter: the first who did, with what, then the others.
    fn tellers(&self) -> Answered {
        let cues = &self.words.interview;
        let from = self.statements.iter().filter(|s| s.teller.is_some());
        let mut found = self.on_matter(from, "");
        found.sort_by_key(|s| (s.memory.created, s.memory.id));
        let Some(first) = found.first().copied() else {
            return Answered::plain([cues.nobody_told.clone()]);
        };
        let mut others: Vec<&str> = found.iter().filter_map(|s| s.teller).collect();
        let mut seen = vec![first.teller.unwrap_or_default()];
        others.retain(|teller| {
            let new = !seen.contains(teller);
            seen.push(teller);
            new
        });
        let mut said = self.say([first], 1);
        if !others.is_empty() {
            said.parts
                .push(fill(&cues.so_did, &[("people", &self.listed(&others))]));
            let more = found
                .iter()
                .filter(|s| s.teller.is_some_and(|t| others.contains(&t)));
            let more = more.filter_map(|s| s.at).filter(|at| !said.used.contains(at));
            let more: Vec<usize> = more.collect();
            said.used.extend(more);
            said.used.dedup();
        }
        said
    }

    /// Of statements those on what the question names besides `name`, newest first.
    fn on_matter<'s>(
        &self,
        from: impl Iterator<Item = &'s Statement<'s>>,
        name: &str,
    ) -> Vec<&'s Statement<'s>> {
        let cues = &self.words.interview;
        let besides = content_words(name, &[]);
        let mut words = self.question.words.clone();
        words.retain(|w| !besides.contains(w) && *w != cues.told && !cues.pronouns.contains(w));
        let shared = |s: &Statement<'_>| words.iter().filter(|w| s.words.contains(w)).count();
        let enough = if words.is_empty() { 0 } else { needed(words.len()) };
        let mut found: Vec<&Statement<'_>> = from.filter(|s| shared(s) >= enough).collect();
        let best = found.iter().map(|s| shared(s)).max().unwrap_or(0);
        found.retain(|s| shared(s) == best);
        found.sort_by_key(|s| std::cmp::Reverse((s.memory.created, s.memory.id)));
        found
    }

    /// With whom and when the resident talked, where the question asks just that.
    pub(super) fn talked(&self) -> Option<Answered> {
        let cues = &self.words.interview;
        let question = &self.question;
        if !question.has(&cues.talking_with) || question.has(&cues.talked_about) {
            return None;
        }
        let who = &*self.task.who.name;
        let mut talks: Vec<(usize, &Recalled, Vec<String>)> = Vec::new();
        for (at, memory) in self.task.recalled.iter().enumerate() {
            let created = memory.created;
            let in_time = match &question.period {
                Some(period) => period.holds(created),
                None => question.day.is_none_or(|day| created.date() == day),
            };
            if memory.kind == MemoryKind::Conversation && in_time {
                let head = memory.text.split(':').next().unwrap_or_default();
                let mut others = full_names(head);
                others.retain(|name| name != who);
                talks.push((at, memory, others));
            }
        }
        talks.sort_by_key(|(_, memory, _)| (memory.created, memory.id));
        if let Some(Person::Known(name)) = &question.person {
            let (at, memory, _) = match talks.iter().rfind(|(.., others)| others.contains(name)) {
                Some(last) => last,
                None => return Some(Answered::plain([fill(&cues.no_talk, &[("people", name)])])),
            };
            let date = crate::Phrases::of("en").date(memory.created.date());
            let time = clock(memory.created.minute_of_day());
            let said = Answered {
                parts: vec![fill(
                    &cues.talked_at,
                    &[("people", name), ("date", &date), ("time", &time)],
                )],
                used: vec![*at],
            };
            return match question.wanted {
                Wanted::YesNo => Some(said.led_by(&cues.lead_yes)),
                Wanted::Time => Some(said),
                _ => None,
            };
        }
        if !matches!(question.wanted, Wanted::Person | Wanted::YesNo) {
            return None;
        }
        let mut people: Vec<&str> = Vec::new();
        for name in talks.iter().flat_map(|(.., others)| others) {
            if !people.contains(&name.as_str()) {
                people.push(name);
            }
        }
        if people.is_empty() {
            return Some(Answered::plain([fill(
                &cues.no_talk,
                &[("people", &cues.anybody)],
            )]));
        }
        let said = Answered {
            parts: vec![fill(&cues.talked_with, &[("people", &self.listed(&people))])],
            used: talks.iter().map(|(at, ..)| *at).collect(),
        };
        Some(match question.wanted {
            Wanted::YesNo => said.led_by(&cues.lead_yes),
            _ => said,
        })
    }

    /// Names, one after the other.
    fn listed(&self, people: &[&str]) -> String {
        match people {
            [others @ .., last] if !others.is_empty() => fill(
                &self.words.interview.several,
                &[("others", &others.join(", ")), ("last", last)],
            ),
            _ => people.concat(),
        }
    }
}
