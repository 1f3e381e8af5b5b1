//! Which model answers which questions.

use townsfolk_model::{Models, Role, RoleModel};

use crate::TaskKind;

/// The chat models of a run.
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

    /// The model of a role.
    pub fn role(&self, role: Role) -> &RoleModel {
        match role {
            Role::Thinking => &self.thinking,
            Role::Talking => &self.talking,
            Role::Rating => &self.rating,
        }
    }
}

impl From<&Models> for Roles {
    fn from(models: &Models) -> Self {
        Self {
            thinking: models.role(Role::Thinking).clone(),
            talking: models.role(Role::Talking).clone(),
            rating: models.role(Role::Rating).clone(),
        }
    }
}

impl TaskKind {
    /// The role that answers this question.
    pub const fn role(self) -> Role {
        match self {
            TaskKind::NextLine | TaskKind::Interview => Role::Talking,
            TaskKind::Importance | TaskKind::ActionDetails | TaskKind::ObjectState => Role::Rating,
            _ => Role::Thinking,
        }
    }
}
