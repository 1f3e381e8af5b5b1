//! A run: an engine and its run file, started, resumed and forked.
//!
//! Each tick that changed anything is committed before the next is computed, so a killed process
//! loses at most the tick in flight. Once a game hour the engine's whole state is kept as a
//! checkpoint. To resume, everything later than the last checkpoint is forgotten and computed again:
//! chance is addressed and replies are recorded, so the same comes out, byte for byte.

use std::ops::{ControlFlow, Deref};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use townsfolk_mind::model::Calls;
use townsfolk_mind::{Halted, ResidentId};
use townsfolk_store::{At, Kept, RunReader, RunState, RunWriter, StoreError, Tick};
use townsfolk_town::Town;

use crate::ahead::Ahead;
use crate::engine::{Engine, Options, Setting};
use crate::input::{Input, InputError, Written};
use crate::ledger::{Mismatch, Past, Recorder, Spending, Stop, Trouble, Waiting, lock, note_prices};
use crate::minds::Minds;
use crate::people::Person;
use crate::snapshot::SnapshotError;
use crate::steer::View;
use crate::{at, rows};

/// Game seconds between checkpoints.
const CHECKPOINT_SECONDS: i64 = 3_600;

/// A run going on.
pub struct Run {
    engine: Engine,
    /// Shared with the recorder, which writes calls down while a tick is thought.
    writer: Arc<Mutex<RunWriter>>,
    /// Where calls to models are written down.
    recorder: Option<Arc<Recorder>>,
    /// Fallbacks among the questions of the ticks computed so far.
    fallbacks: u64,
    /// The next tick when the last checkpoint was written.
    checkpoint: u64,
}

/// A run's file, held still while it is looked at.
pub struct File<'a>(MutexGuard<'a, RunWriter>);

impl Deref for File<'_> {
    type Target = RunReader;

    fn deref(&self) -> &RunReader {
        self.0.read()
    }
}

/// What is reported after each tick that was computed.
pub struct Progress<'a> {
    /// The town.
    pub engine: &'a Engine,
    /// What was spent on calls since the run began or was taken up.
    pub spending: Spending,
    /// How often the routine mind answered in a model's place since then.
    pub fallbacks: u64,
    /// The tick the run goes to.
    pub until: u64,
}

/// Why a run cannot start, go on or be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The run file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Thinking came to a halt. Everything up to the tick before is in the file.
    #[error("{0}; everything up to the tick before is saved, resume when it is mended")]
    Halted(Halted),
    /// The budget does not hold the next call. Everything up to the tick before is in the file.
    #[error("{0}; everything up to the tick before is saved")]
    Budget(String),
    /// People stopped the run while replies were on their way. Everything up to the tick before is in
    /// the file, and whatever reply arrived.
    #[error("stopped; everything up to the tick before is saved")]
    Stopped,
    /// A replay asks something else than the run it replays.
    #[error("{}", mismatch_words(.0))]
    Replay(Vec<Mismatch>),
    /// A checkpoint does not fit.
    #[error("{path}: {error}; fork the run at an earlier tick, or run the town anew")]
    Snapshot {
        /// The run file.
        path: String,
        /// What is wrong.
        error: SnapshotError,
    },
    /// The town in the run file cannot be read.
    #[error("{path}: the town in it cannot be read ({detail}); use the version of townsfolk that wrote it")]
    Town {
        /// The run file.
        path: String,
        /// What is wrong.
        detail: String,
    },
    /// Its memories were made with another embedder.
    #[error(
        "{path}: its memories were embedded by {wrote}, but it is to go on with {has}, and vectors of two embedders cannot be compared; choose the embedder it was written with, or let `townsfolk re-embed` make a run with other vectors"
    )]
    Embedder {
        /// The run file.
        path: String,
        /// The embedder it was written with.
        wrote: String,
        /// The embedder at hand.
        has: String,
    },
    /// An input in the file that this program does not know.
    #[error(
        "{path}: the input of tick {tick} cannot be read ({detail}); use the version of townsfolk that wrote it"
    )]
    UnknownInput {
        /// The run file.
        path: String,
        /// Its tick.
        tick: u32,
        /// What is wrong.
        detail: String,
    },
    /// Something from outside cannot be done.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Something from outside is to be done in the past.
    #[error(
        "tick {tick} is over, and what happened stays; fork the run there (`townsfolk fork RUN --at {tick} --out OTHER.run`) \
         and do it in the fork, or do it from tick {next} on"
    )]
    Past {
        /// The tick asked for.
        tick: u64,
        /// The next to be computed.
        next: u64,
    },
    /// A run is longer than ticks can be counted.
    #[error("a run ends at tick {} at the latest", u32::MAX - 1)]
    TooLong,
}

