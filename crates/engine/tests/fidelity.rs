//! What Park et al. 2023 and the code published with it say residents do, seen in two days of a small town.
//! `docs/fidelity.md` lists every behaviour with the test that shows it.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use common::{engine, row};
use serde_json::Value;
use townsfolk_embed::HashedWords;
use townsfolk_engine::Engine;
use townsfolk_memory::{MemoryKind as Kind, StreamSettings, Triple};
use townsfolk_mind::cognition::apart::{Note, describe, reflect, remember, topics};
use townsfolk_mind::cognition::{Journal, Resident};
use townsfolk_mind::routine::Meanings;
use townsfolk_mind::tasks::Line;
use townsfolk_mind::{Asker, Chance, Phrases, ResidentId, Settings, TaskRecord};
use townsfolk_store::{ActionStatus, MemoryKind, MemoryRow, TaskRow, TickRows};
use townsfolk_time::{DAY_SECONDS, GameTime};
use townsfolk_town::Town;

const DAY: u64 = 8_640;
const TICK_SECONDS: i64 = 10;

/// Two days of the little row.
static TWO_DAYS: LazyLock<Vec<TickRows>> = LazyLock::new(|| live(row(), 2 * DAY).0);

fn live(town: Town, until: u64) -> (Vec<TickRows>, Engine) {
    let mut engine = engine(town, 1);
    let ticks = std::iter::from_fn(|| engine.advance(until).expect("the routine mind never halts")).collect();
    (ticks, engine)
}

fn time(tick: u32) -> GameTime {
    row().start + i64::from(tick) * TICK_SECONDS
}

fn memories() -> impl Iterator<Item = &'static MemoryRow> {
    TWO_DAYS.iter().flat_map(|tick| &tick.memories)
}

/// Every question of a kind: its tick, itself, its input and its answer.
fn asked(ticks: &[TickRows], kind: &str) -> Vec<(u32, TaskRow, Value, Value)> {
    let of_kind = |tick: &TickRows| {
        let tasks = tick.tasks.iter().filter(|task| task.kind == kind).cloned();
        let tick = tick.tick;
        tasks
            .map(move |task| {
                let [input, answer] =
                    [&task.input, &task.answer].map(|text| serde_json::from_str(text).expect("JSON"));
                (tick, task, input, answer)
            })
            .collect::<Vec<_>>()
    };
    let found: Vec<_> = ticks.iter().flat_map(of_kind).collect();
    assert!(!found.is_empty(), "no question of kind {kind} was asked");
    found
}

#[test]
fn idle_things_have_importance_one_and_nobody_is_asked() {
    let world = row().world;
    let idle = |memory: &&MemoryRow| {
        let object = world.find(&memory.subject);
        object.is_some_and(|o| world.place(o).default_state.as_deref() == Some(&memory.object))
    };
    let idle: Vec<_> = memories().filter(idle).collect();
    assert!(idle.len() > 4);
    assert!(idle.iter().all(|memory| memory.importance == 1));
    let rated: BTreeSet<String> = asked(&TWO_DAYS, "importance")
        .into_iter()
        .flat_map(|(_, _, input, _)| input["items"].as_array().expect("a list").clone())
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect();
    assert!(idle.iter().all(|memory| !rated.contains(&memory.text)));
}

#[test]
fn a_day_plan_is_a_memory_of_importance_five_that_expires() {
    let plans: Vec<_> = memories()
        .filter(|m| m.kind == MemoryKind::Plan && m.conversation.is_none())
        .collect();
    assert!(plans.len() >= 8, "four people, two days: {}", plans.len());
    for plan in plans {
        assert_eq!(plan.importance, 5, "{}", plan.text);
        assert_eq!(plan.expires, Some(plan.created + 30 * DAY_SECONDS));
    }
}

#[test]
fn insights_have_evidence_a_depth_and_thirty_days() {
    let depths: BTreeMap<_, _> = memories().map(|m| ((m.resident, m.id), m.depth)).collect();
    let insights: Vec<_> = memories().filter(|m| m.kind == MemoryKind::Reflection).collect();
    assert!(!insights.is_empty());
    for insight in insights {
        let evidence = insight.evidence.iter().map(|id| depths[&(insight.resident, *id)]);
        let deepest = evidence.max().expect("every insight rests on something");
        assert_eq!(insight.depth, deepest + 1, "{}", insight.text);
        assert_eq!(insight.expires, Some(insight.created + 30 * DAY_SECONDS));
    }
}

