//! `dupfind check`: fails if there is a duplicate that is neither accepted nor older than the change.

mod report;
mod revision;
mod since;
mod versions;

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use dupfind_decide::{Baseline, Gate, Tripped};
use dupfind_engine::{Counts, Pair, TopPairs};
use dupfind_files::Lock;
use dupfind_read::WalkOptions;
use dupfind_report::formats::table::{by_relation, compared_of};
use dupfind_report::style::Grouped;
use dupfind_report::{Format, GITHUB, LIST, amount, phrase, say};
use dupfind_scan::{Scan, ScanOptions, Source, scan_joined};

use crate::args::{ComparingArgs, GATE, GateArgs, IndexArgs, ReportArgs, RunningArgs};
use crate::commands::check::report::Reports;
use crate::commands::check::since::{Since, note_changes};
use crate::commands::scan::warn_of_few;
use crate::decision::gate::{bytes, content, names, scope};
use crate::decision::messages as decided;
use crate::input::{stdin, without_documents};
use crate::process::{Status, is_github};
use crate::terminal::{Progress, messages, output};

pub(crate) const EXAMPLES: &str = "\
Examples:
  A branch:   dupfind check docs --since origin/main
  A commit:   dupfind check --since HEAD
  A folder:   dupfind check docs --fail-on near
  Accepted:   dupfind accept --all docs && dupfind check docs
  In CI:      dupfind check docs --since origin/main -f sarif=dupfind.sarif -f html=dupfind.html
              dupfind check docs --since \"$CI_MERGE_REQUEST_DIFF_BASE_SHA\" -f gitlab=gl-code-quality-report.json

Exit status:
  0  nothing new
  1  something new: each page is listed, with its twin and the command that accepts the two
  2  an error: a wrong option, a file that cannot be read, nothing to compare";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) comparing: ComparingArgs,
    #[command(flatten)]
    pub(crate) index: IndexArgs,

    /// Fail only because of what was changed since the current branch left a git revision
    ///
    /// A pair fails if one of its documents was changed since then, and the pair was not there before, or was weaker. A file is
    /// changed if it differs from the commit where the branch left REV, or if it is untracked. All records of a changed file are
    /// changed. A file that was renamed makes no pair new that was there under its old name, and a new version none that another
    /// version has.
    #[arg(long, value_name = "REV", help_heading = GATE)]
    pub(crate) since: Option<String>,

    #[command(flatten)]
    pub(crate) gate: GateArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> Result<Status> {
    let start = Instant::now();
    let baseline = args
        .gate
        .baseline
        .read(&args.running.config, args.comparing.input.paths.first())?;
    let reports = Reports::open(args)?;
    let mut options = options(args, baseline.as_deref())?;
    let _stdin = stdin::spool(&mut options)?;
    let since = args.since.as_deref();
    let since =
        since.map(|reference| Since::open(reference, args.gate.fail_on.relations(), &options.walk));
    let since = since.transpose()?;
    let mut gate = gate(args, baseline.as_deref(), since.as_ref(), &options)?;
    let (outcome, failing) =
        Progress::during(|progress| find(&options, &mut gate, since.as_ref(), progress))?;
    messages::of_scan(&options.walk, &outcome);
    gate.set_aside(&outcome.skipped);
    let alone = alone(&options.walk, &outcome).filter(|_| !args.gate.empty.allow_empty);
    let tripped = match alone {
        Some(_) => Some(Tripped::Empty),
        None => tripped(&args.gate, &outcome, &gate, since.is_some()),
    };
    let found = report::Found {
        outcome: &outcome,
        pairs: &failing,
        gate: &gate,
        tripped,
    };
    let files = reports.write(&options, &found)?;
    args.running.print_stats(&outcome)?;
    warn_of_few(&outcome, &args.running.config);
    if let (Some(path), Some(known)) = (&baseline, gate.baseline.as_ref()) {
        decided::stale(path, known.stale());
    }
    decided::of_scope(&args.comparing.scope, &outcome, &gate);
    files.iter().for_each(|file| messages::note(file));
    let lacks_named = !args.gate.empty.allow_empty && without_documents::report(&options, &outcome);
    if let Some(file) = alone {
        messages::error(&decided::compared_alone(file));
        return Ok(Status::Error);
    }
    let compared = compared(&outcome, &gate, since.is_some(), start);
    Ok(verdict(
        tripped,
        lacks_named,
        &outcome,
        &args.gate,
        (&gate, since.is_some()),
        &compared,
    ))
}

