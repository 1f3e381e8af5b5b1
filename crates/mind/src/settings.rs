//! A resident's faculties: how far it sees, how much it takes in, when it reflects.

use serde::{Deserialize, Serialize};
use townsfolk_memory::Retrieval;

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
    /// How many memories a plan, a reaction or a reflection recalls (2023 code: 30).
    pub recall: usize,
    /// How memories are ranked.
    pub retrieval: Retrieval,
    /// How long after a talk the same two don't begin another, in minutes (2023 code: 800 steps,
    /// 133 minutes).
    pub talk_cool_down_minutes: u32,
    /// How many lines a talk has at most, both speakers together (2023 code: 16).
    pub talk_lines: u16,
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
            reflection_threshold: 150,
            recall: 30,
            retrieval: Retrieval::paper(),
            talk_cool_down_minutes: 133,
            talk_lines: 16,
            reflection: true,
            planning: true,
            memory: true,
        }
    }
}