impl Run {
    /// Starts a run of a town in a new file.
    ///
    /// # Errors
    /// [`RunError::Store`] if the file exists already or cannot be written.
    pub fn create(path: &Path, setting: Setting, options: Options, version: &str) -> Result<Self, RunError> {
        let new = rows::new_run(&setting.town, setting.seed, &setting.minds, version);
        let new = new.map_err(|e| RunError::Town {
            path: path.display().to_string(),
            detail: e.to_string(),
        })?;
        let writer = RunWriter::create(path, &new)?;
        Self::join(Engine::new(Arc::new(setting), options), writer, 0)
    }

    /// An engine and its file.
    fn join(mut engine: Engine, writer: RunWriter, checkpoint: u64) -> Result<Self, RunError> {
        let writer = Arc::new(Mutex::new(writer));
        let minds = &engine.setting.minds;
        let recorder = match minds.asks_elsewhere() {
            true => Some(Arc::new(Recorder::new(writer.clone(), &minds.terms)?)),
            false => None,
        };
        let plan = minds.models.as_ref();
        let ahead = plan.is_some_and(|plan| plan.calls == Calls::Ahead && minds.terms.replay.is_none());
        if let Some(recorder) = &recorder {
            let shared = minds.with_ledger(recorder);
            engine.remember_calls(shared);
            if ahead {
                engine.run_ahead(Ahead::new(recorder.clone()));
            }
        }
        Ok(Self {
            engine,
            writer,
            recorder,
            fallbacks: 0,
            checkpoint,
        })
    }

    /// Goes on with a run, from its last checkpoint.
    ///
    /// # Errors
    /// [`RunError::Store`] for a file that is none of ours, damaged or in use; the others if its
    /// content does not fit this program.
    pub fn resume(path: &Path, minds: impl Into<Minds>, options: Options) -> Result<Self, RunError> {
        let (writer, minds) = (RunWriter::open(path)?, minds.into());
        let Some(head) = writer.head() else {
            return Self::take_up(writer, minds, options, None);
        };
        let after = writer.read().checkpoint_ticks()?.last().copied();
        let past = Past::read(writer.read(), after, head, minds.remote.is_some())?;
        Self::take_up(writer, minds, options, past)
    }

    /// Makes a new run that shares the parent's past up to and including `tick`. The parent is only
    /// read.
    ///
    /// # Errors
    /// As [`resume`](Self::resume), and if the parent doesn't reach `tick` or the child exists.
    pub fn fork(
        parent: &Path,
        child: &Path,
        tick: u64,
        minds: impl Into<Minds>,
        options: Options,
    ) -> Result<Self, RunError> {
        let at = u32::try_from(tick).map_err(|_| RunError::TooLong)?;
        let (writer, minds) = (townsfolk_store::fork(parent, child, at)?, minds.into());
        let past = Past::read(
            &RunReader::open(parent)?,
            writer.head(),
            at,
            minds.remote.is_some(),
        )?;
        let mut run = Self::take_up(writer, minds, options, past)?;
        run.run_until(tick + 1, |_| ControlFlow::Continue(()))?;
        Ok(run)
    }

