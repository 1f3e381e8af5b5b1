//! What people do from outside, checked against the town as it stands, and done.
//!
//! [`act`] runs at the start of a tick, before anybody looks around: whoever it concerns sees it in the
//! same tick. An input that was recorded for later and cannot act when its time comes (its visitor has
//! left, say) does nothing and leaves a notice that says why.

use std::collections::BTreeMap;

use townsfolk_mind::cognition::{Showing, Status};
use townsfolk_mind::tasks::{Exchange, ObjectState as StateOfWords};
use townsfolk_mind::{Chance, Halted, ResidentId};
use townsfolk_store::{NoticeRow, TickRows};
use townsfolk_town::is_hidden;
use townsfolk_world::{PlaceId, PlaceKind, Tile, World};

use crate::engine::{self, Answered, Counters, Engine, ObjectState, Speech, Whisper};
use crate::input::{Input, InputError, Written};
use crate::ledger::TOWN;
use crate::people::Person;
use crate::rows;
use crate::settle::{end_talk_of, open_talk, set_position, set_state, settle_object, show, stir};

/// The town as it stands, and who will have come before an input acts.
pub(crate) struct View<'e> {
    engine: &'e Engine,
    /// Everybody, and those expected.
    people: Vec<Person>,
    /// Who leaves by an input that is recorded, and the tick of the first such input.
    leaving: BTreeMap<ResidentId, u64>,
    /// The tick at which what is checked acts.
    tick: u64,
}

impl<'e> View<'e> {
    /// The town at the start of `tick`, with everybody who is expected by then.
    pub(crate) fn new(engine: &'e Engine, tick: u64) -> Self {
        let mut view = Self {
            engine,
            people: engine.people.clone(),
            leaving: BTreeMap::new(),
            tick,
        };
        for (tick, inputs) in engine.inputs.range(..=tick) {
            for input in inputs {
                view.expect(input, *tick);
            }
        }
        view
    }

    /// Checks what acts at `tick` from here on.
    pub(crate) fn at(&mut self, tick: u64) {
        self.tick = tick;
    }

    /// Everybody, by id.
    pub(crate) fn people(&self) -> &[Person] {
        &self.people
    }

    /// Takes an input for done, as far as who is in town goes.
    pub(crate) fn expect(&mut self, input: &Written, tick: u64) {
        let world = &self.engine.setting.town.world;
        if let Written::Leave { .. } = input
            && let Ok(Input::Leave { who }) = input.resolve(&self.people, world)
        {
            let first = self.leaving.entry(who).or_insert(tick);
            *first = tick.min(*first);
        }
        self.people.extend(newcomer(input, tick, world));
    }

    /// Whether an input can act now.
    pub(crate) fn check(&self, input: &Input) -> Result<(), InputError> {
        self.check_sense(input)?;
        match input {
            Input::Walk { visitor, to } => {
                let from = self.tile(*visitor);
                let way = self.world().path(from, &[*to]);
                way.map(drop).ok_or(InputError::NoWay { from, to: *to })
            }
            Input::Speak { visitor, to, .. } => self.check_speech(*visitor, *to),
            _ => Ok(()),
        }
    }

