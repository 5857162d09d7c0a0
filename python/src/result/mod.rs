//! The result of a scan.

mod found;

use std::sync::{Arc, OnceLock};

use dupfind_decide::KeepRule;
use dupfind_decide::clean::plan::line::because;
use dupfind_decide::clean::ties::Measures;
use dupfind_decide::finished_scan::{
    Decided, Selection, Selection as Selected, rows_that_stay, select,
};
use dupfind_engine::{DocId, Reason, Relation};
use dupfind_report::formats::scanned::escaped_html;
use dupfind_scan::{RowTexts, Scan};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::call::{Call, Error, InputError, OrRaise};
use crate::explanation::Explanation;
use crate::input::ColumnNames;
use crate::input::again::{Fields, texts_of_rows};
use crate::options::Given;
use crate::table::{Columns, Table};

/// The pairs and clusters of a scan, and what stays of the documents.
///
/// All tables have row numbers: positions in the input of the scan, from 0. Files are numbered in the order of their
/// names.
///
/// It cannot be pickled, and neither can its tables: send ``to_json()``, or ``to_dicts()`` of a table.
#[pyclass(frozen, module = "dupfind")]
pub(crate) struct Result {
    scanned: Arc<Scan>,
    source: Arc<Source>,
    /// The options of the scan, and the rules for the documents that stay.
    given: Given,
    /// What stays, once somebody asks.
    selected: OnceLock<Arc<Selected>>,
}

/// Where rows can be read again.
pub(crate) struct Source {
    /// The rows; `None` if they can be read only once.
    pub(crate) rows: Option<Py<PyAny>>,
    /// The rows that these were compared with.
    pub(crate) others: Option<Py<PyAny>>,
    pub(crate) names: ColumnNames,
}

impl Source {
    /// Returns what reads the texts again. What Python raises meanwhile is as if there were no texts.
    fn into_texts(self: Arc<Self>) -> RowTexts {
        RowTexts::new(move |asked| {
            let mut texts = vec![None; asked.len()];
            for (rows, is_against) in [(&self.rows, false), (&self.others, true)] {
                let of_table = asked.iter().enumerate();
                let of_table = of_table.filter(|(_, row)| row.is_against == is_against);
                let (places, numbers): (Vec<usize>, Vec<u64>) =
                    of_table.map(|(at, row)| (at, row.number)).unzip();
                let read = Python::try_attach(|py| {
                    let rows = rows.as_ref().filter(|_| !numbers.is_empty())?.bind(py);
                    texts_of_rows(rows, &self.names, &numbers).ok()
                });
                for (at, text) in places.into_iter().zip(read.flatten().into_iter().flatten()) {
                    texts[at] = text;
                }
            }
            texts
        })
    }
}

/// A row, by its number or its id.
#[derive(FromPyObject)]
pub(crate) enum RowKey {
    Number(i64),
    Name(String),
}

impl Result {
    pub(crate) fn new(scanned: Scan, source: Source, given: Given) -> Self {
        let source = Arc::new(source);
        let scanned = match scanned.has_rows() && source.rows.is_some() {
            true => scanned.with_texts(source.clone().into_texts()),
            false => scanned,
        };
        Self {
            scanned: Arc::new(scanned),
            source,
            given,
            selected: OnceLock::new(),
        }
    }

    fn find(&self, key: &RowKey) -> PyResult<DocId> {
        let found = match key {
            RowKey::Number(row) => u64::try_from(*row)
                .ok()
                .and_then(|row| self.scanned.document_of_row(row)),
            RowKey::Name(name) => self.scanned.id_of(name),
        };
        found.ok_or_else(|| {
            InputError::new_err(match key {
                RowKey::Number(row) => format!("no text of row {row} was compared"),
                RowKey::Name(name) => format!("no text named '{name}' was compared"),
            })
        })
    }

    fn decided(&self, py: Python<'_>) -> PyResult<Arc<Selected>> {
        if let Some(selected) = self.selected.get() {
            return Ok(Arc::clone(selected));
        }
        let selected = self.decide(py)?;
        Ok(Arc::clone(self.selected.get_or_init(|| selected)))
    }

    fn decide(&self, py: Python<'_>) -> PyResult<Arc<Selected>> {
        let deciding = self.given.deciding()?;
        // The columns of rules are read before, as Python has them.
        let rules = if self.scanned.has_rows() {
            &deciding.rules[..]
        } else {
            &[]
        };
        let rows = self.source.rows.as_ref().map(|rows| rows.bind(py));
        let fields = Fields::of(rules, rows)?;
        let scanned = Arc::clone(&self.scanned);
        let selected = Call::silent()?.run(py, move |_| {
            let field = |name: &str| Ok(fields.values(name));
            select(&scanned, deciding.rules, deciding.drops, &field)
        })?;
        Ok(Arc::new(selected))
    }

