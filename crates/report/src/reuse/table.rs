//! `dupfind reuse` for people.

use std::io::{self, Write};

use crate::language::{filled, phrase};
use crate::reuse::PlaceRecord;
use crate::reuse::{ReuseReport, changes, percent};
use crate::say;
use crate::style::TableStyle;
use crate::style::escape::visible;
use crate::style::inert::Lines;
use crate::style::numbers::{amount, grouped, range};
use crate::style::paint::{FAINT, HEADING, painted};
use crate::style::wrap::{LongWords, lines};
use dupfind_decide::reuse::finding::Finding;

/// The width of excerpts where there is no terminal.
const WIDTH: usize = 80;

/// How many places and odd wordings of a group are named.
const MAX_PLACES: usize = 3;

/// Writes the report as a list of groups.
pub fn write_reuse_table(
    report: &ReuseReport<'_>,
    style: TableStyle,
    out: &mut dyn Write,
) -> io::Result<()> {
    let table = ReuseTable {
        report,
        excerpts: style.width.unwrap_or(WIDTH).clamp(40, 120),
        width: style.width.unwrap_or(usize::MAX),
        color: style.color,
    };
    let mut lines = Lines::new(out);
    table.write(&mut lines)?;
    lines.finish()
}

/// Returns the title of the part of the report in which a group is; `None` for the first part.
fn title(finding: &Finding<'_>) -> Option<&'static str> {
    match (finding.group.is_common, finding.group.is_whole) {
        (true, _) => Some(phrase(
            "In many documents: a template, or meant to be everywhere",
        )),
        (_, true) => Some(phrase(
            "Documents that are copies as a whole ('dupfind scan' compares them)",
        )),
        _ => None,
    }
}

struct ReuseTable<'r> {
    report: &'r ReuseReport<'r>,
    /// How many columns a line of an excerpt has, and any other line.
    excerpts: usize,
    width: usize,
    color: bool,
}

impl<'r> ReuseTable<'r> {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let report = self.report;
        let summary = report.summary();
        let mut part = None;
        for finding in report.findings {
            if part.replace(title(finding)) != Some(title(finding))
                && let Some(title) = title(finding)
            {
                writeln!(out, "{}\n", painted(HEADING, title, self.color))?;
            }
            self.group(finding, out)?;
        }
        let passages = amount(summary.groups as u64, "passage");
        let documents = amount(summary.documents as u64, "document");
        let text = match summary.groups {
            1 => phrase("{}: {} is in several places; {} % of {} units are copies"),
            _ => phrase("{}: {} are in several places; {} % of {} units are copies"),
        };
        let share = percent(summary.units_saved, summary.units);
        let units = grouped(summary.units);
        let text = filled(text, &[&documents, &passages, &share, &units]);
        for line in lines(&text, self.width, LongWords::Whole) {
            writeln!(out, "{line}")?;
        }
        let listed = summary.groups_listed;
        let all = report.of.found.groups.len();
        if listed < all {
            writeln!(
                out,
                "{}",
                say!(
                    "{} of {} listed; --top {} lists all of them",
                    listed,
                    all,
                    all
                )
            )?;
        }
        Ok(())
    }

    fn group(&self, finding: &Finding<'r>, out: &mut dyn Write) -> io::Result<()> {
        let group = finding.group;
        let what = match group.blocks {
            1 => phrase(group.kind.as_str()).to_owned(),
            blocks => say!("{} blocks", blocks),
        };
        let head = say!(
            "{}. saves {} units: {} in {}, {} units, {}",
            finding.number + 1,
            grouped(group.units_saved()),
            amount(group.places.len() as u64, "copy"),
            amount(group.pages() as u64, "document"),
            group.units,
            what
        );
        for line in lines(&head, self.width, LongWords::Whole) {
            writeln!(out, "{}", painted(HEADING, &line, self.color))?;
        }
        let first = &finding.wordings[0].text;
        self.excerpt(&plain(first), 3, 3, out)?;
        let places = group.places.iter().take(MAX_PLACES);
        let mut lines: Vec<String> = places.map(|at| place(&self.report.place(at))).collect();
        if group.places.len() > lines.len() {
            lines.push(say!("and {} more", group.places.len() - lines.len()));
        }
        for line in lines {
            writeln!(out, "   {}", painted(FAINT, &line, self.color))?;
        }
        self.wordings(finding, out)?;
        writeln!(out)
    }

    fn wordings(&self, finding: &Finding<'r>, out: &mut dyn Write) -> io::Result<()> {
        let group = finding.group;
        if group.wordings.len() < 2 {
            return Ok(());
        }
        let counts: Vec<String> = group
            .wordings
            .iter()
            .take(8)
            .map(|wording| wording.copies.to_string())
            .collect();
        let more = if group.wordings.len() > 8 {
            ", …"
        } else {
            ""
        };
        let wordings = amount(group.wordings.len() as u64, "wording");
        let counts = counts.join(", ") + more;
        writeln!(out, "   {}", say!("{} ({})", wordings, counts))?;
        let first = &finding.wordings[0].text;
        let others = finding.wordings.iter().enumerate().skip(1);
        // Wordings that are probably mistakes come first.
        let mut others: Vec<_> = others.collect();
        others.sort_by_key(|(_, wording)| !wording.is_odd);
        for (number, wording) in others.into_iter().take(MAX_PLACES) {
            let Some(first_place) = finding.first_place(number) else {
                continue;
            };
            let place = place(&self.report.place(first_place));
            let odd = if wording.is_odd { phrase("odd: ") } else { "" };
            writeln!(out, "   {odd}{}", painted(FAINT, &place, self.color))?;
            let mut all = changes(first, wording);
            for change in all.by_ref().take(2) {
                let text = say!(
                    "{}: {} became {}",
                    phrase(change.kind),
                    quoted(change.before),
                    quoted(change.after)
                );
                self.excerpt(&text, 6, 2, out)?;
            }
        }
        Ok(())
    }

    /// Writes a text on at most `most` lines behind an indent.
    fn excerpt(
        &self,
        text: &str,
        indent: usize,
        most: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // Two columns are for the mark of a text that is cut.
        let columns = self.excerpts.saturating_sub(indent + 2);
        let lines = lines(text, columns, LongWords::Cut);
        for (number, line) in lines.iter().take(most).enumerate() {
            let is_cut = number + 1 == most && lines.len() > most;
            let mark = if is_cut { " …" } else { "" };
            writeln!(out, "{:indent$}{line}{mark}", "")?;
        }
        Ok(())
    }
}

/// Returns the name and the lines or pages of a place.
fn place(place: &PlaceRecord<'_>) -> String {
    let name = visible(place.path);
    match place.pages {
        Some(pages) => format!("{name} {}", say!("p. {}", range(pages))),
        None => format!("{name}:{}", range((place.start_line, place.end_line))),
    }
}

/// Returns a text on one line in which nothing acts on a terminal.
fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    visible(&words.join(" "))
}

/// Returns a text in quotes, or words that say that there is none.
fn quoted(text: &str) -> String {
    match text.trim() {
        "" => phrase("(nothing)").to_owned(),
        text => format!("'{}'", plain(text)),
    }
}
