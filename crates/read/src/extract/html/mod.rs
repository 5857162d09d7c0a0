//! Web pages: the text that counts, every word on its line of the source.
//!
//! The tokenizer of the HTML standard reads the page, so any page has a text, however broken it is. Inline elements
//! do not split words, blocks separate them. Scripts, styles and hidden elements do not count, and neither do front
//! matter and shortcodes of a site generator. If a page hides more than it shows, a script shows it: then it counts.

mod article;
mod consent;
mod elements;
#[cfg(test)]
mod laws;
mod page;
mod reader;
#[cfg(test)]
mod tests;
mod tokens;

use std::borrow::Cow;

use memchr::memchr;

use crate::extract::front_matter::FrontMatter;
use crate::extract::html::article::{Article, Outline};
use crate::extract::html::elements::{is_hidden, is_unseen};
use crate::extract::html::page::render;
use crate::extract::html::reader::{read, read_shown};
use crate::extract::html::tokens::{Tag, tokens};
use crate::extract::shortcodes::Ahead;
use crate::extract::{MarkedText, has_any_case, head, line_ends, push_line_ends};

pub(crate) use elements::{Properties, properties};
pub(crate) use tokens::Syntax;

/// Returns the text of the article of a page, with as many lines as its source.
pub(crate) fn article(source: &str, syntax: Syntax) -> MarkedText {
    let source: &str = &without_frame(source);
    let mut outline = Outline::default();
    let page = read(source, syntax, Some(&mut outline));
    let article = Article::of(&page, outline);
    MarkedText {
        title: page.title(),
        ..render(&page, source, |piece, context| article.has(piece, context))
    }
}

/// Returns all text of a page that a reader sees, with as many lines as its source.
pub(crate) fn all(source: &str, syntax: Syntax) -> MarkedText {
    let source: &str = &without_frame(source);
    let page = read(source, syntax, None);
    MarkedText {
        title: page.title(),
        ..render(&page, source, |_, _| true)
    }
}

/// Returns the same of a page that is no source of a site generator.
pub(crate) fn chapter(source: &str, syntax: Syntax) -> MarkedText {
    let page = read(source, syntax, None);
    render(&page, source, |_, _| true)
}

/// Returns the text of any part of a page, with as many lines as it has. There is white space where the part begins or ends with
/// a block.
pub(crate) fn fragment(html: &str) -> MarkedText {
    let page = read_shown(html, Syntax::Html, None);
    render(&page, html, |_, _| true)
}

/// Returns whether no reader sees the content of an element, by its start tag as it is written and its properties.
pub(crate) fn hides(tag: &str, of_element: Properties) -> bool {
    // Most tags have no attribute that hides. A `dialog` is hidden unless it is open, and is a part around the article.
    let is_special = of_element.has(Properties::UNSEEN) || of_element.has(Properties::AROUND);
    if !is_special && !has_any_case(tag, "hidden") && !has_any_case(tag, "style") {
        return false;
    }
    let mut is_first_unseen = None;
    tokens(tag, Syntax::Html, &mut |tag: &Tag| {
        is_first_unseen
            .get_or_insert_with(|| is_unseen(tag, properties(&tag.name)) || is_hidden(tag));
    });
    is_first_unseen == Some(true)
}

/// Returns the source of a page without front matter and without shortcodes, on the same lines: site generators such as Jekyll
/// and Hugo make pages of it. In a page without front matter braces are text.
fn without_frame(source: &str) -> Cow<'_, str> {
    let mut at = FrontMatter::of(source).end();
    if at == 0 {
        return source.into();
    }
    let mut out = String::with_capacity(source.len());
    let mut ahead = Ahead::of(source);
    push_line_ends(line_ends(&source.as_bytes()[..at]), &mut out);
    let (mut copied, mut end) = (at, at);
    while let Some(found) = memchr(b'{', &source.as_bytes()[at..]) {
        let brace = at + found;
        if end <= brace {
            let length = memchr(b'\n', &source.as_bytes()[brace..]);
            end = length.map_or(source.len(), |length| brace + length);
        }
        at = brace + 1;
        if let Some((close, shown)) = ahead.shortcode(brace, end, true) {
            out.push_str(&source[copied..brace]);
            out.push_str(shown.unwrap_or(" "));
            push_line_ends(line_ends(&source.as_bytes()[brace..close]), &mut out);
            (at, copied) = (close, close);
        }
    }
    out.push_str(&source[copied..]);
    out.into()
}

/// How many bytes of a page are searched for what its head says about it.
const HEAD: usize = 16 << 10;

/// What the head of a page says about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeadMark {
    /// It leads its readers to another page at once.
    Refresh,
    /// Its address, or that of the page that has the text.
    Canonical(String),
    /// Search engines are not to list it.
    Unlisted,
}

/// Returns what the head of a page says about it.
pub fn head_marks(source: &str) -> Vec<HeadMark> {
    let head = head(source, HEAD);
    let mut found = Vec::new();
    if !["refresh", "canonical", "noindex"]
        .iter()
        .any(|word| has_any_case(head, word))
    {
        return found;
    }
    let word = |tag: &Tag, name: &str| {
        let value = String::from_utf8_lossy(tag.get(name).unwrap_or_default());
        value.trim().to_ascii_lowercase()
    };
    tokens(
        head,
        Syntax::Html,
        &mut |tag: &Tag| match tag.name.as_slice() {
            b"meta"
                if word(tag, "http-equiv") == "refresh" && word(tag, "content").contains("url") =>
            {
                found.push(HeadMark::Refresh);
            }
            b"meta"
                if word(tag, "name") == "robots" && word(tag, "content").contains("noindex") =>
            {
                found.push(HeadMark::Unlisted);
            }
            b"link" if word(tag, "rel") == "canonical" => {
                let href = String::from_utf8_lossy(tag.get("href").unwrap_or_default());
                found.push(HeadMark::Canonical(href.trim().to_owned()));
            }
            _ => {}
        },
    );
    found
}
