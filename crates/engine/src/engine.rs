//! A town in motion, and the tick.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::future::{pending, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use futures_util::future::{Either, join_all, select};
use futures_util::task::AtomicWaker;
use rayon::prelude::*;
use townsfolk_memory::Embedding;
use townsfolk_mind::cognition::{
    Body, Intents, Resident, Showing, Situation, Status, Talk, statements_of, think,
};
use townsfolk_mind::model::{ModelMind, RemoteEmbedder};
use townsfolk_mind::routine::Meanings;
use townsfolk_mind::tasks::Exchange;
use townsfolk_mind::{Asker, Chance, Halted, Phrases, ResidentId, TaskRecord};
use townsfolk_store::{TaskRow, TickRows};
use townsfolk_time::GameTime;
use townsfolk_town::Town;
use townsfolk_world::{PlaceId, Tile};

use crate::ahead::{Ahead, is_steered};
use crate::input::Written;
use crate::ledger::{Past, Stop, TOWN, Unkept};
use crate::minds::{Minds, Shared};
use crate::observe::{Arenas, sight};
use crate::people::{self, Person};
use crate::settle::settle;
use crate::steer;

/// What stays the same throughout a run.
pub struct Setting {
    /// The town as the story starts.
    pub town: Town,
    /// Where every draw of chance starts from.
    pub seed: u64,
    /// What words mean to the rules.
    pub meanings: Meanings,
    /// Who answers, and what turns texts into vectors.
    pub minds: Minds,
    /// How things are worded.
    pub phrases: &'static Phrases,
}

impl Setting {
    /// A town, a seed, and who answers: an embedder alone is the routine mind with it.
    pub fn new(town: Town, seed: u64, minds: impl Into<Minds>) -> Self {
        let phrases = Phrases::of(&town.language);
        let minds = minds.into();
        Self {
            town,
            seed,
            meanings: Meanings::new(minds.embedder.clone()),
            minds,
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

    /// Game seconds from one tick to the next, at least 1.
    pub fn seconds_per_tick(&self) -> i64 {
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
    /// Everybody who is or was in town.
    pub(crate) people: Vec<Person>,
    /// Their inner lives, by the same ids; a visitor's holds only what they said.
    pub(crate) residents: Vec<Resident>,
    pub(crate) state: State,
    pub(crate) arenas: Arenas,
    /// What people do from outside, by the tick at which it acts; all of it is in the run file.
    pub(crate) inputs: BTreeMap<u64, Vec<Written>>,
    /// The models that answer, with the run's memory of calls.
    shared: Shared,
    /// The same models, without any memory.
    untraced: Shared,
    /// What was answered at ticks that are computed again.
    past: Option<Past>,
    pool: Option<rayon::ThreadPool>,
    /// What fetches the replies of ticks to come, where calls are waited for.
    ahead: Option<Ahead>,
}

/// Those who serve a run share engines between threads.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Engine>();
};

/// The part of an engine that ticks change, besides the residents' inner lives.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct State {
    /// The next tick.
    pub(crate) tick: u64,
    /// Where everybody is and what they show, by resident.
    pub(crate) bodies: Vec<Body>,
    /// The objects whose state is not their usual one.
    pub(crate) objects: BTreeMap<PlaceId, ObjectState>,
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
    /// Who came after the story began, in order.
    #[serde(default)]
    pub(crate) arrived: Vec<Person>,
    /// Who has left, and at which tick.
    #[serde(default)]
    pub(crate) left: BTreeMap<ResidentId, u64>,
    /// What is whispered and not heard yet: its hearer sleeps.
    #[serde(default)]
    pub(crate) whispers: Vec<Whisper>,
    /// What visitors mean to say when it is their turn.
    #[serde(default)]
    pub(crate) speeches: Vec<Speech>,
    /// The tiles that visitors are to walk, nearest first.
    #[serde(default)]
    pub(crate) walks: BTreeMap<ResidentId, VecDeque<Tile>>,
    /// Who was put on another tile and has not looked around yet.
    #[serde(default)]
    pub(crate) displaced: BTreeSet<ResidentId>,
    /// Answers given to somebody from outside, to be remembered.
    #[serde(default)]
    pub(crate) answers: Vec<Answered>,
}

/// An inner voice on its way.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Whisper {
    pub(crate) to: ResidentId,
    pub(crate) text: String,
}

