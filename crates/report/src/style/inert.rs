//! Lines that no CI system takes for commands.
//!
//! A CI system reads the output of its steps. GitHub runs `##[name]` anywhere in a line and `::name::` at its beginning,
//! Azure `##vso[name]`, and TeamCity `##teamcity[name]`. Names and texts of documents may have such words in them.

use std::borrow::Cow;
use std::io::{self, Write};

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
    use super::*;

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
