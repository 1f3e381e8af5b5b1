//! Any bytes as the reply to every task: reading them ends without a panic, and what is taken passes its check.
//!
//! The suite goes the same way in `tests/it/unpredictable.rs`.

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use townsfolk_mind::model::{PromptSet, samples};

fuzz_target!(|bytes: &[u8]| {
    static PROMPTS: OnceLock<PromptSet> = OnceLock::new();
    let prompts = PROMPTS.get_or_init(|| PromptSet::of("en").expect("a test rules this out"));
    samples::answers(prompts, &String::from_utf8_lossy(bytes));
});
