//! Language models as the mind of a run: whatever a provider does, the file holds whole ticks and every
//! reply, and no reply is bought twice.

mod common {
    pub(crate) mod models;
    #[path = "mod.rs"]
    mod towns;
    pub(crate) use towns::*;
}

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use common::models::{Echo, KEY, holds, minds, plan};
use common::{digest, digest_of, row};
use townsfolk_engine::ledger::{Recorded, Stop};
use townsfolk_engine::{Input, Minds, Options, Run, RunError, Setting};
use townsfolk_mind::TaskKind;
use townsfolk_mind::model::PromptSet;
use townsfolk_model::scripted::Play;
use townsfolk_store::{
    ActionStatus, CallFilter, CallUse, MemoryFilter, RunReader, RunState, StoreError, TaskFilter,
};
use townsfolk_world::{PlaceId, PlaceKind};

/// From six in the morning: everybody gets up, plans the day and has breakfast.
const MORNING: u64 = 420;

const ONE: Options = Options { workers: 1 };

fn create(path: &Path, minds: Minds) -> Run {
    Run::create(path, Setting::new(row(), 7, minds), ONE, "test").expect("a new file")
}

fn live(run: &mut Run, until: u64) -> Result<(), RunError> {
    run.run_until(until, |_| ControlFlow::Continue(()))
}

/// A morning lived without trouble.
fn morning(path: &Path, minds: Minds) -> String {
    let mut run = create(path, minds);
    live(&mut run, MORNING).expect("nothing goes wrong");
    run.finish(RunState::Finished).expect("the file closes");
    digest(path)
}

/// Ends a run as a kill would.
fn left(path: &Path, minds: Minds, at: u64) {
    let mut run = create(path, minds);
    run.run_until(MORNING, |progress| match progress.engine.tick() >= at {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })
    .expect("nothing goes wrong");
}

fn fallbacks(run: &RunReader) -> usize {
    let tasks = run.tasks(&TaskFilter::default()).unwrap();
    tasks.iter().filter(|task| task.row.fallback.is_some()).count()
}

#[test]
fn every_call_is_in_the_file_and_no_key_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let echo = Echo::start(|_| None);
    morning(&path, echo.minds());
    let run = RunReader::open(&path).unwrap();
    let spent = &run.spent().unwrap()[0];
    assert_eq!(spent.calls, echo.server.count() as u64);
    assert!(
        spent.calls > 20 && spent.tokens_in > 1_000 && spent.tokens_out > 100,
        "{spent:?}"
    );
    assert_eq!(
        fallbacks(&run),
        0,
        "the routine mind's own answers are read without loss"
    );
    let counts = run.call_counts(MORNING as u32, u32::MAX).unwrap();
    assert_eq!(
        counts.iter().map(|count| count.calls).sum::<u64>(),
        spent.calls,
        "each has its tick"
    );
    assert!(holds(&path, "server:echo"));
    assert!(!holds(&path, KEY));
    let info = run.info().unwrap();
    assert_eq!(info.mind, "server:echo");
    assert!(
        info.models.unwrap().contains("ECHO_KEY"),
        "the variable's name is kept, its value is not"
    );
}

#[test]
fn any_number_of_workers_gives_the_same_run() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, workers| {
        let echo = Echo::start(|_| None);
        let path = folder.path().join(name);
        let setting = Setting::new(row(), 7, echo.minds());
        let mut run = Run::create(&path, setting, Options { workers }, "test").unwrap();
        live(&mut run, MORNING).unwrap();
        run.finish(RunState::Finished).unwrap();
        digest(&path)
    };
    assert_eq!(run("one.run", 1), run("four.run", 4));
}

