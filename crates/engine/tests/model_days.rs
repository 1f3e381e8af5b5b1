//! Long stretches of days with models: one that makes sense, and one that never does.

mod common {
    pub(crate) mod models;
    #[path = "mod.rs"]
    mod towns;
    pub(crate) use towns::*;
}

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use common::models::{minds, plan};
use common::{digest, row, smallville};
use townsfolk_engine::ledger::Recorded;
use townsfolk_engine::{Minds, Options, Run, Setting};
use townsfolk_mind::model::{Calls, Rehearsal, Roles};
use townsfolk_model::scripted::{Babble, Words};
use townsfolk_model::{ChatModel, RoleModel, Structured};
use townsfolk_store::{ActionStatus, MemoryFilter, PlanLevel, RunReader, RunState, TaskFilter};
use townsfolk_town::Town;

const HALF_DAY: u64 = 4_320;
const DAY: u64 = 8_640;

/// Minds whose every question goes to `model`, in the process.
fn asking(model: Arc<dyn ChatModel>, crib: Option<Arc<Rehearsal>>) -> Minds {
    let mut minds = minds("http://127.0.0.1:9/v1", crib);
    plan(&mut minds).roles = Roles::all(RoleModel {
        model,
        window_tokens: 32_000,
        max_output_tokens: 2_048,
        temperature: 0.7,
        structured: Structured::Plain,
        price: None,
    });
    minds
}

/// Minds that say what the routine mind would.
fn sensible() -> Minds {
    let rehearsal = Arc::new(Rehearsal::default());
    asking(rehearsal.clone(), Some(rehearsal))
}

fn live(mut run: Run, until: u64) {
    run.run_until(until, |_| ControlFlow::Continue(()))
        .expect("nothing halts");
    run.finish(RunState::Finished).expect("the file closes");
}

fn lived(path: &Path, town: Town, minds: Minds, workers: usize, until: u64) {
    let setting = Setting::new(town, 7, minds);
    live(
        Run::create(path, setting, Options { workers }, "test").expect("a new file"),
        until,
    );
}

/// Questions that a model was asked, and how many of them the routine mind answered in its place.
fn asked_and_fallen_back(run: &RunReader) -> (usize, usize) {
    let tasks = run.tasks(&TaskFilter::default()).unwrap();
    let asked = tasks.iter().filter(|task| !task.row.calls.is_empty());
    let fell_back = asked.clone().filter(|task| task.row.fallback.is_some());
    (asked.count(), fell_back.count())
}

/// Of each kind of question, how many a model was asked, and the answers of it that stood.
fn taken_by_kind(run: &RunReader) -> BTreeMap<String, (usize, Vec<String>)> {
    let mut kinds: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    for task in run.tasks(&TaskFilter::default()).unwrap() {
        if !task.row.calls.is_empty() {
            let (asked, taken) = kinds.entry(task.row.kind).or_default();
            *asked += 1;
            taken.extend(task.row.fallback.is_none().then_some(task.row.answer));
        }
    }
    kinds
}

#[test]
fn half_a_day_is_the_same_with_one_worker_with_three_with_calls_apart_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    lived(&path("one.run"), row(), sensible(), 1, HALF_DAY);
    let one = digest(&path("one.run"));
    let (asked, fell_back) = asked_and_fallen_back(&RunReader::open(path("one.run")).unwrap());
    assert!(asked > 100, "{asked}");
    assert_eq!(fell_back, 0);

    lived(&path("three.run"), row(), sensible(), 3, HALF_DAY);
    assert_eq!(digest(&path("three.run")), one);
    let mut apart = sensible();
    plan(&mut apart).calls = Calls::OneByOne;
    lived(&path("apart.run"), row(), apart, 3, HALF_DAY);
    assert_eq!(
        digest(&path("apart.run")),
        one,
        "together is faster and nothing else"
    );

    // Nobody to ask: every reply comes from the file.
    let mut nowhere = asking(Arc::new(Rehearsal::default()), None);
    nowhere.terms.replay = Some(Recorded::open(&path("one.run")).unwrap());
    let run = Run::replay(
        &path("one.run"),
        &path("again.run"),
        nowhere,
        Options { workers: 3 },
        "test",
    );
    live(run.unwrap(), HALF_DAY);
    assert_eq!(digest(&path("again.run")), one);
}

