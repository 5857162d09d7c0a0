//! Which elements of a page are blocks, and of which kind.

use crate::extract::has_word;
use crate::extract::html::elements::Properties;
use crate::extract::html::tokens::Tag;
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

/// Words in the class of a box with a note in it.
const NOTES: [&str; 14] = [
    "admonition",
    "alert",
    "callout",
    "caution",
    "danger",
    "hint",
    "important",
    "note",
    "notice",
    "notification",
    "theme-admonition",
    "tip",
    "tip-block",
    "warning",
];

/// Returns whether an element is never in the cell of a table of data, so that the table lays out a page.
pub(super) fn ends_row(name: &[u8]) -> bool {
    matches!(
        name,
        b"h1" | b"h2" | b"h3" | b"table" | b"article" | b"main"
    )
}

/// Returns the place of an element, by its start tag and the place of the element around it.
pub(super) fn kind_of(tag: &Tag, properties: Properties, above: Place) -> Place {
    use BlockKind::{Admonition, Caption, Code, Heading, ListItem, Paragraph, Quotation, TableRow};
    let name = tag.name.as_slice();
    let inherited = Place {
        is_block: false,
        ..above
    };
    if above.is_in_row && name != b"tr" {
        return inherited;
    }
    let is_note = || {
        let class = tag
            .get("class")
            .and_then(|class| str::from_utf8(class).ok());
        class.is_some_and(|class| NOTES.iter().any(|note| has_word(class, note)))
    };
    let kind = match name {
        b"tr" => TableRow,
        b"li" | b"dt" | b"dd" => ListItem,
        b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"title" => Heading,
        b"caption" | b"figcaption" => Caption,
        b"pre" | b"listing" | b"textarea" => Code,
        b"blockquote" => Quotation,
        b"td" | b"th" | b"br" | b"img" | b"input" | b"option" => return inherited,
        b"div" | b"aside" | b"section" | b"p" if is_note() => Admonition,
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
