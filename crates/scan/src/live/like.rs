//! The documents that are like one of a live collection, each with the relation that a scan would give.
//!
//! Whether two documents are `near` or `variant` depends on which other documents each of them is like ([`Closest`]).
//! If something else is much more like the document, the pairs of those that may be its duplicates are looked at too,
//! and the pairs of their duplicates, the most similar ones first.
//!
//! A text that the collection does not have is compared with it as a scan compares it with a reference.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::ScanJudge;
use crate::live::Live;
use dupfind_engine::join::shared::{overlap, sorted};
use dupfind_engine::pairing::closest::Closest;
use dupfind_engine::verdict::pair::measure;
use dupfind_engine::verdict::rules::is_less_alike;
use dupfind_engine::verdict::versions::Versions;
use dupfind_engine::{DocId, Document, FeatureMaker, Features, Pair, Relation, Result};
use dupfind_index::{Hit, Wanted, has_alike, query_document};
use dupfind_read::Ingested;

/// The most documents in which the passages of a text are looked for. Each has to be read.
const MAX_HOLDERS: usize = 200;

/// The fewest shingles that an open text shares, if passages are looked for in it, unless the text has few.
const LEAST_SHARED: usize = 12;

/// The most other documents whose pairs are looked at. Each has to be read again.
const MAX_OTHERS: usize = 40;

/// The documents that are like a text. The text is document 0.
pub struct Like {
    /// The text, the documents that are its pairs, some that these are like, and those that may hold its passages.
    pub documents: Vec<Document>,
    /// The pairs of the text, the best first: `a` is document 0.
    pub pairs: Vec<Pair>,
    /// The documents that may hold passages of it, the one that has most of it first. Some are pairs.
    pub holders: Vec<DocId>,
}

/// Documents and their pairs.
struct Around {
    documents: Vec<Document>,
    ids: HashMap<String, DocId>,
    pairs: Vec<Pair>,
    known: HashSet<[DocId; 2]>,
}

impl Around {
    /// Returns the number of a document, which is added if it is not known.
    fn number(&mut self, document: Document) -> Result<DocId> {
        if let Some(&id) = self.ids.get(&document.name) {
            return Ok(id);
        }
        let id = DocId::new(self.documents.len())?;
        self.ids.insert(document.name.clone(), id);
        self.documents.push(document);
        Ok(id)
    }

    /// Adds a pair of one of the documents and another one. Returns the other one; `None` if the pair is known.
    fn add(&mut self, one: DocId, document: Document, pair: Pair) -> Result<Option<DocId>> {
        let other = self.number(document)?;
        let (a, b) = (one.min(other), one.max(other));
        if !self.known.insert([a, b]) {
            return Ok(None);
        }
        self.pairs.push(Pair { a, b, ..pair });
        Ok(Some(other))
    }
}

fn similarity(pair: &Pair) -> u16 {
    pair.weighted().map_or(0, |weighted| weighted.similarity)
}

/// Returns whether two documents are duplicates, whatever else they are like.
fn may_be_duplicates(pair: &&Pair) -> bool {
    pair.relation() <= Relation::Contains
}

impl Live {
    /// Returns the documents that are like a document of this name, without itself. The name may be empty. The judge
    /// decides which documents are compared. `None` if the document has no text, or asks not to be compared.
    ///
    /// # Errors
    ///
    /// There are too many documents.
    pub fn like(
        &self,
        name: &str,
        document: &Ingested<'_>,
        judge: &mut dyn ScanJudge,
    ) -> Result<Option<Like>> {
        let Some(features) = self.features(name, document) else {
            return Ok(None);
        };
        let holders = self.holders(name, &features);
        self.judged(name, &features, holders, judge).map(Some)
    }

