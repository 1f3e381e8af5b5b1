//! What a question asks for: its words, its time, and whom it names.

use townsfolk_memory::{Memory, MemoryKind};
use townsfolk_time::{Date, Minute};

use super::super::insights::{full_names, people_in};
use super::super::phrases::{Phrases, holds};
use super::super::prose::{self, bare, first_name, lower_words, names, sentences, words};
use super::super::talk::content_words;
use super::super::text;
use super::super::when;
use crate::model::reading::Reading;
use crate::period::{Period, find};
use crate::tasks::Interview;

/// From here on scripts set no spaces between words.
const WITHOUT_SPACES: char = '\u{2e80}';

/// The kind of answer that a question wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    YesNo,
    Person,
    Time,
    Place,
    Reason,
    Anything,
}

/// Who is asked to have told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// Somebody told the one who is asked: "What did Ilse tell you?"
    ToMe,
    /// The one who is asked told somebody.
    Mine,
}

/// A question, looked at once.
pub(super) struct Question {
    /// The question in lower case.
    pub(super) lower: String,
    /// The words of the sentence that asks, in lower case.
    pub(super) asks: Vec<String>,
    /// Its words that carry meaning; of the question before, if it has none itself.
    pub(super) words: Vec<String>,
    /// The words of its matter: without those of times, and of being asked what was lived through.
    matter: Vec<String>,
    pub(super) wanted: Wanted,
    /// Whether it asks for what was told.
    pub(super) telling: Option<Telling>,
    /// Whether it is about what has been.
    pub(super) past: bool,
    /// The stretch of time it is about, of what has been.
    pub(super) period: Option<Period>,
    /// Whether it asks for what was lived through.
    pub(super) lived: bool,
    /// Whether it asks what one would do if something happened.
    pub(super) hypothetical: bool,
    /// The day it names.
    pub(super) day: Option<Date>,
    /// The time of day it names.
    pub(super) minute: Option<Minute>,
    /// Whom it names, other than the one who is asked.
    pub(super) person: Option<Person>,
}

/// Somebody a question names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Person {
    /// By the full name, as in what the resident remembers.
    Known(String),
    /// As the question has it: nothing that came to mind names them.
    Unknown(String),
}

impl Question {
    pub(super) fn new(task: &Interview<'_>) -> Self {
        let phrases = Phrases::get();
        let cues = &phrases.interview;
        let lower = task.question.to_lowercase();
        let parts = sentences(task.question);
        // "Your breakfast is burning. What do you do?"
        let asks = parts
            .iter()
            .rev()
            .find(|s| s.ends_with(['?', '？']))
            .or(parts.last());
        let first: Vec<String> = lower_words(asks.copied().unwrap_or_default());
        let asks_lower = asks.map(|s| s.to_lowercase()).unwrap_or_default();
        let begins = |list: &[String]| first.first().is_some_and(|w| list.contains(w));
        let wanted = if begins(&cues.auxiliaries) && !holds(&asks_lower, &cues.requests) {
            Wanted::YesNo
        } else if holds(&asks_lower, &cues.ask_time) {
            Wanted::Time
        } else if holds(&asks_lower, &cues.ask_place) {
            Wanted::Place
        } else if holds(&asks_lower, &cues.ask_reason) {
            Wanted::Reason
        } else if holds(&asks_lower, &cues.ask_person) {
            Wanted::Person
        } else {
            Wanted::Anything
        };
        let hypothetical = holds(&lower, &cues.would) && (parts.len() > 1 || holds(&lower, &cues.supposing));
        let period = Period::asked(task.question, task.now);
        let own = |text: &str| {
            let mut found = content_words(text, &[&task.who.name]);
            found.retain(|w| !cues.says_nothing.contains(w));
            found
        };
        let mut about = own(task.question);
        let person = person(task, &lower).or_else(|| {
            // "Who is Ilse?", "What did she tell you?"
            let leans = first.iter().any(|w| cues.pronouns.contains(w));
            let before = task.history.last().filter(|_| leans)?;
            let asked = Interview {
                question: &before.question,
                history: &[],
                present: task.present.clone(),
                ..*task
            };
            person(&asked, &before.question.to_lowercase())
        });
        let timed = words_of_time();
        let mut matter = about.clone();
        matter.retain(|w| {
            let of_time = timed.contains(w) || w.starts_with(|c: char| c.is_ascii_digit());
            let script = w.chars().all(|c| c < WITHOUT_SPACES);
            script && !of_time && !cues.living.contains(w)
        });
        if period.is_some() && !matter.is_empty() {
            about.clone_from(&matter);
        }
        if about.is_empty()
            && let Some(before) = task.history.last()
        {
            about = own(&before.question);
        }
        // "tell" is no matter of its own elsewhere.
        let telling = telling(&first, &lower, person.is_some());
        about.retain(|w| !cues.telling.contains(w));
        if !about.is_empty() && telling == Some(Telling::Mine) {
            about.push(cues.told.clone());
        }
        let spans = text::Words::new(task.question);
        let periods = &Reading::get().periods;
        let says = |cues: &[String]| cues.iter().any(|cue| find(&lower, cue).is_some());
        let named = || when::days_in(&spans, task.now).first().map(|day| day.date);
        Self {
            words: about,
            matter,
            wanted,
            telling,
            past: period.is_some() || says(&periods.past),
            lived: says(&periods.lived),
            hypothetical,
            day: period.as_ref().map(|period| period.from.date()).or_else(named),
            period,
            minute: when::clock_times_in(&spans).first().map(|time| time.minute),
            person,
            asks: first,
            lower,
        }
    }