#[test]
fn a_run_left_anywhere_and_taken_up_is_the_uninterrupted_one_and_costs_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let straight = Echo::start(|_| None);
    let whole = morning(&folder.path().join("whole.run"), straight.lock_step());

    let path = folder.path().join("left.run");
    let echo = Echo::start(|_| None);
    left(&path, echo.lock_step(), 5);
    for at in [40, 200, MORNING] {
        let mut run = Run::resume(&path, echo.lock_step(), ONE).unwrap();
        run.run_until(MORNING, |progress| match progress.engine.tick() >= at {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
        .unwrap();
    }
    assert_eq!(digest(&path), whole);
    assert_eq!(
        echo.server.count(),
        straight.server.count(),
        "no reply was bought twice"
    );
}

#[test]
fn a_permanent_error_pauses_the_run_and_the_others_calls_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let straight = Echo::start(|_| None);
    let whole = morning(&folder.path().join("whole.run"), straight.lock_step());

    let path = folder.path().join("a.run");
    let answered = Arc::new(AtomicUsize::new(0));
    let broken = Arc::new(AtomicBool::new(true));
    let (count, is_broken) = (answered.clone(), broken.clone());
    let echo = Echo::start(move |_| {
        if is_broken.load(Ordering::SeqCst) && count.load(Ordering::SeqCst) >= 9 {
            return Some(Play::Raw {
                status: 401,
                headers: Vec::new(),
                body: format!("{{\"error\":{{\"message\":\"Incorrect API key provided: {KEY}\"}}}}"),
            });
        }
        count.fetch_add(1, Ordering::SeqCst);
        None
    });
    let mut run = create(&path, echo.lock_step());
    let error = live(&mut run, MORNING).expect_err("the key is refused");
    let message = error.to_string();
    assert!(matches!(error, RunError::Halted(_)), "{message}");
    for part in ["server:echo", "401", "ECHO_KEY", "saved"] {
        assert!(message.contains(part), "{part} is missing: {message}");
    }
    // Whose question it was, and which.
    let (who, rest) = message.split_once(": ").unwrap();
    let who = who.strip_prefix("for ").unwrap();
    assert!(
        row()
            .residents
            .iter()
            .any(|resident| *resident.identity.name == *who),
        "{message}"
    );
    let task = rest.split_once(": ").unwrap().0;
    assert!(TaskKind::ALL.iter().any(|kind| kind.name() == task), "{message}");
    assert!(!message.contains(KEY), "{message}");
    run.finish(RunState::Paused).unwrap();
    let file = RunReader::open(&path).unwrap();
    file.check().unwrap();
    let replies = file.spent().unwrap()[0].calls;
    assert!(
        replies >= 9,
        "the nine replies are in the file, with the refusals: {replies}"
    );
    drop(file);

    broken.store(false, Ordering::SeqCst);
    let mut run = Run::resume(&path, echo.lock_step(), ONE).unwrap();
    live(&mut run, MORNING).unwrap();
    run.finish(RunState::Finished).unwrap();
    assert_eq!(digest(&path), whole, "as if nothing had happened");
    assert_eq!(
        answered.load(Ordering::SeqCst),
        straight.server.count(),
        "no reply was bought twice"
    );
    assert!(!holds(&path, KEY));
}

#[test]
fn one_residents_failing_calls_do_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let echo = Echo::start(|request| {
        // By what is asked, so that trying again does not help.
        let unlucky = request.system().contains("Tomas Varga") && request.prompt().len().is_multiple_of(2);
        unlucky.then(|| Play::Raw {
            status: 200,
            headers: Vec::new(),
            body: "ERROR: prompt is longer than the context window".to_owned(),
        })
    });
    morning(&path, echo.minds());
    let run = RunReader::open(&path).unwrap();
    let tasks = run.tasks(&TaskFilter::default()).unwrap();
    let fell_back = |who: u32| {
        let of = tasks.iter().filter(|task| task.row.resident == Some(who));
        of.filter(|task| task.row.fallback.is_some()).count()
    };
    assert!(
        fell_back(1) > 0,
        "the second resident's thoughts are the routine mind's now and then"
    );
    assert_eq!(
        (fell_back(0), fell_back(3)),
        (0, 0),
        "who is not concerned does not notice"
    );
    for who in 0..4 {
        let plans = run.plans(who, MORNING as u32 - 1).unwrap();
        assert!(!plans.is_empty(), "resident {who} has a plan of the day");
        let memories = run.memories(who, &MemoryFilter::default()).unwrap();
        assert!(
            memories
                .iter()
                .all(|memory| !memory.row.text.contains("context window"))
        );
        let entries = plans.iter().flat_map(|plan| &plan.row.entries);
        assert!(entries.clone().all(|entry| !entry.activity.contains("ERROR")));
    }
    assert!(
        run.actions_between(0..=MORNING as u32)
            .unwrap()
            .iter()
            .all(|at| !at.row.activity.contains("ERROR"))
    );
}

