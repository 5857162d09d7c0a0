//! The actions of an editor on a stretch of a page that is elsewhere too.

use std::path::Path;

use dupfind_decide::elsewhere::{Passage, Place, Twin};
use dupfind_read::extract::fenced;
use dupfind_report::listings::elsewhere::link;
use dupfind_report::say;
use dupfind_report::style::escape::uri_of;
use dupfind_scan::Live;
use serde_json::{Value, json};

use crate::commands::lsp::page::{Shown, there};
use crate::commands::lsp::wire::{Position, Range};

/// The command that shows the other page.
pub(super) const OPEN: &str = "dupfind.open";

/// Returns the lines to mark or to replace for a stretch of a page in Markdown: a code block goes with its fences. `None` if
/// the stretch begins or ends within the code.
pub(super) fn edited(text: &str, range: Range) -> Option<Range> {
    let line_of = |at: usize| text[..at].matches('\n').count();
    let (mut first, mut last) = (range.start.line, range.end.line);
    for block in fenced(text) {
        let inner = text[block.clone()].trim_end_matches(['\r', '\n']).len();
        let (open, close) = (line_of(block.start), line_of(block.start + inner));
        if (open + 1..=close).contains(&first) {
            first = (first == open + 1).then_some(open)?;
        }
        if (open..close).contains(&last) {
            last = (last == close - 1).then_some(close)?;
        }
    }
    Some(Range::of_lines(text, (first + 1, last + 1)))
}

/// Returns the actions for a passage of the page at `uri`, whose name is `name`, and which an edit changes at `edited`.
pub(super) fn actions(
    live: &Live,
    (uri, name, text): (&str, &str, &str),
    shown: &Shown,
    (range, passage): (Range, &Passage),
    edited: Option<Range>,
) -> Vec<Value> {
    let twin = &passage.twins[0];
    let place = shown.elsewhere.place(twin);
    let mut actions = vec![open(place, twin, live.root())];
    let is_html = [".html", ".htm"].iter().any(|end| name.ends_with(end));
    let range = match is_markdown(name) {
        true => edited.filter(|range| stands_alone(text, *range)),
        false => Some(range).filter(|range| is_html && !has_frame(text, *range)),
    };
    let Some(range) = range else {
        return actions;
    };
    actions.push(edit(
        uri,
        &say!("Mark this passage as wanted"),
        &[
            (at(range.start.line), "<!-- dupfind: off -->\n\n".to_owned()),
            (at_end(range), "\n\n<!-- dupfind: on -->".to_owned()),
        ],
    ));
    // A stretch with anything of its own would lose it.
    let is_elsewhere = || {
        live.source(&place.page)
            .is_some_and(|other| holds(&other, text, range))
    };
    let goes = is_markdown(name) && twin.is_all_of_its_lines && shown.may_go(name, passage);
    if let Some(below) = below_heading(text, range).filter(|_| goes && is_elsewhere()) {
        let title = say!("Replace it by a link to {}", place.page);
        actions.push(edit(uri, &title, &[(below, link(name, place, twin))]));
    }
    actions
}

/// Returns the lines of a stretch of a page.
fn lines(text: &str, stretch: Range) -> impl Iterator<Item = &str> {
    let (first, last) = (stretch.start.line, stretch.end.line);
    text.lines().skip(first).take(last + 1 - first)
}

/// Returns whether the lines of a stretch of Markdown are blocks of their own, so that a line at the margin before or after
/// them changes no other text: they are not within a list, a quote, a table or a note.
fn stands_alone(text: &str, stretch: Range) -> bool {
    let has_text = |line: &&str| !line.trim().is_empty();
    let before: Vec<&str> = text.lines().take(stretch.start.line).collect();
    let above = before.into_iter().rev().find(has_text);
    let first = lines(text, stretch).find(has_text);
    let last = lines(text, stretch).filter(has_text).last();
    let below = text.lines().skip(stretch.end.line + 1).find(has_text);
    !is_cut(above, first) && !is_cut(last, below)
}

