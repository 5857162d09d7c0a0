//! The worklist as records, for agents.

use serde::Serialize;

use crate::formats::worklist::{Details, sentence, worklist};
use crate::model::Report;
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

/// Returns the entries of the worklist of a report with a document for whose name `is_listed` is true, from position
/// `start` on, `count` at most.
///
/// # Errors
///
/// Threads cannot be started.
pub fn work(
    report: &Report<'_>,
    is_listed: impl Fn(&str) -> bool,
    start: usize,
    count: usize,
) -> Result<Work> {
    let list = worklist(report);
    let details = Details::read(report, &list, (start + count, start + count))?;
    let names = |position: usize| {
        let entry = &list.entries()[position];
        let members = list.members(entry).iter().map(|member| member.document);
        let documents = std::iter::once(entry.document).chain(members);
        documents.map(|id| report.outcome.name(id))
    };
    let listed = |position: &usize| names(*position).any(&is_listed);
    let positions: Vec<usize> = (0..list.entries().len()).filter(listed).collect();
    let shown = positions.iter().enumerate().skip(start).take(count);
    let record = |(rank, &position): (usize, &usize)| WorkRecord {
        rank: rank + 1,
        pages: names(position).take(MAX_NAMED).map(str::to_owned).collect(),
        more_pages: names(position).count().saturating_sub(MAX_NAMED),
        what: sentence(report, &list, position, &details),
    };
    Ok(Work {
        records: shown.map(record).collect(),
        total: positions.len(),
    })
}
