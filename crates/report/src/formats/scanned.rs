//! Reports of a scan that is kept as a value.

use std::io::Write;

use dupfind_decide::Gate;
use dupfind_engine::{DocId, Judge, Result};
use dupfind_scan::{Scan, ScanJudge};

use crate::formats::html::beside as html_beside;
use crate::formats::{Format, HTML, JSON, Writer};
use crate::model::Report;
use crate::style::TableStyle;

pub use crate::formats::html::page::html as escaped_html;

/// Writes the report of `dupfind scan --format json`.
///
/// # Errors
///
/// [`dupfind_engine::Error::Sink`] with the reason of the writer.
pub fn write_json(scan: &Scan, out: &mut dyn Write) -> Result<()> {
    write(scan, &JSON, out)
}

/// Writes a page to look at. It shows the texts that can be read again.
///
/// # Errors
///
/// [`dupfind_engine::Error::Sink`] with the reason of the writer.
pub fn write_html(scan: &Scan, out: &mut dyn Write) -> Result<()> {
    write(scan, &HTML, out)
}

/// Returns two documents side by side as a piece of HTML, where the text that only one of them has is marked. `texts`
/// are their texts.
pub fn beside(scan: &Scan, documents: [DocId; 2], texts: [&str; 2]) -> String {
    let names = documents.map(|id| scan.name(id));
    html_beside(&scan.options.engine, names, texts)
}

fn write(scan: &Scan, format: &Format, out: &mut dyn Write) -> Result<()> {
    let mut gate = Gate::default();
    gate.documents(&scan.documents, &scan.sources);
    for pair in &scan.pairs {
        gate.counts(&scan.documents, pair, 1);
    }
    let report = Report::new(scan, &gate);
    match format.writer {
        Writer::Whole { write, .. } => write(&report, TableStyle::default(), out),
        _ => unreachable!("only formats that are written as a whole are named here"),
    }
}

#[cfg(test)]
mod tests;
