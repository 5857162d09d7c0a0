//! HTML in Markdown: blocks of it, and tags within a line.

use std::borrow::Cow;

use crate::extract::MarkedText;
use crate::extract::html::{Properties, fragment, hides, properties};
use crate::extract::lined::Lined;
use dupfind_engine::text::blocks::BlockKind;

/// How many open elements are searched for the one that an end tag means. Without a limit a hostile document would
/// take time that grows with the square of its size.
const REACH: usize = 128;

/// Reads the HTML of a document from the beginning to the end.
#[derive(Debug)]
pub(super) struct Html {
    skips_code: bool,
    /// The element of code that is open and left out. A blank line ends a block of HTML, but no element.
    open: Option<&'static str>,
    /// The elements that are open in a paragraph, each with whether a reader sees its content.
    inline: Vec<(String, bool)>,
}

impl Html {
    pub(super) fn new(skips_code: bool) -> Self {
        Self {
            skips_code,
            open: None,
            inline: Vec::new(),
        }
    }

    /// Returns whether this place is in code that is left out, or in an element that no reader sees.
    pub(super) fn is_silent(&self) -> bool {
        self.open.is_some() || self.is_hidden()
    }

    /// Ends the elements that are open in a paragraph.
    pub(super) fn end_paragraph(&mut self) {
        self.inline.clear();
    }

    fn is_hidden(&self) -> bool {
        self.inline.last().is_some_and(|(_, is_seen)| !is_seen)
    }

    /// Writes the text of a block.
    pub(super) fn block(&mut self, text: &mut Lined<'_>, start: usize, end: usize, html: &str) {
        let html = match self.skips_code {
            true => self.without_code(html),
            false => html.into(),
        };
        let MarkedText { text: shown, marks } = fragment(&html, self.skips_code);
        if !shown.trim().is_empty() {
            text.separate();
            text.begin(BlockKind::Paragraph);
            text.lines(start, end, shown.trim_end(), &marks);
        }
    }

    /// Returns a block without the rest of code that is open. A `code` that begins the block becomes `pre`; elsewhere
    /// it is code in a line, which stays.
    fn without_code<'h>(&mut self, html: &'h str) -> Cow<'h, str> {
        let mut lower = html.to_ascii_lowercase();
        let mut rest = Cow::Borrowed(html);
        if let Some(name) = self.open {
            let close = lower.find(&format!("</{name}")).unwrap_or(html.len());
            let lines = "\n".repeat(html[..close].matches('\n').count());
            rest = (lines + &html[close..]).into();
            lower = rest.to_ascii_lowercase();
            if close == html.len() {
                return rest;
            }
        }
        let is_code = lower.trim_start().starts_with("<code>");
        let name = if is_code { "code" } else { "pre" };
        let (open, close) = (format!("<{name}"), format!("</{name}"));
        let is_name = |&at: &usize| {
            let next = lower[at + open.len()..].chars().next();
            next.is_none_or(|c| !c.is_alphanumeric() && c != '-')
        };
        let last = lower.rmatch_indices(&open).map(|(at, _)| at).find(is_name);
        let is_open = last > lower.rfind(&close);
        self.open = is_open.then_some(name);
        for tag in ["</code>", "<code>"].into_iter().filter(|_| is_code) {
            if let Some(found) = lower.find(tag) {
                let name = found + tag.len() - "code>".len();
                rest.to_mut()
                    .replace_range(name..name + "code".len(), "pre");
            }
        }
        rest
    }

    /// Reads a tag and writes its text.
    pub(super) fn tag(&mut self, text: &mut Lined<'_>, tag: &str) {
        let name = tag.trim_start_matches(['<', '/']);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let name = name[..end.unwrap_or(name.len())].to_ascii_lowercase();
        let is_end = tag.starts_with("</");
        if is_end && self.open.is_some_and(|open| open == name) {
            self.open = None;
        } else if !is_end && self.skips_code && self.open.is_none() && name == "pre" {
            self.open = Some("pre");
        }
        match name.as_str() {
            _ if self.is_hidden() => {}
            // Its alternative text.
            "img" => text.push(fragment(tag, false).text.trim()),
            // A component is a word of its own, as a block is.
            _ if properties(name.as_bytes()).has(Properties::SEPARATES) || name.contains('-') => {
                text.separate();
            }
            _ => {}
        }
        self.follow(tag, name, is_end);
    }

    /// Opens or closes the element of a tag.
    fn follow(&mut self, tag: &str, name: String, is_end: bool) {
        if is_end {
            let mut near = self.inline.iter().rev().take(REACH);
            if let Some(depth) = near.position(|(open, _)| *open == name) {
                self.inline.truncate(self.inline.len() - depth - 1);
            }
        } else if !name.is_empty() && !properties(name.as_bytes()).has(Properties::VOID) {
            let is_seen = !self.is_hidden() && !hides(tag);
            self.inline.push((name, is_seen));
        }
    }
}
