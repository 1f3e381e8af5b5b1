//! Steps on the map, as far as the run file says what the map is, and who is in town at all.

use serde::Deserialize;
use townsfolk_store::Result;

use crate::report::Examination;
use crate::story::Story;

/// What is read of the town: the walls, as spans of row, first column and length.
#[derive(Deserialize)]
struct Town {
    world: Walls,
}

#[derive(Deserialize)]
struct Walls {
    width: u16,
    height: u16,
    walls: Vec<[u16; 3]>,
}

impl Walls {
    fn walkable(&self, x: u16, y: u16) -> bool {
        let in_wall = |[row, first, length]: &[u16; 3]| {
            *row == y && *first <= x && u32::from(x) < u32::from(*first) + u32::from(*length)
        };
        x < self.width && y < self.height && !self.walls.iter().any(in_wall)
    }
}

pub(crate) fn steps(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    let parts = story.run.town()?;
    let towns = parts
        .iter()
        .filter_map(|part| serde_json::from_str::<Town>(&part.data).ok());
    let walls = towns.map(|town| town.world).next();
    for person in &story.people {
        for pair in person.moves.windows(2) {
            let (from, to) = (&pair[0].row, &pair[1].row);
            examination.look();
            if story.steered_at(pair[1].tick) {
                continue;
            }
            if from.x.abs_diff(to.x) + from.y.abs_diff(to.y) != 1 {
                examination.fault(pair[1].tick, person.id, || {
                    format!(
                        "went from {}, {} to {}, {} in one step",
                        from.x, from.y, to.x, to.y
                    )
                });
            }
            if walls.as_ref().is_some_and(|walls| !walls.walkable(to.x, to.y)) {
                examination.fault(pair[1].tick, person.id, || {
                    format!("stands in the wall at {}, {}", to.x, to.y)
                });
            }
        }
    }
    Ok(())
}

pub(crate) fn presence(story: &Story<'_>, examination: &mut Examination<'_>) -> Result<()> {
    for person in &story.people {
        let moves = person.moves.iter().map(|step| (step.tick, "moved"));
        let actions = person.actions.iter().map(|action| (action.tick, "acted"));
        let memories = person.memories.iter().map(|memory| (memory.tick, "remembered"));
        let lines = story.conversations.iter().flat_map(|talk| &talk.lines);
        let lines = lines
            .filter(|line| line.row.speaker == person.id)
            .map(|line| (line.tick, "spoke"));
        for (tick, did) in moves.chain(actions).chain(memories).chain(lines) {
            examination.look();
            if tick < person.came {
                examination.fault(tick, person.id, || format!("{did} before coming to town"));
            }
            if person.left.is_some_and(|left| tick > left) {
                examination.fault(tick, person.id, || format!("{did} after leaving town"));
            }
        }
    }
    Ok(())
}
