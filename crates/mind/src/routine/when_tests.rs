use proptest::prelude::*;
use townsfolk_time::{DAY_MINUTES, GameTime, clock};

use super::*;

fn read(text: &str) -> String {
    let times: Vec<_> = clock_times(text).iter().map(|t| clock(t.minute)).collect();
    times.join(" ")
}

#[test]
fn times_are_read_however_people_write_them() {
    let cases = [
        ("6", "06:00"),
        ("06:00", "06:00"),
        ("6 am", "06:00"),
        ("6:30 AM", "06:30"),
        ("around six in the morning", "06:00"),
        ("0600 hours", "06:00"),
        ("18:00", "18:00"),
        ("25", ""),
        ("9999:59", ""),
        ("noon-ish", "12:00"),
        ("Wren gets up at 6am because she opens at 8am", "06:00 08:00"),
        ("7amam", "07:00"),
        ("17:30pm", "17:30"),
        ("half past six", "06:30"),
        ("quarter to seven in the evening", "18:45"),
        ("goes to bed around midnight, awakes up around 8am", "00:00 08:00"),
        ("at 6 p.m. sharp", "18:00"),
        ("12am and 12pm", "00:00 12:00"),
        ("from 5 to 7pm", "17:00 19:00"),
        ("5-7pm", "17:00 19:00"),
        ("from 10am to 2", "10:00 14:00"),
        ("from 11 to 1pm", "11:00 13:00"),
        ("six o'clock", "06:00"),
        ("at five thirty pm", "17:30"),
        ("at two at night", "02:00"),
        ("for 10 years, about 6 hours a day, 40 people, room 5", ""),
        ("in 2023", ""),
        ("on February 14th, 2023", ""),
        ("around 6 hours", ""),
        ("at least 6 hours", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text), expected, "{text}");
    }
}

/// What was said on Monday, 12 February 2024 at ten, told on a day of that month at ten.
fn told(text: &str, day: u8) -> String {
    let monday: GameTime = "2024-02-12 10:00".parse().unwrap();
    let now = monday + (i64::from(day) - 12) * 86_400;
    let told = retold(text, monday, now);
    told.into_owned()
}

#[test]
fn what_is_told_speaks_of_the_days_it_was_said_of() {
    for (text, day, expected) in [
        (
            "The library is closed tomorrow",
            12,
            "The library is closed tomorrow",
        ),
        (
            "The library is closed tomorrow",
            13,
            "The library is closed today",
        ),
        (
            "Tomorrow the library is closed.",
            13,
            "Today the library is closed.",
        ),
        (
            "A party tomorrow evening at 7pm",
            13,
            "A party this evening at 7pm",
        ),
        ("Ilse won the race today", 13, "Ilse won the race yesterday"),
        (
            "Ilse won the race tonight",
            14,
            "Ilse won the race on the evening of February 12",
        ),
        (
            "The fair is in three days, at noon",
            13,
            "The fair is on February 15, at noon",
        ),
        ("The fair is the day after tomorrow", 13, "The fair is tomorrow"),
        (
            "It is closed until tomorrow",
            15,
            "It is closed until February 13",
        ),
        ("A supper on Saturday at 6pm", 15, "A supper on Saturday at 6pm"),
        ("A supper on Saturday at 6pm", 18, "A supper yesterday at 6pm"),
        ("A supper on June 4th at 6pm", 18, "A supper on June 4th at 6pm"),
        ("明天休息", 13, "明天休息"),
    ] {
        assert_eq!(told(text, day), expected, "{text}");
    }
}

fn found(text: &str) -> String {
    // A Monday.
    let now: GameTime = "2023-02-13 09:00".parse().unwrap();
    match occasion(text, now) {
        None => "-".to_owned(),
        Some(o) => format!(
            "{} | {} {} +{} | {} | {}",
            o.what,
            o.date,
            clock(o.start),
            o.minutes,
            o.place.as_deref().unwrap_or("-"),
            o.host.as_deref().unwrap_or("-")
        ),
    }
}

#[test]
fn occasions_are_found_with_day_time_place_and_host() {
    let cases = [
        (
            "Valentine's Day party at Hobbs Cafe on February 14th, 2023 from 5pm to 7pm",
            "Valentine's Day party | 2023-02-14 17:00 +120 | Hobbs Cafe | -",
        ),
        (
            "Isabella Rodriguez is planning on having a Valentine's Day party at Hobbs Cafe with her customers on \
             February 14th, 2023 at 5pm. She is gathering party material, and is telling everyone to join the party at \
             Hobbs Cafe on *February 14th, 2023, from 5pm to 7pm*.",
            "Valentine's Day party | 2023-02-14 17:00 +120 | Hobbs Cafe | Isabella Rodriguez",
        ),
        (
            "You are excited to be planning a Valentine's Day party at *Hobbs Cafe on February 14th from 5pm* and you \
             are eager to tell everyone to come to the party",
            "Valentine's Day party | 2023-02-14 17:00 +120 | Hobbs Cafe | -",
        ),
        (
            "Mara Ilves is planning a lantern supper at the boathouse on June 4 at 18:00",
            "lantern supper | 2023-06-04 18:00 +120 | the boathouse | Mara Ilves",
        ),
        (
            "The lantern supper is on June 4 at six.",
            "lantern supper | 2023-06-04 18:00 +120 | - | -",
        ),
        (
            "a concert tomorrow at 18:00 in Johnson Park",
            "concert | 2023-02-14 18:00 +120 | Johnson Park | -",
        ),
        (
            "Come to Mara's picnic on Saturday evening!",
            "picnic | 2023-02-18 18:00 +120 | - | Mara",
        ),
        (
            "Book club this Friday at 7pm at The Rose and Crown Pub.",
            "Book club | 2023-02-17 19:00 +90 | The Rose and Crown Pub | -",
        ),
        (
            "Zoë O'Neill-Ångström is hosting a wedding on 2023-02-20 at noon",
            "wedding | 2023-02-20 12:00 +180 | - | Zoë O'Neill-Ångström",
        ),
        (
            "林 秋 is hosting a tea on 14.02.2023 at 3pm at the pavilion",
            "tea | 2023-02-14 15:00 +60 | the pavilion | 林 秋",
        ),
        (
            "Joon plans an unveiling at the mill in three days at 4pm",
            "unveiling | 2023-02-16 16:00 +60 | the mill | Joon",
        ),
        ("Sam is running for mayor in the election next month", "-"),
        ("She opens Hobbs Cafe at 8am everyday", "-"),
        ("There is a party on February 14th", "-"),
        ("", "-"),
    ];
    for (text, expected) in cases {
        assert_eq!(found(text), expected, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_searched(text in ".{0,80}", seconds in 0i64..4_000_000_000) {
        let times = clock_times(&text);
        prop_assert!(times.iter().all(|t| t.minute < DAY_MINUTES && !t.words.is_empty()));
        let _ = occasion(&text, GameTime::from_seconds(seconds));
    }

    #[test]
    fn any_phrases_are_searched(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "party", "at", "from", "to", "5", "7pm", "tomorrow", "in", "the", "Hobbs Cafe", "half", "past", "-",
                "February", "14th", "2023", "Mara's", "is", "planning", "a", "noon", ".", "next", "Friday", "three", "days",
            ]),
            0..14,
        ),
    ) {
        let text = parts.join(" ");
        if let Some(o) = occasion(&text, "2023-02-13 09:00".parse().unwrap()) {
            prop_assert!(o.minutes > 0 && o.start < DAY_MINUTES && !o.what.trim().is_empty());
        }
    }
}
