//! Times of day as models write them.
//!
//! On top of the shapes that people write in English (`6`, `06:00`, `6:30 AM`, `around six in the
//! morning`, `0600 hours`, `noon-ish`) those of Chinese and Japanese (`早上6点半`, `午後6時`), full-width
//! digits, minutes after midnight for numbers that are no hours, and `24:00`.

use townsfolk_time::{DAY_MINUTES, Minute};

use super::reading::Reading;
use super::wire::is_dense;
use crate::routine::when::clock_times;

/// The first time of day in a text, 0 to 1,439; none where it names no possible one. `24:00` is the
/// midnight that ends a day and gives 0.
pub fn minute_in(text: &str) -> Option<Minute> {
    let text = narrow(text);
    let trimmed = text.trim().trim_matches(['"', '\'', '.', '~', '*', '`']);
    if let Ok(number) = trimmed.parse::<u16>() {
        return match number {
            0..=23 => Some(number * 60),
            24 => Some(0),
            // "25" is no hour, and nobody means 00:25 by it.
            60..DAY_MINUTES if trimmed.len() == 3 || number >= 1_000 && number % 100 >= 60 => Some(number),
            100..2_400 if number % 100 < 60 => Some(number / 100 * 60 + number % 100),
            _ => None,
        };
    }
    if trimmed.starts_with('-') {
        return None;
    }
    if trimmed.starts_with("24:00") {
        return Some(0);
    }
    // "2023-02-13T06:00:00" and "06:00:00" say what "06:00" says.
    let after_date = trimmed.split_once('T').map_or(trimmed, |(date, time)| {
        if date.ends_with(|c: char| c.is_ascii_digit()) {
            time
        } else {
            trimmed
        }
    });
    let after_date = without_seconds(after_date);
    let first = |text: &str| clock_times(text).first().map(|time| time.minute);
    // "six in the evening" is a time where one is asked for.
    east_asian(after_date)
        .or_else(|| first(&spaced(after_date)))
        .or_else(|| first(&format!("at {after_date}")))
}

/// The first time of day in a text and, where it begins a range ("5:30-6:30", "晚上9点到10点"), the range's end.
pub(crate) fn span_in(text: &str) -> Option<(Minute, Option<Minute>)> {
    let words = &Reading::get().clock;
    let narrowed = narrow(text);
    let range = words.until.iter().find_map(|mark| {
        let (before, after) = narrowed.split_once(mark.as_str())?;
        if !has_clock(before) || !has_clock(after) {
            return None;
        }
        let (start, end) = (minute_in(before)?, minute_in(after)?);
        // "晚上9点到10点" says the half of the day once; what begins in the morning may end after it.
        let half = words.half_in(before).filter(|_| words.half_in(after).is_none());
        Some((
            start,
            half.map_or(end, |(_, from)| if from > 0 { in_half(end, from) } else { end }),
        ))
    });
    match range {
        Some((start, end)) => Some((start, (end != start).then_some(end))),
        None => Some((minute_in(text)?, None)),
    }
}

/// Whether a text is written like a time: a colon between digits, a half of the day, an hour's sign.
pub(super) fn has_clock(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let colon = text.char_indices().any(|(i, c)| {
        matches!(c, ':' | '：')
            && text[..i].ends_with(|c: char| c.is_ascii_digit())
            && text[i + c.len_utf8()..].starts_with(|c: char| c.is_ascii_digit())
    });
    colon
        || ["am", "pm", "a.m", "p.m"].iter().any(|mark| lower.contains(mark))
        || Reading::get().clock.hour_sign_in(&lower).is_some()
}

/// "06:15" of "06:15:00"; any other text as it is.
fn without_seconds(text: &str) -> &str {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match text.rsplit_once(':') {
        Some((minutes, seconds))
            if digits(seconds) && minutes.split(':').count() == 2 && minutes.split(':').all(digits) =>
        {
            minutes
        }
        _ => text,
    }
}

/// Full-width digits and colons as plain ones.
pub(crate) fn narrow(text: &str) -> String {
    let narrowed = |c: char| match c {
        '０'..='９' => char::from_u32(u32::from(c) - u32::from('０') + u32::from('0')).unwrap_or(c),
        '：' => ':',
        '～' | '〜' => '-',
        c => c,
    };
    text.chars().map(narrowed).collect()
}