    /// Whether an input makes sense at all, whenever it acts.
    pub(crate) fn check_sense(&self, input: &Input) -> Result<(), InputError> {
        match input {
            Input::Whisper { resident, text } => {
                self.resident(*resident)?;
                said("the whisper", text)
            }
            Input::SetObject { object, state } => {
                self.object(*object)?;
                said("the state", state)
            }
            Input::Arrive { name, role, tile } => {
                said("the visitor's name", name)?;
                seen("the visitor's name", name)?;
                seen("the visitor's role", role)?;
                self.new_name(name)?;
                self.standable(*tile)
            }
            Input::Walk { visitor, to } => {
                self.visitor(*visitor)?;
                self.standable(*to)
            }
            Input::Speak {
                visitor, to, text, ..
            } => {
                self.visitor(*visitor)?;
                self.resident(*to)?;
                said("what the visitor says", text)
            }
            Input::Leave { who } => {
                let person = self.here(*who)?;
                // Also where the other removal comes later: one is enough.
                match self.leaving.get(who) {
                    Some(tick) => Err(leaves(person, *tick)),
                    None => Ok(()),
                }
            }
            Input::Move { resident, to } => {
                self.resident(*resident)?;
                self.standable(*to)
            }
            Input::Join { newcomer } => {
                let name = &newcomer.identity.name;
                self.new_name(name)?;
                let mut town = self.engine.setting.town.clone();
                town.residents = vec![(**newcomer).clone()];
                town.validate().map_err(|flaw| InputError::Unfit {
                    name: name.to_string(),
                    fault: flaw.to_string(),
                })
            }
            Input::Remember {
                resident,
                question,
                answer,
            } => {
                self.resident(*resident)?;
                said("the question", question)?;
                said("the answer", answer)
            }
        }
    }

    fn world(&self) -> &World {
        &self.engine.setting.town.world
    }

    /// Where somebody stands, or will appear.
    fn tile(&self, who: ResidentId) -> Tile {
        match self.engine.state.bodies.get(who.index()) {
            Some(body) => body.tile,
            None => self.people[who.index()].newcomer.start,
        }
    }

    fn here(&self, who: ResidentId) -> Result<&Person, InputError> {
        let person = self.people.get(who.index()).ok_or(InputError::NoId {
            id: who.0,
            people: self.people.len(),
        })?;
        if self.engine.state.left.contains_key(&who) {
            let name = person.name().to_string();
            return Err(InputError::Gone { name });
        }
        match self.leaving.get(&who) {
            Some(tick) if *tick <= self.tick => Err(leaves(person, *tick)),
            _ => Ok(person),
        }
    }

    fn resident(&self, who: ResidentId) -> Result<&Person, InputError> {
        let person = self.here(who)?;
        if person.is_visitor() {
            let name = person.name().to_string();
            return Err(InputError::NotAResident { name });
        }
        Ok(person)
    }

    fn visitor(&self, who: ResidentId) -> Result<&Person, InputError> {
        let person = self.here(who)?;
        if !person.is_visitor() {
            let name = person.name().to_string();
            return Err(InputError::NotAVisitor { name });
        }
        Ok(person)
    }

    fn new_name(&self, name: &str) -> Result<(), InputError> {
        if self.people.len() >= usize::from(u16::MAX) {
            return Err(InputError::Full);
        }
        let lower = name.trim().to_lowercase();
        let same = self.people.iter().find(|p| p.name().to_lowercase() == lower);
        match same {
            Some(person) => Err(InputError::NameTaken {
                name: name.to_owned(),
                by: person.name().to_string(),
            }),
            None => Ok(()),
        }
    }

    fn object(&self, place: PlaceId) -> Result<(), InputError> {
        let world = self.world();
        let Some(found) = world.places().get(place.index()) else {
            return Err(InputError::NoPlace {
                address: format!("number {}", place.index()),
                nearest: None,
            });
        };
        if found.kind == PlaceKind::Object {
            return Ok(());
        }
        let objects = || world.places().iter().filter(|p| p.kind == PlaceKind::Object);
        let inside = objects().find(|p| world.ancestor(p.id, found.kind) == Some(place));
        Err(InputError::NotAnObject {
            address: world.address(place),
            kind: found.kind,
            example: inside
                .or_else(|| objects().next())
                .map_or_else(String::new, |p| world.address(p.id)),
        })
    }

    fn standable(&self, tile: Tile) -> Result<(), InputError> {
        let world = self.world();
        if !world.contains(tile) {
            return Err(InputError::OffMap {
                tile,
                width: world.width(),
                height: world.height(),
            });
        }
        if world.walkable(tile) {
            return Ok(());
        }
        let near = (0..world.height()).flat_map(|y| (0..world.width()).map(move |x| Tile { x, y }));
        let nearest = near
            .filter(|t| world.walkable(*t))
            .min_by_key(|t| (t.squared_distance(tile), *t));
        Err(InputError::Wall { tile, nearest })
    }

