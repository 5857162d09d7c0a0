//! The main interface of the library: it finds the pairs and clusters of texts with names.

use crate::detect::Detector;
use crate::detect::options::Options;
use crate::features::Features;
use crate::features::collection::{Gathered, Gathering, GatheringWorker};
use crate::join::inverted::prepared::in_rounds;
use crate::join::inverted::{Alike, Index, SetPair};
use crate::pairing::document_pairs::PairHandlers;
use crate::pairing::sink::{PairSink, TopPairs};
use crate::pairing::{Found, find_pairs};
use crate::run::{Error, Observer, Result, Silent, Stage, Stats, in_pool};
use rayon::prelude::*;
use std::collections::HashSet;
use std::ops::Range;

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
/// assert_eq!(found.pairs.len(), 1);
/// assert_eq!(found.name(found.pairs[0].b), "b");
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
    /// [`Found::empty`].
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
        if self.gathering.has_failed() {
            // The error is returned at the end.
            return Ok(());
        }
        let bytes = waiting.iter().map(|(_, text)| text.len() as u64);
        self.text_bytes += bytes.sum::<u64>();
        let gathering = &self.gathering;
        let make = |worker: &mut GatheringWorker<'_>, (name, text): (String, String)| {
            (name, worker.add(&text))
        };
        let made: Vec<(String, Option<Gathered>)> = in_pool(self.options.threads, || {
            let waiting = waiting.into_par_iter();
            Ok(waiting.map_init(|| gathering.worker(), make).collect())
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
    pub fn finish(self) -> Result<Found> {
        let mut best = TopPairs::all();
        let mut found = self.finish_with(&Silent, Some(&mut best))?;
        found.pairs = best.into_pairs();
        Ok(found)
    }

    /// As [`Self::finish`], for runs with more pairs than memory holds. The sink gets the pairs as they are found.
    /// Without a sink they are only counted. [`Found::pairs`] is empty in both cases. The observer follows the run and
    /// may stop it.
    ///
    /// # Errors
    ///
    /// As [`Self::finish`]. Also [`Error::Stopped`], and [`Error::Sink`] with the error of the sink.
    pub fn finish_with<'t>(
        mut self,
        observer: &dyn Observer,
        sink: Option<&'t mut (dyn PairSink + 't)>,
    ) -> Result<Found> {
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
        let handlers = PairHandlers { judge: None, sink };
        let found = in_pool(options.threads, || {
            let collection = self.gathering.collect(self.gathered, stats)?;
            find_pairs(options, observer, collection, handlers, None)
        })?;
        Ok(Found {
            empty: self.empty,
            ..found
        })
    }
}

/// Calls `take` with the pairs of the probing sets that are similar enough or share enough weight, and with the
/// measures of the `candidates`. These are pairs `(later, earlier)`, ordered, that have documents with similar
/// signatures.
///
/// If all detectors must find a pair and some of them compare signatures, only candidates can be reported. Then
/// nothing else is looked for. For 64,000 documents that takes 11 ms instead of 4.7 s, once they are indexed.
///
/// # Errors
///
/// Those of `take`.
pub fn search(
    index: &Index,
    probing: Range<u32>,
    options: &Options,
    mut candidates: Vec<(u32, u32)>,
    take: impl FnMut(Range<u32>, Vec<SetPair>) -> Result<()> + Send,
) -> Result<()> {
    let threshold = options.min_jaccard;
    if let Some(containment) = options.containment {
        // Pairs that are similar enough are found anyway.
        candidates.extend(index.contained(probing.clone(), containment, Some(threshold)));
        candidates.par_sort_unstable();
        candidates.dedup();
    }
    let alike = Alike {
        jaccard: threshold,
        weighted: options.weighted(),
    };
    in_rounds(probing, |part| index.pairs(part, alike, &candidates), take)
}
