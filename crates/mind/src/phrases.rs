//! How cognition words what it remembers and shows. Words are data: one file per language.

use std::sync::OnceLock;

use serde::Deserialize;
use townsfolk_time::{Date, Minute, clock};

/// The languages there are phrasings for; the first serves all others.
const FILES: [(&str, &str); 3] = [
    ("en", include_str!("../phrases/en.toml")),
    ("zh", include_str!("../phrases/zh.toml")),
    ("ja", include_str!("../phrases/ja.toml")),
];

/// The phrasings of one language, as read from `phrases/LANGUAGE.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the file's keys say what they are")]
pub struct Phrases {
    pub person_does: String,
    /// How it is said of activities of some form instead; the first that fits counts.
    #[serde(default)]
    pub person_forms: Vec<Form>,
    pub person_sleeps: String,
    pub person_walks: String,
    pub object_is: String,
    /// How it is said of states of some form instead; the first that fits counts.
    #[serde(default)]
    pub object_forms: Vec<Form>,
    pub plan: String,
    pub stroke: String,
    pub weekdays: [String; 7],
    pub months: [String; 12],
    pub date: String,
    pub sleeping: String,
    pub resting: String,
    pub talking: String,
    pub waiting: String,
    pub visiting: String,
    pub visiting_as: String,
    pub visiting_talk: String,
    pub told_outsider: String,
    pub street: String,
    pub whose: String,
    pub the: String,
    /// How something begins that needs no article.
    pub as_is: Vec<String>,
    pub attending: String,
    pub attending_at: String,
    pub hosting: String,
    pub hosting_at: String,
    pub ask_plans: String,
    pub ask_recent: String,
    pub ask_relation: String,
    pub ask_person: String,
    pub ask_self: Vec<String>,
    /// What ends a sentence.
    pub sentence_ends: Vec<String>,
    /// How a sentence begins that goes on about the one before.
    pub continues: Vec<String>,
}

/// How a sentence goes whose words have a certain form.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// How the words begin.
    #[serde(default)]
    pub begins: String,
    /// How they end, and what stands there in the sentence; of several the longest counts. Empty: any end.
    #[serde(default)]
    pub ends: Vec<[String; 2]>,
    /// The sentence.
    pub says: String,
}

impl Form {
    /// Words as the sentence has them, if they have the form.
    fn of(&self, words: &str) -> Option<String> {
        if !words.starts_with(self.begins.as_str()) {
            return None;
        }
        let ends = self.ends.iter();
        let found = ends.filter_map(|[end, form]| Some((words.strip_suffix(end.as_str())?, form)));
        match found.min_by_key(|(stem, _)| stem.len()) {
            Some((stem, form)) => Some(format!("{stem}{form}")),
            None => self.ends.is_empty().then(|| words.to_owned()),
        }
    }
}

/// The sentence for words, which stand in it by a name: that of the first form they have, else the usual one.
fn formed<'f>(forms: &'f [Form], usual: &'f str, words: &str) -> (&'f str, String) {
    let formed = |form: &'f Form| Some((form.says.as_str(), form.of(words)?));
    forms
        .iter()
        .find_map(formed)
        .unwrap_or_else(|| (usual, words.to_owned()))
}

impl Phrases {
    /// The phrasings for a town's language, such as `zh` or `zh-Hans`; English where there are none
    /// of its own.
    pub fn of(language: &str) -> &'static Self {
        static LANGUAGES: OnceLock<Vec<(&str, Phrases)>> = OnceLock::new();
        let languages = LANGUAGES.get_or_init(|| {
            let read = |(language, text)| {
                let phrases = toml::from_str(text).expect("the compiled-in files are checked by a test");
                (language, phrases)
            };
            FILES.map(read).into()
        });
        let main = language.split(['-', '_']).next().unwrap_or_default();
        let own = languages.iter().find(|(name, _)| main.eq_ignore_ascii_case(name));
        &own.unwrap_or(&languages[0]).1
    }

    /// A thing with its article, in languages that have one.
    pub fn the(&self, what: &str) -> String {
        if self.as_is.iter().any(|start| what.starts_with(start.as_str())) {
            what.to_owned()
        } else {
            fill(&self.the, &[("what", what)])
        }
    }

    /// A date in words, such as "Tuesday February 14".
    pub fn date(&self, date: Date) -> String {
        let weekday = date.weekday().to_monday_zero_offset() as usize;
        let month = (date.month() - 1) as usize;
        let day = date.day().to_string();
        fill(
            &self.date,
            &[
                ("weekday", &self.weekdays[weekday]),
                ("month", &self.months[month]),
                ("day", &day),
            ],
        )
    }

    /// A text in statements that stand alone: its sentences, where those that lean on the one before
    /// stay with it.
    pub fn statements(&self, text: &str) -> Vec<String> {
        let mut statements: Vec<String> = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let ends = self
                .sentence_ends
                .iter()
                .filter_map(|end| Some(rest.find(end.as_str())? + end.len()))
                .min();
            let (sentence, after) = rest.split_at(ends.unwrap_or(rest.len()));
            rest = after.trim_start();
            let leans = self
                .continues
                .iter()
                .any(|start| sentence.starts_with(start.as_str()));
            match statements.last_mut() {
                Some(last) if leans => {
                    if last.ends_with(|c: char| c.is_ascii()) {
                        last.push(' ');
                    }
                    last.push_str(sentence.trim());
                }
                _ => statements.push(sentence.trim().to_owned()),
            }
        }
        statements
    }

    /// What somebody does who talks with `other`.
    pub fn talking_with(&self, other: &str) -> String {
        fill(&self.talking, &[("other", other)])
    }

    /// What a visitor does who talks with `other`, with what they are, if that was said.
    pub fn visitor_talking_with(&self, other: &str, role: &str) -> String {
        if role.trim().is_empty() {
            self.talking_with(other)
        } else {
            fill(&self.visiting_talk, &[("other", other), ("role", role)])
        }
    }

    /// What a visitor does, with what they are, if that was said.
    pub fn visiting_as(&self, role: &str) -> String {
        if role.trim().is_empty() {
            self.visiting.clone()
        } else {
            fill(&self.visiting_as, &[("role", role)])
        }
    }

    /// The questions a resident's summary of itself rests on (Park et al. 2023, appendix A: core
    /// characteristics, current occupation, feeling about recent progress).
    pub fn self_questions(&self, name: &str) -> Vec<String> {
        let questions = self.ask_self.iter();
        questions
            .map(|question| fill(question, &[("name", name)]))
            .collect()
    }

    /// The two questions that say what somebody is to the resident (Park et al. 2023, section 4.3.1).
    pub fn questions_about(&self, name: &str, other: &str) -> [String; 2] {
        let values: &[(&str, &str)] = &[("name", name), ("other", other)];
        [fill(&self.ask_relation, values), fill(&self.ask_person, values)]
    }

    /// What is seen of somebody who does something, such as "Ilse Brandt is cooking".
    pub fn person_does(&self, name: &str, doing: &str) -> String {
        let (says, activity) = formed(&self.person_forms, &self.person_does, doing);
        fill(says, &[("name", name), ("activity", &activity)])
    }

    /// What is seen of a thing, such as "the stove is burning".
    pub fn object_is(&self, object: &str, state: &str) -> String {
        let (says, state) = formed(&self.object_forms, &self.object_is, state);
        fill(says, &[("object", object), ("state", &state)])
    }

    /// An activity and when it starts, such as "having lunch at 12:00".
    pub fn stroke(&self, activity: &str, start: Minute) -> String {
        fill(&self.stroke, &[("activity", activity), ("time", &clock(start))])
    }
}

