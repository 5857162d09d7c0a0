//! Finds the documents of an index that are like a document.
//!
//! The shingles of the query document are looked up. The index says which documents have each of them, so that the shared
//! shingles of every document are counted and weighed. The signatures of all documents are compared too. Pairs and their
//! relations are decided as in a scan.

use std::cmp::Reverse;
use std::collections::HashMap;

use dupfind_engine::detect::SignatureDetector;
use dupfind_engine::features::collection::Signatures;
use dupfind_engine::join::shared::sorted;
use dupfind_engine::join::weighted::weight;
use dupfind_engine::verdict::pair::pair;
use dupfind_engine::verdict::versions::Versions;
use dupfind_engine::verdict::{Among, SetMeasures, found_by_sets, found_by_signatures};
use dupfind_engine::{
    Detectors, DocId, Document, Explanation, FeatureMaker, Features, Options, Pair, Resemblance,
    SignatureMeasures, Weighted,
};
use dupfind_read::{ReadOptions, row_features};

use crate::Index;
use crate::document::{KeptDocument, set_hash};

/// Which documents are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wanted {
    /// If this is a number, so many documents are found that share anything, and not only pairs: first the pairs, then
    /// those that have most of the rare text of the query document.
    pub top: Option<usize>,
    /// Whether the query document is in no file of the index. Then its shingles are less rare by one document, as in a scan
    /// with it.
    pub is_new: bool,
}

/// A document of an index that is like the query document.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The document and its measures.
    pub document: Document,
    /// All measures. `a` is document 0, the query document, and `b` is document 1.
    pub pair: Pair,
    /// Whether enough detectors find the pair.
    pub is_pair: bool,
    /// How much of the rare text of the query document is in this one, in ten-thousandths.
    pub rare: u16,
}

/// The shingles of a document with their weights.
struct WeighedShingles {
    /// The shingles, ascending, each with its weight.
    shingles: Vec<(u64, u32)>,
    /// The weight of all of them.
    weight: u64,
    /// By how much each one weighs less than in the weights of the documents of the index.
    less: Vec<u32>,
}

impl Index {
    /// Returns the documents that are pairs of a text, the best first. The text is judged as a new one, also if the index has it:
    /// it has no name, and which others the two are like is not known. A text without a letter, ideograph or digit has no pairs.
    pub fn query(&self, text: &str) -> Vec<Explanation> {
        let mut maker = FeatureMaker::new(&self.options);
        let Ok(features) = row_features(&mut maker, text, &ReadOptions::default()) else {
            return Vec::new();
        };
        let asked = query_document(&self.options, "", &features);
        let wanted = Wanted {
            is_new: true,
            ..Wanted::default()
        };
        let hits = self.hits("", &features, wanted).into_iter();
        let explained = hits.map(|hit| Explanation {
            documents: [asked.clone(), hit.document],
            pair: hit.pair,
            is_pair: hit.is_pair,
        });
        explained.collect()
    }

    /// Returns the documents that are like one of these features, the best first. A document of the same name is left
    /// out: it is the query document. Names of documents that are not in the index may be empty.
    pub fn hits(&self, name: &str, features: &Features, wanted: Wanted) -> Vec<Hit> {
        let asked = query_document(&self.options, name, features);
        let search = Search {
            index: self,
            options: &self.options.among(self.compared_with(name)),
            asked: &asked,
            features,
            weighed: &self.weighed(features, wanted.is_new),
            versions: self.versions_with(&asked.name),
            wanted,
        };
        let mut candidates = search.candidates();
        if let Some(top) = wanted.top {
            // Pairs are never left out for others; a document of the same name may be among the others.
            candidates.sort_by_key(|c| (Reverse((c.is_found, c.shared)), Reverse(c.overlap)));
            let pairs = candidates.partition_point(|candidate| candidate.is_found);
            candidates.truncate(top.saturating_add(1).max(pairs));
        }
        let hits = candidates.iter();
        let mut hits: Vec<Hit> = hits.filter_map(|candidate| search.hit(candidate)).collect();
        hits.sort_by(|x, y| order(x).cmp(&order(y)));
        hits.truncate(wanted.top.unwrap_or(usize::MAX));
        hits
    }

    /// Returns the versions of its documents and of a query document of this name.
    fn versions_with<'n>(&'n self, name: &'n str) -> Versions<'n> {
        Versions::of(move |take| {
            let kept = self.all().iter().filter(|kept| kept.facts.shingles > 0);
            kept.for_each(|kept| take(&kept.name));
            take(name);
        })
    }

    /// Returns how many documents are compared with a query document of this name.
    fn compared_with(&self, name: &str) -> usize {
        let is_known = self.all().iter().any(|kept| kept.name == name);
        self.all().len() + usize::from(!is_known)
    }

