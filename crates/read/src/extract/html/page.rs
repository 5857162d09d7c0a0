//! A page as pieces of text in their order, each with its line and its context.

use dupfind_engine::text::blocks::BlockKind;

/// Text without any boundary in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Where it begins in the text of the page. It goes on to the next piece.
    pub(super) start: usize,
    /// The line on which it begins, from 0.
    pub(super) line: usize,
    /// Whether the end of a block, or white space, separates it from the piece before.
    pub(super) is_separate: bool,
    /// Whether a block begins with it, and the kind of the block.
    pub(super) begins: bool,
    pub(super) kind: BlockKind,
    pub(super) context: Context,
}

/// The elements around a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Context {
    /// In a part of the site that is around the article.
    pub(super) around: bool,
    /// In the title of the page, or in a heading of the first rank.
    pub(super) title: bool,
    /// In a link.
    pub(super) link: bool,
    /// In the part that the page marks as its main part.
    pub(super) main: bool,
    /// The number of the outermost `article` around it, from 1; 0 if there is none.
    pub(super) article: u32,
    /// In text whose white space counts.
    pub(super) preformatted: bool,
}

impl Context {
    /// Returns whether text here is text of the page itself: no link, nothing around the article.
    pub(super) fn counts(self) -> bool {
        !self.around && !self.link
    }
}

/// Returns the amount of a text, in bytes without white space. A Chinese character has three bytes, and half as much
/// meaning as an English word of six.
pub(super) fn weight(text: &[u8]) -> usize {
    text.iter().filter(|b| !b.is_ascii_whitespace()).count()
}

/// A page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// All that a reader sees, decoded. Line ends are those of the source.
    pub(super) text: String,
    pub(super) pieces: Vec<Piece>,
    /// How much text its elements hide, in bytes without white space: neither links nor parts around the article.
    pub(super) hidden: usize,
    /// Whether something separates the last piece from what may follow.
    pub(super) ends_separate: bool,
}

impl Page {
    /// Returns how much text it shows, as [`Page::hidden`] counts it.
    pub(super) fn shown(&self) -> usize {
        let counted = self.pieces().filter(|(piece, _)| piece.context.counts());
        counted.map(|(_, text)| weight(text.as_bytes())).sum()
    }

    /// Returns the pieces with their texts.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (&Piece, &str)> {
        let starts = self.pieces.iter().skip(1).map(|piece| piece.start);
        let ends = starts.chain([self.text.len()]);
        self.pieces.iter().zip(ends).map(|(piece, end)| {
            let text = self.text.get(piece.start..end).unwrap_or("");
            (piece, text)
        })
    }
}
