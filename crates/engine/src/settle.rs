//! Settling: everybody's intents become what happened, in resident order.
//!
//! The rules, in this order:
//! 1. What each shows, and the step each takes. Bodies don't block: people pass one another.
//! 2. Objects: the lowest resident id that shows to use an object decides its state; when nobody
//!    uses it any more it returns to its usual one.
//! 3. Talk that begins: by resident id of who wants it. Both must be free and the other awake;
//!    whoever comes too late thinks again.
//! 4. Lines: a line is said if its conversation is still going on and it is the speaker's turn.
//!    A line that ends the talk, the last line there may be, or long silence ends it.
//! 5. Visitors: they take their steps after everybody else's, and say their lines after everybody
//!    else's, in the order in which people gave them. For a visitor's line a talk waits three minutes of game
//!    time; then it is over, and later words can only open another.

use std::collections::BTreeSet;

use townsfolk_memory::{MemoryKind, NewMemory, Triple};
use townsfolk_mind::ResidentId;
use townsfolk_mind::cognition::{ConversationId, Showing, Status, Talk, TalkIntent};
use townsfolk_mind::tasks::Line;
use townsfolk_store::{MoveRow, NoticeRow, ObjectStateRow, TickRows};
use townsfolk_world::{PlaceId, Tile};

use crate::engine::{Engine, ObjectState, Said, Speech, State, Thought};
use crate::{rows, steer};

/// Letters spoken in a second; about 150 words a minute.
const LETTERS_PER_SECOND: i64 = 15;
/// How long a resident waits for a visitor's next words, in game seconds.
const VISITOR_PATIENCE_SECONDS: i64 = 180;
/// The importance of what a visitor states, for the visitor; whoever hears it rates it anew.
const VISITORS_IMPORTANCE: u8 = 5;
/// After this many game seconds without a line a talk has ended.
const SILENCE_SECONDS: i64 = 600;

pub(crate) fn settle(engine: &mut Engine, thoughts: Vec<Thought>, said: Vec<Said>, rows: &mut TickRows) {
    let tick = engine.state.tick;
    engine.state.ended.clear();
    engine.state.stirred.fill(false);
    for thought in &thoughts {
        let due = thought
            .intents
            .think_again
            .map_or(u64::MAX, |time| engine.setting.tick_at(time));
        engine.state.due[thought.who.index()] = due.max(tick + 1);
        forget_what_was_heard(&mut engine.state, thought.who);
    }
    let mut touched = BTreeSet::new();
    for thought in &thoughts {
        show_and_step(engine, thought, &mut touched, rows);
    }
    visitors_walk(engine, rows);
    if tick == 0 {
        // Where everybody is as the story starts, whether they walk or not.
        let bodies = (0..).zip(&engine.state.bodies);
        rows.moves = bodies
            .map(|(id, body)| rows::position(ResidentId(id), body.tile))
            .collect();
    }
    for object in touched {
        settle_object(engine, object, rows);
    }
    for thought in &thoughts {
        if let Some(TalkIntent::Open { with }) = &thought.intents.talk {
            open_talk(engine, thought.who, *with, rows);
        }
    }
    for thought in &thoughts {
        if let Some(TalkIntent::Say { talk, line, ends }) = &thought.intents.talk {
            say(engine, *talk, line, *ends, rows);
        }
    }
    visitors_speak(engine, said, rows);
    end_silent_talks(engine, rows);
    for thought in thoughts {
        rows::journal(engine, thought, rows);
    }
}

/// What a resident took in by thinking is not put to it again; what it slept through waits.
fn forget_what_was_heard(state: &mut State, who: ResidentId) {
    state.answers.retain(|answer| answer.by != who);
    state.displaced.remove(&who);
    if state.bodies[who.index()].showing.status != Status::Asleep {
        state.whispers.retain(|whisper| whisper.to != who);
    }
}

/// Shows and steps; the objects whose use may have changed go into `touched`.
fn show_and_step(
    engine: &mut Engine,
    thought: &Thought,
    touched: &mut BTreeSet<PlaceId>,
    rows: &mut TickRows,
) {
    let who = thought.who;
    if let Some(showing) = &thought.intents.showing {
        let before = show(engine, who, showing.clone(), rows);
        let used = [&before.uses, &showing.uses].into_iter().flatten();
        touched.extend(used.map(|(object, _)| *object));
        if before.status == Status::Asleep && engine.state.whispers.iter().any(|w| w.to == who) {
            engine.state.due[who.index()] = engine.state.tick + 1;
        }
    }
    if let Some(to) = thought.intents.step {
        let from = engine.state.bodies[who.index()].tile;
        steer::step(engine, who, from, to, rows);
    }
}

/// Somebody shows something else from now on; what they showed before comes back.
pub(crate) fn show(engine: &mut Engine, who: ResidentId, showing: Showing, rows: &mut TickRows) -> Showing {
    let row = rows::action(who, &showing);
    match rows.actions.iter_mut().find(|r| r.resident == row.resident) {
        Some(earlier) => *earlier = row,
        None => rows.actions.push(row),
    }
    let body = &mut engine.state.bodies[who.index()];
    let before = std::mem::replace(&mut body.showing, showing);
    let here = body.tile;
    stir(engine, here);
    before
}

