//! The outcome of a scan, from the documents of a job and the pairs that its tasks found.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::engine::Options;
use crate::engine::collection::store::sets::Sets;
use crate::engine::collection::{Gathered, Gathering};
use crate::engine::observer::Observer;
use crate::engine::pairing::document_pairs::PairHandlers;
use crate::engine::pairing::find_pairs;
use crate::engine::pairing::joined_collection::JoinedCollection;
use crate::engine::pairing::judge::Judge;
use crate::engine::pairing::known_join::{KnownJoin, KnownPairs, SetPairs, SetsToJoin};
use crate::engine::pairing::sink::PairSink;
use crate::engine::stats::Stats;
use crate::error::{Error, Result};
use crate::join::index::SetPair;
use crate::join::pairwise::overlap;
use crate::scan::ScanJudge;
use crate::scan::outcome::{Outcome, Source, Sources};
use crate::tiles::frozen::Frozen;

/// A document of a job.
pub(super) struct JobDocument {
    pub(super) name: String,
    /// What is kept of it besides its set.
    pub(super) gathered: Gathered,
    pub(super) source: Source,
    /// The rank of its set.
    pub(super) rank: u32,
}

/// Returns the sets of some ranks, which ascend. The shingles of each set ascend.
pub(super) type LoadSets<'j> = dyn Fn(&[u32]) -> Result<HashMap<u32, Vec<u64>>> + Send + Sync + 'j;

/// A job whose tasks are done.
pub(super) struct FoundInTasks<'j> {
    pub(super) frozen: &'j Frozen,
    /// The documents, by name.
    pub(super) documents: Vec<JobDocument>,
    /// The files that sources name.
    pub(super) files: Vec<PathBuf>,
    /// The pairs of sets of all tasks, ordered.
    pub(super) pairs: Vec<SetPair>,
    /// Loads sets that are compared after the tasks.
    pub(super) load: &'j LoadSets<'j>,
}

/// Returns the outcome of a scan of the documents, without what was skipped, noted and warned of; and the collection.
/// `gathering` is that of the documents.
///
/// # Errors
///
/// [`Error::TileJob`] if the pairs are not of these documents; those of `load`; those of [`crate::scan::scan`].
pub(super) fn outcome<'t>(
    options: &Options,
    gathering: Gathering,
    found: FoundInTasks<'_>,
    observer: &dyn Observer,
    (mut judge, sink): (
        Option<&'t mut (dyn ScanJudge + 't)>,
        Option<&'t mut (dyn PairSink + 't)>,
    ),
) -> Result<(Outcome, JoinedCollection)> {
    let (mut gathered, mut sources, mut rank_of) = (Vec::new(), Vec::new(), Vec::new());
    for document in found.documents {
        gathered.push((document.name, document.gathered));
        sources.push(document.source);
        rank_of.push(document.rank);
    }
    let mut collection = gathering.collect(gathered, observer, Stats::default())?;
    let sources = Sources {
        documents: sources,
        files: found.files,
        rows: None,
    };
    if let Some(judge) = &mut judge {
        judge.documents(&collection.documents, &sources);
    }
    let judge = judge.map(|judge| judge as &mut dyn Judge);
    let mut joined = JoinedInTasks {
        frozen: found.frozen,
        load: found.load,
        rank_of,
        pairs: found.pairs,
    };
    let handlers = PairHandlers { judge, sink };
    let known = Some(&mut joined as &mut dyn KnownJoin);
    let pairs = find_pairs(options, observer, &mut collection, handlers, known)?;
    let outcome = Outcome {
        documents: collection.documents,
        sources,
        pair_counts: pairs.counts,
        clusters: pairs.clusters,
        unshared: pairs.unshared,
        skipped: Vec::new(),
        notes: Vec::new(),
        warnings: Vec::new(),
        stats: collection.stats,
    };
    let collection = JoinedCollection {
        signatures: collection.signatures,
        sets: None,
        group_of: pairs.group_of,
    };
    Ok((outcome, collection))
}

/// What the tasks found, in the place of what is known from a run before.
struct JoinedInTasks<'j> {
    frozen: &'j Frozen,
    load: &'j LoadSets<'j>,
    /// The rank of the set of each document.
    rank_of: Vec<u32>,
    /// All pairs, ordered.
    pairs: Vec<SetPair>,
}

impl KnownJoin for JoinedInTasks<'_> {
    fn identify(&mut self, _sets: &Sets) -> Result<()> {
        Ok(())
    }

    fn are_equal(&self, a: u32, b: u32) -> bool {
        self.rank_of[a as usize] == self.rank_of[b as usize]
    }

    fn pairs_of(&mut self, sets: &SetsToJoin<'_>) -> Result<Option<SetPairs>> {
        // They differ if somebody has made two different sets of one key.
        if sets.distinct.sizes != self.frozen.sizes {
            return Err(Error::TileJob(
                "its sets are not in the order in which they were frozen".into(),
            ));
        }
        Ok(Some(SetPairs {
            pairs: self.pairs.clone(),
            unshared: self.frozen.unshared.clone(),
        }))
    }

    fn overlaps(&mut self, pairs: &[(u32, u32)]) -> Result<Vec<u32>> {
        let known = |&(x, y): &(u32, u32)| {
            let found = self
                .pairs
                .binary_search_by_key(&(x, y), |pair| (pair.x, pair.y));
            found.ok().map(|at| self.pairs[at].overlap)
        };
        let mut overlaps: Vec<Option<u32>> = pairs.iter().map(known).collect();
        let unknown = || {
            let all = pairs.iter().zip(&overlaps);
            all.filter(|(_, known)| known.is_none())
        };
        let mut ranks: Vec<u32> = unknown().flat_map(|(&(x, y), _)| [x, y]).collect();
        ranks.sort_unstable();
        ranks.dedup();
        if !ranks.is_empty() {
            let sets = (self.load)(&ranks)?;
            let lost = || Error::TileJob("a set cannot be loaded".into());
            let set = |rank: u32| sets.get(&rank).ok_or_else(lost);
            for (&(x, y), known) in pairs.iter().zip(&mut overlaps) {
                if known.is_none() {
                    *known = Some(overlap(set(x)?, set(y)?));
                }
            }
        }
        let found = overlaps.into_iter().map(Option::unwrap_or_default);
        Ok(found.collect())
    }

    fn add_known_sets(&mut self, sets: Sets) -> Result<Sets> {
        Ok(sets)
    }

    fn keep(&mut self, _firsts: &[u32], _pairs: KnownPairs) {}
}
