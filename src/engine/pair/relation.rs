//! The relation of two documents: what they are to each other, by a few rules.
//!
//! The first rule that applies decides:
//!
//! 1. `exact`: the normalised texts are equal, but for white space.
//! 2. `short`: one of the documents has fewer than 10 shingles, too few to judge by.
//! 3. `contains`: the larger set has at least 3/2 times as many shingles as the smaller one, and has at least 0.8 of
//!    its shingles and half of its weight.
//! 4. `near`: the weighted similarity is at least 0.15, or the Jaccard similarity at least 0.9.
//! 5. `template`: the weighted similarity is less than half of the Jaccard similarity. Then most of what they share
//!    is in many other documents too.
//! 6. `related`: all other pairs.
//!
//! The cut-offs were chosen on labelled sets (`cargo bench --bench quality`). At 0.15, 99 % of API pages are `near`
//! another version of themselves, and 9 % are `near` another page of their template. At 0.14 the latter are 10 %. At
//! 0.20, five of sixty copies with 30 % of their words replaced are not `near`, instead of one. The cut-off of 0.9 is
//! for pages with many copies: what all of them share is common, and weighs little.
//!
//! Without shingles only signatures are known. Then a pair is `exact`, `short` (fewer than 10 terms) or `near`. Terms
//! are counted and not tokens: a word that is repeated a thousand times says no more than once.

use serde::Serialize;

use crate::detect::{Detector, Detectors};
use crate::engine::document::Document;
use crate::engine::pair::Resemblance;
use crate::join::weighted::Weighted;

/// What two documents are to each other, copies first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// The normalised texts are equal, but for white space.
    Exact,
    /// They are near-duplicates: a copy, a revision, a rewritten text.
    Near,
    /// One contains most of the other, and much more.
    Contains,
    /// They share some text, and it is rare.
    Related,
    /// What they share is common text.
    Template,
    /// One of them is too short to judge.
    Short,
}

/// The least weighted similarity of near-duplicates, in ten-thousandths as all cut-offs here.
pub const NEAR_WEIGHTED: u16 = 1_500;

/// The Jaccard similarity from which two documents are near-duplicates, however common their text is.
pub const NEAR_JACCARD: u64 = 9_000;

/// The least containment of a document that is contained in another one.
pub const CONTAINED: u64 = 8_000;

/// The least weighted containment of such a document.
const CONTAINED_WEIGHTED: u16 = 5_000;

/// How much larger the other document must be: twice its size is at least three times that of the smaller one.
const LARGER: (u64, u64) = (2, 3);

/// The fewest shingles, or terms, of a document that can be judged.
pub const JUDGEABLE: u32 = 10;

impl Relation {
    /// All relations, in order.
    pub const ALL: [Self; 6] = [
        Self::Exact,
        Self::Near,
        Self::Contains,
        Self::Related,
        Self::Template,
        Self::Short,
    ];

    /// Returns its name in options and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Near => "near",
            Self::Contains => "contains",
            Self::Related => "related",
            Self::Template => "template",
            Self::Short => "short",
        }
    }

    /// Returns the relation of a name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|relation| relation.as_str() == name)
    }

    /// Returns the relation of two documents. `measures` are those of their shingle sets; `None` if the shingle
    /// detector is off, or neither document has shingles.
    pub(crate) fn of(
        running: Detectors,
        a: &Document,
        b: &Document,
        measures: Option<(Resemblance, Weighted)>,
    ) -> Self {
        if a.text_hash == b.text_hash {
            return Self::Exact;
        }
        match measures.filter(|_| running.have(Detector::Shingle)) {
            Some((jaccard, weighted)) => Self::of_sets(jaccard, weighted, a.shingles, b.shingles),
            None => Self::of_sizes(a.size(running), b.size(running)),
        }
    }

    /// Returns the relation of two documents with different texts, from the measures and sizes of their shingle sets.
    #[must_use]
    pub fn of_sets(jaccard: Resemblance, weighted: Weighted, a: u32, b: u32) -> Self {
        if a.min(b) < JUDGEABLE {
            Self::Short
        } else if may_contain(weighted, a, b) && jaccard.contained_steps(a, b) >= CONTAINED {
            Self::Contains
        } else if weighted.similarity >= NEAR_WEIGHTED || jaccard.steps() >= NEAR_JACCARD {
            Self::Near
        } else if u64::from(weighted.similarity) * 2 < jaccard.steps() {
            Self::Template
        } else {
            Self::Related
        }
    }

    /// Returns the relation of two documents with different texts that were found by their signatures, from their
    /// numbers of terms or shingles.
    #[must_use]
    pub fn of_sizes(a: u32, b: u32) -> Self {
        if a.min(b) < JUDGEABLE {
            Self::Short
        } else {
            Self::Near
        }
    }
}

/// Returns whether the larger of two sets contains the smaller one if it has [`CONTAINED`] of it. `a` and `b` are the
/// sizes of the sets.
#[must_use]
pub fn may_contain(weighted: Weighted, a: u32, b: u32) -> bool {
    let (smaller, larger) = (u64::from(a.min(b)), u64::from(a.max(b)));
    larger * LARGER.0 >= smaller * LARGER.1 && weighted.containment >= CONTAINED_WEIGHTED
}

