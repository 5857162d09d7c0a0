//! The reason for the relation of two documents, in words.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::detect::Detector;
use crate::document::DocId;
use crate::engine::document::Document;
use crate::engine::pair::relation::Relation;
use crate::engine::pair::relation::rules::{
    JUDGEABLE, SCANNED_WEIGHTED, is_near, near_from, near_jaccard,
};
use crate::engine::pair::{Pair, Resemblance};

/// The reason of equal texts.
const SAME: &str = "the same text but for case, width and white space";

/// The reason of texts that are equal once Traditional characters are folded.
const SAME_FOLDED: &str =
    "the same text up to the script (Traditional or Simplified), case, width and white space";

fn same(a: &Document, b: &Document) -> &'static str {
    if a.unfolded_hash == b.unfolded_hash {
        SAME
    } else {
        SAME_FOLDED
    }
}

/// The reason for the relation of two documents, in words for people, with the figures that decided. The words are
/// made when it is printed, as most of millions of pairs are only counted.
#[derive(Debug, Clone, Copy)]
pub struct Reason<'r> {
    documents: &'r [Document],
    pair: Pair,
}

impl<'r> Reason<'r> {
    /// Returns the reason for the relation of a pair of these documents.
    #[must_use]
    pub fn new(documents: &'r [Document], pair: &Pair) -> Self {
        Self {
            documents,
            pair: *pair,
        }
    }

    /// Writes the reason for a pair without shingle sets.
    fn by_signatures(&self, a: &Document, b: &Document, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pair.relation {
            Relation::Exact => f.write_str(same(a, b)),
            // Shingles are counted only if a detector looks at them.
            Relation::Short if a.shingles.min(b.shingles) > 0 => {
                too_short(a.shingles.min(b.shingles), "shingle", f)
            }
            Relation::Short => too_short(a.terms.min(b.terms), "term", f),
            _ => self.agreement(f),
        }
    }
}

impl Reason<'_> {
    /// Writes what the detectors of signatures say that found the pair.
    fn agreement(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pair {
            found_by,
            hamming,
            agreeing,
            ..
        } = self.pair;
        let measured = |detector| match detector {
            Detector::Simhash => hamming,
            _ => agreeing.of(detector),
        };
        let words = found_by.iter().filter_map(|detector| {
            let found = detector.words().found?;
            Some(found(measured(detector)?))
        });
        let words: Vec<String> = words.collect();
        f.write_str(&words.join(", "))
    }
}

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = &self.pair;
        let document = |id: DocId| &self.documents[id.index()];
        let (a, b) = (document(pair.a), document(pair.b));
        let (Some(jaccard), Some(weighted)) = (pair.jaccard, pair.weighted) else {
            return self.by_signatures(a, b, f);
        };
        let (similarity, plain) = (weighted.rounded_similarity(), jaccard.rounded());
        let smaller = a.shingles.min(b.shingles);
        let least = near_from(jaccard, weighted, a.shingles, b.shingles).unwrap_or_default();
        let least = Resemblance::as_number(least.into());
        match pair.relation {
            Relation::Exact => f.write_str(same(a, b)),
            Relation::Near if is_near(jaccard, weighted, a.shingles, b.shingles) => {
                write!(f, "weighted similarity {similarity} >= {least}")
            }
            Relation::Near if jaccard.steps() < near_jaccard(jaccard) => {
                let least = Resemblance::as_number(SCANNED_WEIGHTED.into());
                write!(
                    f,
                    "weighted similarity {similarity} >= {least}, of scanned text"
                )
            }
            Relation::Near => {
                let least = Resemblance::as_number(near_jaccard(jaccard));
                write!(f, "Jaccard similarity {plain} >= {least}")
            }
            Relation::Contains => {
                let contained = jaccard.containment(a.shingles, b.shingles);
                let larger = a.shingles.max(b.shingles);
                let times = f64::from(larger) / f64::from(smaller.max(1));
                write!(
                    f,
                    "{contained} of the smaller one is in the other, {times:.1} times as large"
                )
            }
            Relation::Related if jaccard.overlap == 0 => {
                f.write_str("no shingle in common; ")?;
                self.agreement(f)
            }
            Relation::Related => write!(
                f,
                "what they share is rare here, but little: weighted similarity {similarity} < {least}"
            ),
            Relation::Template => write!(
                f,
                "what they share is common here: weighted similarity {similarity}, Jaccard {plain}"
            ),
            Relation::Short => too_short(smaller, "shingle", f),
        }
    }
}

impl Serialize for Reason<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn too_short(count: u32, what: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let plural = if count == 1 { "" } else { "s" };
    let count = format!("{count} {what}{plural}");
    write!(f, "too short to judge: {count}, fewer than {JUDGEABLE}")
}
