//! Answers in plain text: a bare value, labelled lines, numbered lists, tables.

use serde_json::{Map, Value};

use super::Plain;
use super::shape::{is_type, main_field, means, properties};
use crate::model::clock::{has_clock, minute_in};
use crate::model::reading::Reading;
use crate::model::utterance::unquoted;
use crate::model::wire::is_dense;

/// More words than these in one line, without a number, a bullet or minutes, are no item of a list.
const FEW_WORDS: usize = 3;
const HOUR_MINUTES: u32 = 60;

/// A value near to the shape of `schema`; none where the text holds nothing like it.
pub(super) fn read(text: &str, schema: &Value, plain: Plain) -> Option<Value> {
    if let Some(labelled) = labelled(text, schema) {
        return Some(labelled);
    }
    let (name, field) = main_field(schema)?;
    let value = if is_type(field, "array") {
        let items = field.get("items")?;
        if items.get("properties").is_some() {
            table(text, items).or_else(|| list(text, items))?
        } else if is_type(items, "integer") {
            numbers(text)?
        } else {
            texts(text)?
        }
    } else {
        let text = bare(text).filter(|text| plain == Plain::Words || looks_meant(text))?;
        Value::String(text)
    };
    Some(Value::Object(Map::from_iter([(name.to_owned(), value)])))
}

/// One item of a list in one line: "2) watering trays (25 min, 25 left)", "07:00 - has breakfast".
pub(super) fn item(line: &str, schema: &Value) -> Option<Value> {
    let (_, text) = unmarked(line);
    let mut item = Map::new();
    let mut said = text.to_owned();
    for (name, _) in properties(schema) {
        match name {
            "minutes" => {
                if let Some((minutes, without)) = duration(&said) {
                    item.insert(name.to_owned(), minutes.into());
                    said = without;
                }
            }
            "at" | "from" => {
                if let Some((time, without)) = time(&said) {
                    item.insert(name.to_owned(), time.into());
                    said = without;
                }
            }
            "because" => {
                if let Some((numbers, without)) = in_brackets(&said) {
                    item.insert(name.to_owned(), numbers);
                    said = without;
                }
            }
            _ => {}
        }
    }
    let said = said
        .trim()
        .trim_matches(['*', '-', '–', '—', ':', '：', ',', ';', '|', '"', ' ']);
    let said = said.trim_end_matches('.').trim();
    let field = properties(schema)
        .map(|(name, _)| name)
        .find(|name| matches!(*name, "do" | "text"))?;
    if said.is_empty() {
        return None;
    }
    item.insert(field.to_owned(), said.into());
    Some(Value::Object(item))
}

/// "emoji: 🍳 / verb: cooks": at least two of the fields by name, or the only one.
fn labelled(text: &str, schema: &Value) -> Option<Value> {
    let mut object = Map::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches(['-', '*', '•', ' ']);
        let Some((label, value)) = line.split_once([':', '：', '=']) else {
            continue;
        };
        let label = label.trim_matches(['*', '"', '\'', '`', ' ']);
        let field = properties(schema).find(|(name, field)| {
            means(label, name)
                && !object.contains_key(*name)
                && !(is_type(field, "array") && value.trim().is_empty())
        });
        if let Some((name, _)) = field {
            let value = value.trim().trim_matches(['*', '"', '`', ',', ' ']).to_owned();
            object.insert(name.to_owned(), value.into());
        }
    }
    let wanted = if main_field(schema).is_some() { 1 } else { 2 };
    (object.len() >= wanted).then_some(Value::Object(object))
}

