//! Where the pairs of a plan come from: a scan, or the report of one.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::commands::plan::args::PlanArgs;
use crate::commands::scan::gate::left_out;
use crate::commands::scan::options::Comparing;
use crate::decision::too_many;
use crate::input::replaced::refuse_documents;
use crate::input::stdin;
use crate::process::exit::Status;
use crate::process::memory;
use crate::terminal::progress::Progress;
use crate::terminal::{messages, stats};
use dupfind_decide::clean::plan::from_report::ReportRecord;
use dupfind_decide::clean::plan::make::Tied;
use dupfind_decide::clean::ties::{Drops, Ties};
use dupfind_decide::gate::Gate;
use dupfind_files::open::read_named;
use dupfind_read::ReadOptions;
use dupfind_report::formats::machine::earlier::is_json_report;
use dupfind_scan::{ScanJudge, ScanOptions, scan_judged};

/// The input of a plan.
pub(super) struct PlanInput {
    pub(super) tied: Tied,
    pub(super) read: ReadOptions,
    /// The files that globs must match.
    pub(super) files: Vec<PathBuf>,
    /// How many pairs of other duplicates there are.
    pub(super) others: u64,
    pub(super) is_report: bool,
    pub(super) status: Status,
}

/// Returns the input that the paths hold: a report, or the documents of a scan.
pub(super) fn find(args: &PlanArgs, drops: Drops) -> Result<PlanInput> {
    let options = options(args)?;
    if stdin::is_named(&options.walk.paths) {
        bail!(
            "'-': a plan names files, and standard input is not a file; dupfind dedup removes records"
        );
    }
    match report(&args.input.paths)? {
        Some(report) => of_report(args, &report, drops, &options),
        None => of_scan(args, drops, options),
    }
}

fn options(args: &PlanArgs) -> Result<ScanOptions> {
    let output = args.output.output.as_deref();
    let comparing = Comparing {
        input: &args.input,
        text: &args.text,
        detect: &args.detect,
        scope: &args.scope,
        run: &args.run,
        memory: &args.memory,
        config: &args.config,
    };
    let options = comparing.options(output.into_iter().collect())?;
    refuse_documents(&options, output.into_iter())?;
    Ok(options)
}

/// Returns the report, if the only path is one.
fn report(paths: &[PathBuf]) -> Result<Option<PathBuf>> {
    let is_of_scan = |path: &&PathBuf| {
        let is_json = path.extension().is_some_and(|end| end == "json");
        is_json && path.is_file() && is_json_report(path).unwrap_or(false)
    };
    let reports: Vec<&PathBuf> = paths.iter().filter(is_of_scan).collect();
    match (reports.as_slice(), paths) {
        ([], _) => Ok(None),
        ([report], [_]) => Ok(Some((*report).clone())),
        ([report, ..], _) => bail!(
            "{} is a report: give one report, or paths",
            report.display()
        ),
    }
}

fn of_report(
    args: &PlanArgs,
    path: &Path,
    drops: Drops,
    options: &ScanOptions,
) -> Result<PlanInput> {
    let name = path.display().to_string();
    let content = read_named(path).with_context(|| format!("cannot read {name}"))?;
    let report = ReportRecord::read(&content).map_err(|why| anyhow!("{name}: {why}"))?;
    let ties = report.ties(drops, &options.read, &options.engine, &options.walk.base);
    let ties = ties.map_err(|record| {
        anyhow!("{name}: {record}; dupfind dedup removes records, and dupfind plan FILE names them")
    })?;
    if ties.tied.candidates.is_empty() && !ties.gone.is_empty() {
        bail!(
            "{name}: none of its documents is here ({}); run this in the folder where the scan was run",
            ties.gone[0]
        );
    }
    for gone in ties.gone.iter().filter(|_| !args.run.quiet) {
        messages::warning(&format!(
            "{gone}: its pairs are left out; a new scan knows what there is"
        ));
    }
    Ok(PlanInput {
        files: ties
            .tied
            .candidates
            .iter()
            .map(|c| c.file.clone())
            .collect(),
        tied: ties.tied,
        read: options.read.clone(),
        others: ties.others,
        is_report: true,
        status: Status::Ok,
    })
}

fn of_scan(args: &PlanArgs, drops: Drops, options: ScanOptions) -> Result<PlanInput> {
    let scope = left_out::asked_for(&args.scope, &args.config, args.run.quiet, &options)?;
    let mut gate = Gate::new(scope, None);
    let progress = Progress::new(args.run.shows_progress());
    let mut ties = Ties::new(drops, !gate.decides(), memory::total() / 2);
    let outcome = {
        let judge = gate.decides().then_some(&mut gate as &mut dyn ScanJudge);
        scan_judged(&options, &progress, judge, Some(&mut ties))
    };
    progress.clear();
    let outcome = outcome.map_err(too_many)?;
    messages::of_scan(args.run.quiet, &options.walk, &outcome);
    stats::of_scan(&args.run, &args.config, &outcome)?;
    let collected = ties.finish();
    let others = collected.others;
    let (tied, _) = Tied::of_scan(&outcome, collected, u64::from);
    Ok(PlanInput {
        tied,
        files: outcome.sources.files.clone(),
        read: options.read,
        others,
        is_report: false,
        status: Status::of(&outcome.skipped),
    })
}
