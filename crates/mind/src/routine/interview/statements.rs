//! What came to mind, statement by statement, without what newer memories have overtaken.

use townsfolk_memory::{MemoryId, MemoryKind};
use townsfolk_time::GameTime;

use super::super::insights::{full_names, is_person};
use super::super::phrases::{Phrases, holds};
use super::super::prose::{bare, lower_words, sentences, unclosed, words};
use super::super::speech;
use super::super::talk::content_words;
use super::super::text::Words;
use super::super::when;
use super::super::words::lexicon;
use super::question::{Question, Telling, Wanted};
use crate::Identity;
use crate::tasks::{Interview, Recalled};

/// One statement of a memory.
pub(super) struct Statement<'a> {
    /// The position of its memory; none where one of the resident's own texts says it.
    pub(super) at: Option<usize>,
    pub(super) memory: &'a Recalled,
    /// The statement, in the third person, not closed.
    pub(super) text: String,
    /// Who told it.
    pub(super) teller: Option<&'a str>,
    /// Its words that carry meaning.
    pub(super) words: Vec<String>,
}

/// The sentences of the resident's own texts, as what it has known from the start.
pub(super) fn own_texts(who: &Identity) -> Vec<Recalled> {
    let over = lexicon().phrases.over_end();
    let texts = [
        &who.background,
        &who.current,
        &who.lifestyle,
        &who.daily_requirement,
    ];
    let own = texts.into_iter().flat_map(|text| sentences(text));
    own.filter(|s| !s.ends_with(over))
        .map(|s| Recalled {
            id: MemoryId::from_index(0),
            kind: MemoryKind::Observation,
            text: unclosed(&speech::named(s, &who.name)).into(),
            subject: who.name.clone(),
            importance: 1,
            created: GameTime::from_seconds(0),
            told_by: None,
            known: true,
        })
        .collect()
}

/// The statements of what came to mind, best first, then of the resident's own texts. Of two on the same matter only the newer is left:
/// what differs in a "not", a time or a number, the state of a thing, and what was said to be so "yet".
/// Where it is asked who told something, everyone who did counts.
pub(super) fn statements<'a>(task: &Interview<'a>, own: &'a [Recalled], told: bool) -> Vec<Statement<'a>> {
    let mut found: Vec<Statement<'a>> = Vec::new();
    let remembered = task
        .recalled
        .iter()
        .enumerate()
        .map(|(at, memory)| (Some(at), memory));
    for (at, memory) in remembered.chain(own.iter().map(|own| (None, own))) {
        for (text, teller) in parts(memory, &task.who.name) {
            let words = content_words(&text, &[]);
            if words.is_empty() || text.ends_with("idle") {
                continue;
            }
            found.push(Statement {
                at,
                memory,
                text,
                teller,
                words,
            });
        }
    }
    let matters: Vec<Vec<String>> = found.iter().map(|s| matter(&s.text, s.memory.created)).collect();
    // Of the same words in two memories, what is known at first hand and outright counts.
    let order = |s: &Statement<'_>, same: bool| {
        let outright = s.teller.is_none() && s.memory.kind != MemoryKind::Conversation;
        (
            same && outright,
            same && s.teller.is_none(),
            s.memory.created,
            s.memory.id,
            s.at,
        )
    };
    let overtaken = |i: usize| {
        let old = &found[i];
        let yet = holds(&old.text.to_lowercase(), &Phrases::get().interview.so_far);
        (0..found.len()).any(|k| {
            let new = &found[k];
            let same_words = new.text == old.text;
            if told && (old.teller.is_some() || new.teller.is_some()) && old.teller != new.teller {
                return false;
            }
            if order(new, same_words) <= order(old, same_words) || matters[i].is_empty() {
                return false;
            }
            let same = matters[i] == matters[k];
            let within = || matters[i].len() > 1 && matters[i].iter().all(|w| matters[k].contains(w));
            let most_met = old.says_most_met(&task.who.name) && new.says_most_met(&task.who.name);
            let state = old.thing().is_some() && old.memory.subject == new.memory.subject;
            same || yet && within() || most_met || state
        })
    };
    let gone: Vec<bool> = (0..found.len()).map(overtaken).collect();
    let mut gone = gone.into_iter();
    found.retain(|_| !gone.next().unwrap_or_default());
    found
}

