//! Reasoning that comes with an answer, and bytes that are no text.

/// Pairs of marks between which models think.
const PAIRS: &[(&str, &str)] = &[
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("◁think▷", "◁/think▷"),
    ("[THINK]", "[/THINK]"),
];

/// What begins the answer proper in formats with channels.
const FINAL: &[&str] = &["<|channel|>final<|message|>", "<|begin_of_solution|>", "<answer>"];
/// What may end it.
const ENDS: &[&str] = &[
    "<|end|>",
    "<|return|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<end_of_turn>",
    "</s>",
    "<|end_of_solution|>",
    "</answer>",
];

/// The answer without the reasoning around it; none where the reply is all reasoning.
///
/// A closed pair goes; after a stray closing mark only what follows counts; after an opening mark that is
/// never closed nothing counts, since nobody knows where the answer would begin.
pub(super) fn answer_of(text: &str) -> Option<String> {
    let mut text = text.to_owned();
    for mark in FINAL {
        if let Some(at) = text.rfind(mark) {
            text = text[at + mark.len()..].to_owned();
        }
    }
    for mark in ENDS {
        if let Some(at) = text.find(mark) {
            text.truncate(at);
        }
    }
    for (open, close) in PAIRS {
        // ASCII case only: positions stay those of the text.
        let mut lower = text.to_ascii_lowercase();
        let (open, close) = (open.to_ascii_lowercase(), close.to_ascii_lowercase());
        if let Some(last) = lower.rfind(&close) {
            let before = lower[..last]
                .find(&open)
                .map_or(String::new(), |at| text[..at].to_owned());
            let after = &text[last + close.len()..];
            text = format!("{before}{after}");
            lower = text.to_ascii_lowercase();
        }
        if let Some(at) = lower.find(&open) {
            text.truncate(at);
            if text.trim().is_empty() {
                return None;
            }
        }
    }
    Some(text)
}

/// A text without control characters and byte-order marks, with plain line ends.
pub(super) fn without_control(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars()
        .filter(|c| matches!(c, '\n' | '\t') || !(c.is_control() || *c == '\u{feff}' || *c == '\u{fffd}'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasoning_never_reaches_an_answer() {
        let of = |text: &str| answer_of(text).map(|t| t.trim().to_owned());
        assert_eq!(
            of("<think>maybe 7? she works late</think>8").as_deref(),
            Some("8")
        );
        assert_eq!(of("<think>maybe 7? she works late"), None);
        assert_eq!(of("maybe 7? she works late</think>8").as_deref(), Some("8"));
        assert_eq!(of("<THINK>a</THINK><think>b</think>8").as_deref(), Some("8"));
        assert_eq!(of("8 <think>was that right?").as_deref(), Some("8"));
        let channels = "<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>8<|return|>";
        assert_eq!(of(channels).as_deref(), Some("8"));
    }
}
