//! The columns, rows and clusters of a table for people.

use std::io::{self, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use crate::language::phrase;
use crate::model::{ClusterRecord, JudgedRecord, PairRecord, Report};
use crate::say;
use crate::style::escape::{legible, padded, padded_left};
use crate::style::{FAINT, HEADING, TableStyle, amount, painted, relation_style};
use dupfind_decide::Standing;
use dupfind_engine::{Detector, Relation};

/// Returns text in the column of relations, which has the longest of their words.
pub(crate) fn in_relations(text: &str) -> String {
    let words = Relation::ALL.map(|relation| phrase(relation.as_str()).width());
    padded(text, words.into_iter().max().unwrap_or_default())
}

/// Returns text in the column of a measure.
pub(crate) fn in_measure(name: &str, text: &str) -> String {
    padded_left(text, name.len().max(phrase(name).width()))
}

/// The narrowest that a name is made.
pub(super) const NARROWEST: usize = 12;

/// Returns the headings of the columns of names.
pub(super) fn headings() -> (&'static str, &'static str) {
    (phrase("document"), phrase("other document"))
}

/// Returns headings of columns, each behind two spaces. The first is of relations.
pub(crate) fn measure_headings(names: &[&str]) -> String {
    let measures = names.iter().map(|name| in_measure(name, phrase(name)));
    let measures: Vec<String> = measures.collect();
    let relation = in_relations(phrase("relation"));
    format!("{relation}  {}  ", measures.join("  "))
}

pub(crate) struct Table {
    pub(crate) style: TableStyle,
}

impl Table {
    /// Writes how many items of a list are left out, if any are.
    fn write_not_shown(&self, count: u64, noun: &str, out: &mut dyn Write) -> io::Result<()> {
        if count == 0 {
            return Ok(());
        }
        let text = say!("… and {} not shown", amount(count, noun));
        writeln!(out, "{}", self.paint(FAINT, &text))
    }

    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        painted(style, text, self.style.color)
    }

    /// Returns the cell with the relation of a pair.
    pub(crate) fn relation(&self, relation: Relation) -> String {
        let text = in_relations(phrase(relation.as_str()));
        self.paint(relation_style(relation), &text)
    }
}

/// Returns the names of a pair; a document that contains the other one comes first.
pub(crate) fn names_in_order<'r>(pair: &PairRecord<'r>) -> (&'r str, &'r str) {
    if pair.container == Some(pair.b) {
        (pair.b, pair.a)
    } else {
        (pair.a, pair.b)
    }
}

/// Returns a name for the beginning of a line. For GitHub Actions, a line that begins with `::`, white space aside, is
/// a command.
pub(super) fn leading(name: &str) -> String {
    let name = legible(name);
    if name.trim_start().starts_with("::") {
        format!("./{name}")
    } else {
        name
    }
}

/// Returns a similarity with four decimals; `-` if it was not measured.
pub(crate) fn similarity(value: Option<f64>) -> String {
    value.map_or("-".into(), |value| format!("{value:.4}"))
}

/// Returns a Hamming distance; `-` if it was not measured.
pub(crate) fn distance(bits: Option<u32>) -> String {
    bits.map_or("-".into(), |bits| bits.to_string())
}

/// The columns with measures.
const MEASURES: [&str; 3] = ["weighted", "Jaccard", "Hamming"];

/// The heading of the column before that, which is there if some pairs were accepted once.
const STANDING: &str = "standing";

/// A column for a detector that counts equal hashes; it is there if the detector ran.
struct HashColumn {
    detector: Detector,
    heading: &'static str,
}

/// The widest first name that is in a column. If there is a wider one, all names are below their measures.
const WIDEST: usize = 240;

/// The columns of the pairs.
struct PairColumns<'t> {
    table: &'t Table,
    /// The heading of the column for standings; empty if there is none.
    standing: String,
    measures: String,
    hashes: Vec<HashColumn>,
    /// The width of the column of the first names; `None` if names are below their measures, each on a line of its own.
    names: Option<usize>,
}

/// Writes the pairs to be looked at. Those that are set apart are none of these, and only counted.
pub(super) fn write_pairs(
    report: &Report<'_>,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let top = table.style.top.unwrap_or(usize::MAX);
    // There may be many millions of pairs, so that they are gone through several times and no row is kept.
    let pairs = || {
        let own = report.pairs().filter(|judged| judged.apart.is_none());
        own.take(top)
    };
    let columns = PairColumns::new(report, table, pairs);
    writeln!(out, "{}", table.paint(HEADING, &columns.headings()))?;
    for judged in pairs() {
        columns.write_row(&judged, out)?;
    }
    let left = report.open_pairs() - pairs().count() as u64;
    table.write_not_shown(left, "pair", out)
}

