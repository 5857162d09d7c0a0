//! Where the pairs of a plan come from: a scan.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::commands::plan::args::PlanArgs;
use crate::decision::keepers::too_many;
use crate::decision::open_pairs::{OpenPairs, gate};
use crate::input::stdin;
use crate::process::exit::Status;
use crate::terminal::progress::Progress;
use dupfind_decide::Drops;
use dupfind_decide::clean::ties::Collected;
use dupfind_engine::DocId;
use dupfind_read::WalkOptions;
use dupfind_report::style::shell;
use dupfind_scan::{Scan, ScanOptions, Source};

/// The input of a plan.
pub(super) struct PlanInput {
    pub(super) outcome: Scan,
    pub(super) collected: Collected,
    /// The documents of pairs that are accepted.
    pub(super) stay: HashSet<DocId>,
    /// How many pairs are accepted, and where.
    pub(super) accepted: (u64, Option<PathBuf>),
    pub(super) status: Status,
}

/// Refuses documents that are all records: nobody moves or deletes a part of a file.
///
/// # Errors
///
/// The command that removes records.
fn refuse_records(walk: &WalkOptions, outcome: &Scan) -> Result<()> {
    let sources = &outcome.sources.documents;
    if sources.is_empty() || !sources.iter().all(Source::is_record) {
        return Ok(());
    }
    let paths: Vec<String> = walk.paths.iter().map(|path| shell::shown(path)).collect();
    let against = walk.against.iter();
    let against = against.map(|path| format!(" --against {}", shell::shown(path)));
    // The output is of the kind of the inputs.
    let mut kept = PathBuf::from("kept.jsonl");
    if let Some(extension) = sources_extension(outcome) {
        kept.set_extension(extension);
    }
    bail!(
        "a plan is for files, and all documents are records; this writes those that stay: dupfind dedup {}{} -o {}",
        paths.join(" "),
        against.collect::<String>(),
        kept.display()
    )
}

/// Returns the extension of the first file of own records.
fn sources_extension(outcome: &Scan) -> Option<OsString> {
    let mut own = outcome.sources.documents.iter();
    let source = own.find(|source| !source.is_against)?;
    let file = outcome.sources.files.get(source.file as usize)?;
    Some(file.extension()?.to_owned())
}

/// Scans the documents.
pub(super) fn find(args: &PlanArgs, drops: Drops) -> Result<PlanInput> {
    let baseline = args.baseline.read(&args.running.config)?;
    let reports: Vec<&Path> = args.output.output.as_deref().into_iter().collect();
    let (scope, running) = (&args.scope, &args.running);
    let options = (args.comparing).options(scope, running, &reports, baseline.as_deref())?;
    if stdin::is_named(&options.walk.paths) {
        bail!(
            "'-': a plan names files, and standard input is not a file; dupfind dedup removes records"
        );
    }
    of_scan(args, drops, &options, baseline)
}

fn of_scan(
    args: &PlanArgs,
    drops: Drops,
    options: &ScanOptions,
    baseline: Option<PathBuf>,
) -> Result<PlanInput> {
    let config = &args.running.config;
    let is_named = args.baseline.baseline.is_some();
    let mut gate = gate(&args.scope, config, options, baseline.as_deref(), is_named)?;
    let mut open = OpenPairs::new(&gate, drops);
    let outcome = Progress::of_scan(options, &mut gate, &mut open).map_err(too_many)?;
    args.running.print_stats(&outcome)?;
    refuse_records(&options.walk, &outcome)?;
    let (collected, stay) = open.finish();
    Ok(PlanInput {
        status: Status::of(&outcome.skipped),
        outcome,
        collected,
        stay,
        accepted: (gate.accepted(), baseline),
    })
}
