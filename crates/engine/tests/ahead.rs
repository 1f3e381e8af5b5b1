//! Running ahead: replies of ticks to come are fetched while a tick waits, and the run is the same, call
//! for call.

mod common {
    pub(crate) mod models;
    #[path = "mod.rs"]
    mod towns;
    pub(crate) use towns::*;
}

use std::future::poll_fn;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use common::models::{minds, plan};
use common::{digest, row};
use futures_util::future::BoxFuture;
use townsfolk_engine::ledger::Stop;
use townsfolk_engine::{Input, Minds, Options, ResidentId, Run, RunError, Setting};
use townsfolk_mind::model::{Calls, Rehearsal, Roles};
use townsfolk_model::scripted::Babble;
use townsfolk_model::{ChatModel, ChatReply, ChatRequest, Fault, ModelError, RoleModel, Structured};
use townsfolk_store::{CallFilter, CallUse, RunReader, RunState, StoreError};
use townsfolk_town::Town;

/// From five in the morning to nine, at ten seconds a tick.
const UNTIL: u64 = 1_440;

/// A model that lets others go on a few times before it answers: more often for some requests than for
/// others, so that replies come in another order than questions go out.
struct Slow {
    model: Arc<dyn ChatModel>,
    asked: AtomicUsize,
    /// The call, counted from 0, that meets a fault which every further call would meet.
    breaks_at: Option<usize>,
    /// Asked to stop at that call.
    stop: Option<(usize, Stop)>,
}

impl Slow {
    fn new(model: Arc<dyn ChatModel>) -> Self {
        Self {
            model,
            asked: AtomicUsize::new(0),
            breaks_at: None,
            stop: None,
        }
    }
}

impl ChatModel for Slow {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn chat<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, ModelError>> {
        Box::pin(async move {
            let number = self.asked.fetch_add(1, Ordering::SeqCst);
            if let Some((at, stop)) = &self.stop
                && number == *at
            {
                stop.ask();
            }
            let words: usize = request.turns.iter().map(|turn| turn.text.len()).sum();
            let mut turns = 3 + words % 5;
            poll_fn(|context| {
                turns -= 1;
                if turns == 0 {
                    return Poll::Ready(());
                }
                context.waker().wake_by_ref();
                Poll::Pending
            })
            .await;
            if self.breaks_at.is_some_and(|at| number >= at) {
                return Err(ModelError {
                    model: self.name().to_owned(),
                    status: None,
                    fault: Fault::Quota,
                    detail: "nothing is left".to_owned(),
                    remedy: "pay".to_owned(),
                    retry_after: None,
                });
            }
            self.model.chat(request).await
        })
    }
}

/// Minds whose every question goes to a model in the process.
fn asking(model: Arc<dyn ChatModel>, crib: Option<Arc<Rehearsal>>, calls: Calls) -> Minds {
    let mut minds = minds("http://127.0.0.1:9/v1", crib);
    let plan = plan(&mut minds);
    plan.calls = calls;
    plan.roles = Roles::all(RoleModel {
        model,
        window_tokens: 32_000,
        max_output_tokens: 2_048,
        temperature: 0.7,
        structured: Structured::Plain,
        price: None,
    });
    minds
}

/// Minds that say what the routine mind would, after a while.
fn sensible(calls: Calls) -> Minds {
    let rehearsal = Arc::new(Rehearsal::default());
    asking(Arc::new(Slow::new(rehearsal.clone())), Some(rehearsal), calls)
}

/// Minds that say anything, and fail now and then.
fn babbling(seed: u64, calls: Calls) -> Minds {
    asking(Arc::new(Slow::new(Arc::new(Babble { seed }))), None, calls)
}

/// A town large enough to be out of each other's reach in.
fn quay() -> Town {
    Town::bundled("osier_quay").expect("a bundled town")
}

fn create(path: &Path, town: Town, seed: u64, minds: Minds, workers: usize) -> Run {
    Run::create(path, Setting::new(town, seed, minds), Options { workers }, "test").expect("a new file")
}

fn live(run: &mut Run, until: u64) {
    run.run_until(until, |_| ControlFlow::Continue(()))
        .expect("nothing halts");
}

/// What there is to compare: the digest, calls that were bought, and calls that ticks rest on.
#[derive(Debug, PartialEq)]
struct Lived {
    digest: String,
    bought: u64,
    used: usize,
}

fn bought(run: &RunReader) -> u64 {
    run.spent().unwrap().iter().map(|spent| spent.calls).sum()
}

fn used(run: &RunReader) -> usize {
    let mut own = 0;
    let count = |call: CallUse| -> Result<(), StoreError> {
        own += usize::from(!call.from_cache());
        Ok(())
    };
    run.calls(&CallFilter::default(), count).unwrap();
    own
}

fn finished(run: Run, path: &Path) -> Lived {
    run.finish(RunState::Finished).expect("the file closes");
    let run = RunReader::open(path).unwrap();
    run.check().unwrap();
    Lived {
        digest: digest(path),
        bought: bought(&run),
        used: used(&run),
    }
}

