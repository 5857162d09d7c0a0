//! `dupfind scan`: the pairs and clusters of near-duplicate documents.

pub(crate) mod args;
mod ci;
pub(crate) mod conflicts;
pub(crate) mod gate;
pub(crate) mod help;
mod init;
mod kept_pairs;
mod next;
pub(crate) mod options;
mod page;
mod reports;
mod watch;

use anyhow::Result;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::verdict::pair::Pair;
use dupfind_report::formats::table::changes::Changes;
use dupfind_scan::outcome::Outcome;
use dupfind_scan::{ScanJudge, ScanOptions, scan_judged};

use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::gate::verdict::fails;
use crate::commands::scan::gate::{baseline_file, left_out};
use crate::commands::scan::options::options;
use crate::commands::scan::reports::{Reports, Written};
use crate::input::{stdin, without_documents};
use crate::process::exit::Status;
use crate::terminal::progress::Progress;
use crate::terminal::{messages, stats};

/// Runs the command.
pub(crate) fn run(args: &ScanArgs) -> Result<Status> {
    warn_of_unused(args);
    let reads_stdin = !args.comparing.input.is_of_current_folder();
    let told = reads_stdin || stdin::warn_if_stdin_is_unread();
    let status = match args.watch {
        true => watch::run(args)?,
        false => report_of(args, None, scan_judged)?,
    };
    if !told {
        // It may have been written to while the documents were read.
        stdin::warn_if_stdin_is_unread();
    }
    Ok(status)
}

/// Warns of the options that were typed and have no effect. Those of a configuration are for other runs, too.
fn warn_of_unused(args: &ScanArgs) {
    for option in &args.running.config.typed {
        if let Some(reason) = args.comparing.engine.detect.why_unused(option) {
            messages::warning(&format!("--{option} has no effect: {reason}"));
        }
    }
}

/// Finds pairs with `find`, which does what [`scan_judged`] does, and writes the reports. With `changes` the table is what
/// has changed since the one before.
///
/// # Errors
///
/// Those of `find`; the options do not go together; a report cannot be written.
pub(crate) fn report_of(
    args: &ScanArgs,
    changes: Option<&mut Changes>,
    find: impl for<'t> FnOnce(
        &ScanOptions,
        &dyn Observer,
        Option<&'t mut (dyn ScanJudge + 't)>,
        Option<&'t mut (dyn PairSink + 't)>,
    ) -> dupfind_engine::Result<Outcome>,
) -> Result<Status> {
    init::check(args)?;
    let reports = Reports::open(args, changes)?;
    let mut options = options(args)?;
    let _stdin = stdin::spool(&mut options)?;
    let progress =
        Progress::new(args.running.run.shows_progress() && !reports.stream_to_terminal());
    let (mut gate, update) = gate::open(args, &options, &progress)?;
    let is_shown = reports.show_pairs();
    let keeps_pairs = update.is_some();
    let Written {
        outcome,
        pairs,
        files,
    } = reports.write(&options, &mut gate, keeps_pairs, |gate, sink| {
        let outcome = find(&options, &progress, Some(gate), sink);
        progress.clear();
        let outcome = outcome?;
        messages::of_scan(&options.walk, &outcome);
        Ok(outcome)
    })?;
    gate.set_aside(&outcome.skipped);
    match (update, gate.baseline()) {
        (Some(update), Some(baseline)) => {
            let pairs: Vec<Pair> = pairs
                .into_iter()
                .filter(|pair| !gate.is_apart(pair))
                .collect();
            update.write(baseline, &outcome, &pairs)?;
        }
        _ => baseline_file::report_stale(args, &gate),
    }
    init::write(args, &outcome, &gate)?;
    stats::of_scan(&args.running, &outcome)?;
    left_out::report(args, &outcome, &gate);
    for file in &files {
        messages::note(file);
    }
    let compared_nothing =
        !args.gate.empty.allow_empty && without_documents::tell(&options.walk, &outcome);
    let fails = fails(args, &outcome, &gate, is_shown);
    Ok(match Status::of(&outcome.skipped) {
        Status::Ok if compared_nothing => Status::Error,
        Status::Ok if fails => Status::Failed,
        status => status,
    })
}
