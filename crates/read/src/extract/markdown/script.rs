//! The pairs of JavaScript: brackets, texts in quotes, templates, comments.

/// The longest tag, expression or declaration, in bytes. Longer ones are text.
pub(super) const MOST: usize = 64 << 10;

/// Returns the end of the declaration that begins at a place. It ends before the first blank line outside of brackets
/// and templates. If there is no end, the error is the place up to which the text was read.
pub(super) fn declaration(text: &str, at: usize) -> Result<usize, usize> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(at + MOST);
    let mut nesting = Nesting {
        brackets: b"([{",
        open: Vec::new(),
    };
    let mut at = at;
    while at < limit {
        let is_end = bytes[at] == b'\n' && nesting.open.is_empty();
        if is_end && is_blank(&bytes[at + 1..]) {
            return Ok(at + 1);
        }
        at = nesting.step(&bytes[..limit], at).ok_or(limit)?;
    }
    let is_whole = nesting.open.is_empty() && limit == bytes.len();
    is_whole.then_some(limit).ok_or(limit)
}

/// Returns whether a blank line begins here. The end of a text is no line.
fn is_blank(bytes: &[u8]) -> bool {
    let mut bytes = bytes.iter();
    bytes.find(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) == Some(&b'\n')
}

/// Returns the end of the brace or template that begins at a place. If there is none, the error is the place up to
/// which the text was read.
pub(super) fn closing(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let limit = bytes.len().min(at + MOST);
    let mut nesting = Nesting {
        brackets: b"{",
        open: Vec::new(),
    };
    let mut at = at;
    while at < limit {
        at = nesting.step(&bytes[..limit], at).ok_or(limit)?;
        if nesting.open.is_empty() {
            return Ok(at);
        }
    }
    Err(limit)
}

/// What is open at a place of JavaScript.
struct Nesting {
    /// The brackets that count. Others may be a part of the text between two tags of an expression.
    brackets: &'static [u8],
    open: Vec<Open>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Bracket,
    Template,
}

impl Nesting {
    /// Returns the place behind the token at a place, or nothing in a comment that does not end.
    fn step(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let (byte, next) = (bytes[at], bytes.get(at + 1));
        let last = self.open.last();
        match (last, byte) {
            (_, b'\\') => return Some(at + 2),
            (Some(Open::Template), b'`') => {
                self.open.pop();
            }
            (Some(Open::Template), b'$') if next == Some(&b'{') => {
                self.open.push(Open::Bracket);
                return Some(at + 2);
            }
            (Some(Open::Template), _) => {}
            (_, b'`') => self.open.push(Open::Template),
            (_, b'"' | b'\'') => return Some(end_of_string(bytes, at).unwrap_or(at + 1)),
            (_, b'/') if next == Some(&b'*') => {
                let found = bytes[at + 2..].windows(2).position(|pair| pair == b"*/")?;
                return Some(at + found + 4);
            }
            (_, b'(' | b'[' | b'{') if self.brackets.contains(&byte) => {
                self.open.push(Open::Bracket);
            }
            (Some(Open::Bracket), b'}') => {
                self.open.pop();
            }
            (Some(Open::Bracket), b')' | b']') if self.brackets.len() > 1 => {
                self.open.pop();
            }
            _ => {}
        }
        Some(at + 1)
    }
}

/// Returns the end of the text in quotes that begins at a place. Without an end on its line the quote is an
/// apostrophe.
pub(super) fn end_of_string(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes[at];
    let mut at = at + 1;
    loop {
        match *bytes.get(at)? {
            b'\n' => return None,
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_end_with_a_blank_line_outside_of_brackets() {
        for (text, rest) in [
            ("export const a = `\n\n{(\n`;\n\nb", Some("\nb")),
            ("export const a = '(';\n \nb", Some(" \nb")),
            ("export const a = {\n\n}", Some("")),
            (
                "export const A = () => (\n\n<p>don't</p>)\n\nb",
                Some("\nb"),
            ),
            ("export const a = `\n\nb", None),
            ("export const a = {\n\nb", None),
        ] {
            let end = declaration(text, 0);
            assert_eq!(end.ok().map(|end| &text[end..]), rest, "{text}");
        }
    }
}
