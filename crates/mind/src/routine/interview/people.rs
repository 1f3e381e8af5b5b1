//! Who others are, and who shares the resident's home.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use townsfolk_memory::MemoryKind;

use super::super::attitudes;
use super::super::insights::people_in;
use super::super::phrases::{fill, holds};
use super::super::prose::{lower_words, names};
use super::super::talk::content_words;
use super::super::when;
use super::question::{is_kin, is_tie};
use super::statements::Statement;
use super::{Answered, Asked, MEMORIES};

impl Asked<'_> {
    /// That nobody of that name is known.
    pub(super) fn unknown(&self, name: &str) -> Answered {
        let phrases = &self.words.interview.unknown_person;
        Answered::plain([self.one_of("unknown person", phrases, &[("name", name)])])
    }

    /// What is known of somebody, or of somebody and what else the question names.
    pub(super) fn about_person(&self, name: &str) -> Answered {
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
            // What was so from the start says who they are to one.
            let standing = s.memory.known && names(&s.text, &self.task.who.name);
            let bond = lower_words(&s.text).iter().any(|w| is_tie(w));
            let talk = s.memory.kind == MemoryKind::Conversation;
            (!standing, !bond, s.is_sight(), talk, s.memory.importance < 3, *i)
        });
        let said = self.say(found.into_iter().map(|(_, s)| s), MEMORIES);
        match (said.is_empty(), asks_who) {
            // Named in what came to mind, if in nothing that could be said.
            (true, _) => Answered::plain([fill(&cues.barely_known, &[("name", name)])]),
            (false, true) => said,
            (false, false) => said.led_by(&fill(&cues.only_know, &[("name", name)])),
        }
    }

    /// With whom the resident would spend time: whoever it likes, else has talked with most.
    pub(super) fn company(&self) -> Option<Answered> {
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

    /// Whom the resident lives with, as far as its texts and memories say.
    pub(super) fn household(&self) -> Answered {
        let attitude = &self.words.attitude;
        let cues = &self.words.interview;
        let shares = |text: &str| {
            let lower = text.to_lowercase();
            holds(&lower, &attitude.household) || holds(&lower, &cues.lives_with)
        };
        let kin = |text: &str| lower_words(text).iter().any(|w| is_kin(w));
        let mine = || self.statements.iter().filter(|s| self.is_of_me(s));
        let mut found: Vec<&Statement<'_>> = mine().filter(|s| shares(&s.text)).collect();
        if found.is_empty() {
            found = mine().filter(|s| kin(&s.text)).collect();
        }
        let said = self.say(found, MEMORIES);
        if said.is_empty() {
            return Answered::plain([cues.nobody_shares.clone()]);
        }
        said
    }

    /// Whether the resident is married: as its own texts or what it knows name a spouse.
    pub(super) fn married(&self) -> Option<Answered> {
        let cues = &self.words.interview;
        let names_spouse = |s: &&Statement<'_>| holds(&s.text.to_lowercase(), &cues.spouses);
        let mut mine = self
            .statements
            .iter()
            .filter(|s| self.is_of_me(s) && !s.is_sight());
        let said = self.say([mine.find(names_spouse)?], 1);
        Some(said.led_by(&cues.lead_yes))
    }

    /// Whether the resident knows a statement at first hand, and it is about itself.
    pub(super) fn is_of_me(&self, s: &Statement<'_>) -> bool {
        let of_me = s.at.is_none() || names(&s.text, &self.task.who.name);
        s.teller.is_none() && s.memory.kind != MemoryKind::Conversation && of_me
    }
}
