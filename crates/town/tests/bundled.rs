//! The bundled town is one in which everyone can live: they have beds, workplaces and each other.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use townsfolk_mind::Settings;
use townsfolk_town::{Bundled, Newcomer, Town};
use townsfolk_world::{PlaceId, PlaceKind};

fn town() -> &'static Town {
    static TOWN: OnceLock<Town> = OnceLock::new();
    TOWN.get_or_init(|| Town::bundled("osier_quay").unwrap_or_else(|error| panic!("{error}")))
}

fn resident(name: &str) -> &'static Newcomer {
    let found = town().residents.iter().find(|r| &*r.identity.name == name);
    found.unwrap_or_else(|| panic!("nobody is called {name}"))
}

fn place(address: &str) -> PlaceId {
    let found = town().world.find(&format!("Osier Quay:{address}"));
    found.unwrap_or_else(|| panic!("there is no {address}"))
}

/// The sectors that a resident's own texts name.
fn named_sectors(resident: &Newcomer) -> Vec<PlaceId> {
    let who = &resident.identity;
    let text = format!("{} {} {}", who.background, who.current, who.daily_requirement);
    let sectors = town()
        .world
        .places()
        .iter()
        .filter(|p| p.kind == PlaceKind::Sector);
    sectors.filter(|p| text.contains(&p.name)).map(|p| p.id).collect()
}

#[test]
fn twenty_five_people_live_there() {
    let town = town();
    assert_eq!(town.residents.len(), 25);
    assert_eq!(town.start.to_string(), "2024-06-03 05:00:00");
    let sectors = town.world.places().iter().filter(|p| p.kind == PlaceKind::Sector);
    assert!(sectors.count() >= 24);
    for resident in &town.residents {
        let who = &resident.identity;
        assert!(who.age.is_some_and(|age| (8..=80).contains(&age)), "{}", who.name);
        assert!((5..=12).contains(&resident.history.len()), "{}", who.name);
        assert!(who.name.contains(&*who.first_name), "{}", who.name);
        for text in [
            &who.traits,
            &who.background,
            &who.current,
            &who.lifestyle,
            &who.daily_requirement,
        ] {
            assert!(!text.is_empty(), "{}", who.name);
        }
        assert_eq!(resident.settings, Settings::default());
    }
}

#[test]
fn beds_are_as_many_as_residents_in_every_home() {
    let world = &town().world;
    let homes: BTreeSet<PlaceId> = town().residents.iter().map(|r| r.identity.home).collect();
    for home in homes {
        let sleepers = town()
            .residents
            .iter()
            .filter(|r| r.identity.home == home)
            .count();
        let beds = world
            .place(home)
            .children
            .iter()
            .filter(|&&o| world.place(o).name == "bed");
        // A bed for one is a tile wide and two long.
        let room: usize = beds.map(|&bed| world.place(bed).tiles.len() / 2).sum();
        assert_eq!(room, sleepers, "{}", world.address(home));
    }
}

#[test]
fn every_home_has_a_kitchen_and_a_bathroom_its_people_know() {
    let world = &town().world;
    for resident in &town().residents {
        let sector = world.ancestor(resident.identity.home, PlaceKind::Sector);
        let at_home = |name: &str| {
            resident.known.iter().any(|&place| {
                world.place(place).name == name && world.ancestor(place, PlaceKind::Sector) == sector
            })
        };
        for need in ["stove", "fridge", "sink", "toilet", "shower"] {
            assert!(at_home(need), "{} has no {need}", resident.identity.name);
        }
        assert!(
            at_home("table") || at_home("kitchen table"),
            "{}",
            resident.identity.name
        );
    }
}

