//! Blocks of a text: paragraphs, items of lists, rows of tables and the like, each with its lines.

use std::ops::Range;

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum BlockKind {
    /// A paragraph of running text.
    #[default]
    Paragraph,
    /// An item of a list, without the items below it.
    ListItem,
    /// A row of a table.
    TableRow,
    /// A heading.
    Heading,
    /// A paragraph that is quoted.
    Quotation,
    /// A code block.
    Code,
    /// The caption of a picture or a table.
    Caption,
}

impl BlockKind {
    /// Returns the kind as reports name it: words in lower case, which never change.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Paragraph => "paragraph",
            Self::ListItem => "list item",
            Self::TableRow => "table row",
            Self::Heading => "heading",
            Self::Quotation => "quotation",
            Self::Code => "code",
            Self::Caption => "caption",
        }
    }
}

/// The beginning of a block. The block goes on to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Where it begins in the text, in bytes.
    pub at: usize,
    /// What it is.
    pub kind: BlockKind,
}

/// How a text is cut into blocks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Layout {
    /// There are empty lines between paragraphs.
    #[default]
    Paragraphs,
    /// Each line is a block of this kind.
    Lines(BlockKind),
    /// The blocks begin at these places, in ascending order. What is before the first place is a paragraph.
    Marked(Vec<Mark>),
}

impl Layout {
    /// Returns where the blocks of some kinds of a text are that has so many bytes, in order.
    pub fn blocks_of(&self, kinds: &[BlockKind], length: usize) -> Vec<Range<usize>> {
        let Self::Marked(marks) = self else {
            return Vec::new();
        };
        let ends = marks.iter().skip(1).map(|mark| mark.at).chain([length]);
        let blocks = marks.iter().zip(ends);
        let found = blocks.filter(|(mark, _)| kinds.contains(&mark.kind));
        found.map(|(mark, end)| mark.at..end).collect()
    }

    /// Returns the first heading of a text.
    pub fn first_heading<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.place_of_heading(text.len())
            .and_then(|place| text.get(place))
    }

    /// Returns the first heading of a text without white space around it, if there is text above it.
    pub fn heading_below_text<'t>(&self, text: &'t str) -> Option<&'t str> {
        let place = self.place_of_heading(text.len())?;
        let above = text.get(..place.start)?;
        (!above.trim().is_empty()).then(|| text.get(place).map(str::trim))?
    }

    /// Returns the place of the first heading of a text that has so many bytes.
    fn place_of_heading(&self, length: usize) -> Option<Range<usize>> {
        let is_heading = |mark: &Mark| mark.kind == BlockKind::Heading;
        let Self::Marked(marks) = self else {
            return None;
        };
        let at = marks.iter().position(is_heading)?;
        let end = marks.get(at + 1).map_or(length, |next| next.at);
        Some(marks[at].at..end)
    }
}

/// A block of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'t> {
    /// What it is.
    pub kind: BlockKind,
    /// Its text without white space around it.
    pub text: &'t str,
    /// The line on which it begins, from 1.
    pub start_line: u32,
    /// The line on which it ends.
    pub end_line: u32,
}

/// Returns the blocks of a text in their order. Blocks without any text are left out.
///
/// # Examples
///
/// ```
/// use dupfind_engine::text::blocks::{Layout, blocks};
///
/// let text = "The first paragraph\nhas two lines.\n\n\nThe second has one.\n";
/// let blocks = blocks(text, &Layout::Paragraphs);
/// assert_eq!(blocks.len(), 2);
/// assert_eq!((blocks[1].start_line, blocks[1].text), (5, "The second has one."));
/// ```
pub fn blocks<'t>(text: &'t str, layout: &Layout) -> Vec<Block<'t>> {
    let mut cut = Cut {
        text,
        at: 0,
        line: 1,
        blocks: Vec::new(),
    };
    match layout {
        Layout::Lines(kind) => {
            let lines = text.split_inclusive('\n');
            lines.for_each(|line| cut.push(line.len(), *kind));
        }
        Layout::Paragraphs => {
            let mut length = 0;
            for line in text.split_inclusive('\n') {
                length += line.len();
                if line.trim().is_empty() {
                    cut.push(length, BlockKind::Paragraph);
                    length = 0;
                }
            }
            cut.push(length, BlockKind::Paragraph);
        }
        Layout::Marked(marks) => {
            let mut kind = BlockKind::Paragraph;
            for mark in marks {
                cut.push(mark.at.saturating_sub(cut.at), kind);
                kind = mark.kind;
            }
            cut.push(text.len() - cut.at, kind);
        }
    }
    cut.blocks
}

