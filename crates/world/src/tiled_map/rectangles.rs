//! Named rectangles of the object layers, which become places and spawns.
//!
//! Which place a rectangle belongs to follows from where it lies: all its tiles must be in one place
//! of the level above. Rectangles of one name in the same place are parts of one place.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::format::{Layer, Object, TiledMap};
use super::{MapFault, ObjectFault, SPAWN_LAYER, layer_of};
use crate::{PlaceId, PlaceKind, Tile, WorldBuilder};

/// Lays rectangles down level by level and remembers what each tile belongs to.
pub(super) struct Rectangles<'a> {
    map: &'a TiledMap,
    builder: &'a mut WorldBuilder,
    /// What the last finished level put on each tile (row-major); the world itself at first.
    above: Vec<Option<PlaceId>>,
    /// Names of places met so far, for messages.
    names: BTreeMap<PlaceId, String>,
}

/// The tiles of a rectangle.
struct Area {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

impl Area {
    /// Row-major.
    fn tiles(&self) -> impl Iterator<Item = Tile> {
        let columns = self.x..self.x + self.width;
        // Areas lie on the map, whose sides fit.
        (self.y..self.y + self.height).flat_map(move |y| {
            columns.clone().map(move |x| Tile {
                x: x as u16,
                y: y as u16,
            })
        })
    }

    fn first(&self) -> Tile {
        Tile {
            x: self.x as u16,
            y: self.y as u16,
        }
    }
}

impl<'a> Rectangles<'a> {
    pub(super) fn new(map: &'a TiledMap, builder: &'a mut WorldBuilder) -> Self {
        let root = builder.root();
        Rectangles {
            map,
            builder,
            above: vec![Some(root); map.width * map.height],
            names: BTreeMap::new(),
        }
    }

    /// Adds the places of one kind; the kind above must have been added before.
    pub(super) fn add_places(&mut self, kind: PlaceKind, layer: &Layer) -> Result<(), MapFault> {
        let mut here = vec![None; self.above.len()];
        let mut states = BTreeMap::new();
        for object in &layer.objects {
            self.add_place(kind, object, &mut here, &mut states)
                .map_err(|fault| self.blame(layer_of(kind), object, fault))?;
        }
        self.above = here;
        Ok(())
    }

    fn add_place(
        &mut self,
        kind: PlaceKind,
        object: &Object,
        here: &mut [Option<PlaceId>],
        states: &mut BTreeMap<PlaceId, String>,
    ) -> Result<(), ObjectFault> {
        let area = self.area(object)?;
        let parent = self.parent(kind, &area)?;
        let place = self.builder.place(parent, &object.name);
        let place = place.map_err(ObjectFault::Name)?;
        self.names.insert(place, object.name.clone());
        for tile in area.tiles() {
            let owner = &mut here[self.index_of(tile)];
            if let Some(other) = owner.filter(|&other| other != place) {
                let other = self.name(other);
                return Err(ObjectFault::Overlaps { tile, other });
            }
            *owner = Some(place);
            let added = self.builder.add_tile(place, tile);
            added.map_err(ObjectFault::Name)?;
        }
        match object.property("state") {
            Some(state) if kind == PlaceKind::Object => self.set_state(place, state, states),
            _ => Ok(()),
        }
    }

    /// The one place of the level above in which all of the area lies.
    fn parent(&self, kind: PlaceKind, area: &Area) -> Result<PlaceId, ObjectFault> {
        let needed = match kind {
            PlaceKind::World | PlaceKind::Sector => PlaceKind::World,
            PlaceKind::Arena => PlaceKind::Sector,
            PlaceKind::Object => PlaceKind::Arena,
        };
        let mut parent = None;
        for tile in area.tiles() {
            let around = self.above[self.index_of(tile)].ok_or(ObjectFault::NotInside {
                tile,
                needed,
                layer: layer_of(needed),
            })?;
            let first = *parent.get_or_insert(around);
            if first != around {
                return Err(ObjectFault::Straddles {
                    kind: needed,
                    first: self.name(first),
                    second: self.name(around),
                    tile,
                });
            }
        }
        // Areas are never empty, so the root stands in for nothing here.
        Ok(parent.unwrap_or(self.builder.root()))
    }

    fn set_state(
        &mut self,
        place: PlaceId,
        state: &Value,
        states: &mut BTreeMap<PlaceId, String>,
    ) -> Result<(), ObjectFault> {
        let wrong = |remedy| ObjectFault::State {
            found: state.to_string(),
            remedy,
        };
        let text = state.as_str().filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| wrong("give it some text, or remove it"))?;
        let earlier = states.entry(place).or_insert_with(|| text.to_owned());
        if earlier != text {
            return Err(wrong("another rectangle of this object has a different one"));
        }
        let set = self.builder.set_default_state(place, text);
        set.map_err(ObjectFault::Name)
    }

