//! The report of `dupfind reuse`: for people, and as JSON. docs/reports.md has its keys.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::formats::json::JsonObject;
use crate::language::{filled, phrase};
use crate::say;
use crate::style::escape::{Lines, visible};
use crate::style::wrap::{LongWords, lines};
use crate::style::{FAINT, Grouped, HEADING, TableStyle, amount, painted, range, ratio};
use dupfind_decide::ReuseOptions;
use dupfind_decide::reuse::finding::{Finding, Shown};
use dupfind_decide::reuse::passage::units;
use dupfind_decide::reuse::{OfFiles, Place};

/// The data for the report.
pub struct ReuseReport<'r> {
    /// The options of the search.
    pub options: &'r ReuseOptions,
    /// The passages of the documents.
    pub of: &'r OfFiles,
    /// The groups that are listed.
    pub findings: &'r [Finding<'r>],
}

impl<'r> ReuseReport<'r> {
    fn settings(&self) -> Value {
        let options = self.options;
        json!({
            "min_units": options.min_units,
            "min_jaccard": options.min_jaccard.as_f64(),
            "shingle_size": options.engine.shingle_size.get(),
            "shingle_unit": options.engine.shingle_unit.as_str(),
        })
    }

    pub(crate) fn summary(&self) -> SummaryRecord {
        let OfFiles { pages, cut, groups } = self.of;
        let (units, saved) = (units(cut), self.of.units_saved());
        let common = groups.iter().filter(|group| group.is_common);
        let common_groups = common.count();
        SummaryRecord {
            documents: cut.len(),
            skipped: pages.skipped.iter().map(|skipped| skipped.count()).sum(),
            blocks: cut.iter().map(|page| page.passages.len()).sum(),
            units,
            groups: groups.len() - common_groups,
            common_groups,
            groups_listed: self.findings.len(),
            units_saved: saved,
            duplicated: ratio(saved, units),
        }
    }

    /// Returns a place with its lines. The lines of a record are those of its file.
    pub(crate) fn place(&self, place: &Place) -> PlaceRecord<'r> {
        let page = &self.of.pages.pages[place.page as usize];
        let (start_line, end_line) = match page.source.is_record() {
            true => (page.source.line, page.source.last_line),
            false => (place.start_line.into(), place.end_line.into()),
        };
        let lines = [place.start_line, place.end_line].map(|line| line as usize);
        let breaks = &self.of.cut[place.page as usize].page_breaks;
        PlaceRecord {
            path: &page.name,
            start_line,
            end_line,
            pages: breaks.pages(lines.into()),
        }
    }

    fn group(&self, finding: &Finding<'r>) -> Value {
        let group = finding.group;
        let wordings = finding
            .wordings
            .iter()
            .enumerate()
            .map(|(number, wording)| {
                let places = group.places.iter();
                let places = places.filter(|place| place.wording as usize == number);
                let changes = changes(&finding.wordings[0].text, wording);
                json!({
                    "text": wording.text,
                    "copies": group.wordings[number].copies,
                    "odd": wording.is_odd,
                    "changes": changes.collect::<Vec<_>>(),
                    "places": places.map(|place| self.place(place)).collect::<Vec<_>>(),
                })
            });
        json!({
            "id": finding.number,
            "kind": group.kind.as_str(),
            "blocks": group.blocks,
            "units": group.units,
            "copies": group.places.len(),
            "documents": group.pages(),
            "units_saved": group.units_saved(),
            "common": group.is_common,
            "whole": group.is_whole,
            "wordings": wordings.collect::<Vec<_>>(),
        })
    }
}

/// Returns the differences of a wording from the first one.
pub(crate) fn changes<'r>(
    first: &'r str,
    wording: &'r Shown,
) -> impl Iterator<Item = ChangeRecord<'r>> {
    wording.changes.iter().map(|change| ChangeRecord {
        kind: change.mark.as_str(),
        before: &first[change.before.clone()],
        after: &wording.text[change.after.clone()],
    })
}

/// Returns a ratio in percent with one decimal: `5.3`.
pub fn percent(part: u64, whole: u64) -> String {
    let tenths = part * 1000 / whole.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Writes the report as one JSON object, with a line for every element of a list.
pub fn write_reuse_json(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut object = JsonObject::of_report(out)?;
    object.value("settings", &report.settings())?;
    object.value("summary", &report.summary())?;
    object.list(
        "groups",
        report.findings.iter().map(|finding| report.group(finding)),
    )?;
    object.list("skipped", report.of.pages.skipped.iter())?;
    object.list("notes", report.of.pages.notes.iter())?;
    object.end()
}

/// Counts.
#[derive(Debug, Serialize)]
pub(crate) struct SummaryRecord {
    /// How many documents were read.
    pub(crate) documents: usize,
    /// How many entries were not read.
    pub(crate) skipped: u64,
    /// How many blocks have enough units.
    pub(crate) blocks: usize,
    /// How many units all documents have.
    pub(crate) units: u64,
    /// How many groups there are, without those that are common.
    pub(crate) groups: usize,
    /// How many groups are common.
    pub(crate) common_groups: usize,
    /// How many groups are listed.
    pub(crate) groups_listed: usize,
    /// How many units the groups would save, without those that are common.
    pub(crate) units_saved: u64,
    /// `units_saved` by `units`.
    pub(crate) duplicated: f64,
}

/// A difference from the first wording.
#[derive(Debug, Serialize)]
pub(crate) struct ChangeRecord<'r> {
    /// `negation`, `number`, `version`, `url`, `name`, `punctuation` or `words`.
    pub(crate) kind: &'static str,
    /// The text of the first wording; may be empty.
    pub(crate) before: &'r str,
    /// The text of this one; may be empty.
    pub(crate) after: &'r str,
}

/// A place of a passage.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct PlaceRecord<'r> {
    /// The name of the document.
    pub(crate) path: &'r str,
    /// The line on which it begins, from 1. Of a record the line of its file.
    pub(crate) start_line: u64,
    /// The line on which it ends.
    pub(crate) end_line: u64,
    /// Optional: the pages of its file that it is on, the first and the last one, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pages: Option<(usize, usize)>,
}

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
        let units = Grouped(summary.units);
        let mut text = filled(text, &[&documents, &passages, &share, &units]);
        if summary.common_groups > 0 {
            text += &say!("; {} more of templates", summary.common_groups);
        }
        for line in lines(&text, self.width, LongWords::Whole) {
            writeln!(out, "{line}")?;
        }
        let (listed, all) = (summary.groups_listed, report.of.groups.len());
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
            Grouped(group.units_saved()),
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
