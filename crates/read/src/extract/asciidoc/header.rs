//! The lines below the title of a document, with its authors and its version.

/// How many words the name of an author has at most.
const MAX_WORDS: usize = 3;

/// Where the reader is in the header of a document. A blank line ends the header, and so does a line that is no part
/// of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Header {
    /// Nothing was read yet, and no title either.
    Ahead,
    /// The line of the authors comes next, if there is one.
    Title,
    /// The line of the version comes next, if there is one.
    Authors,
    Behind,
}

impl Header {
    pub(super) fn blank(&mut self) {
        if *self != Self::Ahead {
            *self = Self::Behind;
        }
    }

    /// Returns whether a line is about the document. Such a line is no text, as in the front matter of other formats.
    /// The line is neither blank nor about other lines.
    pub(super) fn takes(&mut self, line: &str) -> bool {
        let (next, is_taken) = match self {
            Self::Ahead if line.starts_with("= ") => (Self::Title, false),
            Self::Title if are_authors(line) => (Self::Authors, true),
            Self::Authors if is_version(line) => (Self::Behind, true),
            _ => (Self::Behind, false),
        };
        *self = next;
        is_taken
    }
}

/// `First Last <first@example.org>; Second Author`
fn are_authors(line: &str) -> bool {
    let is_author = |author: &str| {
        let (name, address) = match author.trim().strip_suffix('>') {
            Some(author) => author.split_once('<').unwrap_or_default(),
            None => (author, ""),
        };
        let is_word = |word: &str| {
            let is_mark = |c: char| matches!(c, '_' | '-' | '\'' | '’' | '.');
            word.starts_with(char::is_alphanumeric)
                && word.chars().all(|c| c.is_alphanumeric() || is_mark(c))
        };
        let words = || name.split_whitespace();
        // With an address there is no doubt about the name.
        address.contains('@')
            || (words().next().is_some() && words().count() <= MAX_WORDS && words().all(is_word))
    };
    line.split(';').all(is_author)
}

/// `v1.2, 2024-05-01: Remark`
fn is_version(line: &str) -> bool {
    let number = line.strip_prefix(['v', 'V']).unwrap_or(line);
    number.starts_with(|c: char| c.is_ascii_digit())
}
