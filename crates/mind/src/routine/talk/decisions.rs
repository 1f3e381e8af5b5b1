//! Answers to invitations and requests: the decision, then its wording.

use crate::tasks::{Decision, Line, Occasion};

use super::super::invitations::{self, Decider, Verdict};
use super::super::phrases::fill;
use super::super::prose::{first_name, unclosed};
use super::super::speech::activity;
use super::super::when;
use super::{Turn, begins_with_ing, is_about};

impl<'a> Turn<'a> {
    pub(super) fn decider(&self) -> Decider<'_> {
        Decider {
            who: self.task.who,
            asker: self.task.listener,
            now: self.task.now,
            feeling: self.feeling,
            texts: &self.texts,
            plan: self.task.plan,
            appointments: self.task.appointments,
            called_off: self.task.called_off,
        }
    }

    pub(super) fn answer_invitation(&mut self, last: &Line, question: &str) {
        let Some(occasion) = self.occasion_offered(last) else {
            self.answer_request(question);
            return;
        };
        let verdict = invitations::come(&self.decider(), &occasion, self.rules);
        let talk = &self.words.talk;
        let what = occasion.what.as_str();
        let line = match &verdict {
            Verdict::CalledOff(what) => self.phrase("decline", &talk.decline_off, &[("what", what)]),
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
    pub(super) fn occasion_offered(&self, last: &Line) -> Option<Occasion> {
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
                    return Some(self.named_in_full(self.as_moved(occasion)));
                }
            }
            if let Some(occasion) = when::occasion(&line.text, self.task.now) {
                return Some(host(self.as_moved(occasion), &line.text));
            }
        }
        None
    }

    /// An occasion at the time to which it was moved, by what the speaker knows or was told in this talk.
    fn as_moved(&self, occasion: Occasion) -> Occasion {
        let known = self
            .task
            .topics
            .iter()
            .map(|t| (&*t.recalled.text, t.recalled.created));
        let told = self.task.lines.iter().flat_map(|line| &line.tells);
        let told = told.map(|(_, text)| (&**text, self.task.now));
        invitations::as_moved(occasion, self.task.who, known.chain(told))
    }

    /// A host known by first name alone, in full.
    pub(super) fn named_in_full(&self, occasion: Occasion) -> Occasion {
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

    pub(super) fn answer_request(&mut self, question: &str) {
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
    pub(super) fn refusal(&self, phrases: &'static [String], values: &[(&str, &str)]) -> Option<String> {
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
}
