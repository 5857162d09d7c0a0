//! Decoded file to the text that is compared.
//!
//! Every format has a file of its own here and a place in [`extract`]. So far all files are taken as
//! they are: markup counts as text.

use std::borrow::Cow;

pub mod front_matter;

/// Takes the decoded content of a file and returns the text to compare.
#[must_use]
pub fn extract(content: &str) -> Cow<'_, str> {
    Cow::Borrowed(content)
}