/// A set of relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relations([bool; Relation::ALL.len()]);

impl Relations {
    /// No relation.
    pub const NONE: Self = Self([false; Relation::ALL.len()]);

    /// Every relation.
    pub const ALL: Self = Self([true; Relation::ALL.len()]);

    /// The relations of two documents of which one can stand for the other.
    pub const DUPLICATES: Self = Self([true, true, true, false, false, false]);

    /// Returns whether a relation is in the set.
    #[must_use]
    pub fn have(self, relation: Relation) -> bool {
        self.0[relation as usize]
    }

    /// Returns whether all of some other relations are in the set.
    #[must_use]
    pub fn include(self, others: Self) -> bool {
        others.iter().all(|relation| self.have(relation))
    }

    /// Returns the relations of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Relation> {
        Relation::ALL.into_iter().filter(move |&r| self.have(r))
    }

    /// Returns a relation and all before it.
    #[must_use]
    pub fn up_to(relation: Relation) -> Self {
        Relation::ALL
            .into_iter()
            .filter(|&r| r <= relation)
            .collect()
    }
}

impl FromIterator<Relation> for Relations {
    fn from_iter<I: IntoIterator<Item = Relation>>(relations: I) -> Self {
        let mut is_in = [false; Relation::ALL.len()];
        for relation in relations {
            is_in[relation as usize] = true;
        }
        Self(is_in)
    }
}

/// How many pairs there are of each relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts([u64; Relation::ALL.len()]);

impl Counts {
    /// Adds a number of pairs of a relation.
    pub fn add(&mut self, relation: Relation, pairs: u64) {
        self.0[relation as usize] += pairs;
    }

    /// Adds the pairs of other counts.
    pub fn add_all(&mut self, others: Self) {
        for (count, other) in self.0.iter_mut().zip(others.0) {
            *count += other;
        }
    }

    /// Returns how many pairs there are of some relations.
    #[must_use]
    pub fn of_any(self, relations: Relations) -> u64 {
        self.only(relations).total()
    }

    /// Returns the counts of some relations. All others are 0.
    #[must_use]
    pub fn only(self, relations: Relations) -> Self {
        let mut counts = Self::default();
        for relation in relations.iter() {
            counts.add(relation, self.of(relation));
        }
        counts
    }

    /// Returns how many pairs there are of a relation.
    #[must_use]
    pub fn of(self, relation: Relation) -> u64 {
        self.0[relation as usize]
    }

    /// Returns how many pairs there are.
    #[must_use]
    pub fn total(self) -> u64 {
        self.0.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(overlap: u32, (a, b): (u32, u32), weighted: (u16, u16)) -> Relation {
        let jaccard = Resemblance::new(overlap, a + b - overlap).unwrap();
        let weighted = Weighted {
            similarity: weighted.0,
            containment: weighted.1,
        };
        assert_eq!(
            Relation::of_sets(jaccard, weighted, a, b),
            Relation::of_sets(jaccard, weighted, b, a)
        );
        Relation::of_sets(jaccard, weighted, a, b)
    }

    #[test]
    fn table_of_rules() {
        use Relation::{Contains, Near, Related, Short, Template};
        for (overlap, sizes, weighted, expected) in [
            (9, (9, 9), (10_000, 10_000), Short),
            (9, (9, 900), (100, 10_000), Short),
            (10, (10, 10), (10_000, 10_000), Near),
            (100, (100, 100), (5, 5), Near),
            (90, (100, 90), (5, 5), Near),
            (89, (100, 89), (5, 5), Template),
            (40, (100, 100), (1_500, 3_000), Near),
            (40, (100, 100), (1_499, 3_000), Related),
            (40, (100, 100), (1_249, 3_000), Template),
            (80, (100, 150), (4_700, 5_000), Contains),
            (80, (100, 149), (4_700, 5_000), Near),
            (79, (100, 150), (4_700, 5_000), Near),
            (80, (100, 150), (4_700, 4_999), Near),
            (100, (100, 10_000), (50, 5_000), Contains),
            (100, (100, 10_000), (50, 4_000), Related),
            (100, (100, 10_000), (49, 4_000), Template),
        ] {
            assert_eq!(
                relation(overlap, sizes, weighted),
                expected,
                "{overlap} {sizes:?} {weighted:?}"
            );
        }
    }

    #[test]
    fn relations_are_a_set() {
        let some: Relations = [Relation::Template, Relation::Exact].into_iter().collect();
        assert!(some.iter().eq([Relation::Exact, Relation::Template]));
        assert!(!some.have(Relation::Near));
        assert!(Relations::up_to(Relation::Template).include(some));
        assert!(!some.include(Relations::DUPLICATES));
        let names: Vec<&str> = Relations::DUPLICATES.iter().map(Relation::as_str).collect();
        assert_eq!(names, ["exact", "near", "contains"]);
    }
}