/// The statements of one memory, with whoever told them. A talk is the points of its summary; what was
/// told is what counts of "has heard from Ilse that …".
fn parts<'a>(memory: &'a Recalled, own: &str) -> Vec<(String, Option<&'a str>)> {
    let phrases = Phrases::get();
    let text = unclosed(&memory.text);
    let points = |rest: &str| rest.split("; ").map(|point| (unclosed(point), None)).collect();
    match memory.kind {
        MemoryKind::Conversation => match after(&text, &phrases.summary.talked, "{points}") {
            Some(rest) => rest.split("; ").map(|point| told(memory, point, own)).collect(),
            None => vec![(text, None)],
        },
        MemoryKind::Plan => {
            let planning = phrases.summary.planning.replace("{who}", own);
            match after(&text, &planning, "{points}") {
                Some(rest) => points(rest),
                // A plan of a day is no statement: see how it is asked for.
                None => Vec::new(),
            }
        }
        MemoryKind::Reflection => {
            let learned = [&phrases.reflection.learned, &phrases.summary.memo];
            let teller = learned.into_iter().find_map(|template| {
                let template = template.replace("{who}", own);
                let (head, _) = template.split_once("{news}")?;
                let (before, between) = head
                    .split_once("{person}")
                    .or_else(|| head.split_once("{whom}"))?;
                let (person, news) = memory.text.strip_prefix(before)?.split_once(between)?;
                Some((unclosed(news), Some(person)))
            });
            vec![teller.unwrap_or((text, None))]
        }
        MemoryKind::Observation => {
            // "(greeting the others)" is a step of what is seen.
            let step = text.ends_with(')') && memory.told_by.is_none();
            let whole = text.split_once(" (").filter(|_| step);
            let text = whole.map_or(text.clone(), |(whole, _)| whole.to_owned());
            vec![(text, memory.told_by.as_deref())]
        }
    }
}

/// A point of a talk; what somebody else told counts as told.
fn told<'a>(memory: &'a Recalled, point: &str, own: &str) -> (String, Option<&'a str>) {
    let template = &Phrases::get().summary.told;
    let between = template
        .split_once("{whom}")
        .and_then(|(before, _)| before.split_once("{who}"));
    let that = template
        .split_once("{whom}")
        .and_then(|(_, rest)| rest.split_once("{news}"));
    let teller = between.zip(that).and_then(|((_, told), (that, _))| {
        let (teller, rest) = point.split_once(told)?;
        let (whom, news) = rest.split_once(that)?;
        let at = memory.text.find(teller)?;
        (whom == own && teller != own).then(|| (unclosed(news), Some(&memory.text[at..at + teller.len()])))
    });
    teller.unwrap_or_else(|| (unclosed(point), None))
}

/// What stands in `text` where `template` has `slot`, if the fixed words before it are there.
fn after<'t>(text: &'t str, template: &str, slot: &str) -> Option<&'t str> {
    let (head, _) = template.split_once(slot)?;
    let fixed = head.rsplit_once('}').map_or(head, |(_, fixed)| fixed);
    let at = text.find(fixed)?;
    (head.contains('}') || at == 0).then(|| &text[at + fixed.len()..])
}

/// What a statement is about: its words without times, days, numbers and whether it is so.
fn matter(text: &str, created: GameTime) -> Vec<String> {
    let spans = Words::new(text);
    let times = when::clock_times_in(&spans).into_iter().map(|t| t.words);
    let days = when::days_in(&spans, created).into_iter().map(|d| d.words);
    let dated: Vec<_> = times.chain(days).collect();
    let kept = (0..spans.len()).filter(|i| !dated.iter().any(|range| range.contains(i)));
    let kept: Vec<&str> = kept.map(|i| spans.raw(i)).collect();
    let phrases = Phrases::get();
    let mut words = content_words(&kept.join(" "), &[]);
    words.retain(|w| {
        let sign = phrases.interview.so_far.contains(w) || phrases.interview.negations.contains(w);
        !sign && !w.starts_with(|c: char| c.is_ascii_digit())
    });
    words
}

