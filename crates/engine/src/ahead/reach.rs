//! How soon one person can do something that another sees.
//!
//! A body moves one tile a tick. What it does is seen within the sight of others, in their arena, one tick
//! later; what it uses is seen where that stands. So from where everybody is now follows a least number
//! of ticks for each pair, and from those, by way of third ones, the earliest tick at which anything
//! unknown can have reached somebody ([`Reach::soonest`]).

use townsfolk_mind::cognition::{Body, Resident};
use townsfolk_world::{PlaceId, Tile, World};

use crate::engine::State;

/// More ticks than anybody looks ahead.
const FAR: u32 = u32::MAX;

/// The ticks between people.
pub(super) struct Reach {
    /// How far people see, at most, in tiles.
    radius: u16,
    /// Steps that are counted; whoever is farther away is [`FAR`].
    steps: u16,
    /// For each person, the steps from every tile into their sight, row by row; `u16::MAX` where there are
    /// more than `steps`.
    fields: Vec<Vec<u16>>,
    /// What each one was seen to be when their numbers were made.
    seen: Vec<Standing>,
    /// By person, then by another: ticks until one can affect the other.
    ticks: Vec<Vec<u32>>,
}

/// What of a person decides whom they can affect, and who them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Standing {
    tile: Tile,
    talk: Option<townsfolk_mind::cognition::ConversationId>,
    uses: Vec<PlaceId>,
}

impl Standing {
    fn of(body: &Body, resident: &Resident) -> Self {
        let doing = resident.life.doing.as_ref().map(|doing| &doing.showing);
        let used = [Some(&body.showing), doing].into_iter().flatten();
        let mut uses: Vec<PlaceId> = used
            .filter_map(|showing| showing.uses.as_ref())
            .map(|(object, _)| *object)
            .collect();
        uses.dedup();
        Self {
            tile: body.tile,
            talk: body.talk,
            uses,
        }
    }
}

impl Reach {
    /// The numbers for everybody where they are now, up to about `ticks` ahead.
    pub(super) fn new(world: &World, state: &State, residents: &[Resident], ticks: u64) -> Self {
        let radius = residents.iter().map(|resident| resident.settings.vision_radius);
        let count = residents.len();
        let mut reach = Self {
            radius: radius.max().unwrap_or_default(),
            steps: u16::try_from(ticks).unwrap_or(u16::MAX - 1).min(u16::MAX - 1),
            fields: vec![Vec::new(); count],
            seen: Vec::with_capacity(count),
            ticks: vec![vec![FAR; count]; count],
        };
        for (body, resident) in state.bodies.iter().zip(residents) {
            let standing = Standing::of(body, resident);
            reach.fields[resident.id.index()] = reach.field(world, standing.tile);
            reach.seen.push(standing);
        }
        for who in 0..count {
            reach.compare(world, who);
        }
        reach
    }

    /// Takes in where somebody is now.
    pub(super) fn update(&mut self, world: &World, who: usize, body: &Body, resident: &Resident) {
        let standing = Standing::of(body, resident);
        if standing == self.seen[who] {
            return;
        }
        if standing.tile != self.seen[who].tile {
            self.fields[who] = self.field(world, standing.tile);
        }
        self.seen[who] = standing;
        self.compare(world, who);
    }

    /// The earliest tick at which each one may be affected by somebody, where each one by itself may do
    /// anything from the tick `acts` on.
    pub(super) fn soonest(&self, acts: &[u64]) -> Vec<u64> {
        // Shortest ways from all of them at once, as Dijkstra's.
        let count = acts.len();
        let mut by_others = vec![u64::MAX; count];
        let mut earliest = acts.to_vec();
        let mut open = vec![true; count];
        while let Some(next) = (0..count)
            .filter(|who| open[*who])
            .min_by_key(|who| earliest[*who])
        {
            if earliest[next] == u64::MAX {
                break;
            }
            open[next] = false;
            for who in (0..count).filter(|who| *who != next) {
                let ticks = self.ticks[who][next];
                if ticks != FAR {
                    by_others[who] = by_others[who].min(earliest[next].saturating_add(ticks.into()));
                }
            }
            for who in (0..count).filter(|who| open[*who]) {
                earliest[who] = earliest[who].min(by_others[who]);
            }
        }
        by_others
    }

