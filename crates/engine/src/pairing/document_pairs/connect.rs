//! Connects and counts the pairs of whole groups, without a look at every pair.

use crate::detect::measures::SignatureMeasures;
use crate::pairing::document_pairs::parts::of_one_relation;
use crate::pairing::document_pairs::{DocumentPairs, Measured};
use crate::verdict::rules::JUDGEABLE;
use crate::verdict::{Counts, Relation, Relations};

impl DocumentPairs<'_, '_> {
    /// Connects the members of a group by their relations, without a look at every pair. Two members of the
    /// same text are exact. Of the others, two that are long enough are near, and the rest are short, which connects nothing.
    pub(super) fn connect_equal(&mut self, members: &[u32]) {
        let by_text = self.by_text(members);
        for same in by_text.chunk_by(|x, y| x.0 == y.0) {
            self.connect_all(same);
        }
        let long = by_text.into_iter();
        let long: Vec<_> = long
            .filter(|&(_, document)| self.is_judgeable(document))
            .collect();
        self.connect_all(&long);
    }

    fn connect_all(&mut self, documents: &[(u64, u32)]) {
        for pair in documents.windows(2) {
            self.forest.union(pair[0].1, pair[1].1);
        }
    }

    /// Counts the pairs in a group by their relations, without a look at every pair.
    pub(super) fn count_equal(&mut self, members: &[u32]) {
        let pairs = |count: usize| count as u64 * (count as u64).saturating_sub(1) / 2;
        let (mut exact, mut long_exact) = (0, 0);
        for same in self.by_text(members).chunk_by(|x, y| x.0 == y.0) {
            exact += pairs(same.len());
            // Documents of one text are equally long.
            if self.is_judgeable(same[0].1) {
                long_exact += pairs(same.len());
            }
        }
        let long = members
            .iter()
            .filter(|&&document| self.is_judgeable(document));
        let near = pairs(long.count()) - long_exact;
        self.counts.add(Relation::Exact, exact);
        self.counts.add(Relation::Near, near);
        self.counts
            .add(Relation::Short, pairs(members.len()) - exact - near);
    }

    /// Returns documents with the hashes of their texts. Those of the same text are adjacent.
    pub(super) fn by_text(&self, members: &[u32]) -> Vec<(u64, u32)> {
        let text = |&document: &u32| {
            (
                self.grouped.documents[document as usize].text_hash,
                document,
            )
        };
        let mut by_text: Vec<(u64, u32)> = members.iter().map(text).collect();
        by_text.sort_unstable();
        by_text
    }

    fn is_judgeable(&self, document: u32) -> bool {
        self.grouped.documents[document as usize].size(self.running) >= JUDGEABLE
    }

    /// Connects documents that have two different sets. Returns the counts of their pairs.
    pub(super) fn connect_sets(&mut self, x: &[u32], y: &[u32], measured: Measured) -> Counts {
        let mut counts = Counts::default();
        if let ([_], [_]) = (x, y) {
            self.connect_alike(x, y, measured, &mut counts);
            return counts;
        }
        for (x, y) in of_one_relation(self.grouped.documents, x, y) {
            self.connect_alike(&x, &y, measured, &mut counts);
        }
        counts
    }

    /// Connects documents of two sets whose pairs have one relation, and counts these pairs.
    fn connect_alike(&mut self, x: &[u32], y: &[u32], measured: Measured, counts: &mut Counts) {
        // Signatures do not change the relation of documents with shingle sets.
        let signatures = SignatureMeasures::default();
        let relation = self.pair(x[0], y[0], measured, signatures).relation();
        if self.handlers.judge.is_none() && Relations::DUPLICATES.have(relation) {
            self.connect(x, y);
        }
        counts.add(relation, x.len() as u64 * y.len() as u64);
    }

    /// Connects documents that have two different combinations of signatures. Returns the counts of their pairs.
    pub(super) fn connect_signatures(&mut self, x: &[u32], y: &[u32]) -> Counts {
        // Equal texts have equal signatures, so no pair is exact. A pair is near if both documents are long
        // enough.
        let [x_long, y_long] = [x, y].map(|documents| self.long(documents));
        if self.handlers.judge.is_none() {
            self.connect(&x_long, &y_long);
        }
        let near = x_long.len() as u64 * y_long.len() as u64;
        let all = x.len() as u64 * y.len() as u64;
        let mut counts = Counts::default();
        counts.add(Relation::Near, near);
        counts.add(Relation::Short, all - near);
        counts
    }

    /// Returns the documents that are long enough to be judged.
    fn long(&self, documents: &[u32]) -> Vec<u32> {
        let documents = documents.iter().copied();
        documents
            .filter(|&document| self.is_judgeable(document))
            .collect()
    }

    /// Connects every document on one side with every one on the other.
    pub(super) fn connect(&mut self, x: &[u32], y: &[u32]) {
        if let (Some(&first_x), Some(&first_y)) = (x.first(), y.first()) {
            x.iter().for_each(|&x| self.forest.union(x, first_y));
            y.iter().for_each(|&y| self.forest.union(first_x, y));
        }
    }
}