/// Items in lines. Lines with a number or bullet, a time or a duration count; the first one counts too
/// where it goes on with a list that the prompt began. A single line of few words is the only item.
fn list(text: &str, schema: &Value) -> Option<Value> {
    let wants = |name: &str| properties(schema).any(|(field, _)| field == name);
    let clocked = wants("at") || wants("from");
    let timed =
        |line: &str| (wants("minutes") && duration(line).is_some()) || (clocked && time(line).is_some());
    let parts = |line| if clocked { timed_parts(line) } else { vec![line] };
    let lines: Vec<&str> = text
        .lines()
        .flat_map(parts)
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let counted = |line: &&&str| unmarked(line).0 || timed(line);
    let mut items: Vec<Value> = lines
        .iter()
        .filter(counted)
        .filter_map(|line| item(line, schema))
        .collect();
    if items.is_empty() {
        let words = text.split_whitespace().count();
        let alone = lines.len() == 1
            && (words <= FEW_WORDS || timed(lines[0]))
            && lines[0].chars().count() <= 80
            && !lines[0].ends_with(['?', '!', ':']);
        if alone && wants("minutes") {
            items.extend(item(lines[0], schema));
        }
    }
    (!items.is_empty()).then_some(Value::Array(items))
}

/// The parts of a line in which several things have their times: "5 点起床 / 5:30-6:30 晨跑". A new one begins
/// where a time follows a separator, and what stands before says something.
fn timed_parts(line: &str) -> Vec<&str> {
    const SEPARATORS: [char; 12] = ['/', '／', '|', ';', '；', ',', '，', '、', '.', '。', '→', '•'];
    // A time is no longer than this, in characters.
    const LONGEST_TIME: usize = 24;
    let mut parts = Vec::new();
    let mut from = 0;
    let mut says = false;
    for (at, c) in line.char_indices() {
        if !SEPARATORS.contains(&c) {
            says |= c.is_alphabetic() && !matches!(c, '点' | '點' | '時' | '时' | '分' | '半');
            continue;
        }
        let after = line[at + c.len_utf8()..].trim_start();
        let end = after
            .char_indices()
            .nth(LONGEST_TIME)
            .map_or(after.len(), |(i, _)| i);
        if says && leading_time(&after[..end]).is_some() {
            parts.push(&line[from..at]);
            from = at + c.len_utf8();
            says = false;
        }
    }
    parts.push(&line[from..]);
    parts
}

/// Rows of a Markdown table whose heads, or else whose cells, say which column is which.
fn table(text: &str, schema: &Value) -> Option<Value> {
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(str::trim)
        .filter(|line| line.matches('|').count() >= 2 || line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let is_rule = |row: &Vec<&str>| {
        row.iter()
            .all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' ')))
    };
    let (head, rest) = rows.split_first()?;
    let mut columns: Vec<(usize, &str)> = Vec::new();
    for (i, cell) in head.iter().enumerate() {
        let field = properties(schema)
            .map(|(name, _)| name)
            .find(|name| means(cell, name) && columns.iter().all(|(_, n)| n != name));
        columns.extend(field.map(|name| (i, name)));
    }
    let body: Vec<&Vec<&str>> = rest.iter().filter(|row| !is_rule(row)).collect();
    if columns.len() < 2 {
        return None;
    }
    let row_of = |row: &&Vec<&str>| {
        let cells = columns.iter().filter_map(|(i, name)| {
            let cell = row.get(*i)?.trim_matches(['*', '`', ' ']);
            (!cell.is_empty()).then(|| ((*name).to_owned(), Value::from(cell)))
        });
        Value::Object(cells.collect())
    };
    let rows: Vec<Value> = body.iter().map(row_of).collect();
    (!rows.is_empty()).then_some(Value::Array(rows))
}

/// Whole numbers: one of each line where there are several lines, all of a single line.
fn numbers(text: &str) -> Option<Value> {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.chars().any(|c| c.is_ascii_digit()))
        .collect();
    let numbers: Vec<Value> = if lines.len() > 1 {
        lines
            .iter()
            .filter_map(|line| first_number(unmarked(line).1).or_else(|| first_number(line)))
            .collect()
    } else {
        all_numbers(text)
    };
    (!numbers.is_empty()).then_some(Value::Array(numbers))
}

/// The first number of a line, after a colon if there is one; "7/10" is 7.
fn first_number(line: &str) -> Option<Value> {
    let after = line
        .rsplit_once([':', '：', '→', '='])
        .map_or(line, |(_, after)| after);
    all_numbers(after)
        .into_iter()
        .next()
        .or_else(|| all_numbers(line).into_iter().next())
}

