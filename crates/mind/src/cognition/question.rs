//! What a question from outside brings to mind.

use std::cmp::Reverse;

use townsfolk_memory::{Memory, MemoryKind, MemoryStream, Query, Retrieved};

use super::remember::is_known;
use crate::period::Period;
use crate::routine::interview::Keys;

/// One place in so many is kept for what a question names.
const NAMED_SHARE: usize = 4;

/// What comes to mind for a question to `who`, best first, without a trace. A question about a stretch of
/// time, such as yesterday, brings back what belongs to it. Somebody the question names, or a tie such as
/// "sister", must not be forgotten because newer memories crowd them out: up to a quarter of the query's
/// places is for memories that hold these words, wherever they rank and whenever they are from. What
/// somebody has been to `who` from the start comes first among them, and talks or tellings where the
/// question asks for those.
pub fn comes_to_mind(stream: &MemoryStream, query: &Query<'_>, who: &str, question: &str) -> Vec<Retrieved> {
    let keys = Keys::new(question, who);
    let period = Period::asked(question, query.now);
    if keys.is_empty() && period.is_none() {
        return stream.peek(query);
    }
    let mut found = stream.peek(&Query {
        count: stream.len(),
        ..*query
    });
    let of_then = |one: &Retrieved| {
        let memory = stream.get(one.id);
        period
            .as_ref()
            .is_none_or(|period| memory.is_some_and(|m| period.concerns(&m.text, m.created, is_known(m))))
    };
    let of_then: Vec<bool> = found.iter().map(of_then).collect();
    let held = |memory: &Memory| keys.held_by(memory, is_known(memory));
    let mut named: Vec<(usize, usize)> = found
        .iter()
        .enumerate()
        .filter_map(|(rank, one)| Some((rank, held(stream.get(one.id)?))))
        .filter(|(_, held)| *held > 0)
        .collect();
    named.sort_by_key(|(rank, held)| (Reverse(*held), !of_then[*rank], *rank));
    named.truncate(query.count.div_ceil(NAMED_SHARE));
    // What was done at a moment may have begun before it.
    let begun = period
        .as_ref()
        .filter(|period| period.is_moment())
        .and_then(|period| {
            let own = found.iter().enumerate().filter_map(|(rank, one)| {
                let memory = stream.get(one.id)?;
                let doing = memory.kind == MemoryKind::Observation && &*memory.triple.subject == who;
                let doing = doing && !is_known(memory);
                (doing && memory.created < period.until && memory.hearsay.is_none()).then_some((
                    memory.created,
                    one.id,
                    rank,
                ))
            });
            own.max().map(|(.., rank)| (rank, 0))
        });
    named.extend(begun);
    // Those that rank high enough anyway take no place from others.
    let mut places = query.count;
    let mut kept = vec![false; found.len()];
    for (rank, _) in named {
        kept[rank] = true;
        places = places.saturating_sub(1);
    }
    let others = kept
        .iter_mut()
        .zip(&of_then)
        .filter(|(keep, of_then)| !**keep && **of_then);
    for (keep, _) in others.take(places) {
        *keep = true;
    }
    let mut kept = kept.into_iter();
    found.retain(|_| kept.next().unwrap_or_default());
    found
}

#[cfg(test)]
mod tests {
    use townsfolk_memory::{Embedding, NewMemory, Retrieval, StreamSettings, Triple};
    use townsfolk_time::GameTime;

    use super::*;
    use crate::cognition::remember::KNOWS;

    #[test]
    fn what_somebody_is_to_one_is_not_crowded_out_by_what_they_did_since() {
        let embedding = Embedding::from_f32(&[1.0]);
        let mut stream = MemoryStream::new(StreamSettings::new("one number", 1));
        let start: GameTime = "2024-06-03 05:00".parse().unwrap();
        let mut add = |hours: i64, subject: &str, predicate: &str, text: &str| {
            let triple = Triple::new(subject, predicate, "it");
            let memory = NewMemory::observation(start + hours * 3_600, triple, text, 2);
            stream.add(memory, &embedding).unwrap();
        };
        for tie in [
            "Piet Ilves is Mara Ilves's grandson",
            "Gwen Pryce lets Mara Ilves a room",
        ] {
            add(0, "Mara Ilves", KNOWS, tie);
        }
        for hour in 1..40 {
            for name in ["Piet Ilves", "Gwen Pryce"] {
                let doing = format!("{name} is telling his teacher and a friend of hour {hour}");
                add(hour, name, "is", &doing);
            }
        }
        let retrieval = Retrieval::paper();
        let query = Query::new(&embedding, start + 40 * 3_600, 8, &retrieval);
        for (question, tie) in [
            ("Who is Piet Ilves?", 0),
            ("Is Piet Ilves your grandson?", 0),
            ("Who is your grandson?", 0),
            ("Do you know Gwen Pryce?", 1),
        ] {
            let found = comes_to_mind(&stream, &query, "Mara Ilves", question);
            assert_eq!(found.len(), 8);
            assert!(found.iter().any(|one| one.id.index() == tie), "{question}");
        }
    }
}
