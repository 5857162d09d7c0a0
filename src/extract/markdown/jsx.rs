//! Tags and expressions of JSX, which may hold anything in quotes and braces.

/// The longest tag or expression, in bytes. What goes on longer is text.
const MOST: usize = 8 << 10;

/// Takes a text and where a `<` stands in it. Returns the end of the tag that begins there, or how far it was
/// read in vain, in which no other one can be either.
pub(super) fn tag(text: &str, at: usize) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let mut name = at + 1;
    if bytes.get(name) == Some(&b'/') {
        name += 1;
    }
    let length = bytes[name..]
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    let end = name + length.count();
    let begins_name = bytes.get(name).is_some_and(u8::is_ascii_alphabetic);
    match bytes.get(end) {
        // `<>` and `</>` are tags as well.
        Some(b'>') if begins_name || end == name => Ok(end + 1),
        Some(b' ' | b'\t' | b'\n' | b'\r' | b'/') if begins_name => close(bytes, end, b'>'),
        _ => Err(at),
    }
}

/// Whether the name of a tag is one that only a component has.
pub(super) fn is_component(tag: &str) -> bool {
    let name = tag.trim_start_matches(['<', '/']);
    let name = name
        .split([' ', '\t', '\n', '\r', '/', '>'])
        .next()
        .unwrap_or("");
    name.is_empty() || name.contains('.') || name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Takes a text and where a `{` stands in it. Returns the end of the expression, or how far it was read in vain.
pub(super) fn expression(text: &str, at: usize) -> Result<usize, usize> {
    close(text.as_bytes(), at + 1, b'}')
}

/// The text of an expression that is nothing but a text in quotes.
pub(super) fn literal(expression: &str) -> Option<&str> {
    let inner = expression.strip_prefix('{')?.strip_suffix('}')?.trim();
    let quote = inner
        .chars()
        .next()
        .filter(|c| ['"', '\'', '`'].contains(c))?;
    let inner = inner[1..].strip_suffix(quote)?;
    (!inner.contains([quote, '\n'])).then_some(inner)
}

/// Reads from a place to behind a closing character that is not in quotes or braces.
fn close(bytes: &[u8], at: usize, closing: u8) -> Result<usize, usize> {
    let limit = bytes.len().min(at + MOST);
    let (mut depth, mut quote, mut line_is_blank) = (0_usize, None, false);
    let mut at = at;
    while at < limit {
        let byte = bytes[at];
        // A blank line ends a paragraph, and only braces may go on behind it.
        match byte {
            b'\n' if line_is_blank && depth == 0 && closing == b'>' => return Err(at),
            b'\n' => line_is_blank = true,
            b' ' | b'\t' | b'\r' => {}
            _ => line_is_blank = false,
        }
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            // An apostrophe in a comment, or anything else that is no quotation.
            (Some(b'"' | b'\''), b'\n') if depth > 0 || closing == b'}' => quote = None,
            (Some(_), b'\\') if depth > 0 || closing == b'}' => at += 1,
            (Some(_), _) => {}
            (None, b'/') if bytes.get(at + 1) == Some(&b'*') && (depth > 0 || closing == b'}') => {
                let rest = &bytes[at + 2..limit.max(at + 2).min(bytes.len())];
                match rest.windows(2).position(|pair| pair == b"*/") {
                    Some(found) => at += found + 3,
                    None => return Err(limit),
                }
            }
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'`') if depth > 0 || closing == b'}' => quote = Some(byte),
            (None, _) if byte == closing && depth == 0 => return Ok(at + 1),
            (None, b'{') => depth += 1,
            (None, b'}') if depth > 0 => depth -= 1,
            (None, b'}' | b'<') if depth == 0 && closing == b'>' => return Err(at),
            _ => {}
        }
        at += 1;
    }
    Err(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_end_behind_quotes_and_braces() {
        for (text, tag_of) in [
            ("<Tabs>text", Some("<Tabs>")),
            ("</Tabs.Item>text", Some("</Tabs.Item>")),
            ("<>text", Some("<>")),
            ("</>text", Some("</>")),
            (
                "<A b=\">\" c={{d: '>', e: \">\"}} f={x => `}`}/>text",
                Some("<A b=\">\" c={{d: '>', e: \">\"}} f={x => `}`}/>"),
            ),
            ("<A\n  b={[\n\n  ]}\n>text", Some("<A\n  b={[\n\n  ]}\n>")),
            ("<A b\n\n>", None),
            ("<A <B>", None),
            ("<A b={", None),
            ("< A>", None),
            ("<https://x>", None),
            ("<1>", None),
            ("<", None),
        ] {
            assert_eq!(tag(text, 0).ok().map(|end| &text[..end]), tag_of, "{text}");
        }
        assert!(is_component("<Tabs a>") && is_component("</>") && is_component("<motion.div>"));
        assert!(!is_component("<div>") && !is_component("</p>"));
    }

    #[test]
    fn expressions_end_with_their_brace() {
        for (text, end) in [
            ("{a}b", Some(3)),
            ("{f({x: '}'})} b", Some(13)),
            ("{/* it's } */} b", Some(14)),
            ("{/* it's }", None),
            ("{", None),
        ] {
            assert_eq!(expression(text, 0).ok(), end, "{text}");
        }
        assert_eq!(literal("{' 文 '}"), Some(" 文 "));
        assert_eq!(literal("{a}"), None);
        assert_eq!(literal("{'a' + 'b'}"), None);
    }
}
