//! Decoded file to the text that is compared.
//!
//! Every format has a file or folder of its own here and a place in [`extract`]. What is left of a text stands on
//! the lines where it stood in the file: reports name lines, and a reader looks for a passage where it is.

use std::borrow::Cow;

use crate::read::extract::front_matter::Wish;
use crate::read::extract::html::Syntax;
use crate::read::format::Format;

mod ahead;
#[cfg(feature = "office")]
pub mod archive;
mod asciidoc;
#[cfg(test)]
mod cases;
pub mod front_matter;
pub(crate) mod html;
#[cfg(test)]
mod laws;
mod lined;
mod markdown;
mod rst;
mod shortcodes;
mod sniff;

pub use sniff::sniff;

/// What of a text counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExtractOptions {
    /// Which part of a web page.
    pub html: Html,
    /// Whether code blocks in Markdown and its kin are left out.
    pub skips_code: bool,
}

/// Which part of a web page counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Html {
    /// The article, without what the site puts around it.
    #[default]
    Main,
    /// All text that a reader sees.
    All,
    /// The source as it is.
    Raw,
}

impl ExtractOptions {
    /// What becomes of code blocks, as options and reports have it.
    #[must_use]
    pub fn code(self) -> &'static str {
        if self.skips_code { "skip" } else { "text" }
    }
}

impl Html {
    /// Its name, as options and reports have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::All => "all",
            Self::Raw => "raw",
        }
    }

    /// Takes a name and returns the part that has it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut parts = [Self::Main, Self::All, Self::Raw].into_iter();
        parts.find(|part| part.as_str() == name)
    }
}

/// Takes the decoded content of a file or record, its format and what counts, and returns the text to compare,
/// every line of it on the line where it stood; borrowed if all of it counts. Archives have been taken apart before.
#[must_use]
pub fn extract<'t>(content: &'t str, format: Format, settings: &ExtractOptions) -> Cow<'t, str> {
    let skips_code = settings.skips_code;
    let syntax = match format {
        Format::Xhtml => Syntax::Xml,
        _ => Syntax::Html,
    };
    match (format, settings.html) {
        (Format::Html | Format::Xhtml, Html::Main) => html::article(content, syntax).into(),
        (Format::Html | Format::Xhtml, Html::All) => html::all(content, syntax).into(),
        (Format::Markdown, _) => markdown::extract(content, false, skips_code).into(),
        (Format::Mdx, _) => markdown::extract(content, true, skips_code).into(),
        (Format::Rst, _) => rst::extract(content, skips_code).into(),
        (Format::Asciidoc, _) => asciidoc::extract(content, skips_code).into(),
        _ => Cow::Borrowed(content),
    }
}

/// Takes the decoded content of a document and its format, and returns what it says to this program, if anything.
#[must_use]
pub fn wish(content: &str, format: Format) -> Option<Wish> {
    let in_page = || match format {
        Format::Html => html::wish(content, Syntax::Html),
        Format::Xhtml => html::wish(content, Syntax::Xml),
        _ => None,
    };
    front_matter::wish(content).or_else(in_page)
}

/// How many line ends there are in a text.
fn line_ends(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

/// The beginning of a text: so many bytes at most, without half a character.
fn head(text: &str, most: usize) -> &str {
    let ends = (0..=most.min(text.len())).rev();
    let mut ends = ends.filter(|&end| text.is_char_boundary(end));
    &text[..ends.next().unwrap_or(0)]
}
