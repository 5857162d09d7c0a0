//! The outcome of a scan, from the documents of a job and the pairs that its tasks found.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::cover::sets::JobSets;
use crate::job::{Job, JobDocument};
use dupfind_engine::features::collection::{Gathered, Gathering};
use dupfind_engine::pairing::joined::KnownJoin;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::run::observer::Stats;
use dupfind_engine::{Error, Result};
use dupfind_scan::Scan;
use dupfind_scan::Skipped;
use dupfind_scan::corpus::Corpus;
use dupfind_scan::sources::Sources;
use dupfind_scan::{ScanJudge, ScanOptions};

/// Returns the sets of some ranks, which ascend. The shingles of each set ascend.
pub(crate) type LoadSets<'j> =
    dyn Fn(&JobSets, &[u32]) -> Result<HashMap<u32, Vec<u64>>> + Send + Sync + 'j;

impl Job {
    /// Returns the scan of the documents, without notes and warnings.
    /// The documents and their sources are in the order of the ranks of [`JobSets`]. `load` loads sets that are compared
    /// after the tasks.
    ///
    /// # Errors
    ///
    /// [`Error::TileJob`] if pairs are missing or not of these documents; those of `load`; those of
    /// [`dupfind_scan::scan`].
    pub(crate) fn finish<'t>(
        mut self,
        options: ScanOptions,
        (documents, mut sources, skipped): (Vec<JobDocument>, Sources, Vec<Skipped>),
        load: &LoadSets<'_>,
        observer: &dyn Observer,
        handlers: (
            Option<&'t mut (dyn ScanJudge + 't)>,
            Option<&'t mut (dyn PairSink + 't)>,
        ),
    ) -> Result<Scan> {
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
        let collection = gathering.collect(gathered, Stats::default())?;
        let load = |ranks: &[u32]| load(&self.sets, ranks);
        let known = KnownJoin {
            rank_of,
            sizes: &self.sets.sizes,
            pairs: self.pairs,
            load: &load,
        };
        let corpus = Corpus {
            collection,
            sources,
            skipped,
            notes: Vec::new(),
            warnings: Vec::new(),
        };
        Scan::of(corpus, options, observer, handlers, Some(known))
    }
}
