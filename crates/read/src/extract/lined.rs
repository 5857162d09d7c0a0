//! Text that is written line by line beside its source: by the place in the source, or, for AsciiDoc and reStructuredText,
//! line after line, where the lines of a paragraph are kept and read as one text.

use crate::extract::front_matter::FrontMatter;
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
            title: None,
        }
    }
}

/// Reads the lines of a format, which go by one after the other.
pub(super) trait LineReader<'c> {
    /// Reads a line, by its number from 0, without the white space at its end.
    fn line(&mut self, number: usize, line: &'c str);

    /// Returns the text that is being written.
    fn written(&mut self) -> &mut Written;

    /// Ends the paragraph that is open, and writes its visible text.
    fn end_paragraph(&mut self);

    /// Reads a document behind its front matter, and returns its text, which has as many lines.
    fn read(mut self, content: &'c str) -> MarkedText
    where
        Self: Sized,
    {
        let (head, rest) = content.split_at(FrontMatter::of(content).end());
        let first = line_ends(head.as_bytes());
        push_line_ends(first, &mut self.written().text);
        for (number, line) in rest.split_inclusive('\n').enumerate() {
            self.line(first + number, line.trim_end());
            if line.ends_with('\n') {
                self.written().end_line();
            }
        }
        self.end_paragraph();
        let written = self.written();
        MarkedText {
            text: std::mem::take(&mut written.text),
            marks: std::mem::take(&mut written.marks),
            title: None,
        }
    }
}

/// The text of a document as far as it was read.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) text: String,
    /// The lines of a paragraph, or of an item, that may go on in the next one.
    pub(super) paragraph: String,
    /// The kind of the open paragraph.
    pub(super) kind: BlockKind,
    marks: Marks,
}

impl Written {
    /// Begins the text of a document of so many bytes.
    pub(super) fn new(size: usize) -> Self {
        Self {
            text: String::with_capacity(size),
            paragraph: String::new(),
            kind: BlockKind::Paragraph,
            marks: Marks::default(),
        }
    }

    fn end_line(&mut self) {
        let open = if self.paragraph.is_empty() {
            &mut self.text
        } else {
            &mut self.paragraph
        };
        open.push('\n');
    }

    /// Notes that a block begins here.
    pub(super) fn begin(&mut self, kind: BlockKind) {
        self.marks.begin(self.text.len(), kind);
    }

    /// Returns the lines of the paragraph, which is over. It is a block, and the next one is a paragraph.
    pub(super) fn take_paragraph(&mut self) -> String {
        let kind = std::mem::take(&mut self.kind);
        if !self.paragraph.is_empty() {
            self.begin(kind);
        }
        std::mem::take(&mut self.paragraph)
    }

    /// Writes a line of code as it is.
    pub(super) fn code(&mut self, line: &str) {
        if self.marks.last() != Some(BlockKind::Code) {
            self.begin(BlockKind::Code);
        }
        self.text.push_str(line);
    }
}

/// Appends the visible text of a paragraph, with all of its line ends.
///
/// `construct` reads a construct at the beginning of a text. It also gets the character before it, if there is one. It
/// appends the visible text, and returns the length of the construct and the character that the next text gets as the
/// one before it.
pub(super) fn write_inline(
    paragraph: &str,
    out: &mut String,
    mut construct: impl FnMut(&str, Option<char>, &mut String) -> Option<(usize, Option<char>)>,
) {
    let mut rest = paragraph;
    let mut before = None;
    while let Some(c) = rest.chars().next() {
        let written = out.len();
        let length = match construct(rest, before, out) {
            Some((length, last)) => {
                before = last;
                // The text that follows is on its line, also behind a target with a line end in it.
                let passed = line_ends(&rest.as_bytes()[..length]);
                push_line_ends(passed - line_ends(&out.as_bytes()[written..]), out);
                length
            }
            None => {
                before = Some(c);
                out.push(c);
                c.len_utf8()
            }
        };
        rest = &rest[length..];
    }
}

/// Returns where a name ends with which a text begins, if it has fewer characters than `most`.
pub(super) fn end_of_name(
    text: &str,
    most: usize,
    is_of_name: impl Fn(char) -> bool,
) -> Option<usize> {
    let mut characters = text.char_indices().take(most);
    characters
        .find(|&(_, c)| !is_of_name(c))
        .map(|(end, _)| end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_keeps_its_lines() {
        let mut text = Lined::beside("# one\n\n<b>\ntwo\n</b>\nthree");
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
