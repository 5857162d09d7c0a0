//! The reason for the relation of two documents: the rule that decided, with its figures.

use std::fmt::{self, Display};

use serde::{Serialize, Serializer};

use crate::detect::{Detectors, SignatureMeasures};
use crate::features::document::{DocId, Document};
use crate::verdict::pair::{Pair, Resemblance};
use crate::verdict::rules::{
    DISTINCT_WEIGHTED, JUDGEABLE, SCANNED_WEIGHTED, near_jaccard_limit, near_weighted_limit,
};
use crate::verdict::{Rule, SetMeasures, prose};

/// The reason for the relation of two documents. `to_string()` returns it as an English sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reason {
    /// The rule that decided.
    pub rule: Rule,
    /// How similar their prose is ([`prose`]).
    pub prose: Option<u64>,
    found_by: Detectors,
    shingles: [u32; 2],
    terms: [u32; 2],
    sets: Option<SetMeasures>,
    signatures: SignatureMeasures,
}

impl Reason {
    /// Returns the reason for the relation of a pair of these documents: its rule, and the figures of that.
    pub fn new(documents: &[Document], pair: &Pair) -> Self {
        let two = [pair.a, pair.b].map(|id: DocId| &documents[id.index()]);
        let sets = pair.sets;
        Self {
            rule: pair.rule,
            prose: sets.and_then(|sets| prose(sets, two)),
            found_by: pair.found_by,
            shingles: two.map(|document| document.shingles),
            terms: two.map(|document| document.terms),
            sets,
            signatures: SignatureMeasures {
                hamming: pair.hamming,
                agreeing: pair.agreeing,
            },
        }
    }

    /// Returns the least weighted similarity of near-duplicates like these; 0 if none is enough. Under distinct titles it is
    /// [`DISTINCT_WEIGHTED`].
    fn near_weighted_limit(&self) -> u64 {
        let [a, b] = self.shingles;
        let least = self.sets.and_then(|sets| {
            let least = near_weighted_limit(sets.jaccard, sets.weighted, a, b)?;
            let is_reached = self.rule == Rule::Related && sets.weighted.similarity >= least;
            Some(if is_reached { DISTINCT_WEIGHTED } else { least })
        });
        least.map_or(0, u64::from)
    }