#[test]
fn a_reflection_asks_three_questions_and_draws_five_insights_from_each_at_most() {
    let questions = asked(&TWO_DAYS, "focal_questions");
    for (.., input, answer) in &questions {
        assert_eq!(input["wanted"], 3);
        assert!(answer["questions"].as_array().expect("a list").len() <= 3);
        assert!(input["recalled"].as_array().expect("a list").len() <= 100);
    }
    let insights = asked(&TWO_DAYS, "insights");
    assert!(insights.len() <= 3 * questions.len());
    for (.., input, answer) in insights {
        assert_eq!(input["wanted"], 5);
        assert!(answer["insights"].as_array().expect("a list").len() <= 5);
    }
}

#[test]
fn the_day_is_decomposed_two_hours_ahead_and_never_at_night() {
    for (tick, _, input, _) in asked(&TWO_DAYS, "decompose") {
        let now = i64::from(time(tick).minute_of_day());
        let start = input["entry"]["start"].as_i64().expect("a minute");
        assert!(start < now + 120, "minute {start} is decomposed at {now}");
        assert!(start < 23 * 60);
        assert_ne!(input["entry"]["asleep"], true);
    }
}

#[test]
fn nobody_begins_a_talk_at_eleven_asleep_or_within_the_cool_down() {
    let mut status: BTreeMap<u32, ActionStatus> = BTreeMap::new();
    let mut ended: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut pairs: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    let mut talks = 0;
    for tick in TWO_DAYS.iter() {
        status.extend(tick.actions.iter().map(|action| (action.resident, action.status)));
        for talk in &tick.conversations {
            assert!(time(tick.tick).minute_of_day() < 23 * 60);
            assert_ne!(status.get(&talk.b), Some(&ActionStatus::Asleep));
            let pair = (talk.a.min(talk.b), talk.a.max(talk.b));
            if let Some(before) = ended.get(&pair) {
                let minutes = i64::from(tick.tick - before) * TICK_SECONDS / 60;
                assert!(minutes >= 133, "{pair:?} talk again after {minutes} minutes");
            }
            pairs.insert(talk.id, pair);
            talks += 1;
        }
        for end in &tick.conversation_ends {
            ended.insert(pairs[&end.conversation], tick.tick);
        }
    }
    assert!(talks > 4);
}

#[test]
fn what_follows_from_a_talk_names_it_as_evidence() {
    let mut follows = BTreeSet::new();
    for memory in memories().filter(|m| m.conversation.is_some()) {
        if memory.kind == MemoryKind::Conversation {
            assert!(memory.evidence.is_empty());
            continue;
        }
        let of_the_talk: Vec<_> = memory
            .evidence
            .iter()
            .map(|id| {
                memories()
                    .find(|m| (m.resident, m.id) == (memory.resident, *id))
                    .expect("it is there")
            })
            .collect();
        assert_eq!(of_the_talk.len(), 1);
        assert_eq!(of_the_talk[0].kind, MemoryKind::Conversation);
        assert_eq!(of_the_talk[0].conversation, memory.conversation);
        follows.insert(memory.kind);
    }
    assert!(
        follows.contains(&MemoryKind::Plan),
        "a note for planning: {follows:?}"
    );
    assert!(follows.contains(&MemoryKind::Reflection), "a memo: {follows:?}");
}

#[test]
fn what_occupies_residents_is_revised_overnight_from_memories() {
    let revisions = asked(&TWO_DAYS, "revise_identity");
    for (tick, _, input, _) in &revisions {
        assert_eq!(time(*tick).second_of_day(), 0, "with the new day");
        assert!(!input["recalled"].as_array().expect("a list").is_empty());
    }
    assert_eq!(revisions.len(), 8, "four people, two midnights");
}

#[test]
fn a_first_day_is_planned_in_strokes_and_hours_and_so_is_a_new_one() {
    for (kind, at_least) in [("wake_up", 8), ("day_plan", 8), ("hourly_schedule", 8)] {
        assert!(asked(&TWO_DAYS, kind).len() >= at_least, "{kind}");
    }
    for (.., answer) in asked(&TWO_DAYS, "day_plan") {
        let strokes = answer["strokes"].as_array().expect("a list").len();
        assert!((5..=8).contains(&strokes), "{strokes} strokes");
    }
}

