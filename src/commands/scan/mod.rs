//! `dupfind scan`: the pairs and clusters of near-duplicate documents.

pub(crate) mod args;
mod ci;
pub(crate) mod conflicts;
mod gate;
pub(crate) mod help;
mod kept_pairs;
mod next;
mod page;
mod reports;

use std::path::Path;

use anyhow::Result;
use dupfind_engine::verdict::pair::Pair;
use dupfind_files::lock::Lock;
use dupfind_scan::indexed::IndexOptions;
use dupfind_scan::{ScanOptions, scan_judged};

use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::reports::{Reports, Written};
use crate::input::options::options_of_sides;
use crate::input::refused::refuse_documents;
use crate::input::{stdin, without_documents};
use crate::process::exit::Status;
use crate::terminal::progress::Progress;
use crate::terminal::{messages, output, stats};

/// Runs the command.
pub(crate) fn run(args: &ScanArgs) -> Result<Status> {
    warn_of_unused(args);
    let reads_stdin = !args.comparing.input.is_of_current_folder();
    let is_explained = reads_stdin || stdin::warn_if_stdin_is_unread();
    let status = report_of(args)?;
    if !is_explained {
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

/// Scans and writes the reports.
///
/// # Errors
///
/// Those of a scan; the options do not go together; a report cannot be written.
fn report_of(args: &ScanArgs) -> Result<Status> {
    let reports = Reports::open(args)?;
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
        let outcome = scan_judged(&options, &progress, Some(gate), sink);
        progress.clear();
        let outcome = outcome?;
        messages::of_scan(&options.walk, &outcome);
        Ok(outcome)
    })?;
    gate.set_aside(&outcome.skipped);
    if let (Some(update), Some(baseline)) = (update, gate.baseline()) {
        let pairs: Vec<Pair> = pairs
            .into_iter()
            .filter(|pair| !gate.is_apart(pair))
            .collect();
        update.write(baseline, &outcome, &pairs)?;
    }
    stats::of_scan(&args.running, &outcome)?;
    gate::report(args, &outcome, &gate);
    for file in &files {
        messages::note(file);
    }
    let compared_nothing =
        !args.gate.empty.allow_empty && without_documents::report(&options.walk, &outcome);
    let fails = gate::fails(args, &outcome, &gate, is_shown);
    Ok(match Status::of(&outcome.skipped) {
        Status::Ok if compared_nothing => Status::Error,
        Status::Ok if fails => Status::Failed,
        status => status,
    })
}

/// Returns the options of the scan.
///
/// # Errors
///
/// A file of options cannot be read, a report would replace a file that is to be read, or numbers do not go
/// together.
fn options(args: &ScanArgs) -> Result<ScanOptions> {
    let targets = args.targets().collect();
    let mut options = options_of_sides(&args.comparing, &args.scope, &args.running, targets)?;
    options.index = args.index.index.as_ref().map(|path| IndexOptions {
        path: path.clone(),
        is_frozen: false,
    });
    options.walk.outputs.extend(args.index.index.clone());
    let baseline = args.gate.baseline.as_deref().and_then(output::place);
    let locks = baseline.iter().map(|baseline| Lock::file(baseline));
    options.walk.outputs.extend(locks);
    // A report over the baseline has a message of its own.
    let is_baseline = |report: &&Path| baseline.is_some() && output::place(report) == baseline;
    refuse_documents(
        &options,
        args.report.files().filter(|report| !is_baseline(report)),
    )?;
    Ok(options)
}
