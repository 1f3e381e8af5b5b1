//! News in a talk: what is passed on, how it is put, and what is said to it.

use std::cmp::Reverse;

use crate::tasks::{Appointment, Line, Occasion, Topic};

use super::super::notices::is_of_change;
use super::super::phrases::holds;
use super::super::prose::{capitalised, closed, first_name, names, unclosed};
use super::super::text::Words;
use super::super::{attitudes, invitations, news, speech, when};
use super::{
    COMING, INTERESTING, Lead, OWN_NEWS, PASSING_ON, Sharing, Turn, Untold, content_words, names_someone_of,
};

impl<'a> Turn<'a> {
    pub(super) fn answer_news(&mut self, last: &Line) {
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

    pub(super) fn say_opinion(&mut self, words: &str) {
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
    pub(super) fn opinion_on_person(&self, about: &str) -> Option<&'a str> {
        let who = &self.task.who.name;
        let attitude = &self.words.attitude;
        let own = |text: &str| text.starts_with(&**who) || text.starts_with(&*self.task.who.first_name);
        self.texts.iter().copied().find(|text| {
            own(text) && names_someone_of(text, about, who) && !names(text, self.task.listener) && {
                let lower = text.to_lowercase();
                (holds(&lower, &attitude.dislike) || holds(&lower, &attitude.liking))
                    && !holds(&lower, &self.words.news.private)
            }
        })
    }

    /// The topic worth passing on most, if any is left.
    pub(super) fn find_news(&self, sharing: Sharing) -> Option<usize> {
        let news = self.news.get_or_init(|| self.untold_news());
        let fits = |n: &&Untold| (sharing == Sharing::Any || n.eager) && !self.tells.contains(&n.topic);
        let best = news
            .iter()
            .filter(fits)
            .max_by_key(|n| (n.rank, Reverse(n.topic)));
        best.map(|n| n.topic)
    }

    /// All that may be passed on in this line. Looking is costly, so it happens once a line.
    pub(super) fn untold_news(&self) -> Vec<Untold> {
        let who = self.task.who;
        let candidates = self.task.topics.iter().enumerate().filter(|(_, topic)| {
            !topic.shared
                && news::is_news(who, self.task.listener, &topic.recalled, self.task.now)
                && self.is_untold(topic)
        });
        candidates
            .filter(|(_, topic)| !self.was_answered(topic) && !self.is_off(topic))
            .filter_map(|(i, topic)| {
                let text = &self.told(topic);
                let invites = self.may_invite(topic).is_some();
                let own = names(text, &who.name) || self.changes_own(text);
                let coming = news::is_coming(text, self.task.now);
                let odds = match (coming, own) {
                    (true, _) => COMING,
                    (false, true) => OWN_NEWS,
                    (false, false) => PASSING_ON,
                };
                // Not everybody passes on all they hear.
                let passes = invites || self.happens_in_talk(text, odds);
                passes.then(|| Untold {
                    topic: i,
                    eager: invites || own || coming,
                    rank: u32::from(topic.recalled.importance)
                        + 20 * u32::from(invites)
                        + 20 * u32::from(coming)
                        + 5 * u32::from(own),
                })
            })
            .collect()
    }

    /// Whether the topic is an occasion that the two have settled between them in an earlier talk.
    fn was_answered(&self, topic: &Topic) -> bool {
        !self.task.answered.is_empty()
            && when::occasion(&self.told(topic), self.task.now).is_some_and(|occasion| {
                let same = |o: &Occasion| o.date == occasion.date && invitations::same_kind(o, &occasion);
                self.task.answered.iter().any(same)
            })
    }

    /// Whether the topic is an occasion that does not take place.
    fn is_off(&self, topic: &Topic) -> bool {
        let off = self.task.called_off;
        !off.is_empty()
            && when::occasion(&self.told(topic), self.task.now)
                .is_some_and(|occasion| off.iter().any(|off| invitations::is_same(off, &occasion)))
    }

    /// Whether a text says that something is off or moved that the speaker was to attend.
    fn changes_own(&self, text: &str) -> bool {
        let appointments = self.task.appointments.iter().map(|a| &a.occasion);
        let mut own = appointments.chain(self.task.called_off);
        let words = Words::new(text);
        is_of_change(&words) && own.any(|occasion| words.find(&occasion.what.to_lowercase()).is_some())
    }

    /// The appointment that is the speaker's for an occasion, and stands where it was last moved to.
    fn appointment(&self, occasion: &Occasion) -> Option<&Appointment> {
        let mut appointments = self.task.appointments.iter();
        appointments.find(|a| invitations::is_same(&a.occasion, occasion))
    }

    pub(super) fn is_untold(&self, topic: &Topic) -> bool {
        let id = topic.recalled.id;
        let told_as = self.told(topic);
        let said = |line: &Line| {
            line.tells
                .iter()
                .any(|(told, text)| *text == told_as || line.speaker == self.task.who.name && *told == id)
        };
        !self.task.lines.iter().any(said)
            && !self.was_said(&self.mine(&news::statement(&told_as)))
            && !self.repeats_what_was_told(topic)
    }

    /// Whether the topic says much the same as something told in this talk, or tells of the same
    /// occasion as something told or shared.
    pub(super) fn repeats_what_was_told(&self, topic: &Topic) -> bool {
        let text = self.told(topic);
        if self.was_told(&text) {
            return true;
        }
        let Some(occasion) = when::occasion(&text, self.task.now) else {
            return false;
        };
        let told = self
            .task
            .lines
            .iter()
            .flat_map(|l| &l.tells)
            .map(|(_, text)| text.clone());
        let shared = self.task.topics.iter().filter(|t| t.shared).map(|t| self.told(t));
        told.chain(shared)
            .filter(|text| occasion.what.split(' ').any(|word| text.contains(word)))
            .filter_map(|text| when::occasion(&text, self.task.now))
            .any(|o| o.date == occasion.date && invitations::same_kind(&o, &occasion))
    }

    /// Whether much the same was passed on in this talk.
    pub(super) fn was_told(&self, text: &str) -> bool {
        let mut told = self.task.lines.iter().flat_map(|l| &l.tells).peekable();
        if told.peek().is_none() {
            return false;
        }
        let words = content_words(&news::statement(text), &[]);
        told.any(|(_, told)| {
            let other = content_words(&news::statement(told), &[]);
            words.iter().filter(|w| other.contains(w)).count() * 2 > words.len().min(other.len())
        })
    }

    /// The coming occasion of a topic that the speaker hosts or goes to.
    pub(super) fn may_invite(&self, topic: &Topic) -> Option<(Occasion, bool)> {
        let text = &self.told(topic);
        let mut occasion = when::occasion(text, self.task.now)?;
        let appointment = self.appointment(&occasion);
        occasion.start = appointment.map_or(occasion.start, |a| a.occasion.start);
        let begins = townsfolk_time::GameTime::at(occasion.date, occasion.start);
        if begins <= self.task.now || self.is_off(topic) {
            return None;
        }
        let who = self.task.who;
        let hosts = match occasion.host.as_deref() {
            Some(host) => host == &*who.name || host == &*who.first_name,
            None => text.starts_with(&*who.name),
        };
        (hosts || appointment.is_some()).then_some((occasion, hosts))
    }

    /// Passes on one piece of news. False where there is none.
    pub(super) fn share(&mut self, sharing: Sharing) -> bool {
        let Some(i) = self.find_news(sharing) else {
            return false;
        };
        self.tell(i, Lead::News);
        let topic = &self.task.topics[i];
        if let Some((occasion, hosts)) = self.may_invite(topic)
            && self.task.lines_left > 1
        {
            // To when it was moved is told with it.
            let change = self.appointment(&occasion).and_then(|a| a.memory);
            let change = self.task.topics.iter().position(|topic| {
                Some(topic.recalled.id) == change && is_of_change(&Words::new(&topic.recalled.text))
            });
            if let Some(change) = change.filter(|change| *change != i) {
                self.tell(change, Lead::None);
            }
            if !hosts {
                self.say("going too", &self.words.talk.going_too);
            }
            self.say("invite", &self.words.talk.invite);
        }
        true
    }

    pub(super) fn tell(&mut self, i: usize, lead: Lead) {
        let topic = &self.task.topics[i];
        let recalled = &topic.recalled;
        let text = self.told(topic);
        let own = names(&text, &self.task.who.name);
        let statement = self.mine(&news::statement(&text));
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
            None if lead == Lead::None => {
                Some(closed(&capitalised(&statement))).filter(|line| !self.was_said(line))
            }
            None if own => self.phrase("tell", &talk.tell_own, &[("news", &embedded)]),
            None => self.phrase("tell", &talk.tell_other, &[("news", &embedded)]),
        };
        if let Some(line) = line {
            self.parts.push(line);
            if !topic.shared {
                self.tells.push(i);
            }
        }
    }
}