/// A small model says "place 1" to everything; nobody sleeps on a slipway for that.
#[test]
fn whoever_names_the_first_place_for_everything_still_sleeps_in_a_bed_at_home() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let echo = Echo::start(|request| {
        let schema = request.schema().unwrap_or_default();
        let is_place = schema.pointer("/properties/place").is_some();
        is_place.then(|| Play::reply(r#"{"place": 1}"#))
    });
    morning(&path, echo.minds());
    let town = row();
    let run = RunReader::open(&path).unwrap();
    let actions = run.actions_between(0..=MORNING as u32).unwrap();
    let chosen = |status| actions.iter().filter(move |at| at.row.status == status);
    assert!(chosen(ActionStatus::Doing).count() > 0);
    assert_eq!(
        fallbacks(&run),
        0,
        "the first place is one for whatever was asked"
    );
    let sleepers: Vec<u32> = chosen(ActionStatus::Asleep).map(|at| at.row.resident).collect();
    assert!(!sleepers.is_empty(), "some sleep as the story begins");
    for at in chosen(ActionStatus::Asleep) {
        let place = PlaceId::from_index(at.row.place.expect("sleep has a place") as usize);
        let home = town.residents[at.row.resident as usize].identity.home;
        let (bed, room) = (
            town.world.place(place),
            town.world.ancestor(place, PlaceKind::Arena),
        );
        assert!(
            bed.name.contains("bed") && room == Some(home),
            "{}",
            town.world.address(place)
        );
    }
}

#[test]
fn a_budget_pauses_and_a_larger_one_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let straight = Echo::start(|_| None);
    let whole = morning(&folder.path().join("whole.run"), straight.lock_step());
    let taken = {
        let run = RunReader::open(folder.path().join("whole.run")).unwrap();
        let spent = run.spent().unwrap().remove(0);
        spent.tokens_in + spent.tokens_out
    };

    // With room for the last call's longest answer, and for one at a time, what it takes is enough.
    let exact = folder.path().join("exact.run");
    let echo = Echo::start(|_| None);
    let mut just_enough = echo.minds();
    just_enough.terms.budget.tokens = Some(taken + 4_000);
    assert_eq!(morning(&exact, just_enough), whole);

    let path = folder.path().join("a.run");
    let echo = Echo::start(|_| None);
    let mut small = echo.lock_step();
    small.terms.budget.tokens = Some(taken / 2);
    let mut run = create(&path, small.clone());
    let error = live(&mut run, MORNING).expect_err("half is not enough");
    run.finish(RunState::Paused).unwrap();
    let spent = RunReader::open(&path).unwrap().spent().unwrap().remove(0);
    let spent = spent.tokens_in + spent.tokens_out;
    assert!(spent <= taken / 2, "never more than the budget");
    assert!(spent + 4_000 > taken / 2, "and all that holds a call: {error}");
    let told = format!(
        "{spent} of {} tokens are spent, and it may take up to ",
        taken / 2
    );
    assert!(
        matches!(&error, RunError::Budget(reason) if reason.contains(&told)),
        "{error}"
    );

    let error = live(&mut Run::resume(&path, small, ONE).unwrap(), MORNING).expect_err("it counts on");
    assert!(matches!(error, RunError::Budget(_)), "{error}");
    let mut enough = echo.lock_step();
    enough.terms.budget.usd = Some(100.0);
    let mut run = Run::resume(&path, enough, ONE).unwrap();
    live(&mut run, MORNING).unwrap();
    run.finish(RunState::Finished).unwrap();
    assert_eq!(digest(&path), whole);
    assert_eq!(echo.server.count(), straight.server.count());
}

#[test]
fn a_replay_needs_no_network_and_says_what_a_changed_prompt_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let whole = {
        // Some replies cannot be used, so that corrective calls and fallbacks are replayed too.
        let echo = Echo::start(|request| {
            (request.number % 7 == 3).then(|| Play::Reply("I am not sure.".to_owned()))
        });
        morning(&path, echo.minds())
    };
    let nowhere = || {
        let mut minds = minds("http://127.0.0.1:9/v1", None);
        minds.terms.replay = Some(Recorded::open(&path).unwrap());
        minds
    };
    let again = folder.path().join("again.run");
    let mut run = Run::replay(&path, &again, nowhere(), ONE, "test").unwrap();
    live(&mut run, MORNING).unwrap();
    run.finish(RunState::Finished).unwrap();
    assert_eq!(digest(&again), whole);
    let mut corrected = 0;
    let count = |used: CallUse| {
        corrected += u32::from(used.attempt == 1);
        Ok::<_, StoreError>(())
    };
    let file = RunReader::open(&again).unwrap();
    file.calls(&CallFilter::default(), count).unwrap();
    assert!(corrected > 0, "some replies had to be asked for again");
    assert_eq!(
        RunReader::open(&again).unwrap().spent().unwrap(),
        [],
        "a replay pays for nothing"
    );

    let prompts = folder.path().join("prompts");
    std::fs::create_dir(&prompts).unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mind/prompts/en/wake_up.md.j2");
    let text = std::fs::read_to_string(own).unwrap();
    let text = text.replace("For example:", "Be brief. For example:");
    std::fs::write(prompts.join("wake_up.md.j2"), text).unwrap();
    let mut changed = nowhere();
    plan(&mut changed).prompts = Arc::new(PromptSet::with_overrides("en", &prompts).unwrap());
    let other = folder.path().join("other.run");
    let mut run = Run::replay(&path, &other, changed, ONE, "test").unwrap();
    let error = live(&mut run, MORNING).expect_err("it is another prompt");
    let RunError::Replay(mismatches) = &error else {
        panic!("{error}");
    };
    assert_eq!(mismatches.len(), 4, "everybody who wakes up: {error}");
    assert!(
        error.to_string().contains("(wake_up): the question differs"),
        "{error}"
    );
    assert!(error.to_string().contains("Be brief."), "{error}");
}