fn all_numbers(text: &str) -> Vec<Value> {
    // What follows a slash is the scale.
    let mut numbers = Vec::new();
    let mut before = ' ';
    let mut digits = String::new();
    let mut scale = false;
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() {
            if digits.is_empty() {
                scale = before == '/';
            }
            digits.push(c);
        } else if !digits.is_empty() {
            if let (false, Ok(number)) = (scale, digits.parse::<u32>()) {
                numbers.push(Value::from(number));
            }
            digits.clear();
        }
        before = c;
    }
    numbers
}

/// Texts: numbered or bulleted lines, else lines that ask, else every line.
fn texts(text: &str) -> Option<Value> {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let marked: Vec<&str> = lines
        .iter()
        .map(|line| unmarked(line))
        .filter(|(m, _)| *m)
        .map(|(_, t)| t)
        .collect();
    let asking: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| line.ends_with(['?', '？']))
        .collect();
    let chosen = if !marked.is_empty() {
        marked
    } else if !asking.is_empty() {
        asking
    } else {
        return None;
    };
    let texts = chosen
        .iter()
        .map(|t| Value::from(t.trim_matches(['*', '"', ' '])))
        .collect();
    Some(Value::Array(texts))
}

/// A bare value: the text without label, quotes, and what is said after a blank line.
fn bare(text: &str) -> Option<String> {
    let text = text.trim().trim_matches('`').trim();
    let first = text.split("\n\n").next().unwrap_or(text).trim();
    // "Sure! Here is the summary:" announces what follows.
    let text = if first.ends_with([':', '：']) && first.len() < text.len() {
        text[first.len()..]
            .trim()
            .split("\n\n")
            .next()
            .unwrap_or("")
            .trim()
    } else {
        first
    };
    let text = unquoted(text.trim_matches(['*', ' ']));
    // Debris of JSON, tables and code is nothing that anybody says.
    let debris = text.contains(['{', '}', '[', ']', '|', '\\', '<', '`']);
    (!text.is_empty() && !debris).then(|| text.to_owned())
}

/// Whether somebody wrote sentences and not just words: more than two words begin with a capital, a quote or a
/// number and end with a mark. Scripts without capitals may begin, and those of Asia end, without one.
fn looks_meant(text: &str) -> bool {
    let begins = !text.starts_with(char::is_lowercase);
    let ends = text.ends_with(|c: char| !c.is_alphanumeric() || is_dense(c));
    text.split_whitespace().count() <= 2 || begins && ends
}

/// A line without the number or bullet before it, and whether there was one.
pub(super) fn unmarked(line: &str) -> (bool, &str) {
    let line = line.trim();
    let digits = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
    if (1..=3).contains(&digits)
        && let Some(rest) = line[digits..].strip_prefix(['.', ')', '、', '．', '）'])
        && !rest.starts_with(|c: char| c.is_ascii_digit())
    {
        return (true, rest.trim());
    }
    for bullet in ["- ", "* ", "• ", "· ", "– "] {
        if let Some(rest) = line.strip_prefix(bullet) {
            return (true, rest.trim());
        }
    }
    (false, line)
}

/// "(25 min, 25 left)", "for 10 minutes", "(duration in minutes: 15)", "30 分钟": the minutes, and the text
/// without them.
fn duration(text: &str) -> Option<(u32, String)> {
    let lower = text.to_ascii_lowercase();
    let words = Reading::get();
    let says = |of: u32| {
        let (text, lower) = (text, lower.as_str());
        move |&(at, end): &(usize, usize)| duration_at(text, lower, at, end, of).is_some()
    };
    let minutes = words
        .minutes
        .iter()
        .flat_map(|unit| words_with(&lower, unit))
        .find(says(1));
    let mut hours = words.hours.iter().flat_map(|unit| {
        let is_unit = |(at, end): &(usize, usize)| lower[*at..*end] == **unit;
        words_with(&lower, unit).filter(is_unit)
    });
    let hours = hours.find(says(HOUR_MINUTES));
    match (hours, minutes) {
        // "1 hour 30 minutes"
        (Some((at, hour_end)), Some((minute, end))) if hour_end <= minute => {
            let more = lower[hour_end..minute].trim().trim_start_matches("and").trim();
            let Ok(more) = more.parse::<u32>() else {
                return duration_at(text, &lower, minute, end, 1);
            };
            let (minutes, without) = duration_at(text, &lower, at, end, HOUR_MINUTES)?;
            Some((minutes.checked_add(more)?, without))
        }
        (_, Some((at, end))) => duration_at(text, &lower, at, end, 1),
        (Some((at, end)), None) => duration_at(text, &lower, at, end, HOUR_MINUTES),
        (None, None) => None,
    }
}

