//! Marks in a page, of what is not compared: a block between two of them, or the page.
//!
//! ```text
//! <!-- dupfind: off - legal text -->
//! The same text for every country.
//! <!-- dupfind: on -->
//! ```
//!
//! A mark may have a reason. It is a comment of its format: one that a page shows as code is none. Without a mark that
//! ends it, the block goes to the end of the page. `<!-- dupfind: ignore -->`, wherever it is, is about the whole page.

use std::borrow::Cow;

use memchr::{memchr2, memmem};

use crate::extract::front_matter::{self, KEY};
use crate::extract::{Format, markdown};

/// How comments of AsciiDoc and reStructuredText begin. They have no end: each is a line.
const ASCIIDOC: (&str, &str) = ("//", "");
const RST: (&str, &str) = ("..", "");

/// The longest reason in bytes, with what is around it. So a page of comments without an end takes no longer to read.
const LONGEST: usize = 500;

/// White space within a line.
const BLANK: [char; 2] = [' ', '\t'];

/// What a mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// A block begins that is not compared.
    Off,
    /// It ends.
    On,
    /// The page is not compared.
    Ignore,
}

const WORDS: [(&str, Word); 3] = [
    ("off", Word::Off),
    ("on", Word::On),
    ("ignore", Word::Ignore),
];

/// A mark.
pub(crate) struct Mark<'c> {
    /// Where its comment begins and ends.
    start: usize,
    end: usize,
    word: Word,
    /// What is behind the word.
    reason: &'c str,
}

/// Returns the marks of a content, in order, without those that its page shows as code.
pub(crate) fn marks(content: &str, format: Format) -> Vec<Mark<'_>> {
    let comments = match format {
        Format::Asciidoc => &[ASCIIDOC][..],
        Format::Rst => &[RST],
        _ => &[("<!--", "-->"), ("{/*", "*/}"), ASCIIDOC, RST],
    };
    let mut marks: Vec<Mark<'_>> = memmem::find_iter(content.as_bytes(), KEY)
        .filter_map(|place| mark(content, place, comments))
        .collect();
    let code = match format {
        Format::Markdown | Format::Mdx if !marks.is_empty() => {
            markdown::code(content, format == Format::Mdx)
        }
        _ => Vec::new(),
    };
    marks.retain(|mark| {
        let until = code.partition_point(|code| code.start <= mark.start);
        until == 0 || mark.start >= code[until - 1].end
    });
    marks
}

/// Returns why a page with some marks is not to be compared, by the first one that says so. The reason may be empty.
pub(super) fn opt_out(marks: &[Mark<'_>]) -> Option<String> {
    let mark = marks.iter().find(|mark| mark.word == Word::Ignore)?;
    Some(front_matter::reason(mark.reason))
}

/// Returns a content with some marks without the blocks that are marked. Every line stays on its line.
pub(super) fn without_marked<'c>(content: &'c str, marks: &[Mark<'_>]) -> Cow<'c, str> {
    let mut text = String::new();
    let mut kept = 0;
    let mut off = None;
    for mark in marks {
        match (off, mark.word) {
            (None, Word::Off) => off = Some(mark.start),
            (Some(start), Word::On) => {
                text.push_str(&content[kept..start]);
                push_line_ends_of(&content[start..mark.end], &mut text);
                (kept, off) = (mark.end, None);
            }
            _ => {}
        }
    }
    match off {
        None if kept == 0 => return content.into(),
        None => text.push_str(&content[kept..]),
        Some(start) => {
            text.push_str(&content[kept..start]);
            push_line_ends_of(&content[start..], &mut text);
        }
    }
    text.into()
}

/// Appends the line ends of a block, behind a space that parts the text around it.
fn push_line_ends_of(block: &str, text: &mut String) {
    text.push(' ');
    text.extend(block.chars().filter(|c| matches!(c, '\n' | '\r')));
}

/// Returns the mark whose key is at a place, if there is one.
fn mark<'c>(content: &'c str, place: usize, comments: &[(&str, &str)]) -> Option<Mark<'c>> {
    let before = content[..place].trim_end_matches(BLANK);
    let value = content[place + KEY.len()..].strip_prefix(':')?;
    let value = value.trim_start_matches(BLANK);
    let mut words = WORDS.into_iter();
    let (rest, word) = words.find_map(|(name, word)| Some((value.strip_prefix(name)?, word)))?;
    comments.iter().find_map(|&(open, close)| {
        let outside = before.strip_suffix(open)?;
        let line = outside.trim_end_matches(BLANK);
        let begins = line.is_empty() || line.ends_with('\n');
        if close.is_empty() && !begins {
            return None;
        }
        let reason = &rest[..reason_end(rest, close)?];
        Some(Mark {
            start: outside.len(),
            end: content.len() - rest.len() + reason.len() + close.len(),
            word,
            reason,
        })
    })
}

