//! A small made-up history: every tick is a function of its number, and every table gets rows.

use std::path::Path;

use townsfolk_store::*;

/// Names that have broken other programs.
pub(crate) const NAMES: [&str; 4] = [
    "Zoë O'Neill-Ångström",
    "林 秋",
    "مريم \"القمر\"",
    "Bobby'); DROP TABLE move;-- 🏡👩‍🌾",
];

/// What every call brings.
pub(crate) const REPLY: &str = "the reply of a patient model";

const RESIDENTS: u32 = NAMES.len() as u32;

/// The town.
pub(crate) fn new_run() -> NewRun {
    let residents = (0..)
        .zip(NAMES)
        .map(|(id, name)| ResidentRow {
            id,
            name: name.to_owned(),
            identity: serde_json::json!({ "name": name, "age": 30 + id }).to_string(),
            came: 0,
            role: None,
            left: None,
        })
        .collect();
    let place = |id: PlaceId, parent: Option<PlaceId>, kind, name: &str, address: &str| PlaceRow {
        id,
        parent,
        kind,
        name: name.to_owned(),
        address: address.to_owned(),
    };
    NewRun {
        town: "Häuser am See".to_owned(),
        start: 1_676_268_900,
        seconds_per_tick: 10,
        seed: u64::MAX,
        mind: "routine".to_owned(),
        models: None,
        prompts: None,
        embedder: "hashed-words@0a1b2c3d".to_owned(),
        embedding_dimensions: 8,
        townsfolk_version: env!("CARGO_PKG_VERSION").to_owned(),
        parts: vec![
            TownPart {
                part: "map".to_owned(),
                data: "{\"width\":12}".to_owned(),
            },
            TownPart {
                part: "settings".to_owned(),
                data: "{}".to_owned(),
            },
        ],
        residents,
        places: vec![
            place(0, None, PlaceKind::World, "See", "See"),
            place(1, Some(0), PlaceKind::Sector, "Café", "See:Café"),
            place(2, Some(1), PlaceKind::Arena, "台所", "See:Café:台所"),
            place(3, Some(2), PlaceKind::Object, "kettle", "See:Café:台所:kettle"),
        ],
    }
}

/// The rows of one tick. Each resident is active every fourth tick; a conversation of three lines
/// begins every seventh.
pub(crate) fn tick_rows(tick: Tick) -> TickRows {
    let who = tick % RESIDENTS;
    let nth = tick / RESIDENTS;
    let now = 1_676_268_900 + i64::from(tick) * 10;
    let talk = tick / 7;
    let speakers = [talk % RESIDENTS, (talk + 1) % RESIDENTS];
    let mut rows = TickRows::new(tick);
    if tick % 20 == 19 {
        let identity = serde_json::json!({ "name": NAMES[who as usize], "revised": tick });
        rows.identities = vec![IdentityRow {
            resident: who,
            identity: identity.to_string(),
        }];
    }
    rows.moves = vec![MoveRow {
        resident: who,
        x: (tick % 140) as u16,
        y: (nth % 100) as u16,
    }];
    rows.actions = vec![ActionRow {
        resident: who,
        activity: format!("activity {nth} of {}", NAMES[who as usize]),
        place: nth.is_multiple_of(2).then_some(2),
        emoji: "☕️🧑‍🍳".to_owned(),
        subject: NAMES[who as usize].to_owned(),
        predicate: "is".to_owned(),
        object: "busy".to_owned(),
        status: ActionStatus::ALL[nth as usize % ActionStatus::ALL.len()],
        ends: (!nth.is_multiple_of(3)).then_some(now + 600),
    }];
    if tick.is_multiple_of(3) {
        rows.object_states = vec![ObjectStateRow {
            place: 3,
            state: format!("state {tick}"),
            by: nth.is_multiple_of(2).then_some(who),
        }];
    }
    rows.memories = vec![memory(who, nth, now)];
    if tick % 50 < RESIDENTS {
        rows.plans = vec![plan(who, tick / 50, 0)];
    } else if tick % 50 < 2 * RESIDENTS {
        rows.plan_entries = vec![AddedPlanEntry {
            resident: who,
            date: date(tick / 50),
            revision: 0,
            entry: entry(
                PlanLevel::Task,
                (tick % 50) as u16 * 5,
                "a task decomposed just in time",
            ),
        }];
    } else if tick % 50 < 3 * RESIDENTS {
        rows.plans = vec![plan(who, tick / 50, 1)];
    }
    match tick % 7 {
        0 => {
            let [a, b] = speakers;
            rows.conversations = vec![ConversationRow {
                id: talk,
                a,
                b,
                place: Some(2),
            }];
        }
        turn @ 1..=3 => {
            rows.lines = vec![LineRow {
                conversation: talk,
                turn: turn - 1,
                speaker: speakers[turn as usize % 2],
                text: format!("line {turn}, “quoted”"),
                tells: "[]".to_owned(),
                decision: "{\"lend\":false}".to_owned(),
            }];
        }
        4 => {
            rows.conversation_ends = vec![ConversationEnd {
                conversation: talk,
                reason: "goodbye".to_owned(),
            }];
        }
        _ => {}
    }
    if tick % 5 == 4 {
        rows.appointments = vec![AppointmentRow {
            resident: 1,
            id: tick / 10,
            what: "party".to_owned(),
            place: Some(1),
            start: now,
            end: now + 7_200,
            host: 0,
            status: if tick % 10 == 4 { "heard" } else { "accepted" }.to_owned(),
            reason: "likes the host".to_owned(),
            memory: None,
        }];
    }
    rows.tasks = vec![task(tick)];
    if tick % 6 == 5 {
        rows.notices = vec![NoticeRow {
            resident: (tick % 12 == 5).then_some(who),
            kind: "place substituted".to_owned(),
            detail: "kitchen → galley".to_owned(),
        }];
    }
    rows
}

