//! The main interface of the library: it finds the pairs and clusters of texts with names.

use std::collections::HashSet;
use std::fmt;

use rayon::prelude::*;

use crate::detect::Detector;
use crate::detect::options::Options;
use crate::features::Features;
use crate::features::collection::{Gathered, Gathering, GatheringWorker};
use crate::features::document::{DocId, Document};
use crate::pairing::cluster::Cluster;
use crate::pairing::document_pairs::PairHandlers;
use crate::pairing::explanation::Explanation;
use crate::pairing::joined::collection::JoinedCollection;
use crate::pairing::judge::Judge;
use crate::pairing::sink::{PairSink, TopPairs};
use crate::pairing::{FoundPairs, find_pairs};
use crate::run::error::{Error, Result};
use crate::run::observer::{Observer, Silent, Stage};
use crate::run::stats::Stats;
use crate::run::threads::in_pool;
use crate::verdict::Counts;
use crate::verdict::pair::Pair;

/// How much text is gathered before features are made of it on all threads, in bytes.
const BATCH: usize = 8 << 20;

/// Finds the near-duplicates among texts.
///
/// Texts are added one by one, each with a name. All pairs are found at the end. They are the same as those of a scan
/// of a folder with these texts.
///
/// # Examples
///
/// ```
/// use dupfind_engine::{DuplicateFinder, Options};
///
/// let mut finder = DuplicateFinder::new(Options::default());
/// finder.add("a", "the old park by the river opened to the public thirty years ago today")?;
/// finder.add("b", "the old park by the river opened to the public fifty years ago today")?;
/// finder.add("c", "图书馆明天上午九点开放")?;
/// let found = finder.finish()?;
/// assert_eq!(found.pairs().len(), 1);
/// assert_eq!(found.name(found.pairs()[0].b), "b");
/// # Ok::<(), dupfind_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct DuplicateFinder {
    options: Options,
    gathering: Gathering,
    names: HashSet<String>,
    /// The names and texts whose features are not made yet.
    waiting: Vec<(String, String)>,
    /// How many bytes these texts have.
    waiting_bytes: usize,
    gathered: Vec<(String, Gathered)>,
    /// The names of the texts that cannot be compared.
    empty: Vec<String>,
    text_bytes: u64,
}

