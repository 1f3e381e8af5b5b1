//! What can go wrong, and what to do about it. In every case the agent is as it was before the call.

use townsfolk_memory::MemoryError;
use townsfolk_mind::Halted;
use townsfolk_store::StoreError;

/// Why a call did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The file could not be made, opened, read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was to be remembered does not fit, or the file's vectors are another embedder's.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The mind or the embedder did not answer.
    #[error("{}", .0.reason)]
    Mind(#[from] Halted),
    /// The file is a run, but not the memory of one agent.
    #[error("{file}: {detail}; give the file of an agent, or choose another name")]
    NotAnAgent {
        /// The file.
        file: String,
        /// What is in it instead.
        detail: String,
    },
    /// Something said or asked that has no words.
    #[error("{what} has no words; say something")]
    Wordless {
        /// What was said.
        what: &'static str,
    },
    /// A line in a talk by somebody who does not take part in it.
    #[error("{name} does not take part in the talk of {first} and {second}")]
    NotInTalk {
        /// Who spoke.
        name: String,
        /// Who takes part.
        first: String,
        /// Who else does.
        second: String,
    },
    /// A talk that is over.
    #[error("the talk of {first} and {second} is over; begin another")]
    TalkIsOver {
        /// Who took part.
        first: String,
        /// Who else did.
        second: String,
    },
    /// Two lines in a row by the same speaker.
    #[error("{name} spoke last in the talk; it is {other}'s turn")]
    NotInTurn {
        /// Who wants to speak again.
        name: String,
        /// Whose turn it is.
        other: String,
    },
}
