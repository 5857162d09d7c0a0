//! Writes the file of a baseline: the same bytes for the same content.

use std::io::{self, Write};

use serde::Serialize;

use crate::gate::baseline::content::Content;
use crate::gate::baseline::entry::Entry;
use crate::scan::outcome::Resemblance;
use crate::scan::relation::Relation;

/// The version of the format. It grows with every new key: to an older program a key that it does not
/// know would be a slip of the pen.
pub(super) const VERSION: u64 = 1;

#[derive(Serialize)]
struct HeaderLine {
    dupfind_baseline: u64,
    relations: Vec<&'static str>,
    shingle_unit: &'static str,
    shingle_size: usize,
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
    ///
    /// # Errors
    ///
    /// What the writer says.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let header = HeaderLine {
            dupfind_baseline: VERSION,
            relations: self.relations.iter().map(Relation::as_str).collect(),
            shingle_unit: self.cut.unit.as_str(),
            shingle_size: self.cut.size.get(),
        };
        serde_json::to_writer(&mut *out, &header)?;
        out.write_all(b"\n")?;
        for entry in self.entries() {
            serde_json::to_writer(&mut *out, &EntryLine::new(entry))?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}
