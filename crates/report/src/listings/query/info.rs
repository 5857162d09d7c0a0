//! What is in an index.

use std::io::{self, Write};

use serde::Serialize;

use crate::language::phrase;
use crate::model::{SCHEMA_VERSION, ToolRecord};
use crate::say;
use crate::style::escape::padded;
use dupfind_index::drift::Drift;
use dupfind_index::inspect::Info;

/// What is in an index.
#[derive(Serialize)]
pub struct InfoRecord<'r> {
    schema_version: u32,
    tool: ToolRecord,
    #[serde(flatten)]
    info: &'r Info,
    /// Optional: how far the frequencies have drifted.
    #[serde(skip_serializing_if = "Option::is_none")]
    drift: Option<&'r Drift>,
}

impl<'r> InfoRecord<'r> {
    /// Returns the record of an index. `drift` is left out if it was not measured.
    pub fn new(info: &'r Info, drift: Option<&'r Drift>) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            tool: ToolRecord::THIS,
            info,
            drift,
        }
    }
}

/// Writes what is in an index as one JSON object.
pub fn write_info_json(info: &Info, drift: &Drift, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &InfoRecord::new(info, Some(drift)))?;
    writeln!(out)
}

/// Writes what is in an index for people.
pub fn write_info_table(info: &Info, drift: &Drift, out: &mut dyn Write) -> io::Result<()> {
    let mut line =
        |name: &str, value: String| writeln!(out, "{}  {value}", padded(phrase(name), 12));
    line(
        "documents",
        say!("{}, and {} that are gone", info.documents, info.gone),
    )?;
    line("files", info.files.to_string())?;
    let each = info.bytes / info.documents.max(1);
    line(
        "bytes",
        say!(
            "{}, {} for each document; {} of them are frequencies",
            info.bytes,
            each,
            info.frequency_bytes
        ),
    )?;
    line("shingles", info.shingles.to_string())?;
    let segments: Vec<String> = info.segments.iter().map(u32::to_string).collect();
    line(
        "segments",
        say!("{}: {} documents", segments.len(), segments.join(" + ")),
    )?;
    let none = || phrase("none").to_owned();
    line(
        "frequencies",
        info.frequencies.as_ref().map_or_else(none, |identity| {
            say!("{}, of {} documents", identity, info.counted)
        }),
    )?;
    line(
        "drift",
        say!(
            "{} documents came or went since; {} of {} pairs of a sample would have another relation today",
            drift.changes,
            drift.changed,
            drift.pairs
        ),
    )?;
    let options = info
        .options
        .iter()
        .filter(|(name, _)| name != "frequencies");
    let options: Vec<String> = options
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    line("options", options.join(" "))
}
