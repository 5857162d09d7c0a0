//! `dupfind reuse`: the passages that are in several places, and their wordings.

use anyhow::Result;
use dupfind_decide::ReuseOptions;
use dupfind_decide::reuse::finding::findings;
use dupfind_decide::reuse::groups_of_files;
use dupfind_engine::{Options, Threshold, in_pool};
use dupfind_report::TableStyle;
use dupfind_report::reuse::{ReuseReport, write_reuse_json, write_reuse_table};

use crate::args::{
    AnswerArgs, ColorArgs, DETECTION, InputArgs, OUTPUT, Reader, RunningArgs, TextArgs, values,
};
use crate::input::stdin;
use crate::process::Status;
use crate::terminal::{Output, Progress, messages};

pub(crate) const EXAMPLES: &str = "\
Examples:
  Input:      dupfind reuse docs
              dupfind reuse pages.jsonl --text-field body --id-field url
  Detection:  dupfind reuse docs --min-jaccard 0.8
  Output:     dupfind reuse docs --format json | jq '.groups[] | select(.documents > 9)'
              dupfind reuse docs --format json | jq '.groups[] | select(any(.wordings[]; .odd))'

Exit status:
  0  it ran, whether or not passages are in several places
  2  an error: a wrong option, a path that does not exist, a file that cannot be read
     (everything else is still compared)";

/// The arguments.
#[derive(Debug, clap::Args)]
pub(crate) struct ReuseArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,

    /// Blocks with at least this Jaccard similarity of shingles are wordings of one passage
    #[arg(id = "own_min_jaccard", long = "min-jaccard", value_name = "T", default_value = "0.6", help_heading = DETECTION)]
    pub(crate) min_jaccard: Threshold,

    /// List at most N passages [default: 20 in a table, all in JSON]
    #[arg(id = "own_top", long = "top", value_name = "N", value_parser = values::count::<usize>, help_heading = OUTPUT)]
    pub(crate) top: Option<usize>,

    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) color: ColorArgs,

    #[command(flatten)]
    pub(crate) running: RunningArgs,
}

/// Runs the command.
pub(crate) fn run(args: &ReuseArgs) -> Result<Status> {
    let output = Output::open(args.answer.output.file())?;
    let engine = args.running.engine(args.text.added_to(Options::default()));
    let (config, target) = (&args.running.config, args.answer.output.file());
    let mut scan = args
        .input
        .options(&[], config, engine, target.as_slice(), None)?;
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
    let status = Status::of(&pages.skipped);
    let is_for_person = matches!(args.answer.format, Reader::Person);
    if is_for_person && pages.pages.is_empty() && status == Status::Error {
        return Ok(status);
    }
    let top = match (args.top, args.answer.format) {
        (None, Reader::Person) => 20,
        (None, Reader::Program) => usize::MAX,
        (Some(top), _) => top,
    };
    let listed = of.groups.iter().enumerate().take(top);
    let findings = in_pool(scan.engine.threads, || {
        Ok(findings(listed, &of, &scan.read))
    })?;
    let report = ReuseReport {
        options: &options,
        of: &of,
        findings: &findings,
    };
    output.write(|out| {
        match args.answer.format {
            Reader::Person => write_reuse_table(&report, style, out)?,
            Reader::Program => write_reuse_json(&report, out)?,
        }
        Ok(())
    })?;
    Ok(status)
}
