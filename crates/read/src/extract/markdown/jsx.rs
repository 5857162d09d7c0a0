//! Tags and expressions of JSX, which may hold anything in quotes and braces.

use crate::extract::markdown::script::{MOST, closing};

/// The attributes of components that a reader sees.
const SHOWN: [&str; 7] = [
    "alt",
    "caption",
    "description",
    "heading",
    "label",
    "summary",
    "title",
];

/// Returns the end of the tag that a `<` at a place begins. If there is no tag, the error is the place before which no
/// other tag begins either.
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
        Some(b' ' | b'\t' | b'\n' | b'\r' | b'/') if begins_name => end_of_tag(bytes, end),
        _ => Err(at),
    }
}

/// Returns whether only a component can have the name of a tag.
pub(super) fn is_component(tag: &str) -> bool {
    let name = tag.trim_start_matches(['<', '/']);
    let name = name
        .split([' ', '\t', '\n', '\r', '/', '>'])
        .next()
        .unwrap_or("");
    name.is_empty() || name.contains('.') || name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Returns the end of the expression that a `{` at a place begins. If there is none, the error is the place up to
/// which the text was read.
pub(super) fn expression(text: &str, at: usize) -> Result<usize, usize> {
    closing(text.as_bytes(), at)
}

/// Returns the text of an expression that is one text in quotes, on one line.
pub(super) fn literal(expression: &str) -> Option<&str> {
    let inner = expression.strip_prefix('{')?.strip_suffix('}')?.trim();
    let quote = inner
        .chars()
        .next()
        .filter(|c| ['"', '\'', '`'].contains(c))?;
    let inner = inner[1..].strip_suffix(quote)?;
    let is_whole = !inner.contains([quote, '\n']) && (quote != '`' || !inner.contains("${"));
    is_whole.then_some(inner)
}

/// Returns the attributes of a tag that a reader sees: texts on one line each, with their places.
pub(super) fn shown(text: &str, at: usize, end: usize) -> Vec<(usize, &str)> {
    let bytes = &text.as_bytes()[..end];
    // In HTML `title` is shown only when a mouse rests on the element.
    let names: &[&str] = match is_component(&text[at..end]) {
        true => &SHOWN,
        false => &["alt"],
    };
    let is_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':' | b'.');
    let length_of = |at: usize| bytes[at..].iter().take_while(|byte| is_name(byte)).count();
    let mut pieces = Vec::new();
    let mut at = at + 1 + length_of(at + 1);
    while at < end {
        let length = length_of(at);
        let name = &bytes[at..at + length];
        at += length;
        let is_shown =
            names.iter().any(|shown| shown.as_bytes() == name) && bytes.get(at) == Some(&b'=');
        let value = at + usize::from(bytes.get(at) == Some(&b'='));
        let close = match bytes.get(value) {
            Some(&quote @ (b'"' | b'\'')) => {
                let length = bytes[value + 1..].iter().position(|&byte| byte == quote);
                length.map(|length| value + length + 2)
            }
            Some(b'{') => closing(bytes, value).ok(),
            _ => None,
        };
        match close {
            Some(close) if is_shown && bytes[value] == b'{' => {
                pieces.extend(literal(&text[value..close]).map(|shown| place(text, shown)));
            }
            Some(close) if is_shown => {
                let lines = text[value + 1..close - 1].lines().map(str::trim);
                let lines = lines.filter(|line| !line.is_empty());
                pieces.extend(lines.map(|line| place(text, line)));
            }
            _ => {}
        }
        at = close.unwrap_or(value.max(at + usize::from(length == 0)));
    }
    pieces
}

/// Returns a part of a text with its place.
fn place<'t>(text: &str, part: &'t str) -> (usize, &'t str) {
    (part.as_ptr().addr() - text.as_ptr().addr(), part)
}

/// Returns the end of a tag, from behind its name.
fn end_of_tag(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let limit = bytes.len().min(at + MOST);
    let (mut quote, mut line_is_blank) = (None, false);
    let mut at = at;
    while at < limit {
        let byte = bytes[at];
        // A blank line ends a paragraph. Only braces may go on behind it.
        match byte {
            b'\n' if line_is_blank => return Err(at),
            b'\n' => line_is_blank = true,
            b' ' | b'\t' | b'\r' => {}
            _ => line_is_blank = false,
        }
        match (quote, byte) {
            (Some(open), _) => quote = Some(open).filter(|&open| byte != open),
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Ok(at + 1),
            (None, b'{') => {
                at = closing(bytes, at)?;
                continue;
            }
            (None, b'}' | b'<') => return Err(at),
            _ => {}
        }
        at += 1;
    }
    Err(limit)
}

#[cfg(test)]
mod tests;