#[test]
fn residents_describe_themselves_once_a_day() {
    let mut days: BTreeSet<(u32, String)> = BTreeSet::new();
    for (tick, task, ..) in asked(&TWO_DAYS, "resident_summary") {
        let who = task.resident.expect("a resident");
        assert!(days.insert((who, time(tick).date().to_string())), "twice a day");
    }
    assert!(days.len() >= 8, "four people, two days");
}

#[test]
fn reactions_are_to_people_and_to_things_that_are_not_idle() {
    let world = row().world;
    let usual: BTreeSet<(String, String)> = world
        .places()
        .iter()
        .filter_map(|place| Some((place.name.clone(), place.default_state.clone()?)))
        .collect();
    for (.., input, _) in asked(&TWO_DAYS, "reaction") {
        let seen = &input["seen"];
        if let Some(object) = seen.get("object") {
            let [name, state] = ["name", "state"].map(|key| object[key].as_str().expect("text").to_owned());
            assert!(!usual.contains(&(name, state)));
        } else {
            assert!(seen.get("person").is_some(), "{seen}");
        }
    }
}

#[test]
fn no_more_is_taken_in_at_once_than_attention_holds() {
    let mut town = row();
    for resident in &mut town.residents {
        resident.settings.attention_bandwidth = 1;
    }
    let (ticks, _) = live(town, DAY / 2);
    let mut seen = 0;
    for tick in &ticks {
        let mut sights: BTreeMap<u32, usize> = BTreeMap::new();
        for memory in &tick.memories {
            let sighting = memory.kind == MemoryKind::Observation
                && memory.predicate != "know"
                && memory.conversation.is_none();
            if sighting {
                *sights.entry(memory.resident).or_default() += 1;
            }
        }
        assert!(sights.values().all(|count| *count <= 1), "{sights:?}");
        seen += sights.len();
    }
    assert!(seen > 10);
}

#[test]
fn places_are_learned_by_sight_and_chosen_among_those_known() {
    let mut town = row();
    let world = town.world.clone();
    let cafe = world
        .find("Little Row:Lamp Cafe:cafe")
        .expect("a place of the sketch");
    let home = town.residents[1].identity.home;
    let own = |place: &townsfolk_world::PlaceId| {
        world.ancestor(*place, townsfolk_world::PlaceKind::Arena) == Some(home)
    };
    town.residents[1].known.retain(own);
    let (ticks, engine) = live(town, DAY);
    let known = &engine.residents()[1].life.known;
    let mut been = false;
    for tick in &ticks {
        for step in tick.moves.iter().filter(|step| step.resident == 1) {
            let tile = townsfolk_world::Tile { x: step.x, y: step.y };
            been |= world.spot(tile).arena == Some(cafe);
        }
        for action in tick.actions.iter().filter(|action| action.resident == 1) {
            let place = action
                .place
                .map(|place| townsfolk_world::PlaceId::from_index(place as usize));
            assert!(place.is_none_or(|place| place == home || known.contains(&place)));
        }
    }
    assert_eq!(known.contains(&cafe), been, "who was there knows it, nobody else");
}

/// Somebody with a mind and a memory, without a town.
struct Hermit {
    resident: Resident,
    meanings: Meanings,
    now: GameTime,
}

impl Hermit {
    fn new(settings: Settings) -> Self {
        let town = row();
        let identity = town.residents[0].identity.clone();
        let stream = StreamSettings::for_embedder(&HashedWords);
        Self {
            resident: Resident::new(ResidentId(0), identity, settings, [], stream),
            meanings: Meanings::new(Arc::new(HashedWords)),
            now: town.start,
        }
    }

    fn sees(&mut self, texts: impl IntoIterator<Item = String>) {
        let note = |text: String| {
            let mut note = Note::new(Kind::Observation, Triple::new("Ilse Brandt", "see", ""), text);
            note.importance = Some(4);
            note
        };
        let notes = texts.into_iter().map(note).collect();
        let Self {
            resident,
            meanings,
            now,
        } = self;
        let asker = asker(meanings);
        futures_executor::block_on(remember(resident, *now, &asker, &mut Journal::default(), notes))
            .expect("it fits");
    }

