//! The order of a worklist.

use std::cmp::Reverse;

use crate::clean::worklist::{Entry, Kind, Member};

/// Sorts entries by their gain, the largest first. Entries that only sum pairs up come last, those of the most documents
/// first, and behind them the versions of pages, the folders of generated pages, and those of code and data. Of equal entries
/// the one whose first document comes first by name is first: documents are numbered by name.
pub(super) fn sort(entries: &mut [Entry], members: &[Member]) {
    entries.sort_unstable_by_key(|entry| {
        let sum = entry.kind.is_sum().then(|| Reverse(entry.members.len()));
        let members = &members[entry.members.clone()];
        let other = members.iter().map(|member| member.document).min();
        let by_folder = match entry.kind {
            Kind::Versions => 1,
            Kind::Generated => 2,
            Kind::Code => 3,
            _ => 0,
        };
        let name = (entry.document, other.unwrap_or(entry.document), entry.kind);
        (by_folder, sum, Reverse(entry.gain), name)
    });
}