/// Returns where the reason of a mark ends. `rest` is what is behind its word: a reason, or only the end of the comment.
fn reason_end(rest: &str, close: &str) -> Option<usize> {
    let line = &rest.as_bytes()[..rest.len().min(LONGEST)];
    let line = &line[..memchr2(b'\n', b'\r', line).unwrap_or(line.len())];
    let end = match close {
        "" if line.len() == LONGEST => return None,
        "" => line.len(),
        close => memmem::find(line, close.as_bytes())?,
    };
    let reason = &line[..end];
    let is_one = reason.is_empty()
        || reason.starts_with(b" ")
        || reason.starts_with(b"\t")
        || reason.starts_with(b":");
    is_one.then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;
    use proptest::prelude::*;

    #[test]
    fn text_between_two_marks_is_left_out() {
        // With a reason, as in the front matter; to the end, and a second mark means nothing.
        for [content, expected] in table(
            r"a\n<!-- dupfind: off -->\nb\n<!-- dupfind: on -->\nc          | a\n \n\n\nc
              a <!--dupfind:off-->b<!-- dupfind:on -->c                     | a  c
              a\n{/* dupfind: off */}\nb\n{/* dupfind: on */}\n            | a\n \n\n\n
              a\n  // dupfind: off\nb\n// dupfind: on\r\nc                 | a\n   \n\n\r\nc
              a\n.. dupfind: off\nb\n.. dupfind: on                       | a\n \n\n
              a<!-- dupfind: off - legal text -->b<!-- dupfind: on: 中 -->c | a c
              a\n// dupfind: off -- x\nb\n.. dupfind: on - y\nc            | a\n \n\n\nc
              a<!-- dupfind: off -->\nb<!-- dupfind: off -->\n             | a \n\n",
        ) {
            let marks = marks(content, Format::Text);
            assert_eq!(without_marked(content, &marks), expected, "{content}");
        }
        let twice = "<!-- dupfind: off -->a<!-- dupfind: on -->b<!-- dupfind: off -->c";
        let found = without_marked(twice, &marks(twice, Format::Text));
        assert_eq!(found, " b ");
    }

    #[test]
    fn a_mark_leaves_the_page_out() {
        let reason = |content| opt_out(&marks(content, Format::Markdown));
        for [content, expected] in table(
            r"# A\n\n<!-- dupfind: ignore -->\n                      |
              a\n{/* dupfind: ignore - the same everywhere */}\n    | the same everywhere
              // dupfind: ignore: 中\nint a;                        | 中
              <!-- dupfind: off -->\n<!-- dupfind: ignore -->       |",
        ) {
            assert_eq!(reason(content).as_deref(), Some(expected), "{content}");
        }
        for content in [
            "```\n<!-- dupfind: ignore -->\n```\n",
            "`<!-- dupfind: ignore -->`",
            "<!-- dupfind: ignored pages -->",
            "<!-- dupfind: off -->",
        ] {
            assert_eq!(reason(content), None, "{content}");
        }
    }

    #[test]
    fn other_comments_are_no_marks() {
        for content in [
            "dupfind: off\na",
            "<!-- dupfind: on -->\na",
            "<!-- dupfind: offline -->\na",
            "<!-- dupfind: off-site -->\na",
            "<!-- dupfind: off - a reason\n-->\na",
            "// dupfind: official pages\na",
            "<!-- dupfind: off\na",
            "see // dupfind: off\na",
            "`<!-- dupfind -->` off",
            "<!-- dupfind: ignored pages -->\na",
        ] {
            let rest = without_marked(content, &marks(content, Format::Text));
            assert!(matches!(rest, Cow::Borrowed(text) if text == content));
        }
    }

    proptest! {
        #[test]
        fn lines_stay_where_they_were(
            pieces in prop::collection::vec("<!-- dupfind: (off|on) -->|// dupfind: (off|on)\n|\n|a|中|dupfind|:| |\r\n", 0..40),
        ) {
            let content = pieces.concat();
            let text = without_marked(&content, &marks(&content, Format::Markdown));
            prop_assert_eq!(text.split('\n').count(), content.split('\n').count());
            let rest = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let mut lines = content.lines();
            for line in rest.map(|line| line.split(' ').next().unwrap_or_default()) {
                prop_assert!(lines.any(|known| known.contains(line)));
            }
        }
    }
}
