//! Which elements of a page are blocks, and of which kind.

use crate::extract::html::elements::Properties;
use dupfind_engine::text::blocks::BlockKind;

/// Where in the blocks of a page an element is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// The kind of the text in it.
    pub(super) kind: BlockKind,
    /// Whether a block begins and ends with it.
    pub(super) is_block: bool,
    /// Whether it is in a row of a table, all cells of which are one block.
    pub(super) is_in_row: bool,
}

impl Place {
    /// Makes paragraphs of a part that was mistaken for a row of data.
    pub(super) fn leave_row(&mut self) {
        if std::mem::take(&mut self.is_in_row) {
            self.kind = BlockKind::Paragraph;
        }
    }
}

/// Returns whether an element is never in the cell of a table of data, so that the table lays out a page.
pub(super) fn ends_row(name: &[u8]) -> bool {
    matches!(
        name,
        b"h1" | b"h2" | b"h3" | b"table" | b"article" | b"main"
    )
}

/// Returns the place of an element, by its name and the place of the element around it.
pub(super) fn kind_of(name: &[u8], properties: Properties, above: Place) -> Place {
    use BlockKind::{Caption, Code, Heading, ListItem, Paragraph, Quotation, TableRow};
    let inherited = Place {
        is_block: false,
        ..above
    };
    if above.is_in_row && name != b"tr" {
        return inherited;
    }
    let kind = match name {
        b"tr" => TableRow,
        b"li" | b"dt" | b"dd" => ListItem,
        b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"title" => Heading,
        b"caption" | b"figcaption" => Caption,
        b"pre" | b"listing" | b"textarea" => Code,
        b"blockquote" => Quotation,
        b"td" | b"th" | b"br" | b"img" | b"input" | b"option" => return inherited,
        // A paragraph in an item or a quotation is of their kind.
        b"p" | b"div" => above.kind,
        b"ul" | b"ol" | b"table" | b"section" | b"article" | b"main" => Paragraph,
        _ if properties.has(Properties::SEPARATES) => above.kind,
        _ => return inherited,
    };
    Place {
        kind,
        is_block: true,
        is_in_row: name == b"tr",
    }
}
