//! The groups of the page, with their wordings side by side.

use std::io::{self, Write};
use std::ops::Range;

use crate::report::html::embed::html;
use crate::report::reuse::model::ReuseReport;
use crate::report::reuse::records::PlaceRecord;
use crate::report::reuse::table::title;
use crate::report::style::escape::visible;
use crate::report::style::numbers::{counted, grouped, line_numbers};
use crate::reuse::finding::{Finding, Shown};

/// How many places of a wording are listed.
const MOST_PLACES: usize = 40;

/// How many wordings are shown side by side.
const MOST_WORDINGS: usize = 12;

pub(super) fn write_groups(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section id=\"groups\"><h2>Passages</h2>")?;
    if report.findings.is_empty() {
        writeln!(
            out,
            "<p class=\"note\">No passage stands in several places.</p>"
        )?;
    }
    let mut part = None;
    for finding in report.findings {
        if part.replace(title(finding)) != Some(title(finding))
            && let Some(title) = title(finding)
        {
            writeln!(out, "</section>\n<section><h2>{}</h2>", html(title))?;
        }
        group(report, finding, out)?;
    }
    let summary = report.summary();
    let all = summary.groups + summary.common_groups;
    if summary.groups_listed < all {
        writeln!(
            out,
            "<p class=\"note\">{} of {all} are listed.</p>",
            summary.groups_listed
        )?;
    }
    writeln!(out, "</section>")
}

fn group(report: &ReuseReport<'_>, finding: &Finding<'_>, out: &mut dyn Write) -> io::Result<()> {
    let group = finding.group;
    let start: String = visible(finding.wordings[0].text.trim())
        .replace("\\n", " ")
        .chars()
        .take(160)
        .collect();
    let what = match group.blocks {
        1 => group.kind.as_str().to_owned(),
        blocks => format!("{blocks} blocks"),
    };
    let mut badges = String::new();
    if finding.has_odd() {
        badges.push_str(" <span class=\"badge\">odd wording</span>");
    }
    if report.new.is_some_and(|new| new.contains(&finding.number)) {
        badges.push_str(" <span class=\"badge\">new</span>");
    }
    let number = finding.number + 1;
    writeln!(
        out,
        "<details id=\"g{number}\"><summary><span class=\"number\">{number}</span><span class=\"saves\">{} units</span>\
         <span class=\"start\">{}</span><span class=\"facts\">{} in {}, {what}, {}{badges}</span></summary>",
        grouped(group.units_saved()),
        html(&start),
        counted(group.places.len() as u64, "copy"),
        counted(group.pages() as u64, "document"),
        counted(group.wordings.len() as u64, "wording"),
    )?;
    if let Some(pattern) = &finding.pattern {
        let values: Vec<String> = pattern
            .values
            .iter()
            .map(|value| format!("<mark>{}</mark>", html(&shown(value))))
            .collect();
        writeln!(
            out,
            "<p class=\"pattern\">One place differs: {}</p>",
            values.join(" / ")
        )?;
    }
    writeln!(out, "<div class=\"wordings\">")?;
    for number in 0..finding.wordings.len().min(MOST_WORDINGS) {
        wording(report, finding, number, out)?;
    }
    writeln!(out, "</div>")?;
    if finding.group.wordings.len() > MOST_WORDINGS {
        let more = finding.group.wordings.len() - MOST_WORDINGS;
        writeln!(
            out,
            "<p class=\"pattern\">and {}</p>",
            counted(more as u64, "more wording")
        )?;
    }
    writeln!(out, "</details>")
}

fn wording(
    report: &ReuseReport<'_>,
    finding: &Finding<'_>,
    number: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Shown {
        text,
        changes,
        is_odd,
    } = &finding.wordings[number];
    let copies = finding.group.wordings[number].copies;
    let odd = if *is_odd {
        "<span class=\"badge\">odd</span>"
    } else {
        ""
    };
    writeln!(
        out,
        "<div class=\"wording\"><h3>Wording {} &middot; {} {odd}</h3>",
        number + 1,
        counted(copies, "copy"),
    )?;
    let marked = changes
        .iter()
        .map(|change| (change.after.clone(), change.mark.is_suspicious()));
    writeln!(out, "<p>{}</p>", with_marks(text, marked))?;
    let gone: Vec<String> = changes
        .iter()
        .filter(|change| change.after.is_empty())
        .take(6)
        .map(|change| {
            let before = &finding.wordings[0].text[change.before.clone()];
            format!(
                "<li>{}: without <mark class=\"odd\">{}</mark></li>",
                change.mark.as_str(),
                html(&shown(before))
            )
        })
        .collect();
    writeln!(out, "<ul>{}", gone.concat())?;
    for place in report.places(finding, number).take(MOST_PLACES) {
        writeln!(out, "<li>{}</li>", html(&place_text(&place)))?;
    }
    let more = (copies as usize).saturating_sub(MOST_PLACES);
    if more > 0 {
        writeln!(out, "<li>and {more} more</li>")?;
    }
    writeln!(out, "</ul></div>")
}

/// Returns the name and the lines of a place.
fn place_text(place: &PlaceRecord<'_>) -> String {
    let lines = line_numbers((place.start_line, place.end_line));
    format!("{}:{lines}", visible(place.path))
}

/// Returns a text as HTML, with these parts of it marked.
fn with_marks(text: &str, marks: impl Iterator<Item = (Range<usize>, bool)>) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for (range, is_suspicious) in marks.filter(|(range, _)| !range.is_empty()) {
        if range.start < at {
            continue;
        }
        out.push_str(&html(&shown(&text[at..range.start])));
        out.push_str(if is_suspicious {
            "<mark class=\"odd\">"
        } else {
            "<mark>"
        });
        out.push_str(&html(&shown(&text[range.clone()])));
        out.push_str("</mark>");
        at = range.end;
    }
    out.push_str(&html(&shown(&text[at..])));
    out
}

/// Returns a text in which nothing turns the reading direction. Its lines stay.
pub(super) fn shown(text: &str) -> String {
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| visible(&line.replace(['\t', '\r'], " ")))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let marked = with_marks("a <b> \u{202e} c", [(2..5, true)].into_iter());
        assert_eq!(marked, "a <mark class=\"odd\">&lt;b&gt;</mark> \\u{202e} c");
    }
}
