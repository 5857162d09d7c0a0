//! Which documents of a job go, and which one stays for each.

use std::path::Path;

use anyhow::Result;

use crate::commands::merge::args::MergeArgs;
use crate::commands::merge::merged;
use crate::commands::scan::options;
use crate::decision::keepers::{facts, too_many};
use crate::decision::open_pairs::{OpenPairs, accepted_file, gate, print_accepted, tied};
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use dupfind_decide::clean::keep::Keep;
use dupfind_decide::clean::records::verdict::Verdicts;
use dupfind_decide::clean::ties::Drops;

/// Writes a line for each document that goes, as `dupfind dedup --verdicts` does.
///
/// # Errors
///
/// The files do not belong together, or the list cannot be written.
pub(super) fn write(args: &MergeArgs, target: &Path) -> Result<Status> {
    let options = options(&args.scan)?;
    let (config, named) = (&args.scan.running.config, &args.scan.gate.baseline);
    let baseline = accepted_file(named.as_ref(), config);
    let scope = &args.scan.scope;
    let mut gate = gate(
        scope,
        config,
        &options,
        baseline.as_deref(),
        named.is_some(),
    )?;
    let output = Output::open(Some(target))?;
    let keep = Keep::new(args.keep.rules(), &options.walk.base, false)?;
    let progress = Progress::new(args.scan.running.run.shows_progress());
    let drops = args.keep.drops().or(Drops::COPIES);
    let mut open = OpenPairs::new(&gate, drops, false);
    let outcome = merged(args, &options, &progress, Some(&mut gate), Some(&mut open));
    progress.clear();
    let outcome = outcome.map_err(too_many)?;
    messages::of_scan(&options.walk, &outcome);
    let (collected, accepted) = open.finish();
    let (tied, _) = tied(&outcome, collected, &accepted);
    let (read, base) = (&options.read, &options.walk.base);
    let files = &outcome.sources.files;
    let facts = facts(&keep, &tied.candidates, files, read, base)?;
    let verdicts = Verdicts::new(&tied, &keep, &facts);
    output.write(|out| Ok(verdicts.write(out)?))?;
    print_accepted(gate.accepted(), baseline.as_deref());
    Ok(Status::of(&outcome.skipped))
}
