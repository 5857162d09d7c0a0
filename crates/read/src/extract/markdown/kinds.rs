//! Of which kind the blocks of Markdown are.

use std::iter::Peekable;
use std::vec::IntoIter;

use pulldown_cmark::{Tag, TagEnd};

use crate::extract::markdown::prepare::NoteChange;
use dupfind_engine::text::blocks::BlockKind;

/// Follows the lists, quotations and boxes of a document, from its beginning to its end.
pub(super) struct Kinds {
    /// The lists and quotations that are open.
    open: Vec<BlockKind>,
    notes: Peekable<IntoIter<NoteChange>>,
    is_in_note: bool,
}

impl Kinds {
    /// Begins a document with these boxes.
    pub(super) fn new(notes: Vec<NoteChange>) -> Self {
        Self {
            open: Vec::new(),
            notes: notes.into_iter().peekable(),
            is_in_note: false,
        }
    }

    /// Returns the kind of the block that a tag at a place begins; `None` if it begins none.
    pub(super) fn start(&mut self, tag: &Tag<'_>, at: usize) -> Option<BlockKind> {
        while let Some(change) = self.notes.next_if(|change| change.at <= at) {
            self.is_in_note = change.is_note;
        }
        match tag {
            Tag::Item => {
                self.open.push(BlockKind::ListItem);
                Some(BlockKind::ListItem)
            }
            Tag::BlockQuote(_) => {
                self.open.push(BlockKind::Quotation);
                Some(self.of_paragraph())
            }
            Tag::Heading { .. } => Some(BlockKind::Heading),
            Tag::TableHead | Tag::TableRow => Some(BlockKind::TableRow),
            Tag::TableCell => None,
            _ => Some(self.of_paragraph()),
        }
    }

    fn of_paragraph(&self) -> BlockKind {
        match self.open.last() {
            Some(BlockKind::ListItem) => BlockKind::ListItem,
            _ if self.is_in_note => BlockKind::Admonition,
            Some(kind) => *kind,
            None => BlockKind::Paragraph,
        }
    }

    /// Ends an element.
    pub(super) fn end(&mut self, tag: &TagEnd) {
        if matches!(tag, TagEnd::Item | TagEnd::BlockQuote(_)) {
            self.open.pop();
        }
    }
}
