//! Measures two documents, and makes the pair of them.

use crate::detect::Detector;
use crate::detect::measures::SignatureMeasures;
use crate::detect::options::Options;
use crate::features::Features;
use crate::features::collection::signatures::Signatures;
use crate::features::document::DocId;
use crate::features::document::Document;
use crate::join::pairwise::{overlap, sorted};
use crate::join::weighted::Weighted;
use crate::verdict::pair::Pair;
use crate::verdict::{PairMeasures, SetMeasures, Verdict, judge};

/// Returns two documents of these names and features, and the pair of them with all measures. The pair is there even
/// if no detector finds it. `weighted` are the weighted measures of their shingle sets among other documents. Among the
/// two alone no shingle is rarer than another one.
#[must_use]
pub fn measure(
    options: &Options,
    documents: [(String, &Features); 2],
    weighted: Option<Weighted>,
) -> ([Document; 2], Pair) {
    let of_both = documents
        .each_ref()
        .map(|(_, features)| features.facts.signatures.clone());
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
    let mut positions = 0..;
    let documents = documents.map(|(name, features)| {
        let mut document = features.facts.document(name);
        let position = positions.next().expect("there is no end");
        (document.fingerprint, document.fingerprint_high) = signatures.fingerprint(position);
        document
    });
    let [a, b] = &documents;
    let measures = SetMeasures::new(shared, union, weighted);
    let ids = [DocId::from(0), DocId::from(1)];
    let compared = signatures.compare(0, 1);
    let pair = pair(options, ids, [a, b], (measures, None), compared);
    (documents, pair)
}

/// Returns the pair of two documents with all measures. The pair is there even if no detector finds it. `sets` are the
/// measures of their shingle sets, and [`PairMeasures::closest`].
pub fn pair(
    options: &Options,
    [a, b]: [DocId; 2],
    documents: [&Document; 2],
    (sets, closest): (Option<SetMeasures>, Option<u16>),
    signatures: SignatureMeasures,
) -> Pair {
    let sets = sets.filter(|_| options.detectors.have(Detector::Shingle));
    let measures = PairMeasures::new(documents, sets, signatures, closest);
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
