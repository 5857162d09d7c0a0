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

/// The records that warnings are about: those of each, and the first file that has some.
#[derive(Debug, Default)]
pub(crate) struct RecordWarnings<'e> {
    too_large: Option<(&'e str, Records)>,
    without_id: Option<(&'e str, Records)>,
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
            add(&mut self.too_large, file, records);
        }
    }

    /// Notes a record that is compared. `has_id` is whether it has an id of its own.
    pub(crate) fn compared(&mut self, file: &'e str, at: RecordPlace, has_id: bool) {
        if !has_id {
            add(&mut self.without_id, file, Records::one(at));
        }
    }

    /// Returns the warnings. `limit` is the largest size of a record in bytes, `id_field` the field that was requested.
    pub(crate) fn in_words(&self, limit: u64, id_field: Option<&str>) -> Vec<String> {
        let which = |(file, Records { count, first }): (&str, Records)| {
            format!("{count}, the first in {file}, {first}")
        };
        let too_large = self.too_large.map(|records| {
            let which = which(records);
            format!("records of more than {limit} bytes are skipped: {which}")
        });
        let without_id = self.without_id.zip(id_field).map(|(records, field)| {
            let which = which(records);
            format!(
                "records have no text, number or boolean in the id field '{field}', and are called by their numbers: {which}"
            )
        });
        too_large.into_iter().chain(without_id).collect()
    }
}

/// Adds records of a file.
fn add<'e>(all: &mut Option<(&'e str, Records)>, file: &'e str, records: Records) {
    let (first, known) = all.get_or_insert((
        file,
        Records {
            count: 0,
            ..records
        },
    ));
    known.count += records.count;
    (*first, known.first) = (*first, known.first).min((file, records.first));
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
    fn records_are_counted_and_the_first_one_is_named() {
        let mut warnings = RecordWarnings::default();
        for (name, count) in [("b.jsonl", 2), ("a.jsonl", 1)] {
            let first = line(3);
            let records = Records { count, first };
            warnings.skipped(name, SkipReason::TooLarge, records);
            warnings.skipped(name, SkipReason::Malformed, records);
        }
        let words = warnings.in_words(9, Some("id"));
        let expected = "records of more than 9 bytes are skipped: 3, the first in a.jsonl, line 3";
        assert_eq!(words, [expected]);
    }

    #[test]
    fn records_without_an_id_are_named_if_one_was_asked_for() {
        let mut warnings = RecordWarnings::default();
        // Without lines rows are counted.
        for number in [7, 4, 9] {
            warnings.compared("a.parquet", RecordPlace { line: 0, number }, false);
        }
        warnings.compared("a.parquet", RecordPlace { line: 0, number: 1 }, true);
        assert_eq!(warnings.in_words(9, None), [""; 0]);
        let words = warnings.in_words(9, Some("id"));
        assert!(
            words[0].ends_with(": 3, the first in a.parquet, row 3"),
            "{words:?}"
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
