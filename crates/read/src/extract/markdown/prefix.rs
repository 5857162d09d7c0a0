//! The markers of quotes and lists at the beginning of a line of Markdown, and the columns of its content.

/// The markers of quotes and lists at the beginning of a line, with the white space around them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Prefix {
    /// Their length in bytes.
    pub(super) len: usize,
    /// The column of the first character of the line that is not white space.
    pub(super) indent: usize,
    /// How many quotes.
    pub(super) quotes: usize,
    /// Whether an item of a list begins.
    pub(super) is_item: bool,
    /// The column of the last item's marker.
    pub(super) marker: usize,
    /// The column in which the content begins.
    pub(super) column: usize,
}

impl Prefix {
    /// Reads the markers of a line.
    pub(super) fn of(line: &str) -> Self {
        let bytes = line.as_bytes();
        let mut prefix = Self::default();
        prefix.skip_blank(bytes);
        prefix.indent = prefix.column;
        loop {
            let length = match &bytes[prefix.len..] {
                [b'>', ..] => {
                    prefix.quotes += 1;
                    prefix.len += 1;
                    prefix.column += 1;
                    prefix.skip_blank(bytes);
                    continue;
                }
                [b'-' | b'*' | b'+', rest @ ..] if begins_blank(rest) => 1,
                rest => {
                    let digits = rest
                        .iter()
                        .take(9)
                        .take_while(|byte| byte.is_ascii_digit())
                        .count();
                    match &rest[digits..] {
                        [b'.' | b')', rest @ ..] if digits > 0 && begins_blank(rest) => digits + 1,
                        _ => return prefix,
                    }
                }
            };
            prefix.is_item = true;
            prefix.marker = prefix.column;
            prefix.len += length;
            prefix.column += length;
            prefix.skip_blank(bytes);
        }
    }

    /// Goes on behind white space.
    fn skip_blank(&mut self, line: &[u8]) {
        while let Some(&byte @ (b' ' | b'\t')) = line.get(self.len) {
            self.column = next_column(self.column, byte);
            self.len += 1;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_distinguished_from_content() {
        for (line, content, quotes, marker, column) in [
            ("text", "text", 0, 0, 0),
            ("  - 列表", "列表", 0, 2, 4),
            ("12. text", "text", 0, 0, 4),
            ("> > 1) *text*", "*text*", 2, 4, 7),
            ("\t- text", "text", 0, 4, 6),
            ("**text**", "**text**", 0, 0, 0),
            ("-", "", 0, 0, 1),
            ("1.5 text", "1.5 text", 0, 0, 0),
            ("1234567890. text", "1234567890. text", 0, 0, 0),
        ] {
            let prefix = Prefix::of(line);
            let found = (
                &line[prefix.len..],
                prefix.quotes,
                prefix.marker,
                prefix.column,
            );
            assert_eq!(found, (content, quotes, marker, column), "{line}");
        }
        assert_eq!(column_of(" \t x"), 5);
        assert_eq!(without_indent("\t  x", 4), "  x");
        assert_eq!(without_indent("  x", 4), "x");
    }
}
