//! Taking a run on while others watch and steer: the one who holds the [`Run`].
//!
//! [`Conductor::conduct`] runs on the caller's thread until the caller's [`Watch`] wants to stop, or
//! until the run has reached its end and nobody needs it any more. Between two ticks it obeys orders:
//! pause, resume, step, run until, speed, save, and inputs. It knows nothing of pages and sockets,
//! and viewers cost it nothing: what they see is read from the run file by others.
//!
//! A conductor of a run that is only shown holds no run; the first order that needs one resumes it. While
//! another process writes the file, which it looks for, nobody can steer the run from here.

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use townsfolk_engine::ledger::Waiting;
use townsfolk_engine::{Engine, Input, Progress, ResidentId, Run, RunError};
use townsfolk_store::{RunInfo, RunReader, RunState, StoreError};

use crate::pace::Pace;
use crate::refusal::Refusal;
use crate::stage::{Acting, Order, Stage, What};
use crate::wire::run::{Barred, Command, Mode, RunMode};

/// How often somebody who waits looks whether to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often is looked whether another process writes the run.
const LOOKING: Duration = Duration::from_secs(1);

/// Game seconds per real second at most while a visitor who is steered from here talks: whoever is spoken to
/// waits three minutes of game time for the visitor's next words, which is then a minute to type them in.
const TALKING_SPEED: f64 = 3.0;

/// The last tick a run can be asked for.
const LAST: u64 = u32::MAX as u64 - 1;

/// Whoever wants a run conducted.
pub trait Watch {
    /// Called after each tick that was computed.
    fn progress(&mut self, progress: &Progress<'_>);

    /// Whether to stop after the tick at hand.
    fn stop(&self) -> bool;

    /// Whether to stay once the run has reached its end, given how many watch live.
    fn stay(&mut self, viewers: usize) -> bool;
}

/// How to take up a run again from its file.
pub type Resume = Box<dyn FnMut() -> Result<Run, RunError> + Send>;

/// Who takes a run on.
pub struct Conductor {
    stage: Arc<Stage>,
    orders: Receiver<Order>,
    waiting: VecDeque<Order>,
    run: Option<Run>,
    /// The file of a run that is shown, and when was last looked who writes it.
    shown: Option<(RunReader, Instant)>,
    /// Whether that is another process.
    elsewhere: bool,
    resume: Resume,
    going: Going,
    until: u64,
    /// Game seconds per real second as asked for; none for as fast as possible.
    speed: Option<f64>,
    /// The pace that holds.
    pace: Option<Pace>,
    /// Visitors who are steered from here.
    guests: BTreeSet<ResidentId>,
}

/// What the conductor is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Going {
    On,
    OneStep,
    Not,
}

impl Conductor {
    /// Conducts a run up to `until`; it begins at once.
    pub fn of_run(run: Run, until: u64, resume: Resume) -> (Self, Arc<Stage>) {
        Self::new(Some(run), Going::On, until, RunMode::Running, resume)
    }

    /// Conducts a run that is shown from its file and only taken up when somebody orders it.
    ///
    /// # Errors
    /// As [`RunReader::open`] and [`RunReader::info`].
    pub fn of_file(file: &Path, resume: Resume) -> Result<(Self, Arc<Stage>), StoreError> {
        let reader = RunReader::open(file)?;
        let stands = Stands::of(&reader)?;
        let (mut conductor, stage) = Self::new(None, Going::Not, stands.until, stands.state, resume);
        conductor.shown = Some((reader, Instant::now()));
        conductor.see(stands);
        Ok((conductor, stage))
    }

    fn new(run: Option<Run>, going: Going, until: u64, state: RunMode, resume: Resume) -> (Self, Arc<Stage>) {
        let (sender, orders) = mpsc::channel();
        let mode = Mode {
            state,
            controls: true,
            barred: None,
            speed: None,
            until: Some(until),
            failure: None,
        };
        let stage = Arc::new(Stage::new(mode, sender));
        if let Some(run) = &run {
            stage.show_waiting(run.waiting());
        }
        let conductor = Self {
            stage: Arc::clone(&stage),
            orders,
            waiting: VecDeque::new(),
            run,
            shown: None,
            elsewhere: false,
            resume,
            going,
            until,
            speed: None,
            pace: None,
            guests: BTreeSet::new(),
        };
        (conductor, stage)
    }

    /// Goes at this pace from now on, in game seconds per real second; without one as fast as possible.
    pub fn set_speed(&mut self, speed: Option<f64>) {
        self.speed = speed;
        let mode = self.stage.mode();
        self.stage.set_mode(Mode { speed, ..mode });
    }

