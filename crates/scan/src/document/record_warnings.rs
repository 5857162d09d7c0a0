//! Warnings about files of records: one for all records of a file.

use std::collections::BTreeMap;
use std::fmt;

use dupfind_read::records::position;
use dupfind_read::skipped::SkipReason;

/// How many files one kind of warning names. Further ones are only counted, as a crawl may have thousands of files.
const NAMED: usize = 5;

/// The records that a warning is about, by the names of their files.
#[derive(Debug, Default)]
pub(crate) struct RecordWarnings<'e> {
    too_large: BTreeMap<&'e str, Records>,
    without_id: BTreeMap<&'e str, Records>,
    has_ids: bool,
}

/// Some records of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Records {
    pub(crate) count: u64,
    /// Where the first one is.
    pub(crate) first: RecordPlace,
}

impl Records {
    /// Returns the one record of a place.
    pub(crate) fn one(first: RecordPlace) -> Self {
        Self { count: 1, first }
    }

    /// Adds other records of the same file.
    pub(crate) fn add(&mut self, other: Self) {
        self.count += other.count;
        self.first = self.first.min(other.first);
    }
}

/// Where a record is: the line in which it begins, from 1, or 0 in a file without lines; and its number, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RecordPlace {
    /// The line in which it begins, from 1; 0 in a file without lines.
    pub(crate) line: u64,
    /// Its number, from 1.
    pub(crate) number: u64,
}

impl fmt::Display for RecordPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { line: 0, number } => write!(f, "row {}", position(*number, 0)),
            Self { line, .. } => write!(f, "line {line}"),
        }
    }
}

impl<'e> RecordWarnings<'e> {
    /// Notes the records of a file that are not compared for one reason. Only records that are too large are counted:
    /// each malformed record has a message of its own.
    pub(crate) fn skipped(&mut self, file: &'e str, reason: SkipReason, records: Records) {
        if reason == SkipReason::TooLarge {
            self.too_large.insert(file, records);
        }
    }

    /// Notes a record that is compared. `has_id` is whether it has an id of its own.
    pub(crate) fn compared(&mut self, file: &'e str, at: RecordPlace, has_id: bool) {
        self.has_ids |= has_id;
        if !has_id {
            let one = Records::one(at);
            self.without_id
                .entry(file)
                .and_modify(|records| records.add(one))
                .or_insert(one);
        }
    }

    /// Returns the warnings. `limit` is the largest size of a record in bytes, `id_field` the field that was requested.
    pub(crate) fn in_words(&self, limit: u64, id_field: Option<&str>) -> Vec<String> {
        let mut words = listed(&self.too_large, |Records { count, first }| match count {
            1 => format!("the record of {first} is skipped: too large: the limit is {limit} bytes"),
            _ => format!(
                "{count} records are skipped, the first in {first}: too large: the limit is {limit} bytes"
            ),
        });
        let Some(field) = id_field else {
            return words;
        };
        if self.has_ids {
            words.extend(listed(&self.without_id, |Records { count, first }| match count {
                1 => format!(
                    "the record of {first} has no text, number or boolean in the id field '{field}': it is \
                     called by its number"
                ),
                _ => format!(
                    "{count} records have no text, number or boolean in the id field '{field}', the first in \
                     {first}: they are called by their numbers"
                ),
            }));
        } else if !self.without_id.is_empty() {
            // The name of the field is probably misspelt.
            words.push(format!(
                "no record has a text, a number or a boolean in the id field '{field}': all are called by their \
                 numbers"
            ));
        }
        words
    }
}

/// Returns one sentence for each of the first files, and one for the rest.
fn listed(files: &BTreeMap<&str, Records>, in_words: impl Fn(&Records) -> String) -> Vec<String> {
    let named = files.iter().take(NAMED);
    let mut words: Vec<String> = named
        .map(|(file, records)| format!("{file}: {}", in_words(records)))
        .collect();
    match files.len().saturating_sub(NAMED) {
        0 => {}
        1 => words.push("the same of 1 more file".into()),
        more => words.push(format!("the same of {more} more files")),
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: u64) -> RecordPlace {
        RecordPlace { line, number: 1 }
    }

    #[test]
    fn a_file_is_named_once_and_many_files_are_a_number() {
        let names: Vec<String> = (0..7).map(|n| format!("{n}.jsonl")).collect();
        let mut warnings = RecordWarnings::default();
        for (at, name) in names.iter().enumerate() {
            let records = Records {
                count: at as u64 + 1,
                first: line(3),
            };
            warnings.skipped(name, SkipReason::TooLarge, records);
            warnings.skipped(name, SkipReason::Malformed, records);
        }
        let words = warnings.in_words(9, Some("id"));
        assert_eq!(words.len(), NAMED + 1);
        assert_eq!(
            words[0],
            "0.jsonl: the record of line 3 is skipped: too large: the limit is 9 bytes"
        );
        assert_eq!(
            words[1],
            "1.jsonl: 2 records are skipped, the first in line 3: too large: the limit is 9 bytes"
        );
        assert_eq!(words[NAMED], "the same of 2 more files");
    }

    #[test]
    fn without_lines_rows_are_counted() {
        let mut warnings = RecordWarnings::default();
        for number in [7, 4, 9] {
            warnings.compared("a.parquet", RecordPlace { line: 0, number }, false);
        }
        warnings.compared("a.parquet", RecordPlace { line: 0, number: 1 }, true);
        let words = warnings.in_words(9, Some("id"));
        assert!(words[0].contains("the first in row 3: "), "{words:?}");
    }

    #[test]
    fn records_without_an_id_are_named_if_one_was_asked_for() {
        let mut warnings = RecordWarnings::default();
        warnings.compared("a.jsonl", line(1), false);
        assert_eq!(warnings.in_words(9, None), [""; 0]);
        let all = warnings.in_words(9, Some("id"));
        assert!(all[0].starts_with("no record has "), "{all:?}");
        warnings.compared("b.jsonl", line(1), true);
        let some = warnings.in_words(9, Some("id"));
        assert!(
            some[0].starts_with("a.jsonl: the record of line 1 has no text, number or boolean"),
            "{some:?}"
        );
    }
}
