//! What residents say of themselves day by day, held against who they are.

use serde::Serialize;
use townsfolk_audit::{Drift, drift};

use super::{Moment, View, head};
use crate::failure::Failure;
use crate::likeness::likeness;
use crate::page::{Look, Page};
use crate::run_at::RunAt;

/// Everybody's self-descriptions against what is pinned.
#[derive(Serialize)]
pub(super) struct DriftView {
    #[serde(flatten)]
    drift: Drift,
    #[serde(skip)]
    moment: Moment,
}

impl DriftView {
    pub(super) fn of(run: &RunAt) -> Result<Self, Failure> {
        Ok(Self {
            drift: drift(&run.reader, run.tick, likeness())?,
            moment: Moment::of(run),
        })
    }
}

impl View for DriftView {
    fn write(&self, page: &mut Page) {
        head(page, "Drift", &self.moment);
        page.paragraph(
            0,
            "Each day's self-description against the pinned identity: distance in meaning (0 is the same), the \
             share of the background's words that are still used, and facts stated otherwise.",
        );
        let mut rows = Vec::new();
        for who in &self.drift.residents {
            let mut name = page.look(Look::Name, &who.resident);
            for said in &who.descriptions {
                rows.push(vec![
                    std::mem::take(&mut name),
                    page.look(Look::Faint, &said.time),
                    format!("{:.2}", said.distance),
                    format!("{:.0} %", said.background_kept * 100.0),
                    said.changed.join("; "),
                ]);
            }
        }
        page.gap();
        page.table(2, &rows);
        for who in &self.drift.residents {
            for change in &who.identity_changes {
                let text = format!("{}: the identity itself changed: {change}", who.resident);
                page.flow("  · ", "    ", &page.look(Look::Warning, text));
            }
        }
    }
}
