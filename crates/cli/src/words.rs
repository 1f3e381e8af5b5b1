//! Small pieces of wording: dates, times, counts, sizes, paths to paste.

use std::path::Path;

use townsfolk_time::{GameTime, Weekday, clock};

/// `Mon 3 Jun`.
pub(crate) fn date(time: GameTime) -> String {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let date = time.date();
    let weekday = match date.weekday() {
        Weekday::Monday => "Mon",
        Weekday::Tuesday => "Tue",
        Weekday::Wednesday => "Wed",
        Weekday::Thursday => "Thu",
        Weekday::Friday => "Fri",
        Weekday::Saturday => "Sat",
        Weekday::Sunday => "Sun",
    };
    let month = MONTHS.get(date.month() as usize - 1).copied().unwrap_or_default();
    format!("{weekday} {} {month}", date.day())
}

/// `18:05`.
pub(crate) fn time_of_day(time: GameTime) -> String {
    clock(time.minute_of_day())
}

/// `Mon 3 Jun 18:05`.
pub(crate) fn moment(time: GameTime) -> String {
    format!("{} {}", date(time), time_of_day(time))
}

/// `Mon 3 Jun 2024 18:05`.
pub(crate) fn moment_with_year(time: GameTime) -> String {
    format!("{} {} {}", date(time), time.date().year(), time_of_day(time))
}

/// `1 day`, `17 days`.
pub(crate) fn count(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// `17,280`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `3 h 20 min`, for a span of game time.
pub(crate) fn span(seconds: i64) -> String {
    let minutes = seconds / 60;
    match (minutes / 1_440, minutes / 60 % 24, minutes % 60) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, 0) => format!("{hours} h"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, 0, 0) => count(days, "day", "days"),
        (days, hours, 0) => format!("{} {hours} h", count(days, "day", "days")),
        (days, hours, minutes) => format!("{} {hours} h {minutes} min", count(days, "day", "days")),
    }
}

/// `4.2 MB`.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// `$0.0042`, `$12.50`.
pub(crate) fn usd(usd: f64) -> String {
    let digits = if usd < 1.0 { 4 } else { 2 };
    format!("${usd:.digits$}")
}

/// The same where a price is known; `no price known` where it is not.
pub(crate) fn maybe_usd(known: Option<f64>) -> String {
    known.map_or_else(|| "no price known".to_owned(), usd)
}

/// A text in one line of at most `most` characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}

/// A path as it can be pasted into a shell.
pub(crate) fn path(path: &Path) -> String {
    let text = path.display().to_string();
    let harmless = |letter: char| letter.is_alphanumeric() || "/._-+,@%:~".contains(letter);
    if !text.is_empty() && text.chars().all(harmless) {
        return text;
    }
    if cfg!(windows) {
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_wording() {
        let time: GameTime = "2024-06-03 18:05".parse().unwrap();
        assert_eq!(moment(time), "Mon 3 Jun 18:05");
        assert_eq!(count(1usize, "day", "days"), "1 day");
        assert_eq!(count(17_280u32, "tick", "ticks"), "17,280 ticks");
        assert_eq!(span(12_000), "3 h 20 min");
        assert_eq!(span(172_800), "2 days");
        assert_eq!(span(50), "50 s");
        assert_eq!(size(4_200_000), "4.2 MB");
        assert_eq!((usd(0.00421), usd(12.5)), ("$0.0042".into(), "$12.50".into()));
        assert_eq!(shortened("a\nlong  text", 6), "a long…");
        assert_eq!(list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }

    #[test]
    fn paths_can_be_pasted() {
        assert_eq!(path(Path::new("two/days.run")), "two/days.run");
        assert_eq!(path(Path::new("川の町.run")), "川の町.run");
        if cfg!(unix) {
            assert_eq!(path(Path::new("it's mine.run")), r"'it'\''s mine.run'");
        }
    }
}
