//! Writes data into a page so that a browser never runs it.

use std::io::{self, Write};
use std::ops::Range;

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

fn is_special(c: char) -> bool {
    matches!(c, '<' | '>' | '&' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns text for HTML, between tags or in a quoted attribute.
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// Returns a text for HTML in which some parts are marked. `marks` are these parts, in order, in bytes, each with its
/// opening tag; a part that overlaps the one before it is not marked. `shown` makes HTML of a piece of the text.
pub(crate) fn marked(
    text: &str,
    marks: impl Iterator<Item = (Range<usize>, &'static str)>,
    shown: impl Fn(&str) -> String,
) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for (place, tag) in marks.filter(|(place, _)| !place.is_empty()) {
        if place.start < at {
            continue;
        }
        out.push_str(&shown(&text[at..place.start]));
        out.push_str(tag);
        out.push_str(&shown(&text[place.clone()]));
        out.push_str("</mark>");
        at = place.end;
    }
    out.push_str(&shown(&text[at..]));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn json(text: &str) -> String {
        let mut out = Vec::new();
        write_json(text, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn nothing_ends_the_element() {
        assert_eq!(
            json("</script><!--&\u{2028}\u{202e}\"\\\n"),
            r#""\u003c/script\u003e\u003c!--\u0026\u2028\u202e\"\\\n""#
        );
        assert_eq!(
            html("<b title='\"'>&</b>"),
            "&lt;b title=&#39;&quot;&#39;&gt;&amp;&lt;/b&gt;"
        );
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in "[<>&\"'\\\\!/a\u{2028}\u{2029}\u{0}\r\n]{0,20}|\\PC*") {
            let json = json(&text);
            prop_assert!(!json.contains(is_special), "{json}");
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
