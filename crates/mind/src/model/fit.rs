//! What prompts are filled with: people, memories, lines, times, as words.
//!
//! A task builds its view of the moment out of these. Nothing here holds an id, a brace or a place's
//! address; memories are numbered from 1; every text is one line.

use std::borrow::Cow;
use std::cell::Cell;

use serde::Serialize;
use townsfolk_time::{Date, GameTime, Minute, clock};

use super::budget::{Cut, Limits};
use crate::tasks::{Line, Recalled};
use crate::{Entry, Identity, Phrases};

/// Who a resident is, as prompts say it.
#[derive(Clone, Debug, Serialize)]
pub struct Who<'a> {
    /// Full name.
    pub name: &'a str,
    /// What friends say.
    pub first_name: &'a str,
    /// Age in years, if it is known.
    pub age: Option<u16>,
    /// Inborn traits.
    pub traits: Cow<'a, str>,
    /// Background.
    pub background: Cow<'a, str>,
    /// What occupies them.
    pub current: Cow<'a, str>,
    /// When they sleep, rise and eat.
    pub lifestyle: Cow<'a, str>,
    /// What their days must contain.
    pub daily_requirement: Cow<'a, str>,
}

/// A memory, as prompts say it.
#[derive(Clone, Debug, Serialize)]
pub struct Remembered<'a> {
    /// From 1, as the answer names it.
    pub number: usize,
    /// The text.
    pub text: Cow<'a, str>,
    /// Month, day and time.
    pub when: String,
    /// Who told it, if it is hearsay.
    pub told_by: Option<&'a str>,
}

/// A line of talk, as prompts say it.
#[derive(Clone, Debug, Serialize)]
pub struct Said<'a> {
    /// Who said it.
    pub speaker: &'a str,
    /// The words.
    pub text: Cow<'a, str>,
}

/// A stretch of a plan, as prompts say it.
#[derive(Clone, Debug, Serialize)]
pub struct Stretch<'a> {
    /// When it begins, "HH:MM".
    pub from: String,
    /// When it ends, "HH:MM".
    pub to: String,
    /// What is done.
    pub activity: Cow<'a, str>,
}

/// Words for a prompt, within limits; counts what it leaves out.
pub struct Fit<'a> {
    phrases: &'a Phrases,
    limits: Limits,
    cut: Cell<Cut>,
}

impl<'a> Fit<'a> {
    /// In the words of a language, within limits.
    pub fn new(phrases: &'a Phrases, limits: Limits) -> Self {
        Self {
            phrases,
            limits,
            cut: Cell::default(),
        }
    }

