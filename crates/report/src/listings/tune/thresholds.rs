//! The table of the counts for each threshold.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::formats::table::columns::Table;
use crate::language::phrase;
use crate::style::escape::{padded, padded_left};
use crate::style::paint::HEADING;
use dupfind_decide::tune::{Choice, Tuning};
use dupfind_engine::Options;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Resemblance;

/// A row: the threshold as text, and its counts.
type ThresholdRow<'t> = (String, &'t Choice);

/// Writes a row for each threshold alone and one for the defaults together, with a column for each of
/// some relations.
pub(crate) fn write_thresholds(
    tuning: &Tuning,
    relations: &[Relation],
    table: &Table,
    out: &mut dyn Write,
) -> io::Result<()> {
    let labelled = |choice| (label(choice), choice);
    let groups: [Vec<ThresholdRow<'_>>; 3] = [
        tuning.by_jaccard().map(labelled).collect(),
        tuning.by_hamming().map(labelled).collect(),
        tuning.by_default().map(labelled).into_iter().collect(),
    ];
    let rows = || groups.iter().flatten();
    let numbers = |choice: &Choice| -> Vec<u64> {
        let of_relations = relations.iter().map(|&relation| choice.counts.of(relation));
        let mut numbers = vec![choice.counts.total(), choice.documents as u64];
        numbers.extend(of_relations);
        numbers
    };

    let mut heads = vec![phrase("pairs"), phrase("documents")];
    heads.extend(relations.iter().map(|relation| phrase(relation.as_str())));
    let mut widths: Vec<usize> = heads.iter().map(|head| head.width()).collect();
    for (_, choice) in rows() {
        for (width, number) in widths.iter_mut().zip(numbers(choice)) {
            *width = number.to_string().len().max(*width);
        }
    }
    let labels = rows().map(|(label, _)| label.width()).max();
    let labels = labels.unwrap_or_default();

    if labels == 0 {
        return Ok(());
    }
    let title = phrase("What scan would report, each threshold by itself");
    writeln!(out, "{}", table.paint(HEADING, title))?;
    let mut heading = " ".repeat(labels);
    for (head, width) in heads.iter().zip(&widths) {
        heading += &format!("  {}", padded_left(head, *width));
    }
    writeln!(out, "{heading}")?;
    for group in groups.iter().filter(|group| !group.is_empty()) {
        for (label, choice) in group {
            let mut line = padded(label, labels);
            for (number, width) in numbers(choice).iter().zip(&widths) {
                line += &format!("  {number:>width$}");
            }
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Returns a threshold as it is typed.
fn label(choice: &Choice) -> String {
    let (option, is_default) = match (choice.min_jaccard, choice.max_hamming) {
        (Some(_), Some(_)) => return phrase("both defaults").to_owned(),
        (Some(least), None) => (
            format!("--min-jaccard {}", Resemblance::as_number(least)),
            least == Choice::default_jaccard(),
        ),
        (None, most) => {
            let most = most.unwrap_or_default();
            (
                format!("--max-hamming {most}"),
                most == Options::MAX_HAMMING,
            )
        }
    };
    let note = if is_default { phrase("(default)") } else { "" };
    // As wide as the longer option.
    format!("{option:<17} {note}").trim_end().to_owned()
}
