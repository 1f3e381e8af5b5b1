//! What a run says about itself: the `meta` table.

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::rows::{GameSeconds, NewRun, RunState, Tick};

/// The keys of the `meta` table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    TownsfolkVersion,
    RunId,
    ParentRun,
    ForkTick,
    Town,
    Start,
    SecondsPerTick,
    Seed,
    Mind,
    Models,
    Prompts,
    Prices,
    Embedder,
    EmbeddingDimensions,
    State,
    HeadTick,
    GoalTick,
}

impl Key {
    /// As it stands in the table.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::TownsfolkVersion => "townsfolk_version",
            Self::RunId => "run_id",
            Self::ParentRun => "parent_run",
            Self::ForkTick => "fork_tick",
            Self::Town => "town",
            Self::Start => "start",
            Self::SecondsPerTick => "seconds_per_tick",
            Self::Seed => "seed",
            Self::Mind => "mind",
            Self::Models => "models",
            Self::Prompts => "prompts",
            Self::Prices => "prices",
            Self::Embedder => "embedder",
            Self::EmbeddingDimensions => "embedding_dimensions",
            Self::State => "state",
            Self::HeadTick => "head_tick",
            Self::GoalTick => "goal_tick",
        }
    }
}

/// What a run says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInfo {
    /// The version of the program that created it.
    pub townsfolk_version: String,
    /// The run's name for itself: the same start gives the same id.
    pub run_id: String,
    /// Where it was forked from, if it was.
    pub parent: Option<Parent>,
    /// The town's name.
    pub town: String,
    /// Game time of tick 0.
    pub start: GameSeconds,
    /// Game seconds per tick.
    pub seconds_per_tick: u32,
    /// The seed.
    pub seed: u64,
    /// Which mind answered when it began; [`RunReader::answerers`](crate::RunReader::answerers) knows all.
    pub mind: String,
    /// How the models are set up that it goes on with, as text without any key; `None` without models.
    pub models: Option<String>,
    /// Hash of the prompts it goes on with; `None` without models.
    pub prompts: Option<String>,
    /// What its models have cost so far, by name, as text; `None` where no price was ever known.
    pub prices: Option<String>,
    /// Which embedder made the vectors.
    pub embedder: String,
    /// Length of its vectors, in components.
    pub embedding_dimensions: u32,
    /// How the run was left.
    pub state: RunState,
    /// The last tick in the file; `None` before the first.
    pub head: Option<Tick>,
    /// The tick before which the run was last asked to end, if it was; not part of the digest.
    pub goal: Option<Tick>,
}

/// The run another was forked from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent {
    /// The parent's id.
    pub run_id: String,
    /// The tick up to which both are the same.
    pub tick: Tick,
}

/// Writes the head of a new run.
pub(crate) fn begin(db: &Connection, run: &NewRun) -> rusqlite::Result<()> {
    set(db, Key::TownsfolkVersion, &run.townsfolk_version)?;
    set(db, Key::RunId, &id_of(run))?;
    set(db, Key::Town, &run.town)?;
    set(db, Key::Start, &run.start.to_string())?;
    set(db, Key::SecondsPerTick, &run.seconds_per_tick.to_string())?;
    set(db, Key::Seed, &run.seed.to_string())?;
    set(db, Key::Mind, &run.mind)?;
    put(db, Key::Models, run.models.as_deref())?;
    put(db, Key::Prompts, run.prompts.as_deref())?;
    set(db, Key::Embedder, &run.embedder)?;
    set(
        db,
        Key::EmbeddingDimensions,
        &run.embedding_dimensions.to_string(),
    )?;
    set(db, Key::State, RunState::Running.as_str())
}

/// Marks a copy as a fork of the run it was copied from.
pub(crate) fn descend(db: &Connection, fork_tick: Tick) -> rusqlite::Result<()> {
    let parent = get(db, Key::RunId)?.unwrap_or_default();
    let id = short_hash(&[&parent, &fork_tick.to_string()]);
    set(db, Key::ParentRun, &parent)?;
    set(db, Key::ForkTick, &fork_tick.to_string())?;
    set(db, Key::RunId, &id)?;
    // What the parent was asked for says nothing about the child.
    put(db, Key::GoalTick, None)?;
    set(db, Key::State, RunState::Running.as_str())
}

/// Sets one key.
pub(crate) fn set(db: &Connection, key: Key, value: &str) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")?
        .execute(params![key.as_str(), value])
        .map(drop)
}

/// Sets one key, or takes it away.
pub(crate) fn put(db: &Connection, key: Key, value: Option<&str>) -> rusqlite::Result<()> {
    match value {
        Some(value) => set(db, key, value),
        None => db
            .prepare_cached("DELETE FROM meta WHERE key = ?1")?
            .execute([key.as_str()])
            .map(drop),
    }
}

/// Reads one key.
pub(crate) fn get(db: &Connection, key: Key) -> rusqlite::Result<Option<String>> {
    db.prepare_cached("SELECT value FROM meta WHERE key = ?1")?
        .query_row([key.as_str()], |row| row.get(0))
        .optional()
}

/// A run's id follows from all it starts with, so that the same start is recognised as the same.
fn id_of(run: &NewRun) -> String {
    let mut fields = vec![
        run.town.clone(),
        run.start.to_string(),
        run.seconds_per_tick.to_string(),
        run.seed.to_string(),
        run.mind.clone(),
        run.embedder.clone(),
        run.embedding_dimensions.to_string(),
    ];
    fields.extend(run.models.iter().chain(&run.prompts).cloned());
    for part in &run.parts {
        fields.extend([part.part.clone(), part.data.clone()]);
    }
    for resident in &run.residents {
        fields.extend([resident.name.clone(), resident.identity.clone()]);
    }
    fields.extend(run.places.iter().map(|place| place.address.clone()));
    short_hash(&fields.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Sixteen hexadecimal digits for a list of texts.
fn short_hash(fields: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for field in fields {
        hasher.update(&(field.len() as u64).to_le_bytes());
        hasher.update(field.as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}
