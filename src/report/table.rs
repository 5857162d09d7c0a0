//! The table for people: the pairs, the clusters, one line that sums up.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::engine::relation::{Counts, Relation};
use crate::gate::baseline::Standing;
use crate::report::escape::{padded, shortened, visible};
use crate::report::model::{ClusterRecord, JudgedRecord, PairRecord, Report, SummaryRecord};

/// How the table is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TableStyle {
    /// Columns of the terminal; without one, names are never shortened.
    pub(crate) width: Option<usize>,
    /// Whether to colour.
    pub(crate) color: bool,
    /// How many pairs and clusters to show at most.
    pub(crate) top: Option<usize>,
}

/// How many members of a cluster are shown.
const MEMBERS: usize = 20;

/// What stands before the names: the relation and three numbers.
const FIXED: &str = "relation  weighted  Jaccard  Hamming  ";

/// What stands before that if some pairs were accepted once.
const STANDING: &str = "standing  ";

/// The widest a column of names is made where there is no terminal to fill.
const WIDEST: usize = 60;

/// The narrowest a name is ever made.
const NARROWEST: usize = 12;

pub(crate) const HEADING: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
const COPY: Style = AnsiColor::Red.on_default().bold();
const CLOSE: Style = AnsiColor::Yellow.on_default();
const PART: Style = AnsiColor::Cyan.on_default();

/// Writes a report as a table. Names are escaped so that no file name can act on the terminal.
pub(crate) fn write_table(
    report: &Report<'_>,
    style: TableStyle,
    out: &mut dyn Write,
) -> io::Result<()> {
    let table = Table { style };
    let summary = report.summary();
    if summary.pairs > 0 {
        if let Some(pairs) = report.pairs {
            let open = pairs.iter().filter(|pair| report.gate.is_open(pair));
            let open = open.count();
            // Of those that count there may be more than are kept to be shown.
            if report.open_pairs() > 0 {
                table.pairs(report, open, out)?;
                writeln!(out)?;
            }
        }
        let is_open = open_clusters(report);
        if is_open.contains(&true) {
            table.clusters(report, &is_open, out)?;
            writeln!(out)?;
        }
    }
    table.summary(report, &summary, out)
}

/// What draws tables.
pub(crate) struct Table {
    pub(crate) style: TableStyle,
}

