//! `dupfind tune` as JSON. The specification is [`crate::report::tune::model`].

use std::io::{self, Write};

use crate::report::json::list;
use crate::report::model::{SCHEMA_VERSION, ToolRecord};
use crate::report::tune::model::TuneReport;

/// Writes the report as one JSON object, with a line for every element of a list.
pub(crate) fn write_tune_json(report: &TuneReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let run = &report.run;
    write!(out, "{{\n\"schema_version\": {SCHEMA_VERSION},\n\"tool\": ")?;
    serde_json::to_writer(&mut *out, &ToolRecord::THIS)?;
    write!(out, ",\n\"settings\": ")?;
    serde_json::to_writer(&mut *out, &run.settings())?;
    write!(out, ",\n\"summary\": ")?;
    serde_json::to_writer(&mut *out, &run.summary())?;
    let histogram = report.jaccard().chain(report.weighted());
    list("histogram", histogram.chain(report.hamming()), out)?;
    list("thresholds", report.thresholds(), out)?;
    list("borderline", report.borderline(), out)?;
    write!(out, ",\n\"suggestion\": ")?;
    serde_json::to_writer(&mut *out, &report.suggestion())?;
    list("skipped", run.skipped(), out)?;
    list("notes", run.notes(), out)?;
    writeln!(out, "\n}}")
}
