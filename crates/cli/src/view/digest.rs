//! The fingerprint of what happened.

use serde::Serialize;

use super::View;
use crate::failure::Failure;
use crate::page::Page;
use crate::run_at::RunAt;

/// A digest of everything up to the moment looked at.
#[derive(Serialize)]
pub(super) struct DigestView {
    digest: String,
}

impl DigestView {
    pub(super) fn of(run: &RunAt) -> Result<Self, Failure> {
        Ok(Self {
            digest: run.reader.digest_at(run.tick)?.to_string(),
        })
    }
}

impl View for DigestView {
    fn write(&self, page: &mut Page) {
        page.line(&self.digest);
    }
}
