//! What is in an index.

use std::io::{self, Write};

use serde::Serialize;

use crate::language::phrase;
use crate::model::{SCHEMA_VERSION, ToolRecord};
use crate::say;
use crate::style::escape::padded;
use dupfind_index::inspect::Info;

/// What is in an index.
#[derive(Serialize)]
pub struct InfoRecord<'r> {
    schema_version: u32,
    tool: ToolRecord,
    #[serde(flatten)]
    info: &'r Info,
}

impl<'r> InfoRecord<'r> {
    /// Returns the record of an index.
    pub fn new(info: &'r Info) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            tool: ToolRecord::THIS,
            info,
        }
    }
}

/// Writes what is in an index as one JSON object.
pub fn write_info_json(info: &Info, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &InfoRecord::new(info))?;
    writeln!(out)
}

/// Writes what is in an index for people.
pub fn write_info_table(info: &Info, out: &mut dyn Write) -> io::Result<()> {
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
            say!(
                "{}, of {} documents; {} came or went since",
                identity,
                info.counted,
                info.changes
            )
        }),
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
