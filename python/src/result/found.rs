//! Tables of the findings of a scan.

use dupfind_engine::DocId;
use dupfind_engine::{Document, Pair, Reason};
use dupfind_scan::Scan;
use pyo3::prelude::*;

use crate::call::OrRaise;
use crate::table::{Columns, Table};

/// Returns the pairs, in the order of reports.
pub(super) fn pairs(scanned: &Scan) -> PyResult<Table> {
    let documents = &scanned.documents;
    let pairs = || scanned.pairs.iter();
    let ends = |end: usize| pairs().map(move |pair| in_order(scanned, pair)[end]);
    Columns::default()
        .u64("row_a", ends(0).map(|id| scanned.row(id)))
        .u64("row_b", ends(1).map(|id| scanned.row(id)))
        .text("a", ends(0).map(|id| scanned.id(id)))
        .text("b", ends(1).map(|id| scanned.id(id)))
        .measures(|| pairs().map(|pair| (pair, [pair.a, pair.b].map(|id| document(scanned, id)))))
        .optional_text(
            "container",
            pairs().map(|pair| pair.container(documents).map(|id| scanned.id(id))),
        )
        .texts("matched_by", pairs().map(|pair| pair.found_by.names()))
        .text(
            "because",
            pairs().map(|pair| Reason::new(documents, pair).to_string()),
        )
        .into_table()
}

/// Returns the members of the clusters.
pub(super) fn clusters(scanned: &Scan) -> PyResult<Table> {
    let clusters = scanned.clusters.iter();
    let members: Vec<_> = (0_u32..)
        .zip(clusters)
        .flat_map(|(number, cluster)| {
            let mut members = cluster.documents.clone();
            members.sort_unstable_by_key(|&id| (scanned.is_against(id), scanned.row(id)));
            members.into_iter().map(move |id| (number, cluster, id))
        })
        .collect();
    Columns::default()
        .u32("cluster", members.iter().map(|(number, ..)| *number))
        .u64("row", members.iter().map(|&(.., id)| scanned.row(id)))
        .text("id", members.iter().map(|&(.., id)| scanned.id(id)))
        .bool(
            "is_representative",
            members
                .iter()
                .map(|&(_, cluster, id)| cluster.representative == id),
        )
        .optional_f64(
            "least_similarity",
            members
                .iter()
                .map(|(_, cluster, _)| cluster.least_similarity),
        )
        .bool(
            "is_against",
            members.iter().map(|&(.., id)| scanned.is_against(id)),
        )
        .into_table()
}

/// Returns the documents that were compared, by row, without those of another collection.
pub(super) fn documents(scanned: &Scan) -> PyResult<Table> {
    let mut ids: Vec<DocId> = (0..scanned.documents.len())
        .map(DocId::new)
        .collect::<dupfind_engine::Result<_>>()
        .or_raise()?;
    let mut near = vec![0_u32; ids.len()];
    for id in scanned.pairs.iter().flat_map(|pair| [pair.a, pair.b]) {
        near[id.index()] += 1;
    }
    let mut cluster_of = vec![None; ids.len()];
    for (number, cluster) in (0_u32..).zip(&scanned.clusters) {
        for id in &cluster.documents {
            cluster_of[id.index()] = Some(number);
        }
    }
    ids.retain(|&id| !scanned.is_against(id));
    ids.sort_unstable_by_key(|&id| scanned.row(id));
    let documents = || ids.iter().map(|&id| document(scanned, id));
    Columns::default()
        .u64("row", ids.iter().map(|&id| scanned.row(id)))
        .text("id", documents().map(|document| &document.name))
        .u64("length", documents().map(|document| document.length as u64))
        .u32("shingles", documents().map(|document| document.shingles))
        .optional_u64(
            "fingerprint",
            documents().map(|document| document.fingerprint()),
        )
        .u32("near", ids.iter().map(|id| near[id.index()]))
        .optional_u32("cluster", ids.iter().map(|id| cluster_of[id.index()]))
        .into_table()
}

/// Returns the documents that were not compared, with the reasons.
pub(super) fn skipped(scanned: &Scan) -> PyResult<Table> {
    let mut skipped: Vec<_> = scanned
        .skipped
        .iter()
        .map(|skipped| (scanned.row_of_skipped(skipped), skipped))
        .collect();
    skipped.sort_by_key(|(row, _)| *row);
    Columns::default()
        .optional_u64("row", skipped.iter().map(|(row, _)| *row))
        .text("id", skipped.iter().map(|(_, skipped)| &skipped.path))
        .text(
            "reason",
            skipped.iter().map(|(_, skipped)| skipped.reason.as_str()),
        )
        .text("detail", skipped.iter().map(|(_, skipped)| &skipped.detail))
        .u64("count", skipped.iter().map(|(_, skipped)| skipped.count()))
        .into_table()
}

/// Returns the documents of a pair, the one of the earlier row first; one of another collection comes second.
pub(super) fn in_order(scanned: &Scan, pair: &Pair) -> [DocId; 2] {
    let place = |id| (scanned.is_against(id), scanned.row(id));
    match place(pair.a) <= place(pair.b) {
        true => [pair.a, pair.b],
        false => [pair.b, pair.a],
    }
}

fn document(scanned: &Scan, id: DocId) -> &Document {
    &scanned.documents[id.index()]
}
