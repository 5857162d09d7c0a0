//! Markup that site generators replace before they make a page.
//!
//! | program | not text |
//! |---|---|
//! | Hugo | `{{< shortcode >}}`, `{{% shortcode %}}` but for their `text`, `caption`, `title` or `alt`, the text between two of
//! the name `comment` |
//! | Jekyll, Eleventy | `{% tag %}`, `{{ value }}`, `{# comment #}`, the text between `comment` and `endcomment` |

use memchr::memmem;

/// The longest shortcode, in bytes.
const MOST: usize = 4 << 10;

/// Looks ahead in a source for the ends of constructs. It reads the source once for each pattern if the places only grow.
#[derive(Debug)]
pub(super) struct Ahead<'s> {
    source: &'s str,
    /// For each pattern, from where it was last looked for, and its first place from there, if there is one. Patterns
    /// are told apart by where they are in memory. An equal one at another place would only be looked for again.
    found: Vec<(&'static str, usize, Option<usize>)>,
}

impl<'s> Ahead<'s> {
    pub(super) fn of(source: &'s str) -> Self {
        let found = Vec::new();
        Self { source, found }
    }

    /// Returns the place behind the next pattern, from a place on.
    pub(super) fn behind(&mut self, pattern: &'static str, at: usize) -> Option<usize> {
        let found = self.find(pattern, at, |_, _| true);
        found.map(|found| found + pattern.len())
    }

    /// Returns the end of the next line before a blank line. A paragraph ends there, and most constructs with it.
    pub(super) fn blank(&mut self, at: usize) -> Option<usize> {
        self.find("\n", at, |source, at| {
            let behind = source[at + 1..].trim_start_matches([' ', '\t', '\r']);
            behind.starts_with('\n')
        })
    }

    /// Returns the next place of a pattern that counts. The same places of a pattern count in all calls.
    fn find(
        &mut self,
        pattern: &'static str,
        at: usize,
        counts: impl Fn(&str, usize) -> bool,
    ) -> Option<usize> {
        let known = self
            .found
            .iter()
            .position(|known| std::ptr::eq(known.0, pattern));
        let known = known.unwrap_or_else(|| {
            self.found.push((pattern, usize::MAX, None));
            self.found.len() - 1
        });
        let (_, from, place) = &mut self.found[known];
        if *from > at || place.is_some_and(|place| place < at) {
            let places = memmem::find_iter(&self.source.as_bytes()[at..], pattern);
            let mut places = places.map(|place| at + place);
            *place = places.find(|&place| counts(self.source, place));
            *from = at;
        }
        *place
    }

    /// Returns where a shortcode ends that begins with a `{` at a place, and its visible text if that is known. The end
    /// may be in a later line. `end` is the end of its line, and `has_values` is whether two braces are a value.
    pub(super) fn shortcode(
        &mut self,
        at: usize,
        end: usize,
        has_values: bool,
    ) -> Option<(usize, Option<&'s str>)> {
        let source = self.source;
        let (close, is_on_one_line) = match &source.as_bytes()[at..] {
            [_, b'{', b'<', ..] => (">}}", false),
            [_, b'{', b'%', ..] => ("%}}", false),
            [_, b'%', ..] => ("%}", false),
            [_, b'{', ..] if has_values => ("}}", true),
            [_, b'#', b' ', ..] => ("#}", true),
            _ => return None,
        };
        let close = self.behind(close, at)?;
        let close = match is_on_one_line {
            true => Some(close).filter(|&close| close <= end)?,
            false => self.whole(at, close)?,
        };
        Some((close, shown(&source[at..close])))
    }

    /// Returns the end of a shortcode, if it has one. The end of a comment is that of the shortcode which closes it.
    fn whole(&mut self, at: usize, close: usize) -> Option<usize> {
        if close - at > MOST || self.blank(at).is_some_and(|blank| blank < close) {
            return None;
        }
        let shortcode = &self.source[at..close];
        let name = shortcode[2..].trim_start_matches(['<', '%', '-', ' ']);
        // `comments` and `comment-form` are other shortcodes: they show something and have no end.
        if !name.strip_prefix("comment").is_some_and(ends_name) {
            return Some(close);
        }
        let (word, opens) = match shortcode.starts_with("{%") {
            true => ("endcomment", &["{%"][..]),
            false => ("/comment", &["{{<", "{{%"][..]),
        };
        // The word may also be in a text or a path.
        let found = self.find(word, close, |source, at| {
            let before = source[..at].trim_end_matches([' ', '-']);
            opens.iter().any(|open| before.ends_with(open)) && end_of(source, at, word).is_some()
        });
        let end = found.and_then(|found| end_of(self.source, found, word));
        Some(end.unwrap_or(close))
    }
}

/// Returns where the shortcode ends that has this word at a place and nothing behind it.
fn end_of(source: &str, at: usize, word: &str) -> Option<usize> {
    let rest = source[at + word.len()..].trim_start_matches([' ', '-']);
    let ends = [">}}", "%}}", "%}"].into_iter();
    let mut rest = ends.filter_map(|end| rest.strip_prefix(end));
    Some(source.len() - rest.next()?.len())
}

/// Returns whether a name ends before this text.
fn ends_name(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'))
        || rest.starts_with("-%}")
}

/// Returns the text of a shortcode of Hugo, if an argument has it: `{{< glossary_tooltip text="名字空间"
/// term_id="namespace" >}}` is in the middle of a sentence. A shortcode of several lines has no text,
/// since words must stay on their lines.
fn shown(shortcode: &str) -> Option<&str> {
    let inner = shortcode
        .strip_prefix("{{<")
        .or_else(|| shortcode.strip_prefix("{{%"))?;
    if inner.contains('\n') {
        return None;
    }
    [" text=\"", " caption=\"", " title=\"", " alt=\""]
        .iter()
        .find_map(|argument| inner.split_once(argument)?.1.split('"').next())
        .filter(|shown| !shown.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_place_is_found() {
        let mut ahead = Ahead::of("%} a %} b\nc \n \t\r\nd\n");
        for (at, behind) in [
            (0, Some(2)),
            (1, Some(7)),
            (3, Some(7)),
            (6, None),
            (7, None),
            (0, Some(2)),
        ] {
            assert_eq!(ahead.behind("%}", at), behind, "{at}");
        }
        assert_eq!(ahead.blank(0), Some(12));
        assert_eq!(ahead.blank(13), None);
    }
}
