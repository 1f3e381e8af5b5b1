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

use std::collections::BTreeSet;

use townsfolk_mind::ResidentId;
use townsfolk_mind::cognition::{ConversationId, Status, Talk, TalkIntent};
use townsfolk_mind::tasks::Line;
use townsfolk_store::TickRows;
use townsfolk_world::{PlaceId, Tile};

use crate::engine::{Engine, ObjectState, Thought};
use crate::rows;

/// Letters spoken in a second; about 150 words a minute.
const LETTERS_PER_SECOND: i64 = 15;
/// After this many game seconds without a line a talk has ended.
const SILENCE_SECONDS: i64 = 600;

pub(crate) fn settle(engine: &mut Engine, thoughts: Vec<Thought>) -> TickRows {
    let tick = engine.state.tick;
    let mut rows = TickRows::new(u32::try_from(tick).unwrap_or(u32::MAX));
    engine.state.ended.clear();
    engine.state.stirred.fill(false);
    for thought in &thoughts {
        let due = thought
            .intents
            .think_again
            .map_or(u64::MAX, |time| engine.setting.tick_at(time));
        engine.state.due[thought.who.index()] = due.max(tick + 1);
    }
    let mut touched = BTreeSet::new();
    for thought in &thoughts {
        show_and_step(engine, thought, &mut touched, &mut rows);
    }
    if tick == 0 {
        // Where everybody is as the story starts, whether they walk or not.
        let bodies = (0..).zip(&engine.state.bodies);
        rows.moves = bodies
            .map(|(id, body)| rows::position(ResidentId(id), body.tile))
            .collect();
    }
    for object in touched {
        settle_object(engine, object, &mut rows);
    }
    for thought in &thoughts {
        if let Some(TalkIntent::Open { with }) = &thought.intents.talk {
            open_talk(engine, thought.who, *with, &mut rows);
        }
    }
    for thought in &thoughts {
        if let Some(TalkIntent::Say { talk, line, ends }) = &thought.intents.talk {
            say(engine, *talk, line, *ends, &mut rows);
        }
    }
    end_silent_talks(engine, &mut rows);
    for thought in thoughts {
        rows::journal(engine, thought, &mut rows);
    }
    rows
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
        let before = std::mem::replace(&mut engine.state.bodies[who.index()].showing, showing.clone());
        let here = engine.state.bodies[who.index()].tile;
        rows.actions.push(rows::action(who, showing));
        stir(engine, here);
        let used = [&before.uses, &showing.uses].into_iter().flatten();
        touched.extend(used.map(|(object, _)| *object));
    }
    if let Some(to) = thought.intents.step {
        let world = &engine.setting.town.world;
        let from = engine.state.bodies[who.index()].tile;
        engine.arenas.walk(world, who, from, to);
        engine.state.bodies[who.index()].tile = to;
        rows.moves.push(rows::position(who, to));
        stir(engine, from);
        stir(engine, to);
    }
}

/// The state of an object from who uses it now.
fn settle_object(engine: &mut Engine, object: PlaceId, rows: &mut TickRows) {
    let uses = |(id, body): (u16, &townsfolk_mind::cognition::Body)| {
        let (used, state) = body.showing.uses.as_ref()?;
        (*used == object).then(|| ObjectState {
            state: state.clone(),
            user: Some(ResidentId(id)),
        })
    };
    let now = (0..).zip(&engine.state.bodies).find_map(uses);
    let before = engine.state.objects.get(&object);
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
    rows.object_states.push(rows::object_state(object, state, by));
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
fn stir(engine: &mut Engine, tile: Tile) {
    for id in engine.arenas.at(&engine.setting.town.world, tile) {
        let id = id.index();
        let near =
            engine.state.bodies[id].tile.chebyshev(tile) <= engine.residents[id].settings.vision_radius;
        if near && engine.state.bodies[id].showing.status != Status::Asleep {
            engine.state.stirred[id] = true;
        }
    }
}

fn open_talk(engine: &mut Engine, a: ResidentId, b: ResidentId, rows: &mut TickRows) {
    let tick = engine.state.tick;
    let [first, second] = [a, b].map(|id| &engine.state.bodies[id.index()]);
    let free = first.talk.is_none() && second.talk.is_none() && second.showing.status != Status::Asleep;
    if !free || a == b {
        engine.state.due[a.index()] = tick + 1;
        return;
    }
    let id = ConversationId(engine.state.talk_count);
    engine.state.talk_count += 1;
    let name = |id: ResidentId| engine.setting.town.residents[id.index()].identity.name.clone();
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
        engine.state.due[id.index()] = tick + 1;
    }
    let world = &engine.setting.town.world;
    rows.conversations.push(rows::conversation(
        &talk,
        world.spot(engine.state.bodies[a.index()].tile).narrowest(),
    ));
    engine.state.talks.push(talk);
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
    engine.state.due[listener.index()] = engine.state.due[listener.index()].min(next);
    if ends || full {
        end_talk(engine, at, if ends { "goodbye" } else { "long enough" }, rows);
    }
}

fn end_talk(engine: &mut Engine, at: usize, reason: &str, rows: &mut TickRows) {
    let talk = engine.state.talks.remove(at);
    for id in talk.between {
        engine.state.bodies[id.index()].talk = None;
    }
    rows.conversation_ends
        .push(rows::conversation_end(talk.id, reason));
    engine.state.ended.push(talk);
}

fn end_silent_talks(engine: &mut Engine, rows: &mut TickRows) {
    let patience = (SILENCE_SECONDS / engine.setting.seconds_per_tick()) as u64;
    let tick = engine.state.tick;
    while let Some(at) = engine
        .state
        .talks
        .iter()
        .position(|t| t.next_line_tick + patience < tick)
    {
        end_talk(engine, at, "silence", rows);
    }
}
