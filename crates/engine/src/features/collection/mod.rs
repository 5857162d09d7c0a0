//! The features of all documents of a run.

pub mod store;

use crate::detect::options::Options;
use crate::detect::{SignatureDetector, SignatureMeasures};
use crate::features::collection::store::sets::{Blocks, SetPlace, SetWriter, Sets};
use crate::features::document::{DocId, Document};
use crate::features::{Facts, FeatureMaker, Features};
use crate::join::groups::Groups;
use crate::join::inverted::distinct::SetKey;
use crate::run::{Result, Stats};
use crate::text::blocks::{BlockKind, Layout};
use crate::text::title::TitledText;
use rayon::prelude::*;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// The documents of a run as features, ready to be joined.
#[derive(Debug)]
pub struct Collection {
    /// The documents, ordered by name.
    pub documents: Vec<Document>,
    /// The shingle set of each document; all are empty if no detector needs them or they are not kept.
    pub sets: Sets,
    /// The signatures of each document, for the detectors that need them.
    pub signatures: Signatures,
    /// What it cost.
    pub stats: Stats,
}

impl Collection {
    /// Returns the features of a document. Its shingle set must be kept.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TempFile`].
    pub fn features(&self, position: u32) -> Result<Features> {
        let document = &self.documents[position as usize];
        let facts = Facts::clone(&document.facts);
        let shingles = self.sets.load(&[position])?;
        Ok(Features { facts, shingles })
    }
}

/// Gathers the features of documents, from several threads.
#[derive(Debug)]
pub struct Gathering {
    options: Options,
    blocks: Blocks,
    /// Whether shingle sets are kept, and not only their sizes.
    keeps_sets: bool,
}

/// The features of a document. Its shingle set is with those of the others.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    facts: Arc<Facts>,
    set: SetPlace,
}

impl Gathering {
    /// Returns a gathering without documents. Shingle sets are kept only if `keeps_sets`.
    pub fn new(options: &Options, keeps_sets: bool) -> Self {
        Self {
            options: options.clone(),
            blocks: Blocks::new(options.budget.clone()),
            keeps_sets,
        }
    }

    /// Returns whether a set could not be kept. Then [`Self::collect`] fails.
    pub fn has_failed(&self) -> bool {
        self.blocks.has_failed()
    }

    /// Returns a worker for one thread.
    pub fn worker(&self) -> GatheringWorker<'_> {
        GatheringWorker {
            maker: FeatureMaker::new(&self.options),
            sets: SetWriter::new(&self.blocks),
            gathering: self,
            recent: vec![(0, None); RECENT],
        }
    }

    /// Returns the collection of all documents. They must be ordered by name.
    ///
    /// # Errors
    ///
    /// [`crate::run::Error::TempFile`] if a shingle set could not be kept,
    /// [`crate::run::Error::TooMuch`].
    pub fn collect(
        self,
        gathered: Vec<(String, Gathered)>,
        mut stats: Stats,
    ) -> Result<Collection> {
        DocId::new(gathered.len())?;
        let fingerprint_at = self.options.fingerprint_at();
        let places = gathered.iter().map(|(_, it)| it.set).collect();
        // The documents take the memory of what was gathered, as they may be millions.
        let documents = gathered.into_iter().map(|(name, Gathered { facts, .. })| {
            stats.tokens += u64::from(facts.tokens);
            stats.shingles += u64::from(facts.shingles);
            Document {
                fingerprint_at: fingerprint_at.clone(),
                ..Document::new(name, facts)
            }
        });
        let mut documents: Vec<Document> = documents.collect();
        documents.shrink_to_fit();
        let of_all: Vec<&[u64]> = documents.iter().map(|it| &*it.signatures).collect();
        let signatures = Signatures::new(&self.options, &of_all);
        Ok(Collection {
            documents,
            sets: self.blocks.into_sets(places)?,
            signatures,
            stats,
        })
    }
}

/// How many texts a worker knows again.
const RECENT: usize = 1 << 10;

/// Makes features for one thread.
#[derive(Debug)]
pub struct GatheringWorker<'g> {
    maker: FeatureMaker,
    sets: SetWriter<'g>,
    gathering: &'g Gathering,
    /// The hashes of texts that came before, and the features of those that came again. The features of a thousand copies of
    /// an error page are made twice, and their shingle set is kept as often.
    recent: Vec<(u128, Option<Gathered>)>,
}

impl GatheringWorker<'_> {
    /// Makes and keeps the features of a text. Returns `None` if it has no letter, ideograph or digit.
    pub fn add<'t>(&mut self, text: impl Into<TitledText<'t>>) -> Option<Gathered> {
        let text = text.into();
        let hash = hash_of(text);
        let place = usize::try_from(hash % RECENT as u128).unwrap_or_default();
        let (known, gathered) = &self.recent[place];
        let is_again = *known == hash;
        if let (true, Some(gathered)) = (is_again, gathered) {
            return Some(gathered.clone());
        }
        let gathered = self.make(text);
        self.recent[place] = (hash, gathered.clone().filter(|_| is_again));
        gathered
    }

    fn make(&mut self, text: TitledText<'_>) -> Option<Gathered> {
        let (sets, keeps) = (&mut self.sets, self.gathering.keeps_sets);
        let keep = &mut |set: &[u64]| kept(sets, keeps, set);
        let (facts, set) = self.maker.features_keeping(text, keep)?;
        Some(Gathered::new(facts, set))
    }

    /// Keeps features that were made before.
    pub fn add_features(&mut self, features: Features) -> Gathered {
        let set = kept(
            &mut self.sets,
            self.gathering.keeps_sets,
            &features.shingles,
        );
        Gathered::new(features.facts, set)
    }
}

