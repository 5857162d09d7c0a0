//! HTML in Markdown: blocks of it, and tags within a line.

use std::borrow::Cow;

use crate::extract::html::fragment;
use crate::extract::lined::Lined;

/// Inline tags that do not end a word. All others, and those of components, do.
const WITHIN_WORDS: [&str; 30] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup",
    "tt", "u", "var", "wbr",
];

/// Reads the HTML of a document from the beginning to the end.
#[derive(Debug)]
pub(super) struct Html {
    skips_code: bool,
    /// The element of code that is open and left out. A blank line ends a block of HTML, but no element.
    open: Option<&'static str>,
}

impl Html {
    pub(super) fn new(skips_code: bool) -> Self {
        Self {
            skips_code,
            open: None,
        }
    }

    /// Whether what stands here is code that is left out.
    pub(super) fn is_code_open(&self) -> bool {
        self.open.is_some()
    }

    /// Writes what of a block counts.
    pub(super) fn block(&mut self, text: &mut Lined<'_>, start: usize, end: usize, html: &str) {
        let html = match self.skips_code {
            true => self.without_code(html),
            false => html.into(),
        };
        let shown = fragment(&html, self.skips_code);
        if !shown.trim().is_empty() {
            text.separate();
            text.lines(start, end, shown.trim_end());
        }
    }

    /// Takes a block and returns it without the rest of code that is open, and with `pre` for `code` where that is
    /// a block: a line of its own begins it. Elsewhere it is code in a line, which stays.
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

    /// Writes what of a tag counts.
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
        if name == "img" {
            // Its alternative text.
            text.push(fragment(tag, false).trim());
        } else if !name.is_empty() && !WITHIN_WORDS.contains(&name.as_str()) {
            text.separate();
        }
    }
}
