//! Talks between two: a record that both sides read, and what comes of each turn.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use townsfolk_memory::MemoryId;
use townsfolk_mind::tasks::Line;

use crate::error::AgentError;

pub use townsfolk_mind::tasks::Reaction;

/// How many lines a talk has at most (2023 code: 16, eight turns of each).
const MOST_LINES: usize = 16;

/// A talk between two, line by line. It belongs to neither: an agent reads all of it before each of
/// its turns, and remembers it when it is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dialogue {
    between: [Arc<str>; 2],
    lines: Vec<Line>,
    over: bool,
}

impl Dialogue {
    /// A talk in which nothing was said yet; either may begin.
    pub fn new(first: impl Into<Arc<str>>, second: impl Into<Arc<str>>) -> Self {
        Self {
            between: [first.into(), second.into()],
            lines: Vec::new(),
            over: false,
        }
    }

    /// The two who talk.
    pub fn between(&self) -> &[Arc<str>; 2] {
        &self.between
    }

    /// What was said, oldest first.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Whether one of the two ended it, or it has been long enough.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Somebody who is no agent says something.
    ///
    /// # Errors
    /// If they do not take part, spoke last, say nothing, or the talk is over.
    pub fn say(&mut self, speaker: &str, words: &str) -> Result<(), AgentError> {
        self.turn_of(speaker)?;
        if words.trim().is_empty() {
            return Err(AgentError::Wordless { what: "the line" });
        }
        self.add(Line {
            speaker: speaker.into(),
            text: words.trim().into(),
            tells: Vec::new(),
            decision: None,
        });
        Ok(())
    }

    /// Ends the talk without another word.
    pub fn end(&mut self) {
        self.over = true;
    }

    /// Whom `speaker` talks to, if it may speak now.
    pub(crate) fn turn_of(&self, speaker: &str) -> Result<&Arc<str>, AgentError> {
        let other = self.other(speaker)?;
        let [first, second] = [&self.between[0], &self.between[1]].map(ToString::to_string);
        if self.over {
            return Err(AgentError::TalkIsOver { first, second });
        }
        match self.lines.last() {
            Some(last) if *last.speaker == *speaker => Err(AgentError::NotInTurn {
                name: speaker.to_owned(),
                other: other.to_string(),
            }),
            _ => Ok(other),
        }
    }

    /// Whom `speaker` talks to.
    pub(crate) fn other(&self, speaker: &str) -> Result<&Arc<str>, AgentError> {
        let [first, second] = &self.between;
        match speaker {
            name if *name == **first => Ok(second),
            name if *name == **second => Ok(first),
            name => Err(AgentError::NotInTalk {
                name: name.to_owned(),
                first: first.to_string(),
                second: second.to_string(),
            }),
        }
    }

    /// How many more lines the one whose turn it is may say, this one included.
    pub(crate) fn lines_left(&self) -> u16 {
        let left = MOST_LINES.saturating_sub(self.lines.len());
        left.div_ceil(2).max(1) as u16
    }

    pub(crate) fn add(&mut self, line: Line) {
        self.lines.push(line);
        self.over |= self.lines.len() >= MOST_LINES;
    }
}

/// What an agent says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reply {
    /// The words.
    pub text: Arc<str>,
    /// Which of its memories it passes on with them.
    pub tells: Vec<MemoryId>,
    /// Whether it ends the talk with them (LangChain: `GOODBYE`).
    pub ends: bool,
}
