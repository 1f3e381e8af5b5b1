//! Sleepers neither walk nor talk.

use townsfolk_store::{ActionStatus, ResidentId, Result, Tick};

use crate::report::Examination;
use crate::story::Story;

pub(crate) fn sleep(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    let asleep = |who: ResidentId, tick: Tick| {
        story.person(who).and_then(|person| person.status_at(tick)) == Some(ActionStatus::Asleep)
    };
    for talk in &story.conversations {
        let began = &talk.began;
        examination.look();
        if asleep(began.row.b, began.tick) {
            examination.fault(began.tick, began.row.b, || {
                format!("was spoken to asleep (talk {})", began.row.id)
            });
        }
        for line in &talk.lines {
            examination.look();
            if asleep(line.row.speaker, line.tick) {
                examination.fault(line.tick, line.row.speaker, || {
                    format!("said line {} of talk {} asleep", line.row.turn, began.row.id)
                });
            }
        }
    }
    for person in &story.people {
        // The first row says where somebody is as their story starts.
        for step in person.moves.iter().skip(1) {
            examination.look();
            if asleep(person.id, step.tick) && !story.steered_at(step.tick) {
                examination.fault(step.tick, person.id, || {
                    format!("walked to {}, {} asleep", step.row.x, step.row.y)
                });
            }
        }
    }
    Ok(())
}
