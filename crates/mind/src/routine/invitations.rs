//! Decisions apart from their wording: whether to come to something, whether to grant a favour.
//!
//! A decision weighs what the resident has agreed to, plans or must do at that time, when it
//! sleeps, whom it likes and what it cares for; chance settles what remains. The reason is kept in
//! words. A refusal that rests on the resident's own words stays one however often it is asked.

use townsfolk_time::{DAY_MINUTES, GameTime, Minute};

use super::attitudes::{self, Feeling};
use super::notices::{Becomes, Notice, is_of_change};
use super::phrases::{Phrases, fill, holds_phrase};
use super::prose::{lower_words, names, unclosed};
use super::rules::Rules;
use super::text::Words;
use super::when;
use crate::tasks::{Appointment, Occasion};
use crate::{Chance, Entry, Identity};

/// Who decides, about whom, knowing what.
pub(crate) struct Decider<'a> {
    pub(crate) who: &'a Identity,
    pub(crate) asker: &'a str,
    pub(crate) now: GameTime,
    pub(crate) feeling: Feeling,
    pub(crate) texts: &'a [&'a str],
    pub(crate) plan: &'a [Entry],
    pub(crate) appointments: &'a [Appointment],
    pub(crate) called_off: &'a [Occasion],
}

/// What speaks for or against coming.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It does not take place.
    CalledOff(String),
    /// Agreed before.
    AlreadyGoing,
    /// Yes.
    Come,
    /// Something else was agreed for then; its name.
    OtherAppointment(String),
    /// The plan has something for then that can't be moved.
    Busy(String),
    /// Work, by the resident's own text.
    Working,
    /// Sleep.
    Asleep,
    /// The subject is no matter to the resident, in its own words.
    Indifferent(String),
    /// Not with this person.
    Dislike,
    /// No interest.
    NoInterest,
}

impl Verdict {
    /// Whether it is a yes.
    pub(crate) fn accepts(&self) -> bool {
        matches!(self, Self::AlreadyGoing | Self::Come)
    }

    /// The reason in words, for the record.
    pub(crate) fn reason(&self, decider: &Decider<'_>) -> String {
        let who = &decider.who.name;
        match self {
            Self::CalledOff(what) => format!("{who} knows that the {what} is off"),
            Self::AlreadyGoing => format!("{who} has agreed to come before"),
            Self::Come if decider.feeling.liking > 0 => format!("{who} likes {}", decider.asker),
            Self::Come => format!("{who} is free then and would like to"),
            Self::OtherAppointment(what) => format!("{who} has agreed to be at the {what} then"),
            Self::Busy(activity) => format!("{who} has planned {activity} for then"),
            Self::Working => format!("{who} has to work then"),
            Self::Asleep => format!("{who} sleeps at that time"),
            Self::Indifferent(words) => words.clone(),
            Self::Dislike => format!("{who} does not like {}", decider.asker),
            Self::NoInterest => format!("{who} is not interested"),
        }
    }
}

/// Whether to come to `occasion`.
pub(crate) fn come(decider: &Decider<'_>, occasion: &Occasion, rules: &Rules<'_>) -> Verdict {
    if decider.called_off.iter().any(|off| is_same(off, occasion)) {
        return Verdict::CalledOff(occasion.what.clone());
    }
    let from = GameTime::at(occasion.date, occasion.start);
    let to = from + i64::from(occasion.minutes) * 60;
    let clash = decider.appointments.iter().find(|a| {
        let start = GameTime::at(a.occasion.date, a.occasion.start);
        start < to && from < start + i64::from(a.occasion.minutes) * 60
    });
    if let Some(clash) = clash {
        return if same_kind(&clash.occasion, occasion) {
            Verdict::AlreadyGoing
        } else {
            Verdict::OtherAppointment(clash.occasion.what.clone())
        };
    }
    if decider.feeling.liking < 0 {
        return Verdict::Dislike;
    }
    let texts = || decider.texts.iter().copied();
    if let Some(words) = attitudes::indifference(decider.who, &occasion.what, texts()) {
        return Verdict::Indifferent(unclosed(words));
    }
    if occasion.date == decider.now.date()
        && let Some(entry) = decider
            .plan
            .iter()
            .find(|e| e.start < occasion.start + occasion.minutes && occasion.start < e.end() && is_fixed(e))
    {
        return if entry.asleep {
            Verdict::Asleep
        } else {
            Verdict::Busy(entry.activity.to_string())
        };
    }
    if sleeps_at(decider.who, occasion.start) {
        return Verdict::Asleep;
    }
    if occasion.date != decider.now.date() && works_at(decider.who, occasion) {
        return Verdict::Working;
    }
    let interest = rules.likeness(&occasion.what, &decider.who.background);
    // Most people like to be asked.
    let wish = 0.74
        + 0.25 * f64::from(u8::from(decider.feeling.kin))
        + 0.15 * f64::from(decider.feeling.liking.clamp(0, 2))
        + 0.08 * f64::from(attitudes::sociability(decider.who))
        + 0.4 * interest.max(0.0);
    // The same for the same occasion whenever it is asked: minds don't change by asking again.
    let steady = Chance {
        tick: 0,
        ..rules.chance
    };
    let purpose = format!("come to {} on {}", occasion.what, occasion.date);
    if steady.happens(&purpose, wish.clamp(0.05, 0.97)) {
        Verdict::Come
    } else {
        Verdict::NoInterest
    }
}

/// Whether two occasions at overlapping times are one.
pub(crate) fn same_kind(a: &Occasion, b: &Occasion) -> bool {
    let words = lower_words(&a.what);
    a.host.is_some() && a.host == b.host || lower_words(&b.what).iter().any(|w| words.contains(w))
}