/// A text that is cut from its beginning to its end.
struct Cut<'t> {
    text: &'t str,
    at: usize,
    line: u32,
    blocks: Vec<Block<'t>>,
}

impl Cut<'_> {
    /// Cuts off so many bytes.
    fn push(&mut self, length: usize, kind: BlockKind) {
        let end = self.at + length;
        let (Some(piece), true) = (self.text.get(self.at..end), length > 0) else {
            return;
        };
        let trimmed = piece.trim_start();
        let before = &piece[..piece.len() - trimmed.len()];
        let trimmed = trimmed.trim_end();
        let start_line = self.line + line_ends(before);
        let end_line = start_line + line_ends(trimmed);
        if !trimmed.is_empty() {
            self.blocks.push(Block {
                kind,
                text: trimmed,
                start_line,
                end_line,
            });
        }
        self.line += line_ends(piece);
        self.at = end;
    }
}

fn line_ends(text: &str) -> u32 {
    let count = text.bytes().filter(|&byte| byte == b'\n').count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The places where the blocks of a text begin, noted while the text is written.
#[derive(Debug, Clone, Default)]
pub struct Marks(Vec<Mark>);

impl Marks {
    /// Notes that a block begins at a place, which is not before the last one.
    pub fn begin(&mut self, at: usize, kind: BlockKind) {
        if let Some(last) = self.0.last_mut()
            && last.at == at
        {
            last.kind = kind;
            return;
        }
        self.0.push(Mark { at, kind });
    }

    /// Returns the kind of the last block.
    pub fn last(&self) -> Option<BlockKind> {
        self.0.last().map(|mark| mark.kind)
    }

    /// Returns the places in ascending order.
    pub fn as_slice(&self) -> &[Mark] {
        &self.0
    }

    /// Returns how a text with these blocks is cut.
    pub fn into_layout(self) -> Layout {
        Layout::Marked(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, layout: &Layout) -> Vec<(BlockKind, String, u32, u32)> {
        let blocks = blocks(text, layout).into_iter();
        let told = blocks.map(|b| (b.kind, b.text.to_owned(), b.start_line, b.end_line));
        told.collect()
    }

    #[test]
    fn blocks_have_their_lines() {
        use BlockKind::{Heading, ListItem, Paragraph, TableRow};
        let text = "\n one\ntwo\n \n\n三 \n";
        let both = [
            (Paragraph, "one\ntwo".to_owned(), 2, 3),
            (Paragraph, "三".to_owned(), 6, 6),
        ];
        assert_eq!(told(text, &Layout::Paragraphs), both);
        let lines = told(text, &Layout::Lines(TableRow));
        assert_eq!(lines[1], (TableRow, "two".to_owned(), 3, 3));
        let mut marks = Marks::default();
        for (at, kind) in [(0, Paragraph), (0, Heading), (6, ListItem), (12, ListItem)] {
            marks.begin(at, kind);
        }
        let marked = [
            (Heading, "one".to_owned(), 2, 2),
            (ListItem, "two".to_owned(), 3, 3),
            (ListItem, "三".to_owned(), 6, 6),
        ];
        let layout = marks.into_layout();
        assert_eq!(told(text, &layout), marked);
        assert_eq!(layout.first_heading(text).map(str::trim), Some("one"));
        assert_eq!(layout.heading_below_text(text), None);
        assert_eq!(Layout::Paragraphs.first_heading(text), None);
        assert_eq!(told("", &Layout::default()), []);
        let beyond = Layout::Marked(vec![Mark {
            at: 9,
            kind: Heading,
        }]);
        assert_eq!(told("abc", &beyond).len(), 1);
    }
}
