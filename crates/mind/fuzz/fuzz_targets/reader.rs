//! Any bytes as the reply to every task: reading them ends, and what is read may be checked.
//!
//! The suite holds the same invariant as a property test (`tests/it/unpredictable.rs`).

#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use townsfolk_mind::Task;
use townsfolk_mind::model::samples::{self, Visit};
use townsfolk_mind::model::{Fit, Limits, PromptSet, reader};

struct ReadAs<'a> {
    reply: &'a str,
    prompts: &'a PromptSet,
}

impl Visit for ReadAs<'_> {
    fn visit<T: Task>(&mut self, task: &T) {
        let fit = Fit::new(self.prompts.phrases(), Limits::NONE);
        if let Ok(wire) = reader::read::<T::Wire>(self.reply, self.prompts.marks())
            && let Ok(answer) = task.read(wire, &fit)
        {
            let _ = task.check(&answer);
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    static PROMPTS: OnceLock<PromptSet> = OnceLock::new();
    let prompts = PROMPTS.get_or_init(|| PromptSet::of("en").expect("a test rules this out"));
    let reply = String::from_utf8_lossy(bytes);
    samples::each(&mut ReadAs {
        reply: &reply,
        prompts,
    });
});
