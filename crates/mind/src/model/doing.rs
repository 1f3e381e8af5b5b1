//! What somebody does, in the words that stand behind their name and "is": models tell it as a sentence, an order
//! or an item of a list.

use super::reading::{Reading, after_name};
use super::wire::{is_dense, named};
use crate::Identity;
use crate::routine::activities::{base_of_third_person, gerund, is_verb};

/// Longer ends in brackets are no times, in characters.
const LONGEST_TIME: usize = 24;

/// An activity as sentence patterns need it, or why it is no `what`.
pub(crate) fn doing(text: &str, what: &str, who: &Identity) -> Result<String, String> {
    let said = first_line(text, what)?;
    let reading = Reading::get();
    let said = reading.without_ends(without_time(&said));
    let names = [&*who.name, &*who.first_name];
    let (has_subject, rest) = reading.without_subject(said, &names);
    let is_whose = !has_subject && after_name(said, &names).is_some();
    let done = if is_whose || rest.contains(is_dense) {
        rest.to_owned()
    } else {
        in_progress(rest, has_subject)
    };
    named(&done, what)?;
    Ok(done)
}

/// The first line of a text that says something, without emphasis; or why it is no `what`.
fn first_line(text: &str, what: &str) -> Result<String, String> {
    let mut lines = text.lines().map(|line| line.replace('*', "").trim().to_owned());
    match lines.find(|line| named(line, what).is_ok()) {
        Some(line) => Ok(line),
        None => named(text, what).map(|()| text.trim().to_owned()),
    }
}

/// An activity without how long it takes or when it is, where that stands behind it.
fn without_time(text: &str) -> &str {
    let is_time =
        |end: &str| end.contains(|c: char| c.is_ascii_digit()) && end.chars().count() <= LONGEST_TIME;
    let text = text.trim_end_matches(['.', '。', '!', '！', ' ']);
    let bracket = text
        .strip_suffix([')', '）'])
        .and_then(|inside| inside.rsplit_once(['(', '（']))
        .filter(|(before, inside)| is_time(inside) && !before.trim().is_empty());
    let clause = text.rsplit_once([',', '，', '.', '。']).filter(|(before, end)| {
        is_time(end) && end.contains(':') && !before.ends_with(|c: char| c.is_ascii_digit())
    });
    let before = bracket.or(clause).map_or(text, |(before, _)| before);
    before.trim_end_matches(['.', '。', ' '])
}

/// What is English: "works on it", "work on it" and, of somebody, "starts on it" as "working on it", "starting on it".
fn in_progress(text: &str, of_somebody: bool) -> String {
    let mut words = Vec::new();
    // Whether what comes next must be a verb, or may be one.
    let (mut must, mut may) = (of_somebody, true);
    let mut changed = false;
    for word in text.split(' ') {
        let lower = word.to_lowercase();
        let base = base_of_third_person(&lower);
        let is_word = !lower.is_empty() && lower.bytes().all(|b| b.is_ascii_lowercase());
        let is_done = lower.ends_with("ing") && !is_verb(&lower);
        // Behind its subject a capital begins a name.
        let is_name = of_somebody && word.starts_with(char::is_uppercase);
        if may && is_word && !is_done && !is_name && (must || is_verb(&base)) {
            words.push(gerund(&base));
            changed = true;
        } else {
            words.push(word.to_owned());
        }
        must = false;
        may = changed && lower == "and";
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::samples::Cast;

    #[test]
    fn what_is_done_can_follow_is() {
        let who = Cast::default().who;
        for (text, done) in [
            ("having lunch", "having lunch"),
            ("lunch at the cafe", "lunch at the cafe"),
            (
                "Lunch break at the cafe, 12:00 - 13:00",
                "Lunch break at the cafe",
            ),
            ("Take a rest, etc.", "taking a rest"),
            ("I start the work", "starting the work"),
            ("works on the main part (20 minutes)", "working on the main part"),
            ("I eat breakfast at home. at 08:00", "eating breakfast at home"),
            ("Mara reads in the park", "reading in the park"),
            ("I am reading a book.", "reading a book"),
            ("wakes up and eats breakfast", "waking up and eating breakfast"),
            ("to relax at home", "relaxing at home"),
            (
                "reading a book\n\nExplanation: Mara likes books.",
                "reading a book",
            ),
            ("sorting nails (the long ones)", "sorting nails (the long ones)"),
            ("正在看书", "看书"),
            ("我在家吃早餐。", "在家吃早餐"),
            ("休息(10分钟)", "休息"),
            ("吃晚饭了", "吃晚饭"),
            ("休憩（10分）", "休憩"),
            ("私は散歩をしています。", "散歩"),
            ("asleep", "asleep"),
            ("夕食", "夕食"),
            ("我们一起吃饭", "我们一起吃饭"),
            ("他の準備", "他の準備"),
            ("Mara's boat", "Mara's boat"),
            ("Maraと話すこと", "Maraと話すこと"),
            ("MaraはHobbs Cafeで朝食を食べます", "Hobbs Cafeで朝食を食べます"),
            ("Mara Ilves去Hobbs Cafe", "去Hobbs Cafe"),
            ("Mara决定去Hobbs Cafe喝咖啡", "去Hobbs Cafe喝咖啡"),
            ("Mara和朋友吃饭", "Mara和朋友吃饭"),
            ("她正在看书", "看书"),
            ("她们一起吃饭", "她们一起吃饭"),
            ("Mara Ilves's coffee tasting", "Mara Ilves's coffee tasting"),
            ("Mara Ilvesが店を開ける", "店を開ける"),
            ("Mara decides to read in the park", "reading in the park"),
            ("Mara Hobbs Cafe", "Hobbs Cafe"),
        ] {
            assert_eq!(doing(text, "activity", &who).as_deref(), Ok(done), "{text}");
            assert_eq!(
                doing(done, "activity", &who).as_deref(),
                Ok(done),
                "{done} once more"
            );
        }
    }
}
