//! What to keep of a talk: a note for planning, a memo, and anything agreed to.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use townsfolk_time::GameTime;

use super::{Line, Occasion};
use crate::model::first_person::by_name;
use crate::model::wire::{OccasionWire, said, sentence};
use crate::model::{Fit, Said, Who};
use crate::routine::{Rules, summaries};
use crate::{Identity, Task, TaskKind};

/// Asks what to keep of a talk.
#[derive(Clone, Debug, Serialize)]
pub struct AfterTalk<'a> {
    /// Who remembers.
    #[serde(serialize_with = "crate::identity::by_name")]
    pub who: &'a Identity,
    /// With whom the talk was.
    pub other: &'a Arc<str>,
    /// When it ended.
    pub now: GameTime,
    /// What was said, never empty.
    pub lines: &'a [Line],
}

/// What is kept of a talk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notes {
    /// What matters for the resident's plans; none where nothing does.
    #[serde(default)]
    pub planning: Option<String>,
    /// What the resident found worth remembering; none where nothing was.
    #[serde(default)]
    pub memo: Option<String>,
    /// What the resident agreed to attend, or hosts, with it.
    #[serde(default)]
    pub agreed: Vec<Occasion>,
}

/// The notes as models write them.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Wire {
    /// What the resident itself agreed to attend or hosts.
    #[serde(default)]
    pub agreed: Vec<OccasionWire>,
    /// Worth remembering, or empty.
    #[serde(default)]
    #[schemars(with = "String")]
    pub memo: Option<String>,
    /// Matters for plans, or empty.
    #[serde(default)]
    #[schemars(with = "String")]
    pub planning: Option<String>,
}

#[derive(Serialize)]
struct View<'a> {
    who: Who<'a>,
    other: &'a str,
    date: String,
    today: String,
    lines: Vec<Said<'a>>,
}

impl Task for AfterTalk<'_> {
    const KIND: TaskKind = TaskKind::AfterTalk;
    type Answer = Notes;

    type Wire = Wire;

    fn view(&self, fit: &Fit<'_>) -> impl Serialize {
        View {
            who: fit.who(self.who),
            other: self.other,
            date: fit.date(self.now.date()),
            today: self.now.date().to_string(),
            lines: fit.lines(self.lines),
        }
    }

    /// What is over already, or has no day, is nothing agreed to.
    fn read(&self, wire: Wire, _fit: &Fit<'_>) -> Result<Notes, String> {
        let agreed = wire
            .agreed
            .into_iter()
            .filter(OccasionWire::is_fixed)
            .map(|occasion| occasion.read(self.now))
            .collect::<Result<Vec<_>, _>>()?;
        if wire.memo.is_none() && wire.planning.is_none() {
            return Err("write \"memo\" and \"planning\" too".to_owned());
        }
        let (planning, memo) = (wire.planning.and_then(said), wire.memo.and_then(said));
        let by_its_name =
            |note: Option<String>| note.map(|note| by_name(&note, &self.who.name, &self.who.first_name));
        [&planning, &memo]
            .into_iter()
            .flatten()
            .try_for_each(|note| sentence(note))?;
        Ok(Notes {
            planning: by_its_name(planning),
            memo: by_its_name(memo),
            agreed: agreed
                .into_iter()
                .filter(|o| GameTime::at(o.date, o.start) > self.now)
                .collect(),
        })
    }

    fn write(&self, answer: &Notes) -> Wire {
        Wire {
            agreed: answer.agreed.iter().map(OccasionWire::write).collect(),
            memo: Some(answer.memo.clone().unwrap_or_default()),
            planning: Some(answer.planning.clone().unwrap_or_default()),
        }
    }

    fn check(&self, answer: &Notes) -> Result<(), String> {
        if answer.agreed.iter().any(|o| o.minutes == 0 || o.start >= 1_440) {
            return Err("an occasion starts within a day and takes time".to_owned());
        }
        Ok(())
    }

    fn by_rule(&self, _rules: &Rules<'_>) -> Notes {
        summaries::after_talk(self)
    }
}
