//! The parts of Tiled's JSON map format that a town needs.
//!
//! Source: "JSON Map Format" in the Tiled manual (doc.mapeditor.org). Fields that carry no meaning
//! for a town are not named here and are skipped.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::MapFault;
use crate::Tile;

/// The upper bits of a tile id tell how the tile is flipped or turned, not which tile it is.
const FLIP_FLAGS: u32 = 0xF000_0000;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

#[derive(Deserialize)]
pub(super) struct TiledMap {
    pub(super) width: usize,
    pub(super) height: usize,
    #[serde(rename = "tilewidth")]
    pub(super) tile_width: u32,
    #[serde(rename = "tileheight")]
    pub(super) tile_height: u32,
    orientation: String,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    properties: Vec<Property>,
    layers: Vec<Layer>,
    #[serde(default)]
    pub(super) tilesets: Vec<Tileset>,
}

#[derive(Deserialize)]
pub(super) struct Layer {
    #[serde(default)]
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) kind: LayerKind,
    #[serde(default, rename = "offsetx")]
    offset_x: f64,
    #[serde(default, rename = "offsety")]
    offset_y: f64,
    /// Tile layers only.
    width: Option<usize>,
    height: Option<usize>,
    encoding: Option<String>,
    compression: Option<String>,
    data: Option<Value>,
    /// Object layers only.
    #[serde(default)]
    pub(super) objects: Vec<Object>,
    /// Groups only.
    #[serde(default)]
    layers: Vec<Layer>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum LayerKind {
    TileLayer,
    ObjectGroup,
    ImageLayer,
    Group,
}

impl LayerKind {
    pub(super) fn label(self) -> &'static str {
        match self {
            LayerKind::TileLayer => "a tile layer",
            LayerKind::ObjectGroup => "an object layer",
            LayerKind::ImageLayer => "an image layer",
            LayerKind::Group => "a group",
        }
    }
}

/// A layer and how far it is moved, with the groups around it, in pixels.
pub(super) struct FoundLayer<'a> {
    pub(super) layer: &'a Layer,
    pub(super) offset_x: f64,
    pub(super) offset_y: f64,
}

#[derive(Deserialize)]
pub(super) struct Object {
    #[serde(default)]
    pub(super) id: u64,
    #[serde(default)]
    pub(super) name: String,
    pub(super) x: f64,
    pub(super) y: f64,
    #[serde(default)]
    pub(super) width: f64,
    #[serde(default)]
    pub(super) height: f64,
    #[serde(default)]
    pub(super) rotation: f64,
    #[serde(default)]
    pub(super) point: bool,
    #[serde(default)]
    pub(super) ellipse: bool,
    #[serde(default)]
    pub(super) capsule: bool,
    pub(super) polygon: Option<IgnoredAny>,
    pub(super) polyline: Option<IgnoredAny>,
    pub(super) text: Option<IgnoredAny>,
    pub(super) gid: Option<IgnoredAny>,
    pub(super) template: Option<IgnoredAny>,
    #[serde(default)]
    properties: Vec<Property>,
}

impl Object {
    pub(super) fn property(&self, name: &str) -> Option<&Value> {
        value_of(&self.properties, name)
    }
}

#[derive(Deserialize)]
struct Property {
    name: String,
    value: Value,
}

fn value_of<'a>(properties: &'a [Property], name: &str) -> Option<&'a Value> {
    let property = properties.iter().find(|property| property.name == name);
    property.map(|property| &property.value)
}

/// A tileset in the map: either all of it or the file that holds it.
#[derive(Deserialize)]
pub(super) struct Tileset {
    #[serde(rename = "firstgid")]
    pub(super) first_id: u32,
    pub(super) source: Option<String>,
    #[serde(flatten)]
    pub(super) tiles: TilesetTiles,
}

/// Which tiles a tileset has.
#[derive(Deserialize)]
pub(super) struct TilesetTiles {
    #[serde(default, rename = "tilecount")]
    pub(super) tile_count: u32,
    /// Tiles with data of their own. In a collection of images these are all, with gaps.
    #[serde(default)]
    pub(super) tiles: Vec<TilesetTile>,
}

