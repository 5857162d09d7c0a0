//! The common part of the readers of AsciiDoc and reStructuredText: lines go by one after the other, the lines of a paragraph
//! are kept and read as one text, and the visible text is written on its line of the source.

use crate::extract::{MarkedText, line_ends, push_line_ends};
use dupfind_engine::text::blocks::{BlockKind, Marks};

/// Reads the lines of a format.
pub(super) trait LineReader<'c> {
    /// Reads a line, by its number from 0, without the white space at its end.
    fn line(&mut self, number: usize, line: &'c str);

    /// Returns the text that is being written.
    fn written(&mut self) -> &mut Written;

    /// Ends the paragraph that is open, and writes its visible text.
    fn end_paragraph(&mut self);

    /// Reads a document and returns its text, which has as many lines.
    fn read(mut self, content: &'c str) -> MarkedText
    where
        Self: Sized,
    {
        for (number, line) in content.split_inclusive('\n').enumerate() {
            self.line(number, line.trim_end());
            if line.ends_with('\n') {
                self.written().end_line();
            }
        }
        self.end_paragraph();
        let written = self.written();
        MarkedText {
            text: std::mem::take(&mut written.text),
            marks: std::mem::take(&mut written.marks),
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