    fn check_speech(&self, visitor: ResidentId, to: ResidentId) -> Result<(), InputError> {
        let name = |who: ResidentId| self.people[who.index()].name().to_string();
        let state = &self.engine.state;
        if let Some(talk) = state.talks.iter().find(|talk| talk.side(visitor).is_some()) {
            if talk.side(to).is_some() {
                return Ok(());
            }
            return Err(busy(talk, visitor));
        }
        let Some(body) = state.bodies.get(to.index()) else {
            // Just coming: they will be asleep or on their feet, and hear it when it acts.
            return Ok(());
        };
        let (here, there) = (self.tile(visitor), body.tile);
        let same_room = self.world().same_arena(here, there);
        let tiles = here.chebyshev(there);
        if !same_room || tiles > self.engine.residents[to.index()].settings.vision_radius {
            return Err(InputError::OutOfEarshot {
                visitor: name(visitor),
                to: name(to),
                tiles,
                same_room,
            });
        }
        if body.showing.status == Status::Asleep {
            return Err(InputError::Asleep { name: name(to) });
        }
        match state.talks.iter().find(|talk| talk.side(to).is_some()) {
            Some(talk) => Err(busy(talk, to)),
            None => Ok(()),
        }
    }
}

fn leaves(person: &Person, tick: u64) -> InputError {
    let name = person.name().to_string();
    InputError::Leaving { name, tick }
}

fn busy(talk: &townsfolk_mind::cognition::Talk, who: ResidentId) -> InputError {
    let side = talk.side(who).unwrap_or_default();
    InputError::Busy {
        name: talk.names[side].to_string(),
        with: talk.names[1 - side].to_string(),
    }
}

fn said(what: &'static str, text: &str) -> Result<(), InputError> {
    if text.trim().is_empty() {
        return Err(InputError::Empty { what });
    }
    Ok(())
}

fn seen(what: &'static str, name: &str) -> Result<(), InputError> {
    match name.contains(is_hidden) {
        true => Err(InputError::Hidden { what }),
        false => Ok(()),
    }
}

/// Whom an input brings to town.
fn newcomer(input: &Written, tick: u64, world: &World) -> Option<Person> {
    match input {
        Written::Arrive {
            name,
            role,
            tile: [x, y],
        } => Some(Person::visitor(
            name.trim(),
            role,
            Tile { x: *x, y: *y },
            tick,
            world,
        )),
        Written::Join { newcomer } => Some(Person::resident((**newcomer).clone(), tick)),
        _ => None,
    }
}

/// Does what was done from outside, at the start of the engine's tick.
///
/// # Errors
/// If a question that it takes halts.
pub(crate) fn act(engine: &mut Engine, written: &Written, rows: &mut TickRows) -> Result<(), Halted> {
    let view = View {
        people: engine.people.clone(),
        leaving: BTreeMap::new(),
        tick: engine.state.tick,
        engine,
    };
    let checked = written
        .resolve(view.people(), view.world())
        .and_then(|input| view.check(&input).map(|()| input));
    match checked {
        Ok(input) => return carry_out(engine, input, rows),
        Err(error) => rows.notices.push(NoticeRow {
            resident: None,
            kind: "input_refused".to_owned(),
            detail: format!("{}: {error}", written.kind()),
        }),
    }
    Ok(())
}