/// The task of a tick.
pub(crate) fn task(tick: Tick) -> TaskRow {
    TaskRow {
        resident: resident(tick),
        seq: 0,
        kind: "importance".to_owned(),
        input: format!("{{\"tick\":{tick}}}"),
        answer: "[5]".to_owned(),
        mind: if asks_a_model(tick) { "a model" } else { "routine" }.to_owned(),
        fallback: (tick % 8 == 5).then(|| "no number in the reply".to_owned()),
        cut: None,
        calls: Vec::new(),
    }
}

/// Odd ticks ask a model.
pub(crate) fn asks_a_model(tick: Tick) -> bool {
    tick % 2 == 1
}

fn resident(tick: Tick) -> Option<ResidentId> {
    (tick % 4 != 3).then_some(tick % RESIDENTS)
}

/// The call of a tick that asks a model.
pub(crate) fn call(tick: Tick, reply: &str) -> CallRow {
    CallRow {
        key: CallKey {
            tick,
            resident: resident(tick),
            seq: 0,
            attempt: 0,
            hash: format!("hash of tick {tick}"),
        },
        kind: "importance".to_owned(),
        model: "a model".to_owned(),
        request: format!("Rate tick {tick}"),
        outcome: Ok(ReplyRow {
            text: reply.to_owned(),
            answered_by: None,
            cut_off: false,
            tokens_in: 480,
            tokens_cached: 0,
            tokens_out: 3,
        }),
        milliseconds: Some(tick % 100),
        paid_by: Payer::ThisRun,
    }
}

/// Records the tick's call, if it makes one, and commits its rows.
pub(crate) fn commit(writer: &mut RunWriter, rows: TickRows) {
    try_commit(writer, rows).unwrap();
}

/// The same where it may fail.
pub(crate) fn try_commit(writer: &mut RunWriter, mut rows: TickRows) -> Result<()> {
    if asks_a_model(rows.tick) {
        let call = writer.record_call(&call(rows.tick, REPLY))?;
        rows.tasks[0].calls = vec![UsedCall { attempt: 0, call }];
    }
    writer.commit(&rows)
}

fn memory(resident: ResidentId, id: MemoryId, now: GameSeconds) -> MemoryRow {
    let reflects = id >= 4 && id.is_multiple_of(4);
    let text = format!("memory number {}", id % 20);
    let vector = text.bytes().rev().take(8).collect();
    MemoryRow {
        resident,
        id,
        created: now,
        kind: if reflects {
            MemoryKind::Reflection
        } else {
            MemoryKind::Observation
        },
        depth: u16::from(reflects),
        text,
        vector,
        subject: "林 秋".to_owned(),
        predicate: "sees".to_owned(),
        object: "kettle".to_owned(),
        importance: (id % 10 + 1) as u8,
        expires: id.is_multiple_of(3).then_some(now + 86_400),
        keywords: vec!["kettle".to_owned(), "\"tea\"".to_owned()],
        evidence: if reflects { vec![id - 1, id - 3] } else { vec![] },
        hearsay: (id % 5 == 2).then_some(HearsayRow {
            teller: (resident + 1) % RESIDENTS,
            memory: 0,
        }),
        conversation: (id % 5 == 2).then_some(0),
        place: Some(2),
    }
}

/// The days of the sample's plans.
pub(crate) fn date(day: u32) -> String {
    format!("2023-{:02}-{:02}", day / 28 % 12 + 1, day % 28 + 1)
}

fn plan(resident: ResidentId, day: u32, revision: u32) -> PlanRow {
    PlanRow {
        resident,
        date: date(day),
        revision,
        cause_memory: (revision > 0).then_some(0),
        strokes: "[\"wake\",\"work\",\"sleep\"]".to_owned(),
        entries: (0..4)
            .map(|quarter| entry(PlanLevel::Hour, quarter * 360, &format!("quarter {quarter}")))
            .collect(),
    }
}

fn entry(level: PlanLevel, start: u16, activity: &str) -> PlanEntryRow {
    PlanEntryRow {
        level,
        start,
        minutes: if level == PlanLevel::Hour { 360 } else { 5 },
        activity: activity.to_owned(),
        place: None,
        cause_memory: None,
    }
}

/// The engine's state at the end of a tick.
pub(crate) fn state(tick: Tick) -> Vec<u8> {
    format!("{{\"state at\":{tick}}}").repeat(50).into_bytes()
}

/// A run with ticks 0 to `last`, a checkpoint every tenth, still open.
pub(crate) fn written(path: &Path, last: Tick) -> RunWriter {
    let mut writer = RunWriter::create(path, &new_run()).unwrap();
    continue_to(&mut writer, last);
    writer
}

/// Writes on to tick `last`.
pub(crate) fn continue_to(writer: &mut RunWriter, last: Tick) {
    for tick in writer.head().map_or(0, |head| head + 1)..=last {
        commit(writer, tick_rows(tick));
        if tick.is_multiple_of(10) {
            writer.checkpoint(tick, &state(tick)).unwrap();
        }
    }
}
