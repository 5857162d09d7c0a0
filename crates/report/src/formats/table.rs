//! The list and the table for people: entries or columns, a line that sums up, and the command that goes on from there.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::formats::columns::{Table, write_clusters, write_pairs};
use crate::formats::list::Entries;
use crate::formats::{Format, Writer};
use crate::language::phrase;
use crate::model::{Lack, Report, SummaryRecord};
use crate::say;
use crate::style::escape::{Lines, visible};
use crate::style::{FAINT, HEADING, amount};
use crate::worklist::folders::told_apart;
use dupfind_engine::{Counts, Error, Relation, Result};
use dupfind_read::{SkipReason, Skipped};

/// The list for people, and the default.
pub static LIST: Format = Format {
    name: "list",
    endings: &["txt"],
    help: "For people: what to look at first, and a summary",
    writer: Writer::Whole {
        most_pairs: usize::MAX,
        write: |report, style, out| {
            let table = Table { style };
            let entries = entries(report, &table)?;
            write_lines(report, &table, entries.as_ref(), out)
        },
    },
};

/// All pairs with their measures.
pub static TABLE: Format = Format {
    name: "table",
    endings: &[],
    help: "For people: all pairs with their measures, and the clusters",
    writer: Writer::Whole {
        most_pairs: usize::MAX,
        write: |report, style, out| write_lines(report, &Table { style }, None, out),
    },
};

/// Writes the entries, or else the pairs and clusters. Nothing in a name or a text acts on a terminal or in the log of a CI
/// system.
fn write_lines(
    report: &Report<'_>,
    table: &Table,
    entries: Option<&Entries<'_>>,
    out: &mut dyn Write,
) -> Result<()> {
    let mut lines = Lines::new(out);
    let written = write_parts(report, table, entries, &mut lines);
    written.and_then(|()| lines.finish()).map_err(Error::Sink)
}

/// Returns the worklist, if it is shown and there is anything in it.
fn entries<'t>(report: &'t Report<'t>, table: &'t Table) -> Result<Option<Entries<'t>>> {
    // There may be more open pairs than are kept to be shown.
    let shown = report.open_pairs() + report.apart_pairs();
    let pairs = report.pairs.filter(|_| shown > 0);
    match pairs {
        Some(_) => Ok(Some(Entries::new(report, table)?)),
        None => Ok(None),
    }
}

fn write_parts(
    report: &Report<'_>,
    table: &Table,
    entries: Option<&Entries<'_>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match (entries, report.pairs) {
        (Some(entries), _) => entries.write(out)?,
        (None, Some(_)) if report.open_pairs() > 0 => {
            write_pairs(report, table, out)?;
            writeln!(out)?;
            write_clusters(report, table, out)?;
        }
        (None, Some(_)) => {}
        (None, None) => write_clusters(report, table, out)?,
    }
    writeln!(out, "{}", table.paint(HEADING, &summed_up(report)))?;
    let of_code = report.gate.of_code;
    if of_code > 0 {
        let pairs = amount(of_code, "more pair");
        let text = say!(
            "{} of code and data files, set apart: -T code leaves them out, -t code compares only them",
            pairs
        );
        writeln!(out, "{}", table.paint(FAINT, &text))?;
    }
    if let Some(editions) = &report.outcome.sources.editions {
        let text = visible(&told_apart(editions));
        writeln!(out, "{}", table.paint(FAINT, &text))?;
    }
    let Some((command, pages)) = entries.and_then(Entries::next) else {
        return Ok(());
    };
    if let Some(pages) = pages {
        let text = match pages {
            1 => phrase("1 page may go: another page has the same text, and nothing leads to it")
                .into(),
            _ => say!(
                "{} pages may go: other pages have the same text, and nothing leads to them",
                pages
            ),
        };
        writeln!(out, "{}", table.paint(FAINT, &text))?;
    }
    writeln!(out, "{}", say!("Next: {}", command))
}

/// Returns the line that sums a report up: how many documents were compared, and how many pairs were found.
fn summed_up(report: &Report<'_>) -> String {
    let summary = report.summary();
    let apart = report.gate.apart;
    let found = match (summary.pairs - apart.total(), report.lack()) {
        (0, Some(Lack::Documents)) => phrase("there was nothing to compare").into(),
        (0, Some(Lack::Others)) => phrase("there was nothing to compare with").into(),
        (0, None) => phrase("no near-duplicates").into(),
        (pairs, _) => say!(
            "{} ({}), {} in {}{}",
            amount(pairs, "pair"),
            by_relation(report.outcome.pair_counts.without(apart)),
            amount(summary.documents_in_clusters, "document"),
            amount(summary.clusters, "cluster"),
            not_shown(report)
        ),
    };
    say!("{}: {}", compared(report, &summary), found)
}

/// Returns how many documents were compared, and how many entries were not.
pub(crate) fn compared(report: &Report<'_>, summary: &SummaryRecord) -> String {
    let documents = amount(summary.documents, "document");
    compared_of(&documents, &report.outcome.skipped)
}

/// Returns a sentence: documents, in words, that were compared, and how many entries were not.
pub fn compared_of(documents: &str, skipped: &[Skipped]) -> String {
    let count: u64 = skipped.iter().map(Skipped::count).sum();
    if count == 0 {
        return say!("{} compared", documents);
    }
    let mut reasons: BTreeMap<&str, (u64, BTreeSet<String>)> = BTreeMap::new();
    for entry in skipped {
        let (count, endings) = reasons.entry(entry.reason.as_str()).or_default();
        *count += entry.count();
        if let (SkipReason::Unsupported, Some((_, ending))) =
            (entry.reason, entry.path.rsplit_once('.'))
        {
            endings.insert(format!(".{}", visible(ending)));
        }
    }
    let reasons: Vec<String> = reasons
        .into_iter()
        .map(|(reason, (count, endings))| match endings.is_empty() {
            true => say!("{} {}", count, phrase(reason)),
            false => {
                let endings = Vec::from_iter(endings);
                say!(
                    "{} {} ({})",
                    count,
                    phrase(reason),
                    endings.join(phrase(", "))
                )
            }
        })
        .collect();
    let reasons = reasons.join(phrase(", "));
    say!("{} compared ({} skipped: {})", documents, count, reasons)
}

