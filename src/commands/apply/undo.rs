//! `dupfind apply --undo`: every file as it was.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::commands::apply::args::ApplyArgs;
use crate::commands::apply::lock;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use dupfind_decide::clean::apply::journal::{Journal, remove_begun};
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
        remove_begun(folder).with_context(|| format!("cannot remove {name}"))?;
        messages::note(phrase("nothing had been touched"));
        return Ok(Status::Ok);
    };
    let base = journal.base();
    let is_base = |folder: &Path| folder.canonicalize().ok() == base.canonicalize().ok();
    // Other paths are relative to that folder.
    let is_named = |root: &PathBuf| root.is_absolute() && is_base(root);
    if !is_base(&current_folder()?) && !args.root.iter().any(is_named) {
        bail!(
            "{name} is of {0}: run this there, or with --root {0}; nothing was done",
            base.display()
        );
    }
    let places = Places::new(base, &args.root);
    let _lock = lock(&places)?;
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
    messages::note(&say!("{} restored", amount(restored, "file")));
    if failed > 0 {
        messages::note(&say!(
            "{} keeps what could not be restored; once the way is free, or --root names the folder, run this again",
            name
        ));
        return Ok(Status::Error);
    }
    Ok(Status::Ok)
}
