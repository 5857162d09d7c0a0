//! JSON: one object, or one tagged object a line. The specification is [`crate::report::model`].

use std::io::{self, Write};

use serde::Serialize;

use crate::engine::outcome::{Document, Pair};
use crate::engine::sink::PairSink;
use crate::gate::baseline::Standings;
use crate::report::model::{
    ClusterRecord, JudgedRecord, NoteRecord, Report, SCHEMA_VERSION, SettingsRecord, SkippedRecord,
    SummaryRecord, ToolRecord,
};

/// Writes a report as one JSON object. Every element of a list has a line of its own, so that two
/// reports can be compared line by line.
pub(crate) fn write_json(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\n\"schema_version\": {SCHEMA_VERSION},\n\"tool\": ")?;
    serde_json::to_writer(&mut *out, &ToolRecord::THIS)?;
    write!(out, ",\n\"settings\": ")?;
    serde_json::to_writer(&mut *out, &report.settings())?;
    write!(out, ",\n\"summary\": ")?;
    serde_json::to_writer(&mut *out, &report.summary())?;
    list("pairs", report.pairs(), out)?;
    list("clusters", report.clusters(), out)?;
    list("skipped", report.skipped(), out)?;
    list("notes", report.notes(), out)?;
    writeln!(out, "\n}}")
}

/// Writes one list of the object.
pub(crate) fn list<T: Serialize>(
    name: &str,
    items: impl Iterator<Item = T>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, ",\n\"{name}\": [")?;
    let mut separator = "\n";
    for item in items {
        write!(out, "{separator}  ")?;
        serde_json::to_writer(&mut *out, &item)?;
        separator = ",\n";
    }
    let end = if separator == "\n" { "]" } else { "\n]" };
    write!(out, "{end}")
}

/// One line of `jsonl`.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'r> {
    Pair(JudgedRecord<'r>),
    Cluster(ClusterRecord<'r>),
    Skipped(SkippedRecord<'r>),
    Note(NoteRecord<'r>),
    Summary(Box<Summary>),
}

/// The last line: the counts, and what else the JSON object has before its lists.
#[derive(Debug, Serialize)]
struct Summary {
    schema_version: u32,
    tool: ToolRecord,
    settings: SettingsRecord,
    #[serde(flatten)]
    counts: SummaryRecord,
}

/// Writes pairs as they are found, one JSON object a line with the `type` `pair`.
#[derive(Debug)]
pub(crate) struct JsonlPairs<W> {
    out: W,
    standings: Standings,
}

impl<W> JsonlPairs<W> {
    /// Takes where to write to, and how pairs stand.
    pub(crate) fn new(out: W, standings: Standings) -> Self {
        Self { out, standings }
    }
}

impl<W: Write + Send> PairSink for JsonlPairs<W> {
    fn take(&mut self, documents: &[Document], pairs: &[Pair]) -> io::Result<()> {
        for pair in pairs {
            let record = JudgedRecord::new(documents, pair, &self.standings);
            write_line(&Line::Pair(record), &mut self.out)?;
        }
        Ok(())
    }
}

/// Writes a report as one JSON object a line, each with its `type`: the clusters, what was skipped,
/// the notes and, last, one summary. The pairs come before it, from [`JsonlPairs`].
pub(crate) fn write_jsonl(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let lines = report
        .clusters()
        .map(Line::Cluster)
        .chain(report.skipped().map(Line::Skipped))
        .chain(report.notes().map(Line::Note));
    for line in lines {
        write_line(&line, out)?;
    }
    let summary = Line::Summary(Box::new(Summary {
        schema_version: SCHEMA_VERSION,
        tool: ToolRecord::THIS,
        settings: report.settings(),
        counts: report.summary(),
    }));
    write_line(&summary, out)
}

/// Writes one value and a line end.
pub(crate) fn write_line<T: Serialize>(value: &T, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::{canned, empty, rendered};
    use serde_json::Value;

    #[test]
    fn one_object_with_every_key() {
        let text = rendered(&canned(), |report, out| write_json(report, out));
        let expected = r#"{
"schema_version": 1,
"tool": {"name":"dupfind","version":"VERSION"},
"settings": {"simhash_bits":64,"max_hamming":3,"min_jaccard":0.2,"shingle_size":3,"shingle_unit":"auto","fold_han":false,"html":"main","markdown_code":"text","record_format":"text","encoding":null,"idf":"dictionary","min_containment":null,"approximate":null,"detectors":["simhash","shingle"],"require":"any","super_shingle":null,"i_match":null,"cluster_on":["exact","near","contains"]},
"summary": {"documents":4,"skipped":2,"pairs":2,"new_pairs":null,"relations":{"exact":1,"near":1,"contains":0,"related":0,"template":0,"short":0},"recall":null,"clusters":1,"documents_in_clusters":3},
"pairs": [
  {"a":"docs/a.md","b":"docs/城市公园.md","relation":"exact","container":null,"hamming":0,"jaccard":1.0,"weighted":1.0,"containment":1.0,"matched_by":["simhash","shingle"],"because":"the same text but for case, width and white space","standing":null},
  {"a":"docs/a.md","b":"docs/evil\n\u001b[31m.md","relation":"near","container":null,"hamming":17,"jaccard":0.3333,"weighted":0.21,"containment":0.5,"matched_by":["shingle"],"because":"weighted similarity 0.21 >= 0.15","standing":null}
],
"clusters": [
  {"id":0,"representative":"docs/城市公园.md","cohesion":0.25,"documents":["docs/a.md","docs/evil\n\u001b[31m.md","docs/城市公园.md"]}
],
"skipped": [
  {"path":"docs/logo.png","reason":"binary"},
  {"path":"docs/secret.md","reason":"unreadable","detail":"Permission denied"}
],
"notes": [
  {"path":"docs/a.md","note":"not valid UTF-8: damaged characters were replaced"}
]
}
"#;
        assert_eq!(text, expected.replace("VERSION", env!("CARGO_PKG_VERSION")));
        serde_json::from_str::<Value>(&text).unwrap();
    }

    #[test]
    fn an_empty_report_is_valid_too() {
        let value: Value =
            serde_json::from_str(&rendered(&empty(), |report, out| write_json(report, out)))
                .unwrap();
        for list in ["pairs", "clusters", "skipped", "notes"] {
            assert_eq!(value[list], Value::Array(vec![]), "{list}");
        }
        assert_eq!(value["summary"]["documents"], 0);
    }

    #[test]
    fn lines_say_the_same_as_the_object() {
        let object: Value =
            serde_json::from_str(&rendered(&canned(), |report, out| write_json(report, out)))
                .unwrap();
        let lines = rendered(&canned(), |report, out| {
            JsonlPairs::new(&mut *out, report.gate.standings().clone())
                .take(&report.outcome.documents, report.pairs.unwrap())?;
            write_jsonl(report, out)
        });
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
        for (name, list) in lists {
            assert_eq!(object[&name], list, "{name}");
        }
        for key in ["schema_version", "tool", "settings"] {
            assert_eq!(summary[key], object[key]);
        }
        assert_eq!(summary["pairs"], object["summary"]["pairs"]);
        assert!(lines.ends_with("\"documents_in_clusters\":3}\n"));
    }
}
