//! Rows of texts, such as a column of a table, as the documents of a scan.
//!
//! A row is a document as a record of a file is: what a record gives, a row gives.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::corpus::Corpus;
use crate::sources::{Row, RowTexts, Rows, Source, Sources};
use crate::texts::read_texts;
use crate::{Scan, ScanJudge, ScanOptions};
use dupfind_engine::features::collection::{Gathered, Gathering, GatheringWorker};
use dupfind_engine::{
    Detector, DocId, Error, Explanation, Observer, PairSink, Result, Stage, Stats, TopPairs,
    in_pool,
};
use dupfind_read::{Format, ReadOptions, Refused, SkipReason, Skipped, row};

/// Collects rows of texts in batches, and finds their pairs at the end.
///
/// A row is named by its id, or by its number from 0 if it has none. If an id repeats, `@` and the number of the row are
/// added to it. The names of rows that others are compared with begin with `against#`.
#[derive(Debug)]
pub struct RowScan {
    options: ScanOptions,
    gathering: Gathering,
    gathered: Vec<(String, (Gathered, Format))>,
    /// How many rows there were so far, of the table itself and of the one that it is compared with.
    rows: [u64; 2],
    /// How many of the first rows are named by their number, as there were no other names yet.
    numbered: u64,
    /// The other rows, by name.
    named: HashMap<String, Row>,
    /// The rows that are not compared.
    skipped: Vec<Skipped>,
    text_bytes: u64,
}

/// A row: its id and its text, each if it has one.
pub(crate) type Given<T> = (Option<String>, Option<T>);

impl RowScan {
    /// Returns a scan without rows. If the options have another collection, whatever its path, rows are only compared with
    /// those of another table.
    pub fn new(options: ScanOptions) -> Self {
        let engine = &options.engine;
        Self {
            // Without the shingle detector sets need not be kept, as signatures are made of each set at once.
            gathering: Gathering::new(engine, engine.detectors.have(Detector::Shingle)),
            options: options.for_rows(),
            gathered: Vec::new(),
            rows: [0; 2],
            numbered: 0,
            named: HashMap::new(),
            skipped: Vec::new(),
            text_bytes: 0,
        }
    }

    /// Returns the options of the scan.
    pub fn options(&self) -> &ScanOptions {
        &self.options
    }

