//! A whole run in memory, as the checks look at it.

use townsfolk_store::{
    ActionRow, ActionStatus, At, Conversation, InputRow, MemoryFilter, MemoryId, MemoryRow, MoveRow, PlanRow,
    ResidentId, Result, RunInfo, RunReader, Tick,
};
use townsfolk_time::GameTime;

/// Everything that happened, but for what minds were asked: that is read piece by piece.
pub(crate) struct Story<'r> {
    pub(crate) run: &'r RunReader,
    pub(crate) info: RunInfo,
    /// The last tick; 0 in a run that has not begun, which then has no rows either.
    pub(crate) head: Tick,
    /// By id.
    pub(crate) people: Vec<Person>,
    pub(crate) conversations: Vec<Conversation>,
    pub(crate) inputs: Vec<At<InputRow>>,
}

/// All rows about one resident.
pub(crate) struct Person {
    pub(crate) id: ResidentId,
    pub(crate) name: String,
    /// The tick at which they came.
    pub(crate) came: Tick,
    /// The tick at which they left for good.
    pub(crate) left: Option<Tick>,
    /// Whether people move and speak through them.
    pub(crate) visits: bool,
    /// By id; without their vectors.
    pub(crate) memories: Vec<At<MemoryRow>>,
    /// How long their vectors are, in the same order.
    pub(crate) vectors: Vec<usize>,
    /// By date and revision.
    pub(crate) plans: Vec<At<PlanRow>>,
    /// By tick.
    pub(crate) actions: Vec<At<ActionRow>>,
    /// By tick.
    pub(crate) moves: Vec<At<MoveRow>>,
}

impl<'r> Story<'r> {
    pub(crate) fn read(run: &'r RunReader) -> Result<Self> {
        let info = run.info()?;
        let mut people = Vec::new();
        for resident in run.residents()? {
            let mut memories = run.memories(resident.id, &MemoryFilter::default())?;
            let take = |memory: &mut At<MemoryRow>| std::mem::take(&mut memory.row.vector).len();
            let vectors = memories.iter_mut().map(take).collect();
            people.push(Person {
                id: resident.id,
                name: resident.name,
                came: resident.came,
                left: resident.left,
                visits: resident.role.is_some(),
                memories,
                vectors,
                plans: match info.head {
                    Some(head) => run.plans(resident.id, head)?,
                    None => Vec::new(),
                },
                actions: Vec::new(),
                moves: Vec::new(),
            });
        }
        let mut story = Self {
            run,
            head: info.head.unwrap_or(0),
            conversations: match info.head {
                Some(head) => run.conversations(head)?,
                None => Vec::new(),
            },
            inputs: run.inputs(0..=Tick::MAX)?,
            people,
            info,
        };
        for action in run.actions_between(0..=story.head)? {
            if let Some(person) = story.people.get_mut(action.row.resident as usize) {
                person.actions.push(action);
            }
        }
        for step in run.moves(0..=story.head)? {
            if let Some(person) = story.people.get_mut(step.row.resident as usize) {
                person.moves.push(step);
            }
        }
        Ok(story)
    }

    pub(crate) fn person(&self, id: ResidentId) -> Option<&Person> {
        self.people.get(id as usize).filter(|person| person.id == id)
    }

    pub(crate) fn name(&self, id: ResidentId) -> String {
        match self.person(id) {
            Some(person) => person.name.clone(),
            None => format!("resident {id}, who does not exist"),
        }
    }

    /// Game time of a tick.
    pub(crate) fn time(&self, tick: Tick) -> GameTime {
        GameTime::from_seconds(self.info.start) + i64::from(tick) * i64::from(self.info.seconds_per_tick)
    }

    /// The memory of somebody, if they held it at the end of `tick`.
    pub(crate) fn held(&self, who: ResidentId, memory: MemoryId, tick: Tick) -> Option<&At<MemoryRow>> {
        self.person(who)?
            .memory(memory)
            .filter(|memory| memory.tick <= tick)
    }

    /// Whether something from outside acted at `tick`.
    pub(crate) fn steered_at(&self, tick: Tick) -> bool {
        self.inputs.iter().any(|input| input.tick == tick)
    }
}

impl Person {
    pub(crate) fn memory(&self, id: MemoryId) -> Option<&At<MemoryRow>> {
        let at = self.memories.binary_search_by_key(&id, |memory| memory.row.id);
        at.ok().map(|at| &self.memories[at])
    }

    /// How the moment was spent at the end of `tick`.
    pub(crate) fn status_at(&self, tick: Tick) -> Option<ActionStatus> {
        let until = self.actions.partition_point(|action| action.tick <= tick);
        until.checked_sub(1).map(|at| self.actions[at].row.status)
    }
}
