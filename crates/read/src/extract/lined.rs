//! Text that is written line by line beside its source.

use crate::extract::{MarkedText, line_ends, push_line_ends};
use dupfind_engine::text::blocks::{BlockKind, Marks};

/// A text that grows while its source is read from the beginning to the end. Written text keeps its line of
/// the source. In the end both have as many lines.
#[derive(Debug)]
pub(super) struct Lined<'s> {
    source: &'s str,
    /// Before this place of the source there are as many line ends as in `text`.
    at: usize,
    text: String,
    marks: Marks,
}

impl<'s> Lined<'s> {
    /// Begins the text of a whole source.
    pub(super) fn beside(source: &'s str) -> Self {
        Self {
            source,
            at: 0,
            text: String::with_capacity(source.len()),
            marks: Marks::default(),
        }
    }

    /// Begins a piece of text, which is at a place of the source.
    pub(super) fn piece(source: &'s str, at: usize) -> Self {
        Self {
            source,
            at,
            text: String::new(),
            marks: Marks::default(),
        }
    }

    /// Notes that a block begins here.
    pub(super) fn begin(&mut self, kind: BlockKind) {
        self.marks.begin(self.text.len(), kind);
    }

    /// Goes on to a place of the source. A place before the current one changes nothing.
    pub(super) fn reach(&mut self, at: usize) {
        if at > self.at {
            let passed = &self.source.as_bytes()[self.at..at];
            push_line_ends(line_ends(passed), &mut self.text);
            self.at = at;
        }
    }

    /// Writes on the current line: line ends become spaces.
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

    /// Writes several lines for as many lines of the source, from `start` to `end`. Further lines go on the last one.
    /// `marks` are the blocks that begin in them.
    pub(super) fn lines(&mut self, start: usize, end: usize, text: &str, marks: &Marks) {
        self.reach(start);
        let (mut passed, mut marks) = (0, marks.as_slice().iter().peekable());
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                let rest = &self.source[self.at..end.max(self.at)];
                match rest.find('\n') {
                    Some(found) => self.reach(self.at + found + 1),
                    None => self.text.push(' '),
                }
            }
            while let Some(mark) = marks.next_if(|mark| mark.at <= passed + line.len()) {
                let at = self.text.len() + mark.at.saturating_sub(passed);
                self.marks.begin(at, mark.kind);
            }
            passed += line.len() + 1;
            self.text.push_str(line);
        }
    }

    /// Writes a space, unless white space or nothing is before: the next text is a word of its own.
    pub(super) fn separate(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
    }

    /// Returns the piece up to where something was written.
    pub(super) fn into_piece(self) -> String {
        self.text
    }

    /// Returns the text with the lines that are still missing.
    pub(super) fn finish(mut self) -> MarkedText {
        self.reach(self.source.len());
        MarkedText {
            text: self.text,
            marks: self.marks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_keeps_its_lines() {
        let source = "# one\n\n<b>\ntwo\n</b>\nthree";
        let mut text = Lined::beside(source);
        text.copy(2, 5);
        text.lines(7, 20, "\ntwo\nmore\neven more", &Marks::default());
        text.reach(3);
        text.push("a\nb");
        text.separate();
        text.separate();
        text.copy(20, 25);
        assert_eq!(text.finish().text, "one\n\n\ntwo\nmore\neven morea b three");
    }
}
