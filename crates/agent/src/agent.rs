//! The agent: what it can be asked to do.

use std::path::Path;
use std::sync::Arc;

use futures_executor::block_on;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use townsfolk_memory::{Embedder, MemoryId, MemoryKind, MemoryStream, Query, StreamSettings, Triple};
use townsfolk_mind::cognition::apart::{
    Heard, KNOWS, Note, comes_to_mind, describe, facts_about, keep_in_mind, recall_all, recalled, reflect,
    reflect_if_due, relationship, remember, topics,
};
use townsfolk_mind::cognition::{Journal, Life, Resident};
use townsfolk_mind::model::{Calls as Pace, ModelMind, PromptSet, Roles};
use townsfolk_mind::routine::Meanings;
use townsfolk_mind::tasks::{
    Acquaintance, Exchange, Interview, Line, NextLine, Present, React, Reaction, Relationship, Seen,
};
use townsfolk_mind::{Asker, Chance, Phrases, ResidentId, Settings};
use townsfolk_store::RunReader;
use townsfolk_time::GameTime;

use crate::calls::Calls;
use crate::clock::Clock;
use crate::dialogue::{Dialogue, Reply};
use crate::error::AgentError;
use crate::file::{Asked, Beginning, File};
use crate::persona::Persona;
use crate::remembered::{Answer, Observation, Remembered};

/// How many memories a question brings up (2023 code: 50 for interviews).
const FOR_AN_ANSWER: usize = 50;
/// How many memories each question about an event brings up.
const FOR_A_REACTION: usize = 12;
/// How long a view of oneself lasts, in seconds (LangChain: `summary_refresh_seconds`, 3600).
const VIEW_LASTS_SECONDS: i64 = 3_600;
/// An agent without a town is nobody's neighbour.
const ALONE: ResidentId = ResidentId(0);

/// What an agent lives with: none of it is kept in its file.
pub struct Surroundings {
    meanings: Meanings,
    clock: Box<dyn Clock>,
    model: Option<(ModelMind, Arc<Calls>)>,
}

impl Surroundings {
    /// An embedder, a clock, and the routine mind, which answers by rules from what is remembered.
    pub fn new(embedder: Arc<dyn Embedder>, clock: impl Clock + 'static) -> Self {
        Self {
            meanings: Meanings::new(embedder),
            clock: Box::new(clock),
            model: None,
        }
    }

    /// The same with language models as the mind, asked by these prompts. Where a model gives no answer that
    /// can stand, the routine mind answers, and the file says why.
    #[must_use]
    pub fn with_models(self, models: Roles, prompts: PromptSet) -> Self {
        let calls = Arc::new(Calls::default());
        let mind = ModelMind {
            models,
            prompts: Arc::new(prompts),
            ledger: calls.clone(),
            embedder: None,
            calls: Pace::Together,
            crib: None,
        };
        Self {
            model: Some((mind, calls)),
            ..self
        }
    }

    fn asker(&self, chance: Chance) -> Asker<'_> {
        match &self.model {
            Some((mind, _)) => Asker::with_model(chance, &self.meanings, mind),
            None => Asker::routine(chance, &self.meanings),
        }
    }

    /// Who answers, as files have it.
    fn mind(&self) -> &str {
        let model = self.model.as_ref();
        model.map_or("routine", |(mind, _)| mind.models.thinking.model.name())
    }

    fn calls(&self) -> Option<&Calls> {
        self.model.as_ref().map(|(_, calls)| &**calls)
    }
}

/// What is fixed when an agent is made, and kept in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// How its mind is set: what it recalls by, when it reflects.
    pub settings: Settings,
    /// The language it thinks in, such as `en`.
    pub language: String,
    /// Where its chance comes from: the same seed, words and times give the same agent.
    pub seed: u64,
}

impl Default for Options {
    /// The paper's settings, English, seed 0.
    fn default() -> Self {
        Self {
            settings: Settings::paper(),
            language: "en".to_owned(),
            seed: 0,
        }
    }
}

