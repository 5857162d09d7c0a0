//! `dupfind apply --undo`: every file as it was.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use crate::commands::apply::args::ApplyArgs;
use crate::commands::apply::lock;
use crate::process::exit::Status;
use crate::terminal::messages;
use dupfind_decide::clean::apply::journal::Journal;
use dupfind_decide::clean::apply::places::Places;
use dupfind_decide::clean::apply::undo::Undone;
use dupfind_report::language::phrase;
use dupfind_report::say;
use dupfind_report::style::numbers::amount;

/// Undoes the changes that a journal lists as done.
pub(super) fn run(folder: &Path, args: &ApplyArgs) -> Result<Status> {
    let name = folder.display();
    let journal = Journal::read(folder).map_err(|why| anyhow!("cannot read the journal: {why}"))?;
    let Some(journal) = journal else {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot remove {name}"))?;
        messages::note(phrase("nothing had been touched"));
        return Ok(Status::Ok);
    };
    let places = Places::new(journal.base(), &args.root);
    let _lock = lock(places.base())?;
    let (mut restored, mut failed) = (0_u64, 0_u64);
    let undone = journal.undo(&places, |_, result| match result {
        Ok(Undone::Restored) => restored += 1,
        Ok(Undone::Untouched) => {}
        Err(why) => {
            failed += 1;
            messages::error(&why);
        }
    });
    undone.with_context(|| format!("cannot remove {name}"))?;
    if !args.quiet {
        messages::note(&say!("{} restored", amount(restored, "file")));
    }
    if failed > 0 {
        messages::note(&say!(
            "{} keeps what could not be restored; once the way is free, or --root names the folder, run this again",
            name
        ));
        return Ok(Status::Error);
    }
    Ok(Status::Ok)
}
