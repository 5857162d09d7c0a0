//! The markers of quotes and lists at the beginning of a line of Markdown, and the columns of its content.

/// The markers of quotes and lists at the beginning of a line, with the white space around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Prefix {
    /// Their length in bytes.
    pub(super) len: usize,
    /// The column in which the content begins.
    pub(super) column: usize,
}

impl Prefix {
    /// Reads the markers of a line.
    pub(super) fn of(line: &str) -> Self {
        let bytes = line.as_bytes();
        let mut prefix = Self::default();
        loop {
            while let Some(&byte @ (b' ' | b'\t')) = bytes.get(prefix.len) {
                prefix.column = next_column(prefix.column, byte);
                prefix.len += 1;
            }
            let rest = &bytes[prefix.len..];
            let digits = rest.iter().take(9).take_while(|byte| byte.is_ascii_digit());
            let digits = digits.count();
            let length = match (digits, &rest[digits..]) {
                (0, [b'>', ..]) => 1,
                (0, [b'-' | b'*' | b'+', rest @ ..]) if begins_blank(rest) => 1,
                (1.., [b'.' | b')', rest @ ..]) if begins_blank(rest) => digits + 1,
                _ => return prefix,
            };
            prefix.len += length;
            prefix.column += length;
        }
    }
}

fn begins_blank(rest: &[u8]) -> bool {
    rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\t'))
}

/// Returns the column behind a byte of white space.
fn next_column(column: usize, byte: u8) -> usize {
    match byte {
        b'\t' => column / 4 * 4 + 4,
        _ => column + 1,
    }
}

/// Returns the column of the first character of a line that is not white space.
pub(super) fn column_of(line: &str) -> usize {
    let blank = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blank.fold(0, next_column)
}

/// Returns a line without white space of so many columns, or as much as there is.
pub(super) fn without_indent(line: &str, columns: usize) -> &str {
    let mut column = 0;
    let removed = line.bytes().take_while(|&byte| {
        let is_indent = matches!(byte, b' ' | b'\t') && column < columns;
        column = next_column(column, byte);
        is_indent
    });
    let removed = removed.count();
    &line[removed..]
}

/// Returns how many times a text begins with a byte.
pub(super) fn run_of(byte: u8, text: &str) -> usize {
    text.bytes().take_while(|&b| b == byte).count()
}

/// Returns whether a line without its indent begins or ends code.
pub(super) fn is_fence(line: &str) -> bool {
    let is_info = |rest: &str| !rest.trim_start_matches('`').contains('`');
    line.starts_with("~~~") || line.strip_prefix("```").is_some_and(is_info)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_distinguished_from_content() {
        for (line, content, column) in [
            ("text", "text", 0),
            ("  - 列表", "列表", 4),
            ("12. text", "text", 4),
            ("> > 1) *text*", "*text*", 7),
            ("\t- text", "text", 6),
            ("**text**", "**text**", 0),
            ("-", "", 1),
            ("1.5 text", "1.5 text", 0),
            ("1234567890. text", "1234567890. text", 0),
        ] {
            let prefix = Prefix::of(line);
            let found = (&line[prefix.len..], prefix.column);
            assert_eq!(found, (content, column), "{line}");
        }
        assert_eq!(column_of(" \t x"), 5);
        assert_eq!(without_indent("\t  x", 4), "  x");
        assert_eq!(without_indent("  x", 4), "x");
    }
}
