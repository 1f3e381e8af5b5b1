//! The mind as others use it: prompts, answers, and the path of a question through a language model.

mod common;
mod field_cases;
mod hurt;
mod path;
mod prompts;
mod replies;
mod unpredictable;
