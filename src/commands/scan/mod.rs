//! `dupfind scan`: the pairs and clusters of near-duplicate documents.

pub(crate) mod args;
pub(crate) mod ci;
pub(crate) mod help;
pub(crate) mod next;
mod reports;

use std::path::Path;

use anyhow::Result;
use dupfind_decide::Gate;
use dupfind_engine::Options;
use dupfind_scan::{Scan, scan_judged};

use crate::args::comparing::ComparingArgs;
use crate::args::running::ConfigArgs;
use crate::commands::scan::args::ScanArgs;
use crate::commands::scan::reports::{Reports, Written};
use crate::decision::messages as decided;
use crate::decision::scope::scope;
use crate::input::{stdin, without_documents};
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::progress::Progress;

/// Runs the command.
pub(crate) fn run(args: &ScanArgs) -> Result<Status> {
    warn_of_unused(&args.comparing, &args.running.config);
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
pub(crate) fn warn_of_unused(comparing: &ComparingArgs, config: &ConfigArgs) {
    for option in config.typed.names() {
        if let Some(reason) = comparing.engine.detect.why_unused(option) {
            messages::warning(&format!("--{option} has no effect: {reason}"));
        }
    }
}

/// Warns if rewritten texts were asked for, and there are too few documents to tell what is rare.
pub(crate) fn warn_of_few(outcome: &Scan, config: &ConfigArgs) {
    let is_asked = config.typed.names().any(|name| name == "rewritten");
    let least = Options::MIN_WEIGHTED_DOCUMENTS;
    if is_asked && outcome.documents.len() < least {
        messages::warning(&format!(
            "--rewritten has no effect: it needs {least} documents or more, which tell what is rare"
        ));
    }
}

/// Scans and writes the reports.
///
/// # Errors
///
/// Those of a scan; the options do not go together; a report cannot be written.
fn report_of(args: &ScanArgs) -> Result<Status> {
    let reports = Reports::open(args)?;
    let written: Vec<&Path> = args.report.files().collect();
    let mut options = (args.comparing).options(&args.scope, &args.running, &written, None)?;
    args.index.added_to(&mut options);
    let _stdin = stdin::spool(&mut options)?;
    let progress = Progress::new(!reports.stream_to_terminal());
    let mut gate = Gate::new(scope(&args.scope, &args.running.config, &options)?, None);
    let Written { outcome, files } = reports.write(&options, &mut gate, |gate, sink| {
        let outcome = scan_judged(&options, &progress, Some(gate), sink);
        progress.clear();
        let outcome = outcome?;
        messages::of_scan(&options.walk, &outcome);
        Ok(outcome)
    })?;
    args.running.print_stats(&outcome)?;
    warn_of_few(&outcome, &args.running.config);
    warn_of_scope(args, &outcome, &gate);
    for file in &files {
        messages::note(file);
    }
    Ok(match without_documents::report(&options.walk, &outcome) {
        true => Status::Error,
        false => Status::of_scan(&outcome),
    })
}

/// Prints the options that left out pairs, and the arguments about the scope that had no effect.
fn warn_of_scope(args: &ScanArgs, outcome: &Scan, gate: &Gate) {
    if args.report.lists() {
        gate.left_out_by().iter().for_each(decided::left_out);
    }
    decided::of_scope(&args.scope, outcome, gate);
}
