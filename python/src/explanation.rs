//! The relation of two texts, and the reason for it.

use dupfind_engine::features::document::Document;
use dupfind_engine::{Pair, Resemblance};
use pyo3::prelude::*;

use crate::table::Columns;

/// What two texts are to each other, and why.
#[pyclass(frozen, get_all, module = "dupfind")]
pub(crate) struct Explanation {
    /// The name of the first text.
    a: String,
    /// The name of the second one.
    b: String,
    /// Whether the two are a pair.
    is_pair: bool,
    /// ``exact``, ``near``, ``contains``, ``variant``, ``related``, ``template`` or ``short``.
    relation: &'static str,
    /// Jaccard similarity of the shingle sets.
    jaccard: Option<f64>,
    /// Jaccard similarity in which a shingle weighs the more the rarer it is.
    weighted: Option<f64>,
    /// How much of the smaller text is in the larger one.
    containment: Option<f64>,
    /// Hamming distance of the fingerprints.
    hamming: Option<u32>,
    /// The detectors that found the two.
    matched_by: Vec<&'static str>,
    /// The relation and its reason in one sentence.
    because: String,
}

#[pymethods]
impl Explanation {
    fn __str__(&self) -> &str {
        &self.because
    }

    fn __repr__(&self) -> String {
        format!(
            "<dupfind.Explanation of {:?} and {:?}: {}>",
            self.a, self.b, self.because
        )
    }
}

impl From<dupfind_engine::pairing::explanation::Explanation> for Explanation {
    fn from(explanation: dupfind_engine::pairing::explanation::Explanation) -> Self {
        let [a, b] = &explanation.documents;
        let pair = &explanation.pair;
        Self {
            a: a.name.clone(),
            b: b.name.clone(),
            is_pair: explanation.is_pair,
            relation: pair.relation().as_str(),
            jaccard: pair.jaccard().map(Resemblance::rounded),
            weighted: pair
                .weighted()
                .map(|weighted| weighted.rounded_similarity()),
            containment: containment(pair, a, b),
            hamming: pair.hamming.map(u32::from),
            matched_by: pair.found_by.names().collect(),
            because: explanation.to_string(),
        }
    }
}

/// Returns how much of the smaller text of a pair is in the larger one.
pub(crate) fn containment(pair: &Pair, a: &Document, b: &Document) -> Option<f64> {
    let steps = pair.jaccard()?.contained_steps(a.shingles, b.shingles);
    Some(Resemblance::as_number(steps))
}

impl Columns {
    /// Adds the relation and the measures of pairs: relation, jaccard, weighted, containment, hamming.
    pub(crate) fn measures<'p, I>(self, pairs: impl Fn() -> I) -> Self
    where
        I: Iterator<Item = (&'p Pair, [&'p Document; 2])>,
    {
        let only = || pairs().map(|(pair, _)| pair);
        self.text("relation", only().map(|pair| pair.relation().as_str()))
            .optional_f64(
                "jaccard",
                only().map(|pair| pair.jaccard().map(Resemblance::rounded)),
            )
            .optional_f64(
                "weighted",
                only().map(|pair| {
                    pair.weighted()
                        .map(|weighted| weighted.rounded_similarity())
                }),
            )
            .optional_f64(
                "containment",
                pairs().map(|(pair, [a, b])| containment(pair, a, b)),
            )
            .optional_u32("hamming", only().map(|pair| pair.hamming.map(u32::from)))
    }
}
