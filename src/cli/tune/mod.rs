//! `dupfind tune`: how similar the documents are, to choose thresholds by.

pub(crate) mod args;

use crate::engine::Options;
use crate::gate::Gate;
use crate::report::model::Report;
use crate::report::style::TableStyle;
use crate::report::tune::model::TuneReport;
use crate::report::tune::{write_tune_json, write_tune_table};
use crate::scan::{ScanOptions, scan};
use crate::tune::Tuning;
use anyhow::Result;

use crate::cli::input::replaced::refuse_documents;
use crate::cli::input::{options as input, stdin};
use crate::cli::process::exit::Status;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::progress::Progress;
use crate::cli::terminal::{messages, stats};
use crate::cli::tune::args::{TuneArgs, TuneFormat};

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
    let progress = Progress::new(args.run.shows_progress());
    let mut tuning = Tuning::new(&options);
    let outcome = scan(&options, &progress, Some(&mut tuning));
    progress.clear();
    let outcome = outcome?;

    messages::of_scan(args.run.quiet, &options.walk, &outcome);
    let gate = Gate::default();
    output.write(|out| {
        let report = TuneReport {
            run: Report::new(&options, &outcome, None, &gate),
            tuning: &tuning,
        };
        match args.format {
            TuneFormat::Table => write_tune_table(&report, style, out)?,
            TuneFormat::Json => write_tune_json(&report, out)?,
        }
        Ok(())
    })?;
    stats::of_scan(&args.run, &args.config, &outcome)?;
    Ok(Status::of(&outcome.skipped))
}

fn options(args: &TuneArgs) -> Result<ScanOptions> {
    let output = args.output.output.as_deref().into_iter().collect();
    let shared = input::shared(&args.input, &args.text, &args.config, &args.run, output)?;
    let options = ScanOptions {
        engine: args.range.added_to(Options {
            budget: args.memory.budget()?,
            ..shared.engine
        }),
        ..shared
    };
    refuse_documents(&options, args.output.output.as_deref().into_iter())?;
    Ok(options)
}
