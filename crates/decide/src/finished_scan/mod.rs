//! A finished scan as a value: it gives reports, other thresholds, the reason for a pair, and the documents that stay.
//!
//! ```text
//! paths ─> scan ──────────┐           ┌─> report
//!                         ├─> Scanned ┼─> Scanned with higher thresholds
//! rows of texts ─> finder ┘           ├─> explanation of two documents
//!                                     └─> Selection: which documents stay and which go
//! ```
//!
//! The program writes its reports once and ends. Programs that keep the result, such as the Python package, use this.

#[cfg(test)]
mod laws;
pub mod selection;
pub mod texts;
mod thresholds;

use std::collections::HashMap;
use std::sync::Arc;

use crate::gate::Gate;
use crate::gate::scope::PairScope;
use dupfind_engine::DocId;
use dupfind_engine::Result;
use dupfind_engine::pairing::explanation::Explanation;
use dupfind_engine::pairing::joined::collection::JoinedCollection;
use dupfind_engine::pairing::sink::TopPairs;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::verdict::pair::Pair;
use dupfind_read::skipped::Skipped;
use dupfind_scan::outcome::{Outcome, RowTexts, Source};
use dupfind_scan::texts::read_texts;
use dupfind_scan::{ScanJudge, ScanOptions, scan_joined};

/// A finished scan of files, or of rows of texts.
pub struct Scanned {
    options: ScanOptions,
    outcome: Outcome,
    pairs: Vec<Pair>,
    joined: Arc<JoinedCollection>,
    /// The rows; `None` if the documents were read from files.
    rows: Option<Arc<Rows>>,
}

/// Which row is which document.
#[derive(Debug)]
struct Rows {
    /// The document of each row; `None` if it was skipped.
    documents: Vec<Option<DocId>>,
    /// The rows that were skipped, by name, without those of the other table.
    skipped: HashMap<String, u64>,
}

impl std::fmt::Debug for Scanned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scanned")
            .field("documents", &self.outcome.documents.len())
            .field("pairs", &self.pairs.len())
            .finish_non_exhaustive()
    }
}

impl Scanned {
    /// Scans files and folders. It does so without an index, because explanations need every set. If there is another
    /// collection to compare them with, only pairs between the two count.
    ///
    /// # Errors
    ///
    /// Those of [`dupfind_scan::scan`].
    pub fn of_files(options: ScanOptions, observer: &dyn Observer) -> Result<Self> {
        let mut best = TopPairs::all();
        let options = ScanOptions {
            index: None,
            ..options
        };
        let mut gate = Gate::new(PairScope::new(&options.walk), None);
        let judge = gate.decides().then_some(&mut gate as &mut dyn ScanJudge);
        let (outcome, joined) = scan_joined(&options, observer, judge, Some(&mut best))?;
        let pairs = in_pool(options.engine.threads, || Ok(best.into_pairs()))?;
        Ok(Self {
            options,
            outcome,
            pairs,
            joined: Arc::new(joined),
            rows: None,
        })
    }

    /// The options of the scan.
    #[must_use]
    pub fn options(&self) -> &ScanOptions {
        &self.options
    }

    /// The documents, the clusters, the skipped files, and counts.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The pairs in the order of reports.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns whether the documents are rows of texts, and were not read from files.
    #[must_use]
    pub fn has_rows(&self) -> bool {
        self.rows.is_some()
    }

    /// Returns whether the documents are records.
    #[must_use]
    pub fn of_records(&self) -> bool {
        let mut sources = self.outcome.sources.documents.iter();
        self.has_rows() || sources.all(Source::is_record)
    }

    /// Returns whether the documents are compared with those of another collection.
    #[must_use]
    pub fn has_sides(&self) -> bool {
        !self.options.walk.against.is_empty()
    }

    /// Returns whether a document is of the other collection.
    #[must_use]
    pub fn is_against(&self, id: DocId) -> bool {
        self.outcome.sources.of(id).is_against
    }

    /// Returns the id of a document: its name, or the id that a row has in its table.
    #[must_use]
    pub fn id(&self, id: DocId) -> &str {
        let name = self.outcome.name(id);
        match self.has_rows() {
            true => self.outcome.sources.of(id).row().id(name),
            false => name,
        }
    }

    /// Returns the row of a document in its table, from 0. Documents of files have their place in the order of their names.
    #[must_use]
    pub fn row(&self, id: DocId) -> u64 {
        match &self.rows {
            Some(_) => self.outcome.sources.of(id).row().number,
            None => id.index() as u64,
        }
    }

    /// Returns the document of a row; `None` if the row was skipped or there is none.
    #[must_use]
    pub fn document_of_row(&self, row: u64) -> Option<DocId> {
        let row = usize::try_from(row).ok()?;
        match &self.rows {
            Some(rows) => rows.documents.get(row).copied().flatten(),
            None if row < self.outcome.documents.len() => DocId::new(row).ok(),
            None => None,
        }
    }

    /// Returns the row of a skipped entry; `None` if it is no row.
    #[must_use]
    pub fn row_of_skipped(&self, skipped: &Skipped) -> Option<u64> {
        let rows = self.rows.as_ref()?;
        rows.skipped.get(&skipped.path).copied()
    }

    /// Returns the rows that were skipped, with their ids, in any order.
    pub(crate) fn skipped_rows(&self) -> impl Iterator<Item = (u64, &str)> {
        let skipped = self.rows.iter().flat_map(|rows| &rows.skipped);
        skipped.map(|(name, &row)| (row, name.as_str()))
    }

    /// Returns the document of this name.
    #[must_use]
    pub fn document_of_name(&self, name: &str) -> Option<DocId> {
        let documents = &self.outcome.documents;
        let found = documents.binary_search_by(|document| document.name.as_str().cmp(name));
        DocId::new(found.ok()?).ok()
    }

    /// Returns the relation of two documents among all the others, and the reason for it. They need not be a pair.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::Error::TempFile`] if shingle sets are in a file that cannot be read.
    pub fn explain(&self, a: DocId, b: DocId) -> Result<Explanation> {
        let (engine, documents) = (&self.options.engine, &self.outcome.documents);
        let pair = self.joined.pair(engine, documents, [a, b])?;
        Ok(Explanation::of(documents, pair))
    }

    /// Returns the text of a document, if it can be read again and is still the same.
    #[must_use]
    pub fn text(&self, id: DocId) -> Option<String> {
        read_texts(&self.options, &self.outcome, &[id]).pop()?.ok()
    }

    /// Returns the scan with a reader of the texts of its rows.
    #[must_use]
    pub fn with_texts(mut self, texts: RowTexts) -> Self {
        self.outcome.sources.rows = Some(texts);
        self
    }
}
