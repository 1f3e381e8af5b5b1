//! What the resident says of itself: who it is, what is so at the moment, what occupies it.

use townsfolk_memory::MemoryKind;
use townsfolk_time::clock;

use super::super::phrases::{fill, holds};
use super::super::prose::{capitalised, closed, lower_words, sentences, unclosed};
use super::super::words::lexicon;
use super::statements::Statement;
use super::{Answered, Asked, MEMORIES};

impl Asked<'_> {
    /// The first sentences of one of the resident's own texts, in its mouth.
    pub(super) fn identity(&self, text: &str, count: usize) -> Vec<String> {
        // What leans on a sentence that is gone says too little: "She is telling everyone about it."
        let leaning = &self.words.news.leaning;
        let leans = |s: &&str| lower_words(s).first().is_some_and(|word| leaning.contains(word));
        let over = lexicon().phrases.over_end();
        let own = sentences(text).into_iter().skip_while(leans);
        let own = own.filter(|s| !s.ends_with(over)).take(count);
        own.map(|s| capitalised(&self.my_own(s))).collect()
    }

    /// What is so at this moment, where the question asks just that and it is known.
    pub(super) fn at_present(&self) -> Option<Answered> {
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

    /// What the resident would do if something happened: by the rules it lives by, else it can't tell.
    pub(super) fn supposing(&self) -> Answered {
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

    /// What the resident cares about, in its own texts.
    pub(super) fn interests(&self) -> Answered {
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
    pub(super) fn thoughts(&self) -> Answered {
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

    /// One of the resident's own texts, in its mouth.
    pub(super) fn own_text(&self, text: &str) -> String {
        let own = sentences(text).into_iter().map(|s| capitalised(&self.my_own(s)));
        own.collect::<Vec<_>>().join(" ")
    }

    /// What troubles the resident, as its own texts and what it knows of itself say.
    pub(super) fn worries(&self) -> Answered {
        let troubled = &self.words.interview.troubled;
        let mut own: Vec<&Statement<'_>> = self
            .statements
            .iter()
            .filter(|s| self.is_of_me(s) && holds(&s.text.to_lowercase(), troubled))
            .collect();
        own.sort_by_key(|s| s.at.is_some());
        self.say(own, MEMORIES)
    }

    /// What the resident has to say of liking what the question names.
    pub(super) fn opinion(&self) -> Answered {
        let cues = &self.words.interview;
        let attitude = &self.words.attitude;
        let feels = |s: &&Statement<'_>| {
            let lower = s.text.to_lowercase();
            let felt = [&cues.caring, &attitude.liking, &attitude.dislike];
            self.is_of_me(s) && felt.into_iter().any(|words| holds(&lower, words))
        };
        let found = self.best(self.statements.iter().filter(feels), &self.question.words);
        if found.is_empty() {
            return Answered::plain([cues.no_opinion.clone()]);
        }
        self.lead(found, MEMORIES)
    }
}
