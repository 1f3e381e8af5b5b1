//! `scratch.json`: who a resident is and how their mind is set. Of the state of a day under way only
//! the tile is read.

use std::sync::Arc;

use serde::Deserialize;
use serde::de::IgnoredAny;
use townsfolk_memory::Retrieval;
use townsfolk_mind::{Identity, Settings};
use townsfolk_world::PlaceId;

use crate::ImportFault;

/// The greatest age there is, in years.
const MAX_AGE: u16 = 150;

/// The keys that are read; all others are state of a day under way, or are used by nothing in the
/// 2023 code (`concept_forget`, the `kw_strg` thresholds, …).
#[derive(Deserialize)]
pub(crate) struct Scratch {
    name: String,
    first_name: Option<String>,
    age: Option<u16>,
    innate: Option<String>,
    learned: Option<String>,
    currently: Option<String>,
    lifestyle: Option<String>,
    pub(crate) living_area: String,
    daily_plan_req: Option<String>,
    vision_r: u16,
    att_bandwidth: usize,
    retention: usize,
    recency_w: f64,
    relevance_w: f64,
    importance_w: f64,
    recency_decay: f64,
    importance_trigger_max: u32,
    /// Column and row of where the resident stood last.
    pub(crate) curr_tile: Option<(i64, i64)>,
    #[serde(default)]
    f_daily_schedule: Option<Vec<IgnoredAny>>,
}

impl Scratch {
    /// Whether the resident was saved in the middle of a day.
    pub(crate) fn is_under_way(&self) -> bool {
        self.f_daily_schedule
            .as_ref()
            .is_some_and(|schedule| !schedule.is_empty())
    }

    /// The identity, with that home.
    pub(crate) fn identity(&self, home: PlaceId) -> Identity {
        let text = |text: &Option<String>| text.as_deref().unwrap_or_default().trim().to_owned();
        let name: Arc<str> = self.name.as_str().into();
        let first_name = text(&self.first_name);
        Identity {
            first_name: match first_name.is_empty() {
                true => name.clone(),
                false => first_name.into(),
            },
            name,
            age: self.age,
            traits: text(&self.innate),
            background: text(&self.learned),
            current: text(&self.currently),
            lifestyle: text(&self.lifestyle),
            daily_requirement: text(&self.daily_plan_req),
            home,
        }
    }

    /// Checks what the type does not, and that this is the scratch of the resident called `name`.
    pub(crate) fn check(&self, name: &str) -> Result<(), ImportFault> {
        if self.name != name {
            let (found, expected) = (self.name.clone(), name.to_owned());
            return Err(ImportFault::OtherName { found, expected });
        }
        if let Some(age) = self.age.filter(|age| *age > MAX_AGE) {
            return Err(ImportFault::Number {
                key: "age",
                found: age.to_string(),
                allowed: "years from 0 to 150, or null",
            });
        }
        Ok(self.retrieval().check()?)
    }

    /// The settings: the resident's own numbers in the paper's formula. (The 2023 code ranks by another one,
    /// which is there as the preset `reference`.)
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            vision_radius: self.vision_r,
            attention_bandwidth: self.att_bandwidth,
            retention: self.retention,
            reflection_threshold: self.importance_trigger_max,
            retrieval: self.retrieval(),
            ..Settings::default()
        }
    }

    fn retrieval(&self) -> Retrieval {
        Retrieval {
            recency: self.recency_w,
            relevance: self.relevance_w,
            importance: self.importance_w,
            decay: self.recency_decay,
            ..Retrieval::paper()
        }
    }
}
