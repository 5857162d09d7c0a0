//! `dupfind reuse --format markdown`: for a comment or a wiki.

use std::io::{self, Write};

use crate::formats::markdown::text::{code, escaped};
use crate::reuse::model::{ReuseReport, changes, percent};
use crate::reuse::records::PlaceRecord;
use crate::style::numbers::{grouped, line_numbers};

/// How many places of a wording are listed.
const MOST_PLACES: usize = 10;

/// Writes the report as Markdown.
pub fn write_reuse_markdown(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let summary = report.summary();
    writeln!(out, "## Passages in several places\n")?;
    writeln!(
        out,
        "{} documents, {} passages in several places: {} of {} units are copies.\n",
        summary.documents,
        summary.groups,
        percent(summary.units_saved, summary.units),
        grouped(summary.units)
    )?;
    if report.findings.is_empty() {
        return Ok(());
    }
    writeln!(out, "| # | saves | copies | documents | wordings | text |")?;
    writeln!(out, "|--:|--:|--:|--:|--:|---|")?;
    for finding in report.findings {
        let group = finding.group;
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {}{} |",
            finding.number + 1,
            group.units_saved(),
            group.places.len(),
            group.pages(),
            group.wordings.len(),
            if group.is_common { "(common) " } else { "" },
            escaped(&cut(&finding.wordings[0].text, 80)),
        )?;
    }
    for finding in report.findings {
        writeln!(
            out,
            "\n### {}. {}\n",
            finding.number + 1,
            escaped(&cut(&finding.wordings[0].text, 60))
        )?;
        for (number, wording) in finding.wordings.iter().enumerate() {
            let copies = finding.group.wordings[number].copies;
            let odd = if wording.is_odd { ", odd" } else { "" };
            writeln!(out, "* wording {} ({copies}{odd})", number + 1)?;
            for change in changes(&finding.wordings[0].text, wording).take(MOST_PLACES) {
                let [before, after] =
                    [change.before, change.after].map(|text| code(&cut(text, 100)));
                writeln!(out, "  * {}: {before} became {after}", change.kind)?;
            }
            for place in report.places(finding, number).take(MOST_PLACES) {
                let PlaceRecord {
                    path,
                    start_line,
                    end_line,
                    ..
                } = place;
                let lines = line_numbers((start_line, end_line));
                writeln!(out, "  * {}:{lines}", code(path))?;
            }
            let more = (copies as usize).saturating_sub(MOST_PLACES);
            if more > 0 {
                writeln!(out, "  * and {more} more")?;
            }
        }
    }
    if let Some(hint) = report.hint() {
        writeln!(
            out,
            "\nTo share a passage in {}: {}",
            hint.tool,
            escaped(hint.text)
        )?;
    }
    Ok(())
}

/// Returns a text on one line, and no more than so many characters of it.
fn cut(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