/// Returns a hash of all that features are made of.
fn hash_of(titled: TitledText<'_>) -> u128 {
    let TitledText {
        text,
        title,
        layout,
        is_generated,
        source,
    } = titled;
    let mut hash = Xxh3::new();
    hash.update(&[u8::from(is_generated)]);
    hash.update(&source.unwrap_or(0).to_le_bytes());
    for part in [title, titled.heading(), Some(text)] {
        let length = part.map_or(u64::MAX, |part| part.len() as u64);
        hash.update(&length.to_le_bytes());
        hash.update(part.unwrap_or_default().as_bytes());
    }
    let code = |layout: &Layout| layout.blocks_of(&[BlockKind::Code], text.len());
    for code in layout.into_iter().flat_map(code) {
        for end in [code.start, code.end] {
            hash.update(&end.to_le_bytes());
        }
    }
    hash.digest128()
}

impl Gathered {
    fn new(facts: Facts, set: SetPlace) -> Self {
        let facts = Arc::new(facts);
        Self { facts, set }
    }

    /// Returns features that were made before, without the shingle set. Of that only the key is known.
    pub fn without_set(facts: Facts, key: SetKey) -> Self {
        Self::new(facts, SetPlace::not_kept(key))
    }
}

/// Keeps a set, or only its size if not `keeps`. Returns where it is.
fn kept(sets: &mut SetWriter<'_>, keeps: bool, set: &[u64]) -> SetPlace {
    if keeps {
        sets.write(set)
    } else {
        SetPlace::not_kept(SetKey::of(set))
    }
}

/// The signatures of all documents, by detector.
#[derive(Debug, Default)]
pub struct Signatures {
    columns: Vec<Column>,
}

/// The signatures of one detector.
#[derive(Debug)]
struct Column {
    detector: Box<dyn SignatureDetector>,
    width: usize,
    /// The signatures of all documents, one after the other.
    values: Vec<u64>,
}

impl Column {
    fn of(&self, document: u32) -> &[u64] {
        &self.values[document as usize * self.width..][..self.width]
    }
}

impl Signatures {
    /// Returns the signatures of all documents. Those of one document have the order of
    /// [`Options::signature_detectors`].
    pub fn new(options: &Options, documents: &[&[u64]]) -> Self {
        let mut start = 0;
        let columns = options.signature_detectors().into_iter().map(|detector| {
            let width = detector.width();
            let own = start..start + width;
            start = own.end;
            let mut values = Vec::with_capacity(width * documents.len());
            values.extend(documents.iter().flat_map(|all| &all[own.clone()]));
            Column {
                detector,
                width,
                values,
            }
        });
        let mut columns: Vec<Column> = columns.collect();
        columns.sort_by_key(|column| column.detector.detector());
        Self { columns }
    }

    /// Returns how the signatures of two documents compare.
    pub fn compare(&self, a: u32, b: u32) -> SignatureMeasures {
        let mut measures = SignatureMeasures::default();
        for column in &self.columns {
            let measure = column.detector.measure(column.of(a), column.of(b));
            measures.set(column.detector.detector(), measure);
        }
        measures
    }

    /// Returns the groups of documents that have all signatures in common. `documents` is how many there are.
    pub(crate) fn groups(&self, documents: usize) -> Groups {
        let count = u32::try_from(documents).expect("positions are 32 bits wide");
        let key = |document: u32| self.columns.iter().map(move |column| column.of(document));
        let mut order: Vec<u32> = (0..count).collect();
        order.par_sort_unstable_by(|&x, &y| key(x).cmp(key(y)).then(x.cmp(&y)));
        Groups::of(order, |x, y| key(x).eq(key(y)))
    }

    /// Returns the pairs `(later, earlier)` of different groups, ordered, that have documents with similar
    /// signatures. `group_of` has the group of each document.
    pub fn similar(&self, group_of: &[u32]) -> Vec<(u32, u32)> {
        let found = self.columns.iter();
        let found = found.map(|column| column.detector.similar(&column.values).of_groups(group_of));
        let mut found: Vec<Vec<(u32, u32)>> = found.collect();
        if found.len() == 1 {
            return found.remove(0);
        }
        let mut pairs = found.concat();
        pairs.par_sort_unstable();
        pairs.dedup();
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_the_features_of_the_first_and_one_set() {
        let gathering = Gathering::new(&Options::default(), true);
        let texts = ["one two three four", "five six seven eight nine"];
        let mut worker = gathering.worker();
        let mut add = |text: &str| worker.add(text).unwrap();
        let gathered: Vec<Gathered> = (0..8).map(|at| add(texts[at % 2])).collect();
        let titled = worker.add(TitledText {
            title: Some("another title"),
            ..texts[0].into()
        });
        assert_ne!(titled.unwrap().facts.title, gathered[0].facts.title);
        let generated = worker.add(TitledText {
            is_generated: true,
            ..texts[0].into()
        });
        assert!(generated.unwrap().facts.is_generated);
        for (at, copy) in gathered.iter().enumerate() {
            assert_eq!(copy.facts, gathered[at % 2].facts);
        }
        drop(worker);
        let places = gathered.iter().map(|copy| copy.set).collect();
        let sets = gathering.blocks.into_sets(places).unwrap();
        assert_eq!(sets.load(&[0]).unwrap(), sets.load(&[6]).unwrap());
        assert_eq!(sets.load(&[1]).unwrap(), sets.load(&[7]).unwrap());
        // Of the first two each, and no more of them; that of the other title, and that of the generated one.
        assert_eq!(sets.kept(), 4 * 2 + 2 * 3);
    }
}
