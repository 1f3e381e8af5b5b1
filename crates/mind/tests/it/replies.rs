//! Replies as models write them, and what is read out of each.
//!
//! `tests/replies/TASK/*.txt` are replies to the sample question of that task; the snapshots say what
//! they become: the answer, or why there is none. To add one, put a file there and accept its line.

use std::fmt::Write as _;
use std::path::Path;

use townsfolk_mind::model::PromptSet;
use townsfolk_mind::model::samples::{self, Visit};
use townsfolk_mind::{Task, TaskKind};

struct Golden {
    prompts: PromptSet,
    read: Vec<(TaskKind, String)>,
}

impl Visit for Golden {
    fn visit<T: Task>(&mut self, task: &T) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/replies")
            .join(T::KIND.name());
        let mut files: Vec<_> = std::fs::read_dir(&folder)
            .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        let mut page = String::new();
        for file in files {
            let reply = std::fs::read_to_string(&file).unwrap();
            let words = match samples::answer(&self.prompts, task, &reply) {
                Ok(answer) => serde_json::to_string(&answer).unwrap(),
                Err(fault) => format!("refused: {fault}"),
            };
            let name = file.file_stem().unwrap().to_string_lossy();
            writeln!(page, "{name}\n  {words}").unwrap();
        }
        self.read.push((T::KIND, page));
    }
}

#[test]
fn real_looking_replies_become_these_answers() {
    let mut golden = Golden {
        prompts: PromptSet::of("en").unwrap(),
        read: Vec::new(),
    };
    samples::each(&mut golden);
    for (kind, page) in golden.read {
        insta::assert_snapshot!(format!("replies_{}", kind.name()), page);
    }
}