/// A visitor's words on their way.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Speech {
    pub(crate) visitor: ResidentId,
    pub(crate) to: ResidentId,
    pub(crate) text: String,
    pub(crate) ends: bool,
}

/// What a visitor means to say: statement by statement, each with its meaning.
pub(crate) type Said = Vec<(Arc<str>, Embedding)>;

/// An answer that is to be remembered.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Answered {
    pub(crate) by: ResidentId,
    pub(crate) exchange: Exchange,
}

/// Numbers that rows are counted by, for one resident.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Counters {
    pub(crate) plan_date: Option<townsfolk_time::Date>,
    pub(crate) plan_revision: u32,
    pub(crate) appointments: u32,
    /// When each appointment begins, by its number, where it may still be changed.
    #[serde(default)]
    pub(crate) begins: Vec<(u32, GameTime)>,
}

/// The state of an object.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct ObjectState {
    pub(crate) state: Arc<str>,
    /// Whose use put it in that state; none where it was set from outside, and then use changes
    /// nothing.
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
        let people = people::all(&setting.town, &[]);
        let residents: Vec<Resident> = (0..)
            .zip(&people)
            .map(|(id, person)| unacquainted(&setting, ResidentId(id), person))
            .collect();
        let bodies = people.iter().map(|person| new_body(person, setting.town.start));
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
            arrived: Vec::new(),
            left: BTreeMap::new(),
            whispers: Vec::new(),
            speeches: Vec::new(),
            walks: BTreeMap::new(),
            displaced: BTreeSet::new(),
            answers: Vec::new(),
        };
        Self::assemble(setting, options, residents, state)
    }

    pub(crate) fn assemble(
        setting: Arc<Setting>,
        options: Options,
        residents: Vec<Resident>,
        state: State,
    ) -> Self {
        let people = people::all(&setting.town, &state.arrived);
        let mut arenas = Arenas::new(&setting.town.world, &state.bodies);
        for gone in state.left.keys() {
            arenas.leave(&setting.town.world, *gone, state.bodies[gone.index()].tile);
        }
        // A machine that cannot start threads thinks on one; the result is the same.
        let pool = (options.workers > 1)
            .then(|| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(options.workers)
                    .build()
                    .ok()
            })
            .flatten();
        let untraced = || {
            setting
                .minds
                .with_ledger(&Arc::new(Unkept::new(&setting.minds.terms)))
        };
        Self {
            shared: untraced(),
            untraced: untraced(),
            past: None,
            setting,
            people,
            residents,
            state,
            arenas,
            inputs: BTreeMap::new(),
            pool,
            ahead: None,
        }
    }

    /// Lets models answer that remember calls.
    pub(crate) fn remember_calls(&mut self, shared: Shared) {
        self.shared = shared;
    }

    /// Lets replies of ticks to come be fetched while those of a tick are waited for.
    pub(crate) fn run_ahead(&mut self, ahead: Ahead) {
        self.ahead = Some(ahead);
    }

    /// Lets go of what was foreseen: something is done from outside.
    pub(crate) fn foresee_anew(&mut self) {
        if let Some(ahead) = &mut self.ahead {
            ahead.forget();
        }
    }

    /// Waits for the calls that were made ahead, unless people no longer want to wait.
    pub(crate) fn let_calls_arrive(&mut self) {
        if let Some(ahead) = &mut self.ahead {
            wait_for(self.setting.minds.stop(), ahead.arrive(), pending());
        }
    }

    /// The same town on its own, with another mind.
    fn copy(&self, mind: Shared) -> Self {
        Self {
            setting: self.setting.clone(),
            people: self.people.clone(),
            residents: self.residents.clone(),
            state: self.state.clone(),
            arenas: self.arenas.clone(),
            inputs: BTreeMap::new(),
            shared: mind,
            untraced: (self.setting.minds).with_ledger(&Arc::new(Unkept::new(&self.setting.minds.terms))),
            past: None,
            pool: None,
            ahead: None,
        }
    }

    /// Ticks that `past` has are computed from the answers given then.
    pub(crate) fn relive(&mut self, past: Option<Past>) {
        self.past = past;
    }

    /// The questions of a tick as they were asked when it was computed first, if it was.
    fn relived(&self, tick: u32) -> Option<Vec<TaskRow>> {
        let past = self.past.as_ref().filter(|past| past.has(tick.into()))?;
        Some(past.tasks(tick))
    }

    /// What stays the same throughout the run.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// The inner lives of [`people`](Self::people), by id.
    pub fn residents(&self) -> &[Resident] {
        &self.residents
    }

    /// The next tick.
    pub fn tick(&self) -> u64 {
        self.state.tick
    }

    /// Whether somebody is in a talk that goes on.
    pub fn is_talking(&self, who: ResidentId) -> bool {
        self.state.talks.iter().any(|talk| talk.between.contains(&who))
    }

    /// What the town is up to.
    pub fn pulse(&self) -> Pulse {
        let thinking = || {
            let ids = (0..self.people.len() as u16).map(ResidentId);
            ids.filter(|id| self.thinks(*id))
        };
        let count = |status| {
            let shows = |id: &ResidentId| self.state.bodies[id.index()].showing.status == status;
            thinking().filter(shows).count()
        };
        Pulse {
            now: self.setting.time_of(self.state.tick),
            residents: thinking().count(),
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
        let mut rows = TickRows::new(u32::try_from(tick).unwrap_or(u32::MAX));
        if let Some(inputs) = self.inputs.remove(&tick) {
            // Nobody drives them on while the town asks, which may have to wait for what they leave of a budget.
            self.let_calls_arrive();
            for input in inputs {
                steer::act(self, &input, &mut rows)?;
            }
        }
        let mut ahead = self.ahead.take();
        self.look_ahead(ahead.as_mut(), limit);
        let thoughts = self.think(ahead.as_mut());
        self.ahead = ahead;
        let thoughts = thoughts?;
        if let Some(ahead) = &mut self.ahead {
            ahead.compare(tick, &thoughts);
        }
        let said = self.understand_visitors()?;
        settle(self, thoughts, said, &mut rows);
        if let Some(tasks) = self.relived(rows.tick) {
            rows.tasks = tasks;
        }
        self.state.tick += 1;
        Ok(Some(rows))
    }

    /// The next tick at which anybody thinks, a visitor walks, or something is done from outside.
    fn next_tick(&self) -> u64 {
        let state = &self.state;
        if !state.ended.is_empty() || state.stirred.contains(&true) || !state.walks.is_empty() {
            return state.tick;
        }
        let input = self.inputs.keys().next();
        state
            .due
            .iter()
            .chain(input)
            .copied()
            .min()
            .unwrap_or(u64::MAX)
            .max(state.tick)
    }

    /// Begins to run ahead of a tick, as far as `limit`.
    fn look_ahead(&self, ahead: Option<&mut Ahead>, limit: u64) {
        let Some(ahead) = ahead else { return };
        let tick = self.state.tick;
        let is_visitor = |who: ResidentId| self.people[who.index()].is_visitor();
        let relived = self.past.as_ref().is_some_and(|past| past.has(tick));
        if relived || is_steered(&self.state, is_visitor) {
            ahead.forget();
            return;
        }
        let input = self.inputs.keys().next().copied();
        let until = limit.min(input.unwrap_or(u64::MAX));
        let mind = ahead.mind(&self.setting.minds);
        ahead.begin(tick, until, self.setting.seconds_per_tick(), || self.copy(mind));
    }

    /// Observe and think, for everybody who is due; thoughts come back in resident order.
    fn think(&mut self, mut ahead: Option<&mut Ahead>) -> Result<Vec<Thought>, Halted> {
        let (setting, state, arenas) = (&*self.setting, &self.state, &self.arenas);
        let (people, minds) = (&self.people, &self.setting.minds);
        let everybody = self.residents.iter_mut().zip(people);
        let thinkers = everybody.filter_map(|(resident, person)| {
            let who = resident.id;
            let talked = || state.ended.iter().any(|talk| talk.side(who).is_some());
            if person.is_visitor() || state.left.contains_key(&who) {
                return None;
            }
            if state.due[who.index()] > state.tick && !state.stirred[who.index()] && !talked() {
                return None;
            }
            let situation = situation(setting, people, state, arenas, resident);
            Some((resident, situation))
        });
        let mut thinkers: Vec<_> = thinkers.collect();
        let answering = Answering::at(state.tick, self.past.as_ref(), &self.shared);
        let mut beside = poll_fn(|context| match &mut ahead {
            Some(ahead) => ahead.poll(minds, context),
            None => Poll::Pending,
        });
        let thoughts = match &self.pool {
            Some(pool) if thinkers.len() > 1 => {
                let share = thinkers.len().div_ceil(pool.current_num_threads());
                let mut groups = Vec::new();
                let (done, waker) = (AtomicBool::new(false), AtomicWaker::new());
                let told = poll_fn(|context| {
                    waker.register(context.waker());
                    match done.load(Ordering::Acquire) {
                        true => Poll::Ready(()),
                        false => Poll::Pending,
                    }
                });
                pool.in_place_scope(|scope| {
                    scope.spawn(|_| {
                        let chunks = thinkers.par_chunks_mut(share);
                        groups = chunks
                            .map(|group| {
                                until_given_up(setting, think_together(setting, answering, group), pending())
                            })
                            .collect();
                        done.store(true, Ordering::Release);
                        waker.wake();
                    });
                    futures_executor::block_on(select(told, &mut beside));
                });
                groups.into_iter().flatten().collect()
            }
            _ => until_given_up(setting, think_together(setting, answering, &mut thinkers), beside),
        };
        thoughts.into_iter().collect()
    }

    /// What visitors mean to say, in the order of [`State::speeches`].
    fn understand_visitors(&self) -> Result<Vec<Said>, Halted> {
        let (setting, tick) = (&*self.setting, self.state.tick);
        let understood = self.state.speeches.iter().map(|speech| async move {
            let [visitor, listener] = [speech.visitor, speech.to].map(|id| self.people[id.index()].name());
            let texts = statements_of(setting.phrases, &speech.text, visitor, listener);
            let asker = self.asker(Chance {
                seed: setting.seed,
                resident: speech.visitor,
                tick,
            });
            let vectors = asker
                .embed_all(&texts.iter().map(String::as_str).collect::<Vec<_>>())
                .await
                .map_err(|halted: Halted| halted.of(visitor))?;
            Ok(texts.into_iter().map(Arc::from).zip(vectors).collect())
        });
        let understood = until_given_up(setting, join_all(understood), pending());
        understood.into_iter().collect()
    }

    /// An asker for a question of the tick at hand.
    pub(crate) fn asker(&self, chance: Chance) -> Asker<'_> {
        Answering::at(chance.tick, self.past.as_ref(), &self.shared).asker(chance, &self.setting)
    }

    /// The meaning of a text as memories have it, by the embedder they have; leaves no trace.
    ///
    /// # Errors
    /// If an embedder elsewhere does not answer.
    pub fn meaning_of(&self, text: &str) -> Result<Embedding, Halted> {
        let chance = Chance {
            seed: self.setting.seed,
            resident: TOWN,
            tick: self.state.tick,
        };
        futures_executor::block_on(self.asker_without_trace(chance).embed(text))
    }

    /// An asker for questions that leave no trace.
    pub(crate) fn asker_without_trace(&self, chance: Chance) -> Asker<'_> {
        Answering::of(&self.untraced).asker(chance, &self.setting)
    }
}