/// Where `part` stands for the first time in a word, and where that word ends; no word twice, so that a text is
/// gone through once. Where nobody writes spaces between words, what is looked for is a word of its own.
fn words_with(text: &str, part: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut looked_at = 0;
    text.match_indices(part).filter_map(move |(at, _)| {
        if at < looked_at {
            return None;
        }
        let end = text[at..].find(|c: char| !c.is_alphabetic());
        looked_at = match end {
            _ if !part.is_ascii() => at + part.len(),
            Some(length) => at + length,
            None => text.len(),
        };
        Some((at, looked_at))
    })
}

/// The minutes around a unit of so many whose word goes from `at` to `word`: the number before it, else the one
/// after a colon.
fn duration_at(text: &str, lower: &str, at: usize, word: usize, of: u32) -> Option<(u32, String)> {
    let before = lower[..at].trim_end_matches([' ', '-']);
    let number = before
        .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
        .len();
    let number = before[number..].trim_start_matches('.');
    let start = before.len() - number.len();
    let whole = |number: f64| {
        let minutes = number * f64::from(of);
        (minutes.fract() == 0.0 && minutes < f64::from(u32::MAX)).then_some(minutes as u32)
    };
    let (minutes, from, to) = match number.parse::<f64>() {
        Ok(number) => (whole(number)?, start, word),
        Err(_) => {
            let after = lower[word..].strip_prefix([':', '='])?.trim_start();
            let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            let end = lower.len() - after.len() + digits;
            (after[..digits].parse::<u32>().ok()?.checked_mul(of)?, at, end)
        }
    };
    let open = text[..from].rfind(['(', '[', '（']);
    let close = text[to..].find([')', ']', '）']);
    let (from, to) = match (open, close) {
        // The whole of a bracket goes: "(25 min, 25 left)".
        (Some(open), Some(close)) if !text[open..from].contains([')', ']', '）']) => {
            let close = to + close;
            (
                open,
                close + text[close..].chars().next().map_or(0, char::len_utf8),
            )
        }
        _ => (
            text[..from].trim_end().strip_suffix("for").map_or(from, str::len),
            to,
        ),
    };
    let without = format!("{} {}", text[..from].trim_end(), text[to..].trim_start());
    Some((minutes, without.trim().to_owned()))
}

/// The time of day that a line begins or ends with, as it is written, and the line without it.
fn time(text: &str) -> Option<(String, String)> {
    leading_time(text).or_else(|| {
        // "wake up and wash at 8:00 am"
        let at = text.rfind(" at ")?;
        let part = text[at + 4..].trim().trim_end_matches(['.', ',', ';', ')']);
        let timed = looks_timed(part) && minute_in(part).is_some();
        timed.then(|| (part.to_owned(), text[..at].trim().to_owned()))
    })
}

