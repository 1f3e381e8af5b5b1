//! A town in motion, and the tick.

use std::sync::Arc;

use futures_util::future::try_join_all;
use rayon::prelude::*;
use townsfolk_memory::{Embedder, StreamSettings};
use townsfolk_mind::cognition::{Body, Intents, Resident, Showing, Situation, Status, Talk, think};
use townsfolk_mind::routine::Meanings;
use townsfolk_mind::{Asker, Chance, Halted, Phrases, ResidentId, TaskRecord};
use townsfolk_store::TickRows;
use townsfolk_time::GameTime;
use townsfolk_town::Town;
use townsfolk_world::PlaceId;

use crate::observe::{Arenas, sight};
use crate::settle::settle;

/// What stays the same throughout a run.
pub struct Setting {
    /// The town as the story starts.
    pub town: Town,
    /// Where every draw of chance starts from.
    pub seed: u64,
    /// What words mean.
    pub meanings: Meanings,
    /// How things are worded.
    pub phrases: &'static Phrases,
}

impl Setting {
    /// A town, a seed and an embedder.
    pub fn new(town: Town, seed: u64, embedder: Arc<dyn Embedder>) -> Self {
        let phrases = Phrases::of(&town.language);
        Self {
            town,
            seed,
            meanings: Meanings::new(embedder),
            phrases,
        }
    }

    /// Game time of a tick.
    pub fn time_of(&self, tick: u64) -> GameTime {
        self.town.start + tick as i64 * self.seconds_per_tick()
    }

    /// The first tick at or after a game time.
    pub fn tick_at(&self, time: GameTime) -> u64 {
        let seconds = (time - self.town.start).max(0);
        (seconds as u64).div_ceil(self.seconds_per_tick() as u64)
    }

    pub(crate) fn seconds_per_tick(&self) -> i64 {
        i64::from(self.town.seconds_per_tick.max(1))
    }
}

/// How a run is computed; none of it changes what comes out.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many threads think at the same time; at least 1.
    pub workers: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { workers: 1 }
    }
}

/// A town in motion.
pub struct Engine {
    pub(crate) setting: Arc<Setting>,
    pub(crate) residents: Vec<Resident>,
    pub(crate) state: State,
    pub(crate) arenas: Arenas,
    pool: Option<rayon::ThreadPool>,
}

/// The part of an engine that ticks change, besides the residents' inner lives.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct State {
    /// The next tick.
    pub(crate) tick: u64,
    /// Where everybody is and what they show, by resident.
    pub(crate) bodies: Vec<Body>,
    /// The objects whose state is not their usual one.
    pub(crate) objects: std::collections::BTreeMap<PlaceId, ObjectState>,
    /// Conversations going on.
    pub(crate) talks: Vec<Talk>,
    /// Conversations that ended with the last tick.
    pub(crate) ended: Vec<Talk>,
    /// How many conversations there have been.
    pub(crate) talk_count: u32,
    /// When each resident thinks next, if nothing changes near it.
    pub(crate) due: Vec<u64>,
    /// Whether something changed near a resident in the last tick.
    pub(crate) stirred: Vec<bool>,
    /// How often each resident's plan of the day was revised, and how many appointments it had.
    pub(crate) counters: Vec<Counters>,
}

/// Numbers that rows are counted by, for one resident.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Counters {
    pub(crate) plan_date: Option<townsfolk_time::Date>,
    pub(crate) plan_revision: u32,
    pub(crate) appointments: u32,
}

/// The state of an object.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct ObjectState {
    pub(crate) state: Arc<str>,
    /// Whose use put it in that state.
    pub(crate) user: Option<ResidentId>,
}

/// What a town is up to at a moment, for people who watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulse {
    /// Game time.
    pub now: GameTime,
    /// How many residents there are.
    pub residents: usize,
    /// How many of them sleep.
    pub asleep: usize,
    /// How many walk.
    pub walking: usize,
    /// How many talk.
    pub talking: usize,
    /// When the next resident has something to think about.
    pub next: GameTime,
}

/// One resident's thinking in one tick, ready to be settled.
pub(crate) struct Thought {
    pub(crate) who: ResidentId,
    pub(crate) intents: Intents,
    pub(crate) records: Vec<TaskRecord>,
}

impl Engine {
    /// A town at the moment its story starts: everybody in place and asleep until they think.
    pub fn new(setting: Arc<Setting>, options: Options) -> Self {
        let stream = StreamSettings::for_embedder(setting.meanings.embedder());
        let people = setting.town.residents.iter().zip(0..);
        let residents: Vec<Resident> = people
            .map(|(new, id)| {
                let known = new.known.iter().copied();
                let (identity, settings) = (new.identity.clone(), new.settings.clone());
                Resident::new(ResidentId(id), identity, settings, known, stream.clone())
            })
            .collect();
        let bodies = setting.town.residents.iter().map(|new| {
            let name = new.identity.name.clone();
            Body {
                tile: new.start,
                showing: unborn(name, setting.town.start),
                talk: None,
            }
        });
        let count = residents.len();
        let state = State {
            tick: 0,
            bodies: bodies.collect(),
            objects: Default::default(),
            talks: Vec::new(),
            ended: Vec::new(),
            talk_count: 0,
            due: vec![0; count],
            stirred: vec![false; count],
            counters: vec![Counters::default(); count],
        };
        Self::assemble(setting, options, residents, state)
    }

