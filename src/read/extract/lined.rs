//! Text that is written line by line beside its source.

use crate::read::extract::{line_ends, push_line_ends};

/// A text that grows while its source is read from the beginning to the end: what is written stands on the line
/// on which it stands in the source, and in the end both have as many lines.
#[derive(Debug)]
pub(super) struct Lined<'s> {
    source: &'s str,
    /// As many line ends as `text` has are before this place of the source.
    at: usize,
    text: String,
}

impl<'s> Lined<'s> {
    /// Takes the source of a text that is still to be written.
    pub(super) fn beside(source: &'s str) -> Self {
        Self {
            source,
            at: 0,
            text: String::with_capacity(source.len()),
        }
    }

    /// Takes the source of a piece of text that begins at a place.
    pub(super) fn piece(source: &'s str, at: usize) -> Self {
        let text = String::new();
        Self { source, at, text }
    }

    /// Goes on to a place of the source. One that is behind is where the text is already.
    pub(super) fn reach(&mut self, at: usize) {
        if at > self.at {
            let passed = &self.source.as_bytes()[self.at..at];
            push_line_ends(line_ends(passed), &mut self.text);
            self.at = at;
        }
    }

    /// Writes on the line that was reached: line ends are spaces here.
    pub(super) fn push(&mut self, text: &str) {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.text.push(' ');
            }
            self.text.push_str(line);
        }
    }

    /// Writes a piece of the source, with the line ends in it.
    pub(super) fn copy(&mut self, start: usize, end: usize) {
        self.reach(start);
        let start = start.max(self.at);
        if start < end {
            self.text.push_str(&self.source[start..end]);
            self.at = end;
        }
    }

    /// Writes several lines for as many of the source, which begin at a place and end at another. What is too
    /// much for them stands on the last.
    pub(super) fn lines(&mut self, start: usize, end: usize, text: &str) {
        self.reach(start);
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                let rest = &self.source[self.at..end.max(self.at)];
                match rest.find('\n') {
                    Some(found) => self.reach(self.at + found + 1),
                    None => self.text.push(' '),
                }
            }
            self.text.push_str(line);
        }
    }

    /// Sees to it that what follows is no part of the word before.
    pub(super) fn separate(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
    }

    /// The piece, up to where something was written.
    pub(super) fn into_piece(self) -> String {
        self.text
    }

    /// The text, with the lines that are still missing.
    pub(super) fn finish(mut self) -> String {
        self.reach(self.source.len());
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_stands_where_it_stood() {
        let source = "# one\n\n<b>\ntwo\n</b>\nthree";
        let mut text = Lined::beside(source);
        text.copy(2, 5);
        text.lines(7, 20, "\ntwo\nmore\neven more");
        text.reach(3);
        text.push("a\nb");
        text.separate();
        text.separate();
        text.copy(20, 25);
        assert_eq!(text.finish(), "one\n\n\ntwo\nmore\neven morea b three");
    }
}
