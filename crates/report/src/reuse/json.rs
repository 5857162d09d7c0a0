//! `dupfind reuse --format json`. The specification is [`crate::reuse::model`].

use std::io::{self, Write};

use crate::formats::machine::json::JsonObject;
use crate::reuse::model::ReuseReport;

/// Writes the report as one JSON object, with a line for every element of a list.
pub fn write_reuse_json(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut object = JsonObject::of_report(out)?;
    object.value("settings", &report.settings())?;
    object.value("summary", &report.summary())?;
    object.list(
        "groups",
        report.findings.iter().map(|finding| report.group(finding)),
    )?;
    object.list("documents", report.documents())?;
    object.list("skipped", report.skipped())?;
    object.list("notes", report.notes())?;
    object.end()
}
