//! The result of a scan, as all reports see it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::corpus::Corpus;
use crate::rows::Rows;
use crate::{ScanJudge, ScanOptions};
use dupfind_engine::features::document::Document;
use dupfind_engine::pairing::cluster::Cluster;
use dupfind_engine::pairing::document_pairs::PairHandlers;
use dupfind_engine::pairing::joined::collection::Joined;
use dupfind_engine::pairing::joined::known::KnownJoin;
use dupfind_engine::pairing::judge::Judge;
use dupfind_engine::pairing::sink::PairSink;
use dupfind_engine::pairing::{find_pairs, id_of};
use dupfind_engine::run::observer::Observer;
use dupfind_engine::run::stats::Stats;
use dupfind_engine::verdict::Counts;
use dupfind_engine::verdict::pair::Pair;
use dupfind_engine::verdict::pair::Resemblance;
use dupfind_engine::{DocId, Result};
use dupfind_read::format::Format;
use dupfind_read::records::position;
pub use dupfind_read::skipped::{Note, SkipReason, Skipped};

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
    /// How many shingles of each document no other document has. Positions are ids. `None` if the shingle detector
    /// was off.
    pub unshared: Option<Vec<u32>>,
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
            collection,
            sources,
            skipped,
            notes,
            warnings,
        } = corpus;
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
            unshared: found.unshared,
            skipped,
            notes,
            warnings,
            stats: found.stats,
            joined: Some(Arc::new(found.joined)),
        })
    }

    /// Returns a scan of nothing, for examples and tests.
    #[must_use]
    pub fn sample() -> Self {
        Self {
            options: ScanOptions::for_paths([""; 0]),
            documents: Vec::new(),
            sources: Sources::default(),
            pairs: Vec::new(),
            pair_counts: Counts::default(),
            clusters: Vec::new(),
            unshared: None,
            skipped: Vec::new(),
            notes: Vec::new(),
            warnings: Vec::new(),
            stats: Stats::default(),
            joined: None,
        }
    }

    /// Returns the name of a document.
    #[must_use]
    pub fn name(&self, id: DocId) -> &str {
        &self.documents[id.index()].name
    }

    /// Returns the document of this name.
    #[must_use]
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

    /// Returns the share of a document's shingles that no other document has, exact; `None` if the shingle detector
    /// was off or the document has no shingles.
    #[must_use]
    pub fn unique_share(&self, id: DocId) -> Option<Resemblance> {
        let unshared = self.unshared.as_ref()?[id.index()];
        Resemblance::new(unshared, self.documents[id.index()].shingles)
    }
}

/// Where the documents of a scan were read from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The source of each document. Positions are ids.
    pub documents: Vec<Source>,
    /// The paths of the files, as they were typed or found.
    pub files: Vec<PathBuf>,
    /// Which row is which document, if the documents are rows, and were read from no files.
    pub rows: Option<Arc<Rows>>,
    /// Reads the texts of rows again.
    pub texts: Option<RowTexts>,
}

/// Reads the texts of rows again.
#[derive(Clone)]
pub struct RowTexts(Arc<ReadRows>);

/// Returns the texts of these rows; none of a row that cannot be read.
pub type ReadRows = dyn Fn(&[Row]) -> Vec<Option<String>> + Send + Sync;

/// A row of one of the two tables that a scan may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row {
    /// Whether it is of the table that is read only to compare other rows with it.
    pub is_against: bool,
    /// Its number in its table, from 0.
    pub number: u64,
}

impl Row {
    /// The beginning of the names of rows of the other table, so that no two rows have one name.
    const OTHERS: &str = "against#";

    /// Returns the name in reports of a row with this id.
    #[must_use]
    pub fn name(id: String, is_against: bool) -> String {
        match is_against {
            true => format!("{}{id}", Self::OTHERS),
            false => id,
        }
    }

    /// Returns the id of the row, from its name in reports.
    #[must_use]
    pub fn id(self, name: &str) -> &str {
        let id = name.strip_prefix(Self::OTHERS);
        id.filter(|_| self.is_against).unwrap_or(name)
    }

    /// Returns its number, if it is no row of the other table.
    pub(crate) fn own(self) -> Option<u64> {
        (!self.is_against).then_some(self.number)
    }

    /// Returns the source of the row.
    #[must_use]
    pub fn source(self) -> Source {
        Source {
            record: self.number + 1,
            is_against: self.is_against,
            ..Source::of_file(u32::from(self.is_against))
        }
    }
}

impl RowTexts {
    /// Returns texts that this function reads.
    pub fn new(read: impl Fn(&[Row]) -> Vec<Option<String>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }

    /// Returns the texts of these rows.
    #[must_use]
    pub fn read(&self, rows: &[Row]) -> Vec<Option<String>> {
        (self.0)(rows)
    }
}

impl fmt::Debug for RowTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RowTexts")
    }
}

