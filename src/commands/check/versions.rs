//! Pairs that another version has, too: a new version begins as a copy of the folder of another one.

use std::collections::HashMap;

use dupfind_decide::{Gate, Standing};
use dupfind_engine::features::document::Apart;
use dupfind_engine::{DocId, Judge, Pair};
use dupfind_scan::Scan;

/// Leaves out the pairs of two pages that are a pair of the same texts in another version: one that is accepted, or since a
/// revision one of two pages that were not changed. A page without a version is the same page for all versions.
pub(super) fn leave_out_known(outcome: &Scan, gate: &Gate, is_since: bool, pairs: &mut Vec<Pair>) {
    let editions = outcome.sources.editions.as_deref();
    let Some(editions) = editions.filter(|_| !pairs.is_empty()) else {
        return;
    };
    let documents = &outcome.documents;
    let key = |id: DocId| {
        let document = &documents[id.index()];
        let page = editions.page(&document.name);
        let (text, title) = (document.text(), document.title.hash);
        (page, document.edition.language, text, title)
    };
    let mut same: HashMap<_, Vec<DocId>> = HashMap::new();
    for id in (0_u32..).take(documents.len()).map(DocId::from) {
        same.entry(key(id)).or_default().push(id);
    }
    // The page itself, and the same page with the same text in other versions.
    let versions = |id: DocId| {
        let own = documents[id.index()].edition;
        let is_one = move |other: &DocId| {
            let edition = documents[other.index()].edition;
            *other == id || own.apart(edition) == Some(Apart::Version)
        };
        same[&key(id)].iter().copied().filter(is_one)
    };
    let is_old = |id| is_since && gate.is_changed(id) == Some(false);
    let is_known = |pair: &Pair| {
        let all: Vec<DocId> = versions(pair.b).collect();
        let both = versions(pair.a).flat_map(|a| all.iter().map(move |&b| Pair { a, b, ..*pair }));
        let mut both = both.filter(|it| it.a != it.b && gate.compares(it.a, it.b));
        both.any(|it| {
            let is_there =
                is_old(it.a) && is_old(it.b) || gate.standing(&it) == Some(Standing::Accepted);
            is_there && !gate.is_apart(&it)
        })
    };
    pairs.retain(|pair| !is_known(pair));
}
