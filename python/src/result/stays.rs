//! Tables of the documents of a scan that stay, and of those that go.

use dupfind_decide::clean::ties::Measures;
use dupfind_decide::finished_scan::{Removed, Selection, rows_that_stay};
use dupfind_scan::Scan;
use pyo3::prelude::*;

use crate::table::{Columns, Table};

/// Returns what stays, by row.
pub(super) fn kept(scanned: &Scan, selected: &Selection) -> PyResult<Table> {
    let stay = rows_that_stay(scanned, &selected.kept);
    Columns::default()
        .u64("row", stay.iter().map(|(row, _)| *row))
        .text("id", stay.iter().map(|(_, id)| id))
        .into_table()
}

/// Returns what goes, and what stays for it.
pub(super) fn removed<'s>(
    scanned: &Scan,
    removed: impl Iterator<Item = &'s Removed> + Clone,
) -> PyResult<Table> {
    let measure = |measures: fn(&Measures) -> Option<u16>| {
        let removed = removed.clone();
        removed.map(move |removed| measures(&removed.measures).map(Measures::number))
    };
    let each = || removed.clone();
    Columns::default()
        .u64("row", each().map(|removed| scanned.row(removed.document)))
        .text("id", each().map(|removed| scanned.id(removed.document)))
        .u64(
            "duplicate_of_row",
            each().map(|removed| scanned.row(removed.keeper)),
        )
        .text(
            "duplicate_of",
            each().map(|removed| scanned.id(removed.keeper)),
        )
        .text("relation", each().map(|removed| removed.relation.as_str()))
        .optional_f64("similarity", measure(|measures| measures.jaccard))
        .optional_f64("weighted", measure(|measures| measures.weighted))
        .optional_f64(
            "containment",
            each().map(|removed| removed.measures.containment()),
        )
        .optional_u32(
            "hamming",
            each().map(|removed| removed.measures.hamming.map(u32::from)),
        )
        .text("because", each().map(|removed| &removed.because))
        .text("rule", each().map(|removed| removed.rule.to_string()))
        .into_table()
}

/// Returns what stays although it is much like another one, by row.
pub(super) fn unresolved(scanned: &Scan, selected: &Selection) -> PyResult<Table> {
    let unresolved = || selected.unresolved.iter();
    Columns::default()
        .u64("row", unresolved().map(|loose| scanned.row(loose.document)))
        .text("id", unresolved().map(|loose| scanned.id(loose.document)))
        .u64(
            "other_row",
            unresolved().map(|loose| scanned.row(loose.other)),
        )
        .text("other", unresolved().map(|loose| scanned.id(loose.other)))
        .text(
            "relation",
            unresolved().map(|loose| loose.relation.as_str()),
        )
        .optional_f64(
            "similarity",
            unresolved().map(|loose| loose.measures.jaccard.map(Measures::number)),
        )
        .into_table()
}
