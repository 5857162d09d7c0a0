//! The main interface of the library: it finds the pairs and clusters of texts with names.

use crate::detect::Detector;
use crate::detect::options::Options;
use crate::features::collection::{Gathered, Gathering, GatheringWorker};
use crate::join::inverted::prepared::in_rounds;
use crate::join::inverted::{Alike, Index, SetPair};
use crate::pairing::document_pairs::PairHandlers;
use crate::pairing::sink::TopPairs;
use crate::pairing::{Found, find_pairs};
use crate::run::{Error, Result, Silent, Stats, in_pool};
use rayon::iter::Either;
use rayon::prelude::*;
use std::ops::Range;

/// Finds the near-duplicates among texts, each with a name of its own. The pairs are the same as those of a scan of a folder
/// with these texts. A text without a letter, ideograph or digit is not compared, and its name is in [`Found::empty`].
///
/// # Errors
///
/// [`Error::NameTwice`]. There are more texts or shingles than 32 bits can number, the worker threads cannot be started, or a
/// temporary file cannot be written.
///
/// # Examples
///
/// ```
/// use dupfind_engine::{Options, find_duplicates};
///
/// let texts = [
///     ("a", "the old park by the river opened to the public thirty years ago today"),
///     ("b", "the old park by the river opened to the public fifty years ago today"),
///     ("c", "图书馆明天上午九点开放"),
/// ];
/// let found = find_duplicates(&Options::default(), texts)?;
/// assert_eq!(found.pairs.len(), 1);
/// assert_eq!(found.name(found.pairs[0].b), "b");
/// # Ok::<(), dupfind_engine::Error>(())
/// ```
pub fn find_duplicates<N: Into<String>, T: AsRef<str> + Send>(
    options: &Options,
    texts: impl IntoIterator<Item = (N, T)>,
) -> Result<Found> {
    let texts = texts.into_iter().map(|(name, text)| (name.into(), text));
    let mut texts: Vec<(String, T)> = texts.collect();
    texts.sort_unstable_by(|x, y| x.0.cmp(&y.0));
    if let Some(two) = texts.windows(2).find(|two| two[0].0 == two[1].0) {
        let name = two[0].0.clone();
        return Err(Error::NameTwice { name });
    }
    // Without the shingle detector sets need not be kept, as signatures are made of each set at once.
    let gathering = Gathering::new(options, options.detectors.have(Detector::Shingle));
    let make = |worker: &mut GatheringWorker<'_>, (name, text): (String, T)| match worker
        .add(text.as_ref())
    {
        Some(gathered) => Either::Left((name, gathered)),
        None => Either::Right(name),
    };
    in_pool(options.threads, || {
        let made = texts.into_par_iter().map_init(|| gathering.worker(), make);
        let (gathered, empty): (Vec<(String, Gathered)>, _) = made.partition_map(|made| made);
        let collection = gathering.collect(gathered, Stats::default())?;
        let mut best = TopPairs::all();
        let handlers = PairHandlers {
            judge: None,
            sink: Some(&mut best),
        };
        let found = find_pairs(options, &Silent, collection, handlers, None)?;
        Ok(Found {
            pairs: best.into_pairs(),
            empty,
            ..found
        })
    })
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
