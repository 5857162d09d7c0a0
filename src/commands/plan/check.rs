//! `dupfind plan --check`: the errors in an edited plan.

use std::path::Path;

use anyhow::Result;

use crate::decision::read_and_check;
use crate::process::exit::Status;
use crate::terminal::messages;
use dupfind_report::say;
use dupfind_report::style::numbers::amount;

/// Checks a plan, and prints every fault with its line.
pub(super) fn run(path: &Path) -> Result<Status> {
    let checked = read_and_check(path)?;
    let name = path.display();
    for fault in &checked.faults {
        messages::failed(&format!("{name}:{}: {}", fault.line, fault.what));
    }
    if !checked.faults.is_empty() {
        return Ok(Status::Failed);
    }
    let lines = amount(checked.steps.len() as u64, "line");
    let mut words = say!("{}: {} can be carried out", name, lines);
    if !checked.done.is_empty() {
        words.push_str(&say!(
            ", {} was carried out before",
            amount(checked.done.len() as u64, "line")
        ));
    }
    if checked.records > 0 {
        words.push_str(&say!(
            ", {} is for dupfind dedup",
            amount(checked.records as u64, "record")
        ));
    }
    messages::note(&words);
    Ok(Status::Ok)
}
