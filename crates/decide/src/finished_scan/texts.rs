//! Scans rows of texts, such as a column of a table.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::finished_scan::{Rows, Scanned};
use dupfind_engine::DocId;
use dupfind_engine::Result;
use dupfind_engine::pairing::finder::{DuplicateFinder, Duplicates};
use dupfind_engine::pairing::sink::TopPairs;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::run::threads::in_pool;
use dupfind_read::skipped::{SkipReason, Skipped};
use dupfind_scan::ScanOptions;
use dupfind_scan::outcome::{Outcome, OutcomeOfRows, Source, Sources};

/// Takes rows of texts in batches, and finds their pairs at the end.
///
/// A row is named by its id, or by its number from 0 if it has none. If an id repeats, `@` and the number of the row are
/// added to it.
#[derive(Debug)]
pub struct RowScan {
    finder: DuplicateFinder,
    options: ScanOptions,
    /// How many rows there were so far.
    rows: u64,
    /// The rows that have an id, by name.
    named: HashMap<String, u64>,
    /// The rows without a text.
    empty: Vec<Skipped>,
}

/// A row: its id and its text, each if it has one.
pub type Row<T> = (Option<String>, Option<T>);

impl RowScan {
    /// Returns a scan without rows.
    #[must_use]
    pub fn new(options: ScanOptions) -> Self {
        let finder = DuplicateFinder::new(options.engine.clone());
        Self {
            finder: finder.cluster_on(options.cluster_on),
            options,
            rows: 0,
            named: HashMap::new(),
            empty: Vec::new(),
        }
    }

    /// Adds rows. Their texts are not copied. A row without a text is skipped, and counts as a row.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`](dupfind_engine::Error::Stopped), and [`Error::Threads`](dupfind_engine::Error::Threads) if the worker threads
    /// cannot be started.
    pub fn add<T: AsRef<str> + Send>(
        &mut self,
        rows: impl IntoIterator<Item = Row<T>>,
        observer: &dyn Observer,
    ) -> Result<()> {
        let mut batch = Vec::new();
        for (id, text) in rows {
            let name = self.name(id);
            match text {
                Some(text) => batch.push((name, text)),
                None => self
                    .empty
                    .push(Skipped::new(name, SkipReason::Empty, "null")),
            }
            self.rows += 1;
        }
        self.finder.add_batch(batch, observer)
    }

    /// Returns how many rows were added.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns the name of the next row.
    fn name(&mut self, id: Option<String>) -> String {
        let Some(mut name) = id else {
            // Where some rows have ids, the number of another one may be taken.
            return match self.named.is_empty() {
                true => self.rows.to_string(),
                false => self.name(Some(self.rows.to_string())),
            };
        };
        while self.named.contains_key(&name) || self.finder.has_name(&name) {
            name.push_str(&format!("@{}", self.rows));
        }
        self.named.insert(name.clone(), self.rows);
        name
    }

    /// Finds the pairs of all rows.
    ///
    /// # Errors
    ///
    /// Those of [`DuplicateFinder::finish_with`].
    pub fn finish(self, observer: &dyn Observer) -> Result<Scanned> {
        let mut best = TopPairs::all();
        let found = self.finder.finish_with(observer, Some(&mut best))?;
        let pairs = in_pool(self.options.engine.threads, || Ok(best.into_pairs()))?;
        let Duplicates {
            documents,
            counts,
            clusters,
            empty,
            unshared,
            joined,
            stats,
            ..
        } = found;
        let row = |name: &str| {
            let named = self.named.get(name).copied();
            named.unwrap_or_else(|| {
                name.parse()
                    .expect("a row without an id is named by its number")
            })
        };
        let sources = documents.iter().map(|document| Source {
            record: row(&document.name) + 1,
            ..Source::of_file(0)
        });
        let sources = Sources {
            documents: sources.collect(),
            // All rows are of one table, which has no path.
            files: vec![PathBuf::new()],
            rows: None,
        };
        let empty = empty.into_iter();
        let empty = empty.map(|name| Skipped::new(name, SkipReason::Empty, ""));
        let mut skipped: Vec<Skipped> = empty.chain(self.empty).collect();
        skipped.sort_unstable();
        let skipped_rows = skipped.iter().map(|skipped| row(&skipped.path));
        let skipped_rows = skipped_rows.collect();
        let outcome = Outcome {
            documents,
            sources,
            pair_counts: counts,
            clusters,
            unshared,
            skipped,
            notes: Vec::new(),
            warnings: Vec::new(),
            stats,
        };
        let found = OutcomeOfRows {
            outcome,
            pairs,
            skipped_rows,
            joined,
        };
        Scanned::of_rows(self.options, found)
    }
}

impl Scanned {
    /// Returns a finished scan of rows. Its shingle sets may be gone. Then other thresholds and explanations of what is no
    /// pair need a new scan.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyDocuments`](dupfind_engine::Error::TooManyDocuments).
    pub fn of_rows(options: ScanOptions, found: OutcomeOfRows) -> Result<Self> {
        let OutcomeOfRows {
            outcome,
            pairs,
            skipped_rows,
            joined,
        } = found;
        let mut documents = vec![None; outcome.documents.len() + outcome.skipped.len()];
        for (at, source) in outcome.sources.documents.iter().enumerate() {
            if let Ok(row) = usize::try_from(source.record - 1) {
                documents[row] = Some(DocId::new(at)?);
            }
        }
        let names = outcome.skipped.iter().map(|skipped| skipped.path.clone());
        let rows = Rows {
            documents,
            skipped: names.zip(skipped_rows).collect(),
        };
        Ok(Self {
            options: options.for_rows(),
            outcome,
            pairs,
            joined: Arc::new(joined),
            rows: Some(Arc::new(rows)),
        })
    }
}
