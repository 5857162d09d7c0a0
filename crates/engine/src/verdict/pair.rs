//! Pairs: two documents with all measures of them, and how these are made.

use crate::detect::options::Options;
use crate::detect::{Agreeing, Detector, Detectors, SignatureMeasures};
use crate::features::Features;
use crate::features::collection::Signatures;
use crate::features::document::{Apart, DocId, Document};
use crate::join::shared::{overlap, sorted};
use crate::join::weighted::Weighted;
use crate::verdict::versions::Versions;
use crate::verdict::{Among, PairMeasures, Relation, Rule, SetMeasures, Verdict, judge};
use std::fmt::{self, Display};
use std::num::NonZeroU32;

/// A Jaccard similarity (resemblance, Broder 1997), exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resemblance {
    /// How many shingles both documents have.
    pub overlap: u32,
    /// How many shingles at least one of them has.
    pub union: NonZeroU32,
}

impl Resemblance {
    /// The steps of a similarity of 1. Similarities are printed in steps.
    pub const STEPS: u64 = 10_000;

    /// Returns the similarity of two sets; `None` if both are empty.
    pub fn new(overlap: u32, union: u32) -> Option<Self> {
        let union = NonZeroU32::new(union)?;
        Some(Self { overlap, union })
    }

    /// Returns the similarity in ten-thousandths, rounded down. So 10,000 means equal sets and nothing else: rounded to
    /// the nearest step, 0.99996 would look equal. A pair is never printed with less than its threshold, if that has at
    /// most four decimals.
    pub fn steps(self) -> u64 {
        u64::from(self.overlap) * Self::STEPS / u64::from(self.union.get())
    }

    /// Returns [`Self::steps`] as a number from 0 to 1.
    pub fn rounded(self) -> f64 {
        Self::as_number(self.steps())
    }

    /// Returns how much of each of the two sets is in the other one. `sizes` are those of the sets.
    pub fn shares(self, sizes: [u32; 2]) -> [Share; 2] {
        sizes.map(|size| Share::new(self.overlap, size))
    }

    /// Returns how much of the smaller set is in the other one (containment, Broder 1997), in ten-thousandths. `a` and `b`
    /// are the sizes of the sets. A short text inside a long one has a low similarity and a high containment.
    pub fn contained_steps(self, a: u32, b: u32) -> u64 {
        Share::new(self.overlap, a.min(b)).0.into()
    }

    /// Returns ten-thousandths as a number from 0 to 1.
    #[expect(clippy::cast_precision_loss, reason = "at most 10,000")]
    pub fn as_number(steps: u64) -> f64 {
        steps as f64 / Self::STEPS as f64
    }
}

/// How much of a document is in another one: of its shingles, those that the other one has too. It is printed as a
/// percentage without decimals. It is rounded down, so that `100 %` is all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Share(u16);

impl Share {
    /// All of a document.
    pub const ALL: Self = Self(10_000);

    /// Returns the share that some shingles are of all shingles of a document.
    pub fn new(shared: u32, all: u32) -> Self {
        let steps = u64::from(shared) * Resemblance::STEPS / u64::from(all).max(1);
        u16::try_from(steps).map_or(Self::ALL, |steps| Self(steps).min(Self::ALL))
    }

    /// Returns the share as a number from 0 to 1, rounded down to four decimals.
    pub fn as_number(self) -> f64 {
        Resemblance::as_number(self.steps())
    }

    /// Returns the share in percent, rounded down.
    pub fn percent(self) -> u64 {
        self.steps() / 100
    }

    /// Returns the share in ten-thousandths, rounded down.
    pub fn steps(self) -> u64 {
        self.0.into()
    }
}

impl Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.percent())
    }
}

impl Weighted {
    /// Returns the weighted Jaccard similarity as a number from 0 to 1, rounded down as [`Resemblance::rounded`] is.
    pub fn rounded_similarity(self) -> f64 {
        Resemblance::as_number(self.similarity.into())
    }
}

/// Two documents that are reported. All measures are there, whichever detector found the pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// The first document by name.
    pub a: DocId,
    /// The second document by name.
    pub b: DocId,
    /// The Hamming distance of the fingerprints; `None` if the detector is off.
    pub hamming: Option<u8>,
    /// The measures of the shingle sets; `None` if the shingle detector is off.
    pub sets: Option<SetMeasures>,
    /// The rule that decided their relation.
    pub rule: Rule,
    /// The detectors that found the pair.
    pub found_by: Detectors,
    /// How many signatures are equal, by detector.
    pub agreeing: Agreeing,
}

impl Pair {
    /// Returns the relation of the documents.
    pub fn relation(&self) -> Relation {
        self.rule.relation()
    }

    /// Returns the similarity of the shingle sets; `None` if the shingle detector is off.
    pub fn jaccard(&self) -> Option<Resemblance> {
        self.sets.map(|sets| sets.jaccard)
    }

    /// Returns the measures in which rare shingles weigh more; `None` if the shingle detector is off.
    pub fn weighted(&self) -> Option<Weighted> {
        self.sets.map(|sets| sets.weighted)
    }

    /// Returns why the pair is set apart, if it is.
    pub fn apart(&self, documents: &[Document]) -> Option<Apart> {
        let [a, b] = [self.a, self.b].map(|id| documents[id.index()].place());
        a.apart(b)
    }

