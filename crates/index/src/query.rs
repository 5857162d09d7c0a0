//! Finds the documents of an index that are like a document.
//!
//! For every shingle of the document its list is read, and for every document in the lists the shared shingles are
//! counted and weighed. So the measures of all documents that share anything are known exactly. The signatures of all
//! documents are compared too. Pairs and their relations are decided as in a scan.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use crate::Index;
use crate::segment::frequencies::frequency_of;
use crate::segment::{Segment, each_number, name_hash, set_hash};
use dupfind_engine::DocId;
use dupfind_engine::Result;
use dupfind_engine::detect::Detectors;
use dupfind_engine::detect::measures::SignatureMeasures;
use dupfind_engine::detect::signature::SignatureDetector;
use dupfind_engine::features::collection::Signatures;
use dupfind_engine::features::document::Document;
use dupfind_engine::join::overlap::sorted;
use dupfind_engine::join::weighted::{Weighted, weight};
use dupfind_engine::pairing::explanation::Explanation;
use dupfind_engine::verdict::pair::pair;
use dupfind_engine::verdict::pair::{Pair, Resemblance};
use dupfind_engine::verdict::{SetMeasures, found_by_sets, found_by_signatures};
use dupfind_engine::{FeatureMaker, Features, Options};
use dupfind_read::{ReadOptions, row_features};

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
    /// How much of the query document is in this one, in ten-thousandths. Rare shingles weigh more.
    pub share: u16,
}

/// The shingles of a document with their weights.
pub(crate) struct WeighedShingles {
    /// The shingles, ascending, each with its weight.
    pub(crate) shingles: Vec<(u64, u32)>,
    /// The weight of all of them.
    pub(crate) weight: u64,
    /// By how much each one weighs less than in the weights of the documents of the index; empty if none does.
    less: Vec<u32>,
}

