//! What was asked and answered at ticks that are computed again.
//!
//! Such ticks are history: whatever models or prompts a run goes on with, the answers its residents
//! gave stay. So a fork shares its parent's past under other models, a run taken up with changed
//! prompts keeps every tick it had, and any tick can be rebuilt without a model at all.

use std::collections::BTreeMap;
use std::sync::Mutex;

use townsfolk_memory::Embedding;
use townsfolk_mind::model::Answers;
use townsfolk_mind::{Halted, ResidentId, TaskKind};
use townsfolk_store::{RunReader, StoreError, TaskFilter, TaskRow, Tick};

use super::recorder::lock;

/// The answers of a stretch of ticks.
pub(crate) struct Past {
    /// By tick, resident and question.
    answers: BTreeMap<(Tick, Option<u32>, u32), TaskRow>,
    /// The vectors of the file, where memories are embedded elsewhere.
    vectors: Option<Mutex<RunReader>>,
    /// The last of the ticks.
    last: Tick,
}

impl Past {
    /// The answers of the ticks after `tick`, up to `last`; `None` if nobody outside the process was asked at
    /// any of them, so that the rules give the same again. Where memories are embedded elsewhere (`remote`),
    /// their vectors come from the file too.
    ///
    /// # Errors
    /// What the file reports.
    pub(crate) fn read(
        run: &RunReader,
        after: Option<Tick>,
        last: Tick,
        remote: bool,
    ) -> Result<Option<Self>, StoreError> {
        let filter = TaskFilter {
            from: Some(after.map_or(0, |tick| tick.saturating_add(1))),
            until: Some(last),
            ..TaskFilter::default()
        };
        let rows = run.tasks(&filter)?;
        if !remote && rows.iter().all(|at| at.row.calls.is_empty()) {
            return Ok(None);
        }
        let answers = rows
            .into_iter()
            .map(|at| ((at.tick, at.row.resident, at.row.seq), at.row));
        Ok(Some(Self {
            answers: answers.collect(),
            vectors: match remote {
                true => Some(Mutex::new(RunReader::open(run.path())?)),
                false => None,
            },
            last,
        }))
    }

    /// Whether a tick belongs to it.
    pub(crate) fn has(&self, tick: u64) -> bool {
        tick <= u64::from(self.last)
    }

    /// The questions of a tick as they were asked then.
    pub(crate) fn tasks(&self, tick: Tick) -> Vec<TaskRow> {
        let all = (tick, None, 0)..=(tick, Some(u32::MAX), u32::MAX);
        self.answers.range(all).map(|(_, row)| row.clone()).collect()
    }
}

impl Answers for Past {
    fn answer(&self, tick: u64, who: ResidentId, seq: u32, kind: TaskKind) -> Result<String, Halted> {
        let key = (
            u32::try_from(tick).unwrap_or(u32::MAX),
            super::resident_row(who),
            seq,
        );
        match self.answers.get(&key) {
            Some(row) if row.kind == kind.name() => Ok(row.answer.clone()),
            found => {
                let was = found.map_or("nothing", |row| row.kind.as_str());
                let reason = format!(
                    "tick {tick} cannot be computed again: question {seq} of resident {} is {}, but it was {was}; use \
                     the version of townsfolk that wrote the run",
                    who.0,
                    kind.name()
                );
                Err(Halted { reason })
            }
        }
    }

    fn vector(&self, text: &str) -> Result<Option<Embedding>, Halted> {
        let Some(run) = &self.vectors else {
            return Ok(None);
        };
        let bytes = lock(run).vector(text).map_err(|error| Halted {
            reason: error.to_string(),
        })?;
        let bytes = bytes.ok_or_else(|| Halted {
            reason: format!("the run file has no vector of \"{text}\""),
        })?;
        Ok(Some(super::embedding(&bytes)))
    }
}