#[test]
fn a_fork_under_other_models_shares_the_past() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let echo = Echo::start(|_| None);
    morning(&path, echo.minds());
    let bought = echo.server.count();

    let other = Echo::start(|_| Some(Play::Reply("no".to_owned())));
    let child = folder.path().join("child.run");
    let mut run = Run::fork(&path, &child, 100, other.minds(), ONE).unwrap();
    let parent = RunReader::open(&path).unwrap();
    assert_eq!(run.file().digest_at(100).unwrap(), parent.digest_at(100).unwrap());
    assert_eq!(
        (other.server.count(), echo.server.count()),
        (0, bought),
        "the past asks nobody"
    );
    live(&mut run, MORNING).unwrap();
    assert_eq!(
        run.file().digest().unwrap(),
        parent.digest().unwrap(),
        "what the parent bought for the same questions serves the child"
    );
    assert_eq!(
        run.file().spent().unwrap(),
        [],
        "and the child has not paid for it"
    );
    live(&mut run, 4 * MORNING).unwrap();
    assert!(other.server.count() > 0, "then it asks for itself");
    assert_eq!(run.file().answerers(u32::MAX).unwrap(), ["server:echo"]);
    run.finish(RunState::Paused).unwrap();
    let without = Minds {
        config: Some(String::new()),
        ..Minds::from(echo.minds().embedder)
    };
    let mut run = Run::resume(&child, without, ONE).unwrap();
    live(&mut run, 5 * MORNING).unwrap();
    assert_eq!(
        run.file().answerers(u32::MAX).unwrap(),
        ["server:echo", "routine"]
    );
    assert_eq!(run.file().answerers(100).unwrap(), ["server:echo"]);
    let info = run.file().info().unwrap();
    assert_eq!((info.mind.as_str(), info.models), ("server:echo", None));

    let at = townsfolk_engine::at(&parent, 100, echo.minds().embedder, ONE).unwrap();
    assert_eq!(at.tick(), 101, "any tick is rebuilt without a model");
    assert_eq!(echo.server.count(), bought);
}

/// Sets two things of the little row at once, at a quarter past six.
fn set_two(run: &mut Run) -> u64 {
    live(run, 90).expect("nothing goes wrong");
    let world = run.engine().setting().town.world.clone();
    let set = |place: &str, state: &str| Input::SetObject {
        object: world.find(place).expect("a place of the sketch"),
        state: state.to_owned(),
    };
    let stove = set("Little Row:Ivy House:main room:stove", "the stove is smoking");
    let counter = set(
        "Little Row:Lamp Cafe:cafe:behind the cafe counter",
        "being painted",
    );
    let first = run.input(stove).expect("it can be set");
    assert_eq!(
        run.input(counter).expect("it can be set"),
        first,
        "in the same tick"
    );
    first
}

#[test]
fn two_things_set_in_one_tick_are_two_questions_of_the_town() {
    let folder = tempfile::tempdir().unwrap();
    let asked = |name: &str, minds: Minds| {
        let path = folder.path().join(name);
        let mut run = create(&path, minds.clone());
        let at = set_two(&mut run);
        live(&mut run, at + 1).unwrap();
        drop(run);
        // Computed again from the last checkpoint.
        let mut run = Run::resume(&path, minds, ONE).unwrap();
        live(&mut run, MORNING).unwrap();
        run.finish(RunState::Finished).unwrap();
        let file = RunReader::open(&path).unwrap();
        file.check().unwrap();
        let tasks = file.tasks(&TaskFilter::default()).unwrap().into_iter();
        let of_town = tasks.filter(|task| task.row.resident.is_none());
        let answers = of_town.map(|task| (task.row.seq, task.row.answer, task.row.calls.len()));
        answers.collect::<Vec<_>>()
    };
    let wanted = |calls| {
        let answer = |state: &str| format!("{{\"text\":\"{state}\"}}");
        [(0, answer("smoking"), calls), (1, answer("being painted"), calls)]
    };
    let echo = Echo::start(|_| None);
    assert_eq!(asked("model.run", echo.minds()), wanted(1));
    let rules = Minds {
        models: None,
        config: None,
        ..echo.minds()
    };
    assert_eq!(asked("rules.run", rules), wanted(0));
}