    /// How things are worded in the town's language.
    pub(crate) fn phrases(&self) -> &'a Phrases {
        self.phrases
    }

    /// What was left out so far.
    pub fn cut(&self) -> Cut {
        self.cut.get()
    }

    /// Who a resident is.
    pub fn who<'t>(&self, who: &'t Identity) -> Who<'t> {
        Who {
            name: &who.name,
            first_name: &who.first_name,
            age: who.age,
            traits: self.text(&who.traits),
            background: self.text(&who.background),
            current: self.text(&who.current),
            lifestyle: self.text(&who.lifestyle),
            daily_requirement: self.text(&who.daily_requirement),
        }
    }

    /// Who a resident is for good, without what occupies it at present: for questions whose answers
    /// hold on other days too.
    pub fn lasting<'t>(&self, who: &'t Identity) -> Who<'t> {
        Who {
            current: Cow::Borrowed(""),
            ..self.who(who)
        }
    }

    /// A text in one line, cut at the end of a sentence where it is too long.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let text = one_line(text);
        let most = self.limits.text_chars;
        let Some((end, _)) = text.char_indices().nth(most) else {
            return text;
        };
        let mut cut = self.cut.get();
        cut.texts += 1;
        self.cut.set(cut);
        let ends = self.phrases.sentence_ends.iter();
        let sentence = ends.filter_map(|e| Some(text[..end].rfind(e.as_str())? + e.trim_end().len()));
        match sentence.max() {
            Some(sentence) => Cow::Owned(text[..sentence].to_owned()),
            None => Cow::Owned(format!("{}…", text[..end].trim_end())),
        }
    }

    /// How many of `count` memories are shown; the answer may name no other.
    pub fn shown(&self, count: usize) -> usize {
        count.min(self.limits.memories)
    }

    /// Memories that stand best first.
    pub fn memories<'t>(&self, best_first: &'t [Recalled]) -> Vec<Remembered<'t>> {
        let shown = self.shown(best_first.len());
        self.leave_out_memories(best_first.len() - shown);
        let numbered = best_first[..shown].iter().enumerate();
        numbered.map(|(i, m)| self.memory(i + 1, m)).collect()
    }

    /// Memories that stand in order of time; of too many the least important and then the oldest go.
    pub fn latest<'t>(&self, oldest_first: &'t [Recalled]) -> Vec<Remembered<'t>> {
        let shown = self.shown(oldest_first.len());
        self.leave_out_memories(oldest_first.len() - shown);
        let mut by_weight: Vec<usize> = (0..oldest_first.len()).collect();
        by_weight.sort_by_key(|i| std::cmp::Reverse((oldest_first[*i].importance, *i)));
        by_weight.truncate(shown);
        by_weight.sort_unstable();
        let numbered = by_weight.into_iter().enumerate();
        numbered
            .map(|(n, i)| self.memory(n + 1, &oldest_first[i]))
            .collect()
    }

    /// One memory under a number.
    pub fn memory<'t>(&self, number: usize, memory: &'t Recalled) -> Remembered<'t> {
        Remembered {
            number,
            text: self.text(&memory.text),
            when: self.moment(memory.created),
            told_by: memory.told_by.as_deref(),
        }
    }

    /// Counts memories that are not shown.
    pub fn leave_out_memories(&self, count: usize) {
        let mut cut = self.cut.get();
        cut.memories += u32::try_from(count).unwrap_or(u32::MAX);
        self.cut.set(cut);
    }

    /// The latest lines of a talk.
    pub fn lines<'t>(&self, lines: &'t [Line]) -> Vec<Said<'t>> {
        let shown = lines.len().min(self.limits.lines);
        self.leave_out_lines(lines.len() - shown);
        let said = |line: &'t Line| Said {
            speaker: &line.speaker,
            text: self.text(&line.text),
        };
        lines[lines.len() - shown..].iter().map(said).collect()
    }

    /// How many of the latest lines of an exchange are shown.
    pub fn latest_lines(&self) -> usize {
        self.limits.lines
    }

    /// Counts lines that are not shown.
    pub fn leave_out_lines(&self, count: usize) {
        let mut cut = self.cut.get();
        cut.lines += u32::try_from(count).unwrap_or(u32::MAX);
        self.cut.set(cut);
    }

    /// Stretches of a plan.
    pub fn plan<'t>(&self, entries: &'t [Entry]) -> Vec<Stretch<'t>> {
        entries.iter().map(|entry| self.stretch(entry)).collect()
    }

    /// One stretch of a plan.
    pub fn stretch<'t>(&self, entry: &'t Entry) -> Stretch<'t> {
        Stretch {
            from: clock(entry.start),
            to: clock(entry.end()),
            activity: self.text(&entry.activity),
        }
    }

    /// A day in words.
    pub fn date(&self, date: Date) -> String {
        self.phrases.date(date)
    }

    /// A time of day, "HH:MM".
    pub fn clock(&self, minute: Minute) -> String {
        clock(minute)
    }

    /// A moment, in short: month, day, time.
    pub fn moment(&self, moment: GameTime) -> String {
        let date = moment.date();
        format!(
            "{:02}-{:02} {}",
            date.month(),
            date.day(),
            clock(moment.minute_of_day())
        )
    }
}

/// A text without line breaks and other control characters.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.chars().any(char::is_control) {
        let spaced = text.replace(char::is_control, " ");
        Cow::Owned(spaced.split_whitespace().collect::<Vec<_>>().join(" "))
    } else {
        Cow::Borrowed(text)
    }
}
