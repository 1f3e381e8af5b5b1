//! A base of our own in the formats of the 2023 code: two residents on a map of 10×8 tiles, with a
//! history. It is written into a fresh folder for each test, which may then break it.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

/// A folder with `storage/hamlet` and `assets/hillside`, deleted with this value.
pub(crate) struct Small {
    root: TempDir,
}

/// Where the base is, under the root.
pub(crate) const BASE: &str = "storage/hamlet";
/// Where its map is, under the root.
pub(crate) const MATRIX: &str = "assets/hillside/matrix";
/// The two residents.
pub(crate) const RESIDENTS: [&str; 2] = ["Zoë O'Neill-Ångström", "林 秋"];

const WALLS: &str = "
    1111111111
    1000100001
    1000100101
    1000000001
    1101111011
    1000000001
    1000000001
    1111111111";
const SECTORS: &str = "
    1111122222
    1111122222
    1111122222
    1111122222
    1111122222
    0000000000
    0000000000
    0000000000";
const ARENAS: &str = "
    0000000000
    0111022220
    0111022220
    0111022220
    0000000000
    0000000000
    0000000000
    0000000000";
const OBJECTS: &str = "
    0000000000
    0100033000
    0000000200
    0000010000
    0000000000
    0000000000
    0000000000
    0000000000";
const SPAWNS: &str = "
    0000000000
    0010000000
    0000000000
    0000001100
    0000000000
    0000000000
    0000000000
    0000000000";

