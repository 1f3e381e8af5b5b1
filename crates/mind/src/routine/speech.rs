//! Who "I", "you" and "she" are: statements about people turned to somebody's mouth, and back.
//!
//! [`spoken`] turns a memory ("Mara Ilves is planning a supper") into what Mara says ("I am planning
//! a supper") or what is said to her ("you are planning a supper"). [`thought`] turns a whisper
//! ("You are planning a supper") and [`reported`] a line of talk into statements about people by
//! name. Sentences the rules don't understand, and other languages, come through unchanged, so
//! nothing is lost and nothing invented.

use super::activities;
use super::phrases::{Grammar, Phrases};
use super::prose::{Word, bare, capitalised, first_name, unclosed, words};
use super::when::clock_times;
use crate::Identity;

/// The grammatical person somebody becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    First,
    Second,
}

/// A memory in the words of `speaker` to `listener`. `speaker_first` is what friends call the
/// speaker.
pub(crate) fn spoken(text: &str, speaker: &str, speaker_first: &str, listener: &str) -> String {
    recast(text, speaker, speaker_first, listener, State::default())
}

/// A statement from the speaker's own texts, where "she" at the start is the speaker.
pub(crate) fn spoken_of_self(text: &str, speaker: &str, speaker_first: &str, listener: &str) -> String {
    let state = State {
        topic: Some(Voice::First),
        ..State::default()
    };
    recast(text, speaker, speaker_first, listener, state)
}

/// A statement from somebody's own texts with "she" at the start replaced by the name.
pub(crate) fn named(text: &str, name: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or("");
    let rest = text.trim_start().get(first.len()..).unwrap_or("");
    match first {
        "He" | "She" => format!("{name}{rest}"),
        "They" => match rest.trim_start().split_once(' ') {
            Some((verb, more)) => {
                format!("{name} {} {more}", third(&Phrases::get().grammar, verb))
            }
            None => text.to_owned(),
        },
        _ => text.to_owned(),
    }
}

fn recast(text: &str, speaker: &str, speaker_first: &str, listener: &str, mut state: State) -> String {
    let grammar = &Phrases::get().grammar;
    // Texts of authors may speak to the resident: "You don't like …".
    // A question that was put is quoted as it was put.
    let own;
    let text = if has_second_person(text) && !text.contains(['?', '？']) {
        own = thought(text, speaker, speaker_first);
        &own
    } else {
        text
    };
    let (all, tail) = words(text);
    if !is_understood(&all, speaker, listener) {
        return text.to_owned();
    }
    let people = [
        Party::new(speaker, speaker_first, Voice::First),
        Party::new(listener, first_name(listener), Voice::Second),
    ];
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    while i < all.len() {
        let word = all[i];
        out.push_str(word.gap);
        let opens = i == 0 || word.opens_sentence();
        if opens {
            state.open(word.ends_thought());
        }
        if let Some(mention) = mention_at(&all, i, &people) {
            i = state.mention(grammar, &all, mention, opens, &people, &mut out);
        } else {
            i = state.word(grammar, &all, i, opens, &mut out);
        }
    }
    out.push_str(tail);
    out
}

/// A whisper or an author's text as a statement about the resident by name; orders ("Run for
/// mayor") become wishes.
pub(crate) fn thought(text: &str, name: &str, first: &str) -> String {
    let grammar = &Phrases::get().grammar;
    let (all, _) = words(text);
    let personal = all.iter().any(|word| {
        let lower = word.text.to_lowercase();
        grammar.second.contains(&lower) || grammar.first.contains(&lower)
    });
    match order(text).filter(|_| !personal) {
        Some(Order::Not(what)) => return format!("{name} {} {what}", grammar.means_not_to),
        Some(Order::Do(what)) => return format!("{name} {} {what}", grammar.wants_to),
        None => {}
    }
    let me = Named { name, first };
    third_person(text, Some(me), Some(me))
}

/// What somebody is told to do, or not to do.
enum Order {
    Do(String),
    Not(String),
}

/// A text that begins with an order: "Go home", "Please wait", "Don't go".
fn order(text: &str) -> Option<Order> {
    let grammar = &Phrases::get().grammar;
    let (all, _) = words(text);
    let lower: Vec<String> = all.iter().map(|w| w.text.to_lowercase()).collect();
    let rest = |at: usize| {
        let from = all.get(at)?.text.as_ptr() as usize - text.as_ptr() as usize;
        Some(text[from..].trim())
    };
    if grammar.forbids(&lower) {
        let words = if grammar.prohibitions.contains(&lower[0]) {
            1
        } else {
            2
        };
        return Some(Order::Not(rest(words)?.to_owned()));
    }
    let at = match lower.as_slice() {
        [please, verb, ..] if grammar.please.contains(please) && grammar.is_command(verb) => 1,
        [verb, ..] if grammar.is_command(verb) => 0,
        _ => return None,
    };
    let mut what = rest(at)?.to_owned();
    if let Some(head) = what.get(..1) {
        let head = head.to_lowercase();
        what.replace_range(..1, &head);
    }
    Some(Order::Do(what))
}

/// A sentence said to somebody; an order with a time of day says what they should do, by name.
pub(crate) fn advice(text: &str, listener: &str) -> String {
    let grammar = &Phrases::get().grammar;
    match order(text) {
        Some(Order::Do(what)) if !clock_times(text).is_empty() => {
            format!("{listener} {} {what}", grammar.advising)
        }
        Some(Order::Not(what)) => format!("{listener} {} {what}", grammar.advising_not),
        _ => text.to_owned(),
    }
}

/// A line of talk as a statement about its speaker and listener by name.
pub(crate) fn reported(text: &str, speaker: &str, listener: &str) -> String {
    let named = |name| Named {
        name,
        first: first_name(name),
    };
    third_person(text, Some(named(speaker)), Some(named(listener)))
}

/// The same without the full stop, as memories are written.
pub(crate) fn unclosed_report(text: &str, speaker: &str, listener: &str) -> String {
    unclosed(&reported(text, speaker, listener))
}

/// A statement to follow a word such as "that": its first letter small, unless that is a name or "I".
pub(crate) fn embedded(text: &str) -> String {
    let grammar = &Phrases::get().grammar;
    let Some(first) = text.split_whitespace().next() else {
        return String::new();
    };
    let lower = first.to_lowercase();
    if grammar.openers_lowered.contains(&lower) || grammar.function.contains(&lower) {
        format!("{lower}{}", &text[text.find(first).unwrap_or(0) + first.len()..])
    } else {
        text.to_owned()
    }
}

