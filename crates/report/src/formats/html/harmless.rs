//! JSON in which nothing acts on a page.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Writes a value as JSON in which no character means anything to HTML. `<`, `>` and `&` are escaped, and so are
/// the line separators that old scripts cannot read and the characters that turn the reading direction. The
/// value is the same.
pub(super) fn write_json<T: Serialize + ?Sized>(value: &T, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = Serializer::with_formatter(out, Harmless);
    value.serialize(&mut serializer).map_err(io::Error::from)
}

/// JSON without white space, harmless in HTML.
struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_special) {
            let (plain, special) = rest.split_at(at);
            out.write_all(plain.as_bytes())?;
            let mut chars = special.chars();
            if let Some(c) = chars.next() {
                write!(out, "\\u{:04x}", u32::from(c))?;
            }
            rest = chars.as_str();
        }
        out.write_all(rest.as_bytes())
    }
}

pub(super) fn is_special(c: char) -> bool {
    matches!(c, '<' | '>' | '&' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