    /// Returns the weighted measures of two documents, which need not be in this index.
    pub fn weighted(&self, a: &Features, b: &Features) -> Weighted {
        let [a, b] = [a, b].map(|features| self.weighed(features, false));
        if a.shingles == b.shingles {
            return Weighted::EQUAL;
        }
        let shared = a
            .shingles
            .iter()
            .filter(|weighed| b.shingles.binary_search(weighed).is_ok());
        let shared = shared.map(|&(_, weight)| u64::from(weight)).sum();
        Weighted::new(shared, a.weight, b.weight)
    }

    /// Returns the shingles of a document with their weights in this index. If the document is new, it counts too: one
    /// document more has each of them, unless the index has the same set.
    fn weighed(&self, features: &Features, is_new: bool) -> WeighedShingles {
        let own = sorted(&features.shingles);
        let counts = is_new && {
            let set = set_hash(&own);
            !self.all().iter().any(|kept| kept.set == set)
        };
        let (mut shingles, mut less) = (Vec::new(), Vec::new());
        for shingle in own {
            let frequency = self.content.frequency(shingle);
            let now = weight(frequency + u32::from(counts));
            shingles.push((shingle, now));
            less.push(weight(frequency) - now);
        }
        let weight = shingles.iter().map(|&(_, weight)| u64::from(weight)).sum();
        WeighedShingles {
            shingles,
            weight,
            less,
        }
    }
}

/// Returns the key that hits are sorted by: pairs first, in the order of a report, then the others by their rare text.
fn order(hit: &Hit) -> impl Ord + '_ {
    let pair = &hit.pair;
    let similarity = pair.jaccard().map(Resemblance::steps);
    let by_measures = (pair.relation(), Reverse(similarity), pair.hamming);
    (
        !hit.is_pair,
        hit.is_pair.then_some(by_measures),
        Reverse(hit.rare),
        Reverse(similarity),
        hit.document.name.as_str(),
    )
}

/// Returns the query document.
pub fn query_document(options: &Options, name: &str, features: &Features) -> Document {
    Document {
        fingerprint_at: options.fingerprint_at(),
        ..Document::new(name.to_owned(), features.facts.clone())
    }
}

/// Returns whether a detector finds two documents by their signatures, which are those of these detectors of the options.
pub fn has_alike(
    options: &Options,
    detectors: &[Box<dyn SignatureDetector>],
    [own, other]: [&[u64]; 2],
) -> bool {
    let mut measures = SignatureMeasures::default();
    let mut start = 0;
    for detector in detectors {
        let place = start..start + detector.width();
        start = place.end;
        let measure = detector.measure(&own[place.clone()], &other[place]);
        measures.set(detector.detector(), measure);
    }
    !found_by_signatures(options, measures).is_empty()
}

/// A search for the documents that are like one.
struct Search<'s> {
    index: &'s Index,
    options: &'s Options,
    asked: &'s Document,
    features: &'s Features,
    weighed: &'s WeighedShingles,
    versions: Versions<'s>,
    wanted: Wanted,
}

/// A document that may be found.
struct Candidate {
    number: u32,
    overlap: u32,
    /// The weight of the shared shingles.
    shared: u64,
    /// The weight of all of its shingles.
    weight: u64,
    /// Whether a detector finds it.
    is_found: bool,
}