/// A day and the night after it, until three in the morning, from midnight in the Ville: by then the last
/// have gone to bed.
fn with_babble(town: Town, until: u64, model: Arc<dyn ChatModel>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("babble.run");
    let residents = town.residents.len() as u32;
    let last_tick = until as u32 - 1;
    let world = town.world.clone();
    lived(&path, town, asking(model, None), 2, until);

    let run = RunReader::open(&path).unwrap();
    run.check().unwrap();
    let report = townsfolk_audit::audit(&run).unwrap();
    assert!(report.holds(), "{report:#?}");
    let (asked, fell_back) = asked_and_fallen_back(&run);
    assert!(asked > 50 * residents as usize, "{asked}");
    let rate = fell_back as f64 / asked as f64;
    eprintln!("{fell_back} of {asked} questions fell back");
    assert!(rate > 0.98, "babble passes for answers: {rate}");
    for (kind, (asked, taken)) in taken_by_kind(&run) {
        // A number among the allowed ones is an answer, whoever says it; words have to be words.
        let most = match kind.as_str() {
            "importance" | "choose_place" | "reaction" => asked / 20,
            // So few that chance decides.
            "wake_up" => asked / 2,
            _ => asked / 50 + 1,
        };
        let babble = taken.len();
        assert!(
            babble <= most,
            "{kind}: of {asked} answers {babble} are babble: {taken:?}"
        );
    }

    let mut days: BTreeMap<u32, Vec<_>> = BTreeMap::new();
    for action in run.actions_between(0..=last_tick).unwrap() {
        days.entry(action.row.resident).or_default().push(action.row);
    }
    assert_eq!(days.len() as u32, residents, "everybody lives");
    for (who, actions) in &days {
        // By the hours of the day: what babble makes of the steps within them is another matter.
        let plans = run.plans(*who, last_tick).unwrap();
        let hours = plans.iter().flat_map(|plan| &plan.row.entries);
        let meals = hours.filter(|entry| {
            let is_meal = |meal| entry.activity.contains(meal);
            entry.level == PlanLevel::Hour
                && ["breakfast", "lunch", "dinner", "supper"]
                    .into_iter()
                    .any(is_meal)
        });
        assert!(meals.count() > 1, "resident {who} is not fed: {plans:?}");
        let last = actions.last().expect("everybody does something");
        assert_eq!(
            last.status,
            ActionStatus::Asleep,
            "resident {who}: {}",
            last.activity
        );
        let place = last.place.expect("sleep has a place");
        let bed = world.place(townsfolk_world::PlaceId::from_index(place as usize));
        assert!(bed.name.contains("bed"), "resident {who} sleeps in {}", bed.name);
        for memory in run.memories(*who, &MemoryFilter::default()).unwrap() {
            for never in [" ERROR: ", " rate limit exceeded ", "<think>", "{{", "{%", "```"] {
                let text = &memory.row.text;
                assert!(!text.contains(never), "{text}");
            }
        }
    }
}

#[test]
fn a_day_with_a_model_that_babbles_ends_with_everybody_fed_and_in_bed() {
    // From six in the morning to midnight.
    with_babble(row(), DAY * 3 / 4, Arc::new(Babble { seed: 7 }));
}

#[test]
fn a_day_with_a_model_of_words_without_sense_ends_with_everybody_fed_and_in_bed() {
    with_babble(row(), DAY * 3 / 4, Arc::new(Words { seed: 7 }));
}

#[test]
fn a_day_in_the_ville_with_a_model_that_babbles_ends_with_everybody_fed_and_in_bed() {
    let Some(town) = smallville("base_the_ville_isabella_maria_klaus") else {
        return;
    };
    with_babble(town, DAY * 9 / 8, Arc::new(Babble { seed: 7 }));
}
