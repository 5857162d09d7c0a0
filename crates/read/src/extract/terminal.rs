//! Plain text that was made for a terminal: the output of programs in colours, and pages of manuals, which write a bold letter
//! twice at one place.

use memchr::memchr2;

/// What begins what a terminal acts on, and what goes back by one letter.
const ESCAPE: u8 = b'\x1b';
const BACK: u8 = b'\x08';

/// Returns the text that a reader of the terminal sees, with the same lines; `None` if all of the text is seen.
pub(super) fn shown(text: &str) -> Option<String> {
    let next = |rest: &str| memchr2(ESCAPE, BACK, rest.as_bytes());
    next(text)?;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = next(rest) {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        rest = match rest.as_bytes()[at] {
            BACK => {
                if !out.ends_with('\n') {
                    out.pop();
                }
                behind
            }
            _ => behind_sequence(behind).unwrap_or(behind),
        };
    }
    out.push_str(rest);
    Some(out)
}

/// Returns what is behind the rest of an escape sequence: `[1;32m`, or the target of a link, `]8;;target` with an end of its own.
fn behind_sequence(rest: &str) -> Option<&str> {
    if let Some(target) = rest.strip_prefix(']') {
        let end = target.find(|c: char| c.is_control())?;
        return target[end..]
            .strip_prefix(['\x07', '\x1b'])
            .map(|rest| rest.trim_start_matches('\\'));
    }
    let rest = rest
        .strip_prefix('[')?
        .trim_start_matches(|c| (' '..='?').contains(&c));
    rest.strip_prefix(|c| ('@'..='~').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_left_out() {
        for (written, seen) in [
            ("\x1b[1;32mgreen\x1b[0m\x1b[K tea", "green tea"),
            ("N\x08NA\x08AM\x08ME\x08E", "NAME"),
            ("_\x08f_\x08ile é\x08é\n\x08x", "file é\nx"),
            ("\x1b]8;;https://a.b\x1b\\text\x1b]8;;\x07 end", "text end"),
            ("\x1b[1\n\x1b]8;;a\nb \x1b7c", "[1\n]8;;a\nb 7c"),
        ] {
            assert_eq!(shown(written).as_deref(), Some(seen), "{written:?}");
        }
        assert_eq!(shown("plain text"), None);
    }
}
