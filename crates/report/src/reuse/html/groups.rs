//! The groups of the page, with their wordings side by side.

use std::io::{self, Write};

use crate::formats::html::embed::{html, marked};
use crate::language::phrase;
use crate::reuse::model::ReuseReport;
use crate::reuse::records::PlaceRecord;
use crate::reuse::table::title;
use crate::say;
use crate::style::escape::visible;
use crate::style::numbers::{amount, grouped, line_numbers};
use dupfind_decide::reuse::finding::{Finding, Shown};

/// How many places of a wording are listed.
const MOST_PLACES: usize = 40;

/// How many wordings are shown side by side.
const MOST_WORDINGS: usize = 12;

pub(super) fn write_groups(report: &ReuseReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<section id=\"groups\"><h2>{}</h2>",
        phrase("Passages")
    )?;
    if report.findings.is_empty() {
        writeln!(
            out,
            "<p class=\"note\">{}</p>",
            phrase("No passage stands in several places.")
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
            "<p class=\"note\">{}</p>",
            say!("{} of {} are listed.", summary.groups_listed, all)
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
        1 => phrase(group.kind.as_str()).to_owned(),
        blocks => say!("{} blocks", blocks),
    };
    let mut badges = String::new();
    if finding.has_odd() {
        badges.push_str(&format!(
            " <span class=\"badge\">{}</span>",
            phrase("odd wording")
        ));
    }
    let number = finding.number + 1;
    writeln!(
        out,
        "<details id=\"g{number}\"><summary><span class=\"number\">{number}</span><span class=\"saves\">{}</span>\
         <span class=\"start\">{}</span><span class=\"facts\">{}{badges}</span></summary>",
        say!("{} units", grouped(group.units_saved())),
        html(&start),
        say!(
            "{} in {}, {}, {}",
            amount(group.places.len() as u64, "copy"),
            amount(group.pages() as u64, "document"),
            what,
            amount(group.wordings.len() as u64, "wording"),
        ),
    )?;
    writeln!(out, "<div class=\"wordings\">")?;
    for number in 0..finding.wordings.len().min(MOST_WORDINGS) {
        wording(report, finding, number, out)?;
    }
    writeln!(out, "</div>")?;
    if finding.group.wordings.len() > MOST_WORDINGS {
        let more = finding.group.wordings.len() - MOST_WORDINGS;
        writeln!(
            out,
            "<p class=\"rest\">{}</p>",
            say!("and {}", amount(more as u64, "more wording"))
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
        format!("<span class=\"badge\">{}</span>", phrase("odd"))
    } else {
        String::new()
    };
    writeln!(
        out,
        "<div class=\"wording\"><h3>{} &middot; {} {odd}</h3>",
        say!("Wording {}", number + 1),
        amount(copies, "copy"),
    )?;
    let marks = changes.iter().map(|change| {
        let tag = match change.mark.is_suspicious() {
            true => "<mark class=\"odd\">",
            false => "<mark>",
        };
        (change.after.clone(), tag)
    });
    let text = marked(text, marks, |text| html(&shown(text)));
    writeln!(out, "<p>{text}</p>")?;
    let gone: Vec<String> = changes
        .iter()
        .filter(|change| change.after.is_empty())
        .take(6)
        .map(|change| {
            let before = &finding.wordings[0].text[change.before.clone()];
            let before = format!("<mark class=\"odd\">{}</mark>", html(&shown(before)));
            let text = say!("{}: without {}", phrase(change.mark.as_str()), before);
            format!("<li>{text}</li>")
        })
        .collect();
    writeln!(out, "<ul>{}", gone.concat())?;
    for place in report.places(finding, number).take(MOST_PLACES) {
        writeln!(out, "<li>{}</li>", html(&place_text(&place)))?;
    }
    let more = (copies as usize).saturating_sub(MOST_PLACES);
    if more > 0 {
        writeln!(out, "<li>{}</li>", say!("and {} more", more))?;
    }
    writeln!(out, "</ul></div>")
}

/// Returns the name and the lines of a place.
fn place_text(place: &PlaceRecord<'_>) -> String {
    let lines = line_numbers((place.start_line, place.end_line));
    format!("{}:{lines}", visible(place.path))
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
        let marks = [(2..5, "<mark class=\"odd\">")].into_iter();
        let marked = marked("a <b> \u{202e} c", marks, |text| html(&shown(text)));
        assert_eq!(marked, "a <mark class=\"odd\">&lt;b&gt;</mark> \\u{202e} c");
    }
}