/// What somebody thinks about at the tick at hand.
fn situation<'s>(
    setting: &'s Setting,
    people: &'s [Person],
    state: &'s State,
    arenas: &Arenas,
    resident: &Resident,
) -> Situation<'s> {
    let who = resident.id;
    let person = &people[who.index()];
    let me = &state.bodies[who.index()];
    let takes_part = |talk: &&Talk| talk.side(who).is_some();
    let newcomer = &person.newcomer;
    let history = (state.tick == person.came).then_some(&newcomer.history);
    let awake = me.showing.status != Status::Asleep;
    let voices = state.whispers.iter().filter(|w| awake && w.to == who);
    let answers = state.answers.iter().filter(|answer| answer.by == who);
    Situation {
        now: setting.time_of(state.tick),
        tick: state.tick,
        seconds_per_tick: setting.seconds_per_tick(),
        world: &setting.town.world,
        phrases: setting.phrases,
        me,
        sight: sight(setting, people, state, arenas, resident),
        talk: state.talks.iter().find(takes_part),
        ended_talk: state.ended.iter().find(takes_part),
        past: &newcomer.memories,
        whispers: history
            .into_iter()
            .flatten()
            .chain(voices.map(|whisper| &whisper.text))
            .map(String::as_str)
            .collect(),
        answers: answers.map(|answer| &answer.exchange).collect(),
        displaced: state.displaced.contains(&who),
    }
}

