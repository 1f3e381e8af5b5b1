//! What changes from tick to tick, for replay and for those who watch live: both are read from the
//! run file, so they can never tell different stories.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use townsfolk_store::{MemoryKind, RunReader, StoreError, Tick};

use crate::wire::json;
use crate::wire::moment::{Action, Frame, Noticed, ObjectState, Said, Steered, TalkBegun, TalkEnded};
use crate::wire::person::{Facts, Resident};

/// Ticks in one answer at most: six hours of game time at the usual ten seconds.
pub(crate) const MOST_TICKS: Tick = 2_160;

/// One frame for each of `ticks` at which something changed, in order.
pub(crate) fn between(run: &RunReader, ticks: RangeInclusive<Tick>) -> Result<Vec<Frame>, StoreError> {
    let mut frames = Frames::default();
    for row in run.residents()? {
        if row.came > 0 && ticks.contains(&row.came) {
            let facts = Facts::read(&row.identity);
            frames.at(row.came).came.push(Resident::new(&row, &facts));
        }
        if let Some(left) = row.left.filter(|left| ticks.contains(left)) {
            frames.at(left).left.push(row.id);
        }
    }
    for at in run.moves(ticks.clone())? {
        let moved = [at.row.resident, at.row.x.into(), at.row.y.into()];
        frames.at(at.tick).moves.push(moved);
    }
    for at in run.actions_between(ticks.clone())? {
        frames.at(at.tick).actions.push(Action::from(at));
    }
    for at in run.object_states_between(ticks.clone())? {
        frames.at(at.tick).objects.push(ObjectState::from(at));
    }
    for at in run.conversations_begun(ticks.clone())? {
        let begun = TalkBegun {
            id: at.row.id,
            a: at.row.a,
            b: at.row.b,
            place: at.row.place,
        };
        frames.at(at.tick).talks.push(begun);
    }
    for at in run.lines_between(ticks.clone())? {
        let said = Said {
            talk: at.row.conversation,
            turn: at.row.turn,
            speaker: at.row.speaker,
            text: at.row.text,
        };
        frames.at(at.tick).lines.push(said);
    }
    for at in run.conversations_ended(ticks.clone())? {
        let ended = TalkEnded {
            talk: at.row.conversation,
            reason: at.row.reason,
        };
        frames.at(at.tick).ends.push(ended);
    }
    for at in run.memories_made(MemoryKind::Reflection, ticks.clone())? {
        let drawn = [at.row.resident, at.row.id];
        frames.at(at.tick).reflections.push(drawn);
    }
    for at in run.notices(ticks.clone())? {
        let noticed = Noticed {
            resident: at.row.resident,
            kind: at.row.kind,
            detail: at.row.detail,
        };
        frames.at(at.tick).notices.push(noticed);
    }
    for at in run.inputs(ticks)? {
        let input = json(&at.row.json);
        let kind = at.row.kind;
        frames.at(at.tick).inputs.push(Steered { kind, input });
    }
    Ok(frames.0.into_values().collect())
}

#[derive(Default)]
struct Frames(BTreeMap<Tick, Frame>);

impl Frames {
    fn at(&mut self, tick: Tick) -> &mut Frame {
        let frame = self.0.entry(tick).or_default();
        frame.tick = tick;
        frame
    }
}
