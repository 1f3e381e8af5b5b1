//! The map: tiles, places, and how it is drawn.

use serde::Serialize;
use townsfolk_town::Town;
use townsfolk_world::{PlaceKind, Tile};
use utoipa::ToSchema;

/// A horizontal run of tiles: column, row, length.
pub(crate) type Span = [u16; 3];

/// The map of a town.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TownMap {
    /// The world's name.
    pub(crate) name: String,
    /// In tiles.
    pub(crate) width: u16,
    /// In tiles.
    pub(crate) height: u16,
    /// Tiles nobody can walk on: column, row, length.
    pub(crate) blocked: Vec<[u16; 3]>,
    /// All places, by id.
    pub(crate) places: Vec<Place>,
    /// How to draw it; null where the town has no pictures.
    pub(crate) picture: Option<Picture>,
}

/// A place.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Place {
    /// Its number.
    pub(crate) id: u32,
    /// The place it lies in.
    pub(crate) parent: Option<u32>,
    /// `world`, `sector`, `arena` or `object`.
    pub(crate) kind: &'static str,
    /// Its own name.
    pub(crate) name: String,
    /// With the places around it.
    pub(crate) address: String,
    /// Its tiles: column, row, length.
    pub(crate) spans: Vec<[u16; 3]>,
    /// For an object, the state it is in until something happens to it.
    pub(crate) default_state: Option<String>,
}

/// How a map is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Picture {
    /// In pixels.
    pub(crate) tile_width: u32,
    /// In pixels.
    pub(crate) tile_height: u32,
    /// From the ground up.
    pub(crate) layers: Vec<Layer>,
    /// Where tiles come from.
    pub(crate) tilesets: Vec<Tileset>,
}

/// A layer of tiles.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Layer {
    /// Its name.
    pub(crate) name: String,
    /// 0 to 1.
    pub(crate) opacity: f32,
    /// Whether it lies over the residents.
    pub(crate) above: bool,
    /// Row by row; 0 is none. The top three bits flip horizontally, vertically, diagonally.
    pub(crate) tiles: Vec<u32>,
}

/// A picture cut into tiles.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Tileset {
    /// The number of its first tile.
    pub(crate) first: u32,
    /// How many tiles it has.
    pub(crate) count: u32,
    /// How many in a row.
    pub(crate) columns: u32,
    /// In pixels.
    pub(crate) tile_width: u32,
    /// In pixels.
    pub(crate) tile_height: u32,
    /// Pixels around all tiles.
    pub(crate) margin: u32,
    /// Pixels between tiles.
    pub(crate) spacing: u32,
    /// Which of its tiles glow at night, counted from 0.
    pub(crate) lights: Vec<u32>,
    /// Where to fetch it.
    pub(crate) image: String,
}

impl TownMap {
    pub(crate) fn of(town: &Town) -> Self {
        let world = &town.world;
        let tiles = (0..world.height()).flat_map(|y| (0..world.width()).map(move |x| Tile { x, y }));
        let places = world.places().iter().map(|place| Place {
            id: place.id.index() as u32,
            parent: place.parent.map(|parent| parent.index() as u32),
            kind: match place.kind {
                PlaceKind::World => "world",
                PlaceKind::Sector => "sector",
                PlaceKind::Arena => "arena",
                PlaceKind::Object => "object",
            },
            name: place.name.clone(),
            address: world.address(place.id),
            spans: spans(place.tiles.iter().copied()),
            default_state: place.default_state.clone(),
        });
        Self {
            name: world.name().to_owned(),
            width: world.width(),
            height: world.height(),
            blocked: spans(tiles.filter(|tile| !world.walkable(*tile))),
            places: places.collect(),
            picture: town.picture.as_ref().map(Picture::of),
        }
    }
}

impl Picture {
    fn of(picture: &townsfolk_town::Picture) -> Self {
        let layers = picture.layers.iter().map(|layer| Layer {
            name: layer.name.clone(),
            opacity: layer.opacity,
            above: layer.above,
            tiles: layer.tiles.clone(),
        });
        let tilesets = picture.tilesets.iter().zip(0..).map(|(tileset, index)| Tileset {
            first: tileset.first,
            count: tileset.count,
            columns: tileset.columns,
            tile_width: tileset.tile_width,
            tile_height: tileset.tile_height,
            margin: tileset.margin,
            spacing: tileset.spacing,
            lights: tileset.lights.clone(),
            image: format!("/api/map/images/{index}"),
        });
        Self {
            tile_width: picture.tile_width,
            tile_height: picture.tile_height,
            layers: layers.collect(),
            tilesets: tilesets.collect(),
        }
    }
}

/// Tiles in reading order as horizontal runs.
fn spans(tiles: impl Iterator<Item = Tile>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for tile in tiles {
        match spans.last_mut() {
            Some([x, y, length]) if *y == tile.y && *x + *length == tile.x => *length += 1,
            _ => spans.push([tile.x, tile.y, 1]),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_hold_the_tiles_they_were_made_of() {
        let tiles = [(1, 0), (2, 0), (4, 0), (0, 1), (1, 1)].map(|(x, y)| Tile { x, y });
        assert_eq!(spans(tiles.into_iter()), [[1, 0, 2], [4, 0, 1], [0, 1, 2]]);
    }
}
