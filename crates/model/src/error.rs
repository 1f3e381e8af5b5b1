//! What goes wrong with a call.

use std::fmt;
use std::time::Duration;

/// Why a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The key is missing or refused.
    Key,
    /// No credit or quota is left.
    Quota,
    /// The provider has no such model, or no longer.
    NoSuchModel,
    /// The prompt is longer than the model's window.
    TooLong,
    /// The provider refuses the request as such.
    Request,
    /// The provider refuses to answer this prompt (content rules).
    Declined,
    /// Too many calls; try again later.
    Busy,
    /// The provider is broken for the moment.
    Server,
    /// No connection.
    Network,
    /// A connection that broke before the answer was there.
    Broken,
    /// No answer in time.
    Timeout,
    /// What came back is no reply: not JSON, cut off, empty, too large.
    Unreadable,
    /// Many calls in a row failed, one after the other, without a single answer between.
    Down,
    /// People stopped what makes calls before this one was sent, or sent again.
    Stopped,
}

impl Fault {
    /// Every kind of fault.
    pub const ALL: [Fault; 14] = [
        Fault::Key,
        Fault::Quota,
        Fault::NoSuchModel,
        Fault::TooLong,
        Fault::Request,
        Fault::Declined,
        Fault::Busy,
        Fault::Server,
        Fault::Network,
        Fault::Broken,
        Fault::Timeout,
        Fault::Unreadable,
        Fault::Down,
        Fault::Stopped,
    ];

    /// A short identifier, for records: `no_such_model`.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Key => "key",
            Fault::Quota => "quota",
            Fault::NoSuchModel => "no_such_model",
            Fault::TooLong => "too_long",
            Fault::Request => "request",
            Fault::Declined => "declined",
            Fault::Busy => "busy",
            Fault::Server => "server",
            Fault::Network => "network",
            Fault::Broken => "broken",
            Fault::Timeout => "timeout",
            Fault::Unreadable => "unreadable",
            Fault::Down => "down",
            Fault::Stopped => "stopped",
        }
    }

    /// The fault of that name.
    pub fn from_name(name: &str) -> Option<Fault> {
        Fault::ALL.into_iter().find(|fault| fault.name() == name)
    }

    /// Whether trying again may help.
    pub fn passes(self) -> bool {
        matches!(
            self,
            Fault::Busy | Fault::Server | Fault::Network | Fault::Broken | Fault::Timeout | Fault::Unreadable
        )
    }

    /// Whether every further call would fail in the same way, so that a run had better pause.
    pub fn stops_everything(self) -> bool {
        matches!(
            self,
            Fault::Key | Fault::Quota | Fault::NoSuchModel | Fault::Request | Fault::Down | Fault::Stopped
        )
    }
}

/// A call that failed. Its text holds no key and no header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// Provider and model.
    pub model: String,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
    /// The kind of fault.
    pub fault: Fault,
    /// What the provider said, shortened and with secrets masked.
    pub detail: String,
    /// What to do about it.
    pub remedy: String,
    /// How long the provider asks to wait.
    pub retry_after: Option<Duration>,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.model)?;
        if let Some(status) = self.status {
            write!(f, ": status {status}")?;
        }
        write!(f, ": {}; {}", self.detail, self.remedy)
    }
}

impl std::error::Error for ModelError {}