    fn write(
        &self,
        py: Python<'_>,
        write: fn(&Scan, &mut dyn std::io::Write) -> dupfind_engine::Result<()>,
    ) -> PyResult<String> {
        let scanned = Arc::clone(&self.scanned);
        let written = Call::silent()?.run(py, move |_| {
            let mut out = Vec::new();
            write(&scanned, &mut out)?;
            Ok(out)
        })?;
        String::from_utf8(written).map_err(|error| Error::new_err(error.to_string()))
    }
}

#[pymethods]
impl Result {
    /// The pairs: copies first, then the most similar.
    ///
    /// Columns: row_a, row_b, a, b, relation, jaccard, weighted, containment, hamming, container, matched_by, because.
    #[getter]
    fn pairs(&self) -> PyResult<Table> {
        found::pairs(&self.scanned)
    }

    /// The clusters, the largest first, with a row for each member.
    ///
    /// Columns: cluster, row, id, is_representative, least_similarity.
    #[getter]
    fn clusters(&self) -> PyResult<Table> {
        found::clusters(&self.scanned)
    }

    /// The documents that were compared, by row.
    ///
    /// Columns: row, id, length, shingles, fingerprint, near (how many pairs it is in), cluster.
    #[getter]
    fn documents(&self) -> PyResult<Table> {
        found::documents(&self.scanned)
    }

    /// What was not compared, and why.
    ///
    /// Columns: row (null for files), id, reason, detail, count.
    #[getter]
    fn skipped(&self) -> PyResult<Table> {
        found::skipped(&self.scanned)
    }

    /// What stays, by row. Columns: row, id. Rows without a text were not compared, and stay.
    #[getter]
    fn selected(&self, py: Python<'_>) -> PyResult<Table> {
        table_of_kept(&self.scanned, &*self.decided(py)?)
    }

    /// The rows that stay, ascending: ``df[result.selected_rows]``, ``dataset.select(result.selected_rows)``. Rows without
    /// a text were not compared, and stay. Records of files have no such numbers: scan the frame, or use ``dedup`` of the command.
    #[getter]
    fn selected_rows(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        if self.scanned.of_records() && !self.scanned.has_rows() {
            return Err(InputError::new_err(
                "records of files are no rows of a frame: scan(polars.read_parquet(path)) has their rows, and selected has \
                 the ids of those that stay",
            ));
        }
        let stay = rows_that_stay(&self.scanned, &self.decided(py)?.kept).into_iter();
        Ok(stay.map(|(row, _)| row).collect())
    }

    /// What goes, by row, with what stays for it.
    ///
    /// Columns: row, id, duplicate_of_row, duplicate_of, relation, similarity, weighted, containment, hamming, because,
    /// rule. The measures are those to the document that stays.
    #[getter]
    fn filtered(&self, py: Python<'_>) -> PyResult<Table> {
        table_of_removed(&self.scanned, self.decided(py)?.removed.iter())
    }

    /// What stays although it is much like another one, by row.
    ///
    /// Columns: row, id, other_row, other, relation, similarity.
    #[getter]
    fn unresolved(&self, py: Python<'_>) -> PyResult<Table> {
        table_of_unresolved(&self.scanned, &*self.decided(py)?)
    }

    /// Decides anew what stays, by other rules.
    ///
    /// Returns:
    ///     A ``Result`` of the same pairs.
    #[pyo3(signature = (**options), text_signature = "($self, *, keep=(), drop=None, min_similarity=None)")]
    fn plan(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let given = Given::to(py, "Result.plan", options)?;
        given.deciding()?;
        Ok(Self {
            scanned: Arc::clone(&self.scanned),
            source: Arc::clone(&self.source),
            given: self.given.with_rules(given),
            selected: OnceLock::new(),
        })
    }

    /// What goes and is least like what stays for it: the first to look at. The columns are those of ``filtered``.
    fn least_similar(&self, py: Python<'_>, n: usize) -> PyResult<Table> {
        let selected = self.decided(py)?;
        let mut removed: Vec<&(Decided, KeepRule)> = selected.removed.iter().collect();
        removed.sort_by_key(|(it, _)| (it.measures.jaccard, self.scanned.row(it.document)));
        removed.truncate(n);
        table_of_removed(&self.scanned, removed.into_iter())
    }

    /// Returns what two texts are to each other among all the others, and why. They need not be a pair.
    ///
    /// Args:
    ///     i: A row number, or an id.
    ///     j: Another one.
    fn explain(&self, i: RowKey, j: RowKey) -> PyResult<Explanation> {
        let (a, b) = (self.find(&i)?, self.find(&j)?);
        let explained = self.scanned.explain(a, b).or_raise()?;
        let explained =
            explained.ok_or_else(|| Error::new_err("the scan did not keep its shingle sets"))?;
        Ok(explained.into())
    }

