//! What of a prompt may stay when it is longer than the model's window.
//!
//! The order in which things go: memories, the lowest-scored first, down to the best three; older lines of
//! talk, down to the last four; then long texts, such as a biography, are shortened at the ends of
//! sentences; then the rest of memories and lines. What is left out is counted in a [`Cut`].

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much of everything may stand in a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many memories, the best of them.
    pub memories: usize,
    /// How many lines of talk, the latest of them.
    pub lines: usize,
    /// How many characters of each text.
    pub text_chars: usize,
}

impl Limits {
    /// Everything.
    pub const NONE: Self = Self {
        memories: usize::MAX,
        lines: usize::MAX,
        text_chars: usize::MAX,
    };
}

/// What was left out of a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// How many memories.
    pub memories: u32,
    /// How many lines of talk.
    pub lines: u32,
    /// How many texts were shortened.
    pub texts: u32,
}

impl Cut {
    /// Whether nothing was left out.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.memories, "memories left out"),
            (self.lines, "lines of talk left out"),
            (self.texts, "texts shortened"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
        f.write_str(&words.join(", "))
    }
}

/// A prompt that does not fit a window, however much is left out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the shortest prompt takes about {tokens} tokens; the window leaves {room}: choose a model with a larger window"
)]
pub struct TooLong {
    /// What the shortest prompt takes, in tokens.
    pub tokens: u32,
    /// What the window leaves for a prompt, in tokens.
    pub room: u32,
}

/// Memories that stay as long as long texts can be shortened instead.
const BEST_MEMORIES: usize = 3;
/// Lines of talk that stay as long as long texts can be shortened instead.
const LAST_LINES: usize = 4;
/// The longest and the shortest a text is cut to, in characters.
const TEXT_CHARS: [usize; 2] = [4_000, 80];
/// More memories or lines than this are never asked with.
const MANY: usize = 400;

/// The widest limits under which a prompt takes at most `room` tokens; `tokens` measures it.
///
/// # Errors
/// [`TooLong`] inside where nothing helps; outside, what `tokens` says.
pub(crate) fn widest<E>(
    room: u32,
    mut tokens: impl FnMut(Limits) -> Result<u32, E>,
) -> Result<Result<Limits, TooLong>, E> {
    let mut limits = Limits::NONE;
    if tokens(limits)? <= room {
        return Ok(Ok(limits));
    }
    let [longest, shortest] = TEXT_CHARS;
    let step = |limit: fn(&mut Limits) -> &mut usize, most, least| (limit, most, least);
    let steps = [
        step(|limits| &mut limits.memories, MANY, BEST_MEMORIES),
        step(|limits| &mut limits.lines, MANY, LAST_LINES),
        step(|limits| &mut limits.text_chars, longest, shortest),
        step(|limits| &mut limits.memories, BEST_MEMORIES, 1),
        step(|limits| &mut limits.lines, LAST_LINES, 1),
    ];
    for (limit, most, least) in steps {
        // Prompts grow with each limit, so the widest that fits is found by halving.
        let (mut fits, mut too_wide) = (None, most + 1);
        let mut low = least;
        while low < too_wide {
            let middle = low + (too_wide - low) / 2;
            *limit(&mut limits) = middle;
            if tokens(limits)? <= room {
                fits = Some(middle);
                low = middle + 1;
            } else {
                too_wide = middle;
            }
        }
        if let Some(fits) = fits {
            *limit(&mut limits) = fits;
            return Ok(Ok(limits));
        }
        *limit(&mut limits) = least;
    }
    let tokens = tokens(limits)?;
    Ok(Err(TooLong { tokens, room }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prompt of 100 tokens, 10 for each memory of 30, 20 for each line of 16, and a biography.
    fn length(limits: Limits) -> Result<u32, std::convert::Infallible> {
        let length =
            100 + 10 * limits.memories.min(30) + 20 * limits.lines.min(16) + limits.text_chars.min(4_000) / 4;
        Ok(length as u32)
    }

    fn fitted(room: u32) -> Result<Limits, TooLong> {
        widest(room, length).unwrap_or_else(|e| match e {})
    }

    #[test]
    fn memories_go_first_then_lines_then_long_texts() {
        assert_eq!(fitted(2_000), Ok(Limits::NONE));
        let some = fitted(1_600).unwrap();
        assert_eq!((some.memories, some.lines), (18, usize::MAX));
        let few = fitted(1_300).unwrap();
        assert_eq!((few.memories, few.lines, few.text_chars), (3, 8, usize::MAX));
        let short = fitted(600).unwrap();
        assert_eq!((short.memories, short.lines), (3, 4));
        assert!(short.text_chars < 1_600 && length(short).unwrap() <= 600);
        assert_eq!(
            fitted(100),
            Err(TooLong {
                tokens: 150,
                room: 100
            })
        );
    }
}
