//! The real bases of the 2023 code, where they are there.

mod common;

use common::{check_sound, shared};
use townsfolk_memory::{MemoryKind, Preset};
use townsfolk_smallville::{Import, apply_history, read_base, read_history};
use townsfolk_town::Town;
use townsfolk_world::{PlaceKind, Tile};

fn import(path: &str) -> Option<Import> {
    let import = read_base(&shared(path)?, None).unwrap_or_else(|error| panic!("{error}"));
    check_sound(&import);
    Some(import)
}

fn town_of_25() -> Option<Import> {
    import("storage/base_the_ville_n25")
}

fn of_three(town: &Town) -> [(&str, (u16, u16)); 3] {
    [0, 1, 2].map(|index| {
        let resident = &town.residents[index];
        (&*resident.identity.name, (resident.start.x, resident.start.y))
    })
}

const THREE: [(&str, (u16, u16)); 3] = [
    ("Isabella Rodriguez", (72, 14)),
    ("Maria Lopez", (123, 57)),
    ("Klaus Mueller", (126, 46)),
];

#[test]
fn the_town_of_25_comes_whole() {
    let Some(Import { town, report }) = town_of_25() else {
        return;
    };
    insta::assert_snapshot!(report, @r"
    map: 140×100 tiles, 11936 walkable, 4158 of them within the first resident's reach
    places: 19 sectors, 63 arenas, 222 objects, 40 spawns
    residents: 25 with 0 earlier memories
    ");
    assert_eq!(town.start.to_string(), "2023-02-13 00:00:00");
    assert_eq!(town.seconds_per_tick, 10);
    assert_eq!(&*town.residents[0].identity.name, "Latoya Williams");
    assert_eq!(&*town.residents[24].identity.name, "Adam Smith");
    for resident in &town.residents {
        assert!(!resident.identity.traits.is_empty() && !resident.identity.lifestyle.is_empty());
        assert_eq!(resident.settings.vision_radius, 8);
        assert_eq!(resident.settings.reflection_threshold, 250);
        assert_eq!(resident.settings.retrieval.preset, Preset::Paper);
        assert_eq!(town.world.place(resident.identity.home).kind, PlaceKind::Arena);
        // All of them start in bed, at home.
        assert_eq!(
            town.world.spot(resident.start).arena,
            Some(resident.identity.home)
        );
    }
    let ryan = town
        .residents
        .iter()
        .find(|resident| &*resident.identity.name == "Ryan Park")
        .unwrap();
    // A name that ends with a space in the block file.
    assert_eq!(
        town.world.address(ryan.identity.home),
        "the Ville:Ryan Park's apartment:main room"
    );
}

/// Measured on the 2023 code: all 25 starts and all 680 object tiles are in one component.
#[test]
fn everybody_can_get_everywhere() {
    let Some(Import { town, .. }) = town_of_25() else {
        return;
    };
    let world = &town.world;
    let start = town.residents[0].start;
    for resident in &town.residents {
        assert!(world.path(start, &[resident.start]).is_some());
        assert!(
            resident
                .known
                .iter()
                .all(|place| world.path_to_place(resident.start, *place).is_some())
        );
    }
    let objects = world
        .places()
        .iter()
        .filter(|place| place.kind == PlaceKind::Object);
    let tiles: Vec<Tile> = objects.flat_map(|object| object.tiles.iter().copied()).collect();
    assert_eq!(tiles.len(), 680);
    assert!(tiles.iter().all(|tile| world.path(start, &[*tile]).is_some()));
    assert!(world.check_reachable().is_ok());
}

#[test]
fn a_history_for_25() {
    let Some(Import { mut town, .. }) = town_of_25() else {
        return;
    };
    let Some(file) = shared("assets/the_ville/agent_history_init_n25.csv") else {
        return;
    };
    apply_history(&mut town, &file).unwrap();
    assert!(town.residents.iter().all(|resident| !resident.history.is_empty()));
    let all = town.residents.iter().flat_map(|resident| &resident.history);
    assert!(
        all.clone()
            .all(|whisper| !whisper.contains(';') && whisper.trim() == whisper)
    );
    assert_eq!(
        all.count(),
        read_history(&file)
            .unwrap()
            .iter()
            .map(|told| told.texts.len())
            .sum::<usize>()
    );
    assert_eq!(town.residents[2].history[0], "You think you are kind of cute");
}

#[test]
fn the_town_of_three_and_its_history() {
    let Some(Import { mut town, report }) = import("storage/base_the_ville_isabella_maria_klaus") else {
        return;
    };
    assert_eq!(of_three(&town), THREE);
    assert_eq!(report.notes, []);
    assert_eq!(town.residents[1].settings.retrieval.decay, 0.99);
    let Some(file) = shared("assets/the_ville/agent_history_init_n3.csv") else {
        return;
    };
    apply_history(&mut town, &file).unwrap();
    let told: Vec<usize> = town
        .residents
        .iter()
        .map(|resident| resident.history.len())
        .collect();
    assert_eq!(told, [5, 5, 5]);
    // An unquoted comma, after which the 2023 code stops reading.
    assert!(town.residents[2].history[4].ends_with("part-time job in the Market and Supply store"));
}

#[test]
fn a_finished_run_goes_on_with_its_memories() {
    let Some(Import { town, report }) =
        import("compressed_storage/July1_the_ville_isabella_maria_klaus-step-3-20")
    else {
        return;
    };
    insta::assert_snapshot!(report, @r"
    map: 140×100 tiles, 11936 walkable, 4158 of them within the first resident's reach
    places: 19 sectors, 63 arenas, 222 objects, 40 spawns
    residents: 3 with 2104 earlier memories
    note: Isabella Rodriguez: the schedule under way is left out; the day is planned anew
    note: Isabella Rodriguez: left out as no memories (blank or a fail-safe text): node_881
    note: Isabella Rodriguez: conversations kept as their summaries: 4; lines left out: 50
    note: Maria Lopez: the schedule under way is left out; the day is planned anew
    note: Maria Lopez: conversations kept as their summaries: 6; lines left out: 69
    note: Klaus Mueller: the schedule under way is left out; the day is planned anew
    note: Klaus Mueller: conversations kept as their summaries: 6; lines left out: 55
    ");
    assert_eq!(town.start.to_string(), "2023-02-14 00:02:30");
    assert_eq!(of_three(&town), [(THREE[0].0, (73, 14)), THREE[1], THREE[2]]);
    let klaus = &town.residents[2].memories;
    let count = |kind| klaus.iter().filter(|memory| memory.kind == kind).count();
    assert_eq!(MemoryKind::ALL.map(count), [478, 101, 8, 6]);
    assert_eq!(klaus[590].kind, MemoryKind::Plan);
    assert!(klaus.is_sorted_by_key(|memory| memory.created));
    // What rests on evidence rests on what it rested on.
    assert_eq!(
        klaus.iter().map(|memory| memory.evidence.len()).sum::<usize>(),
        320
    );
    assert!(
        town.residents[2]
            .identity
            .current
            .contains("Valentine's Day party")
    );
}
