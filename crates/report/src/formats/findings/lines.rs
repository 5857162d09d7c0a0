//! The lines on which the documents of a finding share text.

use rayon::prelude::*;

use crate::formats::findings::Finding;
use crate::layout::Layout;
use dupfind_decide::compare::search::find_passages;
use dupfind_decide::compare::side::Side;
use dupfind_engine::verdict::Relation;
use dupfind_engine::{DocId, Options};
use dupfind_read::extract::pages::Extent;
use dupfind_read::format::Format;
use dupfind_scan::Scan;
use dupfind_scan::texts::read_texts;

/// The most findings whose texts are read again. No CI shows more of them at once.
const MAX_FINDINGS: usize = 1_000;

/// The most text that is read again, in bytes. All of it is in memory at one time.
const MAX_TEXT: usize = 64 << 20;

/// Longer documents are not compared again. That would take half a second for each megabyte.
const LONGEST: usize = 1 << 20;

/// The most passages that are kept of one finding. The longest ones are.
const MAX_PASSAGES: usize = 10;

/// The shared passages of two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SharedText {
    /// Where the longest passages are: in the document at fault, in whose order they are, and in the other one.
    pub(crate) passages: Vec<[Extent; 2]>,
}

impl SharedText {
    /// Returns the place of the shared text from the first passage to the last: in the document at fault (0), or in the other
    /// one (1).
    pub(crate) fn place(&self, which: usize) -> Option<Extent> {
        self.passages.iter().map(|at| at[which]).reduce(Extent::to)
    }
}

/// Returns for each finding, in order, the passages that its document shares with the best other one; none for copies,
/// and for texts that are too long to be read again.
pub(super) fn locate(outcome: &Scan, findings: &[Finding]) -> Vec<Option<SharedText>> {
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
    let texts = read_texts(&outcome.options, outcome, &ids);
    let text = |id: DocId| {
        let at = ids.binary_search(&id).ok()?;
        let text = texts[at].as_deref().ok()?;
        Some((text, outcome.sources.of(id).format))
    };
    let mut located: Vec<Option<SharedText>> = wanted
        .into_par_iter()
        .map(|ids| {
            let [here, there] = ids?.map(text);
            shared(here?, there?, &outcome.options.engine)
        })
        .collect();
    located.resize(findings.len(), None);
    located
}

/// Returns the passages that two texts share; none if there are no such passages.
fn shared(here: (&str, Format), there: (&str, Format), options: &Options) -> Option<SharedText> {
    let [here, there] = [here, there].map(|(text, format)| Side::of_file(text, format, options));
    let shared = find_passages(&here, &there);
    let passages = Layout::new(&here, &there, &shared, true).places(MAX_PASSAGES);
    (!passages.is_empty()).then_some(SharedText { passages })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> (&str, Format) {
        (text, Format::Text)
    }

    #[test]
    fn passages_have_their_lines_in_both_documents() {
        let park = "The old river park opened to the public thirty years ago,\n\
                    and runners circle the lake on spring mornings.\n";
        let bread = "Knead flour, water and salt until the dough no longer sticks.\n";
        let here = format!("{bread}\n{park}");
        let numbers: Vec<String> = (0..200).map(|number| number.to_string()).collect();
        let there = format!("# Parks\n\n{park}\n{}\n", numbers.join(" "));
        let options = Options::default();
        let found = shared(plain(&here), plain(&there), &options).unwrap();
        let lines = Extent::Lines(3, 4);
        assert_eq!(found.passages, [[lines; 2]]);
        assert_eq!((found.place(0), found.place(1)), (Some(lines), Some(lines)));
        assert_eq!(shared(plain(bread), plain(park), &options), None);
    }
}
