//! A resident's faculties: how far it sees, how much it takes in, when it reflects.

use serde::{Deserialize, Serialize};
use townsfolk_memory::{Filter, Preset, ReflectionTrigger, Retrieval};

/// The numbers of a resident's mind. A town gives defaults and each resident may depart from them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How far the resident sees, in tiles to each side (2023 data: 8; 2023 code's default: 4).
    pub vision_radius: u16,
    /// How many events it takes in at once, nearest first (2023 data: 8; default 3).
    pub attention_bandwidth: usize,
    /// How many of its latest observations something must differ from to be new (2023 data: 8;
    /// default 5).
    pub retention: usize,
    /// Summed importance of new observations that sets off a reflection (paper: 150; 2023
    /// 25-person base: 250).
    pub reflection_threshold: u32,
    /// Which records raise the questions of a reflection.
    pub reflection_records: ReflectionRecords,
    /// How many memories a plan, a reaction or a reflection recalls (2023 code: 30).
    pub recall: usize,
    /// How memories are ranked.
    pub retrieval: Retrieval,
    /// How long after a talk the same two don't begin another, in minutes (2023 code: 800 steps,
    /// 133 minutes).
    pub talk_cool_down_minutes: u32,
    /// How many lines a talk has at most, both speakers together (2023 code: 16).
    pub talk_lines: u16,
    /// Whether a stretch of a day in the same words at the same hours as on another day is broken into the
    /// same steps without asking a model again. Off, every day's is asked anew, with what occupies the
    /// resident and what lies around the stretch, as in the 2023 code. The routine mind asks nobody.
    pub reuse_routine: bool,
    /// Whether the resident reflects. Off for experiments only, like the two below.
    pub reflection: bool,
    /// Whether days are planned from memories and appointments, plans are remembered, and news can
    /// change them. Without it days follow habit.
    pub planning: bool,
    /// Whether anything ever comes to mind. Without it memories are made and never recalled.
    pub memory: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            vision_radius: 8,
            attention_bandwidth: 8,
            retention: 8,
            reflection_threshold: ReflectionTrigger::PAPER_THRESHOLD,
            reflection_records: ReflectionRecords::Latest,
            recall: 30,
            retrieval: Retrieval::paper(),
            talk_cool_down_minutes: 133,
            talk_lines: 16,
            reuse_routine: true,
            reflection: true,
            planning: true,
            memory: true,
        }
    }
}

/// Which records raise the questions of a reflection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReflectionRecords {
    /// The latest 100 (Park et al. 2023, section 4.2).
    #[default]
    Latest,
    /// As many as were perceived since the last reflection (2023 code, `reflect.py`).
    SinceLast,
}

impl Settings {
    /// Park et al. 2023, and for what it leaves open the data of the 2023 code's town of 25.
    pub fn paper() -> Self {
        Self::default()
    }

    /// The 2023 code as its town of 25 ships it, faults of its retrieval included.
    pub fn reference() -> Self {
        Self {
            reflection_threshold: 250,
            reflection_records: ReflectionRecords::SinceLast,
            retrieval: Retrieval::reference(),
            ..Self::default()
        }
    }

    /// Which memories can come to mind at all: nothing idle and nothing expired; under the `reference`
    /// retrieval what the 2023 code lets through.
    pub fn recall_filter(&self) -> Filter {
        match self.retrieval.preset {
            Preset::Reference => Filter::reference(),
            Preset::Paper | Preset::Langchain | Preset::Plain => Filter {
                skip_idle: true,
                ..Filter::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_presets_differ_in_threshold_records_and_ranking() {
        let (paper, code) = (Settings::paper(), Settings::reference());
        assert_eq!(
            (paper.reflection_threshold, code.reflection_threshold),
            (150, 250)
        );
        assert_eq!(paper.reflection_records, ReflectionRecords::Latest);
        assert_eq!(code.reflection_records, ReflectionRecords::SinceLast);
        assert_eq!(paper.retrieval.preset, Preset::Paper);
        assert_eq!(code.retrieval.preset, Preset::Reference);
        // What the paper leaves open both take from the data of the town of 25.
        for settings in [paper, code] {
            let look = (
                settings.vision_radius,
                settings.attention_bandwidth,
                settings.retention,
            );
            assert_eq!(look, (8, 8, 8));
            assert_eq!((settings.recall, settings.talk_lines), (30, 16));
        }
    }

    #[test]
    fn the_2023_code_recalls_no_conversations_and_what_is_expired() {
        let (paper, code) = (
            Settings::paper().recall_filter(),
            Settings::reference().recall_filter(),
        );
        assert!(paper.skip_expired && paper.skip_idle && code.skip_idle);
        assert_eq!(code, Filter::reference());
    }
}
