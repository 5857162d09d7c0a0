//! `dupfind reuse`: the passages that are in several places, and their wordings.

pub(crate) mod args;

use std::path::Path;

use anyhow::Result;

use crate::args::output::Reader;
use crate::commands::reuse::args::ReuseArgs;
use crate::input::stdin;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use dupfind_decide::ReuseOptions;
use dupfind_decide::reuse::finding::findings;
use dupfind_decide::reuse::groups_of_files;
use dupfind_engine::{Options, in_pool};
use dupfind_report::TableStyle;
use dupfind_report::reuse::{ReuseReport, write_reuse_json, write_reuse_table};

/// How many passages are listed for people by default.
const USUAL_TOP: usize = 20;

/// Runs the command.
pub(crate) fn run(args: &ReuseArgs) -> Result<Status> {
    let output = Output::open(args.output.output.as_deref())?;
    let engine = args.running.engine(args.text.added_to(Options::default()));
    let (config, target) = (&args.running.config, args.output.output.as_deref());
    let reports: Vec<&Path> = target.into_iter().collect();
    let mut scan = args.input.options(&[], config, engine, &reports, None)?;
    let _stdin = stdin::spool(&mut scan)?;
    let options = ReuseOptions {
        engine: scan.engine.clone(),
        min_jaccard: args.min_jaccard,
        ..ReuseOptions::default()
    };
    let style = TableStyle {
        width: output.columns(),
        color: output.is_coloured(args.color.when()),
        ..TableStyle::default()
    };
    let of = Progress::during(|progress| groups_of_files(&options, &scan, progress))?;
    let pages = &of.pages;
    messages::documents(&scan.walk, &pages.skipped, &pages.notes, &pages.warnings);
    let passages = |page: usize| of.cut[page].passages();
    let top = match (args.top, args.format) {
        (None, Reader::Person) => USUAL_TOP,
        (None, Reader::Program) => usize::MAX,
        (Some(top), _) => top,
    };
    let listed = of.found.groups.iter().enumerate().take(top);
    let findings = in_pool(scan.engine.threads, || {
        Ok(findings(listed, pages, passages, &scan.read))
    })?;
    let report = ReuseReport {
        options: &options,
        of: &of,
        findings: &findings,
    };
    output.write(|out| {
        match args.format {
            Reader::Person => write_reuse_table(&report, style, out)?,
            Reader::Program => write_reuse_json(&report, out)?,
        }
        Ok(())
    })?;
    Ok(Status::of(&pages.skipped))
}