#[test]
fn people_start_in_bed_but_for_those_who_work_at_night() {
    let world = &town().world;
    let mut starts = BTreeSet::new();
    for resident in &town().residents {
        let name = &*resident.identity.name;
        assert!(starts.insert(resident.start), "{name} starts where another does");
        let spot = world.spot(resident.start);
        match name {
            "Leyla Demir" => assert_eq!(spot.arena, Some(place("Tidewater Bakery:bakehouse"))),
            "Priya Raghavan" => assert_eq!(spot.arena, Some(place("Lantern Street Clinic:ward"))),
            _ => {
                let object = spot.object.map(|object| world.place(object));
                let bed = object.filter(|object| object.name == "bed");
                assert_eq!(
                    bed.and_then(|bed| bed.parent),
                    Some(resident.identity.home),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn the_places_in_their_texts_exist_are_known_and_can_be_reached() {
    let world = &town().world;
    let mut at_home_only = Vec::new();
    for resident in &town().residents {
        let named = named_sectors(resident);
        if named.is_empty() {
            at_home_only.push(&*resident.identity.name);
        }
        for sector in named {
            let address = world.address(sector);
            assert!(
                resident.known.contains(&sector),
                "{} knows no {address}",
                resident.identity.name
            );
            for &object in resident
                .known
                .iter()
                .filter(|&&p| world.ancestor(p, PlaceKind::Sector) == Some(sector))
            {
                let way = world.path_to_place(resident.start, object);
                assert!(
                    way.is_some(),
                    "{} cannot get to {}",
                    resident.identity.name,
                    world.address(object)
                );
            }
        }
    }
    assert_eq!(at_home_only, Vec::<&str>::new());
}

#[test]
fn a_strangers_bedroom_is_not_known() {
    let (agnes, bedroom) = (
        resident("Agnes Thorvaldsen"),
        place("The Sail Loft:林 秋's bedroom"),
    );
    assert!(!agnes.known.contains(&bedroom));
    assert!(agnes.known.contains(&place("The Sail Loft:studio:easel")));
    assert!(resident("林 秋").known.contains(&bedroom));
}

#[test]
fn whoever_knows_somebody_is_known_to_them() {
    let knows = |a: &Newcomer, b: &Newcomer| a.history.iter().any(|h| h.contains(&*b.identity.name));
    let mut pairs = 0;
    for a in &town().residents {
        for b in &town().residents {
            let names = (&a.identity.name, &b.identity.name);
            assert_eq!(knows(a, b), knows(b, a), "{names:?}");
            pairs += usize::from(a.identity.name < b.identity.name && knows(a, b));
        }
        assert!(!knows(a, a), "{}", a.identity.name);
    }
    // As dense as the town of Park et al. 2023 at its start: 0.167 of all 300 pairs.
    assert!((45..=70).contains(&pairs), "{pairs}");
}

#[test]
fn two_seeds_of_news_are_known_to_one_person_each() {
    let told = |needle: &str| -> Vec<&str> {
        let knows = |r: &&Newcomer| {
            let texts = [
                &r.identity.current,
                &r.identity.background,
                &r.identity.daily_requirement,
            ];
            let mut all = r.history.iter().chain(texts);
            all.any(|text| text.contains(needle))
        };
        town()
            .residents
            .iter()
            .filter(knows)
            .map(|r| &*r.identity.name)
            .collect()
    };
    assert_eq!(told("lantern supper"), ["Agnes Thorvaldsen"]);
    assert_eq!(told("June 4th, 2024 from 6pm to 9pm"), ["Agnes Thorvaldsen"]);
    assert_eq!(told("for mayor of Osier Quay"), ["Rosa Quispe"]);
}

#[test]
fn the_hall_the_cafe_and_the_pub_seat_a_crowd() {
    let seats = |address: &str| town().world.standing_tiles(place(address)).len();
    assert!(seats("Net Loft Hall:hall:long table") >= 14);
    assert!(seats("Copper Kettle Cafe:cafe:cafe customer seating") >= 12);
    assert!(seats("The Heron:taproom:pub customer seating") >= 12);
    assert!(seats("Osier Quay School:classroom:student seating") >= 3);
}

#[test]
fn an_exported_town_reads_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("my town");
    let bundled = Bundled::find("osier_quay").unwrap();
    bundled.export(&target).unwrap();
    assert_eq!(&Town::read(&target).unwrap(), town());
    assert!(target.join("tiles.png").is_file());
    assert!(!target.join("plan").exists());
    let again = bundled.export(&target).unwrap_err().to_string();
    assert_eq!(
        again,
        format!(
            "{}: is not empty; name a folder that is empty or does not exist yet",
            target.display()
        )
    );
}

#[test]
fn all_bundled_towns_read() {
    for bundled in Bundled::all() {
        let town = bundled.town().unwrap_or_else(|error| panic!("{error}"));
        assert!(!town.story.is_empty(), "{}", bundled.name);
    }
    assert_eq!(
        Town::bundled("osier_key").unwrap_err().to_string(),
        "osier_key: no town of that name comes with Townsfolk; there is osier_quay"
    );
}

#[test]
fn a_town_survives_storing() {
    let text = serde_json::to_string(town()).unwrap();
    assert_eq!(&serde_json::from_str::<Town>(&text).unwrap(), town());
}

#[test]
fn whoever_joins_knows_what_is_public_and_the_own_home_like_those_who_live_there() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nora.toml");
    let unlisted = |home: PlaceId| {
        let sector = town().world.ancestor(home, PlaceKind::Sector);
        let same = |r: &&Newcomer| town().world.ancestor(r.identity.home, PlaceKind::Sector) == sector;
        // Of those who share the home, whoever names nothing knows least.
        let shared = town().residents.iter().filter(same);
        shared
            .min_by_key(|r| r.known.len())
            .expect("somebody lives there")
    };
    for resident in &town().residents {
        let home = town().world.address(resident.identity.home);
        std::fs::write(
            &file,
            format!("name = \"Nora Birk\"\nage = 40\nhome = \"{home}\"\n"),
        )
        .unwrap();
        let joined = town()
            .read_newcomer(&file)
            .unwrap_or_else(|error| panic!("{error}"));
        let expected = unlisted(resident.identity.home);
        assert_eq!(
            joined.known, expected.known,
            "{home}, as {}",
            expected.identity.name
        );
    }
}