impl Statement<'_> {
    /// The name of the thing, where it says how one looked when it was seen.
    pub(super) fn thing(&self) -> Option<&str> {
        let memory = self.memory;
        let seen = memory.kind == MemoryKind::Observation && memory.told_by.is_none();
        seen.then(|| memory.subject.rsplit_once(':').map(|(_, name)| name))?
    }

    /// Whether it is what somebody was seen doing, first-hand.
    pub(super) fn is_sight(&self) -> bool {
        let doing = self.text.strip_prefix(&*self.memory.subject);
        let doing = doing.and_then(|rest| rest.strip_prefix(Phrases::get().interview.seen_doing.as_str()));
        self.memory.kind == MemoryKind::Observation
            && !self.memory.known
            && self.teller.is_none()
            && doing.is_some()
    }

    /// Whether it says just what a yes-or-no question asks, or that this is not so; `None` where it says
    /// something else, or less: what is hoped, passed on, or so of others.
    pub(super) fn states(&self, question: &Question, own: &str) -> Option<bool> {
        let phrases = Phrases::get();
        let cues = &phrases.interview;
        // What follows a semicolon says more, and of other matters.
        let text = self.text.split(';').next().unwrap_or_default();
        let said = lower_words(text);
        let own_words = lower_words(own);
        let has = |words: &[String], word: &String| words.contains(word);
        let stem = |word: &String| content_words(word, &[]).pop();
        if question.telling == Some(Telling::Mine) {
            let mut words = question.words.iter();
            let all = words.all(|w| self.words.contains(w) || *w == cues.told);
            let denied = said.iter().any(|w| has(&cues.negations, w));
            let told = has(&said, &cues.told) && said.starts_with(&own_words);
            return (all && self.teller.is_none() && told).then_some(!denied);
        }
        let modal = |w: &&String| has(&cues.modals, w);
        let differs = said.iter().filter(modal).any(|w| !has(&question.asks, w))
            || question.asks.iter().filter(modal).any(|w| !has(&said, w));
        let to_others = question.to_oneself() && !said.iter().any(|w| has(&own_words, w));
        let days = when::days_in(&Words::new(&self.text), self.memory.created);
        let other_day = question
            .day
            .is_some_and(|day| self.memory.created.date() != day && days.iter().all(|d| d.date != day));
        if self.teller.is_some() || differs || to_others || other_day {
            return None;
        }
        // All that is asked, in the order asked.
        let asked = question
            .asks
            .iter()
            .filter(|w| !has(&own_words, w))
            .filter_map(stem);
        let asked: Vec<String> = asked.filter(|w| !has(&cues.says_nothing, w)).collect();
        let mut matched: Vec<usize> = Vec::new();
        for word in &asked {
            let from = matched.last().map_or(0, |at| at + 1);
            let at = said[from..].iter().position(|w| stem(w).as_ref() == Some(word))?;
            matched.push(from + at);
        }
        let (first, last) = (*matched.first()?, *matched.last()?);
        let (raw, _) = words(text);
        let small = |at: usize| stem(&said[at]).is_none();
        let of_own = |at: usize| has(&own_words, &said[at]);
        let verb = question.asks.first()?;
        let copula = [&cues.being, &cues.been]
            .into_iter()
            .find(|forms| has(forms, verb));
        // Nothing between that makes it another matter: "means to stand in the election for mayor".
        let harmless = |at: usize| {
            let rest_of_name = raw[at].is_capitalised() && at > 0 && matched.contains(&(at - 1));
            let described = copula.is_none() && at > 0 && small(at - 1) && matched.contains(&(at + 1));
            small(at) || of_own(at) || has(&cues.slight, &said[at]) || rest_of_name || described
        };
        let lead_in = (0..first).all(|at| small(at) || of_own(at));
        let within = (first..last).all(|at| matched.contains(&at) || harmless(at));
        // "The mayor's sister" and "the mayor elect" are not the mayor.
        let more = copula.is_some() && last + 1 < said.len() && !small(last + 1) && !of_own(last + 1);
        let of_theirs = bare(raw[last].text) != raw[last].text;
        let agrees = copula.is_none_or(|forms| said[..=last].iter().any(|w| has(forms, w)));
        if !lead_in || !within || more || of_theirs || !agrees {
            return None;
        }
        let denies = |words: &[String]| words.iter().any(|w| has(&cues.negations, w));
        (!denies(&said[last + 1..])).then(|| !denies(&said[..=last]))
    }

    /// Whether it says whom the resident meets most often, which is one at a time.
    pub(super) fn says_most_met(&self, own: &str) -> bool {
        let met_most = &Phrases::get().reflection.met_most;
        let end = met_most
            .split_once("{person}")
            .map(|(_, end)| end.replace("{who}", own));
        self.memory.kind == MemoryKind::Reflection && end.is_some_and(|end| self.text.ends_with(&end))
    }

    /// What it says besides the beginning of `template`, such as "{who} will not come to the {what}" of `own`.
    pub(super) fn after(&self, template: &str, own: &str) -> Option<&str> {
        let begins = template.replace("{who}", own);
        let (begins, _) = begins.split_once("{what}").unwrap_or((&begins, ""));
        self.text.strip_prefix(begins)
    }

    /// Whether it says what was to be at an hour that has been: "at 7pm Ilse Brandt will be having dinner".
    pub(super) fn is_past_hour(&self, now: GameTime) -> bool {
        let spans = Words::new(&self.text);
        let said = self.memory.created;
        let hour = when::clock_times_in(&spans)
            .into_iter()
            .map(|time| time.minute)
            .min();
        let at = hour.map(|minute| GameTime::at(said.date(), minute));
        let undated = || when::days_in(&spans, said).is_empty();
        !self.memory.known && at.is_some_and(|at| said < at && at <= now) && undated()
    }

    /// Whether it holds what the question wants besides its own words.
    pub(super) fn fits(&self, wanted: Wanted, question: &str) -> bool {
        let phrases = Phrases::get();
        match wanted {
            Wanted::YesNo | Wanted::Anything => true,
            Wanted::Time => {
                let spans = Words::new(&self.text);
                !when::clock_times_in(&spans).is_empty()
                    || !when::days_in(&spans, self.memory.created).is_empty()
            }
            Wanted::Place => {
                let spans = Words::new(&self.text);
                (1..spans.len()).any(|i| {
                    phrases.grammar.before_places.contains(spans.at(i - 1))
                        && spans.raw(i).starts_with(char::is_uppercase)
                        && !phrases.grammar.is_calendar(spans.at(i))
                })
            }
            Wanted::Reason => holds(&self.text.to_lowercase(), &phrases.interview.reasons),
            Wanted::Person => {
                // Whoever it is about stands first.
                let names = full_names(&self.text);
                let first = names.first().filter(|name| self.text.starts_with(name.as_str()));
                first.is_some_and(|name| !question.contains(name.as_str()))
                    || is_person(&self.memory.subject) && self.text.starts_with(&*self.memory.subject)
            }
        }
    }
}
