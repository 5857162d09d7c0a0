//! Which documents of a job go, and which one stays for each.

use std::path::Path;

use anyhow::Result;

use crate::commands::merge::args::MergeArgs;
use crate::commands::merge::merged;
use crate::commands::scan::options;
use crate::decision::keepers::{facts, too_many};
use crate::process::exit::Status;
use crate::process::memory;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use dupfind_decide::clean::keep::Keep;
use dupfind_decide::clean::plan::make::Tied;
use dupfind_decide::clean::records::verdict::Verdicts;
use dupfind_decide::clean::ties::{Drops, Ties};

/// Writes a line for each document that goes, as `dupfind dedup --verdicts` does.
///
/// # Errors
///
/// The files do not belong together, or the list cannot be written.
pub(super) fn write(args: &MergeArgs, target: &Path) -> Result<Status> {
    let options = options(&args.scan)?;
    let output = Output::open(Some(target))?;
    let keep = Keep::new(args.keep.rules(), &options.walk.base, false)?;
    let progress = Progress::new(args.scan.running.run.shows_progress());
    let drops = args.keep.drops().or(Drops::COPIES);
    let mut ties = Ties::new(drops, true, memory::total() / 2);
    let outcome = merged(args, &options, &progress, None, Some(&mut ties));
    progress.clear();
    let outcome = outcome.map_err(too_many)?;
    let (tied, _) = Tied::of_scan(&outcome, ties.finish(), u64::from);
    let (read, base) = (&options.read, &options.walk.base);
    let files = &outcome.sources.files;
    let facts = facts(&keep, &tied.candidates, files, read, base)?;
    let verdicts = Verdicts::new(&tied, &keep, &facts);
    output.write(|out| Ok(verdicts.write(out)?))?;
    Ok(Status::Ok)
}