    /// Begins a run that computes another one again: the same town, seed and inputs. Whether replies come
    /// from it too is up to `minds` ([`Terms::replay`](crate::Terms::replay)); the embedder must
    /// be the same.
    ///
    /// # Errors
    /// As [`create`](Self::create), and if the other run cannot be read.
    pub fn replay(
        old: &Path,
        new: &Path,
        minds: impl Into<Minds>,
        options: Options,
        version: &str,
    ) -> Result<Self, RunError> {
        let old = RunReader::open(old)?;
        let mut run = Self::create(new, setting(&old, minds.into())?, options, version)?;
        let inputs = old.inputs(0..=Tick::MAX)?;
        let kept = Kept {
            inputs: inputs.clone(),
            ..Kept::default()
        };
        lock(&run.writer).record(&kept)?;
        at::take_inputs(&mut run.engine, old.path(), inputs)?;
        Ok(run)
    }

    fn take_up(
        mut writer: RunWriter,
        minds: Minds,
        options: Options,
        past: Option<Past>,
    ) -> Result<Self, RunError> {
        let reader = writer.read();
        let setting = Arc::new(setting(reader, minds)?);
        let checkpoint = reader.last_checkpoint()?;
        // Before the configuration is another: runs of earlier versions have prices only there.
        note_prices(&mut writer, &setting.minds.terms.prices)?;
        if let Some(config) = &setting.minds.config {
            let prompts = setting.minds.models.as_ref().map(|plan| plan.prompts.hash());
            writer.set_models(Some(config.as_str()).filter(|text| !text.is_empty()), prompts)?;
        }
        writer.truncate_after(checkpoint.as_ref().map(|at| at.tick))?;
        let mut engine = at::engine_from(writer.read(), setting, options, checkpoint)?;
        engine.relive(past);
        let checkpoint = engine.tick();
        Self::join(engine, writer, checkpoint)
    }

    /// Does something from outside: it is recorded, and acts at the start of the tick that comes back,
    /// which is the next to be computed.
    ///
    /// # Errors
    /// [`RunError::Input`] if it cannot act, [`RunError::Store`] if it cannot be recorded; nothing is
    /// changed then.
    pub fn input(&mut self, input: Input) -> Result<u64, RunError> {
        self.inputs(&[input])
    }

    /// Does several things from outside in the same tick, in order: all of them, or none. A later one
    /// may speak of a visitor who arrives by an earlier one ([`find`](Self::find) tells the id).
    ///
    /// # Errors
    /// As [`input`](Self::input).
    pub fn inputs(&mut self, inputs: &[Input]) -> Result<u64, RunError> {
        let tick = self.engine.tick();
        let mut view = View::new(&self.engine, tick);
        let mut written = Vec::with_capacity(inputs.len());
        for input in inputs {
            let world = &self.engine.setting.town.world;
            let one = Written::of(input, view.people(), world)?;
            view.check(input)?;
            view.expect(&one, tick);
            written.push((tick, one));
        }
        self.record(written)?;
        Ok(tick)
    }

    /// Records things to be done from outside at ticks to come, by name: all of them, or none. Whether
    /// each can act is known when its tick comes; one that cannot leaves a notice. Those of one tick act
    /// in the order given.
    ///
    /// # Errors
    /// [`RunError::Past`] for a tick that is over, [`RunError::Input`] for names, places and words that
    /// make no sense.
    pub fn schedule(&mut self, inputs: Vec<(u64, Written)>) -> Result<(), RunError> {
        let mut order: Vec<usize> = (0..inputs.len()).collect();
        order.sort_by_key(|index| inputs[*index].0);
        let next = self.engine.tick();
        let mut view = View::new(&self.engine, u64::MAX);
        for (tick, input) in order.into_iter().map(|index| &inputs[index]) {
            if *tick < next {
                return Err(RunError::Past { tick: *tick, next });
            }
            if *tick >= u64::from(u32::MAX) {
                return Err(RunError::TooLong);
            }
            let world = &self.engine.setting.town.world;
            view.at(*tick);
            view.check_sense(&input.resolve(view.people(), world)?)?;
            view.expect(input, *tick);
        }
        self.record(inputs)
    }