/// The same history, resting on as many calls, and hardly one bought that it does not rest on: two who ask the
/// same at two ticks may both have been asked for ahead.
fn assert_same(ahead: &Lived, lock_step: &Lived) {
    assert_eq!((&ahead.digest, ahead.used), (&lock_step.digest, lock_step.used));
    let wasted = ahead.bought - lock_step.bought;
    assert!(wasted * 100 <= lock_step.bought, "{wasted} of {}", ahead.bought);
}

#[test]
fn a_run_that_runs_ahead_is_the_run_in_lock_step_call_for_call() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for seed in [1, 2] {
        let lived = |name: &str, calls, workers| {
            let path = path(&format!("{name}-{seed}.run"));
            let mut run = create(&path, quay(), seed, sensible(calls), workers);
            live(&mut run, UNTIL);
            finished(run, &path)
        };
        let lock_step = lived("lock-step", Calls::Together, 1);
        assert!(lock_step.used > 200, "{lock_step:?}");
        assert_eq!(lock_step.bought, lock_step.used as u64);
        for workers in [1, 2] {
            let ahead = lived(&format!("ahead-{workers}"), Calls::Ahead, workers);
            assert_same(&ahead, &lock_step);
        }
    }
}

#[test]
fn replies_of_ticks_to_come_are_there_before_their_tick() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("left.run");
    let mut run = create(&path, quay(), 7, sensible(Calls::Ahead), 1);
    let mut most_ahead = 0;
    for until in (60..600).step_by(60) {
        run.run_until(UNTIL, |progress| match progress.engine.tick() >= until {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
        .unwrap();
        let file = run.file();
        most_ahead = most_ahead.max(bought(&file) - used(&file) as u64);
    }
    assert!(most_ahead > 5, "{most_ahead} calls ahead at most");
}

#[test]
fn a_model_that_babbles_and_fails_gives_the_same_run_ahead() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for seed in [3, 4] {
        let lived = |name: &str, calls, workers| {
            let path = path(&format!("{name}-{seed}.run"));
            let mut run = create(&path, row(), seed, babbling(seed, calls), workers);
            live(&mut run, UNTIL);
            finished(run, &path)
        };
        let lock_step = lived("lock-step", Calls::Together, 1);
        for workers in [1, 2] {
            let ahead = lived(&format!("ahead-{workers}"), Calls::Ahead, workers);
            assert_same(&ahead, &lock_step);
        }
    }
}

#[test]
fn a_budget_reaches_as_far_with_and_without() {
    let folder = tempfile::tempdir().unwrap();
    let paused = |name: String, calls, budget: Option<u64>| {
        let mut minds = sensible(calls);
        minds.terms.budget.tokens = budget;
        let Roles {
            thinking,
            talking,
            rating,
        } = &mut plan(&mut minds).roles;
        for role in [thinking, talking, rating] {
            role.max_output_tokens = 256;
        }
        let mut run = create(&folder.path().join(name), quay(), 7, minds, 1);
        let done = run.run_until(UNTIL, |_| ControlFlow::Continue(()));
        assert_eq!(
            matches!(done, Err(RunError::Budget(_))),
            budget.is_some(),
            "{done:?}"
        );
        let spent = run.file().spent().unwrap().remove(0);
        (run.file().head().unwrap(), spent.tokens_in + spent.tokens_out)
    };
    let (_, all) = paused("whole.run".to_owned(), Calls::Together, None);
    for eighths in [1, 4, 7] {
        let budget = all * eighths / 8;
        let lived = |calls| paused(format!("{calls:?}-{eighths}.run"), calls, Some(budget));
        let (lock_step, ahead) = (lived(Calls::Together), lived(Calls::Ahead));
        assert_eq!(ahead.0, lock_step.0, "{eighths} eighths");
        assert!(ahead.1 <= budget && lock_step.1 <= budget);
    }
}

#[test]
fn what_people_do_from_outside_changes_the_same_in_both() {
    let folder = tempfile::tempdir().unwrap();
    let lived = |name: &str, calls| {
        let path = folder.path().join(name);
        let town = quay();
        let stove = town
            .world
            .places()
            .iter()
            .find(|place| place.name.contains("stove"));
        let object = stove.expect("somebody cooks").id;
        let mut run = create(&path, town, 7, sensible(calls), 2);
        live(&mut run, 300);
        let whisper = "You heard that the ferry will not go today.".to_owned();
        let resident = ResidentId(1);
        run.input(Input::Whisper {
            resident,
            text: whisper,
        })
        .unwrap();
        live(&mut run, 400);
        let state = "on fire".to_owned();
        run.input(Input::SetObject { object, state }).unwrap();
        live(&mut run, 500);
        let host = ResidentId(0);
        let tile = run.engine().tile_beside(host).unwrap();
        let name = "Vera Stone".to_owned();
        run.input(Input::Arrive {
            name,
            role: "a reporter".to_owned(),
            tile,
        })
        .unwrap();
        live(&mut run, 501);
        let visitor = run.find("Vera Stone").unwrap();
        run.input(Input::Speak {
            visitor,
            to: host,
            text: "Good morning. Is the market open today?".to_owned(),
            ends: false,
        })
        .expect("the host is awake and free");
        live(&mut run, 900);
        run.input(Input::Leave { who: visitor }).unwrap();
        live(&mut run, UNTIL);
        finished(run, &path)
    };
    let lock_step = lived("lock-step.run", Calls::Together);
    let ahead = lived("ahead.run", Calls::Ahead);
    assert_eq!(ahead.digest, lock_step.digest);
    // What was fetched for a future that people changed is of no use: little.
    let wasted = ahead.bought - lock_step.bought;
    assert!(wasted * 20 < lock_step.bought, "{wasted} of {}", lock_step.bought);
}

