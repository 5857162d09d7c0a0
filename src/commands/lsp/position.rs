//! Positions: lines of a text, and characters as the editor counts them.

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
}

/// How the characters of a line are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// In units of UTF-16. Every editor can do that.
    Utf16,
    /// In bytes.
    Utf8,
}

impl Encoding {
    /// Returns its name in the protocol.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf16 => "utf-16",
            Self::Utf8 => "utf-8",
        }
    }

    /// Returns how long a line is.
    fn length(self, line: &str) -> usize {
        match self {
            Self::Utf16 => line.encode_utf16().count(),
            Self::Utf8 => line.len(),
        }
    }

    /// Returns the range of whole lines, from 1, of a text, without the end of the last line.
    pub(super) fn lines(self, text: &str, (first, last): (usize, usize)) -> Range {
        let line = text.split('\n').nth(last - 1).unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        Range {
            start: Position {
                line: first - 1,
                character: 0,
            },
            end: Position {
                line: last - 1,
                character: self.length(line),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_as_the_editor_does() {
        let text = "one\r\n公园🌳x\r\n";
        let end = |encoding: Encoding, line| encoding.lines(text, (1, line)).end.character;
        assert_eq!((end(Encoding::Utf16, 2), end(Encoding::Utf8, 2)), (5, 11));
        assert_eq!((end(Encoding::Utf16, 1), end(Encoding::Utf8, 3)), (3, 0));
        assert_eq!(Encoding::Utf8.lines(text, (9, 9)).end.character, 0);
    }
}