impl Index {
    /// Returns the documents that are pairs of a text, as a scan of the index with this text would find them. The best
    /// are first. A text without a letter, ideograph or digit has no pairs.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub fn query(&self, text: &str) -> Result<Vec<Explanation>> {
        let mut maker = FeatureMaker::new(&self.options);
        let Some(features) = row_features(&mut maker, text, &ReadOptions::default()) else {
            return Ok(Vec::new());
        };
        let asked = query_document(&self.options, "", &features);
        let wanted = Wanted {
            is_new: true,
            ..Wanted::default()
        };
        let hits = self.hits("", &features, wanted)?;
        Ok(hits
            .into_iter()
            .map(|hit| Explanation {
                documents: [asked.clone(), hit.document],
                pair: hit.pair,
                is_pair: hit.is_pair,
            })
            .collect())
    }

    /// Returns the documents that are like one of these features, the best first. A document of the same name is left
    /// out: it is the query document. Names of documents that are not in the index may be empty.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub fn hits(&self, name: &str, features: &Features, wanted: Wanted) -> Result<Vec<Hit>> {
        let weighed = match wanted.is_new {
            true => self.weigh_new(features)?,
            false => self.weigh(features)?,
        };
        let asked = query_document(&self.options, name, features);
        let options = &self.options.among(self.compared_with(name)?);
        let search = Search {
            options,
            asked: &asked,
            features,
            weighed: &weighed,
            wanted,
        };
        let mut candidates = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            let of_segment = search.candidates(segment)?;
            candidates.extend(of_segment.into_iter().map(|candidate| (at, candidate)));
        }
        if let Some(top) = wanted.top {
            // Pairs are never left out for others; a document of the same name may be among the others.
            candidates.sort_by_key(|(_, c)| (Reverse((c.is_found, c.shared)), Reverse(c.overlap)));
            let pairs = candidates.partition_point(|(_, candidate)| candidate.is_found);
            candidates.truncate(top.saturating_add(1).max(pairs));
        }
        let mut hits = Vec::with_capacity(candidates.len());
        for (at, candidate) in candidates {
            hits.extend(search.hit(&self.segments[at], &candidate)?);
        }
        hits.sort_by(|x, y| order(x).cmp(&order(y)));
        hits.truncate(wanted.top.unwrap_or(usize::MAX));
        Ok(hits)
    }

    /// Returns how many documents are compared with a query document of this name.
    fn compared_with(&self, name: &str) -> Result<usize> {
        let documents = usize::try_from(self.documents()).unwrap_or(usize::MAX);
        if documents >= Options::MIN_WEIGHTED_DOCUMENTS {
            // One more or less makes no difference, and the names need not be read.
            return Ok(documents);
        }
        let hash = name_hash(name);
        let mut is_known = false;
        for segment in &self.segments {
            let names = (0..).zip(segment.names()?);
            is_known |= names
                .into_iter()
                .any(|(number, known)| known == hash && !segment.tombstones.have(number));
        }
        Ok(documents + usize::from(!is_known))
    }

    /// Returns the weighted measures of two documents, which need not be in this index.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub fn weighted(&self, a: &Features, b: &Features) -> Result<Weighted> {
        let [a, b] = [self.weigh(a)?, self.weigh(b)?];
        if a.shingles == b.shingles {
            return Ok(Weighted::EQUAL);
        }
        let shared = a
            .shingles
            .iter()
            .filter(|weighed| b.shingles.binary_search(weighed).is_ok());
        let shared = shared.map(|&(_, weight)| u64::from(weight)).sum();
        Ok(Weighted::new(shared, a.weight, b.weight))
    }

    /// Returns the shingles of a document with their weights in this index.
    pub(crate) fn weigh(&self, features: &Features) -> Result<WeighedShingles> {
        let frequencies = self.frequencies_of(features)?.into_iter();
        let weighed = frequencies.map(|(shingle, known)| (shingle, weight(known.unwrap_or(1))));
        Ok(WeighedShingles::new(weighed.collect(), Vec::new()))
    }

    /// As [`Self::weigh`], of a document that counts too: one document more has each of its shingles, unless the index has
    /// the same set of them.
    fn weigh_new(&self, features: &Features) -> Result<WeighedShingles> {
        let frequencies = self.frequencies_of(features)?;
        let sets = self.segments.iter().map(|segment| segment.set_hashes());
        let sets = sets.collect::<Result<Vec<_>>>()?;
        let own: Vec<u64> = frequencies.iter().map(|(shingle, _)| *shingle).collect();
        let own = set_hash(&own);
        let has_own = |(segment, sets): (&Arc<Segment>, &Vec<u128>)| {
            let mut known = (0..).zip(sets);
            known.any(|(number, set)| *set == own && !segment.tombstones.have(number))
        };
        if self.segments.iter().zip(&sets).any(has_own) {
            return self.weigh(features);
        }
        // The frozen frequencies do not have those that are in one or two documents.
        let mut rare: HashMap<u64, Vec<u128>> = HashMap::new();
        for (segment, sets) in self.segments.iter().zip(&sets) {
            let mut cursor = segment.shingles();
            for &(shingle, _) in frequencies.iter().filter(|(_, known)| known.is_none()) {
                if !cursor.find(shingle)? {
                    continue;
                }
                each_number(cursor.value(), |number| {
                    let known = rare.entry(shingle).or_default();
                    if let Some(set) = sets.get(number as usize)
                        && !segment.tombstones.have(number)
                        && !known.contains(set)
                    {
                        known.push(*set);
                    }
                })?;
            }
        }
        let count = |shingle: &u64| match rare.get(shingle).map_or(0, Vec::len) {
            0 => 0,
            1 => 1,
            _ => 2,
        };
        let (mut shingles, mut less) = (Vec::new(), Vec::new());
        for (shingle, known) in &frequencies {
            let frequency = known.unwrap_or_else(|| count(shingle));
            let now = weight(frequency + 1);
            shingles.push((*shingle, now));
            less.push(weight(frequency) - now);
        }
        Ok(WeighedShingles::new(shingles, less))
    }

    /// Returns the shingles of a document in ascending order, each with its frozen frequency; `None` for one that few
    /// documents have.
    fn frequencies_of(&self, features: &Features) -> Result<Vec<(u64, Option<u32>)>> {
        let mut cursor = self.frequencies.as_ref().map(|frozen| frozen.cursor());
        let shingles = sorted(&features.shingles).into_iter();
        let frequency = |shingle| {
            let known = cursor.as_mut().map(|cursor| frequency_of(cursor, shingle));
            Ok((shingle, known.transpose()?.flatten()))
        };
        shingles.map(frequency).collect()
    }
}