    /// Returns the documents of the index that are like one of these features, the best first, as
    /// [`Index::hits`](dupfind_index::Index::hits) does. Pairs have the relation that a scan would give.
    ///
    /// # Errors
    ///
    /// There are too many documents.
    pub fn hits(
        &self,
        name: &str,
        features: &Features,
        wanted: Wanted,
        judge: &mut dyn ScanJudge,
    ) -> Result<Vec<Hit>> {
        let is_new = self.is_new(name);
        let wanted = Wanted { is_new, ..wanted };
        let mut hits = self.index.hits(name, features, wanted);
        let like = self.judged(name, features, Vec::new(), judge)?;
        let by_name = like.pairs.iter();
        let by_name = by_name.map(|pair| (like.documents[pair.b.index()].name.as_str(), pair));
        let by_name: HashMap<&str, &Pair> = by_name.collect();
        for hit in &mut hits {
            if let Some(&&pair) = by_name.get(hit.document.name.as_str()) {
                let (a, b) = (hit.pair.a, hit.pair.b);
                hit.pair = Pair { a, b, ..pair };
            }
        }
        hits.sort_by_key(|hit| (!hit.is_pair, hit.is_pair.then_some(hit.pair.relation())));
        Ok(hits)
    }

    /// Returns the documents that are like a document, and those that may hold passages of it.
    fn judged(
        &self,
        name: &str,
        features: &Features,
        holders: Vec<Document>,
        judge: &mut dyn ScanJudge,
    ) -> Result<Like> {
        let asked = query_document(&self.options.engine, name, features);
        let mut around = Around {
            ids: HashMap::from([(asked.name.clone(), DocId::from(0))]),
            documents: vec![asked],
            pairs: Vec::new(),
            known: HashSet::new(),
        };
        for (document, pair) in self.pairs_of(name, features) {
            around.add(DocId::from(0), document, pair)?;
        }
        let own = around.pairs.len();
        // The documents of a reference are not compared with each other.
        let is_new = self.is_new(name);
        if !is_new {
            self.look_around(&mut around)?;
        }
        let holders = holders.into_iter().map(|holder| around.number(holder));
        let holders = holders.collect::<Result<_>>()?;
        let Around {
            mut documents,
            pairs,
            ..
        } = around;
        let sources = self.sources(&documents, is_new);
        sources.mark(&mut documents);
        judge.documents(&documents, &sources);
        let among = self.options.engine.among(self.count());
        let compared = pairs.iter().filter(|pair| judge.compares(pair.a, pair.b));
        let versions = Versions::of(|take| {
            let kept = self.index.all().iter();
            let kept =
                kept.filter(|kept| kept.facts.shingles > 0 && !self.open.contains_key(&kept.name));
            kept.for_each(|kept| take(&kept.name));
            let open = self.open.iter().filter(|(_, open)| open.features.is_some());
            open.for_each(|(name, _)| take(name));
            take(name);
        });
        let alone = Closest::default();
        let compared = compared.map(|pair| alone.judged(&among, &documents, &versions, pair));
        let compared: Vec<Pair> = compared.collect();
        let closest = Closest::of_pairs(&among, &documents, &versions, &compared);
        let pairs = pairs[..own].iter();
        let pairs = pairs.map(|pair| closest.judged(&among, &documents, &versions, pair));
        let mut pairs: Vec<Pair> = pairs.collect();
        pairs.sort_by_key(|pair| {
            let steps = pair.jaccard().map(|jaccard| jaccard.steps());
            (pair.relation(), Reverse(steps), pair.b)
        });
        Ok(Like {
            documents,
            pairs,
            holders,
        })
    }

