//! Any tick of a run, as the page reads it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use townsfolk_server::ServeOptions;

use crate::common::{HOUR, Served, two_neighbours};

/// Field case 47: positions and clock are those of the tick asked for, and a tick that is not there
/// is a clear message.
#[test]
fn seeking_to_the_start_the_middle_the_end_and_past_it() {
    let served = Served::finished();
    let head = served.head();
    assert!(head > 2_000, "six hours of ticks, not {head}");
    let start = served.json("/api/run")["start"].as_i64().expect("a start");
    for tick in [0, head / 2, head] {
        let state = served.json(&format!("/api/state?tick={tick}"));
        assert_eq!(state["tick"], tick);
        assert_eq!(state["time"], start + 10 * tick as i64);
        assert_eq!(state["residents"].as_array().map(Vec::len), Some(2));
    }
    assert_eq!(
        served.json("/api/state"),
        served.json(&format!("/api/state?tick={head}"))
    );
    for tick in [(head + 1).to_string(), "4294967296".to_owned(), "-1".to_owned()] {
        let reply = served.get(&format!("/api/state?tick={tick}"));
        assert_eq!(reply.status, 416, "tick {tick}: {}", reply.text());
        let problem = reply.json();
        assert_eq!(problem["head"], head);
        let said = problem["error"].as_str().unwrap_or_default();
        assert!(said.contains(&tick) && said.contains(&head.to_string()), "{said}");
    }
    assert_eq!(served.get("/api/state?tick=noon").status, 400);
}

/// Applying frames to a state gives the state that is told of directly, at every hour.
#[test]
fn frames_lead_from_state_to_state() {
    let served = Served::finished();
    let head = served.head();
    let mut known = places(&served.json("/api/state?tick=0"));
    let mut from = 0;
    while from < head {
        let to = (from + HOUR).min(head);
        let frames = served.json(&format!("/api/frames?from={from}&to={to}"));
        assert_eq!(frames["from"], from);
        assert_eq!(frames["to"], to);
        for frame in frames["frames"].as_array().expect("frames") {
            let tick = frame["tick"].as_u64().expect("a tick");
            assert!(tick > from && tick <= to);
            for moved in frame["moves"].as_array().into_iter().flatten() {
                let (x, y) = (moved[1].clone(), moved[2].clone());
                known.entry(moved[0].to_string()).or_default().0 = json!([x, y]);
            }
            for action in frame["actions"].as_array().into_iter().flatten() {
                known.entry(action["resident"].to_string()).or_default().1 = action.clone();
            }
        }
        assert_eq!(
            known,
            places(&served.json(&format!("/api/state?tick={to}"))),
            "at tick {to}"
        );
        from = to;
    }
    let long = served.json("/api/frames?from=0");
    assert!(
        long["to"].as_u64() <= Some(2_160),
        "a long stretch comes in parts"
    );
}

/// Where everybody is and what they do, by id.
fn places(state: &Value) -> BTreeMap<String, (Value, Value)> {
    let residents = state["residents"].as_array().expect("residents");
    let place = |body: &Value| {
        let tile = json!([body["x"], body["y"]]);
        (body["id"].to_string(), (tile, body["action"].clone()))
    };
    residents.iter().map(place).collect()
}

/// Every item of a long list comes exactly once, whatever the size of the pages.
#[test]
fn pages_follow_each_other_without_gap_or_repetition() {
    let served = Served::finished();
    let lists = [
        "/api/residents/0/memories?min_importance=1",
        "/api/residents/0/calls?from=0",
        "/api/events?kind=talk,reflection,notice",
        "/api/residents/0/reflections?",
        "/api/talks?",
        "/api/notices?",
    ];
    for list in lists {
        let whole = walk(&served, list, 200);
        assert_eq!(whole, walk(&served, list, 7), "{list}");
    }
    let memories = walk(&served, "/api/residents/0/memories?", 200);
    assert!(
        memories.len() > 20,
        "six hours leave more than {} memories",
        memories.len()
    );
    let newest_first = memories
        .windows(2)
        .all(|pair| pair[0]["id"].as_u64() > pair[1]["id"].as_u64());
    assert!(newest_first);
    assert_eq!(
        served.get("/api/residents/0/memories?cursor=elsewhere").status,
        400
    );
}

fn walk(served: &Served, list: &str, limit: usize) -> Vec<Value> {
    let mut items = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = served.json(&format!("{list}&limit={limit}{cursor}"));
        let found = page["items"].as_array().expect("items");
        assert!(found.len() <= limit);
        items.extend(found.iter().cloned());
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return items,
        }
    }
}

