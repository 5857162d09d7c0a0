//! `dupfind join`: one task of a job.

pub(crate) mod args;

use anyhow::{Result, bail};

use crate::cli::freeze::{refuse_inputs, shared};
use crate::cli::join::args::JoinArgs;
use crate::cli::process::exit::Status;
use crate::cli::scan::options::engine;
use crate::cli::terminal::messages;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::progress::Progress;
use crate::engine::Options;
use crate::report::style::numbers::{counted, grouped};
use crate::tiles::cover::{Task, TaskCost, Tiles, costs};
use crate::tiles::frozen::Frozen;
use crate::tiles::sizing::{Sizing, sizing};
use crate::tiles::task::write_pairs;

/// Runs the command.
pub(crate) fn run(args: &JoinArgs) -> Result<Status> {
    let options = engine(
        &args.detect,
        &args.memory,
        shared(&args.text, args.run.threads)?,
    )?;
    let frozen = Frozen::open(&args.frequencies, &options)?;
    if let Some(documents) = args.documents {
        return size_up(args, (&options, &frozen), documents);
    }
    let tiles = args.tiles.expect("it is required");
    let tiles = Tiles::cut(frozen.set_sizes(), tiles);
    if args.dry_run {
        return list(args, &options, &frozen, &tiles);
    }
    let (Some(task), Some(target)) = (args.tile, &args.output) else {
        bail!(
            "which task, and where to write its pairs: --tile I,J -o FILE; --dry-run lists the tasks"
        );
    };
    tiles.check(task)?;
    refuse_inputs(target, &args.paths)?;
    refuse_inputs(target, std::slice::from_ref(&args.frequencies))?;
    let output = Output::open(Some(target))?;
    let progress = Progress::new(args.run.shows_progress());
    let mut pairs = 0;
    let job = (&options, &frozen);
    output.write(|out| {
        let written = write_pairs(job, &args.paths, (&tiles, task), &progress, out);
        progress.clear();
        pairs = written?;
        Ok(())
    })?;
    if !args.run.quiet {
        let pairs = counted(pairs, "pair");
        messages::note(&format!("{} has {pairs} of sets", target.display()));
    }
    Ok(Status::Ok)
}

/// Lists the tasks with what each is expected to cost, separated by tabs.
fn list(args: &JoinArgs, options: &Options, frozen: &Frozen, tiles: &Tiles) -> Result<Status> {
    let tasks = tiles.tasks(frozen, options);
    let costs = costs(tiles, &tasks, frozen, options)?;
    let output = Output::open(args.output.as_deref())?;
    output.write(|out| {
        for (Task { earlier, later }, cost) in tasks.iter().zip(&costs) {
            let TaskCost {
                sets,
                shingles,
                memory,
                time,
            } = cost;
            let (memory, seconds) = (memory.div_ceil(1 << 20), time.as_secs_f64());
            writeln!(
                out,
                "{earlier},{later}\t{sets}\t{shingles}\t{memory}\t{seconds:.1}"
            )?;
        }
        Ok(())
    })?;
    if !args.run.quiet {
        let seconds: f64 = costs.iter().map(|cost| cost.time.as_secs_f64()).sum();
        let memory = costs.iter().map(|cost| cost.memory).max().unwrap_or(0);
        messages::note(&format!(
            "{}, about {seconds:.0} s of one core together and at most {} MB at a time; the columns are the task, its sets, \
             their shingles, MB and seconds",
            counted(tasks.len() as u64, "task"),
            memory.div_ceil(1 << 20)
        ));
    }
    Ok(Status::Ok)
}

/// Lists what a job of so many documents is expected to cost.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn size_up(args: &JoinArgs, job: (&Options, &Frozen), documents: u64) -> Result<Status> {
    if args.paths.is_empty() {
        bail!("--documents needs the files of features of the sample, for their size");
    }
    let Sizing {
        features,
        frozen,
        tiles,
        tasks,
        memory,
        time,
        read,
    } = sizing(job, &args.paths, documents, args.tiles)?;
    let output = Output::open(args.output.as_deref())?;
    output.write(|out| {
        for (name, value) in [
            ("documents", documents),
            ("features", features),
            ("frequencies", frozen),
            ("tiles", tiles.into()),
            ("tasks", tasks),
            ("memory", memory),
            ("seconds", time.as_secs()),
            ("read", read),
        ] {
            writeln!(out, "{name}\t{value}")?;
        }
        Ok(())
    })?;
    if !args.run.quiet {
        let gigabytes = |bytes: u64| bytes as f64 / 1e9;
        messages::note(&format!(
            "{} GB of features, {}, {} of at most {:.1} GB of memory, about {:.2} core hours; the tasks read {} GB",
            grouped(features.div_ceil(1_000_000_000)),
            counted(u64::from(tiles), "tile"),
            counted(tasks, "task"),
            gigabytes(memory),
            time.as_secs_f64() / 3_600.0,
            grouped(read.div_ceil(1_000_000_000)),
        ));
    }
    Ok(Status::Ok)
}
