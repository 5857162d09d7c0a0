//! Makes text from files and file names safe to show in a terminal, and fits it into a width. [`inert`] makes whole
//! lines safe for the logs of CI systems.
//!
//! A CI system reads the output of its steps. GitHub runs `##[name]` anywhere in a line and `::name::` at its beginning,
//! Azure `##vso[name]`, and TeamCity `##teamcity[name]`. Names and texts of documents may have such words in them.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use encoding_rs::GBK;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::language::{Language, current};

/// Returns a text in which nothing acts on a terminal or turns the reading direction. Control characters,
/// bidirectional controls, zero-width and other invisible characters are written as escapes.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.extend(c.escape_default()),
            _ if c.is_control() || acts_unseen(c) => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
    }
    out
}

/// Returns a [`visible`] text for a reader. Names that are no UTF-8 are shown as the GBK that archives of Windows leave.
pub(crate) fn legible(text: &str) -> String {
    let shown = visible(text);
    if !shown.contains("\\x") {
        return shown;
    }
    let names = shown.split_inclusive([' ', '/']);
    names.map(|name| decoded(name, current())).collect()
}

/// Returns a name with escaped bytes as the GBK that it is, if it is. Some of its bytes may look like UTF-8. A single byte
/// between letters is more often an accent, but for a Chinese reader.
fn decoded(name: &str, reader: Language) -> Cow<'_, str> {
    let mut parts = name.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let Some(byte) = part
            .get(..2)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok())
            .filter(|byte| !byte.is_ascii())
        else {
            return name.into();
        };
        bytes.push(byte);
        bytes.extend(&part.as_bytes()[2..]);
    }
    let is_even = || bytes.split(u8::is_ascii).all(|run| run.len() % 2 == 0);
    match bytes.len() < name.len() && (reader == Language::Chinese || is_even()) {
        true => GBK.decode_without_bom_handling_and_without_replacement(&bytes),
        false => None,
    }
    .map_or(name.into(), |text| visible(&text).into())
}

/// Whether a character is invisible and changes how others are shown: format characters (Unicode general category
/// Cf), separators of lines and paragraphs, tags.
fn acts_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Returns a path shortened to a number of columns: first without folders in the middle, then without the middle
/// of the file name.
pub(crate) fn shortened(path: &str, columns: usize) -> String {
    if path.width() <= columns {
        return path.to_owned();
    }
    let parts: Vec<&str> = path.split('/').collect();
    // As many leading folders as fit together with the last part.
    for kept in (1..parts.len() - 1).rev() {
        let short = format!("{}/…/{}", parts[..kept].join("/"), parts[parts.len() - 1]);
        if short.width() <= columns {
            return short;
        }
    }
    let last = parts[parts.len() - 1];
    let short = format!("…/{last}");
    if parts.len() > 1 && short.width() <= columns {
        return short;
    }
    cut_middle(last, columns)
}

fn cut_middle(text: &str, columns: usize) -> String {
    let width = |c: char| c.width().unwrap_or(0);
    let room = columns.saturating_sub(1);
    // The end is more telling: it has the extension, and often a number.
    let (head_room, tail_room) = (room - room * 3 / 5, room * 3 / 5);
    let fitting = |chars: &mut dyn Iterator<Item = char>, room: usize| -> Vec<char> {
        let mut used = 0;
        chars
            .take_while(|&c| {
                used += width(c);
                used <= room
            })
            .collect()
    };
    let head: String = fitting(&mut text.chars(), head_room).into_iter().collect();
    let tail = fitting(&mut text.chars().rev(), tail_room);
    let tail: String = tail.into_iter().rev().collect();
    format!("{head}…{tail}")
}

/// The characters that a URI has as they are: its unreserved ones (RFC 3986), and slashes.
const IN_URI: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Returns a path as a URI: a relative reference, or a `file` URI. Bytes are escaped one by one, so that it is right for names that
/// are not UTF-8 too.
pub fn uri_of(path: &Path) -> String {
    let mut uri = percent_encode(path.as_os_str().as_encoded_bytes(), IN_URI).to_string();
    if cfg!(windows) {
        uri = uri.replace("%5C", "/");
    }
    match (path.is_relative(), uri.starts_with('/')) {
        (true, _) => uri,
        (false, true) => format!("file://{uri}"),
        (false, false) => format!("file:///{uri}"),
    }
}

/// Returns text with spaces up to a number of columns. Characters of two columns count as two.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(text.width());
    format!("{text}{}", " ".repeat(missing))
}

/// Returns text behind spaces, so that it ends at a number of columns.
pub(crate) fn padded_left(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(text.width());
    format!("{}{text}", " ".repeat(missing))
}