    pub(crate) fn assemble(
        setting: Arc<Setting>,
        options: Options,
        residents: Vec<Resident>,
        state: State,
    ) -> Self {
        let arenas = Arenas::new(&setting.town.world, &state.bodies);
        // A machine that cannot start threads thinks on one; the result is the same.
        let pool = (options.workers > 1)
            .then(|| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(options.workers)
                    .build()
                    .ok()
            })
            .flatten();
        Self {
            setting,
            residents,
            state,
            arenas,
            pool,
        }
    }

    /// What stays the same throughout the run.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// The residents, by id.
    pub fn residents(&self) -> &[Resident] {
        &self.residents
    }

    /// The next tick.
    pub fn tick(&self) -> u64 {
        self.state.tick
    }

    /// What the town is up to.
    pub fn pulse(&self) -> Pulse {
        let count = |status| {
            self.state
                .bodies
                .iter()
                .filter(|b| b.showing.status == status)
                .count()
        };
        Pulse {
            now: self.setting.time_of(self.state.tick),
            residents: self.state.bodies.len(),
            asleep: count(Status::Asleep),
            walking: count(Status::Walking),
            talking: count(Status::Talking),
            next: self.setting.time_of(self.next_tick()),
        }
    }

    /// Goes to the next tick at which anybody thinks and computes it, if it lies before `limit`;
    /// what changed comes back. Without such a tick the engine stands at `limit`.
    ///
    /// # Errors
    /// If thinking halts. The engine is then spent: part of a tick is in it.
    pub fn advance(&mut self, limit: u64) -> Result<Option<TickRows>, Halted> {
        let tick = self.next_tick();
        if tick >= limit {
            self.state.tick = self.state.tick.max(limit);
            return Ok(None);
        }
        self.state.tick = tick;
        let thoughts = self.think()?;
        let rows = settle(self, thoughts);
        self.state.tick += 1;
        Ok(Some(rows))
    }

    /// The next tick at which anybody thinks.
    fn next_tick(&self) -> u64 {
        let state = &self.state;
        if !state.ended.is_empty() || state.stirred.contains(&true) {
            return state.tick;
        }
        state
            .due
            .iter()
            .copied()
            .min()
            .unwrap_or(u64::MAX)
            .max(state.tick)
    }

    /// Observe and think, for everybody who is due; thoughts come back in resident order.
    fn think(&mut self) -> Result<Vec<Thought>, Halted> {
        let (setting, state, arenas) = (&*self.setting, &self.state, &self.arenas);
        let everybody = self.residents.iter_mut().zip(&setting.town.residents);
        let thinkers = everybody.filter_map(|(resident, newcomer)| {
            let who = resident.id.index();
            let me = &state.bodies[who];
            let takes_part = |talk: &&Talk| talk.side(resident.id).is_some();
            let ended_talk = state.ended.iter().find(takes_part);
            if state.due[who] > state.tick && !state.stirred[who] && ended_talk.is_none() {
                return None;
            }
            let situation = Situation {
                now: setting.time_of(state.tick),
                tick: state.tick,
                seconds_per_tick: setting.seconds_per_tick(),
                world: &setting.town.world,
                phrases: setting.phrases,
                me,
                sight: sight(setting, state, arenas, resident),
                talk: state.talks.iter().find(takes_part),
                ended_talk,
                past: &newcomer.memories,
                whispers: if state.tick == 0 { &newcomer.history } else { &[] },
            };
            Some((resident, situation))
        });
        let mut thinkers: Vec<_> = thinkers.collect();
        let think_together = |group: &mut [(&mut Resident, Situation<'_>)]| {
            let thoughts = group
                .iter_mut()
                .map(|(resident, situation)| think_one(setting, resident, situation));
            futures_executor::block_on(try_join_all(thoughts))
        };
        match &self.pool {
            Some(pool) if thinkers.len() > 1 => {
                let share = thinkers.len().div_ceil(pool.current_num_threads());
                let groups: Result<Vec<Vec<Thought>>, Halted> =
                    pool.install(|| thinkers.par_chunks_mut(share).map(think_together).collect());
                Ok(groups?.into_iter().flatten().collect())
            }
            _ => think_together(&mut thinkers),
        }
    }
}

async fn think_one(
    setting: &Setting,
    resident: &mut Resident,
    situation: &Situation<'_>,
) -> Result<Thought, Halted> {
    let chance = Chance {
        seed: setting.seed,
        resident: resident.id,
        tick: situation.tick,
    };
    let asker = Asker::routine(chance, &setting.meanings);
    let who = resident.id;
    let intents = think(resident, situation, &asker).await?;
    Ok(Thought {
        who,
        intents,
        records: asker.into_records(),
    })
}

/// What somebody shows who has not begun to live yet.
fn unborn(name: Arc<str>, start: GameTime) -> Showing {
    Showing {
        status: Status::Asleep,
        activity: "".into(),
        emoji: "".into(),
        triple: townsfolk_memory::Triple::new(name, "", ""),
        place: None,
        uses: None,
        ends: start,
    }
}