fn carry_out(engine: &mut Engine, input: Input, rows: &mut TickRows) -> Result<(), Halted> {
    let tick = engine.state.tick;
    match input {
        Input::Whisper { resident, text } => {
            engine.state.whispers.push(Whisper { to: resident, text });
            wake(engine, resident);
        }
        Input::SetObject { object, state } => set_object(engine, object, &state, rows)?,
        Input::Arrive { name, role, tile } => {
            let world = &engine.setting.town.world;
            come(
                engine,
                Person::visitor(name.trim(), &role, tile, tick, world),
                rows,
            );
        }
        Input::Join { newcomer } => come(engine, Person::resident(*newcomer, tick), rows),
        Input::Walk { visitor, to } => {
            end_talk_of(engine, visitor, "walked away", rows);
            let from = engine.state.bodies[visitor.index()].tile;
            let way = engine.setting.town.world.path(from, &[to]).unwrap_or_default();
            engine.state.walks.remove(&visitor);
            if !way.is_empty() {
                engine.state.walks.insert(visitor, way.into());
            }
            show(engine, visitor, as_visitor(engine, visitor), rows);
        }
        Input::Speak {
            visitor,
            to,
            text,
            ends,
        } => {
            if engine.state.bodies[visitor.index()].talk.is_none() {
                engine.state.walks.remove(&visitor);
                open_talk(engine, visitor, to, rows);
                if let Some(talk) = engine.state.talks.last_mut() {
                    // The words are the visitor's at once.
                    talk.next_line_tick = tick;
                }
                wake(engine, to);
            }
            engine.state.speeches.push(Speech {
                visitor,
                to,
                text,
                ends,
            });
        }
        Input::Leave { who } => go(engine, who, rows),
        Input::Move { resident, to } => {
            end_talk_of(engine, resident, "called away", rows);
            let from = engine.state.bodies[resident.index()].tile;
            step(engine, resident, from, to, rows);
            engine.state.displaced.insert(resident);
            wake(engine, resident);
        }
        Input::Remember {
            resident,
            question,
            answer,
        } => {
            engine.state.answers.push(Answered {
                by: resident,
                exchange: Exchange { question, answer },
            });
            engine.state.due[resident.index()] = tick;
        }
    }
    Ok(())
}

/// Lets a resident think in this tick, unless it sleeps.
fn wake(engine: &mut Engine, who: ResidentId) {
    if engine.state.bodies[who.index()].showing.status != Status::Asleep {
        engine.state.due[who.index()] = engine.state.tick;
    }
}

fn set_object(engine: &mut Engine, object: PlaceId, words: &str, rows: &mut TickRows) -> Result<(), Halted> {
    let state = state_of(engine, object, words, rows)?;
    let place = engine.setting.town.world.place(object);
    let tile = place.tiles.first().copied();
    let usual = place.default_state.as_deref() == Some(&*state);
    set_state(rows, rows::object_state(object, state.clone(), None));
    if usual {
        engine.state.objects.remove(&object);
        settle_object(engine, object, rows);
    } else {
        let state = ObjectState {
            state: state.into(),
            user: None,
        };
        engine.state.objects.insert(object, state);
    }
    if let Some(tile) = tile {
        stir(engine, tile);
    }
    Ok(())
}

/// The state alone out of somebody's words. Having asked for it stands in `rows`, numbered after what else
/// the town asks in this tick.
fn state_of(engine: &Engine, object: PlaceId, words: &str, rows: &mut TickRows) -> Result<String, Halted> {
    let setting = &engine.setting;
    let chance = Chance {
        seed: setting.seed,
        resident: TOWN,
        tick: engine.state.tick,
    };
    // Nobody has thought yet: all questions so far are the town's.
    let asker = engine.asker(chance).numbered_from(rows.tasks.len() as u32);
    let task = StateOfWords {
        object: &setting.town.world.place(object).name,
        words,
    };
    let state = futures_executor::block_on(asker.ask(&task));
    let state = state.map_err(|halted| halted.of("the town"))?;
    let records = asker.into_records().into_iter();
    rows.tasks.extend(records.map(|record| rows::task(None, record)));
    Ok(state.text)
}

