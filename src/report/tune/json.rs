//! `dupfind tune` as JSON. The specification is [`crate::report::tune::model`].

use std::io::{self, Write};

use crate::report::machine::json::JsonObject;
use crate::report::tune::model::TuneReport;

/// Writes the report as one JSON object, with a line for every element of a list.
pub(crate) fn write_tune_json(report: &TuneReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let run = &report.run;
    let mut object = JsonObject::of_report(out)?;
    object.value("settings", &run.settings())?;
    object.value("summary", &run.summary())?;
    let histogram = report.jaccard().chain(report.weighted());
    object.list("histogram", histogram.chain(report.hamming()))?;
    object.list("thresholds", report.thresholds())?;
    object.list("borderline", report.borderline())?;
    object.value("suggestion", &report.suggestion())?;
    object.list("skipped", run.skipped())?;
    object.list("notes", run.notes())?;
    object.end()
}
