//! A language model as the mind: prompts out, answers in, every call written down.
//!
//! [`Asker::ask`](crate::Asker::ask) renders a task's prompt, looks in the [`Ledger`] for a reply that
//! exists already, calls the model that plays the task's role, reads the reply leniently, checks it, asks
//! once more saying what was wrong, and otherwise lets the routine mind answer and says why.

mod ledger;

pub use ledger::{Call, CallKey, Found, Ledger, Origin, Question, Vectors};