    /// The id of whoever has this full name, also if they only come with an input that is recorded and
    /// has not acted yet.
    pub fn find(&self, name: &str) -> Option<ResidentId> {
        let view = View::new(&self.engine, self.engine.tick());
        let at = view.people().iter().position(|person| **person.name() == *name)?;
        u16::try_from(at).ok().map(ResidentId)
    }

    /// The id of whoever comes next, after those who come with inputs that are recorded for the next tick.
    pub fn next_id(&self) -> ResidentId {
        let view = View::new(&self.engine, self.engine.tick());
        ResidentId(u16::try_from(view.people().len()).unwrap_or(u16::MAX))
    }

    /// Everybody who is or was in town, and whoever will come with an input that is recorded.
    pub fn expected(&self) -> Vec<Person> {
        View::new(&self.engine, u64::MAX).people().to_vec()
    }

    /// Writes inputs down, and only then lets the engine have them.
    fn record(&mut self, inputs: Vec<(u64, Written)>) -> Result<(), RunError> {
        // Here and not where they act: what stands in a file acts again as it did.
        inputs.iter().try_for_each(|(_, input)| input.check_length())?;
        let row = |(tick, input): &(u64, Written)| {
            Ok(At {
                tick: u32::try_from(*tick).map_err(|_| RunError::TooLong)?,
                row: rows::input(input),
            })
        };
        let kept = Kept {
            inputs: inputs.iter().map(row).collect::<Result<_, RunError>>()?,
            ..Kept::default()
        };
        lock(&self.writer).record(&kept)?;
        self.engine.foresee_anew();
        for (tick, input) in inputs {
            self.engine.inputs.entry(tick).or_default().push(input);
        }
        Ok(())
    }