/// Returns the format that is written if none is named.
fn usual_format() -> &'static Format {
    if is_github() { &GITHUB } else { &LIST }
}

/// Returns whether a report names which document of a pair is at fault.
fn names_the_copy(format: &Format) -> bool {
    format.is_for_ci() || format == &LIST
}

/// Returns the options of the scan.
fn options(args: &CheckArgs, baseline: Option<&Path>) -> Result<ScanOptions> {
    let reports: Vec<&Path> = args.report.files().collect();
    let mut options = (args.comparing).options(&args.running, &reports, baseline)?;
    args.index.added_to(&mut options);
    let baseline = baseline.and_then(output::place);
    if let Some(baseline) = &baseline {
        options.walk.outputs.push(Lock::file(baseline));
    }
    for file in args.report.files() {
        if baseline.is_some() && output::place(file) == baseline {
            let file = file.display();
            bail!("a report is to be written to {file}, which is the baseline: name another file");
        }
    }
    Ok(options)
}

/// Returns the gate that lets only those pairs through that may fail.
fn gate(
    args: &CheckArgs,
    baseline: Option<&Path>,
    since: Option<&Since>,
    options: &ScanOptions,
) -> Result<Gate> {
    let mut scope = scope(&args.comparing.scope, &args.running.config, options)?;
    match since {
        Some(since) => scope.note_changes(since.changes().clone()),
        None if args.report.have(usual_format(), names_the_copy) => {
            note_changes(baseline, &options.walk, &mut scope);
        }
        None => {}
    }
    let accepted = baseline
        .map(|path| accepted(args, path, options))
        .transpose()?;
    let fail_on = args.gate.fail_on.relations();
    Ok(Gate::new(scope, accepted).only_failing(fail_on, since.is_some()))
}

/// Returns the accepted pairs. A pair of a relation that the file does not hold is accepted by no line.
fn accepted(args: &CheckArgs, path: &Path, options: &ScanOptions) -> Result<Baseline> {
    let Some(bytes) = bytes(path)? else {
        bail!(
            "--baseline: there is no file {}; dupfind accept makes it",
            path.display()
        );
    };
    let mut known = content(path, &bytes)?;
    let fail_on = args.gate.fail_on.relations();
    known.relations = known.relations.iter().chain(fail_on.iter()).collect();
    Ok(Baseline::new(known, names(path, &options.walk)?))
}

/// Finds the pairs that fail. The outcome has no other pair.
fn find(
    options: &ScanOptions,
    gate: &mut Gate,
    since: Option<&Since>,
    progress: &Progress,
) -> Result<(Scan, Vec<Pair>)> {
    let room = TopPairs::room(options.engine.budget.limit);
    let mut sink = TopPairs::new(room).of_first_copies();
    let mut outcome = scan_joined(options, progress, Some(gate), Some(&mut sink))?;
    let is_whole = sink.left_out() == 0;
    let mut pairs = sink.into_pairs();
    let (total, count) = (outcome.pair_counts.total(), pairs.len());
    match since {
        Some(_) if !is_whole => bail!(
            "{total} pairs fail, and there is no memory to tell which of them are new: --memory-limit allows more"
        ),
        Some(since) => since.retain_new(options, &outcome, &mut pairs, progress)?,
        None if !is_whole => messages::warning(&format!(
            "{total} pairs fail, and the reports have the {count} most similar"
        )),
        None => {}
    }
    if is_whole {
        versions::leave_out_known(&outcome, gate, since.is_some(), &mut pairs);
    }
    if pairs.len() < count {
        leave(&mut outcome, &pairs)?;
    }
    // The reports need no sets.
    outcome.joined = None;
    gate.note_failing(outcome.pair_counts);
    Ok((outcome, pairs))
}

/// Leaves only these pairs in an outcome.
fn leave(outcome: &mut Scan, pairs: &[Pair]) -> Result<()> {
    let mut counts = Counts::default();
    pairs.iter().for_each(|pair| counts.add(pair.relation(), 1));
    outcome.pair_counts = counts;
    outcome.clusters = outcome.clusters_of(pairs)?;
    Ok(())
}