/// Returns a text of one line with its commands broken up.
pub fn inert(line: &str) -> Cow<'_, str> {
    let mut line = Cow::Borrowed(line);
    let blank = line.len() - line.trim_start().len();
    let is_name = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic());
    if line[blank..].strip_prefix("::").is_some_and(is_name) {
        line.to_mut().replace_range(blank..=blank, "\\u{3a}");
    }
    // Hardly any line has a number sign, which is found faster than two.
    let mut from = line.find('#').unwrap_or(line.len());
    while let Some(at) = line[from..].find("##") {
        from += at + 1;
        let rest = line[from + 1..].trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        if rest.starts_with('[') {
            line.to_mut().replace_range(from..=from, "\\u{23}");
        }
    }
    line
}

/// Writes lines, each of them [`inert`].
pub(crate) struct Lines<'o> {
    out: &'o mut dyn Write,
    /// The line that has not ended yet.
    line: Vec<u8>,
}

impl<'o> Lines<'o> {
    pub(crate) fn new(out: &'o mut dyn Write) -> Self {
        Self {
            out,
            line: Vec::new(),
        }
    }

    /// Writes the last line, if it has no end.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.end_line()
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = String::from_utf8_lossy(&self.line);
        self.out.write_all(inert(&line).as_bytes())?;
        self.line.clear();
        Ok(())
    }
}

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.end_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_in_gbk_are_decoded() {
        for (shown, text) in [
            ("\\xb9\\xab\u{530}.md", "公园.md"),
            ("\\x81@.md", "丂.md"),
            ("构建.md", "构建.md"),
            ("a\\xb9", "a\\xb9"),
            ("公园\\x1b[31m", "公园\\x1b[31m"),
            ("\\xb9\\xab\\x1b[31m", "\\xb9\\xab\\x1b[31m"),
            ("a\\xyz", "a\\xyz"),
        ] {
            assert_eq!(decoded(shown, Language::Chinese), text);
        }
        for (shown, text) in [
            ("\\xb9\\xab\u{530}.md", "公园.md"),
            ("caf\\xe9s.md", "caf\\xe9s.md"),
        ] {
            assert_eq!(decoded(shown, Language::English), text);
        }
    }

    #[test]
    fn characters_that_act_on_a_terminal_are_escaped() {
        assert_eq!(visible("a\nb\t\u{1b}[31mc"), "a\\nb\\t\\u{1b}[31mc");
        let expected = "\\u{202e}txt.exe\\u{7f}\\u{9b}";
        assert_eq!(visible("\u{202e}txt.exe\u{7f}\u{9b}"), expected);
        assert_eq!(visible("城市 café \\n"), "城市 café \\n");
    }

    #[test]
    fn the_folders_in_the_middle_go_first() {
        let path = "docs/guide/install/linux/debian.md";
        for (columns, expected) in [
            (34, path),
            (30, "docs/guide/install/…/debian.md"),
            (22, "docs/guide/…/debian.md"),
            (16, "docs/…/debian.md"),
            (11, "…/debian.md"),
            (8, "deb…n.md"),
        ] {
            assert_eq!(shortened(path, columns), expected, "{columns}");
        }
        let expected = "城市公…与现状.md";
        assert_eq!(shortened("资料/城市公园的历史与现状.md", 16), expected);
    }

    proptest! {
        #[test]
        fn always_fits(path in "[a-z城市/]{1,40}", columns in 4_usize..50) {
            prop_assert!(shortened(&path, columns).width() <= columns);
        }

        #[test]
        fn nothing_dangerous_is_left(text in any::<String>()) {
            let shown = visible(&text);
            prop_assert!(!shown.chars().any(|c| c.is_control() || acts_unseen(c)));
        }
    }

    #[test]
    fn commands_are_broken_up() {
        for (line, expected) in [
            ("::error file=a::b", "\\u{3a}:error file=a::b"),
            (" \u{3000}::add-mask::b", " \u{3000}\\u{3a}:add-mask::b"),
            ("a ##[error]b", "a #\\u{23}[error]b"),
            ("###[group]##[group]", "##\\u{23}[group]#\\u{23}[group]"),
            ("##vso[task.x]y", "#\\u{23}vso[task.x]y"),
            ("##teamcity[x", "#\\u{23}teamcity[x"),
            ("## [Unreleased] ### a", "## [Unreleased] ### a"),
            ("std::vec::Vec", "std::vec::Vec"),
            ("::: note :: 城", "::: note :: 城"),
            ("  docs/a.md:12", "  docs/a.md:12"),
        ] {
            assert_eq!(inert(line), expected);
        }
    }

    #[test]
    fn lines_are_whole_however_they_are_written() {
        let text = "a ##[x]\n  ::error::y\n城 ::z::";
        for cut in 0..text.len() {
            let mut out = Vec::new();
            let mut lines = Lines::new(&mut out);
            lines.write_all(&text.as_bytes()[..cut]).unwrap();
            lines.write_all(&text.as_bytes()[cut..]).unwrap();
            lines.finish().unwrap();
            let expected = "a #\\u{23}[x]\n  \\u{3a}:error::y\n城 ::z::";
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
