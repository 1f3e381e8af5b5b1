//! Statements about people by name turned to somebody's mouth: who "I" and "you" are, and whose verbs follow.

use super::super::phrases::{Grammar, Phrases};
use super::super::prose::{Word, bare, first_name, words};
use super::thought;
use super::verbs::{agreeing, is_supposed, join, push};

/// The grammatical person somebody becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    First,
    Second,
}

pub(super) fn recast(
    text: &str,
    speaker: &str,
    speaker_first: &str,
    listener: &str,
    mut state: State,
) -> String {
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
pub(super) struct State {
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
    pub(super) last_verb: Option<usize>,
    /// Whose verb comes next.
    verb_of: Option<Voice>,
    /// Whose verbs "and …" may go on with.
    clause_of: Option<Voice>,
    /// The word at which that subject stands.
    pub(super) clause_from: usize,
    /// Whether the clause's verb was a plain present ("works").
    pub(super) simple_present: bool,
    /// Whether "their" means the topic.
    singular_they: bool,
}

impl State {
    /// Of a text that is the speaker's own.
    pub(super) fn of_speaker() -> Self {
        Self {
            topic: Some(Voice::First),
            ..Self::default()
        }
    }

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