impl Table {
    /// Text in a style, or plain if there is no colour.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        if self.style.color {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    fn pairs(&self, report: &Report<'_>, open: usize, out: &mut dyn Write) -> io::Result<()> {
        let shown = self.style.top.unwrap_or(usize::MAX).min(open);
        let has_baseline = report.gate.baseline().is_some();
        let open = || {
            let open = report
                .pairs()
                .filter(|judged| !has_baseline || judged.standing.is_some_and(Standing::is_open));
            open.take(shown)
        };
        // Several times through the pairs: there may be many millions, and no row is kept.
        let width = |name: &str| visible(name).width();
        let widths = open().map(|JudgedRecord { pair, .. }| {
            let (first, second) = in_order(&pair);
            (width(first), width(second))
        });
        let widest = widths.fold((0, 0), |widest, row| {
            (widest.0.max(row.0), widest.1.max(row.1))
        });
        // Where all are new there is nothing to tell apart.
        let standings = if open().any(|judged| was_accepted(judged.standing)) {
            STANDING
        } else {
            ""
        };
        let agreements: Vec<Agreement> = agreements(report).collect();
        let headings: String = agreements
            .iter()
            .map(|agreement| agreement.heading)
            .collect();
        let (a, b) = self.columns(
            FIXED.len() + headings.len() + standings.len(),
            widest.0.max("document".len()),
            widest.1.max("other document".len()),
        );
        let heading = format!(
            "{standings}{FIXED}{headings}{}  other document",
            padded("document", a)
        );
        writeln!(out, "{}", self.paint(HEADING, &heading))?;
        for JudgedRecord { pair, standing, .. } in open() {
            let similarity = |s: Option<f64>| s.map_or("-".into(), |s| format!("{s:.4}"));
            let (first, second) = in_order(&pair);
            writeln!(
                out,
                "{:<standings$}{}  {:>8}  {:>7}  {:>7}  {}{}  {}",
                standing
                    .filter(|_| !standings.is_empty())
                    .map_or("", Standing::as_str),
                self.paint(
                    style(pair.relation),
                    &format!("{:<8}", pair.relation.as_str())
                ),
                similarity(pair.weighted),
                similarity(pair.jaccard),
                pair.hamming.map_or("-".into(), |d| d.to_string()),
                agreements
                    .iter()
                    .map(|agreement| agreement.cell(&pair))
                    .collect::<String>(),
                padded(&self.fitted(first, a), a),
                self.fitted(second, b),
                standings = standings.len(),
            )?;
            if self.fitted(first, a) == self.fitted(second, b) {
                // What tells them apart has been cut out.
                for name in [first, second] {
                    writeln!(out, "  {}", self.paint(FAINT, &leading(name)))?;
                }
            }
        }
        self.not_shown(report.open_pairs() - shown as u64, "pair", out)
    }

    /// A name as it is shown: harmless, and on a terminal cut to the width of its column.
    pub(crate) fn fitted(&self, name: &str, columns: usize) -> String {
        let name = visible(name);
        match self.style.width {
            Some(_) => shortened(&name, columns),
            None => name,
        }
    }

    /// The widths of the two columns of names after fixed ones, given what they would like: each gets half
    /// of the terminal, and what one leaves over the other may use. Without a terminal nothing is cut,
    /// and a very long name sticks out instead of widening every row.
    pub(crate) fn columns(&self, fixed: usize, a: usize, b: usize) -> (usize, usize) {
        let Some(width) = self.style.width else {
            return (a.min(WIDEST), b);
        };
        let room = width.saturating_sub(fixed + 2).max(2 * NARROWEST);
        let half = room / 2;
        if a + b <= room {
            (a, b)
        } else if a <= half {
            (a, room - a)
        } else if b <= half {
            (room - b, b)
        } else {
            (half, room - half)
        }
    }

    fn clusters(
        &self,
        report: &Report<'_>,
        is_open: &[bool],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let clusters = report.clusters().filter(|cluster| is_open[cluster.id]);
        let top = self.style.top.unwrap_or(usize::MAX);
        for cluster in clusters.take(top) {
            self.cluster(&cluster, out)?;
        }
        let open = is_open.iter().filter(|&&is_open| is_open).count();
        self.not_shown(open.saturating_sub(top) as u64, "cluster", out)
    }

    fn cluster(&self, cluster: &ClusterRecord<'_>, out: &mut dyn Write) -> io::Result<()> {
        let heading = format!(
            "Cluster {}: {} documents{} (* the longest)",
            cluster.id + 1,
            cluster.documents.len(),
            cluster
                .cohesion
                .map_or(String::new(), |c| format!(", cohesion {c}")),
        );
        writeln!(out, "{}", self.paint(HEADING, &heading))?;
        let room = self
            .style
            .width
            .map_or(usize::MAX, |width| width.saturating_sub(4));
        let name = |name: &str| shortened(&leading(name), room.max(NARROWEST));
        writeln!(out, "  * {}", name(cluster.representative))?;
        let others = || {
            cluster
                .documents
                .iter()
                .filter(|&&d| d != cluster.representative)
        };
        for document in others().take(MEMBERS) {
            writeln!(out, "    {}", name(document))?;
        }
        match others().count().saturating_sub(MEMBERS) {
            0 => Ok(()),
            more => writeln!(
                out,
                "    {}",
                self.paint(FAINT, &format!("… and {more} more"))
            ),
        }
    }

    fn not_shown(&self, count: u64, what: &str, out: &mut dyn Write) -> io::Result<()> {
        if count == 0 {
            return Ok(());
        }
        let text = format!("… and {} not shown", counted(count, what));
        writeln!(out, "{}", self.paint(FAINT, &text))
    }

    fn summary(
        &self,
        report: &Report<'_>,
        summary: &SummaryRecord,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let found = match summary.pairs {
            0 if summary.documents == 0 => "there was nothing to compare".into(),
            0 => "no near-duplicates".into(),
            pairs => format!(
                "{} ({}), {} in {}{}",
                counted(pairs, "pair"),
                by_relation(report.outcome.pair_counts),
                counted(summary.documents_in_clusters as u64, "document"),
                counted(summary.clusters as u64, "cluster"),
                not_open(report),
            ),
        };
        let text = format!("{}: {found}", compared(report, summary));
        writeln!(out, "{}", self.paint(HEADING, &text))
    }
}

