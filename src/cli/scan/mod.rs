//! `dupfind scan`: the pairs and clusters of near-duplicate documents.

pub(crate) mod args;
mod ci;
pub(crate) mod conflicts;
mod files;
pub(crate) mod gate;
pub(crate) mod help;
mod kept_pairs;
mod next;
pub(crate) mod options;
mod page;
mod reports;
mod unused;

use crate::engine::observer::Observer;
use crate::engine::pairing::sink::PairSink;
use crate::scan::outcome::Outcome;
use crate::scan::{ScanJudge, ScanOptions, scan_judged};
use anyhow::Result;

use crate::cli::input::{stdin, without_documents};
use crate::cli::process::exit::Status;
use crate::cli::scan::args::ScanArgs;
use crate::cli::scan::gate::verdict::fails;
use crate::cli::scan::gate::{baseline, scope};
use crate::cli::scan::options::options;
use crate::cli::scan::reports::{Reports, Written};
use crate::cli::terminal::progress::Progress;
use crate::cli::terminal::{messages, stats};

/// Runs the command.
pub(crate) fn run(args: &ScanArgs) -> Result<Status> {
    unused::warn(args);
    if args.files {
        return files::run(args);
    }
    let reads_stdin = !args.input.is_of_current_folder();
    let told = reads_stdin || stdin::tell_of_unread(args.run.quiet);
    let status = report_of(args, scan_judged)?;
    if !told {
        // It may have been written to while the documents were read.
        stdin::tell_of_unread(args.run.quiet);
    }
    Ok(status)
}

/// Finds pairs with `find`, which does what [`scan_judged`] does, and writes the reports.
///
/// # Errors
///
/// Those of `find`; the options do not go together; a report cannot be written.
pub(crate) fn report_of(
    args: &ScanArgs,
    find: impl for<'t> FnOnce(
        &ScanOptions,
        &dyn Observer,
        Option<&'t mut (dyn ScanJudge + 't)>,
        Option<&'t mut (dyn PairSink + 't)>,
    ) -> crate::error::Result<Outcome>,
) -> Result<Status> {
    let reports = Reports::open(args)?;
    let mut options = options(args)?;
    let _stdin = stdin::spool(&mut options)?;
    let progress = Progress::new(args.run.shows_progress() && !reports.stream_to_terminal());
    let (mut gate, update) = gate::open(args, &options, &progress)?;
    let is_shown = reports.show_pairs();
    let keeps_pairs = update.is_some();
    let Written {
        outcome,
        pairs,
        files,
    } = reports.write(&options, &mut gate, keeps_pairs, |gate, sink| {
        let judge = gate.decides().then_some(gate as &mut dyn ScanJudge);
        let outcome = find(&options, &progress, judge, sink);
        progress.clear();
        let outcome = outcome?;
        messages::of_scan(args.run.quiet, &options.walk, &outcome);
        Ok(outcome)
    })?;
    gate.set_aside(&outcome.skipped);
    match (update, gate.baseline()) {
        (Some(update), Some(baseline)) => {
            update.write(args.run.quiet, baseline, &outcome, &pairs)?;
        }
        _ => baseline::report_stale(args, &gate),
    }
    stats::of_scan(&args.run, &args.config, &outcome)?;
    scope::report(args, &outcome, &gate);
    for file in files.iter().filter(|_| !args.run.quiet) {
        messages::note(file);
    }
    let is_in_vain =
        !args.gate.allow_empty && without_documents::tell(args.run.quiet, &options.walk, &outcome);
    let fails = fails(args.gate.conditions(), &outcome, &gate, is_shown);
    Ok(match Status::of(&outcome.skipped) {
        Status::Ok if is_in_vain => Status::Error,
        Status::Ok if fails => Status::Failed,
        status => status,
    })
}