/// What came of adding memories.
#[derive(Debug)]
pub struct Added {
    /// The memories, in order.
    pub memories: Vec<MemoryId>,
    /// What was concluded, if they gave reason to reflect.
    pub insights: Vec<MemoryId>,
    /// Why a reflection that was due did not come about. The memories are there all the same, and the
    /// next one gives another chance.
    pub put_off: Option<AgentError>,
}

/// Something that happens before an agent's eyes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Somebody does something.
    Person {
        /// Their name.
        name: String,
        /// What they do, in words that follow "is".
        doing: String,
    },
    /// Something is in some state.
    Thing {
        /// Its name.
        name: String,
        /// Its state, in words that follow "is".
        state: String,
    },
}

/// What an agent does about something it saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// What it decided.
    pub reaction: Reaction,
    /// The memory of what it saw.
    pub memory: MemoryId,
}

/// Somebody who remembers, reflects, reacts, talks and answers.
///
/// ```
/// use std::sync::Arc;
/// use townsfolk_agent::{GameTime, GenerativeAgent, ManualClock, Options, Persona, Surroundings};
/// use townsfolk_embed::HashedWords;
///
/// let clock = ManualClock::new("2024-06-03 08:00".parse::<GameTime>()?);
/// let surroundings = Surroundings::new(Arc::new(HashedWords), clock.clone());
/// let mut ilse = GenerativeAgent::new(Persona::new("Ilse Brandt"), Options::default(), surroundings);
/// ilse.add_memory("Ilse Brandt lent Tomas Varga her saw")?;
/// clock.advance_minutes(90);
/// let answer = ilse.interview("Who is Tomas Varga?", &[])?;
/// assert!(answer.text.contains("saw"), "{}", answer.text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GenerativeAgent {
    core: Core,
    surroundings: Surroundings,
}

/// What changes.
struct Core {
    resident: Resident,
    phrases: &'static Phrases,
    seed: u64,
    /// How many calls were made: the address of the next one's chance.
    calls: u64,
    file: Option<File>,
}

/// One call going on: what it is asked with, and what to go back to if it fails.
struct Call<'a> {
    now: GameTime,
    asker: Asker<'a>,
    calls: Option<&'a Calls>,
    journal: Journal,
    life: Life,
    memories: usize,
    accesses: Vec<townsfolk_memory::Access>,
}

/// What a file keeps of an agent beside its memories.
#[derive(Serialize, Deserialize)]
struct Inner {
    life: Life,
    calls: u64,
}

/// What a file says an agent is.
#[derive(Serialize, Deserialize)]
struct Kind {
    persona: Persona,
    options: Options,
}

impl GenerativeAgent {
    /// An agent that is nowhere but here.
    pub fn new(persona: Persona, options: Options, surroundings: Surroundings) -> Self {
        let stream = StreamSettings::for_embedder(surroundings.meanings.embedder());
        Self {
            core: Core {
                phrases: Phrases::of(&options.language),
                seed: options.seed,
                calls: 0,
                resident: Resident::new(ALONE, persona.identity(), options.settings, [], stream),
                file: None,
            },
            surroundings,
        }
    }