/// The time or range of times that a line begins with, and what follows it.
fn leading_time(text: &str) -> Option<(String, String)> {
    let trimmed = text.trim().trim_start_matches(['*', '[', '(', ' ']);
    if let Some(end) = marked_hour(trimmed) {
        let (part, rest) = with_end(&trimmed[..end], &trimmed[end..]);
        let rest = Reading::get().clock.done_then(rest);
        let rest = rest.trim_start_matches([':', '：', '-', '–', '—', '～', ' ', '，', '、']);
        return Some((part, rest.to_owned()));
    }
    let separators: &[&str] = &[" - ", " – ", " — ", ": ", "：", ", ", "\t", "] ", ") ", " "];
    // "7:00 am - 8:00 am: breakfast": the shortest beginning that is a time, of three words at most.
    let words: Vec<usize> = trimmed
        .match_indices(' ')
        .map(|(i, _)| i)
        .take(3)
        .chain([trimmed.len()])
        .collect();
    let part_to = |end: usize| trimmed[..end].trim_end_matches([':', '：', ',', '-', '*', ']', ')']);
    let is_time = |part: &str| {
        looks_timed(part)
            && part.starts_with(|c: char| c.is_ascii_digit())
            && has_clock(part)
            && minute_in(part).is_some()
    };
    let mut ends = words.into_iter().filter(|end| *end <= 24);
    let end = ends.find(|end| is_time(part_to(*end)))?;
    let mut part = part_to(end).to_owned();
    // "7:00" goes on with "am".
    let mut rest = trimmed[end..].trim_start();
    if let Some((half, after)) = half_of_day(rest) {
        part = format!("{part} {half}");
        rest = after;
    }
    let (part, rest) = with_end(&part, rest);
    let rest = rest.trim_start();
    let rest = separators
        .iter()
        .find_map(|s| rest.strip_prefix(s))
        .unwrap_or(rest);
    Some((part, rest.trim().to_owned()))
}

fn looks_timed(part: &str) -> bool {
    part.chars().any(|c| c.is_ascii_digit()) && part.len() <= 24
}

/// A time with the end of the range that it begins, if `rest` goes on with one, and what follows.
fn with_end<'t>(start: &str, rest: &'t str) -> (String, &'t str) {
    let marks = &Reading::get().clock.until;
    let rest = rest.trim_start_matches(['-', '–', '—', '~', '～', ' ', '*', ']', ')', ':', '：']);
    let without_mark = |text: &'t str| {
        let without = marks.iter().find_map(|mark| text.strip_prefix(mark.as_str()));
        without.unwrap_or(text).trim_start()
    };
    let goes_on = without_mark(rest);
    if let Some(end) = marked_hour(goes_on) {
        return (
            format!("{start}-{}", &goes_on[..end]),
            without_mark(&goes_on[end..]),
        );
    }
    let word = goes_on.find(' ').map_or(goes_on, |i| &goes_on[..i]);
    let end = word.trim_end_matches([':', '：', ',', ']', ')', '*']);
    let is_time = end.starts_with(|c: char| c.is_ascii_digit()) && has_clock(end) && minute_in(end).is_some();
    if !is_time {
        return (start.to_owned(), rest);
    }
    let after = goes_on[word.len()..].trim_start();
    match half_of_day(after) {
        Some((half, after)) => (format!("{start}-{end} {half}"), after),
        None => (format!("{start}-{end}"), after),
    }
}

/// "am" or "pm" with which a text begins, and what follows.
fn half_of_day(text: &str) -> Option<(&str, &str)> {
    let halves = ["a.m.", "p.m.", "am", "pm", "AM", "PM"];
    halves.into_iter().find_map(|half| {
        let rest = text.strip_prefix(half)?;
        ends_word(rest).then_some((&text[..half.len()], rest))
    })
}

/// Where a time ends that a line begins with and that is written with a sign for the hour: "5 点起床",
/// "晚上 9 点半", "午後6時30分".
fn marked_hour(text: &str) -> Option<usize> {
    let clock = &Reading::get().clock;
    let half = clock.half_in(text).filter(|(word, _)| word.start == 0);
    let rest = half
        .as_ref()
        .map_or(text, |(word, _)| &text[word.end..])
        .trim_start();
    let colon = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let colon = colon
        .strip_prefix([':', '：'])
        .filter(|_| half.is_some() && !rest.starts_with([':', '：']));
    let end = if let Some(minutes) = colon {
        // "上午8:30"
        let after = minutes.trim_start_matches(|c: char| c.is_ascii_digit());
        text.len() - after.len()
    } else {
        let sign = clock.hour_sign_in(rest)?;
        let (_, before) = clock.number_at_end(rest[..sign.start].trim_end())?;
        if !before.is_empty() {
            return None;
        }
        let (_, after) = clock.minutes_behind(&rest[sign.end..])?;
        text.len() - after.len()
    };
    minute_in(&text[..end]).map(|_| end)
}

/// Whether what follows does not go on with the word before it.
fn ends_word(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric())
}