    /// What the questions of a reflection are raised by.
    fn records(&mut self) -> usize {
        let Self {
            resident,
            meanings,
            now,
        } = self;
        let asker = asker(meanings);
        futures_executor::block_on(reflect(resident, *now, &asker, &mut Journal::default()))
            .expect("the routine mind never halts");
        let records = asker.into_records();
        let named = |record: &&TaskRecord| record.kind.name() == "focal_questions";
        let question = records.iter().find(named).expect("it reflects");
        let input: Value = serde_json::from_str(&question.input).expect("JSON");
        input["recalled"].as_array().expect("a list").len()
    }
}

fn asker(meanings: &Meanings) -> Asker<'_> {
    let chance = Chance {
        seed: 7,
        resident: ResidentId(0),
        tick: 0,
    };
    Asker::routine(chance, meanings)
}

fn sights(from: usize, to: usize) -> impl Iterator<Item = String> {
    (from..to).map(|i| format!("Tomas Varga carries crate number {i} to the cafe"))
}

#[test]
fn the_paper_reflects_on_the_latest_hundred_and_the_code_on_what_came_since() {
    let mut paper = Hermit::new(Settings::paper());
    paper.sees(sights(0, 130));
    assert_eq!(paper.records(), 100);
    paper.sees(sights(130, 140));
    assert_eq!(paper.records(), 100);

    let mut code = Hermit::new(Settings::reference());
    code.sees(sights(0, 130));
    assert_eq!(code.records(), 130);
    code.sees(sights(130, 140));
    assert_eq!(code.records(), 10);
}

#[test]
fn a_view_of_oneself_rests_on_three_questions_and_is_kept() {
    let mut hermit = Hermit::new(Settings::paper());
    hermit.sees(sights(0, 40));
    let accesses: Vec<_> = hermit.resident.stream.accesses().collect();
    let phrases = Phrases::of("en");
    assert_eq!(phrases.self_questions("Ilse Brandt").len(), 3);
    let now = hermit.now;
    let view = |hermit: &mut Hermit, stale: GameTime| {
        let asker = asker(&hermit.meanings);
        let text = futures_executor::block_on(describe(&mut hermit.resident, now, stale, phrases, &asker));
        (
            text.expect("the routine mind never halts"),
            asker.into_records().len(),
        )
    };
    let (first, questions) = view(&mut hermit, now);
    assert_eq!(questions, 1);
    assert_eq!(
        view(&mut hermit, now),
        (first, 0),
        "what is not stale is not asked again"
    );
    assert_eq!(view(&mut hermit, now + 1).1, 1);
    assert_eq!(
        hermit.resident.stream.accesses().collect::<Vec<_>>(),
        accesses,
        "looking into oneself leaves no trace"
    );
}

#[test]
fn a_line_is_found_by_the_other_and_by_what_was_just_said() {
    let other: Arc<str> = "Tomas Varga".into();
    let mut hermit = Hermit::new(Settings::paper());
    hermit.sees(["The harp lesson with the old organist was difficult".to_owned()]);
    hermit.sees(sights(0, 60));
    let mut about = |line: Option<&str>| {
        let lines: Vec<Line> = line
            .map(|text| Line {
                speaker: other.clone(),
                text: text.into(),
                tells: Vec::new(),
                decision: None,
            })
            .into_iter()
            .collect();
        let Hermit {
            resident,
            meanings,
            now,
        } = &mut hermit;
        let asker = asker(meanings);
        let found = futures_executor::block_on(topics(resident, *now, &lines, &other, &|_| false, &asker));
        let found = found.expect("the routine mind never halts");
        assert!(
            found
                .iter()
                .any(|topic| topic.recalled.text.contains("Tomas Varga"))
        );
        found.iter().any(|topic| topic.recalled.text.contains("harp"))
    };
    assert!(!about(None), "nothing calls the lesson to mind");
    assert!(about(Some("How was the harp lesson with the organist?")));
}

#[test]
fn two_questions_say_what_somebody_is_to_a_resident() {
    let [relation, person] = Phrases::of("en").questions_about("Ilse Brandt", "林 秋");
    assert!(relation.contains("Ilse Brandt") && relation.contains("林 秋"));
    assert!(person.contains("林 秋") && person != relation);
    for (.., input, _) in asked(&TWO_DAYS, "relationship") {
        let other = input["other"].as_str().expect("a name");
        for memory in input["recalled"].as_array().expect("a list") {
            let [text, subject] = ["text", "subject"].map(|key| memory[key].as_str().expect("text"));
            assert!(
                text.contains(other) || subject == other,
                "{text} is not about {other}"
            );
        }
    }
}