    /// An agent in a new file.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(
        path: impl AsRef<Path>,
        persona: Persona,
        options: Options,
        surroundings: Surroundings,
    ) -> Result<Self, AgentError> {
        let kind = Kind {
            persona: persona.clone(),
            options: options.clone(),
        };
        let file = File::create(
            path.as_ref(),
            &Beginning {
                name: &persona.name,
                identity: json(&persona.identity()),
                agent: json(&kind),
                embedder: surroundings.meanings.embedder(),
                mind: surroundings.mind(),
                prompts: surroundings
                    .model
                    .as_ref()
                    .map(|(mind, _)| mind.prompts.hash().to_owned()),
                seed: options.seed,
                now: surroundings.clock.now(),
            },
        )?;
        let mut agent = Self::new(persona, options, surroundings);
        agent.core.file = Some(file);
        Ok(agent)
    }

    /// The agent in a file, as it was left: memories, access times, what it has concluded, whom it knows,
    /// and how much is missing until it reflects.
    ///
    /// # Errors
    /// If there is no such file, it is no agent's, it is open elsewhere, or its vectors were made
    /// by another embedder.
    pub fn open(path: impl AsRef<Path>, surroundings: Surroundings) -> Result<Self, AgentError> {
        let path = path.as_ref();
        let opened = File::open(path, surroundings.meanings.embedder())?;
        let strange = |detail: String| AgentError::NotAnAgent {
            file: path.display().to_string(),
            detail,
        };
        let kind: Kind = serde_json::from_value(opened.agent)
            .map_err(|error| strange(format!("a memory without an agent ({error})")))?;
        let mut agent = Self::new(kind.persona, kind.options, surroundings);
        if !opened.state.is_null() {
            let inner: Inner = serde_json::from_value(opened.state)
                .map_err(|error| strange(format!("unreadable ({error})")))?;
            agent.core.resident.life = inner.life;
            agent.core.calls = inner.calls;
        }
        agent.core.resident.stream = opened.stream;
        agent.core.file = Some(opened.file);
        if let Some(calls) = agent.surroundings.calls() {
            calls.look_back(RunReader::open(path)?);
        }
        Ok(agent)
    }

    /// Ends writing and leaves one whole file. Dropping the agent loses nothing either.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn close(self) -> Result<(), AgentError> {
        let Self { core, surroundings } = self;
        // Whoever reads the file keeps it from becoming one.
        drop(surroundings);
        core.file.map_or(Ok(()), File::finish)
    }

    /// Its full name.
    pub fn name(&self) -> &Arc<str> {
        &self.core.resident.life.identity.name
    }

    /// Everything it remembers, to look at.
    pub fn memory(&self) -> &MemoryStream {
        &self.core.resident.stream
    }

    /// How much importance is missing until it reflects.
    pub fn importance_until_reflection(&self) -> u32 {
        self.core.resident.life.trigger.remaining()
    }

    /// Remembers something observed, and reflects if that was enough (LangChain: `add_memory`).
    ///
    /// # Errors
    /// If it cannot be rated, embedded or written; then it is not remembered.
    pub async fn add_memory_async(&mut self, observed: impl Into<Observation>) -> Result<Added, AgentError> {
        self.add_memories_async([observed]).await
    }

    /// Remembers several things, all or none, rated in one question (LangChain: `add_memories`).
    ///
    /// # Errors
    /// If one cannot be rated, embedded or written; then none is remembered.
    pub async fn add_memories_async<O: Into<Observation>>(
        &mut self,
        observed: impl IntoIterator<Item = O>,
    ) -> Result<Added, AgentError> {
        let name = self.name().clone();
        let note = |observation: Observation| {
            if observation.text.trim().is_empty() {
                return Err(AgentError::Wordless {
                    what: "the observation",
                });
            }
            let about: Arc<str> = match observation.about.trim() {
                "" => name.clone(),
                about => about.into(),
            };
            let triple = Triple::new(about.clone(), KNOWS, "");
            let mut note = Note::new(MemoryKind::Observation, triple, observation.text);
            note.importance = observation.importance;
            note.keywords = observation.keywords.into_iter().map(Into::into).collect();
            note.keywords.push(about);
            Ok(note)
        };
        let notes: Result<Vec<Note>, AgentError> = observed.into_iter().map(Into::into).map(note).collect();
        let notes = notes?;
        if notes.is_empty() {
            return Ok(Added {
                memories: Vec::new(),
                insights: Vec::new(),
                put_off: None,
            });
        }
        let (core, mut call) = self.begin();
        let result = remember(
            &mut core.resident,
            call.now,
            &call.asker,
            &mut call.journal,
            notes,
        )
        .await;
        let memories = core.settle(call, result.map_err(Into::into))?;
        let (core, mut call) = self.begin();
        let result = reflect_if_due(&mut core.resident, call.now, &call.asker, &mut call.journal).await;
        let (insights, put_off) = match core.settle(call, result.map_err(Into::into)) {
            Ok(insights) => (insights, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        Ok(Added {
            memories,
            insights,
            put_off,
        })
    }

    /// What matters about something now, best first, `count` at most; it counts as accessed (LangChain:
    /// `fetch_memories`).
    ///
    /// # Errors
    /// If the embedder or the disk fails.
    pub async fn fetch_memories_async(
        &mut self,
        about: &str,
        count: usize,
    ) -> Result<Vec<Remembered>, AgentError> {
        let (core, call) = self.begin();
        let result = call.asker.embed(about).await.map(|embedding| {
            let settings = &core.resident.settings;
            let query = Query {
                embedding: &embedding,
                now: call.now,
                count,
                retrieval: &settings.retrieval,
                filter: settings.recall_filter(),
            };
            let found = core.resident.stream.retrieve(&query);
            Remembered::all(&core.resident.stream, &found)
        });
        core.settle(call, result.map_err(Into::into))
    }

    /// What it makes of somebody, from two questions to its memory: what they are to each other, and what
    /// it knows of them (LangChain: `summarize_related_memories`).
    ///
    /// # Errors
    /// If mind, embedder or disk fail.
    pub async fn summarize_related_memories_async(&mut self, other: &str) -> Result<String, AgentError> {
        let other: Arc<str> = other.into();
        let (core, call) = self.begin();
        let result = async {
            let questions = core.questions_about(&other);
            let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
            let count = core.resident.settings.recall;
            let found = recall_all(&mut core.resident, call.now, &call.asker, &questions, count).await?;
            let mut about = facts_about(&core.resident, &other);
            let named = found.into_iter().filter(|memory| memory.text.contains(&*other));
            for memory in named {
                if about.iter().all(|known| known.id != memory.id) {
                    about.push(memory);
                }
            }
            let task = Relationship {
                who: &core.resident.life.identity,
                other: &other,
                recalled: &about,
                talks: core.resident.talks_with(&other),
            };
            Ok(call.asker.ask(&task).await?.text)
        };
        let result = result.await;
        core.settle(call, result)
    }

    /// Reflects now, whether enough has happened or not (LangChain: `pause_to_reflect`). What it concludes
    /// is remembered with its evidence, and never sets off another reflection.
    ///
    /// # Errors
    /// If mind, embedder or disk fail; then nothing is concluded.
    pub async fn reflect_async(&mut self) -> Result<Vec<MemoryId>, AgentError> {
        let (core, mut call) = self.begin();
        let result = reflect(&mut core.resident, call.now, &call.asker, &mut call.journal).await;
        core.settle(call, result.map_err(Into::into))
    }

    /// Itself in a few sentences, from three questions to its memory; at most an hour of its clock old
    /// (LangChain: `get_summary`).
    ///
    /// # Errors
    /// If mind, embedder or disk fail.
    pub async fn summary_async(&mut self) -> Result<String, AgentError> {
        let (core, call) = self.begin();
        let stale = call.now + -VIEW_LASTS_SECONDS;
        let result = describe(&mut core.resident, call.now, stale, core.phrases, &call.asker).await;
        core.settle(call, result.map_err(Into::into))
    }

    /// What it does about something it sees, and remembers having seen (LangChain: `generate_reaction`).
    /// `doing` is what it is busy with.
    ///
    /// # Errors
    /// If mind, embedder or disk fail; then it saw nothing.
    pub async fn generate_reaction_async(
        &mut self,
        event: &Event,
        doing: &str,
    ) -> Result<Response, AgentError> {
        let (core, mut call) = self.begin();
        let result = core.react(event, doing, &mut call).await;
        core.settle(call, result)
    }

    /// What it says next in a talk, having read all of it (LangChain: `generate_dialogue_response`). The line is
    /// added to the talk.
    ///
    /// # Errors
    /// If it does not take part or is not in turn, or mind, embedder or disk fail; then it said nothing.
    pub async fn generate_dialogue_response_async(
        &mut self,
        talk: &mut Dialogue,
    ) -> Result<Reply, AgentError> {
        let other = talk.turn_of(self.name())?.clone();
        let (core, call) = self.begin();
        let result = core.next_line(talk, &other, &call).await;
        let (line, ends) = core.settle(call, result)?;
        let reply = Reply {
            text: line.text.clone(),
            tells: line.tells.iter().map(|(id, _)| *id).collect(),
            ends,
        };
        talk.add(line);
        if ends {
            talk.end();
        }
        Ok(reply)
    }

    /// Remembers a talk: what it was about, what was news in it, and what it means. Call it once for each
    /// of the two when the talk is over. Without lines there is nothing to remember.
    ///
    /// # Errors
    /// If it did not take part, or mind, embedder or disk fail; then nothing is remembered.
    pub async fn remember_dialogue_async(&mut self, talk: &Dialogue) -> Result<Vec<MemoryId>, AgentError> {
        let other = talk.other(self.name())?.clone();
        if talk.lines().is_empty() {
            return Ok(Vec::new());
        }
        let (core, mut call) = self.begin();
        let first = core.resident.stream.len();
        let heard = Heard {
            other: &other,
            lines: talk.lines(),
            talk: None,
            place: None,
        };
        let kept = keep_in_mind(
            &mut core.resident,
            call.now,
            heard,
            &call.asker,
            &mut call.journal,
        )
        .await;
        core.settle(call, kept.map(drop).map_err(Into::into))?;
        let memories = self.core.resident.stream.iter().skip(first);
        Ok(memories.map(|memory| memory.id).collect())
    }

    /// Answers a question; `history` is what was asked and answered before. It leaves no trace: neither in
    /// memory nor in access times. What it bought from a model is written with whatever is remembered next.
    ///
    /// # Errors
    /// If the question is empty, or mind or embedder fail.
    pub async fn interview_async(&self, question: &str, history: &[Exchange]) -> Result<Answer, AgentError> {
        if question.trim().is_empty() {
            return Err(AgentError::Wordless { what: "the question" });
        }
        let (core, surroundings) = (&self.core, &self.surroundings);
        let now = surroundings.clock.now();
        let asker = surroundings.asker(core.chance());
        let resident = &core.resident;
        let summary = resident.life.self_view.as_ref();
        let embedding = asker.embed(question).await?;
        let query = Query {
            embedding: &embedding,
            now,
            count: FOR_AN_ANSWER,
            retrieval: &resident.settings.retrieval,
            filter: resident.settings.recall_filter(),
        };
        let found = comes_to_mind(&resident.stream, &query, &resident.life.identity.name, question);
        let memories: Vec<_> = found.iter().filter_map(|f| recalled(resident, f.id)).collect();
        let task = Interview {
            who: &resident.life.identity,
            now,
            summary: summary.map_or("", |view| &view.text),
            history,
            question,
            recalled: &memories,
            present: Present::default(),
        };
        let answer = asker.ask(&task).await;
        if let Some(calls) = surroundings.calls() {
            calls.forget_uses();
        }
        let answer = answer?;
        let recalled = Remembered::all(&resident.stream, &found);
        let used = answer.used.iter().filter_map(|at| recalled.get(*at).cloned());
        Ok(Answer {
            text: answer.answer,
            used: used.collect(),
            recalled,
        })
    }

    fn begin(&mut self) -> (&mut Core, Call<'_>) {
        let Self { core, surroundings } = self;
        let call = Call {
            now: surroundings.clock.now(),
            asker: surroundings.asker(core.chance()),
            calls: surroundings.calls(),
            journal: Journal::default(),
            life: core.resident.life.clone(),
            memories: core.resident.stream.len(),
            accesses: core.resident.stream.accesses().collect(),
        };
        (core, call)
    }
}

/// The same calls, waited for.
impl GenerativeAgent {
    /// [`add_memory_async`](Self::add_memory_async), waited for.
    ///
    /// # Errors
    /// The same.
    pub fn add_memory(&mut self, observed: impl Into<Observation>) -> Result<Added, AgentError> {
        block_on(self.add_memory_async(observed))
    }

    /// [`add_memories_async`](Self::add_memories_async), waited for.
    ///
    /// # Errors
    /// The same.
    pub fn add_memories<O: Into<Observation>>(
        &mut self,
        observed: impl IntoIterator<Item = O>,
    ) -> Result<Added, AgentError> {
        block_on(self.add_memories_async(observed))
    }

    /// [`fetch_memories_async`](Self::fetch_memories_async), waited for.
    ///
    /// # Errors
    /// The same.
    pub fn fetch_memories(&mut self, about: &str, count: usize) -> Result<Vec<Remembered>, AgentError> {
        block_on(self.fetch_memories_async(about, count))
    }

    /// [`summarize_related_memories_async`](Self::summarize_related_memories_async), waited for.
    ///
    /// # Errors
    /// The same.
    pub fn summarize_related_memories(&mut self, other: &str) -> Result<String, AgentError> {
        block_on(self.summarize_related_memories_async(other))
    }

    /// [`reflect_async`](Self::reflect_async), waited for.
    ///
    /// # Errors
    /// The same.
    pub fn reflect(&mut self) -> Result<Vec<MemoryId>, AgentError> {
        block_on(self.reflect_async())
    }

    /// [`summary_async`](Self::summary_async), waited for.
    ///
    /// # Errors
    /// The same.
    pub fn summary(&mut self) -> Result<String, AgentError> {
        block_on(self.summary_async())
    }

    /// [`generate_reaction_async`](Self::generate_reaction_async), waited for.
    ///
    /// # Errors
    /// The same.
    pub fn generate_reaction(&mut self, event: &Event, doing: &str) -> Result<Response, AgentError> {
        block_on(self.generate_reaction_async(event, doing))
    }

    /// [`generate_dialogue_response_async`](Self::generate_dialogue_response_async), waited for.
    ///
    /// # Errors
    /// The same.
    pub fn generate_dialogue_response(&mut self, talk: &mut Dialogue) -> Result<Reply, AgentError> {
        block_on(self.generate_dialogue_response_async(talk))
    }

    /// [`remember_dialogue_async`](Self::remember_dialogue_async), waited for.
    ///
    /// # Errors
    /// The same.
    pub fn remember_dialogue(&mut self, talk: &Dialogue) -> Result<Vec<MemoryId>, AgentError> {
        block_on(self.remember_dialogue_async(talk))
    }

    /// [`interview_async`](Self::interview_async), waited for.
    ///
    /// # Errors
    /// The same.
    pub fn interview(&self, question: &str, history: &[Exchange]) -> Result<Answer, AgentError> {
        block_on(self.interview_async(question, history))
    }
}

impl Core {
    fn chance(&self) -> Chance {
        Chance {
            seed: self.seed,
            resident: ALONE,
            tick: self.calls,
        }
    }

    /// Writes what a call changed, or takes it back if it failed.
    fn settle<T>(&mut self, call: Call<'_>, result: Result<T, AgentError>) -> Result<T, AgentError> {
        let Call {
            now,
            asker,
            calls,
            life,
            memories,
            accesses,
            ..
        } = call;
        let written = result.and_then(|value| {
            let inner = Inner {
                life: self.resident.life.clone(),
                calls: self.calls + 1,
            };
            let (calls, uses) = calls.map(Calls::take).unwrap_or_default();
            if let Some(file) = &mut self.file {
                let asked = Asked {
                    records: asker.into_records(),
                    calls,
                    uses,
                };
                file.save(now, &self.resident.stream, asked, json(&inner))?;
            }
            Ok(value)
        });
        if let (Err(_), Some(calls)) = (&written, calls) {
            calls.forget_uses();
        }
        if written.is_ok() {
            self.calls += 1;
            return written;
        }
        self.resident.life = life;
        if self.resident.stream.len() == memories {
            self.resident.stream.set_accesses(&accesses)?;
        } else if let Some(file) = &self.file {
            // Memories are added last of all, so only writing them can have failed.
            self.resident.stream = file.reload(self.resident.stream.settings())?;
        }
        written
    }

    fn questions_about(&self, other: &str) -> [String; 2] {
        self.phrases
            .questions_about(&self.resident.life.identity.name, other)
    }

    async fn react(
        &mut self,
        event: &Event,
        doing: &str,
        call: &mut Call<'_>,
    ) -> Result<Response, AgentError> {
        let (now, asker) = (call.now, &call.asker);
        let (subject, text): (Arc<str>, String) = match event {
            Event::Person { name, doing } => (name.as_str().into(), self.phrases.person_does(name, doing)),
            Event::Thing { name, state } => (name.as_str().into(), self.phrases.object_is(name, state)),
        };
        let questions = match event {
            Event::Person { .. } => self.questions_about(&subject).to_vec(),
            Event::Thing { .. } => vec![text.clone()],
        };
        let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
        let recalled = recall_all(&mut self.resident, now, asker, &questions, FOR_A_REACTION).await?;
        let seen = match event {
            Event::Person { doing, .. } => Seen::Person {
                name: &subject,
                doing,
                acquaintance: self.acquaintance(&subject, now),
                in_the_way: false,
                may_talk: true,
            },
            Event::Thing { name, state } => Seen::Object { name, state },
        };
        let task = React {
            who: &self.resident.life.identity,
            now,
            doing,
            minutes_left: 0,
            seen,
            recalled: &recalled,
            news: &[],
        };
        let reaction = asker.ask(&task).await?;
        let note = Note::new(MemoryKind::Observation, Triple::new(subject, "be", ""), text);
        let ids = remember(&mut self.resident, now, asker, &mut call.journal, vec![note]).await?;
        Ok(Response {
            reaction,
            memory: ids[0],
        })
    }

    /// How well it knows somebody: memories that name them count, whoever they are about.
    fn acquaintance(&self, name: &str, now: GameTime) -> Acquaintance {
        let naming = self
            .resident
            .stream
            .iter()
            .filter(|m| m.text.contains(name))
            .count();
        Acquaintance {
            memories: u32::try_from(naming).unwrap_or(u32::MAX),
            ..self.resident.acquaintance(name, now)
        }
    }

    async fn next_line(
        &mut self,
        talk: &Dialogue,
        other: &Arc<str>,
        call: &Call<'_>,
    ) -> Result<(Line, bool), AgentError> {
        let (now, asker) = (call.now, &call.asker);
        let relationship = relationship(&mut self.resident, now, self.phrases, other, asker).await?;
        let no_things = |_: &str| false;
        let topics = topics(&mut self.resident, now, talk.lines(), other, &no_things, asker).await?;
        let life = &self.resident.life;
        let answered = life.people.get(other).map_or(&[][..], |person| &person.answered);
        let task = NextLine {
            who: &life.identity,
            listener: other,
            now,
            place: "",
            doing: "",
            listener_doing: "",
            relationship: &relationship,
            topics: &topics,
            lines: talk.lines(),
            lines_left: talk.lines_left(),
            plan: &[],
            appointments: &life.appointments,
            answered,
            called_off: &life.called_off,
        };
        let said = asker.ask(&task).await?;
        let mut tells = Vec::new();
        for topic in said.tells.iter().filter_map(|index| topics.get(*index)) {
            if tells.iter().all(|(id, _)| *id != topic.recalled.id) {
                tells.push((topic.recalled.id, topic.as_told(now)));
            }
        }
        let line = Line {
            speaker: life.identity.name.clone(),
            text: said.text.into(),
            tells,
            decision: said.decision,
        };
        Ok((line, said.ends))
    }
}

/// Plain data as JSON; what cannot be written (it never happens) is null.
fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}
