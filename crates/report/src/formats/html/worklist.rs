//! The worklist, as the page lists it.

use serde::Serialize;

use crate::formats::worklist::{Details, sentence, worklist};
use crate::model::Report;
use crate::style::escape::visible;
use dupfind_decide::clean::worklist::{Entry, Kind, STEPS, Worklist};
use dupfind_engine::DocId;
use dupfind_engine::Result;

/// A group, a related pair, or pairs that are summed up: its kind; its first document; how many shingles are gained by
/// fixing it; how many pairs it has; a sentence on it; and its members, each with the position of its pair.
#[derive(Debug, Serialize)]
pub(super) struct EntryItem(
    pub(super) &'static str,
    pub(super) usize,
    pub(super) u64,
    pub(super) u64,
    pub(super) String,
    pub(super) Vec<(usize, usize)>,
);

/// The entries of a report, in order.
#[derive(Debug)]
pub(super) struct Entries {
    list: Worklist,
    details: Details,
}

impl Entries {
    /// Makes the worklist of the pairs that are listed and open. The documents of the first entries are read again for
    /// their sentences.
    pub(super) fn read(report: &Report<'_>) -> Result<Self> {
        let list = worklist(report);
        let details = Details::read(report, &list, (usize::MAX, usize::MAX))?;
        Ok(Self { list, details })
    }

    /// As [`Self::read`], without reading anything.
    #[cfg(test)]
    pub(super) fn without_texts(report: &Report<'_>) -> Self {
        Self {
            list: worklist(report),
            details: Details::default(),
        }
    }

    /// Returns the entries for the page. `number` is that of a document in the page.
    pub(super) fn items(
        &self,
        report: &Report<'_>,
        number: impl Fn(DocId) -> usize,
    ) -> Vec<EntryItem> {
        let item = |(position, entry): (usize, &Entry)| {
            let members = self.list.members(entry).iter();
            EntryItem(
                name(entry.kind),
                number(entry.document),
                entry.gain / STEPS,
                entry.pairs,
                visible(&sentence(report, &self.list, position, &self.details)),
                members
                    .map(|member| (number(member.document), member.pair))
                    .collect(),
            )
        };
        self.list.entries().iter().enumerate().map(item).collect()
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Group => "group",
        Kind::Related => "related",
        Kind::Variants => "variants",
        Kind::Subjects => "subjects",
        Kind::Family => "family",
        Kind::Short => "short",
        Kind::Versions => "versions",
        Kind::Generated => "generated",
        Kind::Code => "code",
    }
}