    /// The report of the command with ``--format json``.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.write(py, dupfind_report::formats::scanned::write_json)
    }

    /// The page of the command with ``--format html``. It shows the texts of rows that can be read again.
    fn to_html(&self, py: Python<'_>) -> PyResult<String> {
        self.write(py, dupfind_report::formats::scanned::write_html)
    }

    /// A summary, and the first pair of texts that differ, side by side.
    fn _repr_html_(&self) -> PyResult<String> {
        let pairs = &self.scanned.pairs;
        let differ = pairs.iter().find(|pair| pair.relation() != Relation::Exact);
        let mut html = format!("<p><b>dupfind</b>: {}</p>", escaped_html(&self.summary()));
        let Some(pair) = differ.or(pairs.first()) else {
            return Ok(html);
        };
        let reason = Reason::new(&self.scanned.documents, pair).to_string();
        let relation = pair.relation().as_str();
        html.push_str(&format!(
            "<p><b>{relation}</b>: {}</p>",
            escaped_html(&reason)
        ));
        let documents = found::in_order(&self.scanned, pair);
        if let [Some(a), Some(b)] = documents.map(|id| self.scanned.text(id)) {
            html.push_str(&dupfind_report::formats::scanned::beside(
                &self.scanned,
                documents,
                [&a, &b],
            ));
        }
        Ok(html)
    }

    /// A result does not change, so a copy is the same.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __len__(&self) -> usize {
        self.scanned.pairs.len()
    }

    fn __repr__(&self) -> String {
        format!("<dupfind.Result: {}>", self.summary())
    }
}

impl Result {
    fn summary(&self) -> String {
        let outcome = &self.scanned;
        let skipped: u64 = outcome.skipped.iter().map(|skipped| skipped.count()).sum();
        format!(
            "{} documents, {skipped} skipped, {} pairs, {} clusters",
            outcome.sources.own(),
            self.scanned.pairs.len(),
            outcome.clusters.len()
        )
    }
}

/// Returns what stays, by row.
fn table_of_kept(scanned: &Scan, selected: &Selection) -> PyResult<Table> {
    let stay = rows_that_stay(scanned, &selected.kept);
    Columns::default()
        .u64("row", stay.iter().map(|(row, _)| *row))
        .text("id", stay.iter().map(|(_, id)| id))
        .into_table()
}

/// Returns what goes, and what stays for it.
fn table_of_removed<'s>(
    scanned: &Scan,
    removed: impl Iterator<Item = &'s (Decided, KeepRule)> + Clone,
) -> PyResult<Table> {
    let each = || removed.clone().map(|(removed, _)| removed);
    let measure = |measures: fn(&Measures) -> Option<u16>| {
        each().map(move |removed| measures(&removed.measures).map(Measures::number))
    };
    let because = each().map(|removed| because(removed.relation, removed.measures));
    Columns::default()
        .u64("row", each().map(|removed| scanned.row(removed.document)))
        .text("id", each().map(|removed| scanned.id(removed.document)))
        .u64(
            "duplicate_of_row",
            each().map(|removed| scanned.row(removed.other)),
        )
        .text(
            "duplicate_of",
            each().map(|removed| scanned.id(removed.other)),
        )
        .text("relation", each().map(|removed| removed.relation.as_str()))
        .optional_f64("similarity", measure(|measures| measures.jaccard))
        .optional_f64("weighted", measure(|measures| measures.weighted))
        .optional_f64(
            "containment",
            each().map(|removed| removed.measures.containment()),
        )
        .optional_u32(
            "hamming",
            each().map(|removed| removed.measures.hamming.map(u32::from)),
        )
        .text("because", because)
        .text("rule", removed.map(|(_, rule)| rule.to_string()))
        .into_table()
}

/// Returns what stays although it is much like another one, by row.
fn table_of_unresolved(scanned: &Scan, selected: &Selection) -> PyResult<Table> {
    let unresolved = || selected.unresolved.iter();
    Columns::default()
        .u64("row", unresolved().map(|loose| scanned.row(loose.document)))
        .text("id", unresolved().map(|loose| scanned.id(loose.document)))
        .u64(
            "other_row",
            unresolved().map(|loose| scanned.row(loose.other)),
        )
        .text("other", unresolved().map(|loose| scanned.id(loose.other)))
        .text(
            "relation",
            unresolved().map(|loose| loose.relation.as_str()),
        )
        .optional_f64(
            "similarity",
            unresolved().map(|loose| loose.measures.jaccard.map(Measures::number)),
        )
        .into_table()
}
