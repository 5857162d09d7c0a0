//! The lines of a plan, one JSON object each. The documentation of these types is its specification.
//!
//! Paths are those of the names of documents: as the user would type them in the folder where the plan was made, with `/`
//! between folders. A record is called `FILE#ID`.
//!
//! What else is in the files of exact copies: their texts are the same, and their files need not be. And the hashes of
//! files.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use dupfind_read::ReadOptions;
use dupfind_read::source::read::hash;
use serde::{Deserialize, Serialize};

use crate::clean::drops::Ground;
use crate::clean::ties::Measures;
use crate::compare::{SourceLine, Sources};

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
    let mut is_strange = false;
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
                // What is behind a plan is not repeated line by line.
                if !std::mem::replace(&mut is_strange, true) {
                    let what = format!("no line of a plan: {words}");
                    faults.push(Fault::of_plan(number, what));
                }
            }
        }
    }
    is_plan.then_some(ReadPlan {
        drops,
        faults,
        folder,
    })
}

/// How many characters of a line are quoted.
const QUOTED: usize = 80;

/// What is in the file of a document that goes and not in that of its copy, which stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileLoss {
    /// How many lines of the file that goes are not in the one that stays; `None` if it is not known.
    pub(super) lines: Option<usize>,
    /// Why the document may go, for people.
    pub(super) because: String,
}

impl FileLoss {
    /// Returns that of two files that have the same bytes.
    pub(super) fn of_same_bytes() -> Self {
        Self {
            lines: Some(0),
            because: "the same file, byte for byte".into(),
        }
    }

    /// Reads two files that differ.
    pub(super) fn of_files(keep: &Path, goes: &Path, options: &ReadOptions) -> Self {
        Self::of(Sources::read([keep, goes], options).as_ref())
    }

    fn of(sources: Option<&Sources>) -> Self {
        let Some(sources) = sources else {
            let because = "the same text; the files differ, and only their texts were compared";
            return Self {
                lines: None,
                because: because.into(),
            };
        };
        let (mut lines, mut example) = (0, None);
        for line in sources.only_in(1) {
            lines += 1;
            // The first line of front matter tells nothing.
            if !example.is_some_and(has_words) && (example.is_none() || has_words(line)) {
                example = Some(line);
            }
        }
        let because = match (example, lines) {
            _ if sources.are_same() => "the same file but for its encoding and white space".into(),
            (None, _) => match sources.only_in(0).next() {
                Some(_) => {
                    "the same text; each line of the file that goes is in the one that stays".into()
                }
                None => "the same text; the files have the same lines in another order".to_owned(),
            },
            (Some(line), 1) => format!(
                "the same text; 1 line of the file that goes is not in the one that stays: {}",
                quoted(line)
            ),
            (Some(line), _) => format!(
                "the same text; {lines} lines of the file that goes are not in the one that stays, such as: {}",
                quoted(line)
            ),
        };
        Self {
            lines: Some(lines),
            because,
        }
    }
}

fn has_words(line: SourceLine<'_>) -> bool {
    line.text.contains(char::is_alphanumeric)
}

/// Returns the beginning of a line.
fn quoted(line: SourceLine<'_>) -> String {
    match line.text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &line.text[..end]),
        None => line.text.to_owned(),
    }
}

/// Returns the hash of a file's bytes as plans write it: `xxh3:` and 32 hexadecimal digits.
///
/// # Errors
///
/// The message of the operating system.
pub fn file_hash(path: &Path) -> io::Result<String> {
    hash(path).map(written)
}

/// Returns the hash of some bytes.
pub fn bytes_hash(bytes: &[u8]) -> String {
    written(xxhash_rust::xxh3::xxh3_128(bytes))
}

fn written(hash: u128) -> String {
    format!("xxh3:{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

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

    fn loss(keep: &str, goes: &str) -> (Option<usize>, String) {
        let sources = Sources::new([keep.into(), goes.into()]);
        let FileLoss { lines, because } = FileLoss::of(Some(&sources));
        (lines, because)
    }

    #[test]
    fn what_is_lost_is_told() {
        for [keep, goes, lines, because] in table(
            r"a\nb          | a\r\n b    | 0 | the same file but for its encoding and white space
              a\n<!-- x --> | a          | 0 | the same text; each line of the file that goes is in the one that stays
              a\nb          | b\na       | 0 | the same text; the files have the same lines in another order
              a             | a\n<!-- x --> | 1 | the same text; 1 line of the file that goes is not in the one that stays: <!-- x -->
              a | ---\nweight: 1\n---\na | 3 | the same text; 3 lines of the file that goes are not in the one that stays, such as: weight: 1
              a | a\n---\n***  | 2 | the same text; 2 lines of the file that goes are not in the one that stays, such as: ---",
        ) {
            let expected = (lines.parse().ok(), because.into());
            assert_eq!(loss(keep, goes), expected);
        }
        assert_eq!(FileLoss::of(None).lines, None);
    }

    #[test]
    fn long_lines_are_cut() {
        let (_, because) = loss("a", &format!("a\n{}", "长".repeat(QUOTED + 1)));
        assert!(
            because.ends_with(&format!(": {}…", "长".repeat(QUOTED))),
            "{because}"
        );
    }

    #[test]
    fn a_file_has_the_hash_of_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for bytes in [vec![], b"text".to_vec(), vec![7; (64 << 10) * 2 + 1]] {
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(file_hash(&path).unwrap(), bytes_hash(&bytes));
        }
        assert!(file_hash(&folder.path().join("none")).is_err());
    }
}
