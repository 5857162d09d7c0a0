//! The documents of a scan that may stay or go.

use crate::clean::keep::candidate::Candidate;
use crate::clean::plan::make::Tied;
use crate::clean::ties::{Collected, Copies, Tie};
use dupfind_engine::DocId;
use dupfind_scan::Scan;

impl Tied {
    /// Returns the documents of a scan that are tied to others, with their ids. `place` gives the place of a file, by its
    /// position among the files of the scan, in the order that decides last.
    #[must_use]
    pub fn of_scan(
        outcome: &Scan,
        collected: Collected,
        place: impl Fn(u32) -> u64,
    ) -> (Self, Vec<DocId>) {
        let Collected { pairs, copies, .. } = collected;
        let mut is_tied = vec![false; outcome.documents.len()];
        let ends = pairs.iter().flat_map(|tie| [tie.a, tie.b]);
        for document in ends.chain(
            copies
                .iter()
                .flat_map(|group| group.documents.iter().copied()),
        ) {
            is_tied[document as usize] = true;
        }
        let mut position = vec![0_u32; outcome.documents.len()];
        let mut ids = Vec::new();
        let mut candidates = Vec::new();
        for (id, _) in (0_u32..).zip(&is_tied).filter(|(_, is_tied)| **is_tied) {
            position[id as usize] = u32::try_from(ids.len()).expect("no more than ids");
            let id = DocId::from(id);
            let source = outcome.sources.of(id);
            let document = &outcome.documents[id.index()];
            candidates.push(Candidate {
                name: document.name.clone(),
                file: outcome.sources.files[source.file as usize].clone(),
                record: source.record,
                position: source.position(),
                length: document.length as u64,
                size: match document.shingles {
                    0 => document.terms,
                    shingles => shingles,
                },
                // Its lowest bit tells where the title was found.
                title: document.title.hash >> 1,
                place: (place(source.file), source.record),
                is_against: source.is_against,
                is_home: false,
                is_accepted: false,
                has_names: source.has_names,
                // Without the name in the plan it would be there nevertheless.
                stays: source.is_against || source.has_names,
            });
            ids.push(id);
        }
        let at = |document: u32| position[document as usize];
        let tied = Self {
            candidates,
            ties: pairs
                .into_iter()
                .map(|tie| Tie {
                    a: at(tie.a),
                    b: at(tie.b),
                    ..tie
                })
                .collect(),
            copies: copies
                .into_iter()
                .map(|group| Copies {
                    documents: group.documents.into_iter().map(at).collect(),
                    ..group
                })
                .collect(),
        };
        (tied, ids)
    }
}
