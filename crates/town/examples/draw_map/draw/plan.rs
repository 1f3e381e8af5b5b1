//! The plan of a town: `town.toml` with its ground, and one file for each sector.
//!
//! A sector's `plan` is a drawing in text. `#` is a wall, `%` a wall with a window, `+` a door, a
//! space is not part of it, `.` is floor. A digit is floor too and says which room this is: every
//! tile is of the room whose digit is nearest on foot without passing walls or doors. Every other
//! character is looked up in the sector's `things`, then in the town's: `"bed"`, `"chair: customer
//! seating"` (kind, then object) or `"plant:"` (no object). A thing without a kind, `": behind the
//! counter"`, is floor that belongs to an object; `"water lilies: pond"` is of two kinds, one on the
//! other.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::kinds::{KINDS, Layer, row};
use super::pixels::noise;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Town {
    name: String,
    size: [usize; 2],
    paint: Vec<Strip>,
    woods: Vec<[usize; 4]>,
    lanterns: Vec<[usize; 2]>,
    spawns: BTreeMap<String, [usize; 2]>,
    things: BTreeMap<char, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Strip {
    ground: String,
    areas: Vec<[usize; 4]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sector {
    name: String,
    at: [usize; 2],
    #[serde(default = "plaster")]
    wall: String,
    plan: String,
    #[serde(default)]
    things: BTreeMap<char, String>,
    rooms: Vec<Room>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Room {
    name: String,
    /// What is underfoot; none leaves the ground as it is.
    floor: Option<String>,
}

fn plaster() -> String {
    "plaster".to_owned()
}

/// A place and its tiles.
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) tiles: Vec<(usize, usize)>,
}

/// What stands at a tile: rows of the tileset.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cell {
    pub(crate) ground: usize,
    pub(crate) wall: Option<usize>,
    pub(crate) thing: Option<usize>,
    pub(crate) above: Option<usize>,
    /// Joined things join only within one of these.
    group: usize,
}

/// A plan that has been read.
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) cells: Vec<Cell>,
    pub(crate) sectors: Vec<Place>,
    pub(crate) arenas: Vec<Place>,
    pub(crate) objects: Vec<Place>,
    pub(crate) spawns: Vec<(String, (usize, usize))>,
}

impl Plan {
    pub(crate) fn cell(&self, x: usize, y: usize) -> &Cell {
        &self.cells[y * self.width + x]
    }

    fn cell_mut(&mut self, x: usize, y: usize) -> &mut Cell {
        &mut self.cells[y * self.width + x]
    }

    pub(crate) fn blocked(&self, x: usize, y: usize) -> bool {
        let cell = self.cell(x, y);
        let rows = [Some(cell.ground), cell.wall, cell.thing];
        rows.iter().flatten().any(|&row| KINDS[row].blocks)
    }

    /// The neighbours of a tile that hold the same kind on `layer`, as bits: 1 north, 2 east,
    /// 4 south, 8 west. The edge of the map counts as the same; walls join doors.
    pub(crate) fn joins(&self, x: usize, y: usize, layer: Layer) -> usize {
        let here = self.cell(x, y);
        let on = |cell: &Cell| match layer {
            Layer::Ground => Some(cell.ground),
            Layer::Walls => cell.wall,
            Layer::Things => cell.thing,
            Layer::Above => cell.above,
        };
        let beside = [
            (y > 0).then(|| (x, y - 1)),
            (x + 1 < self.width).then_some((x + 1, y)),
            (y + 1 < self.height).then_some((x, y + 1)),
            (x > 0).then(|| (x - 1, y)),
        ];
        let same = |at: Option<(usize, usize)>| match at {
            None => layer == Layer::Ground,
            Some((x, y)) => {
                let there = self.cell(x, y);
                match layer {
                    Layer::Walls => there.wall.is_some() && there.group == here.group,
                    Layer::Things => on(there) == on(here) && there.group == here.group,
                    _ => on(there) == on(here),
                }
            }
        };
        (0..4).map(|side| usize::from(same(beside[side])) << side).sum()
    }
}