/// Returns how many pairs are not shown, if any.
fn not_shown(report: &Report<'_>) -> String {
    match report.open_counts().total() - report.open_pairs() {
        0 => String::new(),
        hidden => say!(
            "; not shown: {} of relations that --show leaves out",
            hidden
        ),
    }
}

/// Returns numbers of pairs, copies first: `2 exact, 1 near`.
pub fn by_relation(counts: Counts) -> String {
    let there = Relation::ALL
        .iter()
        .filter(|&&relation| counts.of(relation) > 0);
    let counts: Vec<String> = there
        .map(|&relation| say!("{} {}", counts.of(relation), phrase(relation.as_str())))
        .collect();
    counts.join(phrase(", "))
}

#[cfg(test)]
mod tests {
    use dupfind_engine::DocId;
    use unicode_width::UnicodeWidthStr;

    use super::*;
    use crate::style::TableStyle;
    use crate::tests::{Canned, canned, copies, written_with};

    fn table(canned: &Canned, style: TableStyle) -> String {
        written_with(canned, &TABLE, style, None)
    }

    fn wide(width: Option<usize>) -> TableStyle {
        TableStyle {
            width,
            ..TableStyle::default()
        }
    }

    fn list(canned: &Canned, style: TableStyle) -> String {
        written_with(canned, &LIST, style, None)
    }

    #[test]
    fn columns_line_up_and_names_are_harmless() {
        let expected = "\
relation  weighted  Jaccard  Hamming  document   other document
exact       1.0000   1.0000        0  docs/a.md  docs/城市公园.md
near        0.2100   0.3333       17  docs/a.md  docs/evil\\n\\u{1b}[31m.md

Cluster 1: 3 documents, least similarity 0.25 (* the longest)
  * docs/城市公园.md
    docs/a.md
    docs/evil\\n\\u{1b}[31m.md

4 documents compared (2 skipped: 1 binary, 1 unreadable): 2 pairs (1 exact, 1 near), 3 documents in 1 cluster
";
        assert_eq!(table(&canned(), TableStyle::default()), expected);
    }

    #[test]
    fn a_worklist_has_entries_and_the_command_that_goes_on() {
        let expected = "\
1.  3 pages: 1 copy of the first; 50 % of the other is in the first
    docs/a.md
    docs/城市公园.md
    docs/evil\\n\\u{1b}[31m.md

4 documents compared (2 skipped: 1 binary, 1 unreadable): 2 pairs (1 exact, 1 near), 3 documents in 1 cluster
1 page may go: another page has the same text, and nothing leads to it
Next: dupfind plan docs -o plan.jsonl
";
        assert_eq!(list(&canned(), TableStyle::default()), expected);
    }

    #[test]
    fn the_sentence_of_an_entry_is_broken_between_words_and_names_are_not() {
        let style = TableStyle {
            width: Some(30),
            is_terminal: true,
            ..TableStyle::default()
        };
        let text = list(&canned(), style);
        let head =
            "1.  3 pages: 1 copy of the\n    first; 50 % of the other\n    is in the first\n";
        assert!(
            text.starts_with(&format!("{head}    docs/a.md\n")),
            "{text}"
        );
        assert!(
            text.contains("\n    docs/evil\\n\\u{1b}[31m.md\n"),
            "{text}"
        );
    }

    #[test]
    fn names_that_do_not_fit_are_below_their_measures() {
        let mut canned = canned();
        let name = |year: u32| format!("docs/{year}/concepts/cluster-administration/logging.md");
        canned.outcome.documents[0].name = name(2021);
        canned.outcome.documents[3].name = name(2025);
        for (width, is_beside) in [(80, false), (160, true)] {
            let text = table(&canned, wide(Some(width)));
            let below = format!("\n    {}\n    {}\n", name(2021), name(2025));
            assert_eq!(text.contains(&below), !is_beside, "{text}");
            let row = "\nexact       1.0000   1.0000        0\n";
            assert_eq!(text.contains(row), !is_beside, "{text}");
        }
        // Columns of a file line up, however long a name is.
        let text = table(&canned, TableStyle::default());
        let second = |line: &str| line.rfind("  docs/").map(|at| line[..at].width());
        let mut rows = text.lines().skip(1).take(2).map(second);
        assert_eq!(rows.next(), rows.next(), "{text}");
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
            for write in [list, table] {
                let text = write(&canned, wide(width));
                assert!(text.contains("\n    ./::error::a\n"), "{text}");
                assert!(
                    text.lines()
                        .all(|line| !line.trim_start().starts_with("::")),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn top_counts_the_pairs_that_are_not_shown() {
        let style = TableStyle {
            top: Some(1),
            ..TableStyle::default()
        };
        let text = table(&canned(), style);
        assert!(text.contains("… and 1 pair not shown"), "{text}");
        assert!(!text.contains("0.3333"), "{text}");
        let mut two = copies(4);
        for pair in &mut two.pairs.as_mut().unwrap()[2..] {
            pair.a = DocId::from(2);
        }
        two.pairs.as_mut().unwrap().remove(1);
        two.outcome.sources.files = vec!["gone".into(); 4];
        let text = list(&two, style);
        assert!(text.contains("\n… and 1 more entry\n"), "{text}");
    }
}
