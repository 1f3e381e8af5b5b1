//! `townsfolk check RUN`: whether what must hold in any run holds in this one.

use std::path::Path;

use anyhow::anyhow;
use townsfolk_audit::{Report, audit};
use townsfolk_store::RunReader;

use crate::Done;
use crate::failure::Failure;
use crate::output;
use crate::page::Look;
use crate::words;

/// Looks for damage of the file, then puts every check to what is in it.
pub(crate) fn check(path: &Path, json: bool) -> Done {
    let run = RunReader::open(path)?;
    run.check()?;
    let report = audit(&run)?;
    if json {
        output::print_json(&report)?;
    } else {
        print(&report)?;
    }
    if report.holds() {
        return Ok(());
    }
    let faults = words::count(report.faults(), "fault", "faults");
    Err(Failure::Failed(anyhow!("{}: {faults}", words::path(path))))
}

fn print(report: &Report) -> Done {
    let mut page = output::page();
    let verdict = if report.holds() { "holds" } else { "does not hold" };
    page.title(&format!("{}: the run {verdict}", report.town));
    let mut rows = Vec::new();
    for check in &report.checks {
        let (look, mark) = match check.faults {
            0 => (Look::Faint, "✓".to_owned()),
            faults => (Look::Warning, format!("✗ {}", words::grouped(faults))),
        };
        rows.push(vec![
            page.look(look, mark),
            words::grouped(check.examined),
            check.name.to_owned(),
            check.holds.to_owned(),
        ]);
    }
    page.table(2, &rows);
    for check in report.checks.iter().filter(|check| check.faults > 0) {
        page.heading(check.name);
        for finding in &check.findings {
            let who = finding
                .resident
                .as_ref()
                .map_or_else(String::new, |name| format!("{name}: "));
            page.flow(
                "  · ",
                "    ",
                &format!("tick {}, {who}{}", finding.tick, finding.what),
            );
        }
        let kept = check.findings.len() as u64;
        if check.faults > kept {
            page.line(&format!("  … and {} more", words::grouped(check.faults - kept)));
        }
    }
    output::print(page.text())
}