/// A column that is there if its detector ran.
struct Agreement {
    heading: &'static str,
    count: fn(&PairRecord<'_>) -> Option<u8>,
}

impl Agreement {
    /// What stands in it for a pair.
    fn cell(&self, pair: &PairRecord<'_>) -> String {
        let count = (self.count)(pair).unwrap_or_default();
        let width = self.heading.len() - 2;
        format!("{count:>width$}  ")
    }
}

/// The columns of the detectors that count equal hashes.
fn agreements(report: &Report<'_>) -> impl Iterator<Item = Agreement> {
    let settings = report.settings();
    let super_shingles = settings.super_shingle.map(|_| Agreement {
        heading: "super-shingles  ",
        count: |pair| pair.super_shingles,
    });
    let i_match = settings.i_match.map(|_| Agreement {
        heading: "I-Match  ",
        count: |pair| pair.i_match,
    });
    super_shingles.into_iter().chain(i_match)
}

/// How many documents were compared, and what was not.
pub(crate) fn compared(report: &Report<'_>, summary: &SummaryRecord) -> String {
    let skipped = match summary.skipped {
        0 => String::new(),
        skipped => {
            let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
            for entry in report.skipped() {
                *reasons.entry(entry.reason).or_default() += 1;
            }
            let reasons: Vec<String> = reasons
                .iter()
                .map(|(reason, count)| format!("{count} {reason}"))
                .collect();
            format!(" ({skipped} skipped: {})", reasons.join(", "))
        }
    };
    let documents = counted(summary.documents as u64, "document");
    format!("{documents} compared{skipped}")
}

/// The two documents of a pair; one that contains the other comes first.
pub(crate) fn in_order<'r>(pair: &PairRecord<'r>) -> (&'r str, &'r str) {
    if pair.container == Some(pair.b) {
        (pair.b, pair.a)
    } else {
        (pair.a, pair.b)
    }
}

/// A name as it stands at the beginning of a line, harmless: GitHub Actions takes a line that begins with `::`,
/// white space aside, for a command.
fn leading(name: &str) -> String {
    let name = visible(name);
    if name.trim_start().starts_with("::") {
        format!("./{name}")
    } else {
        name
    }
}

/// Whether a pair is open though the baseline holds it.
fn was_accepted(standing: Option<Standing>) -> bool {
    matches!(standing, Some(Standing::Worse | Standing::Expired))
}

/// What became of the pairs that are not to be looked at, which are not shown.
fn not_open(report: &Report<'_>) -> String {
    let accepted = report.gate.accepted();
    let others = report.outcome.pair_counts.total() - report.open_pairs() - accepted;
    let accepted = (accepted > 0).then(|| format!("{accepted} accepted by the baseline"));
    let others = (others > 0).then(|| format!("{others} of relations that it does not hold"));
    let parts: Vec<String> = accepted.into_iter().chain(others).collect();
    match parts.as_slice() {
        [] => String::new(),
        parts => format!("; not shown: {}", parts.join(", ")),
    }
}

/// For each cluster whether there is anything to be looked at in it. Without a baseline, or without pairs, all
/// are.
fn open_clusters(report: &Report<'_>) -> Vec<bool> {
    let outcome = report.outcome;
    let (Some(pairs), Some(_)) = (report.pairs, report.gate.baseline()) else {
        return vec![true; outcome.clusters.len()];
    };
    let mut cluster_of = vec![None; outcome.documents.len()];
    for (at, cluster) in outcome.clusters.iter().enumerate() {
        for id in &cluster.documents {
            cluster_of[id.index()] = Some(at);
        }
    }
    let mut is_open = vec![false; outcome.clusters.len()];
    for pair in pairs.iter().filter(|pair| report.gate.is_open(pair)) {
        let [a, b] = [pair.a, pair.b].map(|id| cluster_of[id.index()]);
        if let Some(at) = a.filter(|_| a == b) {
            is_open[at] = true;
        }
    }
    is_open
}

/// Numbers of pairs, copies first: `2 exact, 1 near`.
fn by_relation(counts: Counts) -> String {
    let there = Relation::ALL
        .iter()
        .filter(|&&relation| counts.of(relation) > 0);
    let counts: Vec<String> = there
        .map(|&relation| format!("{} {}", counts.of(relation), relation.as_str()))
        .collect();
    counts.join(", ")
}