/// Memories are filtered by kind, importance and text, and never come from the future.
#[test]
fn memories_are_found_by_what_they_are() {
    let served = Served::finished();
    let middle = served.head() / 2;
    let all = walk(&served, &format!("/api/residents/0/memories?tick={middle}"), 200);
    assert!(all.iter().all(|memory| memory["tick"].as_u64() <= Some(middle)));
    let plans = walk(
        &served,
        &format!("/api/residents/0/memories?tick={middle}&kind=plan"),
        200,
    );
    assert!(!plans.is_empty() && plans.iter().all(|memory| memory["kind"] == "plan"));
    let weighty = walk(
        &served,
        &format!("/api/residents/0/memories?tick={middle}&min_importance=4"),
        200,
    );
    assert!(weighty.len() < all.len());
    assert!(
        weighty
            .iter()
            .all(|memory| memory["importance"].as_u64() >= Some(4))
    );
    // How many there are of each kind is told of those that fit everything else, on whatever page.
    for filter in [
        "",
        "&min_importance=4",
        "&who=1",
        "&text=a",
        "&min_importance=4&kind=plan&limit=1",
    ] {
        let list = format!("/api/residents/0/memories?tick={middle}{filter}");
        let of_any_kind = list.replace("&kind=plan&limit=1", "");
        let fitting = walk(&served, &of_any_kind, 200);
        let counts = served.json(&list)["counts"].clone();
        for kind in ["observation", "reflection", "plan", "conversation"] {
            let of_kind = fitting.iter().filter(|memory| memory["kind"] == kind).count();
            assert_eq!(counts[kind], of_kind, "{kind}: {list}");
        }
    }
    assert_eq!(served.get("/api/residents/0/memories?kind=dream").status, 400);
    assert_eq!(served.get("/api/residents/99/memories").status, 404);
    for limit in [0, 201] {
        let refused = served.get(&format!("/api/residents/0/memories?limit={limit}"));
        assert_eq!(refused.status, 400, "{}", refused.text());
        assert_eq!(refused.json()["remedy"], "give a number from 1 to 200 as `limit`");
    }
}

/// A day at three levels, whole: hours cover every minute, and one of them is now.
#[test]
fn a_plan_covers_the_day_and_marks_now() {
    let served = Served::finished();
    let plan = served.json("/api/residents/0/plan");
    let hours = plan["hours"].as_array().expect("hours");
    let minutes: u64 = hours.iter().filter_map(|hour| hour["minutes"].as_u64()).sum();
    assert_eq!(minutes, 1_440);
    assert_eq!(hours.iter().filter(|hour| hour["now"] == true).count(), 1);
    assert!(!plan["strokes"].as_array().expect("strokes").is_empty());
    assert!(
        hours
            .iter()
            .any(|hour| hour["steps"].as_array().is_some_and(|steps| !steps.is_empty()))
    );
}

/// The three shares of a score are there and add up; the past gives the same answer as it gave then.
#[test]
fn a_query_brings_up_memories_with_the_parts_of_their_scores() {
    let served = Served::finished();
    let middle = served.head() / 2;
    let found = served.json(&format!(
        "/api/residents/0/retrieval?tick={middle}&query=breakfast&count=10"
    ));
    let items = found["items"].as_array().expect("items");
    assert!(!items.is_empty());
    let mut last = f64::INFINITY;
    for item in items {
        let part = |name: &str| item["parts"][name].as_f64().expect("a part");
        let sum = part("recency") + part("relevance") + part("importance");
        let score = item["score"].as_f64().expect("a score");
        assert!((sum - score).abs() < 1e-12 && score <= last);
        assert!(item["memory"]["tick"].as_u64() <= Some(middle));
        last = score;
    }
    assert_eq!(
        served
            .get("/api/residents/0/retrieval?query=x&preset=magic")
            .status,
        400
    );
    assert_eq!(served.get("/api/residents/0/retrieval?query=%20").status, 400);
}

/// Names in any script, and text that looks like a script, come as the data they are, in JSON that no
/// browser takes for a page.
#[test]
fn names_and_texts_are_data() {
    let mut town = two_neighbours();
    let names = [
        "<script>alert(1)</script> O'Neill-Ångström",
        "林 秋 \"quoted\" & \\ \u{202e}",
    ];
    for (resident, name) in town.residents.iter_mut().zip(names) {
        resident.identity.name = name.into();
        resident.identity.first_name = name.into();
    }
    let served = Served::recorded(town, HOUR, ServeOptions::default());
    let reply = served.get("/api/residents");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    let told = reply.json();
    let told: Vec<&str> = told
        .as_array()
        .map(|all| all.iter().filter_map(|one| one["name"].as_str()).collect())
        .unwrap_or_default();
    assert_eq!(told, names);
    let asked = served.post(
        "/api/interview",
        json!({ "resident": 0, "question": "<img src=x onerror=alert(1)> 誰?" }),
    );
    assert_eq!(asked.status, 200, "{}", asked.text());
    assert_eq!(asked.header("content-type"), Some("application/json"));
}

/// The map names every place with its tiles, and the same map is not sent twice.
#[test]
fn the_map_is_whole_and_cached() {
    let served = Served::finished();
    let reply = served.get("/api/map");
    let map = reply.json();
    let places = map["places"].as_array().expect("places");
    let area = |place: &Value| -> u64 {
        let spans = place["spans"].as_array().expect("spans");
        spans.iter().filter_map(|span| span[2].as_u64()).sum()
    };
    let objects = places.iter().filter(|place| place["kind"] == "object");
    assert!(objects.clone().count() > 5 && objects.clone().all(|object| area(object) > 0));
    let tag = reply.header("etag").expect("a tag").to_owned();
    let again = crate::common::ask(
        served.address(),
        "GET",
        "/api/map",
        &[("if-none-match", &tag)],
        "",
    );
    assert_eq!((again.status, again.body.len()), (304, 0));
}

/// What is asked for in vain is answered with what to do.
#[test]
fn what_is_not_there_is_said_kindly() {
    let served = Served::finished();
    for path in [
        "/api/nothing",
        "/api/residents/x",
        "/api/talks/999999",
        "/api/objects/0",
        "/nowhere.js",
    ] {
        let reply = served.get(path);
        assert_eq!(reply.status, 404, "{path}: {}", reply.text());
        let problem = reply.json();
        assert!(
            problem["error"].is_string() && problem["remedy"].is_string(),
            "{path}: {problem}"
        );
    }
    assert_eq!(served.post("/api/state", json!({})).status, 405);
}
