//! Writing to the terminal: results to standard output, everything else to standard error.
//!
//! A reader that goes away (`| head`) is no error: what it did not want is not written.

use std::io::{self, ErrorKind, IsTerminal as _, Write as _};

use serde::Serialize;

use crate::Done;
use crate::page::{Look, Page, visible};

/// Where a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    /// Standard output: what was asked for.
    Result,
    /// Standard error: progress, remarks, errors.
    Aside,
}

impl Channel {
    /// Whether somebody is watching a terminal there.
    pub(crate) fn is_terminal(self) -> bool {
        match self {
            Self::Result => io::stdout().is_terminal(),
            Self::Aside => io::stderr().is_terminal(),
        }
    }

    /// Whether to use colours there: on terminals that can, unless `NO_COLOR` says otherwise.
    pub(crate) fn colours(self) -> bool {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        self.is_terminal() && !set("NO_COLOR") && !dumb
    }
}

/// An empty page for results.
pub(crate) fn page() -> Page {
    Page::new(width(Channel::Result), Channel::Result.colours())
}

/// An empty page for remarks.
pub(crate) fn aside() -> Page {
    Page::new(width(Channel::Aside), Channel::Aside.colours())
}

/// Prints results.
pub(crate) fn print(text: &str) -> Done {
    write(&visible(text, Channel::Result.colours()))
}

/// Prints as it is what programs read.
fn write(text: &str) -> Done {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Prints a value as JSON, indented.
pub(crate) fn print_json(value: &impl Serialize) -> Done {
    write(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// Prints one line of JSON.
pub(crate) fn print_json_line(value: &impl Serialize) -> Done {
    write(&(serde_json::to_string(value)? + "\n"))
}

/// Prints a remark. Where nobody can hear it the work goes on.
pub(crate) fn remark(text: &str) {
    let text = visible(text, Channel::Aside.colours());
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints an error.
pub(crate) fn error(text: &str) {
    let begins = aside().look(Look::Error, "error:");
    remark(&format!("{begins} {text}\n"));
}

/// Columns of the terminal, within what reads well; 80 where there is no terminal.
fn width(channel: Channel) -> usize {
    const NARROWEST: usize = 40;
    const WIDEST: usize = 120;
    const USUAL: usize = 80;
    let columns = match channel {
        Channel::Result => terminal_size::terminal_size_of(io::stdout()),
        Channel::Aside => terminal_size::terminal_size_of(io::stderr()),
    };
    columns
        .map_or(USUAL, |(columns, _)| usize::from(columns.0))
        .clamp(NARROWEST, WIDEST)
}
