//! `dupfind tune`.

use crate::gate::Gate;
use crate::report::model::Report;
use crate::report::table::TableStyle;
use crate::report::tune::model::TuneReport;
use crate::report::tune::{write_tune_json, write_tune_table};
use crate::scan::scan;
use crate::tune::Tuning;
use anyhow::Result;

use crate::cli::exit::Status;
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::tune_args::{TuneArgs, TuneFormat};
use crate::cli::{messages, settings, stats, stdin};

/// Compares the documents and reports how similar they are.
pub(crate) fn run(args: &TuneArgs) -> Result<Status> {
    let output = Output::open(args.output.output.as_deref())?;
    let mut settings = settings::for_tune(args)?;
    let _stdin = stdin::spool(&mut settings)?;
    let style = TableStyle {
        width: output.columns(),
        color: output.is_coloured(args.color.when),
        top: None,
    };
    let progress = Progress::new(args.run.shows_progress());
    let mut tuning = Tuning::new(&settings);
    let outcome = scan(&settings, &progress, Some(&mut tuning));
    progress.clear();
    let outcome = outcome?;

    let (skipped, notes) = (&outcome.skipped, &outcome.notes);
    messages::documents(
        args.run.quiet,
        &settings.walk,
        skipped,
        notes,
        &outcome.warnings,
    );
    output.write(|out| {
        let report = TuneReport {
            run: Report {
                settings: &settings,
                outcome: &outcome,
                pairs: None,
                gate: &Gate::default(),
            },
            tuning: &tuning,
        };
        match args.format {
            TuneFormat::Table => write_tune_table(&report, style, out)?,
            TuneFormat::Json => write_tune_json(&report, out)?,
        }
        Ok(())
    })?;
    if args.run.stats {
        let pairs = Some(outcome.pair_counts.total());
        stats::print(&args.config, &outcome.stats, &outcome.documents, pairs)?;
    }
    Ok(Status::of(&outcome.skipped))
}
