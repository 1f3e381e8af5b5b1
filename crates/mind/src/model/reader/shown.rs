//! What a model was shown and that is no answer when it comes back: instructions, lines of the prompt, the
//! prompt's example.

use std::collections::BTreeSet;

use serde_json::Value;

use super::hygiene::{normal, quoted, texts_of};
use super::{Unreadable, lenient, prose, shape};
use crate::model::Prompt;
use crate::model::blocks::{Piece, pieces};
use crate::model::wire::shared_words;

/// Shorter pieces of a prompt are common words, in letters.
const SHORTEST_MARK: usize = 28;
/// Shorter lines with a number or bullet are common words, in letters.
const SHORTEST_ITEM: usize = 12;
/// Fewer letters of an example in an answer are common words: "having lunch".
const SHORTEST_EXAMPLE: usize = 28;

/// The fixed words of a set of prompts; whoever says a sentence of them repeats the prompt.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    sentences: BTreeSet<String>,
    /// What they begin with, up to a comma.
    beginnings: BTreeSet<String>,
}

/// What an answer must not be: what its question was put with.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'p> {
    /// The fixed words of all prompts.
    pub marks: &'p Marks,
    /// The prompt that was sent.
    pub prompt: &'p Prompt,
}

impl Marks {
    /// Learns the fixed words of a template: what stands outside of its tags.
    pub(crate) fn learn(&mut self, template: &str) {
        let mut fixed = String::with_capacity(template.len());
        for (_, piece) in pieces(template) {
            match piece {
                Piece::Words(words) => fixed.push_str(words),
                _ => fixed.push('\n'),
            }
        }
        for line in fixed.split(['\n', '。']).flat_map(|line| line.split(". ")) {
            let line = normal(line);
            // Examples in braces may come back as they are.
            if weight(&line) >= SHORTEST_MARK && !line.contains(['{', '"']) {
                let commas = line.match_indices([',', '，', '、', '；']);
                let beginnings = commas.map(|(at, _)| line[..at].to_owned());
                self.beginnings
                    .extend(beginnings.filter(|begun| weight(begun) >= SHORTEST_MARK));
                self.sentences.insert(line);
            }
        }
    }

    /// A sentence of them that stands in a text.
    fn found_in(&self, normal_text: &str) -> Option<&str> {
        let mut sentences = self.sentences.iter().map(String::as_str);
        sentences.find(|sentence| normal_text.contains(sentence))
    }

    /// Whether a sentence of a text is how one of them begins.
    fn begin(&self, normal_text: &str) -> bool {
        let mut said = normal_text.split(['.', '。', '!', '！', '?', '？', ':', '：']);
        said.any(|sentence| {
            let sentence = sentence.trim().trim_end_matches([',', '，', '、', '；']);
            self.beginnings.contains(sentence)
        })
    }
}

impl Shown<'_> {
    /// Refuses a reply with instructions in it: whoever repeats its prompt has not answered, and the object in it
    /// is the prompt's.
    pub(super) fn check_reply(&self, reply: &str) -> Result<(), Unreadable> {
        match self.marks.found_in(&normal(reply)) {
            Some(sentence) => Err(Unreadable::Leak(quoted(sentence))),
            None => Ok(()),
        }
    }

    /// Refuses an answer that is the example, or any of whose texts is out of the prompt.
    pub(super) fn check_answer(&self, value: &Value, schema: &Value) -> Result<(), Unreadable> {
        let mut texts = Vec::new();
        texts_of(value, &mut texts);
        for text in &texts {
            let normal_text = normal(text);
            let repeats = self.marks.found_in(&normal_text).is_some() || self.marks.begin(&normal_text);
            if repeats || self.has_line(&normal_text) {
                return Err(Unreadable::Leak(quoted(text)));
            }
        }
        match self.example(schema) {
            Some((question, example)) if copies(value, &example) && !may_be_meant(&example, &question) => {
                Err(Unreadable::Example(quoted(&texts.join("; "))))
            }
            _ => Ok(()),
        }
    }

    /// The prompt's example, with all that is said before it. It stands in the last line with a brace.
    fn example(&self, schema: &Value) -> Option<(String, Value)> {
        let user = &self.prompt.user;
        let line = user[..user.rfind('{')?].rfind('\n').map_or(0, |at| at + 1);
        let fitted = |value| shape::fitted(value, schema).map(|(value, _)| value);
        let example = lenient::objects_in(&user[line..])
            .values
            .into_iter()
            .find_map(fitted)?;
        Some((
            normal(&format!("{} {}", self.prompt.system, &user[..line])),
            example,
        ))
    }

    /// Whether a text is a line of the prompt, or holds one with its number or bullet. Lines that are no sentences
    /// may be names, which may come back.
    fn has_line(&self, normal_text: &str) -> bool {
        let lines = self.prompt.system.lines().chain(self.prompt.user.lines());
        lines.map(normal).any(|line| match prose::unmarked(&line) {
            (true, rest) => {
                let with_remark = rest.ends_with([')', '）']);
                weight(rest) >= SHORTEST_ITEM
                    && (normal_text.contains(&line) || with_remark && normal_text == rest)
            }
            (false, _) => {
                let is_said = line.ends_with(['.', '?', '!', '。', '？', '！']) || line.contains([':', '：']);
                is_said && weight(&line) >= SHORTEST_MARK && normal_text == line
            }
        })
    }
}