impl Search<'_> {
    /// Returns the documents that may be found.
    fn candidates(&self) -> Vec<Candidate> {
        let content = &self.index.content;
        let count = content.documents.len();
        let (mut overlaps, mut shared) = (vec![0_u32; count], vec![0_u64; count]);
        let mut less = vec![0_u64; count];
        let mut touched = Vec::new();
        let lost = self.weighed.less.iter();
        for (&(shingle, weight), &lost) in self.weighed.shingles.iter().zip(lost) {
            for &number in content.postings.holders(shingle) {
                let at = number as usize;
                if overlaps[at] == 0 {
                    touched.push(number);
                }
                overlaps[at] += 1;
                shared[at] += u64::from(weight);
                less[at] += u64::from(lost);
            }
        }
        let by_signatures = self.by_signatures();
        touched.extend(by_signatures.iter().filter(|&&n| overlaps[n as usize] == 0));
        let own = self.features.facts.shingles;
        let mut candidates = Vec::new();
        for number in touched {
            let at = number as usize;
            let (overlap, size) = (overlaps[at], content.documents[at].facts.shingles);
            let weight = content.weights[at].saturating_sub(less[at]);
            let union = own + size - overlap;
            let jaccard = Resemblance::new(overlap, union);
            let by_sets = jaccard.map_or(Detectors::NONE, |jaccard| {
                found_by_sets(self.options, jaccard, [own, size], || {
                    Weighted::new(shared[at].min(weight), self.weighed.weight, weight)
                })
            });
            let is_found = !by_sets.is_empty() || by_signatures.binary_search(&number).is_ok();
            if is_found || self.wanted.top.is_some() {
                candidates.push(Candidate {
                    number,
                    overlap,
                    shared: shared[at],
                    weight,
                    is_found,
                });
            }
        }
        candidates
    }

    /// Returns the documents that detectors find by their signatures, in ascending order.
    fn by_signatures(&self) -> Vec<u32> {
        let detectors = self.options.signature_detectors();
        if detectors.is_empty() {
            return Vec::new();
        }
        let own = &self.features.facts.signatures;
        let is_found = |other: &[u64]| has_alike(self.options, &detectors, [own, other]);
        let all = (0..).zip(self.index.all());
        let found = all.filter(|(_, kept)| is_found(&kept.facts.signatures));
        found.map(|(number, _)| number).collect()
    }

    /// Returns the match of a candidate with the query document; `None` if it is the document itself, or if it is not wanted.
    fn hit(&self, candidate: &Candidate) -> Option<Hit> {
        let kept = &self.index.all()[candidate.number as usize];
        if !self.asked.name.is_empty() && kept.name == self.asked.name {
            return None;
        }
        let own = &self.features.facts;
        let document = Document {
            fingerprint_at: self.options.fingerprint_at(),
            ..Document::new(kept.name.clone(), kept.facts.clone())
        };
        let both = [&*own.signatures, &*document.signatures];
        let signatures = Signatures::new(self.options, &both);
        let (overlap, sizes) = (candidate.overlap, [own.shingles, document.shingles]);
        let weights = [self.weighed.weight, candidate.weight];
        let weighted = if sizes == [overlap; 2] {
            Weighted::EQUAL
        } else {
            let shared = candidate.shared.min(weights[0]).min(weights[1]);
            Weighted::new(shared, weights[0], weights[1])
        };
        let pair = pair(
            self.options,
            [DocId::from(0), DocId::from(1)],
            [self.asked, &document],
            // Which other documents a document of the index is like is not known.
            (
                SetMeasures::new(overlap, sizes[0] + sizes[1] - overlap, weighted),
                Among {
                    closest: None,
                    versions: &self.versions,
                },
            ),
            signatures.compare(0, 1),
        );
        let is_pair = !pair.found_by.is_empty();
        let rare = candidate.shared * 10_000 / self.weighed.weight.max(1);
        (is_pair || self.wanted.top.is_some()).then(|| Hit {
            document,
            pair,
            is_pair,
            rare: u16::try_from(rare).unwrap_or(10_000),
        })
    }
}

/// How many shingles in a row are looked at together.
const SPAN: u32 = 64;

/// How many of these a document must have, unless the query document has few.
const LEAST: usize = 12;

impl Index {
    /// Returns the documents that have many shingles of a document close together, at most `most` of them, the one that has
    /// most first. The shingles are in the order of the text, as [`dupfind_engine::FeatureMaker`] returns them. A document of
    /// this name is left out; the name may be empty.
    pub fn holding(&self, name: &str, features: &Features, most: usize) -> Vec<&KeptDocument> {
        let least = LEAST.min(features.shingles.len().div_ceil(4)).max(1);
        let mut places: HashMap<u32, Vec<u32>> = HashMap::new();
        for (&shingle, place) in features.shingles.iter().zip(0..) {
            for &holder in self.content.postings.holders(shingle) {
                places.entry(holder).or_default().push(place);
            }
        }
        let each = places.into_iter();
        let each = each.map(|(number, places)| (held(&places, least), number));
        let mut holders: Vec<(usize, u32)> = each.filter(|(held, _)| *held > 0).collect();
        holders.sort_unstable_by_key(|&(held, number)| (Reverse(held), number));
        let documents = holders.iter().map(|&(_, at)| &self.all()[at as usize]);
        let others = documents.filter(|kept| name.is_empty() || kept.name != name);
        others.take(most).collect()
    }
}

/// Returns how many of some ascending places are in a span with `least` of them or more.
fn held(places: &[u32], least: usize) -> usize {
    let (mut count, mut first, mut counted) = (0, 0, 0);
    for (last, place) in places.iter().enumerate() {
        while place - places[first] >= SPAN {
            first += 1;
        }
        if last + 1 - first >= least {
            let start = first.max(counted);
            count += last + 1 - start;
            counted = last + 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_places_that_are_close_together_count() {
        assert_eq!(held(&[0, 100, 200, 300], 2), 0);
        assert_eq!(held(&[0, 10, 20, 100, 300], 3), 3);
        assert_eq!(held(&(0..200).collect::<Vec<_>>(), 12), 200);
        assert_eq!(held(&[], 1), 0);
    }
}
