//! Questions in a talk: what the speaker wonders, how the listener is, what the listener is at.

use super::super::hearing::{Asks, Heard};
use super::super::news;
use super::super::phrases::holds;
use super::super::prose::{names, sentences, unclosed};
use super::{Turn, content_words};

impl<'a> Turn<'a> {
    /// Asks one question, if the speaker has asked none or few in this talk.
    pub(super) fn ask(&mut self) -> bool {
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
    pub(super) fn is_open(&self, what: &str) -> bool {
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
    pub(super) fn listener_concern(&self) -> Option<String> {
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
            let end = [" that ", " which ", " and ", ", ", " ("]
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
}