    /// Adds rows, of the other table if `is_against`. Their texts are not copied. A row without a text is skipped, and
    /// counts as a row. The observer hears of each text and may stop the run.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`], and [`Error::Threads`] if the worker threads cannot be started.
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
                Some(text) => {
                    self.text_bytes += text.as_ref().len() as u64;
                    batch.push((name, text));
                }
                None => {
                    let skipped = Skipped::new(name, SkipReason::Empty, "null");
                    self.skipped.push(skipped);
                }
            }
            self.rows[usize::from(is_against)] += 1;
        }
        if self.gathering.has_failed() {
            // The error is returned at the end.
            return Ok(());
        }
        let (gathering, options) = (&self.gathering, &self.options.read);
        let make = |worker: &mut GatheringWorker<'_>, (name, text): (String, T)| {
            if observer.is_stopped() {
                return Err(Error::Stopped);
            }
            let made = gathered(worker, text.as_ref(), options);
            observer.advance();
            Ok((name, made))
        };
        let made: Vec<_> = in_pool(self.options.engine.threads, || {
            let batch = batch.into_par_iter();
            batch
                .map_init(|| gathering.worker(), make)
                .collect::<Result<_>>()
        })?;
        for (name, made) in made {
            match made {
                Ok(gathered) => self.gathered.push((name, gathered)),
                Err((reason, detail)) => self.skipped.push(Skipped::new(name, reason, detail)),
            }
        }
        Ok(())
    }

    /// Returns how many rows were added, without those of the other table.
    pub fn rows(&self) -> u64 {
        self.rows[0]
    }

    /// Returns the name of the next row.
    fn name(&mut self, id: Option<String>, is_against: bool) -> String {
        let number = self.rows[usize::from(is_against)];
        if id.is_none() && self.named.is_empty() && !is_against {
            self.numbered = number + 1;
            return number.to_string();
        }
        // Where some rows have ids, the number of another one may be taken.
        let mut name = Row::name(id.unwrap_or_else(|| number.to_string()), is_against);
        while self.named.contains_key(&name) || self.numbered(&name).is_some() {
            name.push_str(&format!("@{number}"));
        }
        self.named.insert(name.clone(), Row { is_against, number });
        name
    }

    /// Returns the number of a row that is named by it.
    fn numbered(&self, name: &str) -> Option<u64> {
        let number: u64 = name.parse().ok()?;
        (number < self.numbered && number.to_string() == name).then_some(number)
    }

    fn row(&self, name: &str) -> Row {
        let own = |number| Row {
            is_against: false,
            number,
        };
        let named = self.named.get(name).copied();
        named
            .or_else(|| self.numbered(name).map(own))
            .expect("a row without an id is named by its number")
    }

    /// Finds the pairs of all rows. The judge decides which pairs count. There are not more than half of the memory limit has
    /// room for.
    ///
    /// # Errors
    ///
    /// Those of [`Self::finish_with`], and [`Error::Sink`] if there are more pairs.
    pub fn finish<'t>(
        self,
        observer: &dyn Observer,
        judge: Option<&'t mut (dyn ScanJudge + 't)>,
    ) -> Result<Scan> {
        let engine = &self.options.engine;
        let threads = engine.threads;
        let mut best = TopPairs::within(engine.budget.limit).of_first_copies();
        let judge = judge.map(|judge| judge as &mut dyn ScanJudge);
        let mut scan = self.finish_with(observer, judge, &mut best)?;
        scan.pairs = in_pool(threads, || Ok(best.into_pairs()))?;
        Ok(scan)
    }

    /// Finds the pairs of all rows. The judge decides which pairs count, and the sink gets them.
    ///
    /// # Errors
    ///
    /// There are more rows or shingles than 32 bits can number, the worker threads cannot be started, a temporary file cannot
    /// be written, the sink fails, or the observer stops the run.
    pub fn finish_with<'t>(
        mut self,
        observer: &dyn Observer,
        judge: Option<&'t mut (dyn ScanJudge + 't)>,
        sink: &'t mut (dyn PairSink + 't),
    ) -> Result<Scan> {
        observer.stage(Stage::Read, None);
        if observer.is_stopped() {
            return Err(Error::Stopped);
        }
        let mut gathered = std::mem::take(&mut self.gathered);
        gathered.sort_unstable_by(|x, y| x.0.cmp(&y.0));
        self.skipped.sort_unstable();
        let source = |(name, (_, format)): &(String, (Gathered, Format))| Source {
            format: *format,
            ..self.row(name).source()
        };
        let sources = Sources::of_rows(gathered.iter().map(source));
        let rows = self.skipped.iter().map(|skipped| self.row(&skipped.path));
        let skipped_rows: Vec<Option<u64>> = rows.map(Row::own).collect();
        let gathered = gathered.into_iter();
        let gathered = gathered.map(|(name, (gathered, _))| (name, gathered));
        let stats = Stats {
            bytes: self.text_bytes,
            ..Stats::default()
        };
        in_pool(self.options.engine.threads, || {
            let corpus = Corpus {
                collection: self.gathering.collect(gathered.collect(), stats)?,
                sources,
                skipped: self.skipped,
                notes: Vec::new(),
                warnings: Vec::new(),
            };
            let scan = Scan::of(corpus, self.options, observer, (judge, Some(sink)), None)?;
            scan.with_rows(skipped_rows)
        })
    }
}

/// Makes the features of a row. Also returns its format.
fn gathered(
    worker: &mut GatheringWorker<'_>,
    text: &str,
    options: &ReadOptions,
) -> std::result::Result<(Gathered, Format), Refused> {
    let document = row(Cow::Borrowed(text), options)?;
    let gathered = worker.add(document.titled());
    let gathered = gathered.ok_or_else(|| (SkipReason::Empty, String::new()))?;
    Ok((gathered, document.format))
}

impl Scan {
    /// Returns a scan whose documents are rows. `skipped` has the row of each skipped entry, in their order; none for one of
    /// the other table.
    ///
    /// # Errors
    ///
    /// [`Error::TooMuch`].
    pub fn with_rows(mut self, skipped: Vec<Option<u64>>) -> Result<Self> {
        let own = self.sources.own() + skipped.iter().flatten().count();
        let mut documents = vec![None; own];
        for (at, source) in self.sources.documents.iter().enumerate() {
            let row = source.row();
            if let (false, Ok(number)) = (row.is_against, usize::try_from(row.number)) {
                documents[number] = Some(DocId::new(at)?);
            }
        }
        let names = self.skipped.iter().map(|skipped| skipped.path.clone());
        let skipped = names.zip(skipped);
        self.sources.rows = Some(Arc::new(Rows {
            documents,
            skipped: skipped
                .filter_map(|(name, row)| Some((name, row?)))
                .collect(),
        }));
        Ok(self)
    }

    /// Returns the scan with a reader of the texts of its rows.
    #[must_use]
    pub fn with_texts(mut self, texts: RowTexts) -> Self {
        self.sources.texts = Some(texts);
        self
    }

    /// Returns whether the documents are rows of texts, and were not read from files.
    pub fn has_rows(&self) -> bool {
        self.sources.rows.is_some()
    }

    /// Returns whether the documents are records.
    pub fn of_records(&self) -> bool {
        let mut sources = self.sources.documents.iter();
        self.has_rows() || sources.all(Source::is_record)
    }

    /// Returns whether the documents are compared with those of another collection.
    pub fn has_sides(&self) -> bool {
        !self.options.walk.against.is_empty()
    }