    /// Writes the sentence, part by part. `phrase` gets an English text, and the values for its holes `{}` in turn.
    ///
    /// # Errors
    ///
    /// Those of `phrase`.
    pub fn write(
        &self,
        mut phrase: impl FnMut(&'static str, &[&dyn Display]) -> fmt::Result,
    ) -> fmt::Result {
        let Self { shingles, sets, .. } = *self;
        let number = Resemblance::as_number;
        let jaccard = sets.map_or(0.0, |sets| sets.jaccard.rounded());
        let similarity = sets.map_or(0.0, |sets| sets.weighted.rounded_similarity());
        let smaller = shingles[0].min(shingles[1]);
        let contained = sets.map_or(0, |sets| {
            sets.jaccard.contained_steps(shingles[0], shingles[1])
        });
        match self.rule {
            Rule::SameText => phrase("the same text but for case, width and white space", &[]),
            Rule::SameTextFolded => phrase(
                "the same text up to the script (Traditional or Simplified), case, width and white space",
                &[],
            ),
            Rule::TooFewShingles if smaller == 1 => phrase(
                "too short to judge: 1 shingle, fewer than {}",
                &[&JUDGEABLE],
            ),
            Rule::TooFewShingles => phrase(
                "too short to judge: {} shingles, fewer than {}",
                &[&smaller, &JUDGEABLE],
            ),
            Rule::TooFewWords => phrase(
                "too short to judge: a few words that are alike, but the titles or the rest of the files differ",
                &[],
            ),
            Rule::TooFewTerms => match self.terms.into_iter().min() {
                Some(1) => phrase("too short to judge: 1 term, fewer than {}", &[&JUDGEABLE]),
                terms => phrase(
                    "too short to judge: {} terms, fewer than {}",
                    &[&terms.unwrap_or_default(), &JUDGEABLE],
                ),
            },
            Rule::Contains => {
                let larger = shingles[0].max(shingles[1]);
                let times = f64::from(larger) / f64::from(smaller.max(1));
                phrase(
                    "{} of the smaller one is in the other, {} times as large",
                    &[&number(contained), &format_args!("{times:.1}")],
                )
            }
            Rule::NearWeighted => phrase(
                "weighted similarity {} >= {}",
                &[&similarity, &number(self.near_weighted_limit())],
            ),
            Rule::NearVersions => phrase(
                "two versions of a page: weighted similarity {}, and {} of the smaller one is in the other",
                &[&similarity, &number(contained)],
            ),
            Rule::NearScanned => phrase(
                "weighted similarity {} >= {}, of scanned text",
                &[&similarity, &number(SCANNED_WEIGHTED.into())],
            ),
            Rule::NearJaccard => {
                let least = sets.map_or(0, |sets| near_jaccard_limit(sets.jaccard));
                phrase("Jaccard similarity {} >= {}", &[&jaccard, &number(least)])
            }
            Rule::VariantCloser => phrase(
                "the same form, perhaps for another subject: each of the two is much more similar to another page",
                &[],
            ),
            Rule::VariantTitles => phrase(
                "the same form, perhaps for another subject: the titles differ; weighted similarity {}, Jaccard {}",
                &[&similarity, &jaccard],
            ),
            Rule::VariantSubjects => phrase(
                "the same page for another subject: the names of the files or folders tell it, or the numbers in the titles",
                &[],
            ),
            Rule::VariantReleases => phrase(
                "the same page for another release: the titles differ, and their names differ in version numbers alone",
                &[],
            ),
            Rule::VariantTemplate => phrase(
                "the same form, perhaps for another subject: Jaccard {}, but what they share is common here: weighted similarity {}",
                &[&jaccard, &similarity],
            ),
            Rule::Related => phrase(
                "what they share is rare here: weighted similarity {} < {}",
                &[&similarity, &number(self.near_weighted_limit())],
            ),
            Rule::RelatedSubjects => phrase(
                "two pages for two subjects or releases, and what they share is rare here: weighted similarity {} < {}",
                &[&similarity, &number(self.near_weighted_limit())],
            ),
            Rule::RelatedCode => phrase(
                "the same code: their prose is {} alike, and the whole texts {}",
                &[&number(self.prose.unwrap_or_default()), &jaccard],
            ),
            Rule::RelatedRepeated => phrase(
                "one of the two repeats a few words, and other texts of these words would be as similar",
                &[],
            ),
            Rule::Template => phrase(
                "what they share is common here: weighted similarity {}, Jaccard {}",
                &[&similarity, &jaccard],
            ),
            Rule::RelatedBySignatures => {
                phrase("no shingle in common; ", &[])?;
                self.write_signatures(phrase)
            }
            Rule::BySignatures => self.write_signatures(phrase),
        }
    }

    /// Writes the findings of the detectors that compare signatures.
    fn write_signatures(
        &self,
        mut phrase: impl FnMut(&'static str, &[&dyn Display]) -> fmt::Result,
    ) -> fmt::Result {
        let mut is_first = true;
        for detector in self.found_by.iter() {
            let words = detector.of_findings();
            let Some(([one, many], measure)) = words.zip(self.signatures.of(detector)) else {
                continue;
            };
            if !std::mem::take(&mut is_first) {
                phrase(", ", &[])?;
            }
            match measure {
                1 => phrase(one, &[])?,
                _ => phrase(many, &[&measure])?,
            }
        }
        Ok(())
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(|text, values| {
            let mut parts = text.split("{}");
            f.write_str(parts.next().unwrap_or_default())?;
            parts
                .zip(values)
                .try_for_each(|(part, value)| write!(f, "{value}{part}"))
        })
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::Detector;
    use crate::detect::options::Options;
    use crate::verdict::versions::Versions;
    use crate::verdict::{Among, PairMeasures, judge};

    /// Returns the reason for a pair of two documents without shingle sets. One of them has so many terms.
    fn sentence(terms: u32, text_hash: u64, measures: &[(Detector, u8)]) -> String {
        let mut document = Document::sample("a");
        (document.shingles, document.terms) = (0, 50);
        let mut other = document.clone();
        (other.terms, other.text_hash) = (terms, text_hash);
        let mut signatures = SignatureMeasures::default();
        for &(detector, measure) in measures {
            signatures.set(detector, measure);
        }
        let options = Options::default();
        let of_two = PairMeasures::new(
            &options,
            [&document, &other],
            None,
            signatures,
            Among {
                closest: None,
                versions: &Versions::of_documents(&[]),
            },
        );
        let pair = Pair {
            a: DocId::from(0),
            b: DocId::from(1),
            hamming: signatures.hamming,
            sets: None,
            rule: judge(&options, &of_two).rule,
            found_by: measures.iter().map(|&(detector, _)| detector).collect(),
            agreeing: signatures.agreeing,
        };
        Reason::new(&[document, other], &pair).to_string()
    }

    #[test]
    fn sentences_have_the_figures_of_the_rule() {
        use Detector::{IMatch, Simhash, SuperShingle};
        let fingerprints = &[(Simhash, 0)][..];
        let all = &[(Simhash, 1), (SuperShingle, 2), (IMatch, 1)];
        for (terms, text_hash, measures, expected) in [
            (
                50,
                0,
                fingerprints,
                "the same text but for case, width and white space",
            ),
            (
                1,
                1,
                fingerprints,
                "too short to judge: 1 term, fewer than 10",
            ),
            (
                9,
                1,
                fingerprints,
                "too short to judge: 9 terms, fewer than 10",
            ),
            (
                10,
                1,
                all,
                "the fingerprints differ in 1 bit, 2 super-shingles are equal, 1 I-Match signature is equal",
            ),
        ] {
            assert_eq!(sentence(terms, text_hash, measures), expected);
        }
    }
}
