//! The result of a scan, as all reports see it.

#[cfg(test)]
mod laws;

use std::fmt;
use std::sync::Arc;

use dupfind_engine::pairing::document_pairs::PairHandlers;
use dupfind_engine::pairing::joined::{Joined, KnownJoin};
use dupfind_engine::pairing::{find_pairs, id_of};
use dupfind_engine::{
    Cluster, Counts, DocId, Document, Judge, Observer, Pair, PairSink, Result, Stats, in_pool,
};
use dupfind_read::Skipped;
use dupfind_read::skipped::Note;

use crate::corpus::Corpus;
use crate::sources::Sources;
use crate::{ScanJudge, ScanOptions};

/// The result of a scan of files, of an index, or of rows of texts.
#[derive(Clone)]
pub struct Scan {
    /// What it was scanned with.
    pub options: ScanOptions,
    /// The compared documents, by name. Their positions are their ids.
    pub documents: Vec<Document>,
    /// Where they were read from.
    pub sources: Sources,
    /// The pairs, in the order of reports. There are none here if a sink of the caller got them: there may be more than memory
    /// holds.
    pub pairs: Vec<Pair>,
    /// How many pairs there are of each relation.
    pub pair_counts: Counts,
    /// The clusters, the largest first.
    pub clusters: Vec<Cluster>,
    /// The entries that were not compared, by name.
    pub skipped: Vec<Skipped>,
    /// Notes about single documents, by name.
    pub notes: Vec<Note>,
    /// Faults of ignore files, and of many records of one file.
    pub warnings: Vec<String>,
    /// What it cost.
    pub stats: Stats,
    /// By which any two documents can still be measured; `None` if nobody asked for it, as it has all shingle sets.
    pub joined: Option<Arc<Joined>>,
}

impl fmt::Debug for Scan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scan")
            .field("documents", &self.documents.len())
            .field("pairs", &self.pairs.len())
            .finish_non_exhaustive()
    }
}

impl Scan {
    /// Compares every document of a corpus with every other. The judge decides which pairs count, and the sink gets them. If
    /// the shingle sets were joined before, their pairs are `known`.
    ///
    /// # Errors
    ///
    /// As [`scan`](crate::scan), but for those of reading.
    pub fn of<'t>(
        corpus: Corpus,
        options: ScanOptions,
        observer: &dyn Observer,
        (judge, sink): (
            Option<&'t mut (dyn ScanJudge + 't)>,
            Option<&'t mut (dyn PairSink + 't)>,
        ),
        known: Option<KnownJoin<'_>>,
    ) -> Result<Self> {
        let Corpus {
            mut collection,
            sources,
            skipped,
            notes,
            warnings,
        } = corpus;
        sources.mark(&mut collection.documents);
        let judge = judge.and_then(|judge| {
            let decides = judge.documents(&collection.documents, &sources);
            decides.then_some(judge as &mut dyn Judge)
        });
        let handlers = PairHandlers { judge, sink };
        let found = find_pairs(&options.engine, observer, collection, handlers, known)?;
        Ok(Self {
            options,
            documents: found.documents,
            sources,
            pairs: found.pairs,
            pair_counts: found.counts,
            clusters: found.clusters,
            skipped,
            notes,
            warnings,
            stats: found.stats,
            joined: Some(Arc::new(found.joined)),
        })
    }

    /// Returns a scan of nothing, for examples and tests.
    pub fn sample() -> Self {
        Self {
            options: ScanOptions::for_paths([""; 0]),
            documents: Vec::new(),
            sources: Sources::default(),
            pairs: Vec::new(),
            pair_counts: Counts::default(),
            clusters: Vec::new(),
            skipped: Vec::new(),
            notes: Vec::new(),
            warnings: Vec::new(),
            stats: Stats::default(),
            joined: None,
        }
    }

    /// Returns the name of a document.
    pub fn name(&self, id: DocId) -> &str {
        &self.documents[id.index()].name
    }

    /// Returns the document of this name.
    pub fn id_of(&self, name: &str) -> Option<DocId> {
        id_of(&self.documents, name)
    }

    /// Returns the pair of two documents with all measures, among all the others; `None` if the scan did not keep what that
    /// needs. It is there even if no detector finds it.
    ///
    /// # Errors
    ///
    /// [`Error::TempFile`](dupfind_engine::Error::TempFile) if shingle sets are in a file that cannot be read.
    pub fn measured(&self, two: [DocId; 2]) -> Result<Option<Pair>> {
        let engine = &self.options.engine;
        let joined = self.joined.as_deref();
        joined
            .map(|joined| joined.pair(engine, &self.documents, two))
            .transpose()
    }

    /// Hands on the pairs that are left when some documents are gone, as if they had never been there. Returns whether that can
    /// be: the scan must have kept its shingle sets in memory.
    ///
    /// # Errors
    ///
    /// Those of the sink, and [`Error::Stopped`](dupfind_engine::Error::Stopped) if the observer asks for it.
    pub fn without(
        &self,
        gone: &[bool],
        observer: &dyn Observer,
        sink: &mut dyn PairSink,
    ) -> Result<bool> {
        let Some(joined) = &self.joined else {
            return Ok(false);
        };
        let engine = &self.options.engine;
        in_pool(engine.threads, || {
            joined.without(engine, observer, &self.documents, gone, sink)
        })
    }

    /// Returns the clusters that some of its pairs make; as they are if the scan did not keep what that needs.
    ///
    /// # Errors
    ///
    /// As [`Self::measured`].
    pub fn clusters_of<'p>(
        &self,
        pairs: impl IntoIterator<Item = &'p Pair>,
    ) -> Result<Vec<Cluster>> {
        match &self.joined {
            Some(joined) => joined.clusters(&self.documents, pairs),
            None => Ok(self.clusters.clone()),
        }
    }
}
