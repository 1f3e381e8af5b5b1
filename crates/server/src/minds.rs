//! Looking into heads: the town in memory as it was at a tick, to be asked what comes to mind.
//!
//! Making a moment takes up to a second (a checkpoint, and up to a game hour executed again), so the
//! last few are kept. Nothing done to them reaches the run.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use townsfolk_engine::{Engine, RunError};
use townsfolk_store::{RunReader, Tick};

/// How to make a moment: the town as it was at the end of a tick.
pub type Moments = Arc<dyn Fn(&RunReader, Tick) -> Result<Engine, RunError> + Send + Sync>;

/// Moments kept.
const KEPT: usize = 3;

/// The moments that were last looked at.
pub(crate) struct Minds {
    make: Moments,
    kept: Mutex<VecDeque<(Tick, Arc<Engine>)>>,
}

impl Minds {
    pub(crate) fn new(make: Moments) -> Self {
        Self {
            make,
            kept: Mutex::default(),
        }
    }

    /// The town as it was at the end of `tick`. What is past never changes, so neither does this.
    pub(crate) fn at(&self, run: &RunReader, tick: Tick) -> Result<Arc<Engine>, RunError> {
        // Two requests for the same moment make it twice rather than wait for each other.
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, engine)) = kept().iter().find(|(of, _)| *of == tick) {
            return Ok(Arc::clone(engine));
        }
        let engine = Arc::new((self.make)(run, tick)?);
        let mut kept = kept();
        kept.truncate(KEPT - 1);
        kept.push_front((tick, Arc::clone(&engine)));
        Ok(engine)
    }
}
