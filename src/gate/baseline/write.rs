//! Writes the file of a baseline: the same bytes for the same content.

use std::io::{self, Write};

use serde::Serialize;

use crate::engine::outcome::Resemblance;
use crate::engine::relation::Relation;
use crate::gate::baseline::content::{Content, Cut};
use crate::gate::baseline::entry::Entry;
use crate::read;
use crate::text::han::Han;

/// The version of the format. It grows with every new key: to an older program a key that it does not
/// know would be a slip of the pen.
pub(super) const VERSION: u64 = 1;

#[derive(Serialize)]
struct HeaderLine {
    dupfind_baseline: u64,
    relations: Vec<&'static str>,
    shingle_unit: &'static str,
    shingle_size: usize,
    // What follows is written only if it is not as usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    fold_han: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    html: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown_code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record_format: Option<&'static str>,
}

impl HeaderLine {
    fn new(content: &Content) -> Self {
        let (cut, usual) = (&content.cut, read::ReadOptions::default());
        let Cut {
            extract,
            record_format,
            ..
        } = *cut;
        Self {
            dupfind_baseline: VERSION,
            relations: content.relations.iter().map(Relation::as_str).collect(),
            shingle_unit: cut.unit.as_str(),
            shingle_size: cut.size.get(),
            fold_han: (cut.han != Han::default()).then_some(true),
            html: (extract.html != usual.extract.html).then_some(extract.html.as_str()),
            markdown_code: (extract.skips_code != usual.extract.skips_code)
                .then_some(extract.code()),
            record_format: (record_format != usual.record_format).then_some(record_format.as_str()),
        }
    }
}

/// What people read and write stands at both ends of the line.
#[derive(Serialize)]
struct EntryLine<'e> {
    a: &'e str,
    b: &'e str,
    relation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    jaccard: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hamming: Option<u8>,
    text_a: String,
    text_b: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint_a: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint_b: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<String>,
}

impl<'e> EntryLine<'e> {
    fn new(entry: &'e Entry) -> Self {
        let hex = |number: u64| format!("{number:016x}");
        let Entry { a, b, .. } = entry;
        Self {
            a: &a.name,
            b: &b.name,
            relation: entry.relation.as_str(),
            jaccard: entry
                .jaccard
                .map(|steps| Resemblance::as_number(steps.into())),
            hamming: entry.hamming,
            text_a: hex(a.text),
            text_b: hex(b.text),
            fingerprint_a: a.fingerprint.map(hex),
            fingerprint_b: b.fingerprint.map(hex),
            reason: entry.reason.as_deref(),
            expires: entry.expires.map(|date| date.to_string()),
        }
    }
}

impl Content {
    /// Writes it as a file.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &HeaderLine::new(self))?;
        out.write_all(b"\n")?;
        for entry in self.entries() {
            serde_json::to_writer(&mut *out, &EntryLine::new(entry))?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}
