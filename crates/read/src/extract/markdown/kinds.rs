//! The kinds of the blocks of Markdown.

use pulldown_cmark::{Tag, TagEnd};

use dupfind_engine::text::blocks::BlockKind;

/// Follows the lists and quotations of a document, from its beginning to its end.
#[derive(Default)]
pub(super) struct Kinds {
    /// The lists and quotations that are open.
    open: Vec<BlockKind>,
}

impl Kinds {
    /// Returns the kind of the block that a tag begins; `None` if it begins none.
    pub(super) fn start(&mut self, tag: &Tag<'_>) -> Option<BlockKind> {
        match tag {
            Tag::Item => self.open.push(BlockKind::ListItem),
            Tag::BlockQuote(_) => self.open.push(BlockKind::Quotation),
            Tag::Heading { .. } => return Some(BlockKind::Heading),
            Tag::TableHead | Tag::TableRow => return Some(BlockKind::TableRow),
            Tag::TableCell => return None,
            _ => {}
        }
        Some(self.open.last().copied().unwrap_or_default())
    }

    /// Ends an element.
    pub(super) fn end(&mut self, tag: &TagEnd) {
        if matches!(tag, TagEnd::Item | TagEnd::BlockQuote(_)) {
            self.open.pop();
        }
    }
}
