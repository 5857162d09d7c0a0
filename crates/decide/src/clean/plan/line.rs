//! The lines of a plan, one JSON object each. The documentation of these types is its specification.
//!
//! Paths are those of the names of documents: as the user would type them in the folder where the plan was made, with `/`
//! between folders. A record is called `FILE#ID`.

use serde::{Deserialize, Serialize};

use crate::clean::ties::{Ground, Measures};

/// The version of the format.
pub const SCHEMA_VERSION: u32 = 1;

/// A line of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Line {
    /// How the plan was made. It is the first line, and may be missing.
    Plan(Header),
    /// A document that goes.
    Drop(Drop),
    /// A document that stays although it is much like another one, for people to look at.
    Unresolved(Unresolved),
}

/// How a plan was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub schema_version: u32,
    /// The rules in order, with those behind the rules of the user.
    pub keep: Vec<String>,
    /// The relations that let a document go.
    pub drop: Vec<String>,
    /// The least Jaccard similarity of near-duplicates that lets one of them go.
    #[serde(default)]
    pub min_similarity: f64,
    /// Optional: the folder of the pages, if one was named. The addresses of redirects are relative to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// A document that goes, and the one that stays for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Drop {
    /// The document that stays.
    pub keep: String,
    /// The document that goes.
    pub drop: String,
    /// The relation of the two: `exact`, `near`, or `contains` if the one that stays contains the other; `similar` if it does
    /// not matter.
    pub relation: Ground,
    /// The measures of the two.
    #[serde(flatten)]
    pub measures: MeasuresRecord,
    /// Why it may go, for people.
    #[serde(default)]
    pub because: String,
    /// Optional: how many lines of the file that goes are not in the one that stays, of an exact copy. It is missing if
    /// these are no files of lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_in_drop: Option<usize>,
    /// The rule that chose the one that stays.
    #[serde(default)]
    pub rule: String,
    /// The difference that the rule found, for people.
    #[serde(default)]
    pub reason: String,
    /// The other pages that link to the one that goes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linked_from: Vec<String>,
    /// The hash of the file that stays. Of a record it is that of its file, as the next one.
    pub keep_hash: String,
    /// The hash of the file that goes.
    pub drop_hash: String,
}

/// A document that stays although it is much like another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unresolved {
    /// The document.
    pub document: String,
    /// The document it is most like.
    pub other: String,
    /// The relation of the two.
    pub relation: Ground,
    /// The measures of the two.
    #[serde(flatten)]
    pub measures: MeasuresRecord,
    /// Why it stays, for people.
    #[serde(default)]
    pub because: String,
}

/// The measures of two documents, as in the reports of a scan: from 0 to 1 and rounded down to four decimals, `null` if
/// the detector was off.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MeasuresRecord {
    /// Jaccard similarity.
    pub jaccard: Option<f64>,
    /// Weighted Jaccard similarity.
    pub weighted: Option<f64>,
    /// How much of the smaller one is in the larger one.
    pub containment: Option<f64>,
    /// Hamming distance of the fingerprints.
    pub hamming: Option<u8>,
}

impl From<Measures> for MeasuresRecord {
    fn from(measures: Measures) -> Self {
        Self {
            jaccard: measures.jaccard.map(Measures::number),
            weighted: measures.weighted.map(Measures::number),
            containment: measures.containment(),
            hamming: measures.hamming,
        }
    }
}

/// Returns why a text may go for another one, in plain words.
#[must_use]
pub fn because(ground: Ground, measures: Measures) -> String {
    match (ground, measures.shares) {
        (Ground::EXACT, _) => "the same text but for case, width and white space".into(),
        (_, Some([goes, stays])) => match goes >= stays {
            true => format!("{goes} of it is in the one that stays, {stays} the other way"),
            false => format!("{stays} of the one that stays is in it, {goes} the other way"),
        },
        _ => "their signatures agree".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let text = r#"{"type":"drop","keep":"a.md","drop":"b.md","relation":"near","jaccard":0.9312,"weighted":0.9,"containment":1.0,"hamming":2,"because":"x","only_in_drop":3,"rule":"newest","reason":"y","linked_from":["c.md"],"keep_hash":"xxh3:00","drop_hash":"xxh3:01"}"#;
        let line: Line = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&line).unwrap(), text);
        let short = r#"{"type":"unresolved","document":"a","other":"b","relation":"exact"}"#;
        assert!(serde_json::from_str::<Line>(short).is_ok());
        let wrong = text.replace("near", "alike");
        let error = serde_json::from_str::<Line>(&wrong).unwrap_err();
        assert!(error.to_string().contains("no relation 'alike'"), "{error}");
    }
}