/// The colour of a relation.
pub(crate) fn style(relation: Relation) -> Style {
    match relation {
        Relation::Exact => COPY,
        Relation::Near => CLOSE,
        Relation::Contains => PART,
        Relation::Related => Style::new(),
        Relation::Template | Relation::Short => FAINT,
    }
}

/// A count with its noun.
pub(crate) fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::testing::{Canned, canned, empty, rendered};

    fn table(outcome: &Canned, style: TableStyle) -> String {
        rendered(outcome, |report, out| write_table(report, style, out))
    }

    #[test]
    fn columns_line_up_and_names_are_harmless() {
        assert_eq!(
            table(&canned(), TableStyle::default()),
            "\
relation  weighted  Jaccard  Hamming  document   other document
exact       1.0000   1.0000        0  docs/a.md  docs/城市公园.md
near        0.2100   0.3333       17  docs/a.md  docs/evil\\n\\u{1b}[31m.md

Cluster 1: 3 documents, cohesion 0.25 (* the longest)
  * docs/城市公园.md
    docs/a.md
    docs/evil\\n\\u{1b}[31m.md

4 documents compared (2 skipped: 1 binary, 1 unreadable): 2 pairs (1 exact, 1 near), 3 documents in 1 cluster
"
        );
    }

    #[test]
    fn a_narrow_terminal_shortens_names() {
        let style = TableStyle {
            width: Some(66),
            ..TableStyle::default()
        };
        for line in table(&canned(), style)
            .lines()
            .filter(|line| line.contains("docs"))
        {
            assert!(line.width() <= 66, "{line}");
        }
    }

    #[test]
    fn names_that_look_the_same_when_shortened_are_shown_whole() {
        let mut canned = canned();
        let name = |year: u32| format!("docs/{year}/concepts/cluster-administration/logging.md");
        canned.outcome.documents[0].name = name(2021);
        canned.outcome.documents[3].name = name(2025);
        let style = TableStyle {
            width: Some(80),
            ..TableStyle::default()
        };
        let text = table(&canned, style);
        let whole = format!("\n  {}\n  {}\n", name(2021), name(2025));
        assert_eq!(text.matches(&whole).count(), 1, "{text}");
        assert!(!table(&canned, TableStyle::default()).contains(&whole));
    }

    #[test]
    fn no_line_is_a_command_of_a_ci_system() {
        let mut canned = canned();
        for (document, name) in canned
            .outcome
            .documents
            .iter_mut()
            .zip(["::error::a", " ::debug::b"])
        {
            document.name = name.into();
        }
        for width in [None, Some(30)] {
            let style = TableStyle {
                width,
                ..TableStyle::default()
            };
            let text = table(&canned, style);
            assert!(
                text.contains("\n    ./::error::a\n    ./ ::debug::b\n"),
                "{text}"
            );
            assert!(
                text.lines()
                    .all(|line| !line.trim_start().starts_with("::")),
                "{text}"
            );
        }
    }

    #[test]
    fn top_says_how_much_is_not_shown() {
        let style = TableStyle {
            top: Some(1),
            ..TableStyle::default()
        };
        let text = table(&canned(), style);
        assert!(text.contains("… and 1 pair not shown"), "{text}");
        assert!(!text.contains("0.3333"), "{text}");
    }

    #[test]
    fn without_pairs_the_clusters_are_left() {
        let mut canned = canned();
        canned.pairs = None;
        let text = table(&canned, TableStyle::default());
        assert!(text.starts_with("Cluster 1: 3 documents"), "{text}");
        assert!(
            text.contains("2 pairs (1 exact, 1 near), 3 documents in 1 cluster"),
            "{text}"
        );
    }

    #[test]
    fn colour_only_when_asked_for() {
        assert!(!table(&canned(), TableStyle::default()).contains('\u{1b}'));
        let style = TableStyle {
            color: true,
            ..TableStyle::default()
        };
        assert!(table(&canned(), style).contains("\u{1b}[1m\u{1b}[31mexact   \u{1b}[0m"));
    }

    #[test]
    fn nothing_found_is_one_line() {
        let text = table(&empty(), TableStyle::default());
        assert_eq!(text, "0 documents compared: there was nothing to compare\n");
    }
}
