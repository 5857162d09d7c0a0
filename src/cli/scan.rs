//! `dupfind scan`.

use crate::scan::{ScanJudge, scan_judged};
use anyhow::Result;

use crate::cli::args::ScanArgs;
use crate::cli::exit::Status;
use crate::cli::progress::Progress;
use crate::cli::reports::Reports;
use crate::cli::{baseline, gate, messages, scope, settings, stats, stdin};

/// Compares the documents and reports the pairs.
pub(crate) fn run(args: &ScanArgs) -> Result<Status> {
    let reports = Reports::open(args)?;
    let mut settings = settings::for_scan(args)?;
    let _stdin = stdin::spool(&mut settings)?;
    let progress = Progress::new(args.run.shows_progress() && !reports.stream_to_terminal());
    let (mut gate, update) = gate::open(args, &settings, &progress)?;
    let is_shown = reports.show_pairs();
    let keeps_pairs = update.is_some();
    let (outcome, pairs) = reports.write(&settings, &mut gate, keeps_pairs, |gate, sink| {
        let judge = gate.decides().then_some(gate as &mut dyn ScanJudge);
        let outcome = scan_judged(&settings, &progress, judge, sink);
        progress.clear();
        let outcome = outcome?;
        messages::documents(
            args.run.quiet,
            &settings.walk,
            &outcome.skipped,
            &outcome.notes,
            &outcome.warnings,
        );
        Ok(outcome)
    })?;
    gate.set_aside(&outcome.skipped);
    match (update, gate.baseline()) {
        (Some(update), Some(baseline)) => {
            update.write(args.run.quiet, baseline, &outcome, &pairs)?;
        }
        _ => baseline::report_stale(args, &gate),
    }
    if args.run.stats {
        let pairs = Some(outcome.pair_counts.total());
        stats::print(&args.config, &outcome.stats, &outcome.documents, pairs)?;
    }
    scope::report(args, &outcome, &gate);
    let fails = gate::fails(args.gate.conditions(), &outcome, &gate, is_shown);
    Ok(match Status::of(&outcome.skipped) {
        Status::Ok if fails => Status::Failed,
        status => status,
    })
}