    /// Adds the pairs of other documents, if these can change a relation of the first one.
    fn look_around(&self, around: &mut Around) -> Result<()> {
        let best = around.pairs.iter().map(similarity).max().unwrap_or(0);
        let is_scanned = self.options.engine.compares_scans();
        let mut own = around.pairs.iter().filter(may_be_duplicates);
        if !own.any(|pair| is_less_alike(similarity(pair), best, is_scanned)) {
            return Ok(());
        }
        let (mut at, mut seen) = (DocId::from(0), HashSet::new());
        let mut waiting: Vec<(u16, DocId)> = Vec::new();
        let mut first = 0;
        loop {
            let new = around.pairs[first..].iter().filter(may_be_duplicates);
            for pair in new {
                let other = if pair.a == at { pair.b } else { pair.a };
                if other != DocId::from(0) && seen.insert(other) {
                    waiting.push((similarity(pair), other));
                }
            }
            first = around.pairs.len();
            let next = (0..waiting.len()).max_by_key(|&place| (waiting[place].0, Reverse(place)));
            let Some(next) = next.filter(|_| seen.len() - waiting.len() < MAX_OTHERS) else {
                return Ok(());
            };
            at = waiting.remove(next).1;
            let name = around.documents[at.index()].name.clone();
            let features = match self.open.get(&name) {
                Some(open) => open.features.clone(),
                None => self
                    .read(&name)
                    .and_then(|read| self.features(&name, &read)),
            };
            let pairs = match features {
                Some(features) => self.pairs_of(&name, &features),
                None => continue,
            };
            for (document, pair) in pairs {
                // The first one may be another text than the index has.
                if around.ids.get(&document.name) != Some(&DocId::from(0)) {
                    around.add(at, document, pair)?;
                }
            }
        }
    }

    /// Returns the features of a document; `None` if it has no text, or asks not to be compared.
    pub(super) fn features(&self, name: &str, document: &Ingested<'_>) -> Option<Features> {
        document.note(name).ok()?;
        FeatureMaker::new(&self.options.engine).features(document.titled())
    }

    /// Returns whether a text is of no file of the index.
    fn is_new(&self, name: &str) -> bool {
        name.is_empty() || self.file(name).is_none()
    }

    fn count(&self) -> usize {
        usize::try_from(self.documents()).unwrap_or(usize::MAX)
    }

    /// Returns the documents that are pairs of one, each with the pair. Its relation does not depend on others.
    fn pairs_of(&self, name: &str, features: &Features) -> Vec<(Document, Pair)> {
        let engine = &self.options.engine;
        let wanted = Wanted {
            is_new: self.is_new(name),
            ..Wanted::default()
        };
        let hits = self.index.hits(name, features, wanted);
        let is_current = |name: &str| !self.open.contains_key(name);
        let hits = hits.into_iter();
        let hits = hits.filter(|hit| hit.is_pair && is_current(&hit.document.name));
        let mut pairs: Vec<_> = hits.map(|hit| (hit.document, hit.pair)).collect();
        let detectors = engine.signature_detectors();
        for (other, of_other, shared) in self.open_beside(name, features) {
            let signatures = [features, of_other].map(|of| &*of.facts.signatures);
            // Most of many open texts share nothing.
            let weighted = match shared {
                0 if !has_alike(engine, &detectors, signatures) => continue,
                0 => None,
                _ => Some(self.index.weighted(features, of_other)),
            };
            let two = [(name.to_owned(), features), (other.clone(), of_other)];
            let among = engine.among(self.count());
            let ([_, document], pair) = measure(&among, two, weighted);
            if !pair.found_by.is_empty() {
                pairs.push((document, pair));
            }
        }
        pairs
    }

    /// Returns the other texts that are open, each with its features and the number of shingles that it shares.
    fn open_beside(
        &self,
        name: &str,
        features: &Features,
    ) -> impl Iterator<Item = (&String, &Features, u32)> {
        let own = sorted(&features.shingles);
        let others = self.open.iter().filter(move |(other, _)| *other != name);
        others.filter_map(move |(other, open)| {
            let of_other = open.features.as_ref()?;
            Some((other, of_other, overlap(&own, &of_other.shingles)))
        })
    }

    /// Returns the documents that may hold passages of a text, the one that has most of it first. Open texts follow.
    fn holders(&self, name: &str, features: &Features) -> Vec<Document> {
        let kept = self.index.holding(name, features, MAX_HOLDERS).into_iter();
        let kept = kept.filter(|kept| !self.open.contains_key(&kept.name));
        let kept = kept.map(|kept| Document::new(kept.name.clone(), kept.facts.clone()));
        let shingles = features.shingles.len();
        let least = LEAST_SHARED.min(shingles.div_ceil(4)).max(1);
        let open = self.open_beside(name, features);
        let open = open.filter(|(_, _, shared)| *shared as usize >= least);
        let open = open.map(|(name, of, _)| query_document(&self.options.engine, name, of));
        kept.chain(open).collect()
    }
}
