//! `dupfind reuse --format csv`: a row for each place of each group.

use std::io::{self, Write};

use crate::reuse::model::ReuseReport;
use crate::style::escape::visible;

const COLUMNS: [&str; 17] = [
    "group",
    "kind",
    "blocks",
    "units",
    "copies",
    "documents",
    "units_saved",
    "common",
    "whole",
    "new",
    "wording",
    "wording_copies",
    "odd",
    "path",
    "start_line",
    "end_line",
    "text",
];

/// Writes the report as CSV (RFC 4180).
pub fn write_reuse_csv(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(COLUMNS)?;
    for finding in report.findings {
        let group = report.group(finding);
        for (number, wording) in group.wordings.iter().enumerate() {
            for place in &wording.places {
                rows.write_record([
                    group.id.to_string().as_str(),
                    group.kind,
                    &group.blocks.to_string(),
                    &group.units.to_string(),
                    &group.copies.to_string(),
                    &group.documents.to_string(),
                    &group.units_saved.to_string(),
                    &group.common.to_string(),
                    &group.whole.to_string(),
                    &group.new.map_or_else(String::new, |new| new.to_string()),
                    &number.to_string(),
                    &wording.copies.to_string(),
                    &wording.odd.to_string(),
                    &visible(place.path),
                    &place.start_line.to_string(),
                    &place.end_line.to_string(),
                    &visible(wording.text),
                ])?;
            }
        }
    }
    rows.flush()
}