    /// Returns whether a document is of the other collection.
    pub fn is_against(&self, id: DocId) -> bool {
        self.sources.of(id).is_against
    }

    /// Returns the id of a document: its name, or the id that a row has in its table.
    pub fn id(&self, id: DocId) -> &str {
        let name = self.name(id);
        match self.has_rows() {
            true => self.sources.of(id).row().id(name),
            false => name,
        }
    }

    /// Returns the row of a document in its table, from 0. Documents of files have their place in the order of their names.
    pub fn row(&self, id: DocId) -> u64 {
        match self.has_rows() {
            true => self.sources.of(id).row().number,
            false => id.index() as u64,
        }
    }

    /// Returns the document of a row; `None` if the row was skipped or there is none.
    pub fn document_of_row(&self, row: u64) -> Option<DocId> {
        let row = usize::try_from(row).ok()?;
        match &self.sources.rows {
            Some(rows) => rows.documents.get(row).copied().flatten(),
            None if row < self.documents.len() => DocId::new(row).ok(),
            None => None,
        }
    }

    /// Returns the row of a skipped entry; `None` if it is no row.
    pub fn row_of_skipped(&self, skipped: &Skipped) -> Option<u64> {
        let rows = self.sources.rows.as_ref()?;
        rows.skipped.get(&skipped.path).copied()
    }

    /// Returns the rows that were skipped, with their ids, in any order.
    pub fn skipped_rows(&self) -> impl Iterator<Item = (u64, &str)> {
        let skipped = self.sources.rows.iter().flat_map(|rows| &rows.skipped);
        skipped.map(|(name, &row)| (row, name.as_str()))
    }

    /// Returns the relation of two documents among all the others, and the reason for it; `None` if the scan did not keep what
    /// that needs. They need not be a pair.
    ///
    /// # Errors
    ///
    /// [`Error::TempFile`] if shingle sets are in a file that cannot be read.
    pub fn explain(&self, a: DocId, b: DocId) -> Result<Option<Explanation>> {
        let pair = self.measured([a, b])?;
        Ok(pair.map(|pair| Explanation::of(&self.documents, pair)))
    }

    /// Returns the text of a document, if it can be read again and is still the same.
    pub fn text(&self, id: DocId) -> Option<String> {
        read_texts(&self.options, self, &[id]).pop()?.ok()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::scan;
    use dupfind_engine::{Pair, Silent};

    /// Texts that a record is read from: with front matter, of a web page, not to be compared, without letters.
    const TEXTS: [&str; 7] = [
        "---\ntitle: Cats\n---\n\nThe old park by the river opened to the public thirty years ago today.",
        "---\ntitle: Dogs\n---\n\nThe old park by the river opened to the public thirty years ago now.",
        "<!doctype html><title>x</title><nav><a href=a>Home</a></nav><main><p>The old park by the river opened to the public \
         thirty years ago.</p></main>",
        "---\ndupfind: ignore - legal\n---\n\nThe old park by the river opened to the public thirty years ago.",
        "?!",
        "猫在院子里的老树下睡了一整个下午，直到太阳落山才醒来。",
        "猫在院子里的老树下睡了一整个下午，直到太阳落山才醒过来。",
    ];

    #[test]
    fn rows_give_what_records_give() {
        let folder = tempfile::tempdir().unwrap();
        let line = |text: &str| format!("{{\"text\":{text:?}}}\n");
        let lines: String = TEXTS.iter().map(|text| line(text)).collect();
        fs::write(folder.path().join("x.jsonl"), lines).unwrap();
        let mut options = ScanOptions::for_paths([folder.path()]);
        options.walk.base = folder.path().to_owned();
        let mut pairs = TopPairs::all();
        let of_file = scan(&options, &Silent, Some(&mut pairs)).unwrap();
        let pairs = pairs.into_pairs();

        let mut rows = RowScan::new(options);
        // As the records of the file are named.
        let row = |(number, text)| (Some(format!("x.jsonl#{number}")), Some(text));
        rows.add((1..).zip(TEXTS).map(row), false, &Silent).unwrap();
        let of_rows = rows.finish(&Silent, None).unwrap();
        assert!(pairs.len() > 1, "{pairs:?}");
        assert_eq!(of_rows.pairs, pairs);
        assert_eq!(of_rows.documents, of_file.documents);
        let about = |scan: &Scan| -> Vec<(Format, u64)> {
            let sources = scan.sources.documents.iter();
            sources
                .map(|source| (source.format, source.record))
                .collect()
        };
        assert_eq!(about(&of_rows), about(&of_file));
        assert_eq!(of_rows.skipped.len(), 2);
        assert_eq!(of_rows.skipped, of_file.skipped);
        let is_of_pages = |pair: &Pair| {
            of_rows.documents[pair.a.index()].title != of_rows.documents[pair.b.index()].title
        };
        assert!(of_rows.pairs.iter().any(is_of_pages));
    }
}
