//! How a map is drawn: its tile layers, and the pictures that their tiles are cut from.
//!
//! A picture is looks alone and decides nothing, so nothing here fails: a picture that is not there,
//! or that is none a browser shows, leaves its tiles undrawn, and a map of which nothing can be drawn
//! has no [`Picture`]. What must be right in a map is checked where its places are read.
//!
//! Source of the format: "JSON Map Format" in the Tiled manual (doc.mapeditor.org).

use std::io::{self, Cursor};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::source::{MAP, Source};

/// The layer that says where walls are; it is not drawn.
const COLLISION_LAYER: &str = "Collision";
/// The layer that lies over the residents; a layer property of that name says the same.
const ABOVE_LAYER: &str = "Above";

/// What the class of a tile (`type` in older maps) is called that glows at night.
const LIGHTS: [&str; 2] = ["lantern", "lamp"];

/// How a map is drawn, from the ground up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Width of a tile, in pixels.
    pub tile_width: u32,
    /// Height of a tile, in pixels.
    pub tile_height: u32,
    /// The layers that are shown, in the order they are painted.
    pub layers: Vec<PictureLayer>,
    /// Where tiles come from, by their first number.
    pub tilesets: Vec<PictureTileset>,
}

/// A layer of tiles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PictureLayer {
    /// Its name in the map.
    pub name: String,
    /// 0 (not to be seen) to 1.
    pub opacity: f32,
    /// Whether it lies over the residents.
    pub above: bool,
    /// Row by row; 0 is no tile. As in Tiled the top three bits say that a tile is flipped
    /// horizontally, vertically, diagonally.
    pub tiles: Vec<u32>,
}

/// A picture that is cut into tiles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PictureTileset {
    /// The number of its first tile.
    pub first: u32,
    /// How many tiles it has.
    pub count: u32,
    /// How many of them lie in a row.
    pub columns: u32,
    /// Width of a tile, in pixels.
    pub tile_width: u32,
    /// Height of a tile, in pixels.
    pub tile_height: u32,
    /// Pixels around all tiles.
    pub margin: u32,
    /// Pixels between tiles.
    pub spacing: u32,
    /// Which of its tiles glow at night, counted from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lights: Vec<u32>,
    /// What kind of picture it is.
    pub format: ImageFormat,
    /// The file, as it is.
    #[serde(with = "as_base64")]
    pub image: Vec<u8>,
}

/// The kinds of picture that every browser shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they are called so everywhere")]
pub enum ImageFormat {
    Png,
    Jpeg,
    Gif,
    Webp,
}

impl ImageFormat {
    /// The kind of a picture by its first bytes; its name may say anything.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }
}

#[derive(Deserialize)]
struct MapFile {
    #[serde(rename = "tilewidth")]
    tile_width: u32,
    #[serde(rename = "tileheight")]
    tile_height: u32,
    #[serde(default)]
    layers: Vec<Layer>,
    #[serde(default)]
    tilesets: Vec<Tileset>,
}

#[derive(Deserialize)]
struct Layer {
    #[serde(default)]
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default = "yes")]
    visible: bool,
    #[serde(default = "whole")]
    opacity: f32,
    #[serde(default)]
    data: Value,
    #[serde(default)]
    layers: Vec<Layer>,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize)]
struct Tileset {
    #[serde(rename = "firstgid")]
    first: u32,
    source: Option<String>,
    #[serde(flatten)]
    sheet: Option<Sheet>,
}

/// One picture and how it is cut; collections of single pictures have none.
#[derive(Deserialize)]
struct Sheet {
    image: String,
    #[serde(rename = "tilewidth")]
    tile_width: u32,
    #[serde(rename = "tileheight")]
    tile_height: u32,
    #[serde(rename = "tilecount")]
    count: u32,
    columns: u32,
    #[serde(default)]
    margin: u32,
    #[serde(default)]
    spacing: u32,
    #[serde(default)]
    tiles: Vec<SheetTile>,
}

/// What is said about one tile of a sheet.
#[derive(Deserialize)]
struct SheetTile {
    id: u32,
    #[serde(default, alias = "type")]
    class: String,
}

fn yes() -> bool {
    true
}

