//! What two texts are to each other, and why.

use std::fmt;

use crate::detect::Detectors;
use crate::detect::options::Options;
use crate::features::FeatureMaker;
use crate::features::document::{DocId, Document};
use crate::verdict::pair::{Pair, Resemblance, measure};
use crate::verdict::reason::Reason;

/// The relation of two texts, and the reason for it. `to_string()` returns it as a sentence.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The two texts.
    pub documents: [Document; 2],
    /// All measures, and the relation.
    pub pair: Pair,
    /// Whether enough of the detectors find the two texts.
    pub is_pair: bool,
}

impl Explanation {
    /// Returns the explanation of a pair of a collection.
    pub fn of(documents: &[Document], pair: Pair) -> Self {
        let two = [pair.a, pair.b].map(|id| documents[id.index()].clone());
        Self::new(two, pair)
    }

    /// Returns the explanation of the pair of two documents.
    pub fn new(documents: [Document; 2], pair: Pair) -> Self {
        Self {
            is_pair: !pair.found_by.is_empty(),
            documents,
            pair,
        }
    }

    /// Returns the reason for the relation: the rule that decided, and its figures.
    pub fn reason(&self) -> Reason {
        let pair = Pair {
            a: DocId::from(0),
            b: DocId::from(1),
            ..self.pair
        };
        Reason::new(&self.documents, &pair)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_pair {
            let jaccard = self.pair.jaccard().map_or(0.0, Resemblance::rounded);
            write!(f, "no pair: Jaccard similarity {jaccard}")?;
            return match self.pair.hamming {
                Some(distance) => write!(f, ", Hamming distance {distance}"),
                None => Ok(()),
            };
        }
        write!(f, "{}: {}", self.pair.relation().as_str(), self.reason())
    }
}

/// Returns the relation of two texts, and the reason for it. No other text is looked at, so rare
/// and common shingles weigh the same: text of a template counts as much as text that only these two share.
///
/// # Examples
///
/// ```
/// use dupfind_engine::Relation;
///
/// let why = dupfind_engine::compare("one two three four five six", "One two three\nfour five SIX");
/// assert_eq!(why.pair.relation(), Relation::Exact);
/// assert_eq!(why.to_string(), "exact: the same text but for case, width and white space");
/// ```
pub fn compare(a: &str, b: &str) -> Explanation {
    let options = Options::default();
    let mut maker = FeatureMaker::new(&options);
    let features = [a, b].map(|text| maker.features_of_any(text));
    let [a, b] = &features;
    let named = [("a".to_owned(), a), ("b".to_owned(), b)];
    let options = options.among(named.len());
    let (documents, mut pair) = measure(&options, named, None);
    if pair.sets.is_none() {
        // Two texts without a letter, ideograph or digit have nothing in common.
        pair.found_by = Detectors::NONE;
    }
    Explanation::new(documents, pair)
}
