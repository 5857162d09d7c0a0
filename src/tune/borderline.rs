//! Borderline pairs: for each cut-off the nearest pairs on both sides of it.
//!
//! Only pairs count about which the cut-off decides. If a pair is reported by its fingerprints anyway, the threshold of
//! the Jaccard similarity does not decide about it.

use crate::document::DocId;
use crate::engine::Options;
use crate::engine::document::Document;
use crate::engine::pair::relation::Relation;
use crate::engine::pair::relation::rules::{
    CONTAINED, NEAR_JACCARD, NEAR_WEIGHTED, is_near, may_contain, near_from, near_jaccard,
};
use crate::engine::pair::{Pair, Resemblance};
use crate::tune::WHOLE;

/// How many pairs are kept on each side.
const MOST: usize = 3;

/// The largest distance of a borderline pair from a cut-off, in ten-thousandths of a similarity.
pub const MARGIN: u64 = 1_000;

/// The largest distance of a borderline pair from a cut-off of Hamming distances, in bits.
pub const MARGIN_BITS: u64 = 3;

/// A number that decides about pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutOff {
    /// The Jaccard similarity from which a scan reports pairs by default. It decides about pairs whose fingerprints are
    /// not near.
    Jaccard,
    /// The largest Hamming distance at which a scan reports pairs by default. It decides about pairs whose shingle sets
    /// are not similar.
    Hamming,
    /// The weighted similarity from which documents are near-duplicates that share rare and common text.
    NearWeighted,
    /// The Jaccard similarity from which documents are near-duplicates, whatever their weighted similarity is.
    NearJaccard,
    /// The containment from which one document contains the other.
    Contained,
}

impl CutOff {
    /// All cut-offs.
    pub const ALL: [Self; 5] = [
        Self::Jaccard,
        Self::Hamming,
        Self::NearWeighted,
        Self::NearJaccard,
        Self::Contained,
    ];

    /// Returns its value: bits, or a similarity in ten-thousandths.
    #[must_use]
    pub fn value(self) -> u64 {
        match self {
            Self::Jaccard => Options::MIN_JACCARD.least_size(WHOLE).into(),
            Self::Hamming => Options::MAX_HAMMING.into(),
            Self::NearWeighted => NEAR_WEIGHTED.into(),
            Self::NearJaccard => NEAR_JACCARD,
            Self::Contained => CONTAINED,
        }
    }

    /// Returns its value as a number of bits, or as a similarity from 0 to 1.
    #[must_use]
    pub fn as_number(self) -> f64 {
        match self {
            Self::Hamming => f64::from(Options::MAX_HAMMING),
            _ => Resemblance::as_number(self.value()),
        }
    }

    /// Returns the measure of a pair that is compared with the cut-off; `None` if the cut-off does not decide about the
    /// pair.
    fn measure(self, documents: &[Document], pair: &Pair) -> Option<u64> {
        let size = |id: DocId| documents[id.index()].shingles;
        let sizes = || (size(pair.a), size(pair.b));
        let measures = pair.jaccard.zip(pair.weighted);
        let jaccard = pair.jaccard.map(Resemblance::steps);
        let judged = matches!(
            pair.relation,
            Relation::Near | Relation::Related | Relation::Template
        );
        match self {
            Self::Jaccard => jaccard.filter(|_| {
                let bits = pair.hamming.map(u32::from);
                bits.is_none_or(|bits| bits > Options::MAX_HAMMING)
            }),
            Self::Hamming => pair
                .hamming
                .filter(|_| jaccard.is_none_or(|steps| steps < Self::Jaccard.value()))
                .map(u64::from),
            Self::NearWeighted => {
                let ((jaccard, weighted), (a, b)) = (measures?, sizes());
                let decides = jaccard.steps() < near_jaccard(jaccard)
                    && near_from(jaccard, weighted, a, b) == Some(NEAR_WEIGHTED);
                (judged && decides).then(|| weighted.similarity.into())
            }
            Self::NearJaccard => {
                let ((jaccard, weighted), (a, b)) = (measures?, sizes());
                let decides =
                    !is_near(jaccard, weighted, a, b) && near_jaccard(jaccard) == NEAR_JACCARD;
                (judged && decides).then(|| jaccard.steps())
            }
            Self::Contained => {
                let (a, b) = sizes();
                let may = measures.is_some_and(|(j, w)| may_contain(j, w, a, b));
                let judged = judged || pair.relation == Relation::Contains;
                let contained = pair.jaccard.map(|jaccard| jaccard.contained_steps(a, b));
                contained.filter(|_| judged && may)
            }
        }
    }
}

/// The nearest pairs on both sides of a cut-off.
#[derive(Debug, Clone)]
pub struct Borderline {
    /// The cut-off.
    pub cut_off: CutOff,
    admitted: Nearest,
    refused: Nearest,
}

impl Borderline {
    /// Returns a borderline without pairs.
    pub(crate) fn new(cut_off: CutOff) -> Self {
        Self {
            cut_off,
            admitted: Nearest::default(),
            refused: Nearest::default(),
        }
    }

    /// Keeps a pair if it is one of the nearest.
    pub(crate) fn add(&mut self, documents: &[Document], pair: &Pair) {
        let Some(measure) = self.cut_off.measure(documents, pair) else {
            return;
        };
        let value = self.cut_off.value();
        let (is_admitted, margin) = match self.cut_off {
            CutOff::Hamming => (measure <= value, MARGIN_BITS),
            _ => (measure >= value, MARGIN),
        };
        let distance = measure.abs_diff(value);
        if distance <= margin {
            let side = if is_admitted {
                &mut self.admitted
            } else {
                &mut self.refused
            };
            side.add(distance, pair);
        }
    }