fn whole() -> f32 {
    1.0
}

impl Picture {
    /// How the map of a town is drawn; none where nothing of it can be.
    pub(crate) fn read(source: Source<'_>) -> Option<Self> {
        let bytes = source.bytes(MAP)?;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let map: MapFile = serde_json::from_slice(bytes).ok()?;
        let tilesets: Vec<PictureTileset> = map
            .tilesets
            .into_iter()
            .filter_map(|tileset| cut(tileset, source))
            .collect();
        let mut layers = Vec::new();
        collect(map.layers, 1.0, &mut layers);
        let drawn = !tilesets.is_empty() && !layers.is_empty();
        drawn.then_some(Self {
            tile_width: map.tile_width,
            tile_height: map.tile_height,
            layers,
            tilesets,
        })
    }
}

/// The tile layers that are shown, those in groups too.
fn collect(layers: Vec<Layer>, opacity: f32, shown: &mut Vec<PictureLayer>) {
    for layer in layers.into_iter().filter(|layer| layer.visible) {
        let opacity = opacity * layer.opacity;
        let says_above = |property: &Property| property.name == "above" && property.value == true;
        let above = layer.name == ABOVE_LAYER || layer.properties.iter().any(says_above);
        match (layer.kind.as_str(), layer.data) {
            ("group", _) => collect(layer.layers, opacity, shown),
            ("tilelayer", Value::Array(data)) if layer.name != COLLISION_LAYER => {
                let number = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
                shown.push(PictureLayer {
                    name: layer.name,
                    opacity,
                    above,
                    tiles: data.iter().map(|value| number(value).unwrap_or(0)).collect(),
                });
            }
            _ => {}
        }
    }
}

/// A tileset with its picture, if it has one that can be shown.
fn cut(tileset: Tileset, source: Source<'_>) -> Option<PictureTileset> {
    let (sheet, folder) = match &tileset.source {
        None => (tileset.sheet?, ""),
        Some(file) => {
            let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            (sheet_of_file(file, &source.bytes(file)?)?, folder)
        }
    };
    let path = match folder {
        "" => sheet.image.clone(),
        folder => format!("{folder}/{}", sheet.image),
    };
    let image = source.bytes(&path)?;
    let whole = sheet.columns > 0 && sheet.tile_width > 0 && sheet.tile_height > 0;
    let format = ImageFormat::of(&image).filter(|_| whole)?;
    let glows = |tile: &&SheetTile| LIGHTS.contains(&tile.class.as_str());
    let mut lights: Vec<u32> = sheet.tiles.iter().filter(glows).map(|tile| tile.id).collect();
    lights.sort_unstable();
    Some(PictureTileset {
        first: tileset.first,
        count: sheet.count,
        columns: sheet.columns,
        tile_width: sheet.tile_width,
        tile_height: sheet.tile_height,
        margin: sheet.margin,
        spacing: sheet.spacing,
        lights,
        format,
        image,
    })
}

/// The sheet of a tileset in a file of its own, in JSON or XML.
fn sheet_of_file(file: &str, bytes: &[u8]) -> Option<Sheet> {
    if !file.ends_with(".tsx") {
        return serde_json::from_slice(bytes).ok();
    }
    // The name is not read again: its folder is left out, so that the picture's path comes back as it
    // is written in the file.
    let name = file.rsplit('/').next().unwrap_or(file);
    let reader = |_: &Path| Ok::<_, io::Error>(Cursor::new(bytes.to_vec()));
    let tileset = tiled::Loader::with_reader(reader).load_tsx_tileset(name).ok()?;
    let image = tileset.image.as_ref()?;
    Some(Sheet {
        image: image.source.to_str()?.replace('\\', "/"),
        tile_width: tileset.tile_width,
        tile_height: tileset.tile_height,
        count: tileset.tilecount,
        columns: tileset.columns,
        margin: tileset.margin,
        spacing: tileset.spacing,
        tiles: tileset
            .tiles()
            .map(|(id, tile)| SheetTile {
                id,
                class: tile.user_type.clone(),
            })
            .collect(),
    })
}