/// Returns whether a line between two others would part what belongs together.
fn is_cut(above: Option<&str>, below: Option<&str>) -> bool {
    let Some(below) = below else {
        return false;
    };
    let is_indented = |line: &str| line.starts_with([' ', '\t']);
    // The definition of a term follows it.
    if is_indented(below) || below.starts_with(": ") {
        return true;
    }
    above.is_some_and(|above| {
        let is_of_list = is_item(above) || is_indented(above);
        let both_begin_with = |sign| above.starts_with(sign) && below.starts_with(sign);
        is_item(below) && is_of_list || both_begin_with('>') || both_begin_with('|')
    })
}

/// Returns whether a line of Markdown begins an item of a list.
fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let sign = match number.len() == line.len() {
        true => line.strip_prefix(['-', '*', '+']),
        false => number.strip_prefix(['.', ')']),
    };
    sign.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Returns what may go of a stretch of Markdown: its first heading stays, as other pages may link to it. `None` if nothing is
/// below that, or if there is another heading.
fn below_heading(text: &str, stretch: Range) -> Option<Range> {
    let is_before = |line: &&str| line.starts_with('#') || line.trim().is_empty();
    let before = lines(text, stretch).take_while(is_before).count();
    let mut below = stretch;
    below.start.line += before;
    let has_text = below.start.line <= below.end.line;
    (has_text && !has_headings(text, below)).then_some(below)
}

/// Returns whether a stretch of Markdown has a heading.
fn has_headings(text: &str, stretch: Range) -> bool {
    let mut above = "";
    lines(text, stretch).any(|line| {
        let line = line.trim();
        let is_underline = !above.is_empty()
            && !line.is_empty()
            && ["=", "-"]
                .iter()
                .any(|sign| line.replace(sign, "").is_empty());
        above = line;
        let mut tags = line.split("<h").skip(1);
        let is_tag = tags.any(|tag| tag.starts_with(|c: char| c.is_ascii_digit()));
        line.starts_with('#') || is_tag || is_underline
    })
}

/// Returns whether a stretch of a web page has more than text: marks around it would be around the head or all of the page.
fn has_frame(text: &str, stretch: Range) -> bool {
    lines(text, stretch).any(|line| {
        let line = line.to_ascii_lowercase();
        let frames = [
            "<!doctype",
            "<html",
            "<head",
            "<title",
            "<body",
            "<main",
            "<article",
        ];
        frames.iter().any(|frame| line.contains(frame))
    })
}

/// Returns whether the source of another page has the lines of a stretch of this one in a row, but for white space: pictures,
/// comments and where links lead included.
fn holds(other: &str, text: &str, stretch: Range) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = lines(text, stretch).collect::<Vec<_>>();
    words(other).contains(&words(&lines.join("\n")))
}

fn is_markdown(name: &str) -> bool {
    [".md", ".markdown"].iter().any(|end| name.ends_with(end))
}

fn open(place: &Place, twin: &Twin, root: &Path) -> Value {
    let title = say!("Open {}", place.page);
    let selection = json!(there(twin.its));
    let arguments = json!([uri_of(&root.join(&place.page)), selection]);
    json!({
        "title": title,
        "kind": "quickfix",
        "command": {"title": title, "command": OPEN, "arguments": arguments},
    })
}

fn edit(uri: &str, title: &str, edits: &[(Range, String)]) -> Value {
    let edits = edits
        .iter()
        .map(|(range, text)| json!({"range": range, "newText": text}));
    let edits: Vec<Value> = edits.collect();
    json!({"title": title, "kind": "quickfix", "edit": {"changes": {uri: edits}}})
}

fn at(line: usize) -> Range {
    let start = Position { line, character: 0 };
    Range { start, end: start }
}

fn at_end(range: Range) -> Range {
    Range {
        start: range.end,
        end: range.end,
    }
}