/// Whether two occasions are one, at whatever time of its day.
pub(crate) fn is_same(a: &Occasion, b: &Occasion) -> bool {
    a.date == b.date && same_kind(a, b)
}

/// An occasion at the time to which it was moved by what was said since, in order.
pub(crate) fn as_moved<'t>(
    mut occasion: Occasion,
    who: &Identity,
    said: impl Iterator<Item = (&'t str, GameTime)>,
) -> Occasion {
    for (text, said) in said.filter(|(text, _)| is_of_change(&Words::new(text))) {
        let notice = Notice::of(text, who, said, &[]);
        let becomes = notice.and_then(|notice| notice.becomes_of(&occasion.what, occasion.date));
        if let Some(Becomes::Moved { stood, to }) = becomes
            && stood.is_none_or(|stood| stood == occasion.start)
        {
            occasion.start = to;
        }
    }
    occasion
}

/// Whether an entry can't give way to an invitation: sleep, work, and what was agreed.
fn is_fixed(entry: &Entry) -> bool {
    let work = &Phrases::get().activity.work;
    entry.asleep || entry.cause.is_some() || lower_words(&entry.activity).iter().any(|w| work.contains(w))
}

/// Whether the resident's lifestyle has it asleep at `minute`: "goes to bed around 9pm, awakes up
/// around 5am". False where its text doesn't say.
pub(crate) fn sleeps_at(who: &Identity, minute: Minute) -> bool {
    let mut bed = None;
    let mut wake = None;
    for part in who.lifestyle.split([',', ';', '.']) {
        let Some(time) = when::clock_times(part).first().map(|t| t.minute) else {
            continue;
        };
        let words = lower_words(part);
        let has = |all: &[&str]| words.iter().any(|w| all.contains(&w.as_str()));
        if has(&["bed", "sleeps", "asleep"]) {
            bed = Some(time);
        } else if has(&["awakes", "wakes", "rises", "up", "awake"]) {
            wake = Some(time);
        }
    }
    match (bed, wake) {
        (Some(bed), Some(wake)) if bed < wake => (bed..wake).contains(&minute),
        (Some(bed), Some(wake)) => minute >= bed || minute < wake,
        _ => false,
    }
}

/// Whether the resident's daily requirement has it at work for most of the occasion: the two times
/// of "opens at 8am … until 6pm".
fn works_at(who: &Identity, occasion: &Occasion) -> bool {
    let times: Vec<Minute> = when::clock_times(&who.daily_requirement)
        .iter()
        .map(|t| t.minute)
        .collect();
    let (Some(&from), Some(&to)) = (times.first(), times.get(1)) else {
        return false;
    };
    let end = (occasion.start + occasion.minutes).min(DAY_MINUTES);
    // At one's own place of work one is there anyway.
    let there = occasion
        .place
        .as_deref()
        .is_some_and(|place| who.daily_requirement.contains(place));
    if from >= to || there {
        return false;
    }
    let overlap = end.min(to).saturating_sub(occasion.start.max(from));
    u32::from(overlap) * 2 > u32::from(occasion.minutes)
}

/// Whether a favour is granted, and where it is refused by the resident's own words, those words.
pub(crate) fn favour(decider: &Decider<'_>, request: &str, rules: &Rules<'_>) -> (bool, Option<String>) {
    if let Some(words) = refusal(decider, request) {
        return (false, Some(words));
    }
    if decider.feeling.liking < 0 {
        return (false, None);
    }
    let willing = if attitudes::is_harsh(decider.who) {
        0.25
    } else if attitudes::is_kind(decider.who) || decider.feeling.liking > 0 {
        0.95
    } else {
        0.75
    };
    let steady = Chance {
        tick: 0,
        ..rules.chance
    };
    let granted = steady.happens(
        &format!("grant {} to {}", request.to_lowercase(), decider.asker),
        willing,
    );
    (granted, None)
}

/// A statement of the resident's own that refuses what is asked: "never lends tools" against "Could
/// you lend me your saw?".
fn refusal(decider: &Decider<'_>, request: &str) -> Option<String> {
    let phrases = Phrases::get();
    let asked: Vec<String> = lower_words(request)
        .iter()
        .filter(|w| !phrases.grammar.speaks(w) && !names(decider.asker, w))
        .map(|w| stem(w))
        .collect();
    let own = attitudes::own_statements(decider.who).flat_map(|s| s.split([',', ';']));
    let remembered = decider
        .texts
        .iter()
        .copied()
        .filter(|t| names(t, &decider.who.name));
    own.chain(remembered).find_map(|statement| {
        let lower = statement.to_lowercase();
        let denies = phrases
            .attitude
            .refusals
            .iter()
            .any(|denial| holds_phrase(&lower, denial));
        let matches = lower_words(&lower)
            .iter()
            .filter(|w| !phrases.grammar.speaks(w))
            .any(|w| asked.contains(&stem(w)));
        (denies && matches).then(|| {
            let statement = unclosed(statement);
            let who = decider.who;
            if names(&statement, &who.name) || statement.contains(&*who.first_name) {
                statement
            } else {
                fill("{who} {words}", &[("who", &who.name), ("words", &statement)])
            }
        })
    })
}

/// A rough stem, so that "lends" meets "lend" and "lending", and "borrow" meets "lend".
fn stem(word: &str) -> String {
    let word = match word {
        "borrow" | "borrows" | "borrowing" | "loan" => "lend",
        other => other,
    };
    for ending in ["ing", "ed", "es", "s"] {
        if let Some(stem) = word.strip_suffix(ending).filter(|s| s.len() > 2) {
            return stem.to_owned();
        }
    }
    word.to_owned()
}
