//! `dupfind plan --check`: what is wrong with a plan that was edited.

use std::path::Path;

use anyhow::{Context, Result};

use crate::clean::plan::check::{Checked, check};
use crate::clean::plan::read::read;
use crate::cli::process::current_folder;
use crate::cli::process::exit::Status;
use crate::cli::terminal::messages;
use crate::report::numbers::counted;

/// Checks a plan, and prints every fault with its line.
pub(super) fn run(path: &Path, is_quiet: bool) -> Result<Status> {
    let checked = read_and_check(path)?;
    let name = path.display();
    for fault in &checked.faults {
        messages::failed(&format!("{name}:{}: {}", fault.line, fault.what));
    }
    if !checked.faults.is_empty() {
        return Ok(Status::Failed);
    }
    if !is_quiet {
        let mut words = format!(
            "{name}: {} can be carried out",
            counted(checked.steps.len() as u64, "line")
        );
        if checked.done > 0 {
            words.push_str(&format!(
                ", {} was carried out before",
                counted(checked.done as u64, "line")
            ));
        }
        if checked.records > 0 {
            words.push_str(&format!(
                ", {} is for dupfind dedup",
                counted(checked.records as u64, "record")
            ));
        }
        messages::note(&words);
    }
    Ok(Status::Ok)
}

/// Reads a plan and checks it.
///
/// # Errors
///
/// It cannot be read.
pub(crate) fn read_and_check(path: &Path) -> Result<Checked> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the plan {}", path.display()))?;
    let (drops, faults) = read(&text);
    let mut checked = check(&drops, &current_folder()?);
    checked.faults.extend(faults);
    checked.faults.sort_by_key(|fault| fault.line);
    Ok(checked)
}