impl Small {
    /// Writes the base.
    pub(crate) fn new() -> Self {
        let small = Self {
            root: tempfile::tempdir().unwrap(),
        };
        small.write_map();
        let base = |file: &str| format!("{BASE}/{file}");
        small.write(
            &base("reverie/meta.json"),
            r#"{
  "fork_sim_code": "hamlet",
  "start_date": "March 1, 2024",
  "curr_time": "March 1, 2024, 06:00:00",
  "sec_per_step": 20,
  "maze_name": "hillside",
  "persona_names": [
    "Zoë O'Neill-Ångström",
    "林 秋"
  ],
  "step": 0
}"#,
        );
        small.write(
            &base("environment/0.json"),
            r#"{
  "Zoë O'Neill-Ångström": {"maze": "hillside", "x": 1, "y": 1},
  "林 秋": {"maze": "hillside", "x": 6, "y": 3}
}"#,
        );
        small.write_resident(
            0,
            "town:Zoë's house:room",
            r#"{"town": {"Zoë's house": {"room": ["bed"]}, "茶屋 菊": {"店": ["帳場"]}}}"#,
        );
        small.write_resident(
            1,
            "town:茶屋 菊:店",
            r#"{"town": {"茶屋 菊": {"店": ["帳場", "stools, three"]}}}"#,
        );
        small.write(
            &format!("{BASE}/personas/林 秋/bootstrap_memory/associative_memory/nodes.json"),
            r#"{
  "node_3": {"node_count": 3, "type_count": 1, "type": "thought", "depth": 1,
    "created": "2024-02-29 21:00:00", "expiration": "2024-03-30 21:00:00",
    "subject": "林 秋", "predicate": "like", "object": "rain", "description": "林 秋 likes rain",
    "embedding_key": "林 秋 likes rain", "poignancy": 4, "keywords": ["rain"], "filling": ["node_1", "node_2"]},
  "node_2": {"node_count": 2, "type_count": 1, "type": "chat", "depth": 0,
    "created": "2024-02-29 20:00:00", "expiration": null,
    "subject": "林 秋", "predicate": "chat with", "object": "Zoë O'Neill-Ångström",
    "description": "talking about the weather", "embedding_key": "talking about the weather",
    "poignancy": 3, "keywords": ["林 秋"],
    "filling": [["林 秋", "It rains."], ["Zoë O'Neill-Ångström", "At last!"]]},
  "node_1": {"node_count": 1, "type_count": 1, "type": "event", "depth": 0,
    "created": "2024-02-29 19:00:00", "expiration": null,
    "subject": "sky", "predicate": "be", "object": "grey", "description": "the sky is grey",
    "embedding_key": "the sky is grey", "poignancy": 1, "keywords": ["sky", "grey"], "filling": []}
}"#,
        );
        small.write(
            "history.csv",
            "Name,Whisper\n林 秋,\"You brew tea; you know Zoë, who bakes;\"\nZoë O'Neill-Ångström,You bake bread\n",
        );
        small
    }

    fn write_map(&self) {
        self.write(
            &format!("{MATRIX}/maze_meta_info.json"),
            r#"{"world_name": "Town", "maze_width": 10, "maze_height": 8, "sq_tile_size": 32, "special_constraint": ""}"#,
        );
        let layers = [
            ("collision", WALLS),
            ("sector", SECTORS),
            ("arena", ARENAS),
            ("game_object", OBJECTS),
            ("spawning_location", SPAWNS),
        ];
        for (name, picture) in layers {
            let cells: Vec<String> = picture
                .chars()
                .filter(char::is_ascii_digit)
                .map(String::from)
                .collect();
            self.write(&format!("{MATRIX}/maze/{name}_maze.csv"), cells.join(", "));
        }
        let blocks = [
            ("world", "9, town"),
            ("sector", "1, town, Zoë's house \n2, town, 茶屋 菊"),
            ("arena", "1, town, Zoë's house, room\r\n2, town, 茶屋 菊, 店\r\n"),
            (
                "game_object",
                "1, town, <all>, bed\n2, town, <all>, 帳場\n3, town, <all>,\"stools, three\"\n",
            ),
            ("spawning_location", "1, town, Zoë's house, room, sp-A"),
        ];
        for (name, lines) in blocks {
            self.write(&format!("{MATRIX}/special_blocks/{name}_blocks.csv"), lines);
        }
    }

    fn write_resident(&self, index: usize, home: &str, spatial_memory: &str) {
        let name = RESIDENTS[index];
        let folder = format!("{BASE}/personas/{name}/bootstrap_memory");
        let (first, age, threshold) = [("Zoë", "52", 150), ("秋", "null", 90)][index];
        self.write(
            &format!("{folder}/scratch.json"),
            format!(
                r#"{{
  "vision_r": 4,
  "att_bandwidth": 3,
  "retention": 5,
  "curr_time": null,
  "curr_tile": null,
  "daily_plan_req": "",
  "name": "{name}",
  "first_name": "{first}",
  "last_name": "",
  "age": {age},
  "innate": "patient, droll",
  "learned": "{name} has lived here always.",
  "currently": "{name} waits for spring.",
  "lifestyle": "{name} sleeps from 22:00 to 06:00.",
  "living_area": "{home}",
  "recency_w": 1,
  "relevance_w": 2,
  "importance_w": 0.5,
  "recency_decay": 0.99,
  "importance_trigger_max": {threshold},
  "f_daily_schedule": []
}}"#
            ),
        );
        self.write(&format!("{folder}/spatial_memory.json"), spatial_memory);
        for (file, content) in [("nodes", "{}"), ("embeddings", "{}"), ("kw_strength", "{}")] {
            self.write(&format!("{folder}/associative_memory/{file}.json"), content);
        }
    }

    /// The full path of something under the root.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.root.path().join(file)
    }

    /// The base's folder.
    pub(crate) fn base(&self) -> PathBuf {
        self.path(BASE)
    }

    /// A file of a resident's `bootstrap_memory`, under the root.
    pub(crate) fn of(resident: usize, file: &str) -> String {
        format!("{BASE}/personas/{}/bootstrap_memory/{file}", RESIDENTS[resident])
    }

    /// Writes a file.
    pub(crate) fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Replaces a text that must be in the file, once.
    pub(crate) fn replace(&self, file: &str, from: &str, to: &str) {
        let path = self.path(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from:?} is not in {file}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    }

    /// Changes one cell of a layer.
    pub(crate) fn set_cell(&self, layer: &str, (x, y): (usize, usize), cell: &str) {
        let file = format!("{MATRIX}/maze/{layer}_maze.csv");
        let text = fs::read_to_string(self.path(&file)).unwrap();
        let mut cells: Vec<&str> = text.split(", ").collect();
        cells[y * 10 + x] = cell;
        self.write(&file, cells.join(", "));
    }

    /// Takes a file or folder away.
    pub(crate) fn remove(&self, file: &str) {
        let path = self.path(file);
        match path.is_dir() {
            true => fs::remove_dir_all(path).unwrap(),
            false => fs::remove_file(path).unwrap(),
        }
    }

    /// A message with this base's own path taken out.
    pub(crate) fn without_path(&self, message: &str) -> String {
        let root = self.root.path();
        let real = fs::canonicalize(root).unwrap();
        let message = message.replace(&format!("{}/", real.display()), "");
        message.replace(&format!("{}/", root.display()), "")
    }
}
