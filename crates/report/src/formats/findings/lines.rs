//! On which lines the documents of a finding share text.

use rayon::prelude::*;

use crate::formats::findings::Finding;
use crate::layout::largest;
use dupfind_decide::compare::passages::Passage;
use dupfind_decide::compare::search::find_passages;
use dupfind_decide::compare::side::Side;
use dupfind_engine::DocId;
use dupfind_engine::text::segmenter::Segmenter;
use dupfind_engine::verdict::Relation;
use dupfind_scan::ScanOptions;
use dupfind_scan::outcome::Outcome;
use dupfind_scan::texts::read_texts;

/// The most findings whose texts are read again. No CI shows more of them at once.
const MAX_FINDINGS: usize = 1_000;

/// The most text that is read again, in bytes. All of it is in memory at one time.
const MAX_TEXT: usize = 64 << 20;

/// Longer documents are not compared again, which takes half a second for each megabyte.
const LONGEST: usize = 1 << 20;

/// The most passages that are kept of one finding. The longest ones are.
const MAX_PASSAGES: usize = 10;

/// What of a document is in another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SharedText {
    /// Where the longest passages are, in the order of the document.
    pub(crate) passages: Vec<SharedLines>,
}

/// First and last line of a passage in both documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SharedLines {
    /// In the document at fault.
    pub(crate) here: (usize, usize),
    /// In the other one.
    pub(crate) there: (usize, usize),
}

impl SharedText {
    /// Returns the lines from the first passage to the last in the document at fault.
    pub(crate) fn here(&self) -> Option<(usize, usize)> {
        hull(self.passages.iter().map(|lines| lines.here))
    }

    /// Returns the lines from the first passage to the last in the other document.
    pub(crate) fn there(&self) -> Option<(usize, usize)> {
        hull(self.passages.iter().map(|lines| lines.there))
    }
}

fn hull(lines: impl Iterator<Item = (usize, usize)>) -> Option<(usize, usize)> {
    lines.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
}

/// Returns for each finding, in order, what its document shares with the best other one. There is nothing for
/// copies, and for texts that are too long to be read again.
pub(super) fn locate(
    settings: &ScanOptions,
    outcome: &Outcome,
    findings: &[Finding],
) -> Vec<Option<SharedText>> {
    let length = |id: DocId| outcome.documents[id.index()].length;
    let mut room = MAX_TEXT;
    let wanted: Vec<Option<[DocId; 2]>> = findings
        .iter()
        .take(MAX_FINDINGS)
        .map(|finding| {
            let ids = [finding.subject, finding.other(finding.best())];
            let [a, b] = ids.map(length);
            let is_wanted = finding.relation() != Relation::Exact && a.max(b) <= LONGEST;
            if !is_wanted {
                return None;
            }
            room = room.checked_sub(a + b)?;
            Some(ids)
        })
        .collect();
    let mut ids: Vec<DocId> = wanted.iter().flatten().flatten().copied().collect();
    ids.sort_unstable();
    ids.dedup();
    let texts = read_texts(settings, outcome, &ids);
    let text = |id: DocId| {
        let at = ids.binary_search(&id).ok()?;
        texts[at].as_deref().ok()
    };
    let segmenter = Segmenter::new();
    let mut located: Vec<Option<SharedText>> = wanted
        .into_par_iter()
        .map(|ids| {
            let [here, there] = ids?.map(text);
            shared(here?, there?, settings, &segmenter)
        })
        .collect();
    located.resize(findings.len(), None);
    located
}

/// Returns what of a text is in another one; none if nothing is.
fn shared(
    here: &str,
    there: &str,
    settings: &ScanOptions,
    segmenter: &Segmenter,
) -> Option<SharedText> {
    let [here, there] = [here, there].map(|text| Side::new(text, &settings.engine, segmenter));
    let found = find_passages(&here, &there);
    let lines = |passage: &Passage| SharedLines {
        here: here.lines(&passage.a),
        there: there.lines(&passage.b),
    };
    let longest = largest(&found.passages, MAX_PASSAGES, Passage::same);
    let passages: Vec<SharedLines> = longest.into_iter().map(lines).collect();
    (!passages.is_empty()).then_some(SharedText { passages })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_have_their_lines_in_both_documents() {
        let park = "The old river park opened to the public thirty years ago,\n\
                    and runners circle the lake on spring mornings.\n";
        let bread = "Knead flour, water and salt until the dough no longer sticks.\n";
        let here = format!("{bread}\n{park}");
        let numbers: Vec<String> = (0..200).map(|number| number.to_string()).collect();
        let there = format!("# Parks\n\n{park}\n{}\n", numbers.join(" "));
        let settings = ScanOptions::for_paths(["docs"]);
        let found = shared(&here, &there, &settings, &Segmenter::new()).unwrap();
        assert_eq!(
            found.passages,
            [SharedLines {
                here: (3, 4),
                there: (3, 4)
            }]
        );
        assert_eq!((found.here(), found.there()), (Some((3, 4)), Some((3, 4))));
        assert_eq!(shared(bread, park, &settings, &Segmenter::new()), None);
    }
}
