//! What was read, and whatever did not fit: nothing is left out in silence.

use std::fmt;

use townsfolk_world::Tile;

use crate::error::Nearest;

/// What an import read, for people to look over before they run the town.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Columns of the map, in tiles.
    pub width: u16,
    /// Rows of the map, in tiles.
    pub height: u16,
    /// Tiles that are not walls.
    pub walkable_tiles: usize,
    /// Walkable tiles that the first resident can walk to.
    pub town_tiles: usize,
    /// Sectors on the map.
    pub sectors: usize,
    /// Arenas on the map.
    pub arenas: usize,
    /// Objects on the map.
    pub objects: usize,
    /// Named start tiles on the map.
    pub spawns: usize,
    /// Residents.
    pub residents: usize,
    /// Memories of all residents together.
    pub memories: usize,
    /// What did not fit, in the order in which it was met.
    pub notes: Vec<Note>,
}

impl fmt::Display for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "map: {}×{} tiles, {} walkable, {} of them within the first resident's reach",
            self.width, self.height, self.walkable_tiles, self.town_tiles
        )?;
        writeln!(
            f,
            "places: {} sectors, {} arenas, {} objects, {} spawns",
            self.sectors, self.arenas, self.objects, self.spawns
        )?;
        write!(
            f,
            "residents: {} with {} earlier memories",
            self.residents, self.memories
        )?;
        for note in &self.notes {
            write!(f, "\nnote: {note}")?;
        }
        Ok(())
    }
}

