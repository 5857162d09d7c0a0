//! Scans rows of texts, such as a column of a table.

use std::collections::HashMap;
use std::sync::Arc;

use crate::finished_scan::{Rows, Scanned};
use crate::gate::Gate;
use crate::gate::scope::PairScope;
use dupfind_engine::DocId;
use dupfind_engine::Result;
use dupfind_engine::features::document::Document;
use dupfind_engine::pairing::finder::{DuplicateFinder, Duplicates};
use dupfind_engine::pairing::judge::Judge;
use dupfind_engine::pairing::sink::TopPairs;
use dupfind_engine::run::observer::Observer;
use dupfind_engine::run::threads::in_pool;
use dupfind_read::skipped::{SkipReason, Skipped};
use dupfind_scan::outcome::{Outcome, OutcomeOfRows, Row, Sources};
use dupfind_scan::{ScanJudge, ScanOptions};

/// Collects rows of texts in batches, and finds their pairs at the end.
///
/// A row is named by its id, or by its number from 0 if it has none. If an id repeats, `@` and the number of the row are
/// added to it. The names of rows that others are compared with begin with `against#`.
#[derive(Debug)]
pub struct RowScan {
    finder: DuplicateFinder,
    options: ScanOptions,
    /// How many rows there were so far, of the table itself and of the one that it is compared with.
    rows: [u64; 2],
    /// The rows that are not named by their number, by name.
    named: HashMap<String, Row>,
    /// The rows without a text.
    empty: Vec<Skipped>,
}

/// A row: its id and its text, each if it has one.
pub type Given<T> = (Option<String>, Option<T>);

impl RowScan {
    /// Returns a scan without rows. If the options have another collection, whatever its path, rows are only compared with
    /// those of another table.
    #[must_use]
    pub fn new(options: ScanOptions) -> Self {
        Self {
            finder: DuplicateFinder::new(options.engine.clone()),
            options: options.for_rows(),
            rows: [0; 2],
            named: HashMap::new(),
            empty: Vec::new(),
        }
    }

    /// Adds rows, of the other table if `is_against`. Their texts are not copied. A row without a text is skipped, and
    /// counts as a row.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`](dupfind_engine::Error::Stopped), and [`Error::Threads`](dupfind_engine::Error::Threads) if the worker threads
    /// cannot be started.
    pub fn add<T: AsRef<str> + Send>(
        &mut self,
        rows: impl IntoIterator<Item = Given<T>>,
        is_against: bool,
        observer: &dyn Observer,
    ) -> Result<()> {
        let mut batch = Vec::new();
        for (id, text) in rows {
            let name = self.name(id, is_against);
            match text {
                Some(text) => batch.push((name, text)),
                None => self
                    .empty
                    .push(Skipped::new(name, SkipReason::Empty, "null")),
            }
            self.rows[usize::from(is_against)] += 1;
        }
        self.finder.add_batch(batch, observer)
    }

    /// Returns how many rows were added, without those of the other table.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows[0]
    }

    /// Returns the name of the next row.
    fn name(&mut self, id: Option<String>, is_against: bool) -> String {
        let number = self.rows[usize::from(is_against)];
        if id.is_none() && self.named.is_empty() && !is_against {
            return number.to_string();
        }
        // Where some rows have ids, the number of another one may be taken.
        let mut name = Row::name(id.unwrap_or_else(|| number.to_string()), is_against);
        while self.named.contains_key(&name) || self.finder.has_name(&name) {
            name.push_str(&format!("@{number}"));
        }
        self.named.insert(name.clone(), Row { is_against, number });
        name
    }

    /// Finds the pairs of all rows.
    ///
    /// # Errors
    ///
    /// Those of [`DuplicateFinder::finish_with`].
    pub fn finish(self, observer: &dyn Observer) -> Result<Scanned> {
        let row = |name: &str| {
            let own = || Row {
                is_against: false,
                number: name
                    .parse()
                    .expect("a row without an id is named by its number"),
            };
            self.named.get(name).copied().unwrap_or_else(own)
        };
        let mut best = TopPairs::all();
        let mut sources = Sources::default();
        let mut gate = Gate::new(PairScope::new(&self.options.walk), None);
        let found = {
            let (gate, sources, row) = (&mut gate, &mut sources, &row);
            self.finder.finish_judged(
                observer,
                move |documents: &[Document]| {
                    *sources =
                        Sources::of_rows(documents.iter().map(|document| row(&document.name)));
                    gate.documents(documents, sources);
                    gate.decides().then_some(gate as &mut dyn Judge)
                },
                Some(&mut best),
            )?
        };
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
        let empty = empty.into_iter();
        let empty = empty.map(|name| Skipped::new(name, SkipReason::Empty, ""));
        let mut skipped: Vec<Skipped> = empty.chain(self.empty).collect();
        skipped.sort_unstable();
        let own_row = |row: Row| (!row.is_against).then_some(row.number);
        let skipped_rows = skipped.iter().map(|skipped| own_row(row(&skipped.path)));
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
    /// Returns a finished scan of rows. Its shingle sets may be gone. Then other thresholds, and explanations of two
    /// texts that are no pair, need a new scan.
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
        let own = outcome.sources.own() + skipped_rows.iter().flatten().count();
        let mut documents = vec![None; own];
        for (at, source) in outcome.sources.documents.iter().enumerate() {
            let row = source.row();
            if let (false, Ok(number)) = (row.is_against, usize::try_from(row.number)) {
                documents[number] = Some(DocId::new(at)?);
            }
        }
        let names = outcome.skipped.iter().map(|skipped| skipped.path.clone());
        let skipped = names.zip(skipped_rows);
        let rows = Rows {
            documents,
            skipped: skipped
                .filter_map(|(name, row)| Some((name, row?)))
                .collect(),
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
