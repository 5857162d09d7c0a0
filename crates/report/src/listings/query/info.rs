//! The facts about an index.

use std::io::{self, Write};

use serde::Serialize;

use crate::model::{SCHEMA_VERSION, ToolRecord};
use dupfind_index::inspect::Info;

/// The facts about an index.
#[derive(Serialize)]
struct InfoRecord<'r> {
    schema_version: u32,
    tool: ToolRecord,
    #[serde(flatten)]
    info: &'r Info,
}

/// Writes the facts about an index as one JSON object.
pub fn write_info(info: &Info, out: &mut dyn Write) -> io::Result<()> {
    let record = InfoRecord {
        schema_version: SCHEMA_VERSION,
        tool: ToolRecord::THIS,
        info,
    };
    serde_json::to_writer(&mut *out, &record)?;
    writeln!(out)
}
