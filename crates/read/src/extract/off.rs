//! Blocks of a page that are not compared: those between two marks.
//!
//! ```text
//! <!-- dupfind: off - legal text -->
//! The same text for every country.
//! <!-- dupfind: on -->
//! ```
//!
//! A mark may have a reason. It is a comment of its format: one that a page shows as code is none. Without a mark that
//! ends it, the block goes to the end of the page.

use std::borrow::Cow;

use memchr::{memchr2, memmem};

use crate::extract::front_matter::KEY;
use crate::extract::{Format, markdown};

/// How comments of AsciiDoc and reStructuredText begin. They have no end: each is a line.
const ASCIIDOC: (&str, &str) = ("//", "");
const RST: (&str, &str) = ("..", "");

/// The longest reason in bytes, with what is around it. So a page of comments without an end takes no longer to read.
const LONGEST: usize = 500;

/// White space within a line.
const BLANK: [char; 2] = [' ', '\t'];

/// A mark.
struct Mark {
    /// Where its comment begins and ends.
    start: usize,
    end: usize,
    is_off: bool,
}

/// Returns a content without the blocks that are marked. Every line stays on its line.
pub(super) fn without_marked(content: &str, format: Format) -> Cow<'_, str> {
    let comments = match format {
        Format::Asciidoc => &[ASCIIDOC][..],
        Format::Rst => &[RST],
        _ => &[("<!--", "-->"), ("{/*", "*/}"), ASCIIDOC, RST],
    };
    let mut marks = memmem::find_iter(content.as_bytes(), KEY)
        .filter_map(|place| mark(content, place, comments))
        .peekable();
    let code = match format {
        Format::Markdown | Format::Mdx if marks.peek().is_some() => {
            markdown::code(content, format == Format::Mdx)
        }
        _ => Vec::new(),
    };
    let mut text = String::new();
    let mut kept = 0;
    let mut off = None;
    for mark in marks {
        let until = code.partition_point(|code| code.start <= mark.start);
        if until > 0 && mark.start < code[until - 1].end {
            continue;
        }
        match off {
            None if mark.is_off => off = Some(mark.start),
            Some(start) if !mark.is_off => {
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
fn mark(content: &str, place: usize, comments: &[(&str, &str)]) -> Option<Mark> {
    let before = content[..place].trim_end_matches(BLANK);
    let value = content[place + KEY.len()..].strip_prefix(':')?;
    let value = value.trim_start_matches(BLANK);
    let (is_off, rest) = match value.strip_prefix("off") {
        Some(rest) => (true, rest),
        None => (false, value.strip_prefix("on")?),
    };
    comments.iter().find_map(|&(open, close)| {
        let outside = before.strip_suffix(open)?;
        let line = outside.trim_end_matches(BLANK);
        let begins = line.is_empty() || line.ends_with('\n');
        if close.is_empty() && !begins {
            return None;
        }
        let end = end(rest, close)?;
        Some(Mark {
            start: outside.len(),
            end: content.len() - rest.len() + end,
            is_off,
        })
    })
}

/// Returns where the comment of a mark ends. `rest` is what is behind the word `off` or `on`: a reason, or only the end.
fn end(rest: &str, close: &str) -> Option<usize> {
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
    is_one.then_some(end + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_between_two_marks_is_left_out() {
        for (content, expected) in [
            (
                "a\n<!-- dupfind: off -->\nb\n<!-- dupfind: on -->\nc",
                "a\n \n\n\nc",
            ),
            ("a <!--dupfind:off-->b<!-- dupfind:on -->c", "a  c"),
            (
                "a\n{/* dupfind: off */}\nb\n{/* dupfind: on */}\n",
                "a\n \n\n\n",
            ),
            (
                "a\n  // dupfind: off\nb\n// dupfind: on\r\nc",
                "a\n   \n\n\r\nc",
            ),
            (".. dupfind: off\nb\n.. dupfind: on", " \n\n"),
            // With a reason, as in the front matter.
            (
                "a<!-- dupfind: off - legal text -->b<!-- dupfind: on: 中 -->c",
                "a c",
            ),
            (
                "a\n// dupfind: off -- x\nb\n.. dupfind: on - y\nc",
                "a\n \n\n\nc",
            ),
            // To the end, and a second mark means nothing.
            ("a<!-- dupfind: off -->\nb<!-- dupfind: off -->\n", "a \n\n"),
            (
                "<!-- dupfind: off -->a<!-- dupfind: on -->b<!-- dupfind: off -->c",
                " b ",
            ),
        ] {
            assert_eq!(without_marked(content, Format::Text), expected, "{content}");
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
        ] {
            assert!(
                matches!(without_marked(content, Format::Text), Cow::Borrowed(text) if text == content)
            );
        }
    }

    proptest! {
        #[test]
        fn lines_stay_where_they_were(
            pieces in prop::collection::vec("<!-- dupfind: (off|on) -->|// dupfind: (off|on)\n|\n|a|中|dupfind|:| |\r\n", 0..40),
        ) {
            let content = pieces.concat();
            let text = without_marked(&content, Format::Markdown);
            prop_assert_eq!(text.split('\n').count(), content.split('\n').count());
            let rest = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let mut lines = content.lines();
            for line in rest.map(|line| line.split(' ').next().unwrap_or_default()) {
                prop_assert!(lines.any(|known| known.contains(line)));
            }
        }
    }
}
