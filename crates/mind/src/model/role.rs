//! Which model plays which part.

use std::sync::Arc;

use townsfolk_model::ChatModel;

use crate::TaskKind;

/// The parts a chat model can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Plans, reactions, reflections.
    Thinking,
    /// What residents say.
    Talking,
    /// Small questions that come often.
    Rating,
}

/// A model and what it can take.
#[derive(Clone)]
pub struct RoleModel {
    /// The model.
    pub model: Arc<dyn ChatModel>,
    /// How many tokens prompt and answer may have together.
    pub window_tokens: u32,
    /// How many tokens an answer may have, hidden reasoning included.
    pub max_output_tokens: u32,
    /// 0 for the likeliest answer, up to 2.
    pub temperature: f32,
}

/// The models of a run.
#[derive(Clone)]
pub struct Roles {
    /// Plans, reactions, reflections.
    pub thinking: RoleModel,
    /// What residents say.
    pub talking: RoleModel,
    /// Small questions that come often.
    pub rating: RoleModel,
}

impl Roles {
    /// One model for everything.
    pub fn all(model: RoleModel) -> Self {
        Self {
            thinking: model.clone(),
            talking: model.clone(),
            rating: model,
        }
    }

    /// The model of a part.
    pub fn role(&self, role: Role) -> &RoleModel {
        match role {
            Role::Thinking => &self.thinking,
            Role::Talking => &self.talking,
            Role::Rating => &self.rating,
        }
    }
}

impl TaskKind {
    /// The part that answers this question.
    pub const fn role(self) -> Role {
        match self {
            TaskKind::NextLine | TaskKind::Interview => Role::Talking,
            TaskKind::Importance | TaskKind::ActionDetails | TaskKind::ObjectState => Role::Rating,
            _ => Role::Thinking,
        }
    }
}
