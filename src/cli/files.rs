//! `dupfind scan --files`.

use crate::report::files::{write_files_jsonl, write_files_table};
use crate::report::format::Format;
use crate::report::{JSONL, TABLE};
use crate::scan::listing::list_files;
use anyhow::Result;

use crate::cli::args::ScanArgs;
use crate::cli::exit::Status;
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::{messages, settings, stats, stdin};

/// The formats of a list of files.
pub(crate) static FORMATS: [&Format; 2] = [&TABLE, &JSONL];

/// Lists the files that would be read.
pub(crate) fn run(args: &ScanArgs) -> Result<Status> {
    // There is one at most: two would be for two files, and lists are short.
    let to = args.formats.first();
    let file = to.and_then(|to| to.file.as_deref());
    let output = Output::open(file.or(args.output.output.as_deref()))?;
    let mut settings = settings::for_scan(args)?;
    let _stdin = stdin::spool(&mut settings)?;
    let progress = Progress::new(args.run.shows_progress());
    let listing = list_files(&settings, &progress);
    progress.clear();
    let listing = listing?;

    let (skipped, notes) = (&listing.skipped, &listing.notes);
    messages::documents(
        args.run.quiet,
        &settings.walk,
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