impl Sources {
    /// Returns the sources of rows, which have no path.
    #[must_use]
    pub fn of_rows(rows: impl Iterator<Item = Source>) -> Self {
        let documents: Vec<Source> = rows.collect();
        let has_others = documents.iter().any(|source| source.is_against);
        Self {
            documents,
            files: vec![PathBuf::new(); 1 + usize::from(has_others)],
            rows: None,
            texts: None,
        }
    }

    /// Returns the source of a document.
    #[must_use]
    pub fn of(&self, id: DocId) -> &Source {
        &self.documents[id.index()]
    }

    /// Sets apart the documents that are files of code or data.
    pub fn set_apart(&self, documents: &mut [Document]) {
        for (document, source) in documents.iter_mut().zip(&self.documents) {
            document.is_apart = source.is_code;
        }
    }

    /// Returns how many documents are not only read to compare others with them.
    #[must_use]
    pub fn own(&self) -> usize {
        let documents = self.documents.iter();
        documents.filter(|source| !source.is_against).count()
    }

    /// Returns the file of a document; `None` if it was read from no file.
    #[must_use]
    pub fn file(&self, id: DocId) -> Option<&Path> {
        let file = self.files.get(self.of(id).file as usize);
        file.map(PathBuf::as_path)
    }
}

/// Where a document was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Its file's position in [`Sources::files`].
    pub file: u32,
    /// The number of a record, from 1; 0 for a document that is a whole file.
    pub record: u64,
    /// The line where a record begins, from 1; 0 for a document that is a whole file.
    pub line: u64,
    /// The line where a record ends; 0 for a document that is a whole file. A record may have several lines, as a
    /// quoted field of a table or an element of an array may.
    pub last_line: u64,
    /// Whether it is read only to compare other documents with it
    /// ([`WalkOptions::against`](dupfind_read::source::walk::WalkOptions::against)).
    pub is_against: bool,
    /// Whether the walk found its file under several names: hard links.
    pub has_names: bool,
    /// Whether it is a file of code or data, which nobody asked for by name.
    pub is_code: bool,
    /// The format of its file.
    pub format: Format,
    /// The name of the encoding it was decoded from.
    pub encoding: &'static str,
}

impl Source {
    /// Returns the source of a document that is a whole file of plain text.
    #[must_use]
    pub fn of_file(file: u32) -> Self {
        Self {
            file,
            record: 0,
            line: 0,
            last_line: 0,
            is_against: false,
            has_names: false,
            is_code: false,
            format: Format::Text,
            encoding: "UTF-8",
        }
    }

    /// Returns the row of a document of rows.
    #[must_use]
    pub fn row(&self) -> Row {
        Row {
            is_against: self.is_against,
            number: self.record - 1,
        }
    }

    /// Returns the line of a record, or its number in a file without lines: see [`position`].
    #[must_use]
    pub fn position(&self) -> u64 {
        position(self.record, self.line)
    }

    /// Returns whether the document is a record.
    #[must_use]
    pub fn is_record(&self) -> bool {
        self.record > 0
    }
}

impl Sources {
    /// Returns the sources of this many documents, a whole file each, for examples and tests.
    ///
    /// # Panics
    ///
    /// There are more than fit into 32 bits.
    #[must_use]
    pub fn sample(documents: usize) -> Self {
        let files = 0..u32::try_from(documents).expect("a few");
        Self {
            documents: files.map(Source::of_file).collect(),
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{ScanOptions, features, scan};
    use dupfind_engine::run::observer::Silent;

    /// Returns how many shingles of each document no other document has, counted one by one.
    fn counted(options: &ScanOptions) -> Vec<u32> {
        let sets = features(options, &Silent).unwrap().collection.sets;
        let slices = sets.slices().unwrap();
        let others_have = |own: usize, shingle: &u64| {
            let mut others = slices.iter().enumerate();
            others.any(|(other, set)| other != own && set.contains(shingle))
        };
        let counted = slices.iter().enumerate().map(|(own, set)| {
            let unique = set.iter().filter(|shingle| !others_have(own, shingle));
            u32::try_from(unique.count()).unwrap()
        });
        counted.collect()
    }

    #[test]
    fn unique_shingles_are_those_of_one_document() {
        let kiln = "../../fixtures/corpus/en/kiln.txt";
        for paths in [
            &["../../fixtures/corpus/zh"][..],
            &[kiln, "../../fixtures/corpus/en/kiln-words-10.txt"],
            &[kiln],
        ] {
            let mut options = ScanOptions::for_paths(paths);
            let expected = counted(&options);
            // In memory, and in tiles of a file.
            for limit in [None, Some(1)] {
                options.engine.budget.limit = limit;
                let outcome = scan(&options, &Silent, None).unwrap();
                assert_eq!(outcome.unshared.as_ref(), Some(&expected), "{limit:?}");
            }
            assert!(expected.iter().any(|&count| count > 0), "{paths:?}");
        }
    }
}