    /// Returns the pairs that the cut-off admits, the nearest first.
    pub fn admitted(&self) -> impl DoubleEndedIterator<Item = &Pair> {
        self.admitted.pairs()
    }

    /// Returns the pairs that the cut-off does not admit, the nearest first.
    pub fn refused(&self) -> impl DoubleEndedIterator<Item = &Pair> {
        self.refused.pairs()
    }
}

/// The nearest pairs on one side, by distance and then by name.
#[derive(Debug, Clone, Default)]
struct Nearest(Vec<(u64, Pair)>);

impl Nearest {
    fn add(&mut self, distance: u64, pair: &Pair) {
        let key = (distance, pair.a, pair.b);
        let at = self.0.partition_point(|(d, p)| (*d, p.a, p.b) < key);
        if at < MOST {
            self.0.insert(at, (distance, *pair));
            self.0.truncate(MOST);
        }
    }

    fn pairs(&self) -> impl DoubleEndedIterator<Item = &Pair> {
        self.0.iter().map(|(_, pair)| pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::Detector;
    use crate::engine::pair::Agreeing;
    use crate::join::weighted::Weighted;

    fn document() -> Document {
        Document {
            shingles: 100,
            ..Document::sample("")
        }
    }

    /// A pair of documents with 100 shingles, of which some are in both.
    fn pair(overlap: u32, hamming: u8, weighted: u16, relation: Relation) -> Pair {
        Pair {
            a: DocId::from(0),
            b: DocId::from(1),
            hamming: Some(hamming),
            jaccard: Resemblance::new(overlap, 200 - overlap),
            weighted: Some(Weighted {
                similarity: weighted,
                containment: 5_000,
            }),
            relation,
            found_by: Detector::Shingle.into(),
            agreeing: Agreeing::default(),
        }
    }

    #[test]
    fn only_what_decides_about_a_pair_is_compared() {
        use Relation::{Exact, Near, Related, Short, Template};
        let documents = [document(), document()];
        let decides = |pair: Pair| -> Vec<CutOff> {
            let of_pair = |cut_off: &CutOff| cut_off.measure(&documents, &pair).is_some();
            CutOff::ALL.into_iter().filter(of_pair).collect()
        };
        use CutOff::{Hamming, Jaccard, NearJaccard, NearWeighted};
        for (pair, expected) in [
            (pair(100, 0, 10_000, Exact), vec![]),
            (pair(40, 20, 2_000, Near), vec![Jaccard, NearWeighted]),
            (pair(40, 3, 2_000, Near), vec![NearWeighted]),
            (pair(20, 3, 2_000, Near), vec![Hamming, NearWeighted]),
            (pair(20, 4, 2_000, Short), vec![Jaccard, Hamming]),
            (
                pair(40, 20, 1_400, Related),
                vec![Jaccard, NearWeighted, NearJaccard],
            ),
            // Their sets differ in 8 shingles: then `jaccard` decides nothing.
            (pair(96, 20, 100, Near), vec![Jaccard]),
            (pair(90, 20, 100, Near), vec![Jaccard, NearJaccard]),
            (pair(90, 20, 3_500, Near), vec![Jaccard, NearWeighted]),
            // Most of what they share is common, so their weighted similarity decides nothing.
            (pair(90, 20, 2_000, Near), vec![Jaccard, NearJaccard]),
            (pair(60, 2, 100, Template), vec![NearJaccard]),
        ] {
            assert_eq!(decides(pair), expected, "{pair:?}");
        }
    }

    #[test]
    fn containment_decides_about_much_larger_documents() {
        let mut larger = document();
        larger.shingles = 150;
        let contained = |documents: &[Document], relation, weight| {
            let mut pair = pair(80, 20, 2_000, relation);
            pair.weighted = Some(Weighted {
                similarity: 2_000,
                containment: weight,
            });
            CutOff::Contained.measure(documents, &pair)
        };
        let same_size = [document(), document()];
        let documents = [document(), larger];
        let least = 6_000;
        assert_eq!(
            contained(&documents, Relation::Contains, least),
            Some(8_000)
        );
        assert_eq!(contained(&documents, Relation::Near, least), Some(8_000));
        assert_eq!(contained(&documents, Relation::Near, least - 1), None);
        assert_eq!(contained(&documents, Relation::Exact, least), None);
        assert_eq!(contained(&same_size, Relation::Near, least), None);
    }

    #[test]
    fn the_nearest_are_kept_by_distance_and_then_by_name() {
        let documents = [document(), document()];
        let numbered = |b: u32, bits| Pair {
            b: DocId::from(b),
            ..pair(20, bits, 0, Relation::Template)
        };
        let mut borderline = Borderline::new(CutOff::Hamming);
        let all = [
            (9, 3),
            (8, 4),
            (7, 5),
            (6, 4),
            (5, 7),
            (4, 2),
            (3, 3),
            (2, 0),
            (1, 6),
        ];
        for (b, bits) in all {
            borderline.add(&documents, &numbered(b, bits));
        }
        let names = |pairs: &mut dyn Iterator<Item = &Pair>| -> Vec<usize> {
            pairs.map(|pair| pair.b.index()).collect()
        };
        assert_eq!(names(&mut borderline.admitted()), [3, 9, 4]);
        assert_eq!(names(&mut borderline.refused()), [6, 8, 7]);

        let mut far = Borderline::new(CutOff::Hamming);
        far.add(&documents, &numbered(1, 7));
        assert_eq!(far.refused().count(), 0);
    }
}