impl<'t> PairColumns<'t> {
    fn new<'r, I: Iterator<Item = JudgedRecord<'r>>>(
        report: &Report<'_>,
        table: &'t Table,
        pairs: impl Fn() -> I,
    ) -> Self {
        // If all pairs are new, a column would have the same word for each.
        let standing = match pairs().any(|judged| was_accepted(judged.standing)) {
            true => format!("{}  ", padded(phrase(STANDING), STANDING.len())),
            false => String::new(),
        };
        let measures = measure_headings(&MEASURES);
        let hashes: Vec<HashColumn> = hash_columns(report).collect();
        let hash_widths: usize = hashes.iter().map(|column| column.heading().len()).sum();
        let fixed = standing.width() + measures.width() + hash_widths;
        let width = |name: &str| legible(name).width();
        let start = (headings().0.width(), headings().1.width());
        let (a, b) = pairs().fold(start, |(a, b), judged| {
            let (first, second) = names_in_order(&judged.pair);
            (a.max(width(first)), b.max(width(second)))
        });
        let fits = match table.style.width {
            Some(width) => fixed + a + 2 + b <= width,
            None => a <= WIDEST,
        };
        Self {
            names: fits.then_some(a),
            table,
            standing,
            measures,
            hashes,
        }
    }

    fn headings(&self) -> String {
        let hashes: String = self.hashes.iter().map(HashColumn::heading).collect();
        let Self {
            standing, measures, ..
        } = self;
        let (first, second) = headings();
        match self.names {
            Some(width) => {
                let first = padded(first, width);
                format!("{standing}{measures}{hashes}{first}  {second}")
            }
            None => format!("{standing}{measures}{hashes}")
                .trim_end()
                .to_owned(),
        }
    }

    fn write_row(&self, judged: &JudgedRecord<'_>, out: &mut dyn Write) -> io::Result<()> {
        let JudgedRecord { pair, standing, .. } = judged;
        let standing = standing.filter(|_| !self.standing.is_empty());
        let hashes: String = self.hashes.iter().map(|column| column.cell(pair)).collect();
        let names = names_in_order(pair);
        let values = [
            similarity(pair.weighted),
            similarity(pair.jaccard),
            distance(pair.hamming),
        ];
        let values: Vec<String> = MEASURES
            .iter()
            .zip(&values)
            .map(|(name, value)| in_measure(name, value))
            .collect();
        let row = format!(
            "{}{}  {}  {hashes}",
            padded(
                standing.map_or("", |standing| phrase(standing.as_str())),
                self.standing.width()
            ),
            self.table.relation(pair.relation),
            values.join("  "),
        );
        match self.names {
            Some(width) => {
                let first = padded(&legible(names.0), width);
                writeln!(out, "{row}{first}  {}", legible(names.1))
            }
            None => {
                writeln!(out, "{}", row.trim_end())?;
                writeln!(out, "    {}\n    {}", leading(names.0), leading(names.1))
            }
        }
    }
}

impl HashColumn {
    fn cell(&self, pair: &PairRecord<'_>) -> String {
        let count = pair.agreeing.of(self.detector).unwrap_or_default();
        let width = self.heading().len() - 2;
        format!("{count:>width$}  ")
    }

    fn heading(&self) -> String {
        format!("{}  ", self.heading)
    }
}

/// Returns the columns of the detectors that run and count equal signatures.
fn hash_columns(report: &Report<'_>) -> impl Iterator<Item = HashColumn> {
    let running = report.outcome.options.engine.detectors.iter();
    running.filter_map(|detector| {
        let [_, heading] = detector.of_counts()?;
        Some(HashColumn { detector, heading })
    })
}

/// Whether a pair is to be looked at although the baseline holds it.
fn was_accepted(standing: Option<Standing>) -> bool {
    standing == Some(Standing::Worse)
}

/// How many members of a cluster are shown.
const MEMBERS: usize = 20;

/// Writes the clusters, and a blank line behind them, if there are any.
pub(super) fn write_clusters(
    report: &Report<'_>,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let count = report.outcome.clusters.len();
    if count == 0 {
        return Ok(());
    }
    let top = table.style.top.unwrap_or(usize::MAX);
    for cluster in report.clusters().take(top) {
        write_cluster(&cluster, table, out)?;
    }
    table.write_not_shown(count.saturating_sub(top) as u64, "cluster", out)?;
    writeln!(out)
}

fn write_cluster(
    cluster: &ClusterRecord<'_>,
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let count = cluster.documents.len();
    let least_similarity = cluster
        .least_similarity
        .map_or(String::new(), |value| say!(", least similarity {}", value));
    let heading = say!(
        "Cluster {}: {} documents{} (* the longest)",
        cluster.id + 1,
        count,
        least_similarity
    );
    writeln!(out, "{}", table.paint(HEADING, &heading))?;
    writeln!(out, "  * {}", leading(cluster.representative))?;
    let others = || {
        let documents = cluster.documents.iter();
        documents.filter(|&&document| document != cluster.representative)
    };
    for document in others().take(MEMBERS) {
        writeln!(out, "    {}", leading(document))?;
    }
    match others().count().saturating_sub(MEMBERS) {
        0 => Ok(()),
        more => {
            let more = say!("… and {} more", more);
            writeln!(out, "    {}", table.paint(FAINT, &more))
        }
    }
}
