//! Appointments.

use townsfolk_store::Result;

use super::memories::quoted;
use crate::report::Examination;
use crate::story::Story;

pub(crate) fn appointments(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for appointment in story.run.appointments_between(0..=story.head)? {
        examination.look();
        let (tick, row) = (appointment.tick, &appointment.row);
        let what = quoted(&row.what);
        let mut fault = |found: String| {
            examination.fault(tick, row.resident, || {
                format!("appointment {} ({what}): {found}", row.id)
            });
        };
        if row.end <= row.start {
            fault("it takes no time".to_owned());
        }
        if story.person(row.host).is_none() {
            fault("its host does not exist".to_owned());
        }
        match row.memory {
            Some(memory) if story.held(row.resident, memory, tick).is_none() => {
                fault(format!("it rests on memory {memory}, which was not there"));
            }
            _ => {}
        }
    }
    Ok(())
}