    pub(super) fn has(&self, cues: &[String]) -> bool {
        holds(&self.lower, cues)
    }

    /// Whether it asks what is so at this moment: it holds a cue, and besides says no more than "now".
    pub(super) fn is_of_now(&self, cues: &[String]) -> bool {
        let now_words = &Phrases::get().interview.now_words;
        let asks = self.asks.join(" ");
        cues.iter().any(|cue| {
            let rest = asks.strip_prefix(&*lower_words(cue).join(" "));
            rest.is_some_and(|rest| {
                rest.split_whitespace()
                    .all(|word| now_words.iter().any(|w| w == word))
            })
        })
    }

    /// Whether it asks for what was lived through, rather than about one thing of it.
    pub(super) fn asks_what_was_lived(&self) -> bool {
        self.past && self.lived && self.matter.is_empty()
    }

    /// The words of the matter of a question for an occasion, or another thing one goes to.
    pub(super) fn destination(&self) -> Option<Vec<String>> {
        let going = &Phrases::get().interview.going;
        let goes = self.asks.iter().any(|w| going.contains(w));
        let of_going: Vec<String> = going.iter().flat_map(|w| content_words(w, &[])).collect();
        let mut matter = self.matter.clone();
        matter.retain(|w| !of_going.contains(w));
        (goes && self.wanted == Wanted::YesNo && self.subject_is_second() && !matter.is_empty())
            .then_some(matter)
    }

    /// Whether the one who is asked is who the question says something of: "Did you …?"
    fn subject_is_second(&self) -> bool {
        let second = &Phrases::get().grammar.second;
        self.asks.get(1).is_some_and(|word| second.contains(word))
    }

    /// Whether it asks who told something.
    pub(super) fn asks_for_teller(&self) -> bool {
        self.wanted == Wanted::Person || self.has(&Phrases::get().interview.source)
    }

    /// Whether `name`, or a word that stands for somebody, comes before the telling.
    pub(super) fn is_told_by(&self, name: &str) -> bool {
        let cues = &Phrases::get().interview;
        let first = lower_words(first_name(name));
        let told = self.asks.iter().position(|w| cues.telling.contains(w));
        let before = &self.asks[..told.unwrap_or(self.asks.len())];
        before
            .iter()
            .any(|w| first.contains(w) || cues.pronouns.contains(w))
    }

    /// Whether it is about the one who is asked.
    pub(super) fn to_oneself(&self) -> bool {
        let second = &Phrases::get().grammar.second;
        self.asks.iter().any(|word| second.contains(word))
    }
}

/// The words by which times and stretches of time are named.
fn words_of_time() -> Vec<String> {
    let periods = &Reading::get().periods;
    let named = periods.days.keys().chain(periods.parts.keys());
    let named = named.chain(periods.weekdays.keys()).chain(periods.weeks.keys());
    let counted = [
        &periods.days_ago,
        &periods.weeks_ago,
        &periods.hours_ago,
        &periods.past_days,
        &periods.past_hours,
        &periods.before,
    ];
    let all = named
        .chain(counted.into_iter().flatten())
        .chain(periods.numbers.keys());
    all.flat_map(|text| content_words(text, &[])).collect()
}