/// The first clause's verb phrase: "eating lunch" out of "Klaus Mueller is eating lunch".
pub(crate) fn activity<'a>(text: &'a str, name: &str) -> &'a str {
    let text = text.trim().trim_end_matches('.');
    let rest = text.strip_prefix(name).map(str::trim_start).unwrap_or(text);
    rest.strip_prefix("is ").unwrap_or(rest).trim()
}

/// What a resident does, in words that follow "is", as it says it of itself: "marking her pupils' work" is
/// "marking my pupils' work". None in another language.
pub(crate) fn own_activity(doing: &str, speaker: &Identity, listener: &str) -> Option<String> {
    let is_doing = format!("{} is {doing}", speaker.name);
    let said = spoken(&is_doing, &speaker.name, &speaker.first_name, listener);
    said.split_once(" am ").map(|(_, doing)| doing.to_owned())
}

fn has_second_person(text: &str) -> bool {
    let grammar = &Phrases::get().grammar;
    words(text)
        .0
        .iter()
        .any(|w| (w.text.starts_with(['y', 'Y'])) && grammar.second.contains(&w.text.to_lowercase()))
}

/// Whether a statement looks like one of the lexicon's language, names apart.
fn is_understood(all: &[Word<'_>], speaker: &str, listener: &str) -> bool {
    let grammar = &Phrases::get().grammar;
    let mut plain = true;
    for word in all {
        if grammar.speaks(&word.text.to_lowercase()) {
            return true;
        }
        let name = bare(word.text);
        plain &= word.text.is_ascii() || speaker.contains(name) || listener.contains(name);
    }
    plain
}

/// Somebody whose mentions are recast.
struct Party<'a> {
    full: Vec<&'a str>,
    first: &'a str,
    voice: Voice,
}

impl<'a> Party<'a> {
    fn new(name: &'a str, first: &'a str, voice: Voice) -> Self {
        Self {
            full: words(name).0.iter().map(|w| w.text).collect(),
            first,
            voice,
        }
    }
}

/// Where somebody is named.
#[derive(Clone, Copy)]
struct Mention {
    start: usize,
    end: usize,
    voice: Voice,
    possessive: bool,
}

fn mention_at(all: &[Word<'_>], i: usize, people: &[Party<'_>]) -> Option<Mention> {
    let ending = |written: &str, plain: &str| {
        if written == plain {
            Some(false)
        } else {
            (bare(written) == plain).then_some(true)
        }
    };
    for party in people {
        let length = party.full.len();
        if length == 0 || i + length > all.len() {
            continue;
        }
        let last = length - 1;
        if (0..last).all(|k| all[i + k].text == party.full[k])
            && let Some(possessive) = ending(all[i + last].text, party.full[last])
        {
            return Some(Mention {
                start: i,
                end: i + length,
                voice: party.voice,
                possessive,
            });
        }
    }
    for party in people {
        if let Some(possessive) = ending(all[i].text, party.first)
            && (possessive
                || all
                    .get(i + 1)
                    .is_none_or(|next| next.is_set_off() || !next.is_capitalised()))
        {
            return Some(Mention {
                start: i,
                end: i + 1,
                voice: party.voice,
                possessive,
            });
        }
    }
    None
}

/// What the sentence so far says about who acts.
#[derive(Default)]
struct State {
    /// Whom "he" and "she" mean, if it is the speaker or the listener.
    topic: Option<Voice>,
    /// Whether the sentence has had its first subject.
    has_subject: bool,
    /// Whether somebody else whom "he" could mean was named in the sentence.
    other_he: bool,
    /// Whether somebody else whom "she" could mean was.
    other_she: bool,
    /// Whether the topic was "she" (or "he") in the sentence.
    topic_is_she: Option<bool>,
    /// The last verb that was made to agree, as the index of its word.
    last_verb: Option<usize>,
    /// Whose verb comes next.
    verb_of: Option<Voice>,
    /// Whose verbs "and …" may go on with.
    clause_of: Option<Voice>,
    /// The word at which that subject stands.
    clause_from: usize,
    /// Whether the clause's verb was a plain present ("works").
    simple_present: bool,
    /// Whether "their" means the topic.
    singular_they: bool,
}

impl State {
    /// A clause begins; after a full stop, people named before are no longer in the way.
    fn open(&mut self, after_stop: bool) {
        self.has_subject = false;
        if after_stop {
            (self.other_he, self.other_she) = (false, false);
            self.topic_is_she = None;
        }
        self.last_verb = None;
        self.verb_of = None;
        self.clause_of = None;
    }

    fn names_other(&mut self) {
        (self.other_he, self.other_she) = (true, true);
    }