    /// The run, if one is held.
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// Gives the run back, if one is held.
    pub fn into_run(self) -> Option<Run> {
        self.run
    }

    /// The tick before which the run is now meant to end.
    pub fn until(&self) -> u64 {
        self.until
    }

    /// Takes the run on and obeys orders, until the watch stops it, or it is at its end and the watch
    /// does not stay.
    ///
    /// # Errors
    /// As [`Run::run_until`]. The run is then given up; everything up to the tick before is in the
    /// file, and the next order takes it up again from there.
    pub fn conduct(&mut self, watch: &mut impl Watch) -> Result<(), RunError> {
        if let Some(run) = &mut self.run {
            run.set_goal(self.until)?;
        }
        loop {
            while let Some(order) = self.waiting.pop_front() {
                self.obey(order);
            }
            if watch.stop() {
                return Ok(());
            }
            if self.going == Going::Not {
                self.look_around();
                let at_end = self.stage.mode().state == RunMode::Ended;
                if at_end && self.waiting.is_empty() && !watch.stay(self.stage.viewers()) {
                    return Ok(());
                }
                match self.orders.recv_timeout(PATIENCE) {
                    Ok(order) => self.waiting.push_back(order),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            } else if let Err(error) = self.go(watch) {
                self.going = Going::Not;
                if let Some(run) = self.run.take() {
                    // The file holds whole ticks in any case; the error at hand says more than this one.
                    let _ = run.finish(RunState::Paused);
                }
                self.stage.show_waiting(Waiting::default());
                self.show(RunMode::Paused, Some(error.to_string()));
                return Err(error);
            }
        }
    }

    /// Computes ticks until something else is to be done.
    fn go<W: Watch>(&mut self, watch: &mut W) -> Result<(), RunError> {
        self.take_up()?;
        let Some(run) = &mut self.run else { return Ok(()) };
        let one_step = self.going == Going::OneStep;
        let next = run.engine().tick() + 1;
        let until = if one_step { next } else { self.until };
        let (orders, waiting, pace) = (&self.orders, &mut self.waiting, &mut self.pace);
        let (speed, guests) = (self.speed, &self.guests);
        // Waits until the next tick is due; whether it is to be computed.
        let mut due = |engine: &Engine, watch: &W| {
            let talks = guests.iter().any(|guest| engine.is_talking(*guest));
            let speed = match talks {
                true => Some(speed.unwrap_or(f64::INFINITY).min(TALKING_SPEED)),
                false => speed,
            };
            if pace.map(|pace| pace.speed) != speed {
                *pace = speed.map(|speed| Pace::from_now_on(speed, engine));
            }
            waiting.extend(match pace {
                None => orders.try_recv().ok(),
                Some(pace) => wait(pace.next(engine, talks), orders, watch),
            });
            waiting.is_empty() && !watch.stop()
        };
        if !one_step && !due(run.engine(), watch) {
            return Ok(());
        }
        run.run_until(until, |progress| {
            watch.progress(progress);
            match one_step || watch.stop() || !due(progress.engine, watch) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        if one_step {
            self.until = self.until.max(next);
        }
        let at_end = run.engine().tick() >= self.until;
        if one_step || at_end {
            self.going = Going::Not;
            let state = if at_end { RunMode::Ended } else { RunMode::Paused };
            self.show(state, None);
        }
        Ok(())
    }

    fn obey(&mut self, order: Order) {
        let answer = match order.what {
            What::Command(command) => self.command(command).map(|()| None),
            What::Input(input) => self.input(*input).map(Some),
        };
        // Whoever asked may have left.
        let _ = order.reply.send(answer);
    }

    fn command(&mut self, command: Command) -> Result<(), Refusal> {
        match command {
            Command::Pause {} => {
                if self.going != Going::Not {
                    self.going = Going::Not;
                    self.show(RunMode::Paused, None);
                }
            }
            Command::Resume {} => {
                let tick = self.held()?.engine().tick();
                if tick >= self.until {
                    let remedy = "let it run until a later tick (command run_until)";
                    return Err(Refusal::not_now("the run has reached its end", remedy));
                }
                self.start(Going::On);
            }
            Command::Step {} => {
                self.held()?;
                self.start(Going::OneStep);
            }
            Command::RunUntil { tick } => {
                let next = self.held()?.engine().tick();
                if tick <= next || tick > LAST {
                    let error = format!("a run at tick {next} cannot go on until tick {tick}");
                    let remedy = format!("ask for a tick from {} to {LAST}", next + 1);
                    return Err(Refusal::malformed(error, remedy));
                }
                self.until = tick;
                if let Some(run) = &mut self.run {
                    run.set_goal(tick)?;
                }
                self.start(Going::On);
            }
            Command::Speed { speed } => {
                if speed.is_some_and(|speed| !speed.is_finite() || speed <= 0.0) {
                    let remedy =
                        "give game seconds per real second, more than 0, or null for as fast as possible";
                    return Err(Refusal::malformed("this is no speed", remedy));
                }
                self.set_speed(speed);
            }
            // Breaking off to obey has written a checkpoint already.
            Command::Save {} => {}
            Command::Fork { .. } => {
                let remedy = "POST it to /api/control";
                return Err(Refusal::malformed("forks are not made by the conductor", remedy));
            }
        }
        Ok(())
    }

    /// Does something from outside; it acts at the tick that comes back, once that is computed.
    fn input(&mut self, input: Input) -> Result<Acting, Refusal> {
        self.held()?;
        // `held` has just seen to it.
        let run = self
            .run
            .as_mut()
            .ok_or_else(|| Refusal::not_now("no run is held", "try again"))?;
        let named = match &input {
            Input::Arrive { name, .. } => Some(name.clone()),
            Input::Join { newcomer } => Some(newcomer.identity.name.to_string()),
            _ => None,
        };
        let arrives = matches!(input, Input::Arrive { .. });
        let steered = match &input {
            Input::Walk { visitor, .. } | Input::Speak { visitor, .. } => Some(*visitor),
            _ => None,
        };
        let tick = run.input(input)?;
        let came = named.and_then(|name| run.find(&name));
        self.guests.extend(came.filter(|_| arrives).or(steered));
        let resident = came.map(|id| u32::from(id.0));
        Ok(Acting { tick, resident })
    }

    /// The run, taken up from its file if it is not held yet.
    fn held(&mut self) -> Result<&Run, Refusal> {
        Ok(self.take_up()?)
    }

    fn take_up(&mut self) -> Result<&Run, RunError> {
        match &mut self.run {
            Some(run) => Ok(run),
            none => {
                let run = (self.resume)()?;
                self.elsewhere = false;
                self.until = self.until.max(run.engine().tick());
                self.stage.show_waiting(run.waiting());
                Ok(none.insert(run))
            }
        }
    }

    fn start(&mut self, going: Going) {
        self.going = going;
        self.pace = None;
        self.show(RunMode::Running, None);
    }

    /// Looks from time to time whether another process has begun or ended to write a run that is not held here.
    fn look_around(&mut self) {
        let Some((reader, looked)) = self.shown.as_mut().filter(|_| self.run.is_none()) else {
            return;
        };
        if looked.elapsed() < LOOKING {
            return;
        }
        *looked = Instant::now();
        // A file that cannot be read now may be readable later.
        let Ok(stands) = Stands::of(reader) else { return };
        if stands.elsewhere || self.elsewhere {
            self.see(stands);
        }
    }

    /// Takes in how a run stands that is not held here.
    fn see(&mut self, stands: Stands) {
        self.elsewhere = stands.elsewhere;
        self.until = stands.until;
        self.show(stands.state, self.stage.mode().failure);
    }

    fn show(&self, state: RunMode, failure: Option<String>) {
        self.stage.set_mode(Mode {
            state,
            controls: !self.elsewhere,
            barred: self.elsewhere.then_some(Barred::WrittenElsewhere),
            speed: self.speed,
            until: Some(self.until),
            failure,
        });
    }
}

/// How a run stands by its file.
#[derive(Clone, Copy, Debug)]
struct Stands {
    state: RunMode,
    until: u64,
    /// Whether another process is writing it.
    elsewhere: bool,
}

impl Stands {
    fn of(reader: &RunReader) -> Result<Self, StoreError> {
        let info: RunInfo = reader.info()?;
        let next = info.head.map_or(0, |head| u64::from(head) + 1);
        let until = info.goal.map_or(next, u64::from).max(next);
        // One that was killed left it as running too.
        let elsewhere = info.state == RunState::Running && reader.is_written();
        let state = match elsewhere {
            true => RunMode::Replay,
            false if next < until => RunMode::Paused,
            false => RunMode::Ended,
        };
        Ok(Self {
            state,
            until,
            elsewhere,
        })
    }
}

/// Waits until then, or until an order comes, which is returned.
fn wait(due: Option<Instant>, orders: &Receiver<Order>, watch: &impl Watch) -> Option<Order> {
    loop {
        let left = due.map_or(PATIENCE, |due| due.saturating_duration_since(Instant::now()));
        if left.is_zero() || watch.stop() {
            return orders.try_recv().ok();
        }
        match orders.recv_timeout(left.min(PATIENCE)) {
            Ok(order) => return Some(order),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}
