//! JSON: one object. The specification is [`crate::model`].

use std::io::{self, Write};

use serde::Serialize;

use crate::formats::{Format, Writer};
use crate::model::{Report, SCHEMA_VERSION, ToolRecord};
use dupfind_engine::Error;

/// One JSON object.
pub static JSON: Format = Format {
    name: "json",
    endings: &["json"],
    help: "One JSON object",
    writer: Writer::Whole {
        most_pairs: usize::MAX,
        write: |report, _, out| write_json(report, out).map_err(Error::Sink),
    },
};

fn write_json(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut object = JsonObject::of_report(out)?;
    object.value("settings", &report.settings())?;
    object.value("summary", &report.summary())?;
    object.list("pairs", report.pairs())?;
    object.list("clusters", report.clusters())?;
    object.list("documents", report.documents())?;
    object.list("skipped", report.outcome.skipped.iter())?;
    object.list("notes", report.outcome.notes.iter())?;
    object.end()
}

/// A JSON object that is written key by key. Every element of a list has a line of its own, so that
/// two reports can be compared line by line.
pub(crate) struct JsonObject<'o>(&'o mut dyn Write);

impl<'o> JsonObject<'o> {
    /// Begins an object with the keys that every report has: `schema_version` and `tool`.
    pub(crate) fn of_report(out: &'o mut dyn Write) -> io::Result<Self> {
        write!(out, "{{\n\"schema_version\": {SCHEMA_VERSION}")?;
        let mut object = Self(out);
        object.value("tool", &ToolRecord::THIS)?;
        Ok(object)
    }

    /// Returns an object whose first keys are in `out` already.
    pub(crate) fn begun(out: &'o mut dyn Write) -> Self {
        Self(out)
    }

    pub(crate) fn value<T: Serialize>(&mut self, name: &str, value: &T) -> io::Result<()> {
        write!(self.0, ",\n\"{name}\": ")?;
        Ok(serde_json::to_writer(&mut *self.0, value)?)
    }

    pub(crate) fn list<T: Serialize>(
        &mut self,
        name: &str,
        items: impl Iterator<Item = T>,
    ) -> io::Result<()> {
        write!(self.0, ",\n\"{name}\": ")?;
        write_list(items, self.0)
    }

    pub(crate) fn end(self) -> io::Result<()> {
        writeln!(self.0, "\n}}")
    }
}

/// Writes a list with every element on a line of its own.
pub(crate) fn write_list<T: Serialize>(
    items: impl Iterator<Item = T>,
    out: &mut dyn Write,
) -> io::Result<()> {
    // There may be millions of items of many small parts: each is written at once.
    let mut line = b"[\n".to_vec();
    for item in items {
        line.extend(b"  ");
        serde_json::to_writer(&mut line, &item)?;
        out.write_all(&line)?;
        line.clear();
        line.extend(b",\n");
    }
    let end = if line == b"[\n" { "[]" } else { "\n]" };
    out.write_all(end.as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::model::SettingsRecord;
    use crate::tests::{canned, empty, written};
    use dupfind_engine::verdict::rules::NEAR_WEIGHTED;
    use dupfind_scan::ScanOptions;

    #[test]
    fn one_object_with_every_key() {
        let text = written(&canned(), &JSON);
        let settings = SettingsRecord::new(&ScanOptions::for_paths(["docs"]), 2);
        let settings = serde_json::to_string(&settings).unwrap();
        let expected = r#"{
"schema_version": 1,
"tool": {"name":"dupfind","version":"VERSION"},
"settings": SETTINGS,
"summary": {"documents":4,"skipped":2,"pairs":2,"new_pairs":null,"relations":{"exact":1,"near":1,"contains":0,"variant":0,"related":0,"template":0,"short":0},"clusters":1,"documents_in_clusters":3,"left_out":[]},
"pairs": [
  {"a":"docs/a.md","b":"docs/城市公园.md","relation":"exact","rule":"same_text","container":null,"hamming":0,"jaccard":1.0,"weighted":1.0,"containment":1.0,"a_in_b":1.0,"b_in_a":1.0,"matched_by":["simhash","shingle"],"because":"the same text but for case, width and white space","standing":null},
  {"a":"docs/a.md","b":"docs/evil\n\u001b[31m.md","relation":"near","rule":"near_weighted","container":null,"hamming":17,"jaccard":0.3333,"weighted":0.21,"containment":0.5,"a_in_b":0.5,"b_in_a":0.5,"matched_by":["shingle"],"because":"weighted similarity 0.21 >= LIMIT","standing":null}
],
"clusters": [
  {"id":0,"representative":"docs/城市公园.md","least_similarity":0.25,"documents":["docs/a.md","docs/evil\n\u001b[31m.md","docs/城市公园.md"]}
],
"documents": [
  {"path":"docs/a.md","closest":"docs/城市公园.md","jaccard":1.0,"near":2},
  {"path":"docs/evil\n\u001b[31m.md","closest":"docs/a.md","jaccard":0.3333,"near":1},
  {"path":"docs/城市公园.md","closest":"docs/a.md","jaccard":1.0,"near":1}
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
        let expected = expected.replace("VERSION", env!("CARGO_PKG_VERSION"));
        let limit = f64::from(NEAR_WEIGHTED) / 10_000.0;
        let expected = expected.replace("LIMIT", &limit.to_string());
        assert_eq!(text, expected.replace("SETTINGS", &settings));
        serde_json::from_str::<Value>(&text).unwrap();
    }

    #[test]
    fn an_empty_report_is_valid_too() {
        let value: Value = serde_json::from_str(&written(&empty(), &JSON)).unwrap();
        for list in ["pairs", "clusters", "documents", "skipped", "notes"] {
            assert_eq!(value[list], Value::Array(vec![]), "{list}");
        }
        assert_eq!(value["summary"]["documents"], 0);
    }
}