/// A tick has one position for each body: the last.
pub(crate) fn set_position(rows: &mut TickRows, row: MoveRow) {
    match rows.moves.iter_mut().find(|r| r.resident == row.resident) {
        Some(earlier) => *earlier = row,
        None => rows.moves.push(row),
    }
}

/// A tick has one state for each object: the last.
pub(crate) fn set_state(rows: &mut TickRows, row: ObjectStateRow) {
    match rows.object_states.iter_mut().find(|r| r.place == row.place) {
        Some(earlier) => *earlier = row,
        None => rows.object_states.push(row),
    }
}

/// Every visitor on the way takes a step.
fn visitors_walk(engine: &mut Engine, rows: &mut TickRows) {
    let walkers: Vec<ResidentId> = engine.state.walks.keys().copied().collect();
    for who in walkers {
        let Some(way) = engine.state.walks.get_mut(&who) else {
            continue;
        };
        let next = way.pop_front();
        if way.is_empty() {
            engine.state.walks.remove(&who);
        }
        if let Some(to) = next {
            let from = engine.state.bodies[who.index()].tile;
            steer::step(engine, who, from, to, rows);
        }
        let showing = steer::as_visitor(engine, who);
        if engine.state.bodies[who.index()].showing != showing {
            show(engine, who, showing, rows);
        }
    }
}

/// Visitors say what they mean to, where it is their turn; words for a talk that is over are lost.
fn visitors_speak(engine: &mut Engine, said: Vec<Said>, rows: &mut TickRows) {
    let tick = engine.state.tick;
    for (speech, said) in std::mem::take(&mut engine.state.speeches).into_iter().zip(said) {
        let talk = engine
            .state
            .talks
            .iter()
            .find(|talk| talk.side(speech.visitor).is_some() && talk.side(speech.to).is_some());
        let Some(talk) = talk else {
            let [visitor, to] = [speech.visitor, speech.to].map(|id| engine.people[id.index()].name());
            rows.notices.push(NoticeRow {
                resident: Some(speech.visitor.0.into()),
                kind: "unheard".to_owned(),
                detail: format!("{visitor} did not get to say to {to}: {}", speech.text),
            });
            continue;
        };
        if talk.between[talk.turn()] != speech.visitor || tick < talk.next_line_tick {
            engine.state.speeches.push(speech);
            continue;
        }
        let talk = talk.id;
        let line = visitors_line(engine, &speech, said, rows);
        say(engine, talk, &line, speech.ends, rows);
    }
}

/// A visitor's words as a line. What it states is the visitor's memory from now on, so that it can be
/// passed on like anybody's news.
fn visitors_line(engine: &mut Engine, speech: &Speech, said: Said, rows: &mut TickRows) -> Line {
    let setting = engine.setting.clone();
    let visitor = engine.people[speech.visitor.index()].name().clone();
    let resident = &mut engine.residents[speech.visitor.index()];
    let mut tells = Vec::with_capacity(said.len());
    for (text, embedding) in said {
        let memory = NewMemory {
            kind: MemoryKind::Observation,
            created: setting.time_of(engine.state.tick),
            expires: None,
            triple: Triple::new(visitor.clone(), "state", text.clone()),
            text: text.clone(),
            importance: VISITORS_IMPORTANCE,
            keywords: vec![visitor.clone()],
            evidence: Vec::new(),
            hearsay: None,
        };
        // Refused only when there are more memories than ids: then it is said and not passed on.
        let Ok(id) = resident.stream.add(memory, &embedding) else {
            continue;
        };
        rows.memories
            .extend(rows::memory(&engine.people, resident, id, None, None));
        tells.push((id, text));
    }
    Line {
        speaker: visitor,
        text: speech.text.trim().into(),
        tells,
        decision: None,
    }
}

/// The state of an object from who uses it now.
pub(crate) fn settle_object(engine: &mut Engine, object: PlaceId, rows: &mut TickRows) {
    let uses = |(id, body): (u16, &townsfolk_mind::cognition::Body)| {
        let (used, state) = body.showing.uses.as_ref()?;
        (*used == object).then(|| ObjectState {
            state: state.clone(),
            user: Some(ResidentId(id)),
        })
    };
    let now = (0..).zip(&engine.state.bodies).find_map(uses);
    let before = engine.state.objects.get(&object);
    if before.is_some_and(|object| object.user.is_none()) {
        return;
    }
    if before.map(|o| &o.state) == now.as_ref().map(|o| &o.state) {
        if let Some(now) = now {
            engine.state.objects.insert(object, now);
        }
        return;
    }
    let world = &engine.setting.town.world;
    let state = match &now {
        Some(object) => object.state.to_string(),
        None => world.place(object).default_state.clone().unwrap_or_default(),
    };
    let by = now.as_ref().and_then(|o| o.user);
    set_state(rows, rows::object_state(object, state, by));
    let at = world.place(object).tiles.first().copied();
    match now {
        Some(now) => engine.state.objects.insert(object, now),
        None => engine.state.objects.remove(&object),
    };
    if let Some(tile) = at {
        stir(engine, tile);
    }
}

