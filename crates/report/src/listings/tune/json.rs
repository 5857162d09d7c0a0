//! `dupfind tune` as JSON. The specification is [`crate::listings::tune::model`].

use std::io::{self, Write};

use crate::formats::machine::json::JsonObject;
use crate::listings::tune::model::{ChoiceRecord, TuneReport};

/// Writes the report as one JSON object, with a line for every element of a list.
pub fn write_tune_json(report: &TuneReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let run = &report.run;
    let mut object = JsonObject::of_report(out)?;
    object.value("settings", &run.settings())?;
    object.value("summary", &run.summary())?;
    let choices = report.tuning.choices().iter();
    object.list("thresholds", choices.map(ChoiceRecord::from))?;
    object.list("skipped", run.skipped())?;
    object.list("notes", run.notes())?;
    object.end()
}
