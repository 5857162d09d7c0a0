//! JSON: one object. The specification is [`crate::report::compare`].

use std::io::{self, Write};

use serde::Serialize;

use crate::report::compare::record::{ComparisonReport, DocumentRecord};
use crate::report::json::list;
use crate::report::model::{SCHEMA_VERSION, ToolRecord};

/// Writes a comparison as one JSON object, every element of a list on a line of its own.
pub(crate) fn write_comparison_json(
    report: &ComparisonReport<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{{\n\"schema_version\": {SCHEMA_VERSION}")?;
    value("tool", &ToolRecord::THIS, out)?;
    value("settings", &report.settings(), out)?;
    value("verdict", &report.verdict(), out)?;
    value("a", &DocumentRecord::new(&report.comparison.a), out)?;
    value("b", &DocumentRecord::new(&report.comparison.b), out)?;
    value("shared", &report.shared(), out)?;
    list("terms", report.terms(), out)?;
    list("passages", report.passages(), out)?;
    list("only_a", report.only_a(), out)?;
    list("only_b", report.only_b(), out)?;
    writeln!(out, "\n}}")
}

/// Writes one value of the object.
fn value<T: Serialize>(name: &str, value: &T, out: &mut dyn Write) -> io::Result<()> {
    write!(out, ",\n\"{name}\": ")?;
    Ok(serde_json::to_writer(out, value)?)
}
