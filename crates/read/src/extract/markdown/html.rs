//! HTML in Markdown: blocks of it, and tags within a line.

use crate::extract::MarkedText;
use crate::extract::html::{Properties, fragment, has_any_case, hides, properties};
use crate::extract::lined::Lined;
use dupfind_engine::text::blocks::BlockKind;

/// How many open elements are searched for the one that an end tag means. Without a limit the time for a hostile
/// document would grow with the square of its size.
const REACH: usize = 128;

/// Reads the HTML of a document from the beginning to the end.
#[derive(Debug, Default)]
pub(super) struct Html {
    /// The elements that are open in a paragraph, each with whether a reader sees its content.
    inline: Vec<(String, bool)>,
}

impl Html {
    /// Returns whether this place is in an element that no reader sees.
    pub(super) fn is_silent(&self) -> bool {
        self.inline.last().is_some_and(|(_, is_seen)| !is_seen)
    }

    /// Ends the elements that are open in a paragraph.
    pub(super) fn end_paragraph(&mut self) {
        self.inline.clear();
    }

    /// Writes the text of a block.
    pub(super) fn block(&self, text: &mut Lined<'_>, start: usize, end: usize, html: &str) {
        let MarkedText { text: shown, marks } = fragment(html);
        if !shown.trim().is_empty() {
            text.separate();
            text.begin(BlockKind::Paragraph);
            text.lines(start, end, shown.trim_end(), &marks);
        }
    }

    /// Reads a tag and writes its text.
    pub(super) fn tag(&mut self, text: &mut Lined<'_>, tag: &str) {
        let name = tag.trim_start_matches(['<', '/']);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let name = name[..end.unwrap_or(name.len())].to_ascii_lowercase();
        let properties = properties(name.as_bytes());
        match name.as_str() {
            _ if self.is_silent() => {}
            // Its alternative text.
            "img" if has_any_case(tag, "alt") => text.push(fragment(tag).text.trim()),
            "img" => {}
            // A component is a word of its own, as a block is.
            _ if properties.has(Properties::SEPARATES) || name.contains('-') => {
                text.separate();
            }
            _ => {}
        }
        self.follow(tag, name, properties);
    }

    /// Opens or closes the element of a tag.
    fn follow(&mut self, tag: &str, name: String, properties: Properties) {
        if tag.starts_with("</") {
            let mut near = self.inline.iter().rev().take(REACH);
            if let Some(depth) = near.position(|(open, _)| *open == name) {
                self.inline.truncate(self.inline.len() - depth - 1);
            }
        } else if !name.is_empty() && !properties.has(Properties::VOID) {
            let is_seen = !self.is_silent() && !hides(tag, properties);
            self.inline.push((name, is_seen));
        }
    }
}
