//! Notes in records: what would become of them.

use std::collections::HashMap;

use serde::Serialize;
use serde::de::IgnoredAny;

use crate::clean::plan::line::MeasuresRecord;
use crate::clean::stars::Partner;
use dupfind_engine::verdict::Relation;

/// The key of the note in a JSON record, and the beginning of the names of columns.
const KEY: &str = "dupfind";

/// What a record goes for.
#[derive(Debug, Serialize)]
pub struct Annotation {
    verdict: &'static str,
    keep: String,
    relation: Relation,
    #[serde(flatten)]
    measures: MeasuresRecord,
}

impl Annotation {
    /// Returns the note about a record that goes. `keep` is the name of the one that stays.
    #[must_use]
    pub fn new(keep: String, partner: Partner) -> Self {
        Self {
            verdict: "drop",
            keep,
            relation: partner.relation,
            measures: partner.measures.into(),
        }
    }

    /// Returns a record with its note; one without a note stays. `record` has its line end. What is no object and no row
    /// is returned as it is.
    pub(super) fn added(note: Option<&Self>, record: &[u8], delimiter: Option<u8>) -> Vec<u8> {
        let content = record.trim_ascii_end();
        let (content, end) = record.split_at(content.len());
        match delimiter {
            Some(delimiter) => {
                let (verdict, keep) = note.map_or(("keep", ""), |note| (note.verdict, &*note.keep));
                let keep = quoted(keep, delimiter);
                let delimiter = char::from(delimiter);
                let cells = format!("{delimiter}{verdict}{delimiter}{keep}");
                [content, cells.as_bytes(), end].concat()
            }
            None => {
                let json = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
                let is_object = serde_json::from_slice::<HashMap<String, IgnoredAny>>(json).is_ok();
                let Some(body) = content.strip_suffix(b"}").filter(|_| is_object) else {
                    return record.to_vec();
                };
                let note = match note {
                    None => r#"{"verdict":"keep"}"#.to_owned(),
                    Some(note) => serde_json::to_string(note).unwrap_or_default(),
                };
                let is_empty = body.trim_ascii() == b"{" || body.trim_ascii() == b"\xef\xbb\xbf{";
                let comma = if is_empty { "" } else { "," };
                let added = format!("{comma}\"{KEY}\":{note}}}");
                [body, added.as_bytes(), end].concat()
            }
        }
    }

    /// Returns the header of a table with the names of two more columns.
    pub(super) fn header(header: &[u8], delimiter: Option<u8>) -> Vec<u8> {
        let content = header.trim_ascii_end();
        let (content, end) = header.split_at(content.len());
        let delimiter = char::from(delimiter.unwrap_or(b','));
        let names = format!("{delimiter}{KEY}_verdict{delimiter}{KEY}_keep");
        [content, names.as_bytes(), end].concat()
    }
}

/// Returns a cell, in quotation marks if it needs them.
fn quoted(cell: &str, delimiter: u8) -> String {
    let needs = |c: char| c == char::from(delimiter) || matches!(c, '"' | '\n' | '\r');
    match cell.contains(needs) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clean::ties::Measures;

    #[test]
    fn records_get_notes_and_keep_their_bytes() {
        let partner = Partner {
            document: 0,
            relation: Relation::Exact,
            measures: Measures::EQUAL,
        };
        let note = Annotation::new("a,b.csv#1".into(), partner);
        let added = |record: &str, delimiter| {
            String::from_utf8(Annotation::added(Some(&note), record.as_bytes(), delimiter)).unwrap()
        };
        assert_eq!(added("1,x\r\n", Some(b',')), "1,x,drop,\"a,b.csv#1\"\r\n");
        let line = added("{ \"text\" : \"x\" } \n", None);
        assert!(
            line.starts_with("{ \"text\" : \"x\" ,\"dupfind\":{\"verdict\":\"drop\""),
            "{line}"
        );
        assert!(line.ends_with("}} \n"), "{line}");
        serde_json::from_str::<serde_json::Value>(&line).unwrap();
        for no_object in ["{\"cut", "not JSON}", "[1]", "{]}"] {
            assert_eq!(added(no_object, None), no_object);
        }
        let kept = Annotation::added(None, b"{}", None);
        assert_eq!(kept, b"{\"dupfind\":{\"verdict\":\"keep\"}}");
    }
}
