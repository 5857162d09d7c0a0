//! The result of a scan.

use std::sync::{Arc, OnceLock};

use dupfind::clean::ties::Measures;
use dupfind::engine::pair::reason::Reason;
use dupfind::scanned::selection::{Removed, Selection as Selected};
use dupfind::scanned::{Scanned, escaped_html};
use dupfind::{DocId, Document, Pair, Relation, Resemblance};
use pyo3::prelude::*;

use crate::call::Call;
use crate::deciding::Deciding;
use crate::errors::{Error, InputError, OrRaise};
use crate::explanation::Explanation;
use crate::input::{ColumnNames, field_values, text_of_row};
use crate::options::{NumberOrWord, Thresholds, Words};
use crate::table::{Columns, Table};

/// The pairs and clusters of a scan, and what stays of the documents.
///
/// All tables have row numbers: positions in what was scanned, from 0. Files are numbered in the order of their names.
#[pyclass(frozen, module = "dupfind")]
pub(crate) struct Result {
    scanned: Arc<Scanned>,
    source: Arc<Source>,
    deciding: Deciding,
    /// What stays by the rules of the scan, once somebody asks.
    selected: OnceLock<Arc<Selected>>,
}

/// Where rows can be read again.
pub(crate) struct Source {
    /// The rows; `None` if they can be read only once.
    pub(crate) rows: Option<Py<PyAny>>,
    pub(crate) names: ColumnNames,
}

/// A row, by its number or its id.
#[derive(FromPyObject)]
pub(crate) enum RowKey {
    Number(i64),
    Name(String),
}

impl Result {
    pub(crate) fn new(scanned: Arc<Scanned>, source: Source, deciding: Deciding) -> Self {
        Self {
            scanned,
            source: Arc::new(source),
            deciding,
            selected: OnceLock::new(),
        }
    }

    fn document(&self, id: DocId) -> &Document {
        &self.scanned.outcome().documents[id.index()]
    }

    fn name(&self, id: DocId) -> &str {
        &self.document(id).name
    }

    /// Returns the documents of a pair, the one of the earlier row first.
    fn in_order(&self, pair: &Pair) -> [DocId; 2] {
        match self.scanned.row(pair.a) <= self.scanned.row(pair.b) {
            true => [pair.a, pair.b],
            false => [pair.b, pair.a],
        }
    }

    fn find(&self, key: &RowKey) -> PyResult<DocId> {
        let found = match key {
            RowKey::Number(row) => u64::try_from(*row)
                .ok()
                .and_then(|row| self.scanned.document_of_row(row)),
            RowKey::Name(name) => self.scanned.document_of_name(name),
        };
        found.ok_or_else(|| {
            InputError::new_err(match key {
                RowKey::Number(row) => format!("no text of row {row} was compared"),
                RowKey::Name(name) => format!("no text named '{name}' was compared"),
            })
        })
    }

    /// Returns the text of a document, if it can be read again.
    fn text(&self, py: Python<'_>, id: DocId) -> PyResult<Option<String>> {
        if !self.scanned.has_rows() {
            return Ok(self.scanned.text_of_file(id));
        }
        let Some(rows) = &self.source.rows else {
            return Ok(None);
        };
        text_of_row(rows.bind(py), &self.source.names, self.scanned.row(id))
    }

    fn decided(&self, py: Python<'_>) -> PyResult<Arc<Selected>> {
        if let Some(selected) = self.selected.get() {
            return Ok(Arc::clone(selected));
        }
        let selected = self.decide(py, &self.deciding)?;
        Ok(Arc::clone(self.selected.get_or_init(|| selected)))
    }

    fn decide(&self, py: Python<'_>, deciding: &Deciding) -> PyResult<Arc<Selected>> {
        // The columns of rules are read before, as Python has them.
        let mut fields = Vec::new();
        for rule in deciding.rules.iter().filter(|_| self.scanned.has_rows()) {
            if let dupfind::clean::keep::KeepRule::Field(name, _) = rule {
                let rows = self.source.rows.as_ref().map(|rows| rows.bind(py));
                fields.push((name.clone(), field_values(rows, name)?));
            }
        }
        let (scanned, deciding) = (Arc::clone(&self.scanned), deciding.clone());
        let selected = Call::silent().run(py, move |_| {
            let field = |name: &str| {
                let known = fields.iter().find(|(known, _)| known == name);
                Ok(known.map(|(_, values)| values.clone()).unwrap_or_default())
            };
            scanned.select(deciding.rules, deciding.drops, &field)
        })?;
        Ok(Arc::new(selected))
    }

