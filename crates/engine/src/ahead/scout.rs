//! A town a little ahead of itself: a copy of the engine in which everybody is as far as they can be.
//!
//! Each resident has a tick of its own, the next at which it thinks. It thinks there as soon as nobody who
//! is further behind can have affected it by then ([`Reach`]); where a reply is missing it stays, and others
//! go on. Thoughts of one tick are settled together with those of whoever could have got in each other's
//! way, by the same rules as everywhere. So the copy comes to be what the town will be, in another order.

use std::collections::BTreeMap;
use std::mem;

use futures_util::FutureExt as _;
use townsfolk_mind::ResidentId;
use townsfolk_mind::cognition::{Intents, Resident, Status, Talk, TalkIntent};
use townsfolk_mind::model::CallKey;
use townsfolk_store::TickRows;

use super::foresight::{Foresight, ToMake};
use super::reach::Reach;
use crate::engine::{self, Engine, Thought};
use crate::ledger::Recorder;
use crate::settle::settle;

/// From when two who think at the same tick cannot get in each other's way, by third ones either.
const APART: u64 = 2;

/// A town ahead of itself.
pub(super) struct Scout {
    /// The copy. Its tick is that of whoever thought last.
    town: Engine,
    /// When each resident thinks next; never for those who do not.
    next: Vec<u64>,
    /// Talks that are over and that somebody has not looked back at yet, with the tick to do so.
    ended: Vec<(u64, Talk)>,
    /// How far each resident's thinking has come.
    stage: Vec<Stage>,
    reach: Reach,
    /// What residents were seen to do at ticks that the town itself has not come to.
    foreseen: BTreeMap<(u64, ResidentId), Intents>,
}

/// How far a resident's next thinking has come.
enum Stage {
    /// Not begun.
    Open,
    /// It misses replies that are on their way.
    Waits(Vec<CallKey>),
    /// It misses what only the town itself may ask for; how many calls had arrived by then.
    Stays(u64),
    /// It is done, and not settled.
    Done(Box<(Resident, Thought)>),
}

/// How much is done at once.
#[derive(Clone, Copy)]
pub(super) struct Most {
    /// How often somebody thinks.
    pub(super) thoughts: usize,
    /// How many calls come of it; the last thought may bring a few more.
    pub(super) calls: usize,
}

/// What came of going on.
#[derive(Default)]
pub(super) struct Gone {
    /// Calls that are missing.
    pub(super) calls: Vec<ToMake>,
    /// Whether there is more to do at once.
    pub(super) unfinished: bool,
    /// Whether somebody would ask at a tick that is over what was not asked then: the copy is wrong.
    pub(super) lost: bool,
}

impl Scout {
    /// A copy of a town, whose mind looks ahead.
    pub(super) fn new(mut town: Engine, ticks: u64) -> Self {
        let state = &mut town.state;
        let now = state.tick;
        let ended: Vec<(u64, Talk)> = mem::take(&mut state.ended)
            .into_iter()
            .map(|talk| (now, talk))
            .collect();
        let mut next: Vec<u64> = state.due.iter().map(|due| (*due).max(now)).collect();
        for (next, stirred) in next.iter_mut().zip(mem::take(&mut state.stirred)) {
            if stirred {
                *next = now;
            }
        }
        state.stirred = vec![false; next.len()];
        for who in ended.iter().flat_map(|(_, talk)| talk.between) {
            next[who.index()] = now;
        }
        for (who, next) in (0..).map(ResidentId).zip(&mut next) {
            if !town.thinks(who) {
                *next = u64::MAX;
            }
        }
        let world = &town.setting.town.world;
        Self {
            reach: Reach::new(world, &town.state, &town.residents, ticks + APART),
            stage: next.iter().map(|_| Stage::Open).collect(),
            foreseen: BTreeMap::new(),
            town,
            next,
            ended,
        }
    }

    /// Goes on as far as it can, before the tick `until`. The town itself is at the tick `now`.
    pub(super) fn go_on(
        &mut self,
        (now, until): (u64, u64),
        most: Most,
        recorder: &Recorder,
        foresight: &Foresight,
    ) -> Gone {
        let mut gone = Gone::default();
        let mut thoughts = 0;
        loop {
            let soonest = self.reach.soonest(&self.next);
            let mut moved = false;
            for (who, soonest) in soonest.into_iter().enumerate() {
                let tick = self.next[who];
                // Whoever sleeps sees nothing, and wakes without regard to others.
                let asleep = self.town.state.bodies[who].showing.status == Status::Asleep;
                let alone = asleep || soonest > tick;
                if tick >= until || !alone || !self.may_think(who, now, recorder) {
                    continue;
                }
                if thoughts == most.thoughts || gone.calls.len() >= most.calls {
                    gone.unfinished = thoughts == most.thoughts;
                    return gone;
                }
                thoughts += 1;
                moved = true;
                gone.calls.extend(self.think(who, recorder, foresight));
                gone.lost |= tick < now && !matches!(self.stage[who], Stage::Done(_));
            }
            moved |= self.settle(now);
            if !moved || gone.lost {
                return gone;
            }
        }
    }

    /// Whether there is a point in letting somebody think.
    fn may_think(&self, who: usize, now: u64, recorder: &Recorder) -> bool {
        match &self.stage[who] {
            Stage::Open => true,
            Stage::Waits(keys) => !keys.iter().any(|key| recorder.is_on_its_way(key)),
            Stage::Stays(arrived) => self.next[who] < now || *arrived != recorder.arrived(),
            Stage::Done(_) => false,
        }
    }

