//! A whisper as a thought of one's own.

use std::borrow::Cow;

use serde::Serialize;

use super::TextTask;
use crate::model::wire::sentence;
use crate::model::{Fit, Who};
use crate::routine::{Rules, speech};
use crate::{Identity, TaskKind};

/// Asks for a whisper ("You are planning a party") as a statement about the resident ("Mara Ilves
/// is planning a party").
#[derive(Clone, Debug, Serialize)]
pub struct InnerThought<'a> {
    /// Who hears it.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// The whisper.
    pub whisper: &'a str,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    whisper: Cow<'a, str>,
}

/// Whether a thought is about what was whispered: every number of it is there, and one word at least, by
/// its beginning. Where nobody writes spaces between words, two letters of one stand for it.
fn keeps(whisper: &str, thought: &str) -> Result<(), String> {
    let (whisper, thought) = (whisper.to_lowercase(), thought.to_lowercase());
    let numbers = whisper.split(|c: char| !c.is_ascii_digit());
    if let Some(lost) = numbers
        .filter(|number| !number.is_empty())
        .find(|n| !thought.contains(*n))
    {
        return Err(format!(
            "it leaves out {lost}; keep every name, day and time of what is whispered"
        ));
    }
    let beginnings = |text: &str| -> Vec<String> {
        let mut found = Vec::new();
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            let letters: Vec<char> = word.chars().collect();
            if word.is_ascii() || letters.iter().all(|c| (*c as u32) < 0x2E80) {
                found.extend((letters.len() >= 4).then(|| letters[..4].iter().collect()));
            } else {
                found.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
            }
        }
        found
    };
    let (said, kept) = (beginnings(&whisper), beginnings(&thought));
    if said.is_empty() || said.iter().any(|word| kept.contains(word)) {
        return Ok(());
    }
    Err("it says nothing of what is whispered; state just that, about the resident".to_owned())
}

impl TextTask for InnerThought<'_> {
    const ASKS: TaskKind = TaskKind::InnerThought;

    fn shown(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            whisper: fit.text(self.whisper),
        }
    }

    fn take(&self, line: String) -> Result<String, String> {
        sentence(&line)?;
        keeps(self.whisper, &line)?;
        Ok(line)
    }

    fn text_by_rule(&self, _rules: &Rules<'_>) -> String {
        let who = self.who;
        let thought = speech::thought(self.whisper, &who.name, &who.first_name);
        // Nothing whispered is still something that happened to somebody.
        if thought.is_empty() {
            who.name.to_string()
        } else {
            thought
        }
    }
}

#[cfg(test)]
mod tests {
    use super::keeps;

    #[test]
    fn a_thought_is_about_what_was_whispered() {
        let whisper = "You will run for mayor on Saturday at 3pm";
        assert!(keeps(whisper, "Isabella will run for mayor on Saturday at 3pm").is_ok());
        assert!(keeps(whisper, "Isabella is a candidate for mayor, from 3 on Saturday").is_ok());
        assert!(keeps(whisper, "Isabella will run for mayor on Saturday").is_err());
        assert!(
            keeps(
                whisper,
                "Well, let me think about that. I believe 3 would carry on."
            )
            .is_err()
        );
        assert!(keeps("你打算周六竞选镇长", "林秋打算周六竞选镇长").is_ok());
        assert!(keeps("你打算周六竞选镇长", "我认为评分应为七分").is_err());
        assert!(keeps("Go!", "Mara goes").is_ok());
    }
}
