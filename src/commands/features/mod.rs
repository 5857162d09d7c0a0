//! `dupfind features`: the compared features of each document, in a file.

pub(crate) mod args;

use anyhow::Result;

use crate::commands::features::args::FeaturesArgs;
use crate::input::refused::refuse_documents;
use crate::input::{options, stdin};
use crate::process::exit::Status;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{messages, stats};
use dupfind_jobs::files::part::write_part;
use dupfind_report::say;
use dupfind_report::style::numbers::amount;
use dupfind_scan::{ScanOptions, features};

/// Runs the command.
pub(crate) fn run(args: &FeaturesArgs) -> Result<Status> {
    let mut options = options(args)?;
    let output = Output::open(Some(&args.output))?;
    let _stdin = stdin::spool(&mut options)?;
    let progress = Progress::new(args.running.run.shows_progress());
    let corpus = features(&options, &progress);
    progress.clear();
    let corpus = corpus?;
    let (skipped, notes) = (&corpus.skipped, &corpus.notes);
    let warnings = &corpus.warnings;
    messages::documents(&options.walk, skipped, notes, warnings);
    output.write(|out| Ok(write_part(&options, &corpus, out)?))?;
    if args.running.run.stats {
        let (stats, sources) = (&corpus.collection.stats, &corpus.sources.documents);
        stats::print(&args.running.config, stats, sources, None)?;
    }
    let documents = amount(corpus.collection.documents.len() as u64, "document");
    messages::note(&say!("{} has {}", args.output.display(), documents));
    Ok(Status::of(&corpus.skipped))
}

fn options(args: &FeaturesArgs) -> Result<ScanOptions> {
    let outputs = vec![args.output.as_path()];
    let options = options::options(&args.comparing, &args.running, outputs)?;
    refuse_documents(&options, std::iter::once(args.output.as_path()))?;
    Ok(options)
}