    /// Lets somebody think, if all replies are there; or else gives the calls that are missing.
    fn think(&mut self, who: usize, recorder: &Recorder, foresight: &Foresight) -> Vec<ToMake> {
        let arrived = recorder.arrived();
        let tick = self.next[who];
        let town = &mut self.town;
        town.state.tick = tick;
        let takes_part = |talk: &Talk| talk.between.iter().any(|side| side.index() == who);
        let ended = self
            .ended
            .iter()
            .filter(|(at, talk)| *at == tick && takes_part(talk));
        town.state.ended = ended.map(|(_, talk)| talk.clone()).collect();
        let mut resident = town.residents[who].clone();
        let thought = engine::think_alone(town, &mut resident).now_or_never();
        town.state.ended.clear();
        let missing = foresight.missing();
        let made = missing.calls.iter().map(|call| call.key.clone());
        let keys: Vec<CallKey> = made.chain(missing.on_their_way).collect();
        self.stage[who] = match thought {
            Some(Ok(thought)) => Stage::Done(Box::new((resident, thought))),
            _ if keys.is_empty() => Stage::Stays(arrived),
            _ => Stage::Waits(keys),
        };
        missing.calls
    }

    /// Settles what is thought, where nobody else could still have a part in it; whether there was any.
    fn settle(&mut self, now: u64) -> bool {
        let done = |who: &usize| matches!(self.stage[*who], Stage::Done(_));
        let mut batches: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for who in (0..self.next.len()).filter(done) {
            batches.entry(self.next[who]).or_default().push(who);
        }
        let mut settled = false;
        for (tick, mut batch) in batches {
            // Whoever is affected by somebody outside is left out, and is outside then.
            loop {
                let acts =
                    (0..)
                        .zip(&self.next)
                        .map(|(who, next)| match *next <= tick && !batch.contains(&who) {
                            true => *next,
                            false => u64::MAX,
                        });
                let soonest = self.reach.soonest(&acts.collect::<Vec<_>>());
                let before = batch.len();
                batch.retain(|who| soonest[*who] > tick + APART);
                if batch.len() == before {
                    break;
                }
            }
            if !batch.is_empty() {
                self.settle_batch(now, tick, &batch);
                settled = true;
            }
        }
        settled
    }

    fn settle_batch(&mut self, now: u64, tick: u64, batch: &[usize]) {
        let town = &mut self.town;
        let mut thoughts = Vec::with_capacity(batch.len());
        for who in batch {
            if let Stage::Done(done) = mem::replace(&mut self.stage[*who], Stage::Open) {
                let (resident, thought) = *done;
                if tick >= now {
                    self.foreseen.insert((tick, thought.who), thought.intents.clone());
                }
                town.residents[*who] = resident;
                thoughts.push(thought);
            }
        }
        // Everybody else is somewhere else in time: they neither think nor talk now.
        let takes_part = |talk: &Talk| talk.between.iter().any(|side| batch.contains(&side.index()));
        let talks = mem::take(&mut town.state.talks);
        let (talks, elsewhere): (Vec<Talk>, Vec<Talk>) = talks.into_iter().partition(takes_part);
        town.state.talks = talks;
        town.state.tick = tick;
        town.state.due.fill(u64::MAX);
        settle(
            town,
            thoughts,
            &mut TickRows::new(u32::try_from(tick).unwrap_or(u32::MAX)),
        );
        town.state.talks.extend(elsewhere);

        for who in 0..self.next.len() {
            let (due, stirred) = (town.state.due[who], town.state.stirred[who]);
            let mut next = if batch.contains(&who) {
                due
            } else {
                self.next[who].min(due)
            };
            if stirred {
                next = next.min(tick + 1);
            }
            if next != self.next[who] {
                self.next[who] = next;
                self.stage[who] = Stage::Open;
            }
        }
        for talk in mem::take(&mut town.state.ended) {
            for who in talk.between.into_iter().filter(|who| town.thinks(*who)) {
                let who = who.index();
                if self.next[who] > tick + 1 {
                    self.next[who] = tick + 1;
                    self.stage[who] = Stage::Open;
                }
            }
            self.ended.push((tick + 1, talk));
        }
        let next = &self.next;
        self.ended
            .retain(|(at, talk)| talk.between.iter().any(|who| next[who.index()] <= *at));
        let world = &town.setting.town.world;
        for (who, (body, resident)) in town.state.bodies.iter().zip(&town.residents).enumerate() {
            self.reach.update(world, who, body, resident);
        }
    }

    /// Whether what the town itself did at a tick is what was foreseen, as far as anything was.
    pub(super) fn was_right(&mut self, tick: u64, thoughts: &[Thought]) -> bool {
        let later = self.foreseen.split_off(&(tick + 1, ResidentId(0)));
        let mut foreseen = mem::replace(&mut self.foreseen, later);
        let soonest = self.reach.soonest(&self.next);
        let right = |thought: &Thought| {
            let who = thought.who.index();
            match foreseen.remove(&(tick, thought.who)) {
                Some(intents) => same(&intents, &thought.intents),
                // It has not come there yet, or somebody who may affect it has not.
                None => self.next[who] <= tick || soonest[who] <= tick,
            }
        };
        thoughts.iter().all(right) && foreseen.is_empty()
    }
}

/// Whether two intents are the same to others. Numbers of talks may differ, since they are counted in the
/// order in which talks begin.
fn same(a: &Intents, b: &Intents) -> bool {
    let talk = match (&a.talk, &b.talk) {
        (
            Some(TalkIntent::Say { line, ends, .. }),
            Some(TalkIntent::Say {
                line: other_line,
                ends: other_ends,
                ..
            }),
        ) => (line, ends) == (other_line, other_ends),
        (a, b) => a == b,
    };
    talk && a.step == b.step && a.showing == b.showing && a.think_again == b.think_again
}
