//! `dupfind scan --files`: the files that would be read.

use anyhow::Result;
use dupfind_report::formats::format::Format;
use dupfind_report::formats::{JSONL, TABLE};
use dupfind_report::listings::files::{write_files_jsonl, write_files_table};
use dupfind_scan::listing::list_files;

use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::options::options;
use crate::input::stdin;
use crate::process::exit::Status;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{messages, stats};

/// The formats of a list of files.
pub(crate) static LIST_FORMATS: [&Format; 2] = [&TABLE, &JSONL];

/// Runs the command.
pub(crate) fn run(args: &ScanArgs) -> Result<Status> {
    // There is at most one format: the conflicts of arguments were checked.
    let to = args.formats.first();
    let file = to.and_then(|to| to.file.as_deref());
    let output = Output::open(file.or(args.output.output.as_deref()))?;
    let mut options = options(args)?;
    let _stdin = stdin::spool(&mut options)?;
    let progress = Progress::new(args.run.shows_progress());
    let listing = list_files(&options, &progress);
    progress.clear();
    let listing = listing?;

    let (skipped, notes) = (&listing.skipped, &listing.notes);
    messages::documents(
        args.run.quiet,
        &options.walk,
        skipped,
        notes,
        &listing.warnings,
    );
    output.write(|out| {
        match to.map(|to| to.format) {
            Some(format) if format == &JSONL => write_files_jsonl(&listing.files, out)?,
            _ => write_files_table(&listing.files, out)?,
        }
        Ok(())
    })?;
    if args.run.stats {
        stats::print_files(&listing.files)?;
    }
    Ok(Status::of(&listing.skipped))
}