/// Waits for something, unless people no longer want to wait; `beside` goes on meanwhile.
fn wait_for<T>(
    stop: Option<&Stop>,
    wanted: impl Future<Output = T>,
    beside: impl Future<Output = ()>,
) -> Option<T> {
    let given_up = async {
        match stop {
            Some(stop) => stop.when_given_up().await,
            None => pending().await,
        }
    };
    let (wanted, given_up, beside) = (pin!(wanted), pin!(given_up), pin!(beside));
    match futures_executor::block_on(select(wanted, select(given_up, beside))) {
        Either::Left((wanted, _)) => Some(wanted),
        Either::Right(_) => None,
    }
}

/// Waits for thoughts, unless people no longer want to wait.
fn until_given_up<T>(
    setting: &Setting,
    thoughts: impl Future<Output = Vec<Result<T, Halted>>>,
    beside: impl Future<Output = ()>,
) -> Vec<Result<T, Halted>> {
    wait_for(setting.minds.stop(), thoughts, beside).unwrap_or_else(|| {
        vec![Err(Halted {
            reason: "stopped while replies were on their way".to_owned(),
        })]
    })
}

/// Who answers at a tick.
#[derive(Clone, Copy)]
enum Answering<'a> {
    /// The routine mind; memories may be embedded elsewhere.
    Rules(Option<&'a RemoteEmbedder>),
    /// Language models.
    Models(&'a ModelMind),
    /// Nobody: what was answered then stands.
    Past(&'a Past),
}

impl<'a> Answering<'a> {
    fn at(tick: u64, past: Option<&'a Past>, shared: &'a Shared) -> Self {
        match past {
            Some(past) if past.has(tick) => Self::Past(past),
            _ => Self::of(shared),
        }
    }

    fn of(shared: &'a Shared) -> Self {
        match &shared.mind {
            Some(mind) => Self::Models(mind),
            None => Self::Rules(shared.embedder.as_ref()),
        }
    }

    fn asker(self, chance: Chance, setting: &'a Setting) -> Asker<'a> {
        match self {
            Self::Rules(None) => Asker::routine(chance, &setting.meanings),
            Self::Rules(Some(embedder)) => Asker::routine_with_embedder(chance, &setting.meanings, embedder),
            Self::Models(mind) => Asker::with_model(chance, &setting.meanings, mind),
            Self::Past(past) => Asker::recorded(chance, &setting.meanings, past),
        }
    }
}

/// Somebody thinks at a town's tick, nobody else; what it changes is `resident`.
pub(crate) async fn think_alone(town: &Engine, resident: &mut Resident) -> Result<Thought, Halted> {
    let setting = &*town.setting;
    let situation = situation(setting, &town.people, &town.state, &town.arenas, resident);
    think_one(setting, Answering::of(&town.shared), resident, &situation).await
}

/// Some think side by side. Everybody is waited for, also where somebody's thinking halts: a reply that was
/// on its way is paid for and has to be recorded.
async fn think_together(
    setting: &Setting,
    answering: Answering<'_>,
    group: &mut [(&mut Resident, Situation<'_>)],
) -> Vec<Result<Thought, Halted>> {
    let thoughts = group
        .iter_mut()
        .map(|(resident, situation)| think_one(setting, answering, resident, situation));
    join_all(thoughts).await
}

async fn think_one(
    setting: &Setting,
    answering: Answering<'_>,
    resident: &mut Resident,
    situation: &Situation<'_>,
) -> Result<Thought, Halted> {
    let chance = Chance {
        seed: setting.seed,
        resident: resident.id,
        tick: situation.tick,
    };
    let asker = answering.asker(chance, setting);
    let who = resident.id;
    let thought = think(resident, situation, &asker).await;
    let intents = thought.map_err(|halted| halted.of(&resident.life.identity.name))?;
    Ok(Thought {
        who,
        intents,
        records: asker.into_records(),
    })
}

/// Somebody's inner life before they begin to live.
pub(crate) fn unacquainted(setting: &Setting, id: ResidentId, person: &Person) -> Resident {
    let newcomer = &person.newcomer;
    let known = newcomer.known.iter().copied();
    let (identity, settings) = (newcomer.identity.clone(), newcomer.settings.clone());
    let stream = setting.minds.stream();
    Resident::new(id, identity, settings, known, stream)
}

/// The body of a resident who has not begun to live yet.
pub(crate) fn new_body(person: &Person, now: GameTime) -> Body {
    Body {
        tile: person.newcomer.start,
        showing: Showing {
            status: Status::Asleep,
            activity: "".into(),
            emoji: "".into(),
            triple: townsfolk_memory::Triple::new(person.name().clone(), "", ""),
            place: None,
            uses: None,
            ends: now,
        },
        talk: None,
    }
}
