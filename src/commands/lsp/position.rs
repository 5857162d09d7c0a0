//! Positions: lines of a text, and characters in units of UTF-16, which every editor can count.

use serde::{Deserialize, Serialize};

/// A place in a text: lines and characters count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) character: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Range {
    pub(super) start: Position,
    pub(super) end: Position,
}

impl Range {
    /// Returns whether two ranges have a place in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    /// Returns the range of whole lines, from 1, of a text, without the end of the last line.
    pub(super) fn of_lines(text: &str, (first, last): (usize, usize)) -> Self {
        let line = text.split('\n').nth(last - 1).unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        Self {
            start: Position {
                line: first - 1,
                character: 0,
            },
            end: Position {
                line: last - 1,
                character: line.encode_utf16().count(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_in_units_of_utf_16() {
        let text = "one\r\n公园🌳x\r\n";
        let end = |line| Range::of_lines(text, (1, line)).end.character;
        assert_eq!([end(1), end(2), end(3), end(9)], [3, 5, 0, 0]);
    }
}