impl DuplicateFinder {
    /// Returns a `DuplicateFinder` without texts.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            // Without the shingle detector sets need not be kept, as signatures are made of each set at once.
            gathering: Gathering::new(&options, options.detectors.have(Detector::Shingle)),
            options,
            names: HashSet::new(),
            waiting: Vec::new(),
            waiting_bytes: 0,
            gathered: Vec::new(),
            empty: Vec::new(),
            text_bytes: 0,
        }
    }

    /// Adds a text. A text without a letter, ideograph or digit is not compared, and its name is in
    /// [`Duplicates::empty`].
    ///
    /// # Errors
    ///
    /// [`Error::NameTwice`] if there is a text of this name, [`Error::Threads`] if the worker threads cannot be
    /// started.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> Result<()> {
        let (name, text) = (self.new_name(name)?, text.into());
        self.waiting_bytes += text.len();
        self.waiting.push((name, text));
        if self.waiting_bytes >= BATCH {
            self.make_features()?;
        }
        Ok(())
    }

    /// As [`Self::add`], for many texts at once, which are not copied. Their features are made at once on all threads. The
    /// observer hears of each text and may stop the run.
    ///
    /// # Errors
    ///
    /// As [`Self::add`]. Also [`Error::Stopped`].
    ///
    /// # Examples
    ///
    /// ```
    /// use dupfind_engine::{DuplicateFinder, Options, Silent};
    ///
    /// let mut finder = DuplicateFinder::new(Options::default());
    /// let texts = ["one two three four five six seven", "one two three four five six eight"];
    /// finder.add_batch((1..).map(|row| row.to_string()).zip(texts).collect(), &Silent)?;
    /// assert_eq!(finder.finish()?.pairs().len(), 1);
    /// # Ok::<(), dupfind_engine::Error>(())
    /// ```
    pub fn add_batch<T: AsRef<str> + Send>(
        &mut self,
        batch: Vec<(String, T)>,
        observer: &dyn Observer,
    ) -> Result<()> {
        let named = batch
            .into_iter()
            .map(|(name, text)| Ok((self.new_name(name)?, text)));
        let batch = named.collect::<Result<Vec<(String, T)>>>()?;
        self.make_features_of(batch, observer)
    }

    /// Returns whether there is a text of this name.
    #[must_use]
    pub fn has_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Adds features that a [`FeatureMaker`](crate::FeatureMaker) has made, with the
    /// same options.
    ///
    /// # Errors
    ///
    /// [`Error::NameTwice`] if there is a text of this name, [`Error::FeaturesDiffer`] if they are features of other
    /// detectors.
    pub fn add_features(&mut self, name: impl Into<String>, features: Features) -> Result<()> {
        let name = self.new_name(name)?;
        features.check(&self.options)?;
        let gathered = self.gathering.worker().add_features(features);
        self.gathered.push((name, gathered));
        Ok(())
    }

    fn new_name(&mut self, name: impl Into<String>) -> Result<String> {
        let name = name.into();
        if self.names.insert(name.clone()) {
            Ok(name)
        } else {
            Err(Error::NameTwice { name })
        }
    }

    /// Makes the features of the texts that have none yet.
    fn make_features(&mut self) -> Result<()> {
        self.waiting_bytes = 0;
        let waiting = std::mem::take(&mut self.waiting);
        self.make_features_of(waiting, &Silent)
    }

    fn make_features_of<T: AsRef<str> + Send>(
        &mut self,
        batch: Vec<(String, T)>,
        observer: &dyn Observer,
    ) -> Result<()> {
        if self.gathering.has_failed() {
            // The error is returned at the end.
            return Ok(());
        }
        let bytes = batch.iter().map(|(_, text)| text.as_ref().len() as u64);
        self.text_bytes += bytes.sum::<u64>();
        let gathering = &self.gathering;
        let make = |worker: &mut GatheringWorker<'_>, (name, text): (String, T)| {
            if observer.is_stopped() {
                return Err(Error::Stopped);
            }
            let gathered = worker.add(text.as_ref());
            observer.advance();
            Ok((name, gathered))
        };
        let made: Vec<(String, Option<Gathered>)> = in_pool(self.options.threads, || {
            let batch = batch.into_par_iter();
            batch.map_init(|| gathering.worker(), make).collect()
        })?;
        for (name, gathered) in made {
            match gathered {
                Some(gathered) => self.gathered.push((name, gathered)),
                None => self.empty.push(name),
            }
        }
        Ok(())
    }

    /// Finds the pairs and clusters of all texts.
    ///
    /// # Errors
    ///
    /// There are more texts or shingles than 32 bits can number, the worker threads cannot be started, or a temporary
    /// file cannot be written.
    pub fn finish(self) -> Result<Duplicates> {
        let mut best = TopPairs::all();
        let mut found = self.finish_with(&Silent, Some(&mut best))?;
        found.pairs = best.into_pairs();
        Ok(found)
    }

    /// As [`Self::finish`], for runs with more pairs than memory holds. The sink gets the pairs as they are found.
    /// Without a sink they are only counted. [`Duplicates::pairs`] is empty in both cases. The observer follows the run and
    /// may stop it.
    ///
    /// # Errors
    ///
    /// As [`Self::finish`]. Also [`Error::Stopped`], and [`Error::Sink`] with the error of the sink.
    pub fn finish_with<'t>(
        self,
        observer: &dyn Observer,
        sink: Option<&'t mut (dyn PairSink + 't)>,
    ) -> Result<Duplicates> {
        self.finish_judged(observer, |_| None, sink)
    }

    /// As [`Self::finish_with`]. `judge` gets the documents and returns the judge of their pairs, if there is one.
    ///
    /// # Errors
    ///
    /// As [`Self::finish_with`].
    pub fn finish_judged<'t>(
        mut self,
        observer: &dyn Observer,
        judge: impl FnOnce(&[Document]) -> Option<&'t mut (dyn Judge + 't)>,
        sink: Option<&'t mut (dyn PairSink + 't)>,
    ) -> Result<Duplicates> {
        observer.stage(Stage::Read, None);
        self.make_features()?;
        if observer.is_stopped() {
            return Err(Error::Stopped);
        }
        self.gathered.sort_unstable_by(|x, y| x.0.cmp(&y.0));
        self.empty.sort_unstable();
        let options = &self.options;
        let stats = Stats {
            bytes: self.text_bytes,
            ..Stats::default()
        };
        let mut collection = in_pool(options.threads, || {
            self.gathering.collect(self.gathered, stats)
        })?;
        let handlers = PairHandlers {
            judge: judge(&collection.documents),
            sink,
        };
        let FoundPairs {
            counts,
            clusters,
            sets,
            group_of,
            closest,
            unshared,
        } = in_pool(options.threads, || {
            find_pairs(options, observer, &mut collection, handlers, None)
        })?;
        Ok(Duplicates {
            documents: collection.documents,
            pairs: Vec::new(),
            counts,
            clusters,
            empty: self.empty,
            joined: JoinedCollection {
                signatures: collection.signatures,
                sets,
                group_of,
                closest,
            },
            unshared,
            stats: collection.stats,
            options: self.options,
        })
    }
}

