//! How news gets about: who told what to whom, and whether they could.

use townsfolk_mind::routine::retold;
use townsfolk_store::{At, HearsayRow, LineRow, MemoryId, MemoryRow, Result, Tick};
use townsfolk_time::GameTime;

use super::memories::{quoted, words};
use crate::report::Examination;
use crate::story::{Person, Story};

/// The memories that a line names as told; none where that cannot be read.
fn told(line: &LineRow) -> Option<Vec<MemoryId>> {
    serde_json::from_str(&line.tells).ok()
}

pub(crate) fn tells(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for line in story.conversations.iter().flat_map(|talk| &talk.lines) {
        examination.look();
        let (tick, row) = (line.tick, &line.row);
        let Some(ids) = told(row) else {
            examination.fault(tick, row.speaker, || {
                format!("what {} tells cannot be read: {}", place(row), row.tells)
            });
            continue;
        };
        for id in ids {
            // A memory of the same tick may be told: it was remembered before the line was found.
            if story.held(row.speaker, id, tick).is_none() {
                examination.fault(tick, row.speaker, || {
                    format!("{} tells memory {id}, which the speaker did not have", place(row))
                });
            }
        }
    }
    Ok(())
}

pub(crate) fn hearsay(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for person in &story.people {
        for memory in &person.memories {
            let Some(hearsay) = memory.row.hearsay else {
                continue;
            };
            // What was heard before the story began has no talk to be found.
            if memory.row.created < story.info.start {
                continue;
            }
            examination.look();
            if let Err(what) = trace(story, person, memory, hearsay) {
                examination.fault(memory.tick, person.id, || {
                    format!("{}: {what}", words(&memory.row))
                });
            }
        }
    }
    Ok(())
}

/// Follows hearsay back to the line that told it, or says where the trace is lost.
fn trace(
    story: &Story<'_>,
    listener: &Person,
    heard: &At<MemoryRow>,
    HearsayRow { teller, memory }: HearsayRow,
) -> Result<(), String> {
    let teller_name = story.name(teller);
    let Some(talk) = heard.row.conversation else {
        return Err(format!("heard from {teller_name} in no talk"));
    };
    let Some(talk) = story.conversations.iter().find(|t| t.began.row.id == talk) else {
        return Err(format!("heard in talk {talk}, which does not exist"));
    };
    let pair = [talk.began.row.a, talk.began.row.b];
    if !pair.contains(&listener.id) || !pair.contains(&teller) || listener.id == teller {
        return Err(format!(
            "heard from {teller_name} in talk {}, which was between others",
            talk.began.row.id
        ));
    }
    let line = talk.lines.iter().find(|line| {
        line.row.speaker == teller
            && line.tick < heard.tick
            && told(&line.row).is_some_and(|ids| ids.contains(&memory))
    });
    let Some(line) = line else {
        return Err(format!("{teller_name} told memory {memory} in no line before"));
    };
    match story.held(teller, memory, line.tick) {
        None => Err(format!(
            "{teller_name} did not have memory {memory} when telling it"
        )),
        Some(source) => {
            let (made, told) = (GameTime::from_seconds(source.row.created), time(story, line.tick));
            // "Tomorrow" is told as "today" a day later.
            if *retold(&source.row.text, made, told) == *heard.row.text {
                Ok(())
            } else {
                Err(format!(
                    "{teller_name} remembers otherwise: {}",
                    quoted(&source.row.text)
                ))
            }
        }
    }
}

fn time(story: &Story<'_>, tick: Tick) -> GameTime {
    GameTime::from_seconds(story.info.start) + tick as i64 * i64::from(story.info.seconds_per_tick)
}

fn place(line: &LineRow) -> String {
    format!(
        "line {} of talk {} ({})",
        line.turn,
        line.conversation,
        quoted(&line.text)
    )
}
