//! Web pages: the text that counts, every word on its line of the source.
//!
//! The tokenizer of the HTML standard reads the page, so any page has a text, however broken it is. Inline elements
//! do not split words, blocks separate them. Scripts, styles and hidden elements do not count, and neither do front
//! matter and shortcodes of a site generator. If a page hides more than it shows, a script shows it: then it counts.

mod article;
mod elements;
mod kinds;
mod lines;
mod links;
mod opt_out;
mod outline;
mod page;
mod reader;
mod source;
mod sources;
mod tags;
mod tokens;

pub(crate) use elements::{Properties, properties};
pub use links::Link;
pub(super) use links::links;
pub(crate) use opt_out::opt_out;
pub(crate) use tokens::Syntax;

use memchr::memchr2_iter;

use crate::extract::MarkedText;
use crate::extract::html::article::Article;
use crate::extract::html::lines::render;
use crate::extract::html::outline::Outline;
use crate::extract::html::reader::{read, read_shown};
use crate::extract::html::sources::without_frame;
use crate::extract::html::tags::{is_hidden, is_unseen};
use crate::extract::html::tokens::{Tag, tokens};

/// Returns the text of the article of a page, with as many lines as its source.
pub(crate) fn article(source: &str, syntax: Syntax) -> MarkedText {
    let source: &str = &without_frame(source);
    let mut outline = Outline::default();
    let page = read(source, syntax, Some(&mut outline));
    let article = Article::of(&page, outline);
    render(&page, source, |piece, context| article.has(piece, context))
}

/// Returns all text of a page that a reader sees, with as many lines as its source.
pub(crate) fn all(source: &str, syntax: Syntax) -> MarkedText {
    chapter(&without_frame(source), syntax)
}

/// Returns the same of a page that is no source of a site generator.
pub(crate) fn chapter(source: &str, syntax: Syntax) -> MarkedText {
    let page = read(source, syntax, None);
    render(&page, source, |_, _| true)
}

/// Returns the text of any part of a page, with as many lines as it has. There is white space where the part begins or ends with a block.
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

/// Returns whether a text has a word of lower-case ASCII, in any case.
pub(crate) fn has_any_case(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let mut places = memchr2_iter(word[0], word[0].to_ascii_uppercase(), text);
    places.any(|at| {
        let found = text.get(at..at + word.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(word))
    })
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
