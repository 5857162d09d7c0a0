//! The plan that is carried out.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use dupfind_decide::clean::apply::journal::Journal;
use dupfind_decide::clean::plan::check::{Checked, check};
use dupfind_decide::clean::plan::read::read;
use dupfind_files::open::open_named;

use crate::process::current_folder;

/// Reads a plan and checks it.
///
/// # Errors
///
/// It cannot be read, or is no plan.
pub(crate) fn read_and_check(path: &Path) -> Result<Checked> {
    if path.is_dir() {
        return done_by(path);
    }
    let text = open_named(path)
        .and_then(std::io::read_to_string)
        .with_context(|| format!("cannot read the plan {}", path.display()))?;
    let Some(plan) = read(&text) else {
        bail!(
            "{} is no plan; this makes one: dupfind plan FOLDER -o plan.jsonl",
            path.display()
        );
    };
    let mut checked = check(plan, &current_folder()?);
    checked.faults.sort_by_key(|fault| fault.line);
    Ok(checked)
}

/// Returns the changes of a journal that were made, as the lines of its plan.
fn done_by(folder: &Path) -> Result<Checked> {
    let journal = Journal::read(folder).map_err(|why| anyhow!("cannot read the journal: {why}"))?;
    Ok(Checked {
        done: journal.iter().flat_map(Journal::steps).collect(),
        ..Checked::default()
    })
}
