//! What is written to a terminal, with everything escaped that would act on it.
//!
//! Formats for people escape what they show. Those for programs hold every name as it is, and somebody may look at them in
//! a terminal all the same. The escapes are those of JSON, which stays the same.

use std::mem;

use dupfind_report::visible;

/// Escapes a stream of bytes.
#[derive(Debug, Default)]
pub(super) struct Guard {
    /// The bytes at the end that wait for the next ones: the beginning of a character, or a carriage return.
    held: Vec<u8>,
}

impl Guard {
    /// Returns the next bytes, escaped. Colours pass if the format has them.
    pub(super) fn escaped(&mut self, bytes: &[u8], has_colours: bool) -> String {
        let mut all = mem::take(&mut self.held);
        all.extend_from_slice(bytes);
        let mut out = String::with_capacity(all.len());
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            let is_last = chunks.peek().is_none();
            let valid = chunk.valid();
            let waits = is_last && chunk.invalid().is_empty() && valid.ends_with('\r');
            let valid = if waits {
                &valid[..valid.len() - 1]
            } else {
                valid
            };
            let mut chars = valid.chars().peekable();
            while let Some(c) = chars.next() {
                let passes = match c {
                    '\n' | '\t' => true,
                    '\r' => chars.peek() == Some(&'\n'),
                    '\u{1b}' => has_colours,
                    c => c.is_ascii_graphic() || c == ' ',
                };
                match passes {
                    true => out.push(c),
                    false => escape(c, &mut out),
                }
            }
            if waits {
                self.held.push(b'\r');
            }
            match is_last && is_beginning(chunk.invalid()) {
                true => self.held.extend_from_slice(chunk.invalid()),
                false => out.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"))),
            }
        }
        out
    }

    /// Returns the bytes that waited for others, escaped.
    pub(super) fn rest(&mut self) -> String {
        let held = mem::take(&mut self.held);
        held.iter().map(|byte| format!("\\x{byte:02x}")).collect()
    }
}

/// Appends a character, escaped if it acts on a terminal.
fn escape(c: char, out: &mut String) {
    let mut bytes = [0; 4];
    if visible(c.encode_utf8(&mut bytes)).starts_with('\\') {
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    } else {
        out.push(c);
    }
}

/// Returns whether bytes may be the beginning of a character.
fn is_beginning(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_escaped_however_it_is_cut() {
        let text =
            "{\"a\":\"\u{9b}31m城\u{7f}\u{202e}\u{e0041}\\n\"}\r\nx\ry\u{1b}[1m\t\u{feff}z\n";
        let expected = "{\"a\":\"\\u009b31m城\\u007f\\u202e\\udb40\\udc41\\n\"}\r\nx\\u000dy\\u001b[1m\t\\ufeffz\n";
        for cut in 0..text.len() {
            let (before, after) = text.as_bytes().split_at(cut);
            let mut guard = Guard::default();
            let out = guard.escaped(before, false) + &guard.escaped(after, false) + &guard.rest();
            assert_eq!(out, expected, "{cut}");
        }
        let painted = Guard::default().escaped(b"\x1b[1m\xc2\x9b\xff", true);
        assert_eq!(painted, "\u{1b}[1m\\u009b\\xff");
        let mut guard = Guard::default();
        let expected = "a\\xe4\\xb8";
        assert_eq!(guard.escaped(b"a\xe4\xb8", false) + &guard.rest(), expected);
    }
}
