//! The pairs in the table.

use std::collections::HashMap;
use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::formats::table::columns::{
    Table, distance, headings, leading, measure_headings, names_in_order, similarity,
};
use crate::language::phrase;
use crate::model::{JudgedRecord, PairRecord, Report};
use crate::say;
use crate::style::escape::{padded, visible};
use crate::style::paint::{FAINT, HEADING};
use crate::worklist::differences::{Swapped, swapped};
use dupfind_decide::gate::baseline::Standing;
use dupfind_engine::DocId;
use dupfind_engine::detect::Detector;

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

/// Writes the pairs to be looked at, with the words that are swapped in them. `open` of these pairs are kept.
pub(super) fn write_pairs(
    report: &Report<'_>,
    table: &Table,
    open: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = table.style.top.unwrap_or(usize::MAX).min(open);
    // There may be many millions of pairs, so that they are gone through several times and no row is kept.
    let pairs = || {
        let own = report.pairs().filter(|judged| !judged.apart);
        let apart = report.pairs().filter(|judged| judged.apart);
        own.chain(apart).take(shown)
    };
    let columns = PairColumns::new(report, table, pairs);
    writeln!(out, "{}", table.paint(HEADING, &columns.headings()))?;
    let swapped = swapped(report, shown).map_err(io::Error::other)?;
    let names = |[a, b]: [DocId; 2]| (report.outcome.name(a), report.outcome.name(b));
    let swapped: HashMap<(&str, &str), &Swapped> = swapped
        .iter()
        .map(|(two, found)| (names(*two), found))
        .collect();
    for judged in pairs() {
        columns.write_row(&judged, out)?;
        if let Some(Swapped { words, places }) = swapped.get(&(judged.pair.a, judged.pair.b)) {
            let [before, after] = words.each_ref().map(|words| visible(words));
            let text = say!("'{}' became '{}' in {} places", before, after, places);
            writeln!(out, "    {}", table.paint(FAINT, &text))?;
        }
    }
    let all = report.open_pairs() + report.apart_pairs();
    table.write_not_shown(all - shown as u64, "pair", out)
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
        let width = |name: &str| visible(name).width();
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
        let row = format!(
            "{}{}  {:>8}  {:>7}  {:>7}  {hashes}",
            padded(
                standing.map_or("", |standing| phrase(standing.as_str())),
                self.standing.width()
            ),
            self.table.relation(pair.relation),
            similarity(pair.weighted),
            similarity(pair.jaccard),
            distance(pair.hamming),
        );
        match self.names {
            Some(width) => {
                let first = padded(&visible(names.0), width);
                writeln!(out, "{row}{first}  {}", visible(names.1))
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
        let heading = detector.words().count.as_ref()?.heading;
        Some(HashColumn { detector, heading })
    })
}

/// Whether a pair is to be looked at although the baseline holds it.
fn was_accepted(standing: Option<Standing>) -> bool {
    standing == Some(Standing::Worse)
}
