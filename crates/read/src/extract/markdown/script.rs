//! The pairs of JavaScript: braces, texts in quotes, templates, comments.

/// The longest tag or expression, in bytes. Longer ones are text.
pub(super) const MOST: usize = 64 << 10;

/// Returns the end of the brace or template that begins at a place. If there is none, the error is the place up to
/// which the text was read.
pub(super) fn closing(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let limit = bytes.len().min(at + MOST);
    let mut nesting = Nesting::default();
    let mut at = at;
    while at < limit {
        at = nesting.step(&bytes[..limit], at).ok_or(limit)?;
        if nesting.open.is_empty() {
            return Ok(at);
        }
    }
    Err(limit)
}

/// The open braces and templates at a place of JavaScript. Only braces count: other brackets may be a part of the text
/// between two tags of an expression.
#[derive(Default)]
struct Nesting {
    open: Vec<Open>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Brace,
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
                self.open.push(Open::Brace);
                return Some(at + 2);
            }
            (Some(Open::Template), _) => {}
            (_, b'`') => self.open.push(Open::Template),
            (_, b'"' | b'\'') => return Some(end_of_string(bytes, at).unwrap_or(at + 1)),
            (_, b'/') if next == Some(&b'*') => {
                let found = bytes[at + 2..].windows(2).position(|pair| pair == b"*/")?;
                return Some(at + found + 4);
            }
            (_, b'{') => self.open.push(Open::Brace),
            (Some(Open::Brace), b'}') => {
                self.open.pop();
            }
            _ => {}
        }
        Some(at + 1)
    }
}

/// Returns the end of the text in quotes that begins at a place. Without an end on its line the quote is an
/// apostrophe.
fn end_of_string(bytes: &[u8], at: usize) -> Option<usize> {
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
