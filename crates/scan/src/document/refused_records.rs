//! The records of a file that are not compared: the first of them by name, and how many there are.
//!
//! A small compressed file can hold millions of lines that are no records. Each of them, if kept, needs more memory than
//! there is.

use std::collections::BTreeMap;

use crate::document::record_warnings::{RecordPlace, Records};
use dupfind_read::skipped::{SkipReason, Skipped};

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
        assert_eq!(
            rest,
            [SkipReason::Empty, SkipReason::Malformed]
                .map(|reason| Skipped::records("a.jsonl", reason, 450))
        );
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
