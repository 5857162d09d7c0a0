//! A comparison as one JSON object. The specification is [`crate::compare::record`].

use std::io::{self, Write};

use crate::compare::record::{ComparedRecord, ComparisonReport};
use crate::formats::machine::json::JsonObject;

/// Writes a comparison as one JSON object.
///
/// # Errors
///
/// The writer fails.
pub fn write_comparison_json(report: &ComparisonReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut object = JsonObject::of_report(out)?;
    object.value("settings", &report.settings())?;
    object.value("verdict", &report.verdict())?;
    object.value("a", &ComparedRecord::new(&report.comparison.a))?;
    object.value("b", &ComparedRecord::new(&report.comparison.b))?;
    object.value("shared", &report.shared())?;
    object.list("passages", report.passages())?;
    object.list("only_a", report.only_a())?;
    object.list("only_b", report.only_b())?;
    object.value("files", &report.files())?;
    object.end()
}