    /// Adds the start tiles.
    pub(super) fn add_spawns(&mut self, layer: &Layer, walls: &BTreeSet<Tile>) -> Result<(), MapFault> {
        if layer.objects.is_empty() {
            return Err(MapFault::NoSpawns);
        }
        for object in &layer.objects {
            self.add_spawn(object, walls)
                .map_err(|fault| self.blame(SPAWN_LAYER, object, fault))?;
        }
        Ok(())
    }

    fn add_spawn(&mut self, object: &Object, walls: &BTreeSet<Tile>) -> Result<(), ObjectFault> {
        let area = match object.point {
            true => self.point(object)?,
            false => self.area(object)?,
        };
        let Area { width, height, .. } = area;
        if (width, height) != (1, 1) {
            return Err(ObjectFault::SpawnSize { width, height });
        }
        let tile = area.first();
        if walls.contains(&tile) {
            return Err(ObjectFault::InWall { tile });
        }
        let added = self.builder.add_spawn(&object.name, tile);
        added.map_err(ObjectFault::Name)
    }

    /// The tile a point is on.
    fn point(&self, object: &Object) -> Result<Area, ObjectFault> {
        let column = tiles(floor(object.x, self.map.tile_width), self.map.width);
        let row = tiles(floor(object.y, self.map.tile_height), self.map.height);
        match (column, row) {
            (Some(x), Some(y)) if x < self.map.width && y < self.map.height => Ok(Area {
                x,
                y,
                width: 1,
                height: 1,
            }),
            _ => Err(self.outside_map()),
        }
    }

    /// The tiles a rectangle covers.
    fn area(&self, object: &Object) -> Result<Area, ObjectFault> {
        if let Some(found) = other_shape(object) {
            let needed = "a rectangle (Insert Rectangle, R)";
            return Err(ObjectFault::Shape { found, needed });
        }
        let (tile_width, tile_height) = (self.map.tile_width, self.map.tile_height);
        let whole = |pixels: f64, tile: u32| pixels % f64::from(tile) == 0.0;
        let is_on_grid = whole(object.x, tile_width)
            && whole(object.width, tile_width)
            && whole(object.y, tile_height)
            && whole(object.height, tile_height);
        if !is_on_grid || object.width <= 0.0 || object.height <= 0.0 {
            return Err(ObjectFault::OffGrid {
                x: object.x,
                y: object.y,
                width: object.width,
                height: object.height,
                tile_width,
                tile_height,
            });
        }
        let (columns, rows) = (self.map.width, self.map.height);
        let area = Area {
            x: tiles(floor(object.x, tile_width), columns).ok_or_else(|| self.outside_map())?,
            y: tiles(floor(object.y, tile_height), rows).ok_or_else(|| self.outside_map())?,
            width: tiles(floor(object.width, tile_width), columns).ok_or_else(|| self.outside_map())?,
            height: tiles(floor(object.height, tile_height), rows).ok_or_else(|| self.outside_map())?,
        };
        match area.x + area.width <= columns && area.y + area.height <= rows {
            true => Ok(area),
            false => Err(self.outside_map()),
        }
    }

    fn outside_map(&self) -> ObjectFault {
        ObjectFault::OutsideMap {
            width: self.map.width,
            height: self.map.height,
        }
    }

    fn blame(&self, layer: &'static str, object: &Object, fault: ObjectFault) -> MapFault {
        let name = match object.name.is_empty() {
            true => format!("object {}", object.id),
            false => format!("{:?}", object.name),
        };
        let x = floor(object.x, self.map.tile_width);
        let y = floor(object.y, self.map.tile_height);
        MapFault::Object {
            layer,
            object: format!("{name} at ({x}, {y})"),
            fault,
        }
    }

    fn name(&self, place: PlaceId) -> String {
        self.names.get(&place).cloned().unwrap_or_default()
    }

    fn index_of(&self, tile: Tile) -> usize {
        usize::from(tile.y) * self.map.width + usize::from(tile.x)
    }
}

/// Whole tiles in so many pixels, towards the left or the top. Exact on every machine: a division
/// and a rounding to a whole number.
fn floor(pixels: f64, tile: u32) -> f64 {
    (pixels / f64::from(tile)).floor()
}

/// A number of tiles from 0 to `most`.
fn tiles(count: f64, most: usize) -> Option<usize> {
    (count >= 0.0 && count <= most as f64).then_some(count as usize)
}

fn other_shape(object: &Object) -> Option<&'static str> {
    let shapes = [
        (object.template.is_some(), "an instance of a template"),
        (object.gid.is_some(), "a tile"),
        (object.text.is_some(), "a text"),
        (object.polygon.is_some(), "a polygon"),
        (object.polyline.is_some(), "a polyline"),
        (object.ellipse, "an ellipse"),
        (object.capsule, "a capsule"),
        (object.point, "a point"),
        (object.rotation != 0.0, "a turned rectangle"),
    ];
    shapes.into_iter().find_map(|(is, name)| is.then_some(name))
}
