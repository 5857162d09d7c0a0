//! Documents on their way from a file to a collection, and the records of files that are not compared.

use dupfind_index::Reading;
use dupfind_index::Stamp;
use dupfind_read::records::position;
use dupfind_read::{SkipReason, Skipped};
use std::collections::BTreeMap;
use std::fmt;

/// The records that are not compared, by the numbers of their entries.
pub(crate) type RefusedByEntry<T> = BTreeMap<usize, RefusedRecords<ReadDocument<T>>>;

/// The documents of all entries. `T` is the type of the value that was made of each document.
pub(crate) struct ReadEntries<T> {
    /// The documents in any order, without the records that are not compared.
    pub(crate) documents: Vec<ReadDocument<T>>,
    /// The records that are not compared, by the numbers of their entries.
    pub(crate) refused: RefusedByEntry<T>,
    /// The facts about the files for an index, by the numbers of their entries; empty without an index.
    pub(crate) facts: BTreeMap<usize, FileFacts>,
}

/// A document that was read, or skipped.
pub(crate) struct ReadDocument<T> {
    /// Its name in reports.
    pub(crate) name: String,
    /// The numbers of its entry, of its record and of its first and last line. Documents of one name are ordered by
    /// it.
    pub(crate) place: (usize, u64, (u64, u64)),
    /// Whether it is a record with an id of its own.
    pub(crate) has_id: bool,
    /// The data that only an index needs. There may be very many documents, so it needs little room without one.
    pub(crate) for_index: Option<Box<ForIndex>>,
    /// Its outcome.
    pub(crate) outcome: ReadOutcome<T>,
}

/// The outcome of reading a document.
pub(crate) enum ReadOutcome<T> {
    /// It was read. The last value was made of it.
    Done(Reading, T),
    /// An index has its features. The last value is its position in the documents of the index.
    Known(Reading, usize),
    /// It cannot be compared. The last value has details, and may be empty.
    Skipped(SkipReason, String),
}

/// The data about a document for an index, beside its features.
#[derive(Debug, Default)]
pub(crate) struct ForIndex {
    /// Its name before names that several records have are distinguished.
    pub(crate) own_name: String,
    /// A hash of the bytes it was read from.
    pub(crate) content: u128,
}

/// The facts about a file for an index.
#[derive(Debug)]
pub(crate) struct FileFacts {
    /// Its size and time when it was read.
    pub(crate) stamp: Stamp,
    /// A hash of its bytes.
    pub(crate) content: u128,
    /// Whether it is one document, and not a file of records.
    pub(crate) is_document: bool,
    /// Whether the index has all of its content.
    pub(crate) is_known: bool,
}

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

/// How many records of a file are kept that are not compared.
const KEPT: usize = 100;

/// The records of one file, or of a part of it, that are not compared. `R` is the kept data of a record.
#[derive(Debug)]
pub(crate) struct RefusedRecords<R> {
    /// The first ones in the file, by their numbers.
    first: BTreeMap<u64, (SkipReason, R)>,
    by_reason: BTreeMap<SkipReason, Records>,
}

impl<R> Default for RefusedRecords<R> {
    fn default() -> Self {
        Self {
            first: BTreeMap::new(),
            by_reason: BTreeMap::new(),
        }
    }
}

impl<R> RefusedRecords<R> {
    /// Counts a record. `record` is kept if few records with lower numbers are.
    pub(crate) fn add(&mut self, at: RecordPlace, reason: SkipReason, record: R) {
        self.count(reason, Records::one(at));
        self.keep(at.number, reason, record);
    }

    /// Adds the records of another part of the file.
    pub(crate) fn append(&mut self, other: Self) {
        for (reason, records) in other.by_reason {
            self.count(reason, records);
        }
        for (number, (reason, record)) in other.first {
            self.keep(number, reason, record);
        }
    }

    fn count(&mut self, reason: SkipReason, records: Records) {
        self.by_reason
            .entry(reason)
            .and_modify(|all| all.add(records))
            .or_insert(records);
    }

    fn keep(&mut self, number: u64, reason: SkipReason, record: R) {
        let last = self.first.last_key_value().map(|(&number, _)| number);
        if self.first.len() == KEPT && last.is_some_and(|last| last < number) {
            return;
        }
        self.first.insert(number, (reason, record));
        if self.first.len() > KEPT {
            self.first.pop_last();
        }
    }

    /// Returns how many records there are.
    pub(crate) fn len(&self) -> u64 {
        self.by_reason.values().map(|records| records.count).sum()
    }

    /// Returns the records that are kept, and the others as [`Skipped`], one for each reason. `file` is the name of
    /// the file.
    pub(crate) fn listed(self, file: &str) -> (impl Iterator<Item = R>, Vec<Skipped>) {
        let mut left = self.by_reason;
        for (reason, _) in self.first.values() {
            left.entry(*reason).and_modify(|records| records.count -= 1);
        }
        let rest = left.into_iter().filter(|(_, records)| records.count > 0);
        let rest = rest.map(|(reason, records)| Skipped::records(file, reason, records.count));
        (
            self.first.into_values().map(|(_, record)| record),
            rest.collect(),
        )
    }

    /// Returns the reasons, and the details of the records of each.
    pub(crate) fn by_reason(&self) -> impl Iterator<Item = (SkipReason, Records)> {
        self.by_reason
            .iter()
            .map(|(&reason, &records)| (reason, records))
    }
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
        let expected = "0.jsonl: the record of line 3 is skipped: too large: the limit is 9 bytes";
        assert_eq!(words[0], expected);
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

    fn at(number: u64) -> RecordPlace {
        RecordPlace {
            line: number,
            number,
        }
    }

    #[test]
    fn keeps_the_first_and_counts_all_in_any_order() {
        let mut all = RefusedRecords::default();
        for part in [(500..1_000), (0..500)] {
            let mut refused = RefusedRecords::default();
            for number in part.rev() {
                let reason = match number % 2 {
                    0 => SkipReason::Empty,
                    _ => SkipReason::Malformed,
                };
                refused.add(at(number), reason, number);
            }
            all.append(refused);
        }
        assert_eq!(all.len(), 1_000);
        let malformed = Records {
            count: 500,
            first: at(1),
        };
        assert!(
            all.by_reason()
                .any(|found| found == (SkipReason::Malformed, malformed))
        );
        let (first, rest) = all.listed("a.jsonl");
        assert!(first.eq(0..100));
        let expected = [SkipReason::Empty, SkipReason::Malformed]
            .map(|reason| Skipped::records("a.jsonl", reason, 450));
        assert_eq!(rest, expected);
    }

    #[test]
    fn few_are_all_kept() {
        let mut all = RefusedRecords::default();
        for number in 1..=100 {
            all.add(at(number), SkipReason::TooLarge, number);
        }
        let (first, rest) = all.listed("a.jsonl");
        assert_eq!((first.count(), rest), (100, Vec::new()));
    }
}