/// Somebody comes to town.
fn come(engine: &mut Engine, person: Person, rows: &mut TickRows) {
    // `View` refuses more people than ids can count.
    let id = ResidentId(engine.people.len() as u16);
    let tick = engine.state.tick;
    let tile = person.newcomer.start;
    let now = engine.setting.time_of(tick);
    rows.arrivals.push(rows::arrival(id, &person));
    engine
        .residents
        .push(engine::unacquainted(&engine.setting, id, &person));
    engine.state.bodies.push(engine::new_body(&person, now));
    engine.state.counters.push(Counters::default());
    engine.state.stirred.push(false);
    let visitor = person.is_visitor();
    engine.state.due.push(if visitor { u64::MAX } else { tick });
    engine.arenas.come(&engine.setting.town.world, id, tile);
    engine.state.arrived.push(person.clone());
    engine.people.push(person);
    set_position(rows, rows::position(id, tile));
    if visitor {
        show(engine, id, as_visitor(engine, id), rows);
    }
    stir(engine, tile);
}

/// Somebody leaves town for good.
fn go(engine: &mut Engine, who: ResidentId, rows: &mut TickRows) {
    end_talk_of(engine, who, "left", rows);
    let tick = engine.state.tick;
    let body = &mut engine.state.bodies[who.index()];
    let (tile, used) = (body.tile, body.showing.uses.take());
    engine.state.walks.remove(&who);
    engine.state.speeches.retain(|speech| speech.visitor != who);
    engine.state.whispers.retain(|whisper| whisper.to != who);
    engine.state.answers.retain(|answer| answer.by != who);
    engine.state.due[who.index()] = u64::MAX;
    engine.state.stirred[who.index()] = false;
    engine.arenas.leave(&engine.setting.town.world, who, tile);
    engine.state.left.insert(who, tick);
    rows.departures.push(who.0.into());
    if let Some((object, _)) = used {
        settle_object(engine, object, rows);
    }
    stir(engine, tile);
}

/// Somebody stands on another tile.
pub(crate) fn step(engine: &mut Engine, who: ResidentId, from: Tile, to: Tile, rows: &mut TickRows) {
    engine.arenas.walk(&engine.setting.town.world, who, from, to);
    engine.state.bodies[who.index()].tile = to;
    set_position(rows, rows::position(who, to));
    stir(engine, from);
    stir(engine, to);
}

/// What a visitor shows.
pub(crate) fn as_visitor(engine: &Engine, who: ResidentId) -> Showing {
    let phrases = engine.setting.phrases;
    let person = &engine.people[who.index()];
    let body = &engine.state.bodies[who.index()];
    let role = person.role.as_deref().unwrap_or_default();
    let talk = engine.state.talks.iter().find(|talk| talk.side(who).is_some());
    let other = talk.and_then(|talk| Some(&talk.names[1 - talk.side(who)?]));
    let walk = engine.state.walks.get(&who).and_then(|way| way.back());
    let (status, activity, emoji) = match (other, walk) {
        (Some(other), _) => (Status::Talking, phrases.visitor_talking_with(other, role), "💬"),
        (None, Some(_)) => (Status::Walking, phrases.visiting_as(role), "🚶"),
        (None, None) => (Status::Doing, phrases.visiting_as(role), "🧳"),
    };
    let world = &engine.setting.town.world;
    let name = person.name().clone();
    let triple = match other {
        Some(other) => townsfolk_memory::Triple::new(name, "talk with", other.clone()),
        None => townsfolk_memory::Triple::new(name, "visit", role),
    };
    Showing {
        status,
        activity: activity.into(),
        emoji: emoji.into(),
        triple,
        place: world.spot(walk.copied().unwrap_or(body.tile)).narrowest(),
        uses: None,
        ends: body.showing.ends,
    }
}

impl Engine {
    /// A tile for a visitor beside somebody: the nearest free one in the same room, or else theirs.
    pub fn tile_beside(&self, who: ResidentId) -> Option<Tile> {
        let there = self.state.bodies.get(who.index())?.tile;
        let world = &self.setting.town.world;
        let taken = |tile: Tile| self.state.bodies.iter().any(|body| body.tile == tile);
        let free = |tile: &Tile| world.walkable(*tile) && world.same_arena(*tile, there) && !taken(*tile);
        Some(there.neighbours().find(free).unwrap_or(there))
    }
}
