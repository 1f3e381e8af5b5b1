//! Models that say anything: every question still ends in an answer that stands, and the record says
//! who gave it.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use proptest::prelude::*;
use townsfolk_mind::model::PromptSet;
use townsfolk_mind::model::reader::{self, Marks};
use townsfolk_mind::model::samples::{self, Cast, Visit};
use townsfolk_mind::{Answerer, Asker, Chance, ResidentId, Task, TaskKind};
use townsfolk_model::scripted::Babble;

use crate::common::{Kept, Scripted, meanings, mind};

#[derive(Default)]
struct AskAll {
    seed: u64,
    asked: usize,
    /// Babble that passed for an answer.
    taken: BTreeMap<TaskKind, Vec<String>>,
}

impl Visit for AskAll {
    fn visit<T: Task>(&mut self, task: &T) {
        let seed = self.seed + self.asked as u64 * 1_000;
        let mind = mind(
            Scripted::new(move |turn, request| {
                Babble {
                    seed: seed + turn as u64,
                }
                .say(request)
            }),
            Arc::new(Kept::default()),
        );
        let meanings = meanings();
        let chance = Chance {
            seed,
            resident: ResidentId(3),
            tick: 11,
        };
        let asker = Asker::with_model(chance, &meanings, &mind);
        let answer = futures_executor::block_on(asker.ask(task)).unwrap();
        task.check(&answer).unwrap();
        let record = asker.into_records().pop().unwrap();
        assert_eq!(record.fallback.is_some(), record.mind == Answerer::Routine);
        for never in ["As an AI", "ERROR", "rate limit", "<think>", "{{", "```"] {
            assert!(
                !record.answer.contains(never),
                "{}: {}",
                T::KIND.name(),
                record.answer
            );
        }
        self.asked += 1;
        if record.fallback.is_none() {
            self.taken.entry(T::KIND).or_default().push(record.answer);
        }
    }
}

#[test]
fn every_question_to_a_babbling_model_ends_in_an_answer_that_stands() {
    let mut all = AskAll::default();
    for seed in 0..40 {
        all.seed = seed;
        samples::each(&mut all);
        let mut odd = Cast::default();
        odd.who.name = "Zoë O'Neill-Ångström".into();
        odd.who.first_name = "Zoë".into();
        odd.other = "林 秋".into();
        samples::each_about(&odd, &mut all);
    }
    assert_eq!(all.asked, 80 * TaskKind::ALL.len());
    for (kind, taken) in &all.taken {
        // A number among the allowed ones is an answer, whoever says it; words have to be words.
        let most = match kind {
            TaskKind::Importance | TaskKind::ChoosePlace | TaskKind::WakeUp | TaskKind::Reaction => 6,
            _ => 3,
        };
        assert!(
            taken.len() <= most,
            "{kind:?}: of 80 answers these are babble: {taken:?}"
        );
    }
    let taken: usize = all.taken.values().map(Vec::len).sum();
    assert!(taken * 100 <= all.asked, "{taken} of {} are babble", all.asked);
}

/// Reads a reply as the answer to every task.
struct ReadAll<'a> {
    reply: &'a str,
    marks: &'a Marks,
}

impl Visit for ReadAll<'_> {
    fn visit<T: Task>(&mut self, _: &T) {
        // Only that it ends: what it ends in is for other tests.
        let _ = reader::read::<T::Wire>(self.reply, self.marks);
    }
}

fn marks() -> &'static Marks {
    static PROMPTS: OnceLock<PromptSet> = OnceLock::new();
    PROMPTS.get_or_init(|| PromptSet::of("en").unwrap()).marks()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The invariant of the fuzz target in `fuzz/`.
    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let reply = String::from_utf8_lossy(&bytes);
        samples::each(&mut ReadAll { reply: &reply, marks: marks() });
    }

    /// The same with what replies are made of.
    #[test]
    fn pieces_of_json_are_read_without_a_panic(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "{", "}", "[", "]", "\"", "'", "“", "「", ",", ":", "：", "=", "\\", "\\u", "\\ud83d", "0", "7", "-", ".", "e9",
                "a", "do", "from", "say", "é", "林", "😀", " ", "\n", "|", "```", "//", "/*", "*/", "#", "<think>", "</think>",
                "null", "true", "(25 min", "06:00", "at ", "1) ", "\t", "\u{301}", "24:00", "点", "半",
            ]),
            0..80,
        )
    ) {
        samples::each(&mut ReadAll { reply: &pieces.concat(), marks: marks() });
    }
}

#[test]
fn long_and_deep_replies_are_read_in_good_time() {
    let marks = marks();
    for unit in [
        "[", "{\"a\":", "\"", "{'", "a b ", "1. x\n", "|a|b|\n", "<think>", "```", "\\", "(", "06:00 - ",
        "林",
    ] {
        let reply = unit.repeat(16_000 / unit.len());
        samples::each(&mut ReadAll { reply: &reply, marks });
    }
}