/// "(because of 1, 5, 3)": the numbers, and the text without them.
fn in_brackets(text: &str) -> Option<(Value, String)> {
    let open = text.rfind(['(', '（', '['])?;
    let inside = &text[open..];
    let numbers = all_numbers(inside);
    (!numbers.is_empty()).then(|| (Value::Array(numbers), text[..open].trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_read_as_they_are_written() {
        for (text, minutes, without) in [
            ("watering trays (25 min, 25 left)", 25, "watering trays"),
            ("walking for 10 minutes", 10, "walking"),
            ("lunch (duration in minutes: 15)", 15, "lunch"),
            ("administration, 5 min", 5, "administration,"),
            ("浇花 30 分钟", 30, "浇花"),
            ("散歩 15分間", 15, "散歩"),
            ("30分钟浇花", 30, "浇花"),
            ("看书 2小时", 120, "看书"),
            ("看书 1小时30分钟", 90, "看书"),
            ("reading for 1 hour and 30 minutes", 90, "reading"),
            ("reading (1.5 hours)", 90, "reading"),
            ("reading (25 min, 2 hours left)", 25, "reading"),
            ("walking for 2 hours", 120, "walking"),
            ("散歩（1時間）", 60, "散歩"),
        ] {
            assert_eq!(duration(text), Some((minutes, without.to_owned())), "{text}");
        }
        assert_eq!(duration("a minute of silence"), None);
    }

    #[test]
    fn times_with_signs_for_the_hour_begin_a_line() {
        for (line, at, what) in [
            ("5 点起床", "5 点", "起床"),
            ("晚上 9 点睡觉", "晚上 9 点", "睡觉"),
            ("早上六点半：吃早饭", "早上六点半", "吃早饭"),
            ("七点二十吃早饭", "七点二十", "吃早饭"),
            ("八点三刻开店", "八点三刻", "开店"),
            ("六点一起吃饭", "六点", "一起吃饭"),
            ("上午8:30 开店", "上午8:30", "开店"),
            ("朝7:15に起床", "朝7:15", "起床"),
            ("午後6時30分 夕食", "午後6時30分", "夕食"),
            ("5:30-6:30 晨跑", "5:30-6:30", "晨跑"),
        ] {
            assert_eq!(time(line), Some((at.to_owned(), what.to_owned())), "{line}");
        }
        for (line, at, what) in [
            ("7:00 am - 8:00 am: breakfast", "7:00 am-8:00 am", "breakfast"),
            ("**7:00 to 8:15** breakfast", "7:00-8:15", "breakfast"),
            ("晚上9点到10点 读书", "晚上9点-10点", "读书"),
            ("18時から19時まで 夕食", "18時-19時", "夕食"),
            ("7:00 to the market", "7:00", "to the market"),
        ] {
            assert_eq!(time(line), Some((at.to_owned(), what.to_owned())), "{line}");
        }
        for line in ["几点起床", "25点起床", "有时候散步"] {
            assert_eq!(time(line), None, "{line}");
        }
    }

    #[test]
    fn a_line_may_hold_a_day() {
        for (line, parts) in [
            (
                "5 点起床 / 5:30-6:30 晨跑 / 晚上 9 点睡觉",
                &["5 点起床 ", " 5:30-6:30 晨跑 ", " 晚上 9 点睡觉"][..],
            ),
            (
                "早上六点起床，六点半吃早饭。九点开店",
                &["早上六点起床", "六点半吃早饭", "九点开店"],
            ),
            (
                "7:00 am: wakes up; 8:00 am: eats, reads",
                &["7:00 am: wakes up", " 8:00 am: eats, reads"],
            ),
            ("7:00, 8:00 and 9:00", &["7:00, 8:00 and 9:00"]),
        ] {
            assert_eq!(timed_parts(line), parts, "{line}");
        }
    }

    #[test]
    fn each_word_of_a_long_line_is_looked_at_once() {
        let line = "min".repeat(5_000);
        assert_eq!(words_with(&line, "min").count(), 1);
        let line = "admin minimum ".repeat(1_000);
        let looked_at: usize = words_with(&line, "min").map(|(at, end)| end - at).sum();
        assert!(looked_at <= line.len());
    }
}