    /// Returns whether the pair is set apart.
    pub fn is_apart(&self, documents: &[Document]) -> bool {
        self.apart(documents).is_some()
    }

    /// Returns how much of each of the two documents is in the other one, that of `a` first; `None` if the shingle
    /// detector is off.
    pub fn shares(&self, documents: &[Document]) -> Option<[Share; 2]> {
        let sizes = [self.a, self.b].map(|id| documents[id.index()].shingles);
        self.sets.map(|sets| sets.jaccard.shares(sizes))
    }

    /// Returns [`Self::shares`], each after its document. The smaller document comes first: more of it is in the other
    /// one.
    pub fn smaller_first(&self, documents: &[Document]) -> Option<[(DocId, Share); 2]> {
        let [a, b] = self.shares(documents)?;
        Some(match a > b {
            true => [(self.a, a), (self.b, b)],
            false => [(self.b, b), (self.a, a)],
        })
    }

    /// Returns the document that contains the other; `None` if their relation is another one.
    pub fn container(&self, documents: &[Document]) -> Option<DocId> {
        let size = |id: DocId| documents[id.index()].shingles;
        (self.relation() == Relation::Contains).then(|| {
            if size(self.a) >= size(self.b) {
                self.a
            } else {
                self.b
            }
        })
    }
}

/// The size of a pair is named in docs/how-it-works.md.
const _: () = assert!(size_of::<Pair>() == 28);

/// Returns two documents of these names and features, and the pair of them with all measures. The pair is there even
/// if no detector finds it. `weighted` are the weighted measures of their shingle sets among other documents. Among the
/// two alone no shingle is rarer than another one.
pub fn measure(
    options: &Options,
    documents: [(String, &Features); 2],
    weighted: Option<Weighted>,
) -> ([Document; 2], Pair) {
    let of_both = documents
        .each_ref()
        .map(|(_, features)| &*features.facts.signatures);
    let signatures = Signatures::new(options, &of_both);
    let sets = documents
        .each_ref()
        .map(|(_, features)| sorted(&features.shingles));
    let shared = overlap(&sets[0], &sets[1]);
    let sizes = documents
        .each_ref()
        .map(|(_, features)| features.facts.shingles);
    let union = sizes[0].saturating_add(sizes[1] - shared);
    let alone = || match sizes == [shared; 2] {
        true => Weighted::EQUAL,
        false => Weighted::new(shared.into(), sizes[0].into(), sizes[1].into()),
    };
    let weighted = weighted.unwrap_or_else(alone);
    let documents = documents.map(|(name, features)| Document {
        fingerprint_at: options.fingerprint_at(),
        ..Document::new(name, features.facts.clone())
    });
    let [a, b] = &documents;
    let measures = SetMeasures::new(shared, union, weighted);
    let ids = [DocId::from(0), DocId::from(1)];
    let compared = signatures.compare(0, 1);
    let pair = {
        let among = Among {
            closest: None,
            versions: &Versions::of_documents(&documents),
        };
        pair(options, ids, [a, b], (measures, among), compared)
    };
    (documents, pair)
}

/// Returns the pair of two documents with all measures. The pair is there even if no detector finds it. `sets` are the
/// measures of their shingle sets, beside what is known of the two among all documents.
pub fn pair(
    options: &Options,
    [a, b]: [DocId; 2],
    documents: [&Document; 2],
    (sets, among): (Option<SetMeasures>, Among<'_>),
    signatures: SignatureMeasures,
) -> Pair {
    let sets = sets.filter(|_| options.detectors.have(Detector::Shingle));
    let measures = PairMeasures::new(options, documents, sets, signatures, among);
    let Verdict { rule, found_by } = judge(options, &measures);
    Pair {
        a,
        b,
        hamming: signatures.hamming,
        sets,
        rule,
        found_by,
        agreeing: signatures.agreeing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_rounded_down() {
        let rounded = |overlap, union| Resemblance::new(overlap, union).unwrap().rounded();
        assert!((rounded(1, 1) - 1.0).abs() < f64::EPSILON);
        assert!((rounded(99_999, 100_000) - 0.9999).abs() < f64::EPSILON);
        assert!((rounded(1, 5) - 0.2).abs() < f64::EPSILON);
        assert!((rounded(2, 3) - 0.6666).abs() < f64::EPSILON);
        assert_eq!(Resemblance::new(0, 0), None);
    }

    #[test]
    fn shares_are_of_each_document_and_only_all_of_it_is_100_percent() {
        let shares = |overlap, [a, b]: [u32; 2]| {
            let resemblance = Resemblance::new(overlap, a + b - overlap).unwrap();
            let shares = resemblance.shares([a, b]);
            let expected = shares[0].max(shares[1]).steps();
            assert_eq!(resemblance.contained_steps(a, b), expected);
            shares.map(|share| share.to_string())
        };
        assert_eq!(shares(10, [10, 100]), ["100 %", "10 %"]);
        assert_eq!(shares(2, [100, 3]), ["2 %", "66 %"]);
        assert_eq!(shares(9_999, [10_000, 10_000]), ["99 %", "99 %"]);
        assert_eq!(shares(0, [1, 0]), ["0 %", "0 %"]);
    }
}