/// Whether an answer is an example, or all its words are, with other times and numbers.
fn copies(value: &Value, example: &Value) -> bool {
    let words_of = |value| {
        let mut texts = Vec::new();
        texts_of(value, &mut texts);
        let mut words: Vec<String> = texts.into_iter().map(normal).collect();
        words.retain(|text| letters(text) > 1);
        words
    };
    let (said, shown) = (words_of(value), words_of(example));
    let long = said.iter().map(|text| letters(text)).sum::<usize>() >= SHORTEST_EXAMPLE;
    value == example || long && said.iter().all(|text| shown.contains(text))
}

/// Whether an example may be the answer by chance: it holds only numbers and choices, or what the question is
/// about. A list of things to do is never that: examples are shorter than any answer.
fn may_be_meant(example: &Value, question: &str) -> bool {
    let mut texts = Vec::new();
    texts_of(example, &mut texts);
    let asked_about = |text: &&str| {
        let text = normal(text);
        let shared = shared_words(&text, question);
        !text.contains(char::is_alphanumeric)
            || question.contains(&text)
            || shared.all > 0 && shared.kept * 2 >= shared.all
    };
    !lists_things(example) && texts.iter().all(asked_about)
}

fn lists_things(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(Value::is_object),
        Value::Object(object) => object.values().any(lists_things),
        _ => false,
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphabetic()).count()
}

/// How much a text says, in letters: a character of Chinese or Japanese says as much as some.
fn weight(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 3 }).sum()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::wire::loose_schema;
    use crate::tasks::TextWire;

    #[test]
    fn lines_of_a_prompt_are_no_answers() {
        let marks = Marks::default();
        let prompt = Prompt {
            system: "Who Mara is:\n- Life: keeps the boathouse\n".to_owned(),
            user: "What comes to mind:\n\
                   1. Tomas Varga is sleeping (Mara Ilves knows this)\n\
                   2. Mara Ilves is planning a lantern supper\n\
                   Boathouse at the lake of the hills\n\
                   It is 10:10, and Mara Ilves and Tomas Varga are talking.\n"
                .to_owned(),
        };
        let shown = Shown {
            marks: &marks,
            prompt: &prompt,
        };
        for line in [
            "2. Mara Ilves is planning a lantern supper",
            "Well: 2. Mara Ilves is planning a lantern supper!",
            "Tomas Varga is sleeping (Mara Ilves knows this)",
            "- Life: keeps the boathouse",
            "It is 10:10, and Mara Ilves and  Tomas Varga are talking.",
        ] {
            assert!(shown.has_line(&normal(line)), "{line}");
        }
        for own in [
            "Mara Ilves is planning a lantern supper",
            "1. Mara Ilves wants to see everybody at the supper",
            "Boathouse at the lake of the hills",
            "Tomas Varga is sleeping.",
        ] {
            assert!(!shown.has_line(&normal(own)), "{own}");
        }
    }

    #[test]
    fn how_an_instruction_begins_is_no_answer() {
        let mut marks = Marks::default();
        marks.learn("用第三人称写一句话，概括他们谈了什么，保留说到的姓名、日期、时间和地点。");
        marks.learn("Write one sentence in the third person about the talk, with names and dates.");
        for echo in [
            "用第三人称写一句话，概括他们谈了什么。",
            "write one sentence in the third person about the talk.",
        ] {
            assert!(marks.begin(echo), "{echo}");
        }
        for own in [
            "他们谈了船。",
            "she must write one sentence in the third person about the talk.",
        ] {
            assert!(!marks.begin(own), "{own}");
        }
    }

    #[test]
    fn an_example_is_no_answer_unless_the_question_is_about_just_that() {
        let marks = Marks::default();
        let schema = loose_schema::<TextWire>();
        let answer = |question: &str, text: &str| {
            let prompt = Prompt {
                system: String::new(),
                user: format!("{question}\n\nFor example: {{\"text\": \"being repaired\"}}"),
            };
            let shown = Shown {
                marks: &marks,
                prompt: &prompt,
            };
            shown.check_answer(&json!({ "text": text }), &schema)
        };
        assert!(matches!(
            answer("Somebody says about the kettle: full of water", "being repaired"),
            Err(Unreadable::Example(_))
        ));
        for (question, text) in [
            (
                "Somebody says about the kettle: Tomas repairs it",
                "being repaired",
            ),
            ("Somebody says about the kettle: full of water", "full of water"),
        ] {
            assert_eq!(answer(question, text), Ok(()), "{question}");
        }
    }

    #[test]
    fn what_lists_things_to_do_is_never_meant_by_chance() {
        let steps = json!({"steps": [{"do": "watering the beans", "minutes": 15}]});
        assert!(!may_be_meant(&steps, "watering the beans"));
        assert!(may_be_meant(&json!({"ratings": [2, 1]}), "rate these"));
        assert!(may_be_meant(
            &json!({"choice": "carry_on", "instead": ""}),
            "- carry_on: go on"
        ));
        assert!(!may_be_meant(&json!({"wake": "06:35"}), "gets up around 7am"));
    }

    #[test]
    fn the_steps_of_an_example_with_other_minutes_are_its_copy() {
        let step = |what: &str, minutes: u16| json!({"do": what, "minutes": minutes});
        let example =
            json!({"steps": [step("fetching the watering can", 5), step("watering the beans", 15)]});
        let copy = json!({"steps": [step("fetching the watering can", 30), step("watering the beans", 30)]});
        let own = json!({"steps": [step("fetching the watering can", 5), step("watering the roses", 15)]});
        assert!(copies(&copy, &example) && !copies(&own, &example));
        assert!(!copies(
            &json!({"steps": [step("watering the beans", 25)]}),
            &example
        ));
    }
}
