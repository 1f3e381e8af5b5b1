//! A ledger that remembers nothing.

use townsfolk_memory::Embedding;
use townsfolk_mind::Halted;
use townsfolk_mind::model::{Call, Found, Ledger, Question, Vectors};

/// The ledger of questions that leave no trace: interviews, benches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unkept;

impl Ledger for Unkept {
    fn find(&self, _: &Question<'_>) -> Result<Option<Found>, Halted> {
        Ok(None)
    }

    fn may_spend(&self, _: &Question<'_>, _: u32) -> Result<(), Halted> {
        Ok(())
    }

    fn record(&self, _: Call) -> Result<(), Halted> {
        Ok(())
    }
}

impl Vectors for Unkept {
    fn find_vector(&self, _: &str) -> Result<Option<Embedding>, Halted> {
        Ok(None)
    }

    fn keep_vectors(&self, _: &[(&str, &Embedding)]) -> Result<(), Halted> {
        Ok(())
    }
}