/// Puts values in the places of `{name}`s; a name without a value leaves nothing. A value's own
/// braces stay as they are.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            filled.push('{');
            rest = after;
            continue;
        };
        filled.push_str(
            values
                .iter()
                .find(|(key, _)| *key == name)
                .map_or("", |(_, value)| value),
        );
        rest = after;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_braces_stay_as_they_are() {
        assert_eq!(
            fill(
                "{name} is {activity}",
                &[("name", "{activity}"), ("activity", "up")]
            ),
            "{activity} is up"
        );
        assert_eq!(fill("{unknown} {", &[]), " {");
    }

    #[test]
    fn every_phrase_of_the_compiled_in_files_is_there() {
        let phrases = Phrases::of("en");
        assert_eq!(phrases.date(Date::constant(2023, 2, 14)), "Tuesday February 14");
        assert_eq!(phrases.stroke("having lunch", 720), "having lunch at 12:00");
        let day = Date::constant(2023, 2, 14);
        assert_eq!(Phrases::of("zh-Hans").date(day), "2月14日星期二");
        assert_eq!(Phrases::of("JA").date(day), "2月14日火曜日");
        assert_eq!(Phrases::of("pt").date(day), phrases.date(day));
    }

    #[test]
    fn what_somebody_does_and_how_a_thing_is_fit_their_sentences() {
        let (ja, zh) = (Phrases::of("ja"), Phrases::of("zh"));
        for (doing, said) in [
            ("散歩", "Maraは散歩をしている"),
            ("必要なものを用意する", "Maraは必要なものを用意している"),
            ("客と話しています", "Maraは客と話している"),
            ("歯を磨いている", "Maraは歯を磨いている"),
            ("歯を磨く", "Maraは歯を磨いている"),
            ("本を読む", "Maraは本を読んでいる"),
            ("カフェへ行く", "Maraはカフェへ行っている"),
            ("朝食を食べます", "Maraは朝食を食べます"),
            ("朝食を食べる", "Maraは朝食を食べている"),
            ("花束を作る", "Maraは花束を作っている"),
            ("おやつ", "Maraはおやつをしている"),
        ] {
            assert_eq!(ja.person_does("Mara", doing), said);
        }
        for (state, said) in [
            ("使用中", "deskは使用中の状態だ"),
            ("人が寝ている", "deskは人が寝ている状態だ"),
            ("磨かれています", "deskは磨かれている状態だ"),
            ("使われていない", "deskは使われていない状態だ"),
            ("熱い", "deskは熱い状態だ"),
        ] {
            assert_eq!(ja.object_is("desk", state), said);
        }
        assert_eq!(zh.person_does("Mara", "在房间里看书"), "Mara正在房间里看书");
        assert_eq!(zh.person_does("Mara", "看书"), "Mara正在看书");
    }

    #[test]
    fn a_sentence_that_leans_on_another_stays_with_it() {
        let text = "Ilse Brandt paints boats. She likes blue. Ilse is curious about the election.";
        let statements = Phrases::of("en").statements(text);
        assert_eq!(
            statements,
            [
                "Ilse Brandt paints boats. She likes blue.",
                "Ilse is curious about the election."
            ]
        );
        let text = "林秋开了一家茶馆。她喜欢下雨。茶馆明天关门。";
        let statements = Phrases::of("zh").statements(text);
        assert_eq!(statements, ["林秋开了一家茶馆。她喜欢下雨。", "茶馆明天关门。"]);
    }
}
