//! Pairs of many copies: each with the first one, where nobody lists every two of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::detect::options::Options;
use crate::features::document::{Apart, DocId, Document, Place};
use crate::pairing::document_pairs::{Decision, DocumentPairs, Measured};
use crate::pairing::sink::MOST_PAIRED;
use crate::run::Result;
use crate::verdict::{Titles, name_counts};

/// What two copies have in common: [`Document::text`].
type Text = (u64, u32);

/// Documents of one class, ascending; see [`Judge::class`](crate::pairing::sink::Judge::class).
type Class = Vec<u32>;

impl DocumentPairs<'_, '_> {
    /// Hands on the pairs of documents of one set.
    pub(super) fn hand_on_members(
        &mut self,
        members: &[u32],
        measured: Measured,
        decision: Decision,
    ) -> Result<()> {
        if self.hands_on_each(members, members, decision) {
            return self.hand_on_every_two(members, measured);
        }
        let by_text = self.by_text(members);
        let texts = by_text.chunk_by(|x, y| x.0 == y.0);
        let texts: Vec<Vec<u32>> = texts
            .map(|same| same.iter().map(|(_, document)| *document).collect())
            .collect();
        for (at, text) in texts.iter().enumerate() {
            match text.len() <= MOST_PAIRED {
                true => self.hand_on_every_two(text, measured)?,
                false => self.hand_on_copies(text, measured)?,
            }
            for other in &texts[..at] {
                self.hand_on_alike(other, text, measured, decision)?;
            }
        }
        Ok(())
    }

    /// Hands on the pairs of documents of two sets.
    pub(super) fn hand_on_both(
        &mut self,
        x: &[u32],
        y: &[u32],
        measured: Measured,
        decision: Decision,
    ) -> Result<()> {
        if self.hands_on_each(x, y, decision) {
            return self.hand_on_each(x, y, measured);
        }
        let documents = self.grouped.documents;
        let [x, y] = [x, y].map(|some| by_look(self.options, documents, some));
        for x in &x {
            for y in &y {
                match names_matter(documents, x, y) {
                    true => self.hand_on_each(x, y, measured)?,
                    false => self.hand_on_alike(x, y, measured, decision)?,
                }
            }
        }
        Ok(())
    }

    /// Returns whether every pair of so many documents and so many others is handed on.
    fn hands_on_each(&self, x: &[u32], y: &[u32], decision: Decision) -> bool {
        self.lists_copies || decision != Decision::Pairs || !are_many(x, y)
    }

    fn hand_on_every_two(&mut self, members: &[u32], measured: Measured) -> Result<()> {
        for (at, &b) in members.iter().enumerate() {
            for &a in &members[..at] {
                self.hand_on(a, b, measured)?;
            }
        }
        Ok(())
    }

    fn hand_on_each(&mut self, x: &[u32], y: &[u32], measured: Measured) -> Result<()> {
        for &a in x {
            for &b in y {
                self.hand_on(a, b, measured)?;
            }
        }
        Ok(())
    }

    /// Hands on a pair of each copy of a text with the first one that it counts with, and counts all. Those that are set apart
    /// are no reason to leave out the others.
    fn hand_on_copies(&mut self, text: &[u32], measured: Measured) -> Result<()> {
        let classes = self.classes(text);
        let mut partners: BTreeMap<(usize, Option<Apart>), u32> = BTreeMap::new();
        for (at, x) in classes.iter().enumerate() {
            for (other, y) in classes[..=at].iter().enumerate() {
                let count = x.len() as u64;
                let (second, times) = match at == other {
                    true => (x.get(1), count * (count - 1) / 2),
                    false => (y.first(), count * y.len() as u64),
                };
                let Some(&second) = second else { continue };
                let pair = self.compared(x[0], second, measured);
                if !self.count(&pair, times) {
                    continue;
                }
                if self.connects(&pair) {
                    self.connect(x, y);
                }
                let apart = pair.apart(self.grouped.documents);
                partners.entry((at, apart)).or_insert(y[0]);
                partners.entry((other, apart)).or_insert(x[0]);
            }
        }
        let mut rays: BTreeSet<(u32, u32)> = BTreeSet::new();
        for ((class, _), partner) in partners {
            let others = classes[class].iter().filter(|&&it| it != partner);
            rays.extend(others.map(|&document| (document.min(partner), document.max(partner))));
        }
        for (a, b) in rays {
            self.push(self.compared(a, b, measured))?;
        }
        Ok(())
    }

