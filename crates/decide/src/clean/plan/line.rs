//! The lines of a plan, one JSON object each. The documentation of these types is its specification.
//!
//! Paths are those of the names of documents: as the user would type them in the folder where the plan was made, with `/`
//! between folders. A record is called `FILE#ID`.

use std::borrow::Cow;

use crate::clean::drops::Ground;
use crate::clean::ties::Measures;
use serde::{Deserialize, Serialize};

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
    /// The places that mention the one that goes, as `FILE:LINE`: it may go nevertheless.
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
pub fn because(ground: Ground, measures: Measures) -> Cow<'static, str> {
    match (ground, measures.shares) {
        (Ground::EXACT, _) => "the same text but for case, width and white space".into(),
        (_, Some([goes, stays])) => {
            format!("{goes} of it is in the one that stays, {stays} of that one is here").into()
        }
        _ => "their signatures agree".into(),
    }
}

/// A fault of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault, in words.
    pub what: String,
    /// Whether the plan itself is wrong. Otherwise a file has changed, and only this line cannot be carried out.
    pub is_of_plan: bool,
}

impl Fault {
    pub(super) fn of_plan(line: usize, what: impl Into<String>) -> Self {
        Self {
            line,
            what: what.into(),
            is_of_plan: true,
        }
    }

    pub(super) fn of_file(line: usize, what: impl Into<String>) -> Self {
        Self {
            line,
            what: what.into(),
            is_of_plan: false,
        }
    }
}

/// The lines of a plan that are carried out, with their numbers, and the faults of others.
#[derive(Debug, Default)]
pub struct ReadPlan {
    /// The documents that go.
    pub drops: Vec<(usize, Drop)>,
    /// The errors.
    pub faults: Vec<Fault>,
    /// The folder of the pages, if the plan names one.
    pub folder: Option<String>,
}

/// How many lines are named that are no lines of a plan, beside the last one: a file of another kind has very many.
const NAMED: usize = 10;

/// How lines of a plan begin, damaged ones too.
const BEGINNINGS: [&str; 3] = [
    r#"{"type":"plan""#,
    r#"{"type":"drop""#,
    r#"{"type":"unresolved""#,
];

/// Reads the lines of a plan; `None` if no line is one of a plan, as in a file of another kind.
pub fn read(text: &str) -> Option<ReadPlan> {
    let ReadPlan {
        mut drops,
        mut faults,
        mut folder,
    } = ReadPlan::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut is_plan = text.trim().is_empty();
    let mut strange = 0;
    let mut last: Option<Fault> = None;
    let numbered = (1..).zip(text.lines());
    for (number, line) in numbered.filter(|(_, line)| !line.trim().is_empty()) {
        let read = serde_json::from_str(line);
        is_plan |= read.is_ok() || BEGINNINGS.iter().any(|known| line.starts_with(known));
        match read {
            Ok(Line::Drop(drop)) => drops.push((number, drop)),
            Ok(Line::Unresolved(_)) => {}
            Ok(Line::Plan(header)) if header.schema_version == SCHEMA_VERSION => {
                folder = header.folder;
            }
            Ok(Line::Plan(header)) => {
                let version = header.schema_version;
                let what =
                    format!("a plan of version {version}; this program knows {SCHEMA_VERSION}");
                faults.push(Fault::of_plan(number, what));
            }
            Err(error) if error.is_eof() => {
                faults.push(Fault::of_plan(number, "the line is cut off"));
            }
            Err(error) => {
                let words = error.to_string();
                // The number of the line is that of the file.
                let words = words.split(" at line ").next().unwrap_or_default();
                let fault = Fault::of_plan(number, format!("no line of a plan: {words}"));
                strange += 1;
                match strange > NAMED {
                    true => last = Some(fault),
                    false => faults.push(fault),
                }
            }
        }
    }
    if let Some(mut fault) = last {
        let before = strange - NAMED - 1;
        if before > 0 {
            fault.what.push_str(&format!(
                "; {before} more lines before it are no lines of a plan either"
            ));
        }
        faults.push(fault);
    }
    is_plan.then_some(ReadPlan {
        drops,
        faults,
        folder,
    })
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
