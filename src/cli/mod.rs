//! From the command line to the exit status.

mod args;
mod baseline;
mod ci;
mod compare;
mod compare_args;
mod config;
mod exit;
mod files;
mod format;
mod gate;
mod gate_args;
mod generate;
mod interrupt;
mod memory;
mod messages;
mod output;
mod panics;
mod program;
mod progress;
mod reports;
mod revision;
mod scan;
mod scope;
mod settings;
mod size;
mod stats;
mod stdin;
mod stream;
mod text;
mod text_args;
mod tune;
mod tune_args;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::error::Error;
use crate::report::{write_fingerprints_jsonl, write_fingerprints_table};
use crate::scan::fingerprints;
use anyhow::{Context, Result};

use crate::cli::args::{Command, FingerprintArgs, FingerprintFormat};
use crate::cli::config::Refused;
use crate::cli::exit::Status;
use crate::cli::output::Output;
use crate::cli::progress::Progress;

/// Takes the words of the command line and does what they say.
pub fn run(words: impl Iterator<Item = OsString>) -> ExitCode {
    panics::silence_contained();
    let words: Vec<OsString> = words.collect();
    let args = match config::parse(&words) {
        Ok(args) => args,
        Err(Refused::Typed(error)) => return args::explain(&error, &words),
        Err(Refused::Config(reason)) => {
            messages::error(&reason);
            return Status::Error.into();
        }
    };
    let result = match &args.command {
        Command::Scan(args) => match args.config.dump() {
            Some(text) => print(text),
            None if args.files => files::run(args),
            None => scan::run(args),
        },
        Command::Fingerprint(args) => run_fingerprint(args),
        Command::Compare(args) => compare::run(args),
        Command::Tune(args) => tune::run(args),
        Command::Stream(args) => stream::run(args),
        Command::Text(args) => text::run(args),
        Command::Generate(args) => generate::run(args),
    };
    match result {
        Ok(status) => status.into(),
        Err(error) if is_broken_pipe(&error) => Status::Ok.into(),
        Err(error) => {
            messages::error(&format!("{error:#}"));
            if let (Some(Error::TempFile { .. }), Command::Scan(_) | Command::Tune(_)) =
                (error.downcast_ref(), &args.command)
            {
                to_stderr("  --temp-dir names another folder, --memory-limit allows more memory");
            }
            Status::Error.into()
        }
    }
}

/// Prints a text to standard output.
fn print(text: &str) -> Result<Status> {
    Output::open(None)?.write(|out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(Status::Ok)
}

/// `dupfind fingerprint`.
fn run_fingerprint(args: &FingerprintArgs) -> Result<Status> {
    let output = Output::open(args.output.output.as_deref())?;
    let mut settings = settings::for_fingerprint(args)?;
    let _stdin = stdin::spool(&mut settings)?;
    let progress = Progress::new(args.run.shows_progress());
    let corpus = fingerprints(&settings, &progress);
    progress.clear();
    let corpus = corpus?;

    let walk = &settings.walk;
    let (skipped, notes) = (&corpus.skipped, &corpus.notes);
    messages::documents(args.run.quiet, walk, skipped, notes, &corpus.warnings);
    output.write(|out| {
        match args.format {
            FingerprintFormat::Jsonl => {
                write_fingerprints_jsonl(&corpus.collection.documents, out)?
            }
            FingerprintFormat::Table => {
                write_fingerprints_table(&corpus.collection.documents, out)?
            }
        }
        Ok(())
    })?;
    if args.run.stats {
        stats::print(
            &args.config,
            &corpus.collection.stats,
            &corpus.collection.documents,
            None,
        )?;
    }
    Ok(Status::of(&corpus.skipped))
}

/// Whether the reader of our output went away, which is no error of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Writes a line to standard error. That it is gone is nobody's loss.
fn to_stderr(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// The folder the user is in.
fn current_folder() -> Result<std::path::PathBuf> {
    std::env::current_dir().context("cannot tell the current folder")
}
