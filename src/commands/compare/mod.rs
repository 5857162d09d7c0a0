//! `dupfind compare`: how two documents differ.

pub(crate) mod args;
mod neighbourhood;
mod options;

use anyhow::Result;
use dupfind_decide::compare::compare;
use dupfind_decide::compare::sources::Sources;
use dupfind_engine::verdict::pair::measure;
use dupfind_engine::{DocId, Explanation, Pair, Relation};
use dupfind_read::{display_name, file_of};
use dupfind_report::compare::{
    ComparisonReport, ComparisonStyle, write_comparison, write_comparison_json,
};
use dupfind_scan::{Scan, ScanOptions, scan_joined};

use crate::args::output::Reader;
use crate::commands::compare::args::CompareArgs;
use crate::commands::compare::options::{ComparisonOptions, Neighbours, options};
use crate::input::document::read_document;
use crate::input::refused::refuse_overwriting;
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
    let a = read_document(&args.a, &base, &read)?;
    let b = read_document(&args.b, &base, &read)?;
    for document in [&a, &b]
        .into_iter()
        .filter(|document| document.read.is_repaired)
    {
        messages::repaired(&document.name, document.read.encoding);
    }
    let mut judged = None;
    let mut status = Status::Ok;
    if let Some(Neighbours { options, is_named }) = &others {
        let outcome;
        (outcome, judged) = scanned(options, [&a.name, &b.name])?;
        // The documents around the two are not requested.
        if *is_named {
            messages::of_scan(&options.walk, &outcome);
            status = Status::of(&outcome.skipped);
        }
    }
    let is_scanned = judged.is_some();
    let comparison = compare(&a, &b, &settings, |features| {
        if let Some(judged) = judged {
            return Ok(judged);
        }
        let among = settings.among(2);
        let (documents, pair) = measure(&among, features, None);
        Ok(Explanation::new(documents, pair))
    })?;
    let is_copy = comparison.verdict.pair.relation() == Relation::Exact;
    // A record is a part of its file.
    let is_whole = files[0] == args.a && files[1] == args.b;
    let sources = match is_copy && is_whole {
        true => Sources::read([&args.a, &args.b], &read),
        false => None,
    };
    let around = others.filter(|others| is_scanned && !others.is_named);
    let around = around.map(|others| display_name(&others.options.walk.paths[0], &base));
    let report = ComparisonReport {
        settings: &settings,
        comparison: &comparison,
        is_among_others: is_scanned,
        around: around.as_deref(),
        sources: sources.as_ref(),
    };
    let style = ComparisonStyle {
        width: output.columns().or_else(columns),
        color: output.is_coloured(args.color.when()),
        all: args.all,
    };
    output.write(|out| {
        match args.format {
            Reader::Person => write_comparison(&report, style, out)?,
            Reader::Program => write_comparison_json(&report, out)?,
        }
        Ok(())
    })?;
    Ok(status)
}

/// Returns the columns that the environment names, for a pipe.
fn columns() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok()?.parse().ok();
    columns.filter(|&columns| columns > 0)
}

/// Scans documents, and returns the verdict of the scan on two documents of these names; nothing if it has not both of them.
fn scanned(options: &ScanOptions, names: [&str; 2]) -> Result<(Scan, Option<Explanation>)> {
    let scan = Progress::during(|progress| scan_joined(options, progress, None, None))?;
    let [Some(a), Some(b)] = names.map(|name| scan.id_of(name)) else {
        return Ok((scan, None));
    };
    let Some(measured) = scan.measured([a, b])? else {
        return Ok((scan, None));
    };
    let pair = Pair {
        a: DocId::from(0),
        b: DocId::from(1),
        ..measured
    };
    let two = [a, b].map(|id| scan.documents[id.index()].clone());
    let judged = Explanation::new(two, pair);
    Ok((scan, Some(judged)))
}