#[test]
fn a_thing_set_while_the_key_is_refused_waits_for_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let broken = Arc::new(AtomicBool::new(false));
    let is_broken = broken.clone();
    let echo = Echo::start(move |_| {
        is_broken.load(Ordering::SeqCst).then(|| Play::Raw {
            status: 401,
            headers: Vec::new(),
            body: "{\"error\":{\"message\":\"Incorrect API key provided\"}}".to_owned(),
        })
    });
    let mut run = create(&path, echo.minds());
    let at = set_two(&mut run);
    broken.store(true, Ordering::SeqCst);
    let error = live(&mut run, at + 1).expect_err("the key is refused");
    assert!(matches!(error, RunError::Halted(_)), "{error}");
    run.finish(RunState::Paused).unwrap();

    broken.store(false, Ordering::SeqCst);
    let mut run = Run::resume(&path, echo.minds(), ONE).unwrap();
    live(&mut run, MORNING).unwrap();
    let tasks = run.file().tasks(&TaskFilter::default()).unwrap();
    let of_town: Vec<_> = tasks.iter().filter(|task| task.row.resident.is_none()).collect();
    assert_eq!(of_town.len(), 2);
    assert!(of_town.iter().all(|task| task.row.fallback.is_none()));
}

#[test]
fn a_reply_that_never_comes_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let echo = Echo::start(|request| (request.number >= 5).then_some(Play::Hang));
    let minds = echo.minds();
    let stop = minds.terms.stop.clone();
    let mut run = create(&path, minds);
    let written = path.clone();
    let patience = std::thread::spawn(move || {
        let arrived = || {
            RunReader::open(&written)
                .unwrap()
                .spent()
                .unwrap()
                .first()
                .map_or(0, |row| row.calls)
        };
        for _ in 0..600 {
            if arrived() == 5 {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        stop.ask();
        stop.give_up();
    });
    let error = live(&mut run, MORNING).expect_err("it was stopped");
    assert!(matches!(error, RunError::Stopped), "{error}");
    patience.join().unwrap();
    run.finish(RunState::Paused).unwrap();
    let file = RunReader::open(&path).unwrap();
    file.check().unwrap();
    assert_eq!(file.spent().unwrap()[0].calls, 5, "what arrived is kept");
}

#[test]
fn a_stopped_run_waits_for_no_other_try() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.run");
    let straight = Echo::start(|_| None);
    let whole = morning(&folder.path().join("whole.run"), straight.minds());

    // The provider wants to be left alone for longer than anybody waits for this test, and people stop then.
    let stop = Arc::new(std::sync::OnceLock::<Stop>::new());
    let told = stop.clone();
    let echo = Echo::start(move |request| {
        let stop = told.get().filter(|_| request.number >= 5)?;
        stop.ask();
        Some(Play::busy(110.0))
    });
    let minds = echo.minds();
    stop.get_or_init(|| minds.terms.stop.clone());
    let mut run = create(&path, minds);
    let error = live(&mut run, MORNING).expect_err("it was stopped");
    assert!(matches!(error, RunError::Stopped), "{error}");
    run.finish(RunState::Paused).unwrap();
    let file = RunReader::open(&path).unwrap();
    assert!(
        file.unused_calls()
            .unwrap()
            .iter()
            .all(|call| call.row.outcome.is_ok()),
        "what was not made is no failure"
    );
    drop(file);

    let mut run = Run::resume(&path, straight.minds(), ONE).unwrap();
    live(&mut run, MORNING).unwrap();
    run.finish(RunState::Finished).unwrap();
    assert_eq!(digest(&path), whole);
}

#[test]
fn the_routine_mind_asks_nobody_and_is_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let plain = digest_of(&folder.path().join("plain.run"), row(), 7, 1, MORNING);
    let again = digest_of(&folder.path().join("again.run"), row(), 7, 2, MORNING);
    assert_eq!(plain, again);
}
