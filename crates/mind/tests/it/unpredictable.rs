//! Models that say anything: every question still ends in an answer that stands, and the record says
//! who gave it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use proptest::prelude::*;
use townsfolk_mind::model::PromptSet;
use townsfolk_mind::model::samples::{self, Cast, Visit};
use townsfolk_mind::{Answerer, Asker, Chance, ResidentId, Task, TaskKind};
use townsfolk_model::scripted::{Babble, Words};

use crate::common::{Kept, Scripted, meanings, mind};

#[derive(Default)]
struct AskAll {
    seed: u64,
    /// Whether the model says words without sense, and not pieces of anything.
    words: bool,
    asked: usize,
    /// Babble that passed for an answer.
    taken: BTreeMap<TaskKind, Vec<String>>,
}

impl Visit for AskAll {
    fn visit<T: Task>(&mut self, task: &T) {
        let seed = self.seed + self.asked as u64 * 1_000;
        let words = self.words;
        let mind = mind(
            Scripted::new(move |turn, request| {
                let seed = seed + turn as u64;
                match words {
                    true => Ok(Words { seed }.say(request)),
                    false => Babble { seed }.say(request),
                }
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
    ask_all(false);
}

#[test]
fn words_without_sense_are_no_answers() {
    ask_all(true);
}

fn ask_all(words: bool) {
    let mut all = AskAll {
        words,
        ..AskAll::default()
    };
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
    let taken: usize = all.taken.values().map(Vec::len).sum();
    // Any words are a state of a thing; that is asked only where a person has named one.
    let states = all.taken.remove(&TaskKind::ObjectState).unwrap_or_default();
    assert!(words || states.len() <= 3, "{states:?}");
    let taken = if words { taken - states.len() } else { taken };
    eprintln!("{taken} of {} are babble: {:?}", all.asked, all.taken);
    for (kind, taken) in &all.taken {
        // A number among the allowed ones is an answer, whoever says it; words have to be words.
        let most = match kind {
            // "three" and "five" are among the words.
            TaskKind::WakeUp if words => 10,
            TaskKind::Importance | TaskKind::ChoosePlace | TaskKind::WakeUp | TaskKind::Reaction => 6,
            _ => 3,
        };
        assert!(
            taken.len() <= most,
            "{kind:?}: of 80 answers these are babble: {taken:?}"
        );
    }
    assert!(taken * 100 <= all.asked, "{taken} of {} are babble", all.asked);
}

fn prompts() -> &'static PromptSet {
    static PROMPTS: OnceLock<PromptSet> = OnceLock::new();
    PROMPTS.get_or_init(|| PromptSet::of("en").unwrap())
}

/// Reads a reply as the answer to every task, as the target in `fuzz/` does; what is taken holds no data.
fn read_as_all(reply: &str) {
    for (kind, answer) in samples::answers(prompts(), reply) {
        if let Ok(answer) = answer {
            let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
            assert_words(kind, &answer, reply);
        }
    }
}

fn assert_words(kind: TaskKind, answer: &serde_json::Value, reply: &str) {
    match answer {
        serde_json::Value::String(text) => {
            let data = text.contains(['{', '}', '\\', '`', '|']) || text.contains("\":");
            assert!(!data, "{kind:?} took {text:?} from {reply:?}");
        }
        serde_json::Value::Array(list) => list.iter().for_each(|part| assert_words(kind, part, reply)),
        serde_json::Value::Object(object) => object.values().for_each(|part| assert_words(kind, part, reply)),
        _ => {}
    }
}

/// Puts what must not be remembered, planned or said into each text of the answer to each question, one at a time.
#[derive(Default)]
struct Spoil {
    looked_at: usize,
}

impl Visit for Spoil {
    fn visit<T: Task>(&mut self, task: &T) {
        let meanings = meanings();
        let mind = mind(
            Scripted::saying(&["nothing that could be read", "nothing that could be read"]),
            Arc::new(Kept::default()),
        );
        let chance = Chance {
            seed: 3,
            resident: ResidentId(3),
            tick: 11,
        };
        // The rules answer, and their answer is spoilt.
        let asker = Asker::with_model(chance, &meanings, &mind);
        let answer = futures_executor::block_on(asker.ask(task)).unwrap();
        let mut written = serde_json::to_value(task.write(&answer)).unwrap();
        // The parts that an answer may have and this one has not.
        if T::KIND == TaskKind::NextLine {
            for (key, value) in [
                ("answers", "no"),
                ("on", "lending the saw"),
                ("why", "never lends"),
            ] {
                written[key] = value.into();
            }
        }
        for bad in [
            "Error 500",
            "As an AI language model I cannot do that",
            "rate limit exceeded",
            "one JSON object with exactly these keys",
            "I am ChatGPT, a large model",
            "As an assistant, I will now produce the schedule.",
            "[insert name here]",
            "User: hello Assistant: hi",
            "Mara Mara Mara Mara",
        ] {
            for at in 0..texts_in(&mut written.clone()).len() {
                let mut spoilt = written.clone();
                *texts_in(&mut spoilt)[at] = bad.to_owned();
                let reply = spoilt.to_string();
                let answer = samples::answer(prompts(), task, &reply);
                self.looked_at += 1;
                assert!(answer.is_err(), "{:?} took {reply}", T::KIND);
            }
        }
    }
}

/// The texts in an answer that are no times and no choices.
fn texts_in(value: &mut serde_json::Value) -> Vec<&mut String> {
    match value {
        serde_json::Value::String(text) => vec![text],
        serde_json::Value::Array(list) => list.iter_mut().flat_map(texts_in).collect(),
        serde_json::Value::Object(object) => {
            let fields = object
                .iter_mut()
                .filter(|(key, _)| *key != "choice" && *key != "answers");
            fields.flat_map(|(_, value)| texts_in(value)).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn no_text_of_any_answer_may_be_an_error_a_refusal_or_a_mark_of_a_prompt() {
    let mut spoil = Spoil::default();
    samples::each(&mut spoil);
    assert!(spoil.looked_at > 150, "{}", spoil.looked_at);
}

/// What replies are made of, good and bad.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "“",
    "「",
    ",",
    ":",
    "：",
    "=",
    "\\",
    "\\u",
    "\\ud83d",
    "0",
    "7",
    "-",
    ".",
    "e9",
    "a",
    "do",
    "from",
    "say",
    "text",
    "steps",
    "place",
    "wake",
    "minutes",
    "Mara",
    "Tomas Varga:",
    "é",
    "林",
    "😀",
    " ",
    "\n",
    "|",
    "```",
    "//",
    "/*",
    "*/",
    "#",
    "<think>",
    "</think>",
    "null",
    "true",
    "(25 min",
    "06:00",
    "at ",
    "1) ",
    "\t",
    "\u{301}",
    "24:00",
    "点",
    "半",
    "分钟",
    "half past ",
    "six ",
    "noon",
    "tomorrow",
    "error",
    "min",
    "2024-06-04",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_as_all(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn pieces_of_replies_are_read_without_a_panic(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..80)
    ) {
        read_as_all(&pieces.concat());
    }
}

/// The same without chance: real-looking replies cut off anywhere, and with any byte replaced.
#[test]
fn replies_cut_off_or_spoilt_anywhere_are_read_without_a_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/replies");
    for kind in TaskKind::ALL {
        let plain = folder.join(kind.name()).join("plain.txt");
        let reply = std::fs::read_to_string(&plain).unwrap();
        for (at, c) in reply.char_indices().step_by(37) {
            let after = &reply[at + c.len_utf8()..];
            read_as_all(&reply[..at]);
            let piece = PIECES[at % PIECES.len()];
            read_as_all(&format!("{}{piece}{after}", &reply[..at]));
        }
    }
}

#[test]
fn long_and_deep_replies_end_in_an_answer_or_none() {
    for unit in [
        "[",
        "{",
        "[1,",
        "{\"a\":",
        "\"",
        "{'",
        "a b ",
        "The boat was old. ",
        "1. x\n",
        "|a|b|\n",
        "<think>",
        "```json\n",
        "\\",
        "(",
        "06:00 - ",
        "林",
        "min",
        "10 min ",
        "half past ",
        "{a:1,",
        "x: y\n",
        "7/10 ",
    ] {
        read_as_all(&unit.repeat(20_000 / unit.len()));
    }
}
