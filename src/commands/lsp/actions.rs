//! The actions of an editor on a stretch of a page that is elsewhere too.

use std::path::Path;

use dupfind_decide::elsewhere::{Passage, Place, Twin};
use dupfind_read::extract::fenced;
use dupfind_report::listings::elsewhere::link;
use dupfind_report::say;
use dupfind_scan::Live;
use serde_json::{Value, json};

use crate::commands::lsp::page::{Shown, there};
use crate::commands::lsp::uri_of;
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
    let range = if is_markdown(name) {
        edited
    } else {
        Some(range)
    };
    let Some(range) = range else {
        return actions;
    };
    if is_markdown(name) || [".html", ".htm"].iter().any(|end| name.ends_with(end)) {
        actions.push(edit(
            uri,
            &say!("Mark this passage as wanted"),
            &[
                (at(range.start.line), "<!-- dupfind: off -->\n\n".to_owned()),
                (at_end(range), "\n\n<!-- dupfind: on -->".to_owned()),
            ],
        ));
    }
    // A stretch with anything of its own would lose it.
    let is_elsewhere = || {
        live.source(&place.page)
            .is_some_and(|other| holds(&other, text, range))
    };
    if is_markdown(name) && twin.is_all_of_its_lines && is_elsewhere() {
        let title = say!("Replace it by a link to {}", place.page);
        actions.push(edit(uri, &title, &[(range, link(name, place, twin))]));
    }
    actions
}

/// Returns whether the source of another page has the lines of a stretch of this one in a row, but for white space: pictures,
/// comments and where links lead included.
fn holds(other: &str, text: &str, stretch: Range) -> bool {
    let (first, last) = (stretch.start.line, stretch.end.line);
    let lines = text.lines().skip(first).take(last + 1 - first);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    words(other).contains(&words(&lines.collect::<Vec<_>>().join("\n")))
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