/// Who told whom, by where "you" stands.
fn telling(asks: &[String], lower: &str, names_somebody: bool) -> Option<Telling> {
    let phrases = Phrases::get();
    let (cues, grammar) = (&phrases.interview, &phrases.grammar);
    if holds(lower, &cues.source) {
        return Some(Telling::ToMe);
    }
    let at = asks.iter().position(|w| cues.telling.contains(w))?;
    let mut after = asks[at + 1..]
        .iter()
        .skip_while(|w| grammar.before_objects.contains(*w));
    let whom = after.next();
    if whom.is_some_and(|w| grammar.second.contains(w)) {
        return Some(Telling::ToMe);
    }
    if whom.is_some_and(|w| grammar.first.contains(w) || *w == grammar.us) {
        return None;
    }
    if asks[..at].iter().any(|w| grammar.second.contains(w)) {
        return Some(Telling::Mine);
    }
    (names_somebody && at > 0).then_some(Telling::ToMe)
}

/// The questions in a text: several sentences that ask, "… and where are you?", "do you know Ilse and Sam?"
pub(super) fn apart(text: &str) -> Vec<String> {
    let phrases = Phrases::get();
    let (cues, grammar) = (&phrases.interview, &phrases.grammar);
    let begins_question = |part: &str| {
        let words = lower_words(part);
        let second = words.get(1).is_some_and(|w| grammar.second.contains(w));
        words
            .first()
            .is_some_and(|w| cues.question_words.contains(w) || cues.auxiliaries.contains(w) && second)
    };
    let begins = |part: &str| {
        let first = lower_words(part).into_iter().next();
        begins_question(part) || first.is_some_and(|w| cues.auxiliaries.contains(&w))
    };
    let all = sentences(text);
    let asking = all.iter().filter(|s| s.ends_with(['?', '？'])).count();
    if all.is_empty() || asking < all.len() {
        return vec![text.to_owned()];
    }
    let mut found: Vec<String> = Vec::new();
    for sentence in all {
        let from = found.len();
        for part in sentence.split(" and ") {
            let plain = part.trim().trim_end_matches(',');
            let (raw, _) = words(plain);
            let is_name = !raw.is_empty() && raw.iter().all(|w| w.begins_name());
            let head = found.get(from).and_then(|first| {
                let lower = first.to_lowercase();
                let cue = cues.know_who.iter().find(|cue| lower.starts_with(cue.as_str()))?;
                first.get(..cue.len()).map(str::to_owned)
            });
            match (found.len() > from, head) {
                (false, _) => found.push(plain.to_owned()),
                (true, Some(head)) if is_name => found.push(format!("{head} {plain}")),
                (true, _) if begins(&found[from]) && begins_question(plain) => found.push(plain.to_owned()),
                (true, _) => {
                    if let Some(last) = found.last_mut() {
                        *last = format!("{last} and {part}");
                    }
                }
            }
        }
    }
    if found.len() < 2 {
        return vec![text.to_owned()];
    }
    for question in &mut found {
        if !question.ends_with(['?', '？']) {
            question.push('?');
        }
    }
    found
}

/// Whether a question has no matter of its own, or leans on what was asked before: "what do you think of it?"
pub(super) fn leans(question: &str) -> bool {
    let phrases = Phrases::get();
    let (leaning, empty) = (&phrases.news.leaning, &phrases.interview.says_nothing);
    content_words(question, &[]).iter().all(|w| empty.contains(w))
        || lower_words(question).iter().any(|w| leaning.contains(w))
}

/// Whether a word says what somebody is to somebody.
pub(super) fn is_tie(word: &str) -> bool {
    let phrases = Phrases::get();
    is_kin(word) || phrases.attitude.bond.contains(word) || phrases.interview.ties.contains(word)
}

/// Whether a word says that somebody is of somebody's family.
pub(super) fn is_kin(word: &str) -> bool {
    let grammar = &Phrases::get().grammar;
    let kin = [&grammar.kin_he, &grammar.kin_she, &Phrases::get().attitude.kin];
    kin.into_iter().any(|set| set.contains(word))
}

