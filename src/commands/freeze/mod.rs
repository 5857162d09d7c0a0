//! `dupfind freeze`: what all tasks of a job must agree on.

pub(crate) mod args;

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::args::documents::text::TextArgs;
use crate::commands::freeze::args::FreezeArgs;
use crate::input::comparing::engine;
use crate::input::options::refuse_overwriting;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use dupfind_engine::Options;
use dupfind_jobs::files::freeze::freeze;
use dupfind_report::say;
use dupfind_report::style::numbers::amount;

/// Runs the command.
pub(crate) fn run(args: &FreezeArgs) -> Result<Status> {
    let shared = shared(&args.text, args.run.threads)?;
    let options = engine(&args.detect, &args.memory, shared)?;
    refuse_inputs(&args.output, &args.paths)?;
    let output = Output::open(Some(&args.output))?;
    let progress = Progress::new(args.run.shows_progress());
    let frozen = freeze(&options, &args.paths, &progress);
    progress.clear();
    let frozen = frozen?;
    output.write(|out| Ok(frozen.write(out)?))?;
    let documents = amount(frozen.sets().documents() as u64, "document");
    let sets = amount(frozen.sets().sizes().len() as u64, "different shingle set");
    let name = args.output.display();
    messages::note(&say!("{} has {} of {}", name, sets, documents));
    Ok(Status::Ok)
}

/// Returns the options of the engine that the commands of a job make of the arguments about text.
///
/// # Errors
///
/// A file of weights cannot be read.
pub(crate) fn shared(text: &TextArgs, threads: u16) -> Result<Options> {
    text.added_to(Options {
        threads: usize::from(threads),
        ..Options::default()
    })
}

/// Refuses to replace one of the files of a job that are read.
///
/// # Errors
///
/// The output is one of them.
pub(crate) fn refuse_inputs(output: &Path, inputs: &[PathBuf]) -> Result<()> {
    refuse_overwriting(Some(output), inputs)
}
