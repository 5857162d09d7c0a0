//! `dupfind tune`: what each threshold would report.

pub(crate) mod args;

use anyhow::Result;
use dupfind_decide::gate::Gate;
use dupfind_decide::tune::Tuning;
use dupfind_engine::Options;
use dupfind_report::listings::tune::model::TuneReport;
use dupfind_report::listings::tune::{write_tune_json, write_tune_table};
use dupfind_report::model::Report;
use dupfind_report::style::TableStyle;
use dupfind_scan::{ScanOptions, scan};

use crate::args::output::Reader;
use crate::commands::tune::args::TuneArgs;
use crate::input::refused::refuse_documents;
use crate::input::{options as input, stdin};
use crate::process::exit::Status;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;
use crate::terminal::{messages, stats};

/// Runs the command.
pub(crate) fn run(args: &TuneArgs) -> Result<Status> {
    let output = Output::open(args.output.output.as_deref())?;
    let mut options = options(args)?;
    let _stdin = stdin::spool(&mut options)?;
    let style = TableStyle {
        width: output.columns(),
        color: output.is_coloured(args.color.when),
        ..TableStyle::default()
    };
    let progress = Progress::new(args.running.run.shows_progress());
    let mut tuning = Tuning::new(&options);
    let outcome = scan(&options, &progress, Some(&mut tuning));
    progress.clear();
    let outcome = outcome?;

    messages::of_scan(&options.walk, &outcome);
    let gate = Gate::default();
    output.write(|out| {
        let report = TuneReport {
            run: Report::new(&options, &outcome, None, &gate),
            tuning: &tuning,
        };
        match args.format {
            Reader::Person => write_tune_table(&report, style, out)?,
            Reader::Program => write_tune_json(&report, out)?,
        }
        Ok(())
    })?;
    stats::of_scan(&args.running, &outcome)?;
    Ok(Status::of(&outcome.skipped))
}

fn options(args: &TuneArgs) -> Result<ScanOptions> {
    let output = args.output.output.as_deref().into_iter().collect();
    let shared = input::shared(
        &args.input,
        &args.text,
        &args.running.config,
        &args.running.run,
        output,
    )?;
    let options = ScanOptions {
        engine: args.range.added_to(Options {
            budget: args.running.memory.budget()?,
            ..shared.engine
        }),
        ..shared
    };
    refuse_documents(&options, args.output.output.as_deref().into_iter())?;
    Ok(options)
}
