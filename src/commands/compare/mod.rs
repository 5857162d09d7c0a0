//! `dupfind compare`: how two documents differ.

pub(crate) mod args;
mod neighbourhood;
mod options;

use std::sync::Arc;

use anyhow::Result;
use dupfind_decide::compare::compare;
use dupfind_decide::compare::document::Document;
use dupfind_engine::verdict::two_documents::ShingleFrequencies;
use dupfind_read::named::file_of;
use dupfind_read::source::name::display_name;
use dupfind_report::compare::{
    ComparisonReport, ComparisonStyle, write_comparison, write_comparison_json,
};
use dupfind_scan::rarity::{Reading, shingle_frequencies};

use crate::commands::compare::args::{CompareArgs, CompareFormat};
use crate::commands::compare::options::{ComparisonOptions, Neighbours, options};
use crate::input::options::refuse_overwriting;
use crate::process::current_folder;
use crate::process::exit::Status;
use crate::terminal::messages;
use crate::terminal::output::Output;
use crate::terminal::progress::Progress;

/// Runs the command.
pub(crate) fn run(args: &CompareArgs) -> Result<Status> {
    let target = args.output.output.as_deref();
    let output = Output::open(target)?;
    let files = [&args.a, &args.b].map(|path| file_of(path).to_owned());
    refuse_overwriting(target, &files)?;
    let ComparisonOptions {
        read,
        engine: settings,
        among: others,
    } = options(args)?;
    let base = current_folder()?;
    let a = Document::read(&args.a, &base, &read)?;
    let b = Document::read(&args.b, &base, &read)?;
    for document in [&a, &b].into_iter().filter(|document| document.is_repaired) {
        messages::repaired(&document.name, document.encoding);
    }
    let progress = Progress::new(others.is_some());
    let mut reading = Reading::default();
    let weigh = |a: &[u64], b: &[u64]| {
        let (frequencies, documents) = match &others {
            None => (ShingleFrequencies::of_two(a, b), 2),
            Some(Neighbours::Indexed(index)) => {
                let documents = usize::try_from(index.documents()).unwrap_or(usize::MAX);
                (index.shingle_frequencies(a, b)?, documents)
            }
            Some(Neighbours::Named(others) | Neighbours::Around(others)) => {
                let frequencies;
                (frequencies, reading) = shingle_frequencies(others, &progress, a, b)?;
                (frequencies, reading.documents)
            }
        };
        Ok((frequencies.weighted(), documents))
    };
    let comparison = compare(&a, &b, &settings, &Arc::default(), weigh);
    progress.clear();
    let comparison = comparison?;
    if let Some(Neighbours::Named(others)) = &others {
        let Reading {
            skipped,
            notes,
            warnings,
            ..
        } = &reading;
        messages::documents(false, &others.walk, skipped, notes, warnings);
    } else {
        // The documents around the two are not requested.
        reading = Reading::default();
    }
    let around = match &others {
        Some(Neighbours::Around(others)) => Some(display_name(&others.walk.paths[0], &base)),
        _ => None,
    };
    let report = ComparisonReport {
        settings: &settings,
        comparison: &comparison,
        is_among_others: others.is_some(),
        around: around.as_deref(),
    };
    let style = ComparisonStyle {
        width: args.width.or_else(|| output.columns()),
        color: output.is_coloured(args.color.when),
        all: args.all,
        verbose: args.verbose,
    };
    output.write(|out| {
        match args.format {
            CompareFormat::Text => write_comparison(&report, style, out)?,
            CompareFormat::Json => write_comparison_json(&report, out)?,
        }
        Ok(())
    })?;
    Ok(Status::of(&reading.skipped))
}
