//! Connects and counts the pairs of whole groups, without a look at every pair.

use crate::detect::measures::SignatureMeasures;
use crate::features::document::Document;
use crate::pairing::document_pairs::{DocumentPairs, Measured};
use crate::verdict::rules::JUDGEABLE;
use crate::verdict::{Counts, Relation, Relations, Titles, name_counts};

/// What two copies have in common: [`Document::text`].
type Text = (u64, u32);

impl DocumentPairs<'_, '_> {
    /// Connects the members of a group by their relations, without a look at every pair. Two members of the
    /// same text are exact. Of the others, two that are long enough and repeat no few words are near, and the rest are short or
    /// related, which connects nothing.
    pub(super) fn connect_equal(&mut self, members: &[u32]) {
        let by_text = self.by_text(members);
        for same in by_text.chunk_by(|x, y| x.0 == y.0) {
            self.connect_all(same);
        }
        let long = by_text.into_iter();
        let long: Vec<_> = long
            .filter(|&(_, document)| self.is_judgeable(document) && !self.repeats(document))
            .collect();
        // Those of one text in different files are short.
        if long.windows(2).any(|two| two[0].0.0 != two[1].0.0) {
            self.connect_all(&long);
        }
    }

    fn connect_all(&mut self, documents: &[(Text, u32)]) {
        for pair in documents.windows(2) {
            self.forest.union(pair[0].1, pair[1].1);
        }
    }

    /// Counts the pairs in a group by their relations, without a look at every pair.
    pub(super) fn count_equal(&mut self, members: &[u32]) {
        let pairs = |count: usize| count as u64 * (count as u64).saturating_sub(1) / 2;
        let (mut exact, mut long_same, mut repeated_same) = (0, 0, 0);
        for same in self.by_text(members).chunk_by(|x, y| x.0.0 == y.0.0) {
            let in_equal_files = same.chunk_by(|x, y| x.0 == y.0);
            exact += in_equal_files.map(|same| pairs(same.len())).sum::<u64>();
            // Documents of one text are equally long.
            if self.is_judgeable(same[0].1) {
                match self.repeats(same[0].1) {
                    true => repeated_same += pairs(same.len()),
                    false => long_same += pairs(same.len()),
                }
            }
        }
        let long = members.iter().copied();
        let long = long.filter(|&document| self.is_judgeable(document));
        let plain = long.clone().filter(|&document| !self.repeats(document));
        let plain = pairs(plain.count());
        let near = plain - long_same;
        let related = pairs(long.count()) - plain - repeated_same;
        self.counts.add(Relation::Exact, exact);
        self.counts.add(Relation::Near, near);
        self.counts.add(Relation::Related, related);
        let short = pairs(members.len()) - exact - near - related;
        self.counts.add(Relation::Short, short);
    }

    fn repeats(&self, document: u32) -> bool {
        self.grouped.documents[document as usize].repeats()
    }

    /// Returns documents with their texts. Those of the same text are adjacent.
    pub(super) fn by_text(&self, members: &[u32]) -> Vec<(Text, u32)> {
        let text = |&document: &u32| (self.grouped.documents[document as usize].text(), document);
        let mut by_text: Vec<(Text, u32)> = members.iter().map(text).collect();
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

/// Cuts the documents of two sets into parts. Returns each part of one with each part of the other: all pairs of two
/// such parts have one relation.
pub(super) fn of_one_relation<'e>(
    documents: &'e [Document],
    x: &[u32],
    y: &[u32],
) -> impl Iterator<Item = (Vec<u32>, Vec<u32>)> + use<'e> {
    let [x, y] = [x, y].map(|some| by_look(documents, some));
    all_of(x, y).flat_map(|(x, y)| {
        let each = names_matter(documents, &x, &y);
        let [x, y] = [x, y].map(|part| match each {
            true => part.into_iter().map(|document| vec![document]).collect(),
            false => vec![part],
        });
        all_of(x, y)
    })
}

/// Returns each part of `x` with each part of `y`.
fn all_of(x: Vec<Vec<u32>>, y: Vec<Vec<u32>>) -> impl Iterator<Item = (Vec<u32>, Vec<u32>)> {
    x.into_iter()
        .flat_map(move |x| y.clone().into_iter().map(move |y| (x.clone(), y)))
}

/// Returns whether the relations between documents of two parts depend on their names. Within a part all have one title
/// and one prose.
pub(super) fn names_matter(documents: &[Document], x: &[u32], y: &[u32]) -> bool {
    let titles = [x[0], y[0]].map(|at| documents[at as usize].title.hash);
    let count = |part: &[u32]| {
        part.iter()
            .any(|&at| name_counts(&documents[at as usize].name))
    };
    Titles::of(titles) == Titles::Differ || count(x) && count(y)
}

/// Returns the documents in parts of one title and one prose that repeat few words, or do not.
pub(super) fn by_look(documents: &[Document], some: &[u32]) -> Vec<Vec<u32>> {
    let look = |at: &u32| {
        let document = &documents[*at as usize];
        let Document {
            title, sketches, ..
        } = document;
        (title.hash, &sketches.prose, document.repeats())
    };
    let mut some = some.to_vec();
    some.sort_by(|x, y| look(x).cmp(&look(y)));
    let same = some.chunk_by(|x, y| look(x) == look(y));
    same.map(<[u32]>::to_vec).collect()
}
