//! What a baseline holds.

use std::num::NonZeroUsize;

use crate::engine::relation::Relations;
use crate::gate::baseline::entry::Entry;
use crate::read::extract;
use crate::read::format::Format;
use crate::scan::ScanOptions;
use crate::text::han::Han;
use crate::text::units::ShingleUnit;

/// What shingles are, and of what text. Similarities of runs that differ in it say nothing about each other.
///
/// The encoding is not part of it: that of most documents is the same whether it was said or found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// What a unit is.
    pub(crate) unit: ShingleUnit,
    /// Units in a shingle.
    pub(crate) size: NonZeroUsize,
    /// What becomes of Traditional characters.
    pub(crate) han: Han,
    /// What of a text counts.
    pub(crate) extract: extract::ExtractOptions,
    /// The format of the texts of records.
    pub(crate) record_format: Format,
}

impl Cut {
    /// That of a run.
    pub(crate) fn of(settings: &ScanOptions) -> Self {
        Self {
            unit: settings.engine.shingle_unit,
            size: settings.engine.shingle_size,
            han: settings.engine.han,
            extract: settings.read.extract,
            record_format: settings.read.record_format,
        }
    }
}

/// Accepted pairs, and what they were chosen by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    /// The relations of the pairs it holds: one of another relation is neither accepted nor new.
    pub(crate) relations: Relations,
    /// What shingles were.
    pub(crate) cut: Cut,
    /// By names; no two have the same.
    entries: Vec<Entry>,
}

impl Content {
    /// Takes entries in any order. Those of the same names become one.
    pub(crate) fn new(relations: Relations, cut: Cut, entries: Vec<Entry>) -> Self {
        let mut entries: Vec<Entry> = entries.into_iter().map(Entry::in_order).collect();
        entries.sort_by(|one, other| one.names().cmp(&other.names()));
        let mut joined: Vec<Entry> = Vec::with_capacity(entries.len());
        for entry in entries {
            match joined.last_mut() {
                Some(last) if last.names() == entry.names() => last.join(entry),
                _ => joined.push(entry),
            }
        }
        Self {
            relations,
            cut,
            entries: joined,
        }
    }

    /// The accepted pairs, by names.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }
}
