//! Reasons in the language of the reader.

use crate::language::{filled, phrase};
use dupfind_engine::verdict::reason::Reason;

/// Returns the sentence of a reason.
pub(crate) fn sentence(reason: &Reason) -> String {
    let mut sentence = String::new();
    let written = reason.write(|text, values| {
        sentence.push_str(&filled(phrase(text), values));
        Ok(())
    });
    written.expect("strings can always be written");
    sentence
}
