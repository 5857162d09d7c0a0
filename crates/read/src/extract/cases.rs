//! Tables of sources and their texts, for tests.

use crate::extract::{WebPart, extract};
use crate::format::Format;

/// Checks the texts of the sources in a table. A row is `source → text`, with `⏎` for a line end and `␍` for the
/// carriage return before it. White space at the ends of the lines of a text does not matter. Rows without an arrow
/// are comments.
#[track_caller]
pub(super) fn check(format: Format, table: &str) {
    let rows = table.lines().filter_map(|row| row.split_once(" →"));
    for (source, expected) in rows {
        let source = source.replace('⏎', "\n").replace('␍', "\r");
        let text = extract(&source, format, WebPart::Main).text;
        let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
        let expected = expected.strip_prefix(' ').unwrap_or(expected);
        assert_eq!(lines.join("⏎"), expected, "{source}");
    }
}
