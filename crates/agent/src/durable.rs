//! A memory alone: added to, retrieved from, and on disk.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use townsfolk_memory::{
    Embedder, Filter, MemoryId, MemoryStream, NewMemory, Query, Retrieval, StreamSettings, Triple,
};

use crate::clock::Clock;
use crate::error::AgentError;
use crate::file::{Asked, Beginning, File};
use crate::remembered::{Observation, Remembered};

/// The importance of what is added without one.
const UNRATED: u8 = 5;

/// A memory stream with an embedder, a clock and a file: everything that is added or retrieved is
/// on disk when the call returns, access times included.
///
/// ```
/// use std::sync::Arc;
/// use townsfolk_agent::{DurableMemory, GameTime, ManualClock, Retrieval};
/// use townsfolk_embed::HashedWords;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("notes.run");
/// let clock = ManualClock::new("2024-06-03 08:00".parse::<GameTime>()?);
/// let embedder = Arc::new(HashedWords);
/// let mut notes = DurableMemory::create(&path, embedder.clone(), clock.clone(), Retrieval::paper())?;
/// notes.add(["The ferry leaves at nine", "林 秋 keeps bees"])?;
/// clock.advance_minutes(30);
/// assert_eq!(&*notes.retrieve("when does the ferry leave", 1)?[0].text, "The ferry leaves at nine");
/// drop(notes);
///
/// let mut notes = DurableMemory::open(&path, embedder, clock, Retrieval::paper())?;
/// assert_eq!(notes.stream().len(), 2);
/// assert_eq!(&*notes.retrieve("bees", 1)?[0].text, "林 秋 keeps bees");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DurableMemory {
    stream: MemoryStream,
    embedder: Arc<dyn Embedder>,
    clock: Box<dyn Clock>,
    retrieval: Retrieval,
    file: File,
    /// An agent's inner state, if the file is an agent's; it stays as it is.
    state: Value,
}

impl DurableMemory {
    /// An empty memory in a new file.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(
        path: impl AsRef<Path>,
        embedder: Arc<dyn Embedder>,
        clock: impl Clock + 'static,
        retrieval: Retrieval,
    ) -> Result<Self, AgentError> {
        let file = File::create(
            path.as_ref(),
            &Beginning {
                name: "memory",
                identity: json!({}),
                agent: json!({}),
                embedder: &*embedder,
                mind: "none",
                prompts: None,
                seed: 0,
                now: clock.now(),
            },
        )?;
        Ok(Self {
            stream: MemoryStream::new(StreamSettings::for_embedder(&*embedder)),
            embedder,
            clock: Box::new(clock),
            retrieval,
            file,
            state: Value::Null,
        })
    }

    /// The memory in a file, as it was left; an agent's file as well.
    ///
    /// # Errors
    /// If there is no such file, it is no agent's, it is open elsewhere, or its vectors were made
    /// by another embedder.
    pub fn open(
        path: impl AsRef<Path>,
        embedder: Arc<dyn Embedder>,
        clock: impl Clock + 'static,
        retrieval: Retrieval,
    ) -> Result<Self, AgentError> {
        let opened = File::open(path.as_ref(), &*embedder)?;
        Ok(Self {
            stream: opened.stream,
            embedder,
            clock: Box::new(clock),
            retrieval,
            file: opened.file,
            state: opened.state,
        })
    }

    /// Adds observations, all or none, at the clock's present. What has no importance gets 5.
    ///
    /// # Errors
    /// If one does not fit or the disk fails; then none was added.
    pub fn add<O: Into<Observation>>(
        &mut self,
        observations: impl IntoIterator<Item = O>,
    ) -> Result<Vec<MemoryId>, AgentError> {
        let now = self.clock.now();
        let new = observations.into_iter().map(Into::into).map(|o: Observation| {
            let importance = o.importance.unwrap_or(UNRATED);
            let mut memory = NewMemory::observation(now, Triple::new("", "", ""), o.text, importance);
            memory.keywords = o.keywords.into_iter().map(Into::into).collect();
            memory
        });
        self.add_new(new.collect())
    }

    /// Adds memories of any kind, all or none. Evidence may name memories added by the same call.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_new(&mut self, new: Vec<NewMemory>) -> Result<Vec<MemoryId>, AgentError> {
        let embed = |memory: NewMemory| {
            let embedding = self.embedder.embed(&memory.text);
            (memory, embedding)
        };
        let ids = self.stream.add_all(new.into_iter().map(embed).collect())?;
        self.save()?;
        Ok(ids)
    }

    /// Writes what has changed, or makes it unchanged.
    fn save(&mut self) -> Result<(), AgentError> {
        let (now, state) = (self.clock.now(), self.state.clone());
        if let Err(error) = self.file.save(now, &self.stream, Asked::default(), state) {
            self.stream = self.file.reload(self.stream.settings())?;
            return Err(error);
        }
        Ok(())
    }

    /// What matters about `about` now, best first, `count` at most; it is marked as accessed.
    ///
    /// # Errors
    /// If the disk fails; then nothing is marked.
    pub fn retrieve(&mut self, about: &str, count: usize) -> Result<Vec<Remembered>, AgentError> {
        self.retrieve_among(about, count, Filter::default())
    }

    /// The same among what `filter` lets through.
    ///
    /// # Errors
    /// As [`retrieve`](Self::retrieve).
    pub fn retrieve_among(
        &mut self,
        about: &str,
        count: usize,
        filter: Filter,
    ) -> Result<Vec<Remembered>, AgentError> {
        let embedding = self.embedder.embed(about);
        let query = Query::new(&embedding, self.clock.now(), count, &self.retrieval).with_filter(filter);
        let found = self.stream.retrieve(&query);
        self.save()?;
        Ok(Remembered::all(&self.stream, &found))
    }

    /// Everything that is remembered, to look at.
    pub fn stream(&self) -> &MemoryStream {
        &self.stream
    }

    /// Ends writing and leaves one whole file. Dropping the memory loses nothing either.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn close(self) -> Result<(), AgentError> {
        self.file.finish()
    }
}