/// One thing that did not fit, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// Tiles of an object where there is no arena. They are left out.
    ObjectOutsideArena {
        /// The object's name.
        name: String,
        /// The tiles.
        tiles: Vec<Tile>,
    },
    /// Tiles of an arena where there is no sector. They are left out.
    ArenaOutsideSector {
        /// The arena's name.
        name: String,
        /// The tiles.
        tiles: Vec<Tile>,
    },
    /// A block says it belongs elsewhere than where its tiles lie. The tiles decide, as in the
    /// 2023 code.
    BlockElsewhere {
        /// The block's name.
        name: String,
        /// Where it says it belongs.
        says: String,
        /// Tiles that lie elsewhere.
        tiles: Vec<Tile>,
    },
    /// A block that no tile has. It is left out.
    UnusedBlock {
        /// Which kind of block: `sector`, `arena`, `object` or `spawn`.
        kind: &'static str,
        /// Its id.
        id: i64,
        /// Its name.
        name: String,
    },
    /// A sector without any arena: nobody can be sent into it.
    SectorWithoutArena {
        /// The sector's name.
        name: String,
    },
    /// A spawn inside a wall. It is left out.
    SpawnInWall {
        /// The spawn's name.
        name: String,
        /// Its tile.
        tile: Tile,
    },
    /// A place that the first resident cannot walk to, nor to any place in it.
    PlaceCutOff {
        /// Its address.
        address: String,
        /// Its first tile.
        tile: Tile,
    },
    /// A resident who cannot walk to the first one.
    ResidentCutOff {
        /// The resident.
        name: String,
        /// Where they stand.
        tile: Tile,
    },
    /// A resident who stands inside a wall. They start beside it.
    StartInWall {
        /// The resident.
        name: String,
        /// Where they stand.
        tile: Tile,
        /// Where they start.
        taken: Tile,
    },
    /// A position for somebody who is not in `persona_names`. It is left out.
    PositionOfNobody {
        /// The name.
        name: String,
    },
    /// A known place that the map does not have. It is left out, with all that is in it.
    UnknownPlace {
        /// The resident who knows it.
        resident: String,
        /// Its address as written.
        address: String,
        /// The place that was perhaps meant, in the same parent.
        nearest: Option<String>,
    },
    /// A known place or a home whose name fits but for case and white space. It is taken.
    LooseName {
        /// The resident.
        resident: String,
        /// The address as written.
        address: String,
        /// The place that was taken.
        taken: String,
    },
    /// Memories that are no memories: without text, or the fail-safe text of the 2023 code. They
    /// are left out.
    NotMemories {
        /// The resident.
        resident: String,
        /// Their keys.
        nodes: Vec<String>,
    },
    /// Memories whose importance was outside of 1 to 10. It was moved to the nearer end.
    ImportanceMoved {
        /// The resident.
        resident: String,
        /// Their keys.
        nodes: Vec<String>,
    },
    /// Memories with evidence that is no earlier memory of the resident. That evidence is left out.
    EvidenceLost {
        /// The resident.
        resident: String,
        /// Their keys.
        nodes: Vec<String>,
    },
    /// Conversations of which the summary was kept and the lines were not.
    LinesLeftOut {
        /// The resident.
        resident: String,
        /// How many conversations.
        conversations: usize,
        /// How many lines in all.
        lines: usize,
    },
    /// A day's schedule that was under way. It is left out: the resident plans the day anew.
    DayUnderWay {
        /// The resident.
        resident: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::ObjectOutsideArena { name, tiles } => {
                write!(
                    f,
                    "object \"{name}\": left out where there is no arena, at {}",
                    Few(tiles)
                )
            }
            Note::ArenaOutsideSector { name, tiles } => {
                write!(
                    f,
                    "arena \"{name}\": left out where there is no sector, at {}",
                    Few(tiles)
                )
            }
            Note::BlockElsewhere { name, says, tiles } => {
                write!(
                    f,
                    "\"{name}\" says it belongs to \"{says}\" but lies elsewhere at {}",
                    Few(tiles)
                )
            }
            Note::UnusedBlock { kind, id, name } => {
                write!(f, "{kind} \"{name}\" (id {id}) is left out: no tile has it")
            }
            Note::SectorWithoutArena { name } => {
                write!(f, "sector \"{name}\" has no arena, so nobody can be sent into it")
            }
            Note::SpawnInWall { name, tile } => {
                write!(f, "spawn \"{name}\" is left out: {tile} is a wall")
            }
            Note::PlaceCutOff { address, tile } => {
                write!(f, "\"{address}\" at {tile} cannot be reached on foot")
            }
            Note::ResidentCutOff { name, tile } => {
                write!(f, "{name} at {tile} cannot walk to the first resident")
            }
            Note::StartInWall { name, tile, taken } => {
                write!(
                    f,
                    "{name} stands at {tile}, which is a wall; starts at {taken} beside it"
                )
            }
            Note::PositionOfNobody { name } => {
                write!(
                    f,
                    "the position of \"{name}\" is left out: there is no such resident"
                )
            }
            Note::UnknownPlace {
                resident,
                address,
                nearest,
            } => write!(
                f,
                "{resident} knows \"{address}\", which the map does not have{}; left out",
                Nearest(nearest)
            ),
            Note::LooseName {
                resident,
                address,
                taken,
            } => {
                write!(f, "{resident}: \"{address}\" was taken for \"{taken}\"")
            }
            Note::NotMemories { resident, nodes } => write!(
                f,
                "{resident}: left out as no memories (blank or a fail-safe text): {}",
                Few(nodes)
            ),
            Note::ImportanceMoved { resident, nodes } => {
                write!(f, "{resident}: importance moved into 1 to 10: {}", Few(nodes))
            }
            Note::EvidenceLost { resident, nodes } => write!(
                f,
                "{resident}: evidence that is no earlier memory is left out of {}",
                Few(nodes)
            ),
            Note::LinesLeftOut {
                resident,
                conversations,
                lines,
            } => write!(
                f,
                "{resident}: conversations kept as their summaries: {conversations}; lines left out: {lines}"
            ),
            Note::DayUnderWay { resident } => {
                write!(
                    f,
                    "{resident}: the schedule under way is left out; the day is planned anew"
                )
            }
        }
    }
}

/// The first few of a list, and how many more there are.
struct Few<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Few<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 5;
        for (index, item) in self.0.iter().take(SHOWN).enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{item}")?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