#[derive(Deserialize)]
pub(super) struct TilesetTile {
    pub(super) id: u32,
}

impl TiledMap {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, MapFault> {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        if bytes.trim_ascii_start().starts_with(b"<") {
            return Err(MapFault::Xml);
        }
        #[derive(Deserialize)]
        struct Kind {
            r#type: Option<String>,
        }
        // Asked first: a tileset lacks `layers`, and saying so would not help.
        let kind: Kind = serde_json::from_slice(bytes).map_err(MapFault::NotTiled)?;
        if let Some(found) = kind.r#type.filter(|kind| kind != "map") {
            return Err(MapFault::NotMap { found });
        }
        let map: TiledMap = serde_json::from_slice(bytes).map_err(MapFault::NotTiled)?;
        if map.infinite {
            return Err(MapFault::Infinite);
        }
        if map.orientation != "orthogonal" {
            let found = map.orientation;
            return Err(MapFault::Orientation { found });
        }
        if map.tile_width == 0 || map.tile_height == 0 {
            return Err(MapFault::TileSize {
                width: map.tile_width,
                height: map.tile_height,
            });
        }
        Ok(map)
    }

    /// The world's name: the map's property `name`.
    pub(super) fn name(&self) -> Result<&str, MapFault> {
        let name = value_of(&self.properties, "name").and_then(Value::as_str);
        name.ok_or(MapFault::NoName)
    }

    /// All layers, those in groups too, in the order of the file.
    pub(super) fn all_layers(&self) -> Vec<FoundLayer<'_>> {
        let mut found = Vec::new();
        collect(&self.layers, (0.0, 0.0), &mut found);
        found
    }

    /// Each tile of a tile layer with its id, without flip flags; 0 is an empty tile.
    pub(super) fn tiles_of(&self, layer: &Layer) -> Result<Vec<(Tile, u32)>, MapFault> {
        let name = || layer.name.clone();
        let (width, height) = (self.width, self.height);
        let found_width = layer.width.unwrap_or(width);
        let found_height = layer.height.unwrap_or(height);
        if (found_width, found_height) != (width, height) {
            return Err(MapFault::LayerSize {
                layer: name(),
                found_width,
                found_height,
                width,
                height,
            });
        }
        let data = match &layer.data {
            Some(Value::Array(data)) => data,
            _ => {
                return Err(MapFault::Encoding {
                    layer: name(),
                    encoding: layer.encoding(),
                });
            }
        };
        if data.len() != width * height {
            return Err(MapFault::DataLength {
                layer: name(),
                found: data.len(),
                width,
                height,
            });
        }
        let tiles = data.iter().enumerate().map(|(index, value)| {
            // Both fit: the builder has accepted the map's size.
            let tile = Tile {
                x: (index % width) as u16,
                y: (index / width) as u16,
            };
            let id = value.as_u64().and_then(|id| u32::try_from(id).ok());
            let id = id.ok_or_else(|| MapFault::NotTileId {
                layer: name(),
                tile,
                found: value.to_string(),
            })?;
            Ok((tile, id & !FLIP_FLAGS))
        });
        tiles.collect()
    }
}

impl Layer {
    fn encoding(&self) -> String {
        let compression = self.compression.as_deref().filter(|name| !name.is_empty());
        match (self.encoding.as_deref(), compression) {
            (Some(encoding), Some(compression)) => format!("{encoding} with {compression}"),
            (Some(encoding), None) => encoding.to_owned(),
            _ => "something other than a list of numbers".to_owned(),
        }
    }
}

fn collect<'a>(layers: &'a [Layer], offset: (f64, f64), found: &mut Vec<FoundLayer<'a>>) {
    for layer in layers {
        let offset = (offset.0 + layer.offset_x, offset.1 + layer.offset_y);
        found.push(FoundLayer {
            layer,
            offset_x: offset.0,
            offset_y: offset.1,
        });
        collect(&layer.layers, offset, found);
    }
}
