//! The worklist as records, for agents.

use serde::Serialize;

use crate::model::Report;
use crate::worklist::{Entry, Worklist};
use dupfind_engine::Result;

/// The most documents of an entry that are named.
const MAX_NAMED: usize = 5;

/// One thing to look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WorkRecord {
    /// Its place in the list, from 1.
    pub rank: usize,
    /// Its documents: at most five.
    pub pages: Vec<String>,
    /// How many documents it has beside these.
    pub more_pages: usize,
    /// Their relation, as a sentence.
    pub what: String,
}

/// The records of a part of a worklist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The records.
    pub records: Vec<WorkRecord>,
    /// How many there are in the whole list.
    pub total: usize,
}

/// Returns the entries of the worklist of a report for the names of whose documents `is_listed` is true, from position
/// `start` on, `count` at most.
///
/// # Errors
///
/// Threads cannot be started.
pub fn work(
    report: &Report<'_>,
    is_listed: impl Fn(&[&str]) -> bool,
    start: usize,
    count: usize,
) -> Result<Work> {
    let mut list = Worklist::new(report);
    let names = |entry: &Entry| -> Vec<&str> {
        let documents = entry.documents();
        documents.map(|id| report.outcome.name(id)).collect()
    };
    list.entries.retain(|entry| is_listed(&names(entry)));
    list.read((start + count, start + count))?;
    let shown = list.entries.iter().enumerate().skip(start).take(count);
    let record = |(rank, entry): (usize, &Entry)| {
        let names = names(entry);
        let pages = names.iter().take(MAX_NAMED);
        WorkRecord {
            rank: rank + 1,
            pages: pages.map(|&name| name.to_owned()).collect(),
            more_pages: names.len().saturating_sub(MAX_NAMED),
            what: list.sentence(entry),
        }
    };
    Ok(Work {
        records: shown.map(record).collect(),
        total: list.entries.len(),
    })
}