/// Everybody awake in the arena of a tile looks again at the next tick.
pub(crate) fn stir(engine: &mut Engine, tile: Tile) {
    for id in engine.arenas.at(&engine.setting.town.world, tile) {
        let id = id.index();
        let near =
            engine.state.bodies[id].tile.chebyshev(tile) <= engine.residents[id].settings.vision_radius;
        let thinks = !engine.people[id].is_visitor();
        if near && thinks && engine.state.bodies[id].showing.status != Status::Asleep {
            engine.state.stirred[id] = true;
        }
    }
}

pub(crate) fn open_talk(engine: &mut Engine, a: ResidentId, b: ResidentId, rows: &mut TickRows) {
    let tick = engine.state.tick;
    let [first, second] = [a, b].map(|id| &engine.state.bodies[id.index()]);
    let free = first.talk.is_none() && second.talk.is_none() && second.showing.status != Status::Asleep;
    if !free || a == b {
        engine.state.due[a.index()] = tick + 1;
        return;
    }
    let id = ConversationId(engine.state.talk_count);
    engine.state.talk_count += 1;
    let name = |id: ResidentId| engine.people[id.index()].name().clone();
    let talk = Talk {
        id,
        between: [a, b],
        names: [name(a), name(b)],
        lines: Vec::new(),
        next_line_tick: tick + 1,
        cap: engine.residents[a.index()].settings.talk_lines.max(1),
    };
    for id in [a, b] {
        engine.state.bodies[id.index()].talk = Some(talk.id);
        if !engine.people[id.index()].is_visitor() {
            engine.state.due[id.index()] = tick + 1;
        }
    }
    let world = &engine.setting.town.world;
    rows.conversations.push(rows::conversation(
        &talk,
        world.spot(engine.state.bodies[a.index()].tile).narrowest(),
    ));
    let between = talk.between;
    engine.state.talks.push(talk);
    for id in between {
        show_if_visitor(engine, id, rows);
    }
}

/// A visitor's body shows whether it talks, walks or stands.
fn show_if_visitor(engine: &mut Engine, who: ResidentId, rows: &mut TickRows) {
    if engine.people[who.index()].is_visitor() {
        engine.state.walks.remove(&who);
        show(engine, who, steer::as_visitor(engine, who), rows);
    }
}

fn say(engine: &mut Engine, talk: ConversationId, line: &Line, ends: bool, rows: &mut TickRows) {
    let tick = engine.state.tick;
    let seconds_per_tick = engine.setting.seconds_per_tick();
    let Some(at) = engine.state.talks.iter().position(|t| t.id == talk) else {
        return;
    };
    let talk = &mut engine.state.talks[at];
    let speaker = talk.turn();
    if talk.names[speaker] != line.speaker {
        return;
    }
    rows.lines.push(rows::line(talk, talk.between[speaker], line));
    talk.lines.push(line.clone());
    let seconds = line.text.chars().count() as i64 / LETTERS_PER_SECOND;
    talk.next_line_tick = tick + 1 + (seconds / seconds_per_tick) as u64;
    let listener = talk.between[1 - speaker];
    let next = talk.next_line_tick;
    let full = talk.lines.len() >= usize::from(talk.cap);
    if !engine.people[listener.index()].is_visitor() {
        engine.state.due[listener.index()] = engine.state.due[listener.index()].min(next);
    }
    if ends || full {
        end_talk(engine, at, if ends { "goodbye" } else { "long enough" }, rows);
    }
}

fn end_talk(engine: &mut Engine, at: usize, reason: &str, rows: &mut TickRows) {
    let talk = engine.state.talks.remove(at);
    for id in talk.between {
        engine.state.bodies[id.index()].talk = None;
        show_if_visitor(engine, id, rows);
    }
    rows.conversation_ends
        .push(rows::conversation_end(talk.id, reason));
    engine.state.ended.push(talk);
}

/// Ends the talk that somebody is in, if they are in one.
pub(crate) fn end_talk_of(engine: &mut Engine, who: ResidentId, reason: &str, rows: &mut TickRows) {
    if let Some(at) = engine.state.talks.iter().position(|t| t.side(who).is_some()) {
        end_talk(engine, at, reason, rows);
    }
}

fn end_silent_talks(engine: &mut Engine, rows: &mut TickRows) {
    let tick = engine.state.tick;
    let seconds_per_tick = engine.setting.seconds_per_tick();
    while let Some((at, reason)) = engine.state.talks.iter().enumerate().find_map(|(at, talk)| {
        let turn = talk.between[talk.turn()];
        let (patience, reason) = if engine.people[turn.index()].is_visitor() {
            (VISITOR_PATIENCE_SECONDS, "no answer")
        } else {
            (SILENCE_SECONDS, "silence")
        };
        let patience = (patience / seconds_per_tick) as u64;
        (talk.next_line_tick + patience < tick).then_some((at, reason))
    }) {
        end_talk(engine, at, reason, rows);
    }
}