/// Returns why the check fails, if it does.
fn tripped(args: &GateArgs, outcome: &Scan, gate: &Gate, is_since: bool) -> Option<Tripped> {
    let own = outcome.sources.own();
    let other = outcome.sources.documents.len() - own;
    let has_sides = gate.scope.has_sides();
    if args.empty.fails(own, has_sides.then_some(other)) {
        return Some(Tripped::Empty);
    }
    let (counts, allowed) = (outcome.pair_counts, args.max_pairs.unwrap_or(0));
    (counts.total() > allowed).then_some(Tripped::Pairs {
        counts,
        allowed,
        only_new: is_since,
    })
}

/// Returns the file of the only page, if it alone was named: its folder was meant.
fn alone<'o>(walk: &WalkOptions, outcome: &'o Scan) -> Option<&'o Path> {
    let [source] = &*outcome.sources.documents else {
        return None;
    };
    let [path] = &*walk.paths else {
        return None;
    };
    // What was read from a pipe is on the disk under another name.
    let is_file = walk.on_disk(path) == path && walk.base.join(path).is_file();
    let is_alone = is_file && walk.against.is_empty() && !source.is_record();
    is_alone.then(|| &*outcome.sources.files[source.file as usize])
}

/// Returns what was compared, in words: `1,695 pages compared (1 skipped: 1 data), 12 changed, 2 accepted, 1.2 s`.
fn compared(outcome: &Scan, gate: &Gate, is_since: bool, start: Instant) -> String {
    let has_records = outcome.sources.documents.iter().any(Source::is_record);
    let noun = if has_records { "document" } else { "page" };
    let changed = gate.count_changed().filter(|_| is_since);
    let left_out = Some(gate.left_out).filter(|&pairs| pairs > 0);
    let between_editions = Some(gate.between_editions).filter(|&pairs| pairs > 0);
    let repeated = Some(gate.of_repeated).filter(|&pairs| pairs > 0);
    let parts = [
        Some(compared_of(
            &amount(Grouped(outcome.documents.len() as u64), noun),
            &outcome.skipped,
        )),
        changed.map(|changed| say!("{} changed", Grouped(changed as u64))),
        gate.baseline
            .as_ref()
            .map(|_| say!("{} accepted", Grouped(gate.accepted))),
        left_out.map(|pairs| say!("leaving out {}", amount(Grouped(pairs), "pair"))),
        between_editions.map(|pairs| {
            let pairs = amount(Grouped(pairs), "pair");
            say!(
                "leaving out {} between languages or versions (--across compares these)",
                pairs
            )
        }),
        repeated.map(|pairs| {
            say!(
                "leaving out {} of licences or the like",
                amount(Grouped(pairs), "pair")
            )
        }),
        Some(say!(
            "{} s",
            format!("{:.1}", start.elapsed().as_secs_f64())
        )),
    ];
    parts
        .into_iter()
        .flatten()
        .collect::<Vec<String>>()
        .join(phrase(", "))
}

/// Prints the verdict, and returns the exit status.
fn verdict(
    tripped: Option<Tripped>,
    lacks_named: bool,
    outcome: &Scan,
    args: &GateArgs,
    (gate, is_since): (&Gate, bool),
    compared: &str,
) -> Status {
    if tripped == Some(Tripped::Empty) {
        messages::error(decided::NOTHING_COMPARED);
        return Status::Error;
    }
    let status = match Status::of(&outcome.skipped) {
        Status::Ok if lacks_named => Status::Error,
        Status::Ok if tripped.is_some() => Status::Failed,
        status => status,
    };
    let counts = outcome.pair_counts;
    // A pair that is not accepted may be an old one.
    let noun = if is_since {
        "new duplicate pair"
    } else {
        "duplicate pair"
    };
    let (pairs, kinds) = (amount(counts.total(), noun), by_relation(counts));
    let text = match (counts.total(), args.max_pairs.unwrap_or(0)) {
        (0, _) if is_since || gate.baseline.is_some() => say!("No new duplicates: {}", compared),
        (0, _) => say!("No duplicates: {}", compared),
        (_, 0) => say!("{} ({}): {}", pairs, kinds, compared),
        (_, allowed) => say!("{} ({}), {} allowed: {}", pairs, kinds, allowed, compared),
    };
    match tripped {
        Some(_) => messages::failed(&text),
        None if status == Status::Ok => messages::note(&text),
        None => {}
    }
    status
}
