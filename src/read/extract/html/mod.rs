//! Web pages: the text that counts, every word on the line where it stands in the source.
//!
//! A tokenizer of the standard takes a page apart, so that any page has a text, however broken it is. Inline
//! elements do not split words, blocks separate them. Scripts, styles and what is hidden are no text, and neither is
//! front matter or a shortcode of a site generator.

#[cfg(feature = "html")]
mod article;
mod blocks;
mod elements;
mod endings;
mod lines;
#[cfg_attr(
    not(feature = "html"),
    expect(dead_code, reason = "only articles use it")
)]
mod outline;
mod page;
mod sources;
mod tokens;
mod wish;

pub(crate) use blocks::is_block;
pub(crate) use elements::is_void;
pub(crate) use tokens::Syntax;
pub(crate) use wish::wish;

#[cfg(feature = "html")]
use crate::read::extract::html::article::Article;
use crate::read::extract::html::elements::is_unseen;
use crate::read::extract::html::lines::render;
#[cfg(feature = "html")]
use crate::read::extract::html::outline::Outline;
use crate::read::extract::html::page::Page;
use crate::read::extract::html::sources::without_frame;
use crate::read::extract::html::tokens::{Sink, Tag, Text, tokens};

/// Takes the source of a page and how it is written; returns the text of its article, with as many lines as the
/// source.
#[cfg(feature = "html")]
pub(crate) fn article(source: &str, syntax: Syntax) -> String {
    let source: &str = &without_frame(source);
    let mut outline = Outline::default();
    let page = Page::read(source, syntax, Some(&mut outline));
    let article = Article::of(&page, outline);
    render(&page, source, |piece, is| article.has(piece, is))
}

/// A build without the feature `html` does not find the article of a page.
#[cfg(not(feature = "html"))]
pub(crate) use self::all as article;

/// Takes the source of a page and how it is written; returns all of its text that a reader sees, with as many
/// lines as the source.
pub(crate) fn all(source: &str, syntax: Syntax) -> String {
    chapter(&without_frame(source), syntax)
}

/// The same of a page that no site generator is still to make.
pub(crate) fn chapter(source: &str, syntax: Syntax) -> String {
    let page = Page::read(source, syntax, None);
    render(&page, source, |_, _| true)
}

/// Takes HTML, of which it may be any part, and whether what is preformatted is left out, as code is; returns its
/// text with as many lines as it has. Where it begins or ends with a block, there is white space.
pub(crate) fn fragment(html: &str, skips_code: bool) -> String {
    let page = Page::read(html, Syntax::Html, None);
    render(&page, html, |_, is| !(skips_code && is.preformatted))
}

/// Takes a start tag, as it is written, and says whether no reader sees what is in its element.
pub(crate) fn hides(tag: &str) -> bool {
    let mut first = First { is_unseen: None };
    tokens(tag, Syntax::Html, &mut first);
    first.is_unseen == Some(true)
}

/// What becomes of the first tag.
struct First {
    is_unseen: Option<bool>,
}

impl Sink for First {
    fn start(&mut self, tag: &Tag, _end: usize) {
        self.is_unseen.get_or_insert_with(|| is_unseen(tag));
    }

    fn end(&mut self, _name: &[u8]) {}

    fn text(&mut self, _text: &Text<'_>) {}

    fn is_foreign(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