/// "晚上9点半", "午後6時30分", "下午 3:20".
fn east_asian(text: &str) -> Option<Minute> {
    let words = &Reading::get().clock;
    let half = words.half_in(text);
    let Some(sign) = words.hour_sign_in(text) else {
        let after_half = half.and_then(|(word, from)| {
            let minute = clock_times(&spaced(&text[word.end..])).first()?.minute;
            Some(in_half(minute, from))
        });
        let says = |words: &[String]| words.iter().any(|word| text.contains(word.as_str()));
        return after_half
            .or_else(|| says(&words.noon).then_some(720))
            .or_else(|| says(&words.midnight).then_some(0));
    };
    let (hour, _) = words.number_at_end(text[..sign.start].trim_end())?;
    if hour > 24 {
        return None;
    }
    let (minutes, _) = words.minutes_behind(&text[sign.end..])?;
    let minute = hour % 24 * 60 + minutes;
    Some(match half {
        Some((word, from)) if word.start < sign.start && hour <= 12 => in_half(minute, from),
        _ => minute,
    })
}

/// The time of day that a clock of twelve hours shows as `minute`, in the twelve hours from an hour on.
fn in_half(minute: Minute, from: u16) -> Minute {
    let hour = minute / 60;
    if hour > 12 {
        return minute;
    }
    let twice = [hour % 12, hour % 12 + 12];
    let hour = twice.into_iter().find(|hour| *hour >= from).unwrap_or(hour % 12);
    hour * 60 + minute % 60
}

/// A text with spaces between words of scripts that have none, and numbers: "上午8:30" as "上午 8:30".
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        let before = spaced.chars().next_back();
        if before.is_some_and(|before| {
            is_dense(before) && c.is_ascii_digit() || before.is_ascii_digit() && is_dense(c)
        }) {
            spaced.push(' ');
        }
        spaced.push(c);
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_the_shapes_that_models_write() {
        for (text, minute) in [
            ("6", 360),
            ("06:00", 360),
            ("6 am", 360),
            ("6:30 AM", 390),
            ("around six in the morning", 360),
            ("0600 hours", 360),
            ("0630", 390),
            ("18:00", 1_080),
            ("six in the evening", 1_080),
            ("noon-ish", 720),
            ("Wren gets up at 6am because she opens at 8am", 360),
            ("24:00", 0),
            ("2023-02-13T06:15:00", 375),
            ("06:15:00", 375),
            ("早上6点半", 390),
            ("5 点起床", 300),
            ("晚上 9 点睡觉", 1_260),
            ("午後6時30分", 1_110),
            ("午前７時", 420),
            ("十一点", 660),
            ("下午 3:20", 920),
            ("上午8:30", 510),
            ("晚上10:30睡觉", 1_350),
            ("朝7:15", 435),
            ("午前7:00", 420),
            ("七点二十", 440),
            ("七点二十分", 440),
            ("七点零五", 425),
            ("七点一刻", 435),
            ("八点三刻", 525),
            ("二十二点", 1_320),
            ("二十一時三十分", 1_290),
            ("六点一起吃饭", 360),
            ("中午1点", 780),
            ("中午12点半", 750),
            ("午後0時半", 750),
            ("夜里2点", 120),
            ("夜中の2時", 120),
            ("深夜1時", 60),
            ("半夜1点", 60),
            ("晚上1点", 60),
            ("晚上12点", 0),
            ("午夜12点", 0),
            ("夜12時", 0),
            ("深夜11時", 1_380),
            ("夜6時", 1_080),
            ("凌晨12点半", 30),
        ] {
            assert_eq!(minute_in(text), Some(minute), "{text}");
        }
    }

    #[test]
    fn ranges_have_an_end() {
        for (text, start, end) in [
            ("5:30-6:30", 330, Some(390)),
            ("5:30 – 6:30", 330, Some(390)),
            ("7:00 am to 8:15 am", 420, Some(495)),
            ("22:00-06:00", 1_320, Some(360)),
            ("晚上9点到10点", 1_260, Some(1_320)),
            ("上午11点至下午1点", 660, Some(780)),
            ("上午10点到12点", 600, Some(720)),
            ("晚上10点到12点", 1_320, Some(0)),
            ("夜11時から2時", 1_380, Some(120)),
            ("午後6時～7時半", 1_080, Some(1_170)),
            ("18時から19時", 1_080, Some(1_140)),
            ("06:00", 360, None),
            ("2023-02-13T06:15:00", 375, None),
            ("2023-02-13 06:15", 375, None),
        ] {
            assert_eq!(span_in(text), Some((start, end)), "{text}");
        }
        assert_eq!(span_in("soon"), None);
    }

    #[test]
    fn what_is_no_time_of_day_is_none() {
        for text in ["25", "", "soon", "-3", "99:99", "25点"] {
            assert_eq!(minute_in(text), None, "{text}");
        }
    }
}