    /// Makes the numbers of one person and all others anew.
    fn compare(&mut self, world: &World, who: usize) {
        for other in (0..self.seen.len()).filter(|other| *other != who) {
            // The same for both, so that nobody goes on whom somebody further behind may still look at.
            let ticks = self.ticks_until(world, who, other);
            let ticks = ticks.min(self.ticks_until(world, other, who));
            self.ticks[who][other] = ticks;
            self.ticks[other][who] = ticks;
        }
    }

    /// Ticks until `from` can affect `to`: what it does at a tick is seen at the next.
    fn ticks_until(&self, world: &World, to: usize, from: usize) -> u32 {
        let (mover, watcher) = (&self.seen[from], &self.seen[to]);
        if mover.talk.is_some() && mover.talk == watcher.talk {
            return 1;
        }
        let steps = |tile: Tile| {
            let at = usize::from(tile.y) * usize::from(world.width()) + usize::from(tile.x);
            self.fields[to].get(at).copied().unwrap_or(u16::MAX)
        };
        let mut used = mover.uses.iter().flat_map(|object| &world.place(*object).tiles);
        match steps(mover.tile) {
            _ if used.any(|tile| steps(*tile) == 0) => 1,
            u16::MAX => FAR,
            steps => u32::from(steps.max(1)),
        }
    }

    /// The steps from every tile to where one is seen from `tile`, or uses what is seen from there.
    fn field(&self, world: &World, tile: Tile) -> Vec<u16> {
        let width = usize::from(world.width());
        let mut field = vec![u16::MAX; width * usize::from(world.height())];
        let objects = world.objects_in_sight(tile, self.radius).into_iter();
        let mut ring = world.sight(tile, self.radius).tiles;
        ring.extend(objects.flat_map(|(object, ..)| world.standing_tiles(object)));
        for steps in 0..=self.steps {
            let mut next = Vec::new();
            for tile in ring {
                let mark = &mut field[usize::from(tile.y) * width + usize::from(tile.x)];
                if *mark != u16::MAX {
                    continue;
                }
                *mark = steps;
                // One may stand on what cannot be walked on (a bed), and gets off it, but nobody crosses it.
                if steps == 0 || world.walkable(tile) {
                    next.extend(tile.neighbours().filter(|tile| world.contains(*tile)));
                }
            }
            ring = next;
        }
        field
    }
}

#[cfg(test)]
mod tests {
    use townsfolk_world::sketch;

    use super::*;

    /// Nobody's numbers, to be filled in.
    fn reach(radius: u16, steps: u16) -> Reach {
        Reach {
            radius,
            steps,
            fields: Vec::new(),
            seen: Vec::new(),
            ticks: Vec::new(),
        }
    }

    #[test]
    fn what_somebody_does_reaches_others_by_way_of_third_ones() {
        let mut row = reach(8, 60);
        // Three in a row; the ends are far from each other.
        row.ticks = vec![vec![FAR, 5, 100], vec![5, FAR, 7], vec![100, 7, FAR]];
        let never = u64::MAX;
        assert_eq!(row.soonest(&[10, never, never]), [20, 15, 22]);
        assert_eq!(row.soonest(&[10, 12, never]), [17, 15, 19]);
        assert_eq!(row.soonest(&[never, never, never]), [never, never, never]);
    }

    #[test]
    fn steps_into_sight_go_around_walls_and_out_of_rooms() {
        let world = sketch::read(
            "
            Small Town
            ##########
            #aaa#bbb##
            #aaa#bbb##
            #.####.###
            ..........
            a = Left House:room
            b = Right House:room
            ",
        )
        .expect("the sketch is right");
        let tile = |x, y| Tile { x, y };
        let sight = reach(8, 60).field(&world, tile(1, 1));
        let steps = |x: usize, y: usize| sight[y * usize::from(world.width()) + x];
        assert_eq!(steps(3, 2), 0, "seen in the same room");
        assert_eq!(steps(1, 3), 1, "one step from the door");
        assert_eq!(steps(4, 4), 5, "along the street and up to the door");
        assert_eq!(steps(5, 1), 11, "out of the one door and in by the other");
        let near = reach(8, 3).field(&world, tile(1, 1));
        assert_eq!(
            near[4 * usize::from(world.width()) + 4],
            u16::MAX,
            "farther than is counted"
        );
    }
}
