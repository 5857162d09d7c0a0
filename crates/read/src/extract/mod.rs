//! Decoded file to the text that is compared.
//!
//! The remaining text keeps the lines that it has in the file: reports name lines, and a reader looks for
//! a passage where it is.
//!
//! CONTRIBUTING.md has the recipe of a new format. Its text has as many lines as the content: `lined` helps
//! with that. It notes where blocks begin as well.
//!
//! A format that is a zip archive gets its file in [`archive`], and its line in the match of `archive/mod.rs`.

use std::borrow::Cow;

use crate::extract::front_matter::FrontMatter;
use crate::extract::html::Syntax;
use crate::extract::off::Mark;
use crate::format::Format;
use dupfind_engine::text::blocks::{Layout, Marks};

pub mod archive;
mod asciidoc;
#[cfg(test)]
mod block_tests;
#[cfg(test)]
mod cases;
pub mod front_matter;
pub(crate) mod html;
#[cfg(test)]
mod laws;
mod lined;
mod markdown;
mod notebook;
pub(crate) mod off;
pub mod pages;
mod rst;
mod shortcodes;
mod sniff;
mod terminal;
pub(crate) mod title;
mod xml;

pub use html::{HeadMark, head_marks};
pub use markdown::fenced;
pub(crate) use sniff::is_generated;
pub use sniff::sniff;

/// Which part of a web page counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WebPart {
    /// The article, without the frame of the site.
    #[default]
    Main,
    /// All text that a reader sees.
    All,
    /// The source as it is.
    Raw,
}

impl WebPart {
    /// Returns its name in options and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::All => "all",
            Self::Raw => "raw",
        }
    }
}

/// The text of a document, and how it is cut into blocks.
#[derive(Debug)]
pub struct Extracted<'t> {
    /// The text that counts.
    pub text: Cow<'t, str>,
    /// Where its blocks are.
    pub layout: Layout,
    /// The title that its markup marks, if the format has such a mark.
    pub title: Option<String>,
}

/// A text that was written, and the places where its blocks begin.
#[derive(Debug, Default)]
pub(crate) struct MarkedText {
    pub(crate) text: String,
    pub(crate) marks: Marks,
    /// The title of a page.
    pub(crate) title: Option<String>,
}

impl From<MarkedText> for Extracted<'_> {
    fn from(marked: MarkedText) -> Self {
        Self {
            text: marked.text.into(),
            layout: marked.marks.into_layout(),
            title: marked.title,
        }
    }
}

/// Returns the text to compare of a file or record, by its decoded content, its format and the part of a web
/// page that counts. Every
/// line keeps its number. Blocks between marks are left out. The text is borrowed if all of the content counts.
/// Archives are read by [`archive`].
pub fn extract<'t>(content: &'t str, format: Format, part: WebPart) -> Extracted<'t> {
    extract_by_marks(content, format, part, &off::marks(content, format))
}

/// As [`extract`], by the marks of the content.
pub(crate) fn extract_by_marks<'t>(
    content: &'t str,
    format: Format,
    part: WebPart,
    marks: &[Mark<'_>],
) -> Extracted<'t> {
    match off::without_marked(content, marks) {
        Cow::Borrowed(content) => text_of(content, format, part),
        Cow::Owned(rest) => {
            let found = text_of(&rest, format, part);
            Extracted {
                text: Cow::Owned(found.text.into_owned()),
                layout: found.layout,
                title: found.title,
            }
        }
    }
}

/// Returns the text of a content in a format, with the blocks between marks.
pub(crate) fn text_of<'t>(content: &'t str, format: Format, part: WebPart) -> Extracted<'t> {
    let syntax = match format {
        Format::Xhtml => Syntax::Xml,
        _ => Syntax::Html,
    };
    let as_it_is = || Extracted {
        text: Cow::Borrowed(content),
        layout: Layout::Paragraphs,
        title: None,
    };
    // Every format is named, so that none is forgotten.
    match (format, part) {
        (Format::Html | Format::Xhtml, WebPart::Main) => html::article(content, syntax).into(),
        (Format::Html | Format::Xhtml, WebPart::All) => html::all(content, syntax).into(),
        (Format::Markdown, _) => markdown::extract(content, false).into(),
        (Format::Mdx, _) => markdown::extract(content, true).into(),
        (Format::Rst, _) => rst::extract(content).into(),
        (Format::Asciidoc, _) => asciidoc::extract(content).into(),
        (Format::Xml, _) => xml::extract(content),
        (Format::Notebook, _) => match notebook::extract(content) {
            Some(text) => text.into(),
            None => as_it_is(),
        },
        (Format::Text, _) => Extracted {
            text: terminal::shown(content).map_or(Cow::Borrowed(content), Cow::Owned),
            ..as_it_is()
        },
        // Raw pages, and files whose text was made before.
        (
            Format::Html
            | Format::Xhtml
            | Format::Foreign
            | Format::JsonLines
            | Format::Json
            | Format::Csv
            | Format::Tsv
            | Format::Parquet
            | Format::Docx
            | Format::Pptx
            | Format::Xlsx
            | Format::Odf
            | Format::Epub
            | Format::Pdf
            | Format::Pre,
            _,
        ) => as_it_is(),
    }
}

/// Returns why a document is not to be compared, if it opts out, by its front matter and its marks. The reason may be empty.
pub(crate) fn opt_out(front: &FrontMatter<'_>, marks: &[Mark<'_>]) -> Option<String> {
    front.opt_out().or_else(|| off::opt_out(marks))
}

/// Returns whether a list of words, with white space between them, has a word.
fn has_word(words: &str, word: impl AsRef<[u8]>) -> bool {
    let mut words = words.split_ascii_whitespace();
    words.any(|listed| listed.as_bytes() == word.as_ref())
}

/// Returns whether a text has a word of lower-case ASCII, in any case.
fn has_any_case(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let mut places = memchr::memchr2_iter(word[0], word[0].to_ascii_uppercase(), text);
    places.any(|at| {
        let found = text.get(at..at + word.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(word))
    })
}

/// Returns how many line ends there are in a text.
fn line_ends(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// Appends so many line ends to a text.
fn push_line_ends(count: usize, text: &mut String) {
    text.extend(std::iter::repeat_n('\n', count));
}

/// Returns the beginning of a text: so many bytes at most, without half a character.
fn head(text: &str, most: usize) -> &str {
    let ends = (0..=most.min(text.len())).rev();
    let mut ends = ends.filter(|&end| text.is_char_boundary(end));
    &text[..ends.next().unwrap_or(0)]
}
