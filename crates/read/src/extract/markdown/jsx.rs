//! Tags and expressions of JSX, which may hold anything in quotes and braces.

use crate::extract::markdown::prefix::is_fence;

/// The longest tag or expression, in bytes. Longer ones are text.
const MOST: usize = 64 << 10;

/// The attributes of components that a reader sees. In HTML `title` is shown only when a mouse rests on the element.
const SHOWN: [&str; 7] = [
    "alt",
    "caption",
    "description",
    "heading",
    "label",
    "summary",
    "title",
];

/// A tag.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct JsxTag<'t> {
    pub(super) end: usize,
    /// Whether only a component can have its name.
    pub(super) is_component: bool,
    /// The texts of its attributes that a reader sees, each on one line, with their places.
    pub(super) shown: Vec<(usize, &'t str)>,
}

/// Returns the tag that a `<` at a place begins. If there is no tag, the error is the place before which no other tag
/// begins either.
pub(super) fn tag(text: &str, at: usize) -> Result<JsxTag<'_>, usize> {
    let bytes = text.as_bytes();
    let start = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'/'));
    let length = bytes[start..]
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    let end = start + length.count();
    let name = &text[start..end];
    let is_component =
        name.is_empty() || name.contains('.') || name.starts_with(|c: char| c.is_ascii_uppercase());
    let begins_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let tag = |end, shown| JsxTag {
        end,
        is_component,
        shown,
    };
    match bytes.get(end) {
        // `<>` and `</>` are tags as well.
        Some(b'>') if begins_name || name.is_empty() => Ok(tag(end + 1, Vec::new())),
        Some(b' ' | b'\t' | b'\n' | b'\r' | b'/') if begins_name => {
            let names = if is_component { &SHOWN[..] } else { &["alt"] };
            attributes(text, end, names).map(|(end, shown)| tag(end, shown))
        }
        _ => Err(at),
    }
}

/// Returns the end of a tag, from behind its name, and the texts of the attributes with some names.
#[expect(clippy::type_complexity, reason = "a place, and the fields of a tag")]
fn attributes<'t>(
    text: &'t str,
    at: usize,
    names: &[&str],
) -> Result<(usize, Vec<(usize, &'t str)>), usize> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(at + MOST);
    let is_shown = |value: usize| {
        let name = text[..value].strip_suffix('=').unwrap_or_default();
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '.');
        names.contains(&&name[name.trim_end_matches(is_of_name).len()..])
    };
    let mut shown = Vec::new();
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
            (Some(open), _) if byte == bytes[open] => {
                if is_shown(open) {
                    let lines = text[open + 1..at].lines().map(str::trim);
                    shown.extend(lines.filter(|line| !line.is_empty()));
                }
                quote = None;
            }
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(at),
            (None, b'>') => {
                let place = |part: &str| part.as_ptr().addr() - text.as_ptr().addr();
                let shown = shown.into_iter().map(|part| (place(part), part));
                return Ok((at + 1, shown.collect()));
            }
            (None, b'{') => {
                let close = expression(text, at)?;
                if is_shown(at) {
                    shown.extend(literal(&text[at..close]));
                }
                at = close;
                continue;
            }
            (None, b'}' | b'<') => return Err(at),
            _ => {}
        }
        at += 1;
    }
    Err(limit)
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

/// Returns the end of the expression of JavaScript that a `{` at a place begins. If there is none, the error is the place
/// up to which the text was read. Only braces count: other brackets may be a part of the text between two tags.
pub(super) fn expression(text: &str, at: usize) -> Result<usize, usize> {
    let limit = text.len().min(at + MOST);
    let bytes = &text.as_bytes()[..limit];
    let mut open = Vec::new();
    let mut at = at;
    while at < limit {
        at += length_of_token(&bytes[at..], &mut open, b"{");
        if open.is_empty() {
            return Ok(at);
        }
    }
    Err(limit)
}

/// Returns the length of what begins a part of JavaScript. `open` are the brackets and backticks that are open, and
/// `brackets` those that count.
fn length_of_token(bytes: &[u8], open: &mut Vec<u8>, brackets: &[u8]) -> usize {
    match (open.last(), bytes[0], bytes.get(1)) {
        (_, b'\\', _) => 2,
        (Some(b'`'), b'$', Some(b'{')) => {
            open.push(b'{');
            2
        }
        (Some(b'`'), b'`', _)
        | (Some(b'{'), b'}', _)
        | (Some(b'['), b']', _)
        | (Some(b'('), b')', _) => {
            open.pop();
            1
        }
        (Some(b'`'), ..) => 1,
        (_, byte, _) if byte == b'`' || brackets.contains(&byte) => {
            open.push(byte);
            1
        }
        (_, b'"' | b'\'', _) => length_of_string(bytes).unwrap_or(1),
        (_, b'/', Some(b'*')) => {
            let end = bytes[2..].windows(2).position(|pair| pair == b"*/");
            end.map_or(bytes.len(), |end| end + 4)
        }
        _ => 1,
    }
}

/// Returns the end of the declaration that begins at a place: that of its paragraph, or of the one in which its last
/// bracket is closed. If nothing closes it, the error is the end of its paragraph.
pub(super) fn declaration(text: &str, at: usize) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let (mut end, mut paragraph) = (at, None);
    let mut open = Vec::new();
    let mut next = at;
    for line in text[at..].split_inclusive('\n') {
        let content = line.trim_start();
        let ends_code = is_fence(content);
        if ends_code || content.is_empty() {
            paragraph = paragraph.or(Some(end));
            if ends_code || open.is_empty() || end - at > MOST {
                break;
            }
        }
        end += line.len();
        while next < end {
            next += length_of_token(&bytes[next..end], &mut open, b"([{");
        }
    }
    match open.is_empty() {
        true => Ok(end),
        false => Err(paragraph.unwrap_or(end)),
    }
}

/// Returns the length of the text in quotes that begins here. Without an end on its line the quote is an apostrophe.
fn length_of_string(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match *bytes.get(at)? {
            b'\n' => return None,
            b'\\' => at += 2,
            byte if byte == bytes[0] => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests;