    /// Hands on the pairs of documents whose pairs have one relation: of many, each with the first one of the other side.
    fn hand_on_alike(
        &mut self,
        x: &[u32],
        y: &[u32],
        measured: Measured,
        decision: Decision,
    ) -> Result<()> {
        if self.hands_on_each(x, y, decision) {
            return self.hand_on_each(x, y, measured);
        }
        let [x, y] = [x, y].map(|some| self.classes(some));
        for x in &x {
            for y in &y {
                let pair = self.compared(x[0], y[0], measured);
                if !self.count(&pair, x.len() as u64 * y.len() as u64) {
                    continue;
                }
                if self.connects(&pair) {
                    self.connect(x, y);
                }
                let rays = x.iter().map(|&x| (x, y[0]));
                for (a, b) in rays.chain(y[1..].iter().map(|&y| (x[0], y))) {
                    self.push(self.compared(a, b, measured))?;
                }
            }
        }
        Ok(())
    }

    /// Returns documents by their classes, the lowest class first.
    fn classes(&self, documents: &[u32]) -> Vec<Class> {
        let mut classes: BTreeMap<(usize, Place), Class> = BTreeMap::new();
        for &document in documents {
            let class = match &self.handlers.judge {
                Some(judge) => (judge.class(DocId::from(document)), Place::default()),
                None => (0, self.grouped.documents[document as usize].place()),
            };
            classes.entry(class).or_default().push(document);
        }
        classes.into_values().collect()
    }

    /// Returns those of some documents that stand for all in questions about pairs.
    pub(super) fn two_of_each_class(&self, documents: &[u32]) -> Vec<u32> {
        if documents.len() <= 2 {
            return documents.to_vec();
        }
        let classes = self.classes(documents).into_iter();
        classes
            .flat_map(|class| class.into_iter().take(2))
            .collect()
    }

    /// Returns documents with their texts. Those of the same text are adjacent.
    fn by_text(&self, members: &[u32]) -> Vec<(Text, u32)> {
        let text = |&document: &u32| (self.grouped.documents[document as usize].text(), document);
        let mut by_text: Vec<(Text, u32)> = members.iter().map(text).collect();
        by_text.sort_unstable();
        by_text
    }

    /// Connects every document on one side with every one on the other.
    fn connect(&mut self, x: &[u32], y: &[u32]) {
        if let (Some(&first_x), Some(&first_y)) = (x.first(), y.first()) {
            x.iter().for_each(|&x| self.forest.union(x, first_y));
            y.iter().for_each(|&y| self.forest.union(first_x, y));
        }
    }
}

/// Returns whether some documents and others have so many pairs that not everybody takes each.
fn are_many(x: &[u32], y: &[u32]) -> bool {
    x.len().saturating_mul(y.len()) > MOST_PAIRED * MOST_PAIRED
}

/// Returns whether a condition holds for some pair of the documents of two sets. Pairs of one relation are asked about once.
pub(super) fn any_pair(
    options: &Options,
    documents: &[Document],
    [x, y]: [&[u32]; 2],
    holds: impl Fn(u32, u32) -> bool,
) -> bool {
    if let ([x], [y]) = (x, y) {
        return holds(*x, *y);
    }
    let [x, y] = [x, y].map(|some| by_look(options, documents, some));
    let mut parts = x.iter().flat_map(|x| y.iter().map(move |y| (x, y)));
    parts.any(|(x, y)| match names_matter(documents, x, y) {
        true => x.iter().any(|&a| y.iter().any(|&b| holds(a, b))),
        false => holds(x[0], y[0]),
    })
}

/// Returns whether the relations between documents of two parts depend on their names. Within a part all have one title
/// and one prose.
fn names_matter(documents: &[Document], x: &[u32], y: &[u32]) -> bool {
    let titles = [x[0], y[0]].map(|at| &documents[at as usize].title);
    let count = |part: &[u32]| {
        part.iter()
            .any(|&at| name_counts(&documents[at as usize].name))
    };
    Titles::of(titles) == Titles::Differ || count(x) && count(y)
}

/// Returns the documents in parts of one title and one prose that repeat few words, or do not.
fn by_look(options: &Options, documents: &[Document], some: &[u32]) -> Vec<Vec<u32>> {
    let look = |at: &u32| {
        let document = &documents[*at as usize];
        (
            document.title.hash,
            &document.sketches.prose,
            document.repeats(options),
        )
    };
    let mut some = some.to_vec();
    some.sort_by(|x, y| look(x).cmp(&look(y)));
    let same = some.chunk_by(|x, y| look(x) == look(y));
    same.map(<[u32]>::to_vec).collect()
}
