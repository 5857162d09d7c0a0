//! `dupfind fingerprint`: the fingerprint of every document.

pub(crate) mod args;

use anyhow::Result;
use dupfind_engine::Options;
use dupfind_report::listings::fingerprints::write_fingerprints_jsonl;
use dupfind_scan::{ScanOptions, fingerprints};

use crate::commands::fingerprint::args::FingerprintArgs;
use crate::input::refused::refuse_documents;
use crate::input::{options as input, stdin};
use crate::process::exit::Status;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{messages, stats};

/// Runs the command.
pub(crate) fn run(args: &FingerprintArgs) -> Result<Status> {
    let output = Output::open(args.output.output.as_deref())?;
    let mut options = options(args)?;
    let _stdin = stdin::spool(&mut options)?;
    let progress = Progress::new(args.run.shows_progress());
    let corpus = fingerprints(&options, &progress);
    progress.clear();
    let corpus = corpus?;

    let (skipped, notes) = (&corpus.skipped, &corpus.notes);
    let warnings = &corpus.warnings;
    messages::documents(&options.walk, skipped, notes, warnings);
    let (documents, sources) = (&corpus.collection.documents, &corpus.sources);
    output.write(|out| Ok(write_fingerprints_jsonl(documents, sources, out)?))?;
    if args.run.stats {
        stats::print(
            &args.config,
            &corpus.collection.stats,
            &corpus.sources.documents,
            None,
        )?;
    }
    Ok(Status::of(&corpus.skipped))
}

fn options(args: &FingerprintArgs) -> Result<ScanOptions> {
    let output = args.output.output.as_deref().into_iter().collect();
    let shared = input::shared(&args.input, &args.text, &args.config, &args.run, output)?;
    let options = ScanOptions {
        engine: Options { ..shared.engine },
        ..shared
    };
    refuse_documents(&options, args.output.output.as_deref().into_iter())?;
    Ok(options)
}
