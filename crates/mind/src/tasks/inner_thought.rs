//! A whisper as a thought of one's own.

use std::borrow::Cow;

use serde::Serialize;

use super::TextTask;
use crate::model::reading::Reading;
use crate::model::wire::{sentence, shared_words};
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

/// Whether a thought is about what was whispered: every number and time of it is there, a no stays a no, and of
/// the words that say something at least half come back, by their beginnings.
fn keeps(whisper: &str, thought: &str) -> Result<(), String> {
    let reading = Reading::get();
    let [whisper, thought] = [whisper, thought].map(|text| text.to_lowercase().replace('’', "'"));
    let numbers = whisper.split(|c: char| !c.is_ascii_digit());
    let mut numbers = numbers.filter(|number| !number.is_empty());
    let lost = numbers
        .find(|number| !thought.contains(number))
        .or_else(|| reading.times_in(&whisper).find(|time| !thought.contains(time)));
    if let Some(lost) = lost {
        return Err(format!(
            "it leaves out {lost}; keep every name, day and time of what is whispered"
        ));
    }
    if reading.denies(&whisper) && !reading.denies(&thought) {
        return Err("it leaves out that something is not so; keep what is whispered".to_owned());
    }
    let what = reading
        .times_in(&whisper)
        .fold(whisper.clone(), |what, time| what.replace(time, " "));
    let shared = shared_words(&what, &thought);
    if shared.kept * 2 >= shared.all {
        return Ok(());
    }
    Err("it does not say what is whispered; state just that, about the resident".to_owned())
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
        let whisper = "The cafe closes at noon today";
        assert!(keeps(whisper, "Isabella knows that the cafe closes at noon today.").is_ok());
        for other in [
            "The party at Hobbs Cafe is on everybody's mind.",
            "The cafe closes today",
        ] {
            assert!(keeps(whisper, other).is_err(), "{other}");
        }
        let whisper = "You do not trust Tomas";
        assert!(keeps(whisper, "Mara Ilves doesn't trust Tomas.").is_ok());
        assert!(keeps(whisper, "Mara Ilves trusts Tomas.").is_err());
        assert!(keeps("你明天不去咖啡馆", "林秋明天不去咖啡馆。").is_ok());
        for other in ["林秋明天去咖啡馆。", "林秋不去咖啡馆。", "林秋明天不想见玛丽亚。"]
        {
            assert!(keeps("你明天不去咖啡馆", other).is_err(), "{other}");
        }
        let whisper = "あなたは土曜日に町長選に出るつもりだ";
        assert!(keeps(whisper, "秋は土曜日に町長選に出馬する。").is_ok());
        assert!(keeps(whisper, "秋は町長選に出馬する。").is_err());
        assert!(keeps(whisper, "秋は土曜日に喫茶店で働く。").is_err());
    }
}