impl WeighedShingles {
    fn new(shingles: Vec<(u64, u32)>, less: Vec<u32>) -> Self {
        let weight = shingles.iter().map(|&(_, weight)| u64::from(weight)).sum();
        Self {
            shingles,
            weight,
            less,
        }
    }
}

/// Returns the key that hits are sorted by: pairs first, in the order of a report, then the others by the share.
fn order(hit: &Hit) -> impl Ord + '_ {
    let pair = &hit.pair;
    let similarity = pair.jaccard().map(Resemblance::steps);
    let by_measures = (pair.relation(), Reverse(similarity), pair.hamming);
    (
        !hit.is_pair,
        hit.is_pair.then_some(by_measures),
        Reverse(hit.share),
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
    options: &'s Options,
    asked: &'s Document,
    features: &'s Features,
    weighed: &'s WeighedShingles,
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
    /// Returns the documents of a segment that may be found.
    fn candidates(&self, segment: &Segment) -> Result<Vec<Candidate>> {
        let count = segment.count() as usize;
        let (mut overlaps, mut shared) = (vec![0_u32; count], vec![0_u64; count]);
        let mut less = vec![0_u64; count];
        let mut touched = Vec::new();
        let mut cursor = segment.shingles();
        for (at, &(shingle, weight)) in self.weighed.shingles.iter().enumerate() {
            let lost = self.weighed.less.get(at).copied().unwrap_or(0);
            if !cursor.find(shingle)? {
                continue;
            }
            each_number(cursor.value(), |number| {
                let Some(overlap) = overlaps.get_mut(number as usize) else {
                    return;
                };
                if *overlap == 0 {
                    touched.push(number);
                }
                *overlap += 1;
                if weight > 0 {
                    shared[number as usize] += u64::from(weight);
                }
                less[number as usize] += u64::from(lost);
            })?;
        }
        let by_signatures = self.by_signatures(segment)?;
        touched.extend(by_signatures.iter().filter(|&&n| overlaps[n as usize] == 0));
        let (sizes, weights) = (segment.sizes()?, segment.weights()?);
        let own = self.features.facts.shingles;
        let mut candidates = Vec::new();
        for number in touched {
            if segment.tombstones.have(number) {
                continue;
            }
            let (at, size) = (number as usize, sizes[number as usize]);
            let weight = weights[at].saturating_sub(less[at]);
            let overlap = overlaps[at].min(size);
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
        Ok(candidates)
    }

    /// Returns the documents of a segment that detectors find by their signatures, in ascending order.
    fn by_signatures(&self, segment: &Segment) -> Result<Vec<u32>> {
        let detectors = self.options.signature_detectors();
        let width: usize = detectors.iter().map(|detector| detector.width()).sum();
        if width == 0 {
            return Ok(Vec::new());
        }
        let own = &self.features.facts.signatures;
        let all = segment.signatures()?.chunks_exact(width);
        let is_found = |other: &[u64]| has_alike(self.options, &detectors, [own, other]);
        let numbered = (0..).zip(all);
        let found =
            numbered.filter(|&(number, other)| is_found(other) && !segment.tombstones.have(number));
        Ok(found.map(|(number, _)| number).collect())
    }

    /// Returns the match of a candidate with the query document; `None` if it is the document itself, or if it is not wanted.
    fn hit(&self, segment: &Segment, candidate: &Candidate) -> Result<Option<Hit>> {
        let kept = segment.document(candidate.number)?;
        if !self.asked.name.is_empty() && kept.name == self.asked.name {
            return Ok(None);
        }
        let own = &self.features.facts;
        let document = Document {
            fingerprint_at: self.options.fingerprint_at(),
            ..Document::new(kept.name, kept.facts)
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
                None,
            ),
            signatures.compare(0, 1),
        );
        let is_pair = !pair.found_by.is_empty();
        let share = candidate.shared * 10_000 / self.weighed.weight.max(1);
        Ok((is_pair || self.wanted.top.is_some()).then(|| Hit {
            document,
            pair,
            is_pair,
            share: u16::try_from(share).unwrap_or(10_000),
        }))
    }
}