/// Whom the question names: somebody remembered, in whatever case the name is written, or else what
/// looks like the name of a person.
fn person(task: &Interview<'_>, lower: &str) -> Option<Person> {
    let who = task.who;
    let is_own = |name: &str| *name == *who.name || *name == *who.first_name;
    let mut known: Vec<String> = Vec::new();
    for memory in task.recalled {
        known.extend(people_in(memory, &who.name));
        if memory.kind == MemoryKind::Reflection {
            known.extend(full_names(&memory.text));
        }
    }
    for text in [&who.background, &who.current] {
        known.extend(full_names(text));
    }
    let place_words = &Phrases::get().grammar.place_words;
    let present = &task.present;
    known.retain(|name| {
        let last = lower_words(name).pop();
        let of_place = last.is_some_and(|word| place_words.contains(&word));
        let here = present
            .place
            .iter()
            .chain(&present.home)
            .any(|place| place == name);
        !is_own(name) && !of_place && !here && !is_placed(name, task)
    });
    let asked = lower_words(task.question);
    let joined: String = lower.split_whitespace().collect();
    let full = known.iter().find(|name| {
        let parts = lower_words(name);
        let spelled = asked.windows(parts.len().max(1)).any(|run| *run == *parts);
        spelled || !name.is_ascii() && joined.contains(&name.to_lowercase().replace(' ', ""))
    });
    if let Some(name) = full {
        return Some(Person::Known(name.clone()));
    }
    let stranger = unknown(task, lower);
    if let Some(name) = stranger.as_ref().filter(|name| name.contains(' ')) {
        return Some(Person::Unknown(name.clone()));
    }
    let grammar = &Phrases::get().grammar;
    let (written, _) = words(task.question);
    let by_first_name = known.iter().find(|name| {
        let first = first_name(name);
        let first_lower = first.to_lowercase();
        let common = grammar.speaks(&first_lower) || grammar.is_calendar(&first_lower);
        first != name.as_str()
            && written.iter().any(|w| {
                let word = bare(w.text);
                word == first || !common && word.to_lowercase() == first_lower
            })
    });
    by_first_name
        .map(|name| Person::Known(name.clone()))
        .or(stranger.map(Person::Unknown))
}

/// Whether what came to mind speaks of a name as of a place: "at the Town Hall".
fn is_placed(name: &str, task: &Interview<'_>) -> bool {
    let places = ["the", "at", "in"];
    let own = [&task.who.background, &task.who.current];
    let texts = task.recalled.iter().map(|memory| &*memory.text);
    let mut mentions = texts.chain(own.map(String::as_str)).flat_map(|text| {
        text.match_indices(name)
            .map(|(at, _)| (&text[..at], &text[at + name.len()..]))
    });
    mentions.any(|(before, after)| {
        let leads = before
            .ends_with(' ')
            .then(|| before.split_whitespace().next_back())
            .flatten();
        leads.is_some_and(|word| places.contains(&word)) && !after.starts_with(['\'', '’'])
    })
}

/// A run of capitalised words that is no place or date, or what follows "do you know" and the like.
fn unknown(task: &Interview<'_>, lower: &str) -> Option<String> {
    let phrases = Phrases::get();
    let grammar = &phrases.grammar;
    let cues = &phrases.interview;
    let asks_who = holds(lower, &cues.know_who);
    let small = |word: &str| grammar.speaks(word) || grammar.questioning.contains(word);
    let (all, _) = words(task.question);
    let mut run: Vec<&str> = Vec::new();
    for (i, word) in all.iter().enumerate() {
        let lower = word.text.to_lowercase();
        let opens = i == 0 || word.opens_sentence();
        let is_name = word.is_capitalised()
            && !grammar.is_calendar(&lower)
            && !grammar.first.contains(&lower)
            && !(opens && (small(&lower) || grammar.is_command(&lower)));
        if !run.is_empty() && (word.is_set_off() || !is_name) {
            break;
        }
        let at_place = i > 0 && grammar.before_places.contains(&all[i - 1].text.to_lowercase());
        if is_name && !(run.is_empty() && at_place) {
            run.push(word.text);
            if bare(word.text) != word.text {
                // "Valentine's Day" is no person, "Ilse Brandt's" is.
                break;
            }
        } else if is_name {
            // The rest of a place's name is none either.
            return None;
        }
    }
    let name = run.iter().map(|w| bare(w)).collect::<Vec<_>>().join(" ");
    let enough = run.len() > 1 || run.len() == 1 && asks_who && bare(run[0]) == run[0];
    let is_own = name == *task.who.name || name == *task.who.first_name;
    let texts = || {
        let own = super::super::attitudes::own_statements(task.who);
        task.recalled.iter().map(|r| &*r.text).chain(own)
    };
    if enough && !is_own {
        // A place, a thing or an occasion that the resident has heard of, or a first name.
        return (!texts().any(|text| names(text, &name) || text.contains(&name))).then_some(name);
    }
    if !asks_who || !run.is_empty() {
        return None;
    }
    // "do you know kane martinez?"
    let cue = cues
        .know_who
        .iter()
        .find_map(|cue| lower.split_once(cue.as_str()))?;
    let rest = lower_words(cue.1);
    let looks_like = rest.len() == 2 && rest.iter().all(|w| !small(w) && !w.ends_with("ing"));
    let heard_of = texts().any(|text| lower_words(text).iter().any(|w| rest.contains(w)));
    (looks_like && !heard_of).then(|| cue.1.trim().trim_end_matches(['?', '.', '!']).trim().to_owned())
}

