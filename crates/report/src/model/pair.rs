//! Pairs in `json` and `jsonl`.

use serde::{Serialize, Serializer};

use dupfind_decide::{Standing, Standings};
use dupfind_engine::detect::Agreeing;
use dupfind_engine::features::document::Apart;
use dupfind_engine::{DocId, Document, Pair, Reason, Relation, Resemblance, Rule, Weighted};
use dupfind_scan::Scan;

/// Two documents that are reported; `a` < `b`.
#[derive(Debug, Serialize)]
pub(crate) struct PairRecord<'r> {
    /// The first document.
    pub(crate) a: &'r str,
    /// The other one.
    pub(crate) b: &'r str,
    /// Their relation: `exact`, `near`, `contains`, `variant`, `related`, `template` or `short`.
    pub(crate) relation: Relation,
    /// The rule that decided it.
    pub(crate) rule: Rule,
    /// Optional: `true` if the two are pages of a family, and no files of code: the list has them in no line but that of one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) family: bool,
    /// For `contains`, the document that contains the other one; otherwise `null`.
    pub(crate) container: Option<&'r str>,
    /// Hamming distance of their fingerprints, whichever detector found the pair; `null` if the
    /// SimHash detector was off.
    pub(crate) hamming: Option<u32>,
    /// Jaccard similarity of their shingle sets, rounded down to four decimals, so 1 means equal
    /// sets; `null` if the shingle detector was off.
    pub(crate) jaccard: Option<f64>,
    /// Jaccard similarity in which a shingle weighs the more the rarer it is in these documents, rounded down to
    /// four decimals; `null` if the shingle detector was off.
    pub(crate) weighted: Option<f64>,
    /// How much of the smaller shingle set is in the other one, from 0 to 1 and rounded down to four
    /// decimals; `null` if the shingle detector was off. It is the larger one of the next two.
    pub(crate) containment: Option<f64>,
    /// How much of `a` is in `b`, in the same way.
    pub(crate) a_in_b: Option<f64>,
    /// How much of `b` is in `a`, in the same way.
    pub(crate) b_in_a: Option<f64>,
    /// Optional: about how similar the prose of the two is, as a Jaccard similarity; there if both have code blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) prose: Option<f64>,
    /// How many of their super-shingles and of their I-Match signatures are equal, as `super_shingles` and `i_match`.
    /// A key is left out if its detector was off.
    #[serde(flatten, serialize_with = "by_key")]
    pub(crate) agreeing: Agreeing,
    /// The names of the detectors that found the pair.
    pub(crate) matched_by: Vec<&'static str>,
    /// The reason for the relation, for people.
    pub(crate) because: Reason,
}

/// A pair of a scan, and its place in the baseline.
#[derive(Debug, Serialize)]
pub(crate) struct JudgedRecord<'r> {
    /// The pair; its keys are those of the record.
    #[serde(flatten)]
    pub(crate) pair: PairRecord<'r>,
    /// `accepted`, if the baseline holds it; `worse`, if it has become a copy since; `new`, if the
    /// baseline does not hold it; `null` without a baseline, and for relations that it does not hold.
    #[serde(serialize_with = "by_name")]
    pub(crate) standing: Option<Standing>,
    /// Optional: the reason for accepting it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'r str>,
    /// Optional: why the pair is set apart. `code`: one of the two is a file of code or data; `version`, `language`: they are
    /// pages about two versions, or in two languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) apart: Option<&'static str>,
}

impl<'r> JudgedRecord<'r> {
    pub(crate) fn new(documents: &'r [Document], pair: &Pair, standings: &'r Standings) -> Self {
        Self {
            pair: PairRecord::new(documents, pair),
            standing: standings.of(pair),
            reason: standings.reason(pair),
            apart: pair.apart(documents).map(Apart::as_str),
        }
    }
}

fn by_name<S: Serializer>(standing: &Option<Standing>, serializer: S) -> Result<S::Ok, S::Error> {
    standing.map(Standing::as_str).serialize(serializer)
}

/// Writes the counts of equal signatures, each under the key of its detector.
fn by_key<S: Serializer>(agreeing: &Agreeing, serializer: S) -> Result<S::Ok, S::Error> {
    let counts = agreeing.iter().filter_map(|(detector, equal)| {
        let [key, _] = detector.of_counts()?;
        Some((key, equal))
    });
    serializer.collect_map(counts)
}

impl<'r> PairRecord<'r> {
    pub(crate) fn new(documents: &'r [Document], pair: &Pair) -> Self {
        let (a, b) = (&documents[pair.a.index()], &documents[pair.b.index()]);
        let shares = pair
            .jaccard()
            .map(|jaccard| jaccard.shares([a.shingles, b.shingles]));
        let because = Reason::new(documents, pair);
        Self {
            a: &a.name,
            b: &b.name,
            relation: pair.relation(),
            rule: pair.rule,
            family: pair.rule.is_of_family() && pair.apart(documents) != Some(Apart::Code),
            container: pair
                .container(documents)
                .map(|id| documents[id.index()].name.as_str()),
            hamming: pair.hamming.map(u32::from),
            jaccard: pair.jaccard().map(Resemblance::rounded),
            weighted: pair.weighted().map(Weighted::rounded_similarity),
            containment: shares.map(|[a, b]| a.max(b).as_number()),
            a_in_b: shares.map(|[a, _]| a.as_number()),
            b_in_a: shares.map(|[_, b]| b.as_number()),
            prose: because.prose.map(Resemblance::as_number),
            agreeing: pair.agreeing,
            matched_by: pair.found_by.names().collect(),
            because,
        }
    }
}

/// A document with pairs.
#[derive(Debug, Serialize)]
pub(crate) struct DocumentRecord<'r> {
    /// Its name.
    pub(crate) path: &'r str,
    /// The document that is most like it: of the pair with the highest Jaccard similarity, then with the smallest Hamming
    /// distance, then the first by name.
    pub(crate) closest: &'r str,
    /// The Jaccard similarity of the two; `null` if the shingle detector was off.
    pub(crate) jaccard: Option<f64>,
    /// How many pairs it is in.
    pub(crate) near: u64,
}

/// Returns the documents of some pairs, by name.
pub(super) fn documents<'r>(
    outcome: &'r Scan,
    pairs: &'r [Pair],
) -> impl Iterator<Item = DocumentRecord<'r>> {
    let mut near: Vec<Option<(&Pair, DocId, u64)>> = vec![None; outcome.documents.len()];
    let rank = |pair: &Pair| {
        (
            pair.jaccard().map(Resemblance::steps),
            pair.hamming.map(|bits| !bits),
        )
    };
    for pair in pairs {
        for (own, other) in [(pair.a, pair.b), (pair.b, pair.a)] {
            let best = near[own.index()].get_or_insert((pair, other, 0));
            best.2 += 1;
            if (rank(pair), best.1) > (rank(best.0), other) {
                (best.0, best.1) = (pair, other);
            }
        }
    }
    let ids = (0..).map(DocId::from);
    ids.zip(near).filter_map(move |(id, near)| {
        let (pair, closest, near) = near?;
        Some(DocumentRecord {
            path: outcome.name(id),
            closest: outcome.name(closest),
            jaccard: pair.jaccard().map(Resemblance::rounded),
            near,
        })
    })
}
