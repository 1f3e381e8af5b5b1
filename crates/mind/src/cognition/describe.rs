//! Describing oneself: the resident in a few sentences, from what it remembers.
//!
//! Park et al. 2023, appendix A: three questions (core characteristics, current occupation, feeling about
//! recent progress) bring up memories, and what is made of them is kept for a while. In a town it
//! is made anew each day, so that whoever asks later can see how a resident's view of itself moves.

use serde::{Deserialize, Serialize};
use townsfolk_memory::Query;
use townsfolk_time::GameTime;

use super::remember::recalled;
use super::resident::Resident;
use crate::Phrases;
use crate::asker::{Asker, Halted};
use crate::tasks::{Recalled, ResidentSummary};

/// How many memories each of the three questions brings up.
const MEMORIES: usize = 15;

/// How a resident sees itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfView {
    /// In a few sentences.
    pub text: String,
    /// When it was made.
    pub made: GameTime,
}

/// The resident's view of itself: the one it has unless that was made before `stale`, else a new one. Looking
/// into oneself leaves no trace in memory.
///
/// # Errors
/// If the mind or the embedder cannot answer.
pub async fn describe(
    resident: &mut Resident,
    now: GameTime,
    stale: GameTime,
    phrases: &Phrases,
    asker: &Asker<'_>,
) -> Result<String, Halted> {
    if let Some(view) = &resident.life.self_view
        && view.made >= stale
    {
        return Ok(view.text.clone());
    }
    let mut memories: Vec<Recalled> = Vec::new();
    let questions = phrases.self_questions(&resident.life.identity.name);
    for question in questions.into_iter().filter(|_| resident.settings.memory) {
        let embedding = asker.embed(&question).await?;
        let found = resident.stream.peek(&Query {
            embedding: &embedding,
            now,
            count: MEMORIES,
            retrieval: &resident.settings.retrieval,
            filter: resident.settings.recall_filter(),
        });
        for one in found {
            if memories.iter().all(|memory| memory.id != one.id) {
                memories.extend(recalled(resident, one.id));
            }
        }
    }
    let task = ResidentSummary {
        who: &resident.life.identity,
        recalled: &memories,
    };
    let text = asker.ask(&task).await?.text;
    resident.life.self_view = Some(SelfView {
        text: text.clone(),
        made: now,
    });
    Ok(text)
}