/// The words of a question by which memories are looked up whatever they mean: names, and ties such as
/// "sister".
pub(crate) struct Keys {
    names: Vec<String>,
    ties: Vec<String>,
    /// The question in lower case without spaces, for names in scripts that set none.
    joined: String,
    own: String,
    /// Whether talks are asked for.
    talks: bool,
    /// The words of a matter of which it is asked who told it.
    told: Vec<String>,
}

impl Keys {
    /// The keys of a question put to `own`.
    pub(crate) fn new(question: &str, own: &str) -> Self {
        let phrases = Phrases::get();
        let (grammar, attitude, cues) = (&phrases.grammar, &phrases.attitude, &phrases.interview);
        let lower = question.to_lowercase();
        let own_words = lower_words(own);
        let mut asked = lower_words(question);
        asked.retain(|w| {
            let small = grammar.speaks(w) || grammar.questioning.contains(w) || grammar.is_calendar(w);
            !small && !own_words.contains(w)
        });
        let (mut ties, names): (Vec<String>, Vec<String>) = asked.into_iter().partition(|w| is_tie(w));
        if holds(&lower, &phrases.interview.live_with) {
            let shared = lower_words(&phrases.interview.lives_with.join(" "));
            let shared = shared.into_iter().filter(|w| w.starts_with("liv"));
            ties.extend(
                [&attitude.kin, &grammar.kin_he, &grammar.kin_she]
                    .into_iter()
                    .flatten()
                    .chain(&attitude.household)
                    .cloned()
                    .chain(shared),
            );
        }
        let mut told = Vec::new();
        if telling(&lower_words(question), &lower, true) == Some(Telling::ToMe) {
            told = content_words(question, &[own]);
            told.retain(|w| !cues.telling.contains(w) && !cues.says_nothing.contains(w));
        }
        Self {
            names,
            ties,
            talks: holds(&lower, &cues.talking_with) || holds(&lower, &cues.talked_about),
            told,
            joined: lower.split_whitespace().collect(),
            own: own.to_owned(),
        }
    }

    /// Whether nothing is looked up.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.ties.is_empty() && !self.talks && self.joined.is_ascii()
    }

    /// How much of them a memory holds, 0 for nothing; `known` says that it is about what is so from the start.
    pub(crate) fn held_by(&self, memory: &Memory, known: bool) -> usize {
        let (all, _) = words(&memory.text);
        let is = |word: &str, name: &str| bare(word).to_lowercase() == name;
        let teller = memory
            .hearsay
            .as_ref()
            .map(|hearsay| lower_words(&hearsay.teller));
        let told_by = |name: &String| teller.as_ref().is_some_and(|teller| teller.contains(name));
        let named =
            |name: &&String| told_by(name) || all.iter().any(|w| w.is_capitalised() && is(w.text, name));
        let mut named = self.names.iter().filter(named).count();
        let subject = &*memory.triple.subject;
        let spelled = || self.joined.contains(&*subject.to_lowercase().replace(' ', ""));
        named += usize::from(!subject.is_ascii() && subject != self.own && spelled());
        let lower: Vec<String> = all.iter().map(|w| bare(w.text).to_lowercase()).collect();
        let tie = lower.iter().any(|w| self.ties.contains(w));
        let bond = named > 0 && lower.iter().any(|w| is_tie(w));
        let mine = prose::names(&memory.text, &self.own);
        // What somebody has been to one from the start comes before whatever they were seen doing since.
        let standing = named > 0 && mine && known;
        let talk = memory.kind == MemoryKind::Conversation;
        let asked_talk = self.talks && talk;
        let told = || {
            let words = content_words(&memory.text, &[]);
            self.told.iter().all(|w| words.contains(w) || told_by(w))
        };
        let source = !self.told.is_empty() && (talk || teller.is_some()) && told();
        2 * named
            + 2 * usize::from(tie)
            + usize::from(bond)
            + usize::from(tie && mine)
            + 4 * usize::from(standing || asked_talk || source)
    }
}
