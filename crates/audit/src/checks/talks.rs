//! Talks: two people, in turn, one talk at a time, and an end.

use townsfolk_store::{Conversation, Result, Tick};

use crate::report::Examination;
use crate::story::Story;

/// A talk in which nothing was said for so long, in game seconds, should have ended by itself.
const LEFT_HANGING_SECONDS: i64 = 3_600;

pub(crate) fn turns(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for talk in &story.conversations {
        examination.look();
        let began = &talk.began.row;
        let mut fault = |tick: Tick, what: String| {
            examination.fault(tick, began.a, || format!("talk {}: {what}", began.id));
        };
        if began.a == began.b {
            fault(talk.began.tick, "with oneself".to_owned());
        }
        let mut before = talk.began.tick;
        for (line, turn) in talk.lines.iter().zip(0..) {
            if line.row.turn != turn {
                fault(line.tick, format!("turn {turn} is missing"));
                break;
            }
            if ![began.a, began.b].contains(&line.row.speaker) {
                fault(line.tick, format!("somebody else speaks in turn {turn}"));
            }
            if line.tick < before {
                fault(line.tick, format!("turn {turn} was said before its turn"));
            }
            before = line.tick;
        }
        if let Some(ended) = &talk.ended {
            if ended.tick < before {
                fault(ended.tick, "a line was said after its end".to_owned());
            }
            if ended.row.reason.trim().is_empty() {
                fault(ended.tick, "ended for no reason".to_owned());
            }
        }
    }
    // In a pair of neighbouring lines each speaks once, or it is a monologue.
    for talk in &story.conversations {
        for pair in talk.lines.windows(2) {
            if pair[0].row.speaker == pair[1].row.speaker {
                let line = &pair[1];
                examination.fault(line.tick, line.row.speaker, || {
                    format!("talk {}: spoke twice in a row", talk.began.row.id)
                });
            }
        }
    }
    Ok(())
}

pub(crate) fn one_each(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for person in &story.people {
        let mine = |talk: &&Conversation| [talk.began.row.a, talk.began.row.b].contains(&person.id);
        let mut talks: Vec<&Conversation> = story.conversations.iter().filter(mine).collect();
        talks.sort_by_key(|talk| (talk.began.tick, talk.began.row.id));
        for pair in talks.windows(2) {
            examination.look();
            let over = pair[0].ended.as_ref().map_or(Tick::MAX, |ended| ended.tick);
            if pair[1].began.tick < over {
                examination.fault(pair[1].began.tick, person.id, || {
                    let (first, second) = (pair[0].began.row.id, pair[1].began.row.id);
                    format!("talk {second} began while talk {first} went on")
                });
            }
        }
    }
    Ok(())
}

pub(crate) fn end(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for talk in &story.conversations {
        examination.look();
        if talk.ended.is_some() {
            continue;
        }
        let last = talk.lines.last().map_or(talk.began.tick, |line| line.tick);
        let silent_seconds = story.time(story.head) - story.time(last);
        if silent_seconds > LEFT_HANGING_SECONDS {
            examination.fault(last, talk.began.row.a, || {
                format!(
                    "talk {} never ended; nothing was said in it for {} minutes",
                    talk.began.row.id,
                    silent_seconds / 60
                )
            });
        }
    }
    Ok(())
}
