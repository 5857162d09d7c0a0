//! `dupfind freeze`: the data that all tasks of a job share.

pub(crate) mod args;

use anyhow::Result;

use crate::commands::freeze::args::FreezeArgs;
use crate::input::options::engine;
use crate::input::refused::refuse_overwriting;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use dupfind_jobs::files::freeze::freeze;
use dupfind_report::say;
use dupfind_report::style::numbers::amount;

/// Runs the command.
pub(crate) fn run(args: &FreezeArgs) -> Result<Status> {
    let options = engine(&args.engine, &args.running.memory, args.running.run.threads)?;
    refuse_overwriting(Some(&args.output), &args.paths)?;
    let output = Output::open(Some(&args.output))?;
    let progress = Progress::new(args.running.run.shows_progress());
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
