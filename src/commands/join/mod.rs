//! `dupfind join`: one task of a job.

pub(crate) mod args;

use anyhow::{Result, bail};

use crate::commands::join::args::JoinArgs;
use crate::input::options::engine;
use crate::input::refused::refuse_overwriting;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use dupfind_engine::Options;
use dupfind_jobs::cover::{Task, TaskSize, Tiles};
use dupfind_jobs::files::frozen::Frozen;
use dupfind_jobs::files::task::write_pairs;
use dupfind_report::say;
use dupfind_report::style::numbers::amount;

/// Runs the command.
pub(crate) fn run(args: &JoinArgs) -> Result<Status> {
    let options = engine(&args.engine, &args.running.memory, args.running.run.threads)?;
    let frozen = Frozen::open(&args.frequencies, &options)?;
    let tiles = Tiles::cut(frozen.sets().sizes(), args.tiles);
    if args.dry_run {
        return list(args, &options, &frozen, &tiles);
    }
    let (Some(task), Some(target)) = (args.tile, &args.output) else {
        bail!(
            "which task, and where to write its pairs: --tile I,J -o FILE; --dry-run lists the tasks"
        );
    };
    tiles.check(task)?;
    refuse_overwriting(Some(target), &args.paths)?;
    refuse_overwriting(Some(target), std::slice::from_ref(&args.frequencies))?;
    let output = Output::open(Some(target))?;
    let progress = Progress::new(args.running.run.shows_progress());
    let mut pairs = 0;
    let job = (&options, &frozen);
    output.write(|out| {
        let written = write_pairs(job, &args.paths, (&tiles, task), &progress, out);
        progress.clear();
        pairs = written?;
        Ok(())
    })?;
    let pairs = amount(pairs, "pair");
    messages::note(&say!("{} has {} of sets", target.display(), pairs));
    Ok(Status::Ok)
}

/// Lists the tasks and how large each is, separated by tabs.
fn list(args: &JoinArgs, options: &Options, frozen: &Frozen, tiles: &Tiles) -> Result<Status> {
    let tasks = tiles.tasks(frozen.sets(), options);
    let sizes = tasks.iter().map(|&task| tiles.size_of(task, frozen.sets()));
    let sizes: Vec<TaskSize> = sizes.collect();
    let megabytes = |size: &TaskSize| size.memory().div_ceil(1 << 20);
    let output = Output::open(args.output.as_deref())?;
    output.write(|out| {
        for (Task { earlier, later }, size) in tasks.iter().zip(&sizes) {
            let TaskSize { sets, shingles } = size;
            let memory = megabytes(size);
            writeln!(out, "{earlier},{later}\t{sets}\t{shingles}\t{memory}")?;
        }
        Ok(())
    })?;
    messages::note(&say!(
        "{} of at most {} MB of memory; the columns are the task, its sets, their shingles and MB",
        amount(tasks.len() as u64, "task"),
        sizes.iter().map(megabytes).max().unwrap_or(0)
    ));
    Ok(Status::Ok)
}
