//! `dupfind features`: what is compared of each document, in a file.

pub(crate) mod args;

use std::io::Write;

use anyhow::{Result, bail};

use crate::cli::features::args::{FeaturesArgs, FeaturesFormat};
use crate::cli::input::options::shared;
use crate::cli::input::replaced::refuse_documents;
use crate::cli::input::stdin;
use crate::cli::process::exit::Status;
use crate::cli::scan::options::engine;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::progress::Progress;
use crate::cli::terminal::{messages, stats};
use crate::engine::IdfSource;
use crate::report::listings::shingle_sets::write_shingle_set;
use crate::report::style::numbers::counted;
use crate::scan::corpus::Corpus;
use crate::scan::{ScanOptions, features};
use crate::tiles::part::write_part;

/// Runs the command.
pub(crate) fn run(args: &FeaturesArgs) -> Result<Status> {
    let mut options = options(args)?;
    let output = Output::open(Some(&args.output))?;
    let _stdin = stdin::spool(&mut options)?;
    let progress = Progress::new(args.run.shows_progress());
    let corpus = features(&options, &progress);
    progress.clear();
    let corpus = corpus?;
    let (skipped, notes) = (&corpus.skipped, &corpus.notes);
    let warnings = &corpus.warnings;
    messages::documents(args.run.quiet, &options.walk, skipped, notes, warnings);
    output.write(|out| match args.format {
        FeaturesFormat::Features => Ok(write_part(&options, &corpus, out)?),
        FeaturesFormat::Jsonl => write_shingle_sets(&options, &corpus, out),
    })?;
    if args.run.stats {
        let (stats, sources) = (&corpus.collection.stats, &corpus.sources.documents);
        stats::print(&args.config, stats, sources, None)?;
    }
    if !args.run.quiet {
        let documents = counted(corpus.collection.documents.len() as u64, "document");
        messages::note(&format!("{} has {documents}", args.output.display()));
    }
    Ok(Status::of(&corpus.skipped))
}

/// Writes the shingle set of each document.
fn write_shingle_sets(options: &ScanOptions, corpus: &Corpus, out: &mut dyn Write) -> Result<()> {
    let collection = &corpus.collection;
    for (at, document) in (0..).zip(&collection.documents) {
        let features = collection.features(&options.engine, at)?;
        write_shingle_set(&document.name, &features.shingles, out)?;
    }
    Ok(())
}

fn options(args: &FeaturesArgs) -> Result<ScanOptions> {
    let outputs = vec![args.output.as_path()];
    let shared = shared(&args.input, &args.text, &args.config, &args.run, outputs)?;
    let options = ScanOptions {
        engine: engine(&args.detect, &args.memory, shared.engine)?,
        ..shared
    };
    if matches!(options.engine.idf, IdfSource::Corpus) {
        bail!(
            "--idf corpus: the weights of terms would depend on the documents of the other files, which are not known \
             here; --idf takes 'dictionary' or a file"
        );
    }
    refuse_documents(&options, std::iter::once(args.output.as_path()))?;
    Ok(options)
}