    /// Notes somebody named at `i`; "her husband, John" can't be "she".
    fn names_relation(&mut self, grammar: &Grammar, all: &[Word<'_>], i: usize) {
        let set_off = |at: usize| all[at].gap.chars().any(|c| !c.is_whitespace() && c != ',');
        // "her husband of 40 years, John" is named with words between.
        let before = (i.saturating_sub(4)..i)
            .rev()
            .find(|at| {
                let word = all[*at].text;
                !matches!(word, "of" | "years") && !word.starts_with(|c: char| c.is_ascii_digit())
            })
            .filter(|at| !(at + 1..=i).any(set_off));
        let relation = before.and_then(|at| {
            let word = all[at].text.to_lowercase();
            let is_she = grammar.kin_she.contains(&word);
            (is_she || grammar.kin_he.contains(&word)).then_some(is_she)
        });
        match relation {
            Some(true) => self.other_she = true,
            Some(false) => self.other_he = true,
            None => self.names_other(),
        }
    }

    /// Whether the pronoun can only mean the topic: nobody else was named whom it fits.
    fn is_sure(&self, lower: &str) -> bool {
        let fits = |is_she: bool| self.topic_is_she.is_none_or(|topic| topic == is_she);
        match lower {
            "he" | "him" | "his" | "himself" => !self.other_he && fits(false),
            "she" | "her" | "hers" | "herself" => !self.other_she && fits(true),
            _ => !self.other_he && !self.other_she,
        }
    }

    /// Notes a noun of kinship, such as "daughter", unless it says what the subject is.
    fn kin(&mut self, grammar: &Grammar, all: &[Word<'_>], i: usize, lower: &str) {
        if !grammar.kin_any.contains(lower)
            && !grammar.kin_he.contains(lower)
            && !grammar.kin_she.contains(lower)
        {
            return;
        }
        let near = (i.saturating_sub(3)..i)
            .rev()
            .take_while(|at| !all[at + 1].is_set_off());
        let is_subject = self.clause_of.is_some()
            && near
                .map(|at| all[at].text.to_lowercase())
                .any(|word| grammar.being.contains(&word));
        if !is_subject {
            self.other_he |= !grammar.kin_she.contains(lower);
            self.other_she |= !grammar.kin_he.contains(lower);
        }
    }

    fn becomes_subject(&mut self, voice: Option<Voice>) {
        if !self.has_subject {
            self.has_subject = true;
            if self.topic != voice {
                self.topic_is_she = None;
            }
            self.topic = voice;
            self.singular_they = false;
        }
    }

    /// Writes a mention and returns the index after it.
    fn mention(
        &mut self,
        grammar: &Grammar,
        all: &[Word<'_>],
        mention: Mention,
        opens: bool,
        people: &[Party<'_>],
        out: &mut String,
    ) -> usize {
        let Mention {
            start,
            end,
            voice,
            possessive,
        } = mention;
        if possessive {
            let word = match voice {
                Voice::First => &grammar.my,
                Voice::Second => &grammar.your,
            };
            push(out, word, opens);
            if opens {
                self.becomes_subject(None);
                self.topic = Some(voice);
                self.topic_is_she = None;
            }
            self.verb_of = None;
            return end;
        }
        // "Mara and Ilse": one subject of two people.
        let joined = all
            .get(end)
            .is_some_and(|w| grammar.and.contains(w.text) && !w.is_set_off());
        let partner = (joined && end + 1 < all.len() && !all[end + 1].is_set_off())
            .then(|| mention_at(all, end + 1, people).filter(|m| !m.possessive && m.voice != voice))
            .flatten();
        if let Some(partner) = partner {
            let subject = opens || self.is_subject(grammar, all, start, partner.end);
            push(out, if subject { &grammar.we } else { &grammar.us }, opens);
            if subject {
                self.becomes_subject(None);
            }
            return partner.end;
        }
        let stranger_end = (joined && end + 1 < all.len() && all[end + 1].is_capitalised()).then(|| {
            let mut to = end + 2;
            while to < all.len() && all[to].is_capitalised() && !all[to].is_set_off() {
                to += 1;
            }
            to
        });
        if let Some(to) = stranger_end
            && bare(all[to - 1].text) == all[to - 1].text
            && (opens || all.get(to).is_some_and(|w| !w.is_set_off()))
        {
            let subject = opens || self.is_subject(grammar, all, start, to);
            let other = join(&all[end + 1..to]);
            let and = all[end].text;
            let pair = match (voice, subject) {
                (Voice::First, true) => format!("{other} {and} {}", grammar.i),
                (Voice::First, false) => format!("{other} {and} {}", grammar.me),
                (Voice::Second, _) => format!("{} {and} {other}", grammar.you),
            };
            push(out, &pair, opens);
            if subject {
                self.becomes_subject(None);
            }
            self.names_other();
            return to;
        }
        // "Ilse and Mara": the pair began before this mention.
        let pair_start = (start > 1
            && grammar.and.contains(all[start - 1].text)
            && !all[start - 1].is_set_off()
            && all[start - 2].is_capitalised())
        .then(|| {
            let mut from = start - 2;
            while from > 0 && !all[from].is_set_off() && all[from - 1].is_capitalised() {
                from -= 1;
            }
            from
        });
        if let Some(from) = pair_start {
            let first_of_sentence = from == 0 || all[from].opens_sentence();
            let subject = first_of_sentence || self.is_subject(grammar, all, from, end);
            let word = match (voice, subject) {
                (Voice::First, true) => &grammar.i,
                (Voice::First, false) => &grammar.me,
                (Voice::Second, _) => &grammar.you,
            };
            out.push_str(word);
            if subject {
                // "They" both: no verb changes, and "her" could be either.
                self.verb_of = None;
                self.topic = None;
                self.has_subject = true;
            }
            return end;
        }
        let subject = opens || self.is_subject(grammar, all, start, end);
        let word = match (voice, subject) {
            (Voice::First, true) => &grammar.i,
            (Voice::First, false) => &grammar.me,
            (Voice::Second, _) => &grammar.you,
        };
        push(out, word, opens);
        if subject {
            self.becomes_subject(Some(voice));
            self.verb_of = Some(voice);
            self.clause_of = Some(voice);
            self.clause_from = start;
            self.simple_present = false;
        }
        end
    }

    /// Whether what stands at `start..end` is the subject of a clause.
    fn is_subject(&self, grammar: &Grammar, all: &[Word<'_>], start: usize, end: usize) -> bool {
        let Some(next) = all.get(end).filter(|w| !w.is_set_off()) else {
            return false;
        };
        // "lets me have supper": whoever is let do something isn't the subject.
        // Nor is the one whom something is for: "next for me is supper".
        let behind = |words: &std::collections::BTreeSet<String>| {
            start > 0 && words.contains(&all[start - 1].text.to_lowercase())
        };
        let let_do = behind(&grammar.letting) || behind(&grammar.before_objects);
        if let_do && !all[start].is_set_off() {
            return false;
        }
        let mut at = end;
        while at + 1 < all.len() && grammar.is_adverb(all[at].text) {
            at += 1;
        }
        let verb = all[at].text;
        if grammar.finite.contains(next.text) || grammar.finite.contains(verb) {
            return true;
        }
        let opened = start > 0
            && (all[start].is_set_off() || behind(&grammar.clause_openers) || behind(&grammar.relatives));
        // "everyone she meets", "the doctor she works with".
        let headed = start > 0
            && !all[start].is_set_off()
            && (grammar.heads.contains(&all[start - 1].text.to_lowercase())
                || start > 1 && grammar.articles.contains(&all[start - 2].text.to_lowercase()));
        let is_past = grammar.past.contains(verb) || verb.ends_with("ed");
        opened && (is_past || is_third_person_form(verb))
            || headed && (is_past || grammar.present_verbs.contains(verb))
    }

    /// Writes a word that names nobody recast, and returns the index after it.
    fn word(
        &mut self,
        grammar: &Grammar,
        all: &[Word<'_>],
        i: usize,
        opens: bool,
        out: &mut String,
    ) -> usize {
        let word = all[i];
        let lower = word.text.to_lowercase();
        if let Some(voice) = self.verb_of {
            if grammar.is_adverb(&lower) {
                out.push_str(word.text);
                return i + 1;
            }
            self.verb_of = None;
            self.simple_present = !grammar.finite.contains(&lower);
            self.last_verb = Some(i);
            out.push_str(&match is_supposed(all, i) {
                true => word.text.to_owned(),
                false => agreeing(grammar, word.text, voice),
            });
            return i + 1;
        }
        if let Some(voice) = self.clause_of
            && self.goes_on(grammar, all, i, &lower)
        {
            self.last_verb = Some(i);
            out.push_str(&agreeing(grammar, word.text, voice));
            return i + 1;
        }
        if let Some(voice) = self.topic.filter(|_| self.is_sure(&lower))
            && let Some(replaced) = self.pronoun(grammar, all, i, &lower, voice, opens)
        {
            push(out, replaced, opens);
            return i + 1;
        }
        self.kin(grammar, all, i, &lower);
        if word.begins_name() && !grammar.is_calendar(&lower) {
            // A name that isn't recast: later pronouns are no longer sure.
            let next_too = all.get(i + 1).is_some_and(|w| !w.is_set_off() && w.begins_name());
            let placed = i > 0 && grammar.before_places.contains(&all[i - 1].text.to_lowercase());
            let mut after = i + 1;
            while after < all.len() && all[after].begins_name() && !all[after].is_set_off() {
                after += 1;
            }
            let is_place = grammar.articles.contains(&lower)
                || grammar.place_words.contains(&all[after - 1].text.to_lowercase());
            // One word alone is a person's name if it acts: "Walter wishes".
            let acts = !next_too
                && !grammar.openers_lowered.contains(&lower)
                && !grammar.function.contains(&lower)
                && self.is_subject(grammar, all, i, after);
            if acts && !is_place && !placed {
                self.names_other();
                self.clause_of = None;
            }
            if next_too && !placed && bare(word.text) == word.text {
                if !is_place {
                    self.names_relation(grammar, all, i);
                }
                if opens {
                    self.becomes_subject(None);
                }
                if self.is_subject(grammar, all, i, after) {
                    self.clause_of = None;
                }
                let mut at = i;
                loop {
                    out.push_str(all[at].text);
                    at += 1;
                    if at >= after {
                        return at;
                    }
                    out.push_str(all[at].gap);
                }
            }
        }
        let is_subject = opens && !self.has_subject && !grammar.clause_openers.contains(&lower);
        if is_subject && !Self::opens_phrase(grammar, all, i, &lower) {
            self.has_subject = true;
            self.topic = None;
        }
        out.push_str(word.text);
        i + 1
    }

    /// Whether a verb that follows "is …ing …" is more likely the subject's than that of somebody
    /// spoken of in between ("a man who lives and works"), or a noun at the end.
    fn governs(&self, grammar: &Grammar, all: &[Word<'_>], i: usize) -> bool {
        let begins = (0..=i).rev().find(|at| all[*at].opens_sentence()).unwrap_or(0);
        let begins = begins.max(self.clause_from);
        let relative = all[begins..i]
            .iter()
            .any(|w| grammar.relatives.contains(&w.text.to_lowercase()));
        !relative && all.get(i + 1).is_some_and(|next| !next.is_set_off())
    }

    /// Whether the word is a further verb of the same subject: "works and *is* writing".
    fn goes_on(&self, grammar: &Grammar, all: &[Word<'_>], i: usize, lower: &str) -> bool {
        // "edits and prints": a verb straight after another.
        let at_once = i > 1
            && self.last_verb == Some(i - 2)
            && self.simple_present
            && is_third_person_form(lower)
            && all.get(i + 1).is_some_and(|next| !next.is_set_off());
        let is_verb = grammar.present_verbs.contains(lower) || self.is_further_verb(grammar, all, i, lower);
        let known = at_once
            || grammar.finite.contains(lower) && !grammar.finite_any.contains(lower)
            || is_verb && (self.simple_present || self.governs(grammar, all, i));
        if !known || i == 0 {
            return false;
        }
        let mut at = i;
        while at > 0 && grammar.is_adverb(all[at - 1].text) {
            at -= 1;
        }
        at > 0
            && (grammar.conjunctions.contains(&all[at - 1].text.to_lowercase())
                || all[at].gap.contains(',') && is_verb && !follows_apposition(all, at))
    }

    /// Whether a word after "and" or a comma is a verb, and no noun in a row of them: it has the form of one,
    /// and is known as one or stands before a word that follows no noun: "corrects everyone's posture".
    fn is_further_verb(&self, grammar: &Grammar, all: &[Word<'_>], i: usize, lower: &str) -> bool {
        let Some(next) = all.get(i + 1).filter(|next| !next.is_set_off()) else {
            return false;
        };
        let base = base_form(lower);
        let next = bare(next.text).to_lowercase();
        is_third_person_form(lower)
            && !all[i].begins_name()
            && (grammar.is_command(&base)
                || activities::is_verb(&base)
                || grammar.after_verbs.contains(&next)
                || grammar.heads.contains(&next))
    }

    /// Whether somebody is spoken of only after an opening phrase: "In the afternoon, he likes to read".
    fn opens_phrase(grammar: &Grammar, all: &[Word<'_>], i: usize, lower: &str) -> bool {
        let leads = grammar.function.contains(lower)
            && !grammar.openers_lowered.contains(lower)
            && !grammar.questioning.contains(lower);
        let rest = all.get(i + 1..).unwrap_or_default();
        let after = rest
            .iter()
            .take_while(|word| !word.opens_sentence())
            .find(|word| word.is_set_off());
        leads && after.is_some_and(|word| matches!(&*word.text.to_lowercase(), "he" | "she"))
    }

    fn pronoun<'g>(
        &mut self,
        grammar: &'g Grammar,
        all: &[Word<'_>],
        i: usize,
        lower: &str,
        voice: Voice,
        opens: bool,
    ) -> Option<&'g str> {
        let first = voice == Voice::First;
        let pick = |a: &'g String, b: &'g String| Some(if first { a.as_str() } else { b.as_str() });
        let is_she = match lower {
            "she" | "her" | "herself" => Some(true),
            "he" | "his" | "himself" => Some(false),
            _ => None,
        };
        let found = match lower {
            "he" | "she" => {
                self.has_subject = true;
                self.verb_of = Some(voice);
                self.clause_of = Some(voice);
                self.clause_from = i;
                pick(&grammar.i, &grammar.you)
            }
            "they" if opens => {
                self.has_subject = true;
                self.singular_they = true;
                // "They are" needs "I am": the plural verb is mended by the same rule.
                self.verb_of = Some(voice);
                self.clause_of = Some(voice);
                self.clause_from = i;
                pick(&grammar.i, &grammar.you)
            }
            "his" => pick(&grammar.my, &grammar.your),
            "their" if self.singular_they => pick(&grammar.my, &grammar.your),
            // What somebody does to "him" or "her" is done to another: "is building her a boat".
            "him" if self.clause_of == Some(voice) => {
                self.names_other();
                None
            }
            "him" => pick(&grammar.me, &grammar.you),
            "himself" | "herself" => pick(&grammar.myself, &grammar.yourself),
            "her" => {
                let possessive = all.get(i + 1).is_some_and(|next| {
                    // "trusts her completely" is no possessive.
                    let last = all.get(i + 2).is_none_or(Word::is_set_off);
                    let begins_another = next.is_set_off()
                        || grammar.function.contains(&next.text.to_lowercase())
                        || (last && grammar.is_adverb(next.text));
                    !begins_another
                });
                if possessive {
                    pick(&grammar.my, &grammar.your)
                } else if self.clause_of == Some(voice) {
                    self.names_other();
                    None
                } else {
                    pick(&grammar.me, &grammar.you)
                }
            }
            _ => None,
        };
        if found.is_some() && is_she.is_some() {
            self.topic_is_she = is_she;
        }
        found
    }
}

/// A person by name.
#[derive(Clone, Copy)]
struct Named<'a> {
    name: &'a str,
    first: &'a str,
}

fn third_person(text: &str, i_am: Option<Named<'_>>, you_are: Option<Named<'_>>) -> String {
    let grammar = &Phrases::get().grammar;
    let (all, tail) = words(text);
    let mut out = String::with_capacity(text.len() + 16);
    let mut named: Vec<&str> = Vec::new();
    // Whether the next verb belongs to a recast subject, and whether "and have" still does.
    let (mut verb_next, mut clause) = (false, false);
    // "You two … your": theirs.
    let mut both = false;
    let (mut last_verb, mut simple_present) = (None, false);
    let mut i = 0;
    while i < all.len() {
        let word = all[i];
        out.push_str(word.gap);
        if i == 0 || word.opens_sentence() {
            (verb_next, clause) = (false, false);
            (last_verb, simple_present) = (None, false);
            both = false;
        }
        let lower = word.text.to_lowercase();
        let lower = lower.replace('’', "'");
        let (stem, ending) = lower.split_once('\'').map_or((&*lower, ""), |(s, e)| (s, e));
        let who = match stem {
            "you" | "your" | "yours" | "yourself" => you_are,
            "i" | "me" | "my" | "mine" | "myself" => i_am,
            _ => None,
        };
        if both && stem == "your" {
            out.push_str(&grammar.their);
            i += 1;
            continue;
        }
        if let Some(who) = who {
            let call = if named.contains(&who.name) {
                who.first
            } else {
                named.push(who.name);
                who.name
            };
            match stem {
                "your" | "yours" | "my" | "mine" => {
                    out.push_str(call);
                    out.push_str("'s");
                }
                "yourself" | "myself" => out.push_str(&grammar.themselves),
                _ if !ending.is_empty() => {
                    out.push_str(call);
                    match ending {
                        "ve" => out.push_str(" has"),
                        "re" | "m" => out.push_str(" is"),
                        "ll" => out.push_str(" will"),
                        "d" => out.push_str(" would"),
                        _ => {}
                    }
                    (verb_next, clause) = (false, true);
                }
                _ => {
                    let next = all
                        .get(i + 1)
                        .filter(|w| !w.is_set_off())
                        .map(|w| w.text.to_lowercase());
                    match next.as_deref() {
                        Some(pair @ ("two" | "both")) => {
                            out.push_str(if pair == "two" { "the two" } else { "both" });
                            both = true;
                            i += 2;
                            continue;
                        }
                        Some(and) if grammar.and.contains(and) => {
                            out.push_str(call);
                            (verb_next, clause) = (false, false);
                        }
                        Some(_) if stem != "me" && acts(grammar, &all, i) => {
                            out.push_str(call);
                            // "Lopez and you are": the verb is plural already.
                            let after_and = i > 0
                                && grammar.and.contains(all[i - 1].text)
                                && all.get(i.wrapping_sub(2)).is_some_and(Word::is_capitalised);
                            (verb_next, clause) = (!after_and, !after_and);
                        }
                        _ => out.push_str(call),
                    }
                }
            }
            i += 1;
            continue;
        }
        if verb_next {
            if grammar.is_adverb(&lower) {
                out.push_str(word.text);
            } else {
                let verb = match is_supposed(&all, i) {
                    true => word.text.to_owned(),
                    false => third(grammar, word.text),
                };
                simple_present = verb != word.text && !grammar.finite.contains(&lower);
                out.push_str(&verb);
                verb_next = false;
                last_verb = Some(i);
            }
        } else {
            let follows_and = || {
                let mut at = i;
                while at > 0 && grammar.is_adverb(all[at - 1].text) {
                    at -= 1;
                }
                at > 0 && grammar.conjunctions.contains(&all[at - 1].text.to_lowercase())
            };
            let second_verb = grammar.plural_finite.contains_key(&*lower) && follows_and()
                // "edit and print": a verb straight after another.
                || i > 1 && last_verb == Some(i - 2) && follows_and() && may_be_verb(grammar, word)
                    && !grammar.finite.contains(&lower)
                || goes_on_in_present(grammar, &all, i, &lower, simple_present);
            if clause && second_verb {
                out.push_str(&third(grammar, word.text));
            } else {
                out.push_str(word.text);
            }
        }
        i += 1;
    }
    out.push_str(tail);
    out.trim().to_owned()
}

/// Whether the "you" or "I" at `i` acts, so that its verb comes next. In "shows you his drawings" and
/// "lets you choose" something is done to whoever it is, and what follows is no verb to conjugate.
fn acts(grammar: &Grammar, all: &[Word<'_>], i: usize) -> bool {
    let mut at = i + 1;
    while at + 1 < all.len() && grammar.is_adverb(all[at].text) && !all[at + 1].is_set_off() {
        at += 1;
    }
    let Some(verb) = all.get(at).filter(|word| !word.is_set_off()) else {
        return false;
    };
    if !may_be_verb(grammar, *verb) {
        return false;
    }
    if i == 0 || all[i].is_set_off() {
        return true;
    }
    let before = all[i - 1].text.to_lowercase();
    let verb = verb.text.to_lowercase();
    let bare_verb = !grammar.finite.contains(&verb) || matches!(&*verb, "have" | "do");
    if grammar.before_objects.contains(&before)
        || bare_verb && (grammar.letting.contains(&before) || grammar.perceiving.contains(&before))
    {
        return false;
    }
    if grammar.finite.contains(&verb)
        || grammar.clause_openers.contains(&before)
        || grammar.relatives.contains(&before)
    {
        return true;
    }
    // "Mara sends you guests", "he gave you books": a verb right after its subject has an object.
    let subject_before = i > 1
        && !all[i - 1].is_set_off()
        && (all[i - 2].begins_name()
            || grammar.is_adverb(all[i - 2].text)
            || grammar.finite.contains(&all[i - 2].text.to_lowercase())
            || grammar.conjunctions.contains(&all[i - 2].text.to_lowercase())
            || grammar.relatives.contains(&all[i - 2].text.to_lowercase())
            || matches!(
                &*all[i - 2].text.to_lowercase(),
                "he" | "she" | "it" | "they" | "we" | "to"
            ));
    !subject_before
}

/// Whether the word may be a verb after "you": no name, no possessive, nothing like "coming".
fn may_be_verb(grammar: &Grammar, word: Word<'_>) -> bool {
    let lower = word.text.to_lowercase();
    // "sing" and "bring" are verbs themselves.
    let gerund = lower
        .strip_suffix("ing")
        .is_some_and(|stem| stem.contains(['a', 'e', 'i', 'o', 'u', 'y']));
    !word.begins_name()
        && !gerund
        && !grammar.function.contains(&lower)
        && !grammar.not_verbs.contains(&lower)
        && !lower.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the word is a further verb of the same subject after "and" or in a row of verbs, and no infinitive ("wants to
/// sing and write") nor one after "will" stands before it.
fn goes_on_in_present(
    grammar: &Grammar,
    all: &[Word<'_>],
    i: usize,
    lower: &str,
    simple_present: bool,
) -> bool {
    let begins = (0..=i).rev().find(|at| all[*at].opens_sentence()).unwrap_or(0);
    let bare = |at: usize| {
        let word = all[at].text.to_lowercase();
        // "from 6pm to 9pm" and "to the park" hold no infinitive.
        let verb_next = all[at + 1].text.starts_with(|c: char| c.is_lowercase())
            && !grammar.function.contains(all[at + 1].text);
        word == "to" && verb_next || grammar.finite_any.contains(&word) || grammar.relatives.contains(&word)
    };
    i > begins
        && (grammar.conjunctions.contains(&all[i - 1].text.to_lowercase())
            // "…, want them all to come, and are gathering".
            || all[i].gap.trim() == "," && all.get(i + 1).is_some_and(|next| !next.is_set_off()))
        && grammar.present_verbs.contains(&third(grammar, lower))
        && !(begins..i).any(bare)
        // The verb that begins the sentence must itself be a present one: "met Ann and watch birds" is unsure.
        && (simple_present
            || all[begins..i].iter().any(|w| grammar.plural_finite.contains_key(&*w.text.to_lowercase())))
}

/// Whether the verb at `i` says what is only supposed, and agrees with nobody: "if you were mayor".
fn is_supposed(all: &[Word<'_>], i: usize) -> bool {
    let mut before = all[i.saturating_sub(3)..i].iter();
    all[i].text == "were" && before.any(|word| word.text.eq_ignore_ascii_case("if"))
}

/// Whether a name between commas stands right before the word at `at`, which then goes on about whoever bears
/// it: "her son, Tom, has been ill".
fn follows_apposition(all: &[Word<'_>], at: usize) -> bool {
    let name = (0..at).rev().take_while(|i| all[*i].begins_name());
    let mut name = name.skip_while(|i| !all[*i].is_set_off());
    name.next().is_some_and(|first| all[first].gap.contains(','))
}

fn push(out: &mut String, word: &str, opens: bool) {
    if opens {
        out.push_str(&capitalised(word));
    } else {
        out.push_str(word);
    }
}

fn join(words: &[Word<'_>]) -> String {
    let mut out = String::new();
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            out.push_str(word.gap);
        }
        out.push_str(word.text);
    }
    out
}

fn is_third_person_form(word: &str) -> bool {
    word.len() > 2 && word.ends_with('s') && !word.ends_with("ss") && !word.contains(['\'', '’'])
}

/// The verb after "I" or "you": "is" becomes "am" or "are", "works" becomes "work".
fn agreeing(grammar: &Grammar, verb: &str, voice: Voice) -> String {
    let lower = verb.to_lowercase().replace('’', "'");
    let forms = match voice {
        Voice::First => &grammar.first_finite,
        Voice::Second => &grammar.second_finite,
    };
    if let Some(form) = forms.get(&*lower) {
        return form.clone();
    }
    if grammar.finite.contains(&*lower) || !is_third_person_form(&lower) {
        return verb.to_owned();
    }
    base_form(verb)
}

/// "works" → "work", "tries" → "try", "watches" → "watch".
pub(crate) fn base_form(verb: &str) -> String {
    if let Some(stem) = verb.strip_suffix("ies").filter(|s| s.len() > 1) {
        return format!("{stem}y");
    }
    for ending in ["sses", "shes", "ches", "xes", "zzes", "oes"] {
        if verb.ends_with(ending) {
            return verb[..verb.len() - 2].to_owned();
        }
    }
    match verb.strip_suffix('s') {
        Some(stem) if is_third_person_form(verb) => stem.to_owned(),
        _ => verb.to_owned(),
    }
}

/// The verb after a name: "are" becomes "is", "work" becomes "works"; past forms stay.
fn third(grammar: &Grammar, verb: &str) -> String {
    let lower = verb.to_lowercase().replace('’', "'");
    if let Some(form) = grammar.plural_finite.get(&*lower) {
        return form.clone();
    }
    if grammar.finite.contains(&*lower)
        || grammar.past.contains(&*lower)
        || lower.ends_with("ed") && lower.len() > 4 && !lower.ends_with("eed")
        || !lower.chars().all(|c| c.is_ascii_alphabetic())
    {
        return verb.to_owned();
    }
    let consonant_y = lower.ends_with('y') && !["ay", "ey", "oy", "uy"].iter().any(|e| lower.ends_with(e));
    if consonant_y {
        format!("{}ies", &verb[..verb.len() - 1])
    } else if ["s", "sh", "ch", "x", "z", "o"]
        .iter()
        .any(|e| lower.ends_with(e))
    {
        format!("{verb}es")
    } else {
        format!("{verb}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(text: &str, speaker: &str, listener: &str) -> String {
        spoken(text, speaker, first_name(speaker), listener)
    }

    #[test]
    fn one_memory_from_three_mouths() {
        let memory = "Isabella Rodriguez is planning a Valentine's Day party at Hobbs Cafe and is telling everyone about it";
        assert_eq!(
            says(memory, "Isabella Rodriguez", "Maria Lopez"),
            "I am planning a Valentine's Day party at Hobbs Cafe and am telling everyone about it"
        );
        assert_eq!(says(memory, "Maria Lopez", "Klaus Mueller"), memory);
        assert_eq!(
            says(memory, "Maria Lopez", "Isabella Rodriguez"),
            "You are planning a Valentine's Day party at Hobbs Cafe and are telling everyone about it"
        );
    }

    #[test]
    fn verbs_and_pronouns_follow() {
        let sam = "Sam Moore";
        let jennifer = "Jennifer Moore";
        let cases = [
            (
                "Sam Moore lives with his wife of 40 years, Jennifer Moore, and spends his free time tending the park.",
                "I live with my wife of 40 years, you, and spend my free time tending the park.",
            ),
            (
                "Sam Moore has known Sam's neighbor, Adam Smith, for a few years",
                "I have known my neighbor, Adam Smith, for a few years",
            ),
            (
                "Sam Moore and Adam Smith have talked",
                "Adam Smith and I have talked",
            ),
            (
                "Adam Smith and Sam Moore are friends",
                "Adam Smith and I are friends",
            ),
            ("Sam Moore and Jennifer Moore love the park", "We love the park"),
            (
                "Adam Smith told Sam Moore about it",
                "Adam Smith told me about it",
            ),
            (
                "Adam Smith thinks Sam Moore is kind",
                "Adam Smith thinks I am kind",
            ),
            (
                "Sam Moore thinks Tom Moreno is too loud because he talks so much",
                "I think Tom Moreno is too loud because he talks so much",
            ),
            (
                "Sam Moore doesn't really watch films",
                "I don't really watch films",
            ),
            (
                "Sam is retired. He is always full of advice.",
                "I am retired. I am always full of advice.",
            ),
            ("You don't like Tom Moreno.", "I don't like Tom Moreno."),
            (
                "Sam Moore goes to bed around 10pm, awakes up around 6am, eats dinner around 5pm.",
                "I go to bed around 10pm, awake up around 6am, eat dinner around 5pm.",
            ),
            (
                "Sam Moore thinks his son, Eddy Lin, has been a little rebellious, and wonders why",
                "I think my son, Eddy Lin, has been a little rebellious, and wonder why",
            ),
            (
                "Sam Moore has known the Lins since the time Sam helped them with the shop",
                "I have known the Lins since the time I helped them with the shop",
            ),
            (
                "Sam Moore would mend the wall first if Sam were mayor",
                "I would mend the wall first if I were mayor",
            ),
            (
                "Jennifer Moore loves her garden and hopes Sam Moore rests",
                "You love your garden and hope I rest",
            ),
        ];
        for (memory, expected) in cases {
            assert_eq!(says(memory, sam, jennifer), expected, "{memory}");
        }
    }

    #[test]
    fn a_second_verb_agrees_and_another_keeps_her_pronouns() {
        let ilse = |t: &str| says(t, "Ilse Brandt", "Bram Holt");
        assert_eq!(
            ilse("Ilse Brandt is making a book of old songs and needs three more songs"),
            "I am making a book of old songs and need three more songs"
        );
        assert_eq!(
            ilse("Ilse Brandt is writing about a man who lives and works alone"),
            "I am writing about a man who lives and works alone"
        );
        assert_eq!(
            ilse("Ilse Brandt is building her a rowing boat for her birthday and she mustn't know"),
            "I am building her a rowing boat for her birthday and she mustn't know"
        );
        assert_eq!(
            thought(
                "You are planning a supper from 6pm to 9pm and want everyone to come",
                "Ilse Brandt",
                "Ilse"
            ),
            "Ilse Brandt is planning a supper from 6pm to 9pm and wants everyone to come"
        );
    }

    #[test]
    fn a_pronoun_that_could_mean_another_stays_as_it_is() {
        let gwen = |t: &str| says(t, "Gwen Pryce", "Bram Holt");
        let cases = [
            (
                "Walter Pryce is Gwen Pryce's husband of forty years; Gwen wishes he would retire",
                "Walter Pryce is my husband of forty years; I wish he would retire",
            ),
            (
                "Adaeze Nwosu is Gwen Pryce's wife; Gwen worries that she works too much",
                "Adaeze Nwosu is my wife; I worry that she works too much",
            ),
            (
                "Priya Raghavan is the night nurse at Gwen Pryce's clinic; Gwen trusts her completely",
                "Priya Raghavan is the night nurse at my clinic; I trust her completely",
            ),
            (
                "Kene Nwosu is Gwen Pryce's son; Gwen had hoped he would study medicine",
                "Kene Nwosu is my son; I had hoped he would study medicine",
            ),
            (
                "Gwen Pryce shares the house with 林 秋; Gwen knows that she works at night",
                "I share the house with 林 秋; I know that she works at night",
            ),
            (
                "Gwen Pryce lives with her grandson and hopes he rests",
                "I live with my grandson and hope he rests",
            ),
            (
                "Gwen Pryce keeps The Heron, the pub on Lantern Street, with her husband.",
                "I keep The Heron, the pub on Lantern Street, with my husband.",
            ),
            (
                "Gwen Pryce edits and prints The Courier, the town's weekly paper",
                "I edit and print The Courier, the town's weekly paper",
            ),
            (
                "Gwen Pryce lives with her husband, Walter Pryce, and works on her paper",
                "I live with my husband, Walter Pryce, and work on my paper",
            ),
            (
                "Ryan Park is Gwen Pryce's lodger; he met Gwen, and Gwen still lives with him",
                "Ryan Park is my lodger; he met me, and I still live with him",
            ),
            (
                "Mateus Silva is Gwen Pryce's husband; Gwen laughed when Gwen asked him",
                "Mateus Silva is my husband; I laughed when I asked him",
            ),
            (
                "Walter Pryce is the one Gwen Pryce meets most often",
                "Walter Pryce is the one I meet most often",
            ),
            (
                "Gwen Pryce is telling everyone she meets about it, wants them all to come, and is gathering lanterns",
                "I am telling everyone I meet about it, want them all to come, and am gathering lanterns",
            ),
        ];
        for (memory, expected) in cases {
            assert_eq!(gwen(memory), expected, "{memory}");
        }
        assert_eq!(
            says(
                "Ilse is retired. She hopes Bram rests.",
                "Ilse Brandt",
                "Bram Holt"
            ),
            "I am retired. I hope you rest."
        );
    }

    #[test]
    fn only_verbs_of_you_are_conjugated() {
        let beni = |t: &str| thought(t, "Beni Quispe", "Beni");
        let cases = [
            (
                "Kene Nwosu shows you his drawings of boats, and you believe in them",
                "Kene Nwosu shows Beni Quispe his drawings of boats, and Beni believes in them",
            ),
            (
                "Lia Silva is your daughter, and at school she calls you Ms Åkerlund",
                "Lia Silva is Beni Quispe's daughter, and at school she calls Beni Ms Åkerlund",
            ),
            (
                "Samir Haddad makes you laugh when you cannot sleep",
                "Samir Haddad makes Beni Quispe laugh when Beni cannot sleep",
            ),
            (
                "Bríd Gallagher lets you have supper on credit",
                "Bríd Gallagher lets Beni Quispe have supper on credit",
            ),
            (
                "Samir Haddad is your father; he lets you choose the fruit",
                "Samir Haddad is Beni Quispe's father; he lets Beni choose the fruit",
            ),
            (
                "Gwen Pryce has never let you pay for tea",
                "Gwen Pryce has never let Beni Quispe pay for tea",
            ),
            (
                "Marguerite Duval sends you guests and hears you sing",
                "Marguerite Duval sends Beni Quispe guests and hears Beni sing",
            ),
            (
                "Adaeze Nwosu is the doctor you work with",
                "Adaeze Nwosu is the doctor Beni Quispe works with",
            ),
            (
                "You bring the songs you write and sing them",
                "Beni Quispe brings the songs Beni writes and sings them",
            ),
            (
                "You talk too long and know it",
                "Beni Quispe talks too long and knows it",
            ),
            (
                "You edit and print The Courier",
                "Beni Quispe edits and prints The Courier",
            ),
            (
                "You are telling everyone you meet about it, want them all to come, and are gathering dishes",
                "Beni Quispe is telling everyone Beni meets about it, wants them all to come, and is gathering dishes",
            ),
        ];
        for (whisper, expected) in cases {
            assert_eq!(beni(whisper), expected, "{whisper}");
        }
    }

    #[test]
    fn whispers_become_thoughts() {
        let latoya = |t: &str| thought(t, "Latoya Williams", "Latoya");
        let cases = [
            (
                "You and Rajiv Patel sometimes talk about politics",
                "Latoya Williams and Rajiv Patel sometimes talk about politics",
            ),
            (
                "Rajiv Patel is your housemate whom you've known for about a year",
                "Rajiv Patel is Latoya Williams's housemate whom Latoya has known for about a year",
            ),
            (
                "You don't like it when people fight at your bar",
                "Latoya Williams doesn't like it when people fight at Latoya's bar",
            ),
            (
                "This is very important -- you have a secret crush on Klaus Mueller",
                "This is very important -- Latoya Williams has a secret crush on Klaus Mueller",
            ),
            ("Run for mayor", "Latoya Williams wants to run for mayor"),
            ("Don't tell anyone", "Latoya Williams means not to tell anyone"),
            (
                "I am tired and I want to sleep",
                "Latoya Williams is tired and Latoya wants to sleep",
            ),
            ("The clinic closes at noon", "The clinic closes at noon"),
            (
                "You would mend the sea wall first if you were mayor",
                "Latoya Williams would mend the sea wall first if Latoya were mayor",
            ),
            (
                "You met Arthur Burton and watch birds",
                "Latoya Williams met Arthur Burton and watch birds",
            ),
        ];
        for (whisper, expected) in cases {
            assert_eq!(latoya(whisper), expected, "{whisper}");
        }
    }

    #[test]
    fn every_whisper_of_the_2023_town_becomes_a_thought() {
        let Some(shared) = super::super::fixtures::shared("whispers become thoughts") else {
            return;
        };
        let history = shared.join("smallville/assets/the_ville/agent_history_init_n25.csv");
        let mut seen = 0;
        for row in csv::Reader::from_path(history).unwrap().records() {
            let row = row.unwrap();
            let name = row[0].trim();
            for whisper in row[1].split(';').map(str::trim).filter(|w| !w.is_empty()) {
                let thought = thought(whisper, name, first_name(name));
                let grammar = &Phrases::get().grammar;
                let told = words(&thought)
                    .0
                    .iter()
                    .any(|w| grammar.second.contains(&w.text.to_lowercase()));
                // One whisper speaks of somebody else alone.
                let about_self = thought != whisper;
                assert!(!told, "{whisper}: {thought}");
                assert!(
                    !about_self || thought.contains(first_name(name)),
                    "{whisper}: {thought}"
                );
                assert!(!thought.contains(&format!("{name} like ")), "{thought}");
                // What was turned can be said again in the first person.
                let said = says(&thought, name, "");
                assert!(!said.contains(name), "{thought}: {said}");
                seen += 1;
            }
        }
        assert!(seen > 200, "{seen}");
    }

    #[test]
    fn who_is_spoken_of_may_come_after_an_opening_phrase() {
        let own = |text: &str| spoken_of_self(text, "Klaus Mueller", "Klaus", "");
        for (text, said) in [
            (
                "In the afternoon, he likes to go to Hobbs Cafe and eats there.",
                "In the afternoon, I like to go to Hobbs Cafe and eat there.",
            ),
            ("After work she swims.", "After work I swim."),
            ("Who is there, he asks.", "Who is there, he asks."),
        ] {
            assert_eq!(own(text), said);
        }
        assert_eq!(
            embedded("At 7pm Klaus Mueller will be reading"),
            "at 7pm Klaus Mueller will be reading"
        );
    }

    #[test]
    fn other_scripts_come_through() {
        assert_eq!(
            says("林 秋 喜欢茶。", "林 秋", "Zoë O'Neill-Ångström"),
            "林 秋 喜欢茶。"
        );
        assert_eq!(thought("你喜欢茶", "林 秋", "秋"), "你喜欢茶");
    }

    #[test]
    fn lines_are_reported_by_name() {
        assert_eq!(
            reported(
                "I am writing a paper. You know my sister.",
                "Klaus Mueller",
                "Maria Lopez"
            ),
            "Klaus Mueller is writing a paper. Maria Lopez knows Klaus's sister."
        );
    }
}
