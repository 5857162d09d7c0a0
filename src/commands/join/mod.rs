//! `dupfind join`: one task of a job.

pub(crate) mod args;

use anyhow::{Result, bail};

use crate::commands::freeze::{refuse_inputs, shared};
use crate::commands::join::args::JoinArgs;
use crate::commands::scan::options::engine;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use dupfind_engine::Options;
use dupfind_jobs::cover::{Task, Tiles};
use dupfind_jobs::files::costs::{TaskCost, costs};
use dupfind_jobs::files::frozen::Frozen;
use dupfind_jobs::files::sizing::{Sizing, sizing};
use dupfind_jobs::files::task::write_pairs;
use dupfind_report::say;
use dupfind_report::style::numbers::{amount, grouped};

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
    let tiles = Tiles::cut(frozen.sets().sizes(), tiles);
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
        let pairs = amount(pairs, "pair");
        messages::note(&say!("{} has {} of sets", target.display(), pairs));
    }
    Ok(Status::Ok)
}

/// Lists the tasks with what each is expected to cost, separated by tabs.
fn list(args: &JoinArgs, options: &Options, frozen: &Frozen, tiles: &Tiles) -> Result<Status> {
    let tasks = tiles.tasks(frozen.sets(), options);
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
        messages::note(&say!(
            "{}, about {} s of one core together and at most {} MB at a time; the columns are the task, its sets, \
             their shingles, MB and seconds",
            amount(tasks.len() as u64, "task"),
            format!("{seconds:.0}"),
            memory.div_ceil(1 << 20)
        ));
    }
    Ok(Status::Ok)
}

/// Lists the expected costs of a job of so many documents.
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
        messages::note(&say!(
            "{} GB of features, {}, {} of at most {} GB of memory, about {} core hours; the tasks read {} GB",
            grouped(features.div_ceil(1_000_000_000)),
            amount(u64::from(tiles), "tile"),
            amount(tasks, "task"),
            format!("{:.1}", memory as f64 / 1e9),
            format!("{:.2}", time.as_secs_f64() / 3_600.0),
            grouped(read.div_ceil(1_000_000_000)),
        ));
    }
    Ok(Status::Ok)
}
