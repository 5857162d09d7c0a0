//! JSON Lines: one tagged object a line. The specification is [`crate::model`].

use std::io::{self, Write};

use serde::Serialize;

use crate::formats::{Format, PairWriter, Writer};
use crate::model::{
    ClusterRecord, JudgedRecord, Report, SCHEMA_VERSION, SettingsRecord, SummaryRecord, ToolRecord,
};
use dupfind_decide::Standings;
use dupfind_engine::{Document, Pair, PairSink};
use dupfind_read::Skipped;
use dupfind_read::skipped::Note;

/// One JSON object a line.
pub static JSONL: Format = Format {
    name: "jsonl",
    endings: &["jsonl", "ndjson"],
    help: "One JSON object a line, each with its type",
    writer: Writer::Streamed {
        pairs: |out, standings| {
            Box::new(JsonlPairs {
                out,
                standings,
                line: Vec::new(),
            })
        },
        rest: Some(write_rest),
    },
};

/// One line.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "there is one at a time, and most are pairs"
)]
enum Line<'r> {
    Pair(JudgedRecord<'r>),
    Cluster(ClusterRecord<'r>),
    Skipped(&'r Skipped),
    Note(&'r Note),
    Summary(Box<LastLine>),
}

/// The keys of the JSON object before its lists.
#[derive(Debug, Serialize)]
struct LastLine {
    schema_version: u32,
    tool: ToolRecord,
    settings: SettingsRecord,
    #[serde(flatten)]
    counts: SummaryRecord,
}

struct JsonlPairs<W> {
    out: W,
    standings: Standings,
    /// The line that is being made. It has many small parts, and is written at once.
    line: Vec<u8>,
}

impl<W: Write + Send> PairSink for JsonlPairs<W> {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        for pair in pairs {
            let record = JudgedRecord::new(documents, pair, &self.standings);
            self.line.clear();
            write_line(&Line::Pair(record), &mut self.line)?;
            self.out.write_all(&self.line)?;
        }
        Ok(())
    }
}

impl<W: Write + Send> PairWriter for JsonlPairs<W> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the rest after the pairs: the clusters, the skipped entries, the notes and, last, one summary.
fn write_rest(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let lines = report
        .clusters()
        .map(Line::Cluster)
        .chain(report.outcome.skipped.iter().map(Line::Skipped))
        .chain(report.outcome.notes.iter().map(Line::Note));
    for line in lines {
        write_line(&line, &mut *out)?;
    }
    let last = LastLine {
        schema_version: SCHEMA_VERSION,
        tool: ToolRecord::THIS,
        settings: report.settings(),
        counts: report.summary(),
    };
    write_line(&Line::Summary(Box::new(last)), out)
}

/// Writes one value and a line end.
pub(crate) fn write_line<T: Serialize>(value: &T, mut out: impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut out, value)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::formats::json::JSON;
    use crate::tests::{canned, written};

    #[test]
    fn lines_have_the_content_of_the_object() {
        let object: Value = serde_json::from_str(&written(&canned(), &JSON)).unwrap();
        let lines = written(&canned(), &JSONL);
        let mut lists = serde_json::Map::new();
        let mut summary = Value::Null;
        for line in lines.lines() {
            let mut value: Value = serde_json::from_str(line).unwrap();
            let kind = value.as_object_mut().unwrap().remove("type").unwrap();
            match kind.as_str().unwrap() {
                "summary" => summary = value,
                kind => {
                    let name = if kind == "skipped" {
                        kind.into()
                    } else {
                        format!("{kind}s")
                    };
                    let list = lists.entry(name).or_insert_with(|| Value::Array(vec![]));
                    list.as_array_mut().unwrap().push(value);
                }
            }
        }
        for name in ["pairs", "clusters", "skipped", "notes"] {
            assert_eq!(lists[name], object[name], "{name}");
        }
        for key in ["schema_version", "tool", "settings"] {
            assert_eq!(summary[key], object[key]);
        }
        assert_eq!(summary["pairs"], object["summary"]["pairs"]);
        assert!(lines.ends_with("\"documents_in_clusters\":3,\"left_out\":[]}\n"));
    }
}