/// Bytes as text, for JSON.
mod as_base64 {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        STANDARD.decode(text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bundled;

    #[test]
    fn the_bundled_town_is_drawn_from_its_own_tiles_and_comes_back_from_text() {
        let town = Bundled::find("osier_quay").expect("it comes with Townsfolk");
        let picture = Picture::read(Source::Bundled(town)).expect("it can be drawn");
        let names: Vec<&str> = picture.layers.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(names, ["Ground", "Walls", "Furniture", "Above"]);
        assert_eq!(
            picture.layers.iter().map(|layer| layer.above).collect::<Vec<_>>(),
            [false, false, false, true]
        );
        let [tiles] = picture.tilesets.as_slice() else {
            panic!("one tileset, not {}", picture.tilesets.len());
        };
        assert_eq!(Some(tiles.image.as_slice()), town.file("tiles.png"));
        let [lantern] = tiles.lights.as_slice() else {
            panic!("one kind of tile glows, not {:?}", tiles.lights);
        };
        let lanterns = picture.layers[3]
            .tiles
            .iter()
            .filter(|tile| **tile == tiles.first + lantern);
        assert_eq!(lanterns.count(), 20);
        assert_eq!(
            (tiles.format, tiles.first, tiles.columns),
            (ImageFormat::Png, 1, 16)
        );
        let text = serde_json::to_string(&picture).expect("JSON");
        assert_eq!(serde_json::from_str::<Picture>(&text).ok(), Some(picture));
    }

    #[test]
    fn tilesets_of_their_own_files_are_found_beside_the_map() {
        let folder = tempfile::tempdir().expect("a folder");
        let sets = folder.path().join("sets");
        std::fs::create_dir(&sets).expect("a folder");
        let png = b"\x89PNG\r\n\x1a\nnot shown here";
        std::fs::write(sets.join("a.png"), png).expect("a picture");
        std::fs::write(sets.join("text.png"), "no picture").expect("a file");
        let tsx = |image: &str| {
            format!(
                r#"<?xml version="1.0"?><tileset name="a" tilewidth="16" tileheight="24" tilecount="8" columns="4"
                   spacing="1" margin="2"><image source="{image}" width="80" height="64"/><tile id="5" type="lamp"/></tileset>"#
            )
        };
        std::fs::write(sets.join("a.tsx"), tsx("a.png")).expect("a tileset");
        std::fs::write(sets.join("b.tsx"), tsx("text.png")).expect("a tileset");
        std::fs::write(sets.join("c.tsx"), tsx("gone.png")).expect("a tileset");
        let map = r#"{"tilewidth":16,"tileheight":16,
            "tilesets":[{"firstgid":1,"source":"sets/a.tsx"},{"firstgid":9,"source":"sets/b.tsx"},
                        {"firstgid":17,"source":"sets/c.tsx"},{"firstgid":25,"name":"none"}],
            "layers":[{"type":"group","opacity":0.5,"layers":[
                {"type":"tilelayer","name":"Ground","opacity":0.5,"data":[1,2147483650]}]},
              {"type":"tilelayer","name":"Hidden","visible":false,"data":[1,1]},
              {"type":"tilelayer","name":"Collision","data":[1,1]}]}"#;
        std::fs::write(folder.path().join(MAP), map).expect("a map");
        let picture = Picture::read(Source::Folder(folder.path())).expect("it can be drawn");
        let [tileset] = picture.tilesets.as_slice() else {
            panic!("one picture is there, not {}", picture.tilesets.len());
        };
        assert_eq!((tileset.first, tileset.margin, tileset.spacing), (1, 2, 1));
        assert_eq!(
            (tileset.tile_width, tileset.tile_height, tileset.columns),
            (16, 24, 4)
        );
        assert_eq!(
            (tileset.lights.as_slice(), tileset.image.as_slice()),
            (&[5][..], &png[..])
        );
        let [ground] = picture.layers.as_slice() else {
            panic!("one layer is shown, not {}", picture.layers.len());
        };
        assert_eq!(
            (ground.opacity, ground.tiles.as_slice()),
            (0.25, &[1, 0x8000_0002][..])
        );
        std::fs::remove_file(sets.join("a.png")).expect("it was there");
        assert_eq!(Picture::read(Source::Folder(folder.path())), None);
    }
}