    /// The town in motion.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The run file as it stands.
    pub fn file(&self) -> File<'_> {
        File(lock(&self.writer))
    }

    /// What was spent on calls since the run began or was taken up.
    pub fn spending(&self) -> Spending {
        self.recorder
            .as_ref()
            .map(|recorder| recorder.spending())
            .unwrap_or_default()
    }

    /// Whose calls to models are on their way, now and at any later moment of this run.
    pub fn waiting(&self) -> Waiting {
        self.recorder
            .as_ref()
            .map(|recorder| recorder.waiting())
            .unwrap_or_default()
    }

    /// Notes in the file the tick before which the run is meant to end, so that whoever resumes it
    /// knows.
    ///
    /// # Errors
    /// [`RunError::TooLong`], or [`RunError::Store`] if the file cannot be written.
    pub fn set_goal(&mut self, until: u64) -> Result<(), RunError> {
        let goal = u32::try_from(until).map_err(|_| RunError::TooLong)?;
        Ok(lock(&self.writer).set_goal(goal)?)
    }

    /// Computes and commits ticks until the next would be `until`, or until `watch`, which is called
    /// after each, breaks. Whatever happens, the file then holds whole ticks only.
    ///
    /// # Errors
    /// [`RunError::Store`] if a tick cannot be written; [`RunError::Halted`], [`RunError::Budget`],
    /// [`RunError::Stopped`] or [`RunError::Replay`] if thinking halts. The run is then spent;
    /// [`resume`](Self::resume) goes on from its file.
    pub fn run_until(
        &mut self,
        until: u64,
        watch: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Result<(), RunError> {
        if until >= u64::from(u32::MAX) {
            return Err(RunError::TooLong);
        }
        let done = self.compute(until, watch);
        // They are paid for.
        self.engine.let_calls_arrive();
        done
    }

    fn compute(
        &mut self,
        until: u64,
        mut watch: impl FnMut(&Progress<'_>) -> ControlFlow<()>,
    ) -> Result<(), RunError> {
        let every = (CHECKPOINT_SECONDS / self.engine.setting.seconds_per_tick()).max(1) as u64;
        while let Some(mut rows) = self.engine.advance(until).map_err(|halted| self.why(halted))? {
            if let Some(recorder) = &self.recorder {
                recorder.settle(&mut rows);
            }
            self.fallbacks += rows.tasks.iter().filter(|task| task.fallback.is_some()).count() as u64;
            lock(&self.writer).commit(&rows)?;
            if self.checkpoint == 0 || self.engine.tick() - self.checkpoint >= every {
                self.write_checkpoint()?;
            }
            if watch(&Progress {
                engine: &self.engine,
                spending: self.spending(),
                fallbacks: self.fallbacks,
                until,
            })
            .is_break()
            {
                break;
            }
        }
        if self.engine.tick() > self.checkpoint {
            self.write_checkpoint()?;
        }
        Ok(())
    }

    /// Ends writing and leaves one whole file.
    ///
    /// # Errors
    /// [`RunError::Store`]; nothing committed is lost.
    pub fn finish(self, state: RunState) -> Result<(), RunError> {
        let Self {
            engine,
            writer,
            recorder,
            ..
        } = self;
        // The engine's mind and the recorder share the writer.
        drop((engine, recorder));
        let writer = Arc::into_inner(writer).expect("engine and recorder, which shared it, are gone");
        let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(writer.finish(state)?)
    }

    /// Whether people no longer wait for replies.
    fn has_given_up(&self) -> bool {
        self.engine.setting.minds.stop().is_some_and(Stop::has_given_up)
    }

    /// Why thinking halted.
    fn why(&self, halted: Halted) -> RunError {
        let trouble = self.recorder.as_ref().and_then(|recorder| recorder.trouble());
        match trouble {
            None if self.has_given_up() => RunError::Stopped,
            None => RunError::Halted(halted),
            Some(Trouble::Budget(reason)) => RunError::Budget(reason),
            Some(Trouble::Stopped) => RunError::Stopped,
            Some(Trouble::Store(error)) => RunError::Store(error),
            Some(Trouble::Replay(mismatches)) => RunError::Replay(mismatches),
        }
    }

    fn write_checkpoint(&mut self) -> Result<(), RunError> {
        let mut writer = lock(&self.writer);
        let snapshot = self.engine.snapshot().map_err(|error| RunError::Snapshot {
            path: writer.read().path().display().to_string(),
            error,
        })?;
        self.checkpoint = self.engine.tick();
        // Ticks are kept below `u32::MAX` by `run_until`.
        writer.checkpoint((self.checkpoint - 1) as u32, &snapshot)?;
        Ok(())
    }
}

/// What a run file was started with.
pub(crate) fn setting(reader: &RunReader, minds: Minds) -> Result<Setting, RunError> {
    let path = || reader.path().display().to_string();
    let info = reader.info()?;
    let (embedder, dimensions) = minds.vectors();
    if info.embedder != embedder || info.embedding_dimensions as usize != dimensions {
        let with = |name: &str, dimensions: usize| format!("{name} ({dimensions} numbers)");
        let wrote = with(&info.embedder, info.embedding_dimensions as usize);
        let has = with(embedder, dimensions);
        return Err(RunError::Embedder {
            path: path(),
            wrote,
            has,
        });
    }
    let unreadable = |detail: String| RunError::Town { path: path(), detail };
    let parts = reader.town()?;
    let part = parts.iter().find(|part| part.part == rows::TOWN_PART);
    let part = part.ok_or_else(|| unreadable("the part is missing".to_owned()))?;
    let town: Town = serde_json::from_str(&part.data).map_err(|e| unreadable(e.to_string()))?;
    Ok(Setting::new(town, info.seed, minds))
}

/// The first few calls that a replay did not find.
fn mismatch_words(mismatches: &[Mismatch]) -> String {
    const SHOWN: usize = 5;
    let mut text = "the replayed run does not have what is asked now".to_owned();
    for mismatch in mismatches.iter().take(SHOWN) {
        text.push_str(&format!("\n  {mismatch}"));
    }
    match mismatches.len().saturating_sub(SHOWN) {
        0 => {}
        more => text.push_str(&format!("\n  and {more} more at this tick")),
    }
    text.push_str("\nreplay with the prompts and models it was run with, or fork it at an earlier tick to go another way");
    text
}
