//! `dupfind reuse`: the passages that are in several places, and their wordings.

pub(crate) mod args;

use anyhow::Result;

use crate::args::output::Reader;
use crate::commands::reuse::args::ReuseArgs;
use crate::decision::messages::empty_failed;
use crate::input::options::shared;
use crate::input::refused::refuse_documents;
use crate::input::stdin;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use dupfind_decide::reuse::finding::{Finding, findings};
use dupfind_decide::reuse::group::Group;
use dupfind_decide::reuse::passage::units;
use dupfind_decide::reuse::{ReuseOptions, groups_of_files};
use dupfind_engine::Options;
use dupfind_engine::run::threads::in_pool;
use dupfind_read::source::walk::WalkOptions;
use dupfind_report::reuse::model::{ReuseReport, percent};
use dupfind_report::reuse::{write_reuse_json, write_reuse_table};
use dupfind_report::style::TableStyle;
use dupfind_scan::ScanOptions;

/// How many groups are looked through for odd wordings.
const MAX_LOOKED_THROUGH: usize = 20_000;

/// How many passages are listed for people by default.
const USUAL_TOP: usize = 20;

/// Runs the command.
pub(crate) fn run(args: &ReuseArgs) -> Result<Status> {
    let output = Output::open(args.output.output.as_deref())?;
    let output = output.going_on(args.max_duplicated.is_some());
    let mut scan = options(args)?;
    let _stdin = stdin::spool(&mut scan)?;
    let options = ReuseOptions {
        engine: scan.engine.clone(),
        min_units: args.min_units,
        min_jaccard: args.min_jaccard,
        includes_code: args.code,
        has_sides: !args.against.is_empty(),
    };
    let style = TableStyle {
        width: output.columns(),
        color: output.is_coloured(args.color.when),
        ..TableStyle::default()
    };
    let progress = Progress::new(args.running.run.shows_progress());
    let of = groups_of_files(&options, &scan, &progress);
    progress.clear();
    let of = of?;
    let pages = &of.pages;
    messages::documents(&scan.walk, &pages.skipped, &pages.notes, &pages.warnings);
    let passages = |page: usize| of.cut[page].passages();
    let groups: Vec<(usize, &Group)> = of.found.groups.iter().enumerate().collect();
    let (findings, listable) = in_pool(scan.engine.threads, || {
        Ok(listed(args, groups, |groups| {
            findings(groups.into_iter(), pages, passages, &scan.read)
        }))
    })?;
    let report = ReuseReport {
        options: &options,
        of: &of,
        findings: &findings,
        listable,
    };
    output.write(|out| {
        match args.format {
            Reader::Person => write_reuse_table(&report, style, out)?,
            Reader::Program => write_reuse_json(&report, out)?,
        }
        Ok(())
    })?;
    Ok(verdict(args, &report, Status::of(&pages.skipped)))
}

/// Returns the groups that are listed, with their texts, and how many there are without `--top`.
fn listed<'g>(
    args: &ReuseArgs,
    groups: Vec<(usize, &'g Group)>,
    read: impl Fn(Vec<(usize, &'g Group)>) -> Vec<Finding<'g>>,
) -> (Vec<Finding<'g>>, usize) {
    let top = match (args.top, args.format) {
        (None, Reader::Person) => USUAL_TOP,
        (None, Reader::Program) => usize::MAX,
        (Some(top), _) => top,
    };
    if !args.odd {
        let listable = groups.len();
        return (read(groups.into_iter().take(top).collect()), listable);
    }
    // Only the texts show which wordings are odd.
    let several = groups
        .into_iter()
        .filter(|(_, group)| group.wordings.len() > 1);
    let mut findings = read(several.take(MAX_LOOKED_THROUGH).collect());
    findings.retain(Finding::has_odd);
    let listable = findings.len();
    findings.truncate(top);
    (findings, listable)
}

/// Prints why the run fails, if it does, and returns the status.
fn verdict(args: &ReuseArgs, report: &ReuseReport<'_>, status: Status) -> Status {
    let has_gate = args.max_duplicated.is_some();
    let other = report.of.cut.iter().filter(|page| page.is_against).count();
    let has_sides = !args.against.is_empty();
    let own = report.of.cut.len() - other;
    let mut has_failed = args.empty.fails(has_gate, own, has_sides.then_some(other));
    if has_failed {
        empty_failed();
    }
    if let Some(most) = args.max_duplicated {
        let (saved, all) = (report.of.found.units_saved(), units(&report.of.cut));
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts of units are far below 2^52"
        )]
        let is_more = saved as f64 > most * all as f64;
        if is_more {
            has_failed = true;
            messages::failed(&format!(
                "{} % of all units are copies, more than {} %",
                percent(saved, all),
                most * 100.0
            ));
        }
    }
    match (status, has_failed) {
        (Status::Ok, true) => Status::Failed,
        (status, _) => status,
    }
}

fn options(args: &ReuseArgs) -> Result<ScanOptions> {
    let outputs = args.output.output.as_deref().into_iter().collect();
    let shared = shared(
        &args.input,
        &args.text,
        &args.running.config,
        &args.running.run,
        outputs,
    )?;
    let options = ScanOptions {
        walk: WalkOptions {
            against: args.against.clone(),
            ..shared.walk
        },
        engine: Options {
            budget: args.running.memory.budget()?,
            ..shared.engine
        },
        ..shared
    };
    refuse_documents(&options, args.output.output.as_deref().into_iter())?;
    Ok(options)
}