/// The pairs and clusters of a [`DuplicateFinder`].
pub struct Duplicates {
    /// The documents, ordered by name. A [`DocId`] is a position in them.
    pub documents: Vec<Document>,
    pairs: Vec<Pair>,
    /// How many pairs there are of each relation.
    pub counts: Counts,
    /// The clusters, the largest first.
    pub clusters: Vec<Cluster>,
    /// The names of the texts without a letter, ideograph or digit, in order. They were not compared.
    pub empty: Vec<String>,
    /// The joined features: any two documents can still be measured.
    pub joined: JoinedCollection,
    /// How many shingles of each document no other document has; `None` if the shingle detector was off.
    pub unshared: Option<Vec<u32>>,
    /// What the run cost.
    pub stats: Stats,
    options: Options,
}

impl fmt::Debug for Duplicates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Duplicates")
            .field("documents", &self.documents.len())
            .field("pairs", &self.pairs)
            .field("clusters", &self.clusters)
            .finish_non_exhaustive()
    }
}

impl Duplicates {
    /// Returns the pairs: copies first, then the most similar, then the nearest, then by name. There are none here
    /// after [`DuplicateFinder::finish_with`].
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns the name of a text.
    #[must_use]
    pub fn name(&self, id: DocId) -> &str {
        &self.documents[id.index()].name
    }

    /// Returns the id of the text of a name; `None` if no such text was compared.
    #[must_use]
    pub fn id(&self, name: &str) -> Option<DocId> {
        let position = self
            .documents
            .binary_search_by(|document| document.name.as_str().cmp(name));
        DocId::new(position.ok()?).ok()
    }

    /// Returns the relation of two texts among all the others, and the reason for it. They need not be a pair.
    ///
    /// # Errors
    ///
    /// [`Error::TempFile`] if shingle sets are in a file that cannot be read.
    ///
    /// # Panics
    ///
    /// If an id is not that of one of these texts.
    pub fn explain(&self, a: DocId, b: DocId) -> Result<Explanation> {
        let pair = self.joined.pair(&self.options, &self.documents, [a, b])?;
        Ok(Explanation::of(&self.documents, pair))
    }
}