/// Reads the folder of a plan.
pub(crate) fn read(folder: &Path) -> Result<Plan, String> {
    let town: Town = toml_file(&folder.join("town.toml"))?;
    let [width, height] = town.size;
    let mut plan = Plan {
        name: town.name,
        width,
        height,
        cells: vec![Cell::default(); width * height],
        sectors: Vec::new(),
        arenas: Vec::new(),
        objects: Vec::new(),
        spawns: Vec::new(),
    };
    for strip in &town.paint {
        let ground = known(&strip.ground)?;
        for &[x, y, w, h] in &strip.areas {
            for (x, y) in (y..y + h).flat_map(|y| (x..x + w).map(move |x| (x, y))) {
                if x >= width || y >= height {
                    return Err(format!("{} at ({x}, {y}) is outside the map", strip.ground));
                }
                plan.cell_mut(x, y).ground = ground;
            }
        }
    }
    let mut paths = fs::read_dir(folder.join("sectors"))
        .and_then(|entries| {
            entries
                .map(|entry| Ok(entry?.path()))
                .collect::<Result<Vec<_>, _>>()
        })
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    paths.sort();
    let mut doors = Vec::new();
    for (group, path) in paths.iter().enumerate() {
        let sector: Sector = toml_file(path)?;
        build(&mut plan, &town.things, &sector, group + 1, &mut doors)
            .map_err(|fault| format!("{}: {fault}", path.display()))?;
    }
    for door in doors {
        doorstep(&mut plan, door)?;
    }
    plant(&mut plan, &town.woods)?;
    for [x, y] in town.lanterns {
        plan.cell_mut(x, y).thing = Some(known("post")?);
        plan.cell_mut(x, y - 1).above = Some(known("lantern")?);
    }
    plan.spawns = town
        .spawns
        .into_iter()
        .map(|(name, [x, y])| (name, (x, y)))
        .collect();
    Ok(plan)
}

fn toml_file<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn known(kind: &str) -> Result<usize, String> {
    row(kind).ok_or_else(|| format!("there is no kind {kind:?}"))
}

/// Puts a sector on the map; its outer doors are added to `doors`.
fn build(
    plan: &mut Plan,
    common: &BTreeMap<char, String>,
    sector: &Sector,
    group: usize,
    doors: &mut Vec<(usize, usize)>,
) -> Result<(), String> {
    let wall = known(&sector.wall)?;
    let mut symbols: BTreeMap<(usize, usize), char> = BTreeMap::new();
    for (dy, line) in sector.plan.lines().enumerate() {
        for (dx, symbol) in line.chars().enumerate().filter(|(_, symbol)| *symbol != ' ') {
            let (x, y) = (sector.at[0] + dx, sector.at[1] + dy);
            if x >= plan.width || y >= plan.height {
                return Err(format!("({x}, {y}) is outside the map"));
            }
            if plan.cell(x, y).group != 0 {
                return Err(format!("({x}, {y}) is taken by another sector"));
            }
            symbols.insert((x, y), symbol);
        }
    }
    let rooms = rooms(sector, &symbols)?;
    let mut arenas: Vec<Place> = Vec::new();
    for room in &sector.rooms {
        arenas.push(Place {
            name: room.name.clone(),
            tiles: Vec::new(),
        });
    }
    let mut objects: BTreeMap<(usize, String), Vec<(usize, usize)>> = BTreeMap::new();
    for (&(x, y), &symbol) in &symbols {
        let room = rooms.get(&(x, y)).copied();
        let cell = plan.cell_mut(x, y);
        cell.group = group;
        if let Some(room) = room {
            arenas[room].tiles.push((x, y));
            if let Some(floor) = &sector.rooms[room].floor {
                cell.ground = known(floor)?;
            }
        }
        match symbol {
            '#' => cell.wall = Some(wall),
            '%' => (cell.wall, cell.thing) = (Some(wall), Some(known("window")?)),
            '+' => {
                cell.wall = Some(known("door")?);
                doors.push((x, y));
            }
            '.' | '0'..='9' => {}
            _ => {
                let thing = sector.things.get(&symbol).or_else(|| common.get(&symbol));
                let thing = thing.ok_or_else(|| format!("nothing says what {symbol:?} at ({x}, {y}) is"))?;
                let (kind, object) = thing.split_once(':').unwrap_or((thing, thing));
                let (kind, object) = (kind.trim(), object.trim());
                for kind in kind.split_whitespace() {
                    let row = known(kind)?;
                    let cell = plan.cell_mut(x, y);
                    match KINDS[row].layer {
                        Layer::Ground => cell.ground = row,
                        Layer::Walls => cell.wall = Some(row),
                        _ => cell.thing = Some(row),
                    }
                    if kind == "trunk" && y > 0 {
                        plan.cell_mut(x, y - 1).above = Some(known("crown")?);
                    }
                }
                if !object.is_empty() {
                    let room = room.ok_or_else(|| format!("{object:?} at ({x}, {y}) is in no room"))?;
                    objects.entry((room, object.to_owned())).or_default().push((x, y));
                }
            }
        }
    }
    plan.sectors.push(Place {
        name: sector.name.clone(),
        tiles: symbols.into_keys().collect(),
    });
    plan.arenas.extend(arenas);
    let named = |((_, name), tiles): ((usize, String), _)| Place { name, tiles };
    let mut objects: Vec<_> = objects.into_iter().collect();
    // Whoever lives in a room starts the story at its first object.
    objects.sort_by_key(|((room, name), _)| (*room, name != "bed", name.clone()));
    plan.objects.extend(objects.into_iter().map(named));
    Ok(())
}

