//! `dupfind apply --undo`: every file as it was.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use crate::clean::apply::journal::Journal;
use crate::clean::apply::undo::Undone;
use crate::cli::process::exit::Status;
use crate::cli::terminal::messages;
use crate::report::style::numbers::counted;

/// Takes back what a journal says was done.
pub(super) fn run(folder: &Path, is_quiet: bool) -> Result<Status> {
    let name = folder.display();
    let journal = Journal::read(folder).map_err(|why| anyhow!("cannot read the journal: {why}"))?;
    let Some(journal) = journal else {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot remove {name}"))?;
        messages::note("nothing had been touched");
        return Ok(Status::Ok);
    };
    let (mut restored, mut failed) = (0_u64, 0_u64);
    let undone = journal.undo(|_, result| match result {
        Ok(Undone::Restored) => restored += 1,
        Ok(Undone::Untouched) => {}
        Err(why) => {
            failed += 1;
            messages::error(&why);
        }
    });
    undone.with_context(|| format!("cannot remove {name}"))?;
    if !is_quiet {
        messages::note(&format!("{} restored", counted(restored, "file")));
    }
    if failed > 0 {
        messages::note(&format!(
            "{name} keeps what could not be restored; once the way is free, run this again"
        ));
        return Ok(Status::Error);
    }
    Ok(Status::Ok)
}