#[test]
fn a_run_killed_while_it_runs_ahead_goes_on_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut run = create(&path("whole.run"), quay(), 7, sensible(Calls::Together), 1);
    live(&mut run, UNTIL);
    let whole = finished(run, &path("whole.run"));

    let killed = path("killed.run");
    let mut run = create(&killed, quay(), 7, sensible(Calls::Ahead), 1);
    for at in [1, 361, 362, 1_000] {
        let death = catch_unwind(AssertUnwindSafe(|| {
            run.run_until(UNTIL, |progress| match progress.engine.tick() >= at {
                true => resume_unwind(Box::new(())),
                false => ControlFlow::Continue(()),
            })
        }));
        assert!(death.is_err(), "it was still alive at {at}");
        drop(run);
        run = Run::resume(&killed, sensible(Calls::Ahead), Options { workers: 2 }).unwrap();
    }
    live(&mut run, UNTIL);
    let killed = finished(run, &killed);
    assert_eq!((&killed.digest, killed.used), (&whole.digest, whole.used));
    // What was on its way when it died was not in the file; what was, is not bought again.
    let lost = killed.bought - whole.bought;
    assert!(lost * 20 < whole.bought, "{lost} of {}", whole.bought);
}

#[test]
fn a_fork_of_a_run_that_ran_ahead_is_the_fork_of_one_in_lock_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let forked = |name: &str, calls| {
        let parent = path(&format!("{name}.run"));
        let mut run = create(&parent, quay(), 7, sensible(calls), 1);
        live(&mut run, 1_000);
        // Left in the middle of what it has fetched.
        drop(run);
        let child = path(&format!("{name}-child.run"));
        let mut run = Run::fork(&parent, &child, 700, babbling(5, calls), Options::default()).unwrap();
        live(&mut run, 1_200);
        finished(run, &child).digest
    };
    assert_eq!(
        forked("ahead", Calls::Ahead),
        forked("lock-step", Calls::Together)
    );
}

#[test]
fn stopped_while_it_runs_ahead_it_keeps_what_arrived_and_goes_on_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut run = create(&path("whole.run"), quay(), 7, sensible(Calls::Together), 1);
    live(&mut run, 1_000);
    let whole = finished(run, &path("whole.run"));

    let stopped = path("stopped.run");
    let rehearsal = Arc::new(Rehearsal::default());
    let mut slow = Slow::new(rehearsal.clone());
    let stop = Stop::default();
    slow.stop = Some((60, stop.clone()));
    let slow = Arc::new(slow);
    let mut minds = asking(slow.clone(), Some(rehearsal), Calls::Ahead);
    minds.terms.stop = stop;
    let mut run = create(&stopped, quay(), 7, minds, 1);
    let error = run.run_until(1_000, |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, RunError::Stopped), "{error}");
    let asked = slow.asked.load(Ordering::SeqCst) as u64;
    assert_eq!(
        bought(&run.file()),
        asked,
        "every reply on its way was written down"
    );
    drop(run);

    let mut run = Run::resume(&stopped, sensible(Calls::Ahead), Options::default()).unwrap();
    live(&mut run, 1_000);
    assert_same(&finished(run, &stopped), &whole);
}

#[test]
fn a_fault_met_ahead_halts_the_run_where_its_tick_asks_and_what_was_bought_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut run = create(&path("whole.run"), quay(), 7, sensible(Calls::Together), 1);
    live(&mut run, 1_000);
    let whole = finished(run, &path("whole.run"));

    let broken = path("broken.run");
    let rehearsal = Arc::new(Rehearsal::default());
    let mut slow = Slow::new(rehearsal.clone());
    slow.breaks_at = Some(80);
    let mut run = create(
        &broken,
        quay(),
        7,
        asking(Arc::new(slow), Some(rehearsal), Calls::Ahead),
        1,
    );
    let error = run.run_until(1_000, |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, RunError::Halted(_)), "{error}");
    assert!(error.to_string().contains("nothing is left"), "{error}");
    drop(run);

    let mut run = Run::resume(&broken, sensible(Calls::Ahead), Options::default()).unwrap();
    live(&mut run, 1_000);
    let mended = finished(run, &broken);
    assert_eq!((mended.digest, mended.used), (whole.digest, whole.used));
}