/// The room of every tile that is in one: by nearest digit; a door is of the first room beside it,
/// north, west, south, east.
fn rooms(
    sector: &Sector,
    symbols: &BTreeMap<(usize, usize), char>,
) -> Result<BTreeMap<(usize, usize), usize>, String> {
    let mut rooms = BTreeMap::new();
    let mut edge = Vec::new();
    for (&tile, symbol) in symbols {
        if let Some(digit) = symbol.to_digit(10) {
            let room = (digit as usize)
                .checked_sub(1)
                .filter(|&room| room < sector.rooms.len());
            let room = room.ok_or_else(|| format!("there is no room {digit}"))?;
            rooms.insert(tile, room);
            edge.push((room, tile));
        }
    }
    edge.sort_unstable();
    while !edge.is_empty() {
        let mut next = Vec::new();
        for (room, tile) in edge {
            for beside in beside(tile) {
                let open = symbols
                    .get(&beside)
                    .is_some_and(|symbol| !matches!(symbol, '#' | '%' | '+'));
                if open && !rooms.contains_key(&beside) {
                    rooms.insert(beside, room);
                    next.push((room, beside));
                }
            }
        }
        edge = next;
    }
    for (&door, _) in symbols.iter().filter(|(_, symbol)| **symbol == '+') {
        let room = beside(door).find_map(|tile| rooms.get(&tile).copied());
        rooms.insert(
            door,
            room.ok_or_else(|| format!("the door at {door:?} leads nowhere"))?,
        );
    }
    Ok(rooms)
}

/// The four tiles beside one: north, west, south, east. At the edge of the map one is itself.
fn beside((x, y): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    [
        (x, y.saturating_sub(1)),
        (x.saturating_sub(1), y),
        (x, y + 1),
        (x + 1, y),
    ]
    .into_iter()
}

/// A path from an outer door over the grass to the nearest street straight ahead.
fn doorstep(plan: &mut Plan, door: (usize, usize)) -> Result<(), String> {
    let (grass, path) = (known("grass")?, known("path")?);
    for (dx, dy) in [(0, -1), (0, 1), (-1, 0), (1, 0)] {
        let mut steps = Vec::new();
        let (mut x, mut y) = door;
        loop {
            let next = (x.checked_add_signed(dx), y.checked_add_signed(dy));
            let (Some(nx), Some(ny)) = next else { break };
            if nx >= plan.width || ny >= plan.height || plan.cell(nx, ny).group != 0 {
                break;
            }
            (x, y) = (nx, ny);
            if plan.cell(x, y).ground != grass {
                for (x, y) in steps {
                    plan.cell_mut(x, y).ground = path;
                }
                break;
            }
            steps.push((x, y));
            if steps.len() > 4 {
                break;
            }
        }
    }
    Ok(())
}

/// Trees: thick in the woods, thin on other grass, never where they could close a way.
fn plant(plan: &mut Plan, woods: &[[usize; 4]]) -> Result<(), String> {
    let (grass, meadow) = (known("grass")?, known("meadow")?);
    let (trunk, crown, bush) = (known("trunk")?, known("crown")?, known("bush")?);
    for y in 1..plan.height - 1 {
        for x in 1..plan.width - 1 {
            let around = (y - 1..=y + 1).flat_map(|y| (x - 1..=x + 1).map(move |x| (x, y)));
            let free = around.clone().all(|(x, y)| {
                let cell = plan.cell(x, y);
                (cell.ground == grass || cell.ground == meadow) && cell.group == 0
            });
            if !free {
                continue;
            }
            let alone = around.clone().all(|(x, y)| plan.cell(x, y).thing.is_none());
            let in_wood = woods
                .iter()
                .any(|&[left, top, w, h]| (left..left + w).contains(&x) && (top..top + h).contains(&y));
            let chance = noise(x, y, 7) % 100;
            let cell = plan.cell_mut(x, y);
            if alone && chance < if in_wood { 70 } else { 9 } {
                cell.thing = Some(if chance % 7 == 6 { bush } else { trunk });
                if cell.thing == Some(trunk) {
                    plan.cell_mut(x, y - 1).above = Some(crown);
                }
            } else if chance > 90 {
                cell.ground = meadow;
            }
        }
    }
    Ok(())
}