    fn removed_table<'s>(
        &self,
        removed: impl Iterator<Item = &'s Removed> + Clone,
    ) -> PyResult<Table> {
        let measure = |measures: fn(&Measures) -> Option<u16>| {
            let removed = removed.clone();
            removed.map(move |removed| measures(&removed.measures).map(Measures::number))
        };
        let each = || removed.clone();
        Columns::default()
            .u64(
                "row",
                each().map(|removed| self.scanned.row(removed.document)),
            )
            .text("id", each().map(|removed| self.name(removed.document)))
            .u64(
                "duplicate_of_row",
                each().map(|removed| self.scanned.row(removed.keeper)),
            )
            .text(
                "duplicate_of",
                each().map(|removed| self.name(removed.keeper)),
            )
            .text("relation", each().map(|removed| removed.relation.as_str()))
            .optional_f64("similarity", measure(|measures| measures.jaccard))
            .optional_f64("weighted", measure(|measures| measures.weighted))
            .optional_f64("containment", measure(|measures| measures.containment))
            .optional_u32(
                "hamming",
                each().map(|removed| removed.measures.hamming.map(u32::from)),
            )
            .text("because", each().map(|removed| &removed.because))
            .text("rule", each().map(|removed| &removed.rule))
            .into_table()
    }

    fn kept_table(&self, selected: &Selected) -> PyResult<Table> {
        let kept = || selected.kept.iter();
        Columns::default()
            .u64("row", kept().map(|&id| self.scanned.row(id)))
            .text("id", kept().map(|&id| self.name(id)))
            .into_table()
    }

    fn write(
        &self,
        py: Python<'_>,
        write: fn(&Scanned, &mut dyn std::io::Write) -> dupfind::Result<()>,
    ) -> PyResult<String> {
        let scanned = Arc::clone(&self.scanned);
        let written = Call::silent().run(py, move |_| {
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
        let documents = &self.scanned.outcome().documents;
        let pairs = || self.scanned.pairs().iter();
        let ends = |end: usize| pairs().map(move |pair| self.in_order(pair)[end]);
        Columns::default()
            .u64("row_a", ends(0).map(|id| self.scanned.row(id)))
            .u64("row_b", ends(1).map(|id| self.scanned.row(id)))
            .text("a", ends(0).map(|id| self.name(id)))
            .text("b", ends(1).map(|id| self.name(id)))
            .measures(|| pairs().map(|pair| (pair, [pair.a, pair.b].map(|id| self.document(id)))))
            .optional_text(
                "container",
                pairs().map(|pair| pair.container(documents).map(|id| self.name(id))),
            )
            .texts("matched_by", pairs().map(|pair| pair.found_by.names()))
            .text(
                "because",
                pairs().map(|pair| Reason::new(documents, pair).to_string()),
            )
            .into_table()
    }

    /// The clusters, the largest first, with a row for each member.
    ///
    /// Columns: cluster, row, id, is_representative, cohesion.
    #[getter]
    fn clusters(&self) -> PyResult<Table> {
        let clusters = self.scanned.outcome().clusters.iter();
        let members: Vec<_> = (0_u32..)
            .zip(clusters)
            .flat_map(|(number, cluster)| {
                let mut members = cluster.documents.clone();
                members.sort_unstable_by_key(|&id| self.scanned.row(id));
                members.into_iter().map(move |id| (number, cluster, id))
            })
            .collect();
        Columns::default()
            .u32("cluster", members.iter().map(|(number, ..)| *number))
            .u64("row", members.iter().map(|&(.., id)| self.scanned.row(id)))
            .text("id", members.iter().map(|&(.., id)| self.name(id)))
            .bool(
                "is_representative",
                members
                    .iter()
                    .map(|&(_, cluster, id)| cluster.representative == id),
            )
            .optional_f64(
                "cohesion",
                members.iter().map(|(_, cluster, _)| cluster.cohesion),
            )
            .into_table()
    }

    /// The documents that were compared, by row.
    ///
    /// Columns: row, id, length, shingles, fingerprint, near (how many pairs it is in), unique (the share of its shingles
    /// that no other document has), cluster.
    #[getter]
    fn documents(&self) -> PyResult<Table> {
        let outcome = self.scanned.outcome();
        let mut ids: Vec<DocId> = (0..outcome.documents.len())
            .map(DocId::new)
            .collect::<dupfind::Result<_>>()
            .or_raise()?;
        ids.sort_unstable_by_key(|&id| self.scanned.row(id));
        let mut near = vec![0_u32; ids.len()];
        for id in self
            .scanned
            .pairs()
            .iter()
            .flat_map(|pair| [pair.a, pair.b])
        {
            near[id.index()] += 1;
        }
        let mut cluster_of = vec![None; ids.len()];
        for (number, cluster) in (0_u32..).zip(&outcome.clusters) {
            for id in &cluster.documents {
                cluster_of[id.index()] = Some(number);
            }
        }
        let documents = || ids.iter().map(|&id| self.document(id));
        Columns::default()
            .u64("row", ids.iter().map(|&id| self.scanned.row(id)))
            .text("id", documents().map(|document| &document.name))
            .u64("length", documents().map(|document| document.length as u64))
            .u32("shingles", documents().map(|document| document.shingles))
            .optional_u64(
                "fingerprint",
                documents().map(|document| document.fingerprint),
            )
            .u32("near", ids.iter().map(|id| near[id.index()]))
            .optional_f64(
                "unique",
                ids.iter()
                    .map(|&id| outcome.unique_share(id).map(Resemblance::rounded)),
            )
            .optional_u32("cluster", ids.iter().map(|id| cluster_of[id.index()]))
            .into_table()
    }

    /// What was not compared, and why.
    ///
    /// Columns: row (null for files), id, reason, detail, count.
    #[getter]
    fn skipped(&self) -> PyResult<Table> {
        let mut skipped: Vec<_> = self
            .scanned
            .outcome()
            .skipped
            .iter()
            .map(|skipped| (self.scanned.row_of_skipped(skipped), skipped))
            .collect();
        skipped.sort_by_key(|(row, _)| *row);
        Columns::default()
            .optional_u64("row", skipped.iter().map(|(row, _)| *row))
            .text("id", skipped.iter().map(|(_, skipped)| &skipped.path))
            .text(
                "reason",
                skipped.iter().map(|(_, skipped)| skipped.reason.as_str()),
            )
            .text("detail", skipped.iter().map(|(_, skipped)| &skipped.detail))
            .u64("count", skipped.iter().map(|(_, skipped)| skipped.count()))
            .into_table()
    }

    /// What stays, by row. Columns: row, id.
    #[getter]
    fn selected(&self, py: Python<'_>) -> PyResult<Table> {
        self.kept_table(&*self.decided(py)?)
    }

    /// The rows that stay, ascending: ``df[result.selected_rows]``, ``dataset.select(result.selected_rows)``.
    #[getter]
    fn selected_rows(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        let selected = self.decided(py)?;
        Ok(selected
            .kept
            .iter()
            .map(|&id| self.scanned.row(id))
            .collect())
    }

    /// What goes, by row, with what stays for it.
    ///
    /// Columns: row, id, duplicate_of_row, duplicate_of, relation, similarity, weighted, containment, hamming, because,
    /// rule. The measures are those to the document that stays.
    #[getter]
    fn filtered(&self, py: Python<'_>) -> PyResult<Table> {
        self.removed_table(self.decided(py)?.removed.iter())
    }

    /// What stays although it is much like another one, by row.
    ///
    /// Columns: row, id, other_row, other, relation, similarity.
    #[getter]
    fn unresolved(&self, py: Python<'_>) -> PyResult<Table> {
        let selected = self.decided(py)?;
        let unresolved = || selected.unresolved.iter();
        Columns::default()
            .u64(
                "row",
                unresolved().map(|loose| self.scanned.row(loose.document)),
            )
            .text("id", unresolved().map(|loose| self.name(loose.document)))
            .u64(
                "other_row",
                unresolved().map(|loose| self.scanned.row(loose.other)),
            )
            .text("other", unresolved().map(|loose| self.name(loose.other)))
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

    /// Decides anew what stays, by other rules.
    ///
    /// Returns:
    ///     A ``Result`` of the same pairs.
    #[pyo3(signature = (*, keep = None, drop = None, min_drop = 0.5),
        text_signature = "($self, *, keep=(), drop=('exact',), min_drop=0.5)")]
    fn plan(&self, keep: Option<Words>, drop: Option<Words>, min_drop: f64) -> PyResult<Self> {
        Ok(Self {
            scanned: Arc::clone(&self.scanned),
            source: Arc::clone(&self.source),
            deciding: Deciding::new(keep, drop, Some(min_drop))?,
            selected: OnceLock::new(),
        })
    }

    /// Returns what a scan with higher thresholds would have found, without a new scan.
    ///
    /// Raises:
    ///     OptionError: A threshold is lower than that of this scan.
    #[pyo3(signature = (*, min_jaccard = None, max_hamming = None, min_containment = None, min_weighted = None,
        cluster_on = None))]
    fn rethreshold(
        &self,
        py: Python<'_>,
        min_jaccard: Option<f64>,
        max_hamming: Option<u32>,
        min_containment: Option<f64>,
        min_weighted: Option<NumberOrWord>,
        cluster_on: Option<Words>,
    ) -> PyResult<Self> {
        let thresholds = Thresholds {
            min_jaccard,
            max_hamming,
            min_containment,
            min_weighted,
            cluster_on,
        };
        let options = thresholds.of(self.scanned.options().engine.clone())?;
        let scanned = Arc::clone(&self.scanned);
        let scanned = Call::silent().run(py, move |_| scanned.with_thresholds(&options))?;
        Ok(Self {
            scanned: Arc::new(scanned),
            source: Arc::clone(&self.source),
            deciding: self.deciding.clone(),
            selected: OnceLock::new(),
        })
    }

    /// What goes and is least like what stays for it: the first to look at. The columns are those of ``filtered``.
    fn least_similar(&self, py: Python<'_>, n: usize) -> PyResult<Table> {
        let selected = self.decided(py)?;
        let mut removed: Vec<&Removed> = selected.removed.iter().collect();
        removed
            .sort_by_key(|removed| (removed.measures.jaccard, self.scanned.row(removed.document)));
        removed.truncate(n);
        self.removed_table(removed.into_iter())
    }

    /// Returns what two texts are to each other among all the others, and why. They need not be a pair.
    ///
    /// Args:
    ///     i: A row number, or an id.
    ///     j: Another one.
    fn explain(&self, i: RowKey, j: RowKey) -> PyResult<Explanation> {
        let (a, b) = (self.find(&i)?, self.find(&j)?);
        Ok(self.scanned.explain(a, b).or_raise()?.into())
    }

    /// The report of the command with ``--format json``.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        self.write(py, Scanned::write_json)
    }

    /// Writes the page of the command with ``--format html``. It shows texts only of files.
    fn to_html(&self, py: Python<'_>) -> PyResult<String> {
        self.write(py, Scanned::write_html)
    }

    /// A summary, and the first pair of texts that differ, side by side.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let pairs = self.scanned.pairs();
        let differ = pairs.iter().find(|pair| pair.relation != Relation::Exact);
        let mut html = format!("<p><b>dupfind</b>: {}</p>", escaped_html(&self.summary()));
        let Some(pair) = differ.or(pairs.first()) else {
            return Ok(html);
        };
        let reason = Reason::new(&self.scanned.outcome().documents, pair).to_string();
        let relation = pair.relation.as_str();
        html.push_str(&format!(
            "<p><b>{relation}</b>: {}</p>",
            escaped_html(&reason)
        ));
        let documents = self.in_order(pair);
        let [a, b] = documents.map(|id| self.text(py, id));
        if let (Some(a), Some(b)) = (a?, b?) {
            html.push_str(&self.scanned.beside(documents, [&a, &b]));
        }
        Ok(html)
    }

    fn __len__(&self) -> usize {
        self.scanned.pairs().len()
    }

    fn __repr__(&self) -> String {
        format!("<dupfind.Result: {}>", self.summary())
    }
}

impl Result {
    fn summary(&self) -> String {
        let outcome = self.scanned.outcome();
        let skipped: u64 = outcome.skipped.iter().map(|skipped| skipped.count()).sum();
        format!(
            "{} documents, {skipped} skipped, {} pairs, {} clusters",
            outcome.documents.len(),
            self.scanned.pairs().len(),
            outcome.clusters.len()
        )
    }
}
