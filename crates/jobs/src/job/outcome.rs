//! The outcome of a scan, from the documents of a job and the pairs that its tasks found.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::cover::sets::JobSets;
use crate::job::{Job, JobDocument};
use dupfind_engine::features::collection::{Gathered, Gathering};
use dupfind_engine::pairing::document_pairs::PairHandlers;
use dupfind_engine::pairing::find_pairs;
use dupfind_engine::pairing::joined::collection::JoinedCollection;
use dupfind_engine::pairing::joined::known::KnownJoin;
use dupfind_engine::pairing::judge::Judge;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::run::stats::Stats;
use dupfind_engine::{Error, Result};
use dupfind_scan::ScanJudge;
use dupfind_scan::outcome::{Outcome, Sources};

/// Returns the sets of some ranks, which ascend. The shingles of each set ascend.
pub(crate) type LoadSets<'j> =
    dyn Fn(&JobSets, &[u32]) -> Result<HashMap<u32, Vec<u64>>> + Send + Sync + 'j;

impl Job {
    /// Returns the outcome of a scan of the documents, without skipped files, notes and warnings; and the collection.
    /// The documents and their sources are in the order of the ranks of [`JobSets`]. `load` loads sets that are compared
    /// after the tasks.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if pairs are missing or not of these documents; those of `load`; those of
    /// [`dupfind_scan::scan`].
    pub(crate) fn finish<'t>(
        mut self,
        (documents, mut sources): (Vec<JobDocument>, Sources),
        load: &LoadSets<'_>,
        observer: &dyn Observer,
        (judge, sink): (
            Option<&'t mut (dyn ScanJudge + 't)>,
            Option<&'t mut (dyn PairSink + 't)>,
        ),
    ) -> Result<(Outcome, JoinedCollection)> {
        self.check_is_whole()?;
        self.pairs.par_sort_unstable();
        if documents.len() != self.documents() || sources.documents.len() != self.documents() {
            return Err(Error::TileJob("documents are missing".into()));
        }
        let documents = documents.into_iter().zip(&self.sets.ranks);
        let mut documents: Vec<_> = documents.zip(sources.documents).collect();
        documents.par_sort_unstable_by(|((x, _), _), ((y, _), _)| x.name.cmp(&y.name));
        let (mut gathered, mut rank_of) = (Vec::new(), Vec::new());
        sources.documents = Vec::with_capacity(documents.len());
        for ((document, rank), source) in documents {
            let features = Gathered::without_set(document.facts, document.key);
            gathered.push((document.name, features));
            rank_of.push(*rank);
            sources.documents.push(source);
        }
        let gathering = Gathering::new(&self.options, false);
        let mut collection = gathering.collect(gathered, Stats::default())?;
        sources.set_apart(&mut collection.documents);
        let judge = judge.and_then(|judge| {
            let decides = judge.documents(&collection.documents, &sources);
            decides.then_some(judge as &mut dyn Judge)
        });
        let load = |ranks: &[u32]| load(&self.sets, ranks);
        let known = KnownJoin {
            rank_of,
            sizes: &self.sets.sizes,
            unshared: &self.sets.unshared,
            pairs: self.pairs,
            load: &load,
        };
        let handlers = PairHandlers { judge, sink };
        let pairs = find_pairs(
            &self.options,
            observer,
            &mut collection,
            handlers,
            Some(known),
        )?;
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
            closest: pairs.closest,
        };
        Ok((outcome, collection))
    }
}
