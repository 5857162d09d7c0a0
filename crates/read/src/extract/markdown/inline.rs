//! Markup of site generators between the words of a line.
//!
//! | program | not text |
//! |---|---|
//! | HTML | `<!-- comments -->` that begin a line and have a blank line in them; the parser knows the others |
//! | Hugo, Jekyll, Eleventy | see [`Ahead::shortcode`] |
//! | kramdown, MkDocs, Hugo | attributes: `{: .class }`, `{#id}`, and `{width=50%}` behind a link |
//! | Learn | `[!INCLUDE [name](file)]` |
//! | Obsidian | `%%comments%%` |
//! | wikis | the name of the page in `[[Page\|text]]`, and `![[embedded page]]` |
//! | MDX | tags of components but for their `title`, `label` and the like, `{expressions}` but for those that are a text in quotes |
//!
//! Text between backticks on one line stays as it is: pages about templates and about Markdown show their readers such
//! things there, with marks that keep generators from replacing them.

use std::collections::VecDeque;

use memchr::{memchr, memchr3_iter, memmem};

use crate::extract::markdown::block::bracketed;
use crate::extract::markdown::jsx;
use crate::extract::shortcodes::Ahead;

/// Replaces removed markup. It is no white space and no markup, so the text around it keeps its meaning: `[text]({{<
/// ref >}})` is still a link, and a line that began with a shortcode is not indented code. In the end it becomes a
/// space.
pub(super) const MARK: &str = "\u{7f}";

/// How an included file begins in pages of Learn.
const INCLUDE: &str = "[!INCLUDE";

/// The longest list of attributes and the longest name of a role, in bytes.
const MAX_ATTRIBUTES: usize = 200;

/// The longest link of a wiki, in bytes.
const MAX_LINK: usize = 4 << 10;

/// The longest code in a line, in bytes. Runs of backticks of ever other lengths are not read again to the end of a line.
const MAX_CODE: usize = 1 << 10;

/// Removes from lines the parts that are not Markdown.
#[derive(Debug)]
pub(super) struct Inline<'s> {
    source: &'s str,
    is_mdx: bool,
    pub(super) ahead: Ahead<'s>,
    /// The place of the next byte that may begin a part of a site generator, and of the next comment of Obsidian.
    next: usize,
    next_comment: usize,
    /// Before this place no component and no expression begins.
    hopeless: usize,
    /// The parts of components that a reader sees, with their places.
    shown: VecDeque<(usize, &'s str)>,
}

/// Which bytes may begin code or a part of a site generator.
const OPENS: [bool; 256] = {
    let (mut opens, bytes, mut at) = ([false; 256], b"\\`{<![%", 0);
    while at < bytes.len() {
        opens[bytes[at] as usize] = true;
        at += 1;
    }
    opens
};

impl<'s> Inline<'s> {
    pub(super) fn of(source: &'s str, is_mdx: bool) -> Self {
        Self {
            source,
            is_mdx,
            ahead: Ahead::of(source),
            next: 0,
            next_comment: 0,
            hopeless: 0,
            shown: VecDeque::new(),
        }
    }

    /// Writes the rest of a part of a line. Returns the place where the source goes on, which may be in a later
    /// line.
    pub(super) fn rewrite(&mut self, start: usize, end: usize, out: &mut String) -> usize {
        let source = self.source;
        let line = &source[start..end];
        if !self.has_any(start, end) {
            out.push_str(line);
            return end;
        }
        let bytes = source.as_bytes();
        let first = end - line.trim_start().len();
        let (mut at, mut copied) = (start, start);
        while at < end {
            let opens = |byte: &u8| OPENS[usize::from(*byte)];
            let Some(plain) = bytes[at..end].iter().position(opens) else {
                break;
            };
            at += plain;
            let opens = match bytes[at] {
                b'\\' => {
                    at += 2;
                    continue;
                }
                b'`' => {
                    at += end_of_code(&bytes[at..end.min(at + MAX_CODE)]);
                    continue;
                }
                b'{' => self.brace(at, start, end),
                b'<' => self.angle(at, at <= first),
                b'%' if source[at..end].starts_with("%%") => self.comment(at, end, at <= first),
                b'!' if source[at..end].starts_with("![[") => {
                    // Before a target it is an image with brackets in its text.
                    let is_page =
                        |close: &usize| *close <= end && !source[*close..].starts_with('(');
                    let close = self.ahead.behind("]]", at).filter(is_page);
                    close.map(|close| (close, ""))
                }
                b'[' if source[at..end].starts_with(INCLUDE) => {
                    bracketed(&source[at..end]).map(|size| (at + size, ""))
                }
                b'[' if source[at..end].starts_with("[[") => self.wiki_link(at, end),
                _ => None,
            };
            match opens {
                Some((close, instead)) => {
                    out.push_str(&source[copied..at]);
                    // Without a mark, the text behind it would begin the line.
                    out.push_str(if at <= first && instead.is_empty() {
                        MARK
                    } else {
                        instead
                    });
                    self.write_shown(close.min(end), out);
                    (at, copied) = (close, close);
                }
                None => at += 1,
            }
        }
        out.push_str(&source[copied.min(end)..end]);
        copied.max(end)
    }

    /// Writes the shown parts of the text that was removed before a place. Returns whether there are any.
    pub(super) fn write_shown(&mut self, until: usize, out: &mut String) -> bool {
        let mut is_any = false;
        while let Some(&(_, piece)) = self.shown.front().filter(|(at, _)| *at < until) {
            self.shown.pop_front();
            if !out.ends_with(MARK) {
                out.push_str(MARK);
            }
            out.push_str(piece);
            out.push_str(MARK);
            is_any = true;
        }
        is_any
    }

    /// Returns whether there may be anything of a site generator in a part of a line. Parts come in their order.
    fn has_any(&mut self, start: usize, end: usize) -> bool {
        if self.next < start {
            let rest = &self.source.as_bytes()[start..];
            let begins = |&at: &usize| {
                rest[at] != b'['
                    || rest[at + 1..].starts_with(b"[")
                    || rest[at..].starts_with(INCLUDE.as_bytes())
            };
            let next = memchr3_iter(b'{', b'<', b'[', rest).find(begins);
            self.next = next.map_or(self.source.len(), |at| start + at);
        }
        if self.next_comment < start {
            let comment = memmem::find(&self.source.as_bytes()[start..], b"%%");
            self.next_comment = comment.map_or(self.source.len(), |at| start + at);
        }
        self.next.min(self.next_comment) < end
    }

    /// Returns the end of the construct that a `{` at a place begins, and the text in its place.
    fn brace(&mut self, at: usize, start: usize, end: usize) -> Option<(usize, &'s str)> {
        let source = self.source;
        // In MDX two braces are an expression: an object.
        if let Some((close, shown)) = self.ahead.shortcode(at, end, !self.is_mdx) {
            return Some((close, shown.unwrap_or(MARK)));
        }
        if let Some(close) = attributes(source, at, start, end) {
            return Some((close, ""));
        }
        if let Some(role) = role(&source[at..end]).filter(|_| !self.is_mdx) {
            return Some((at + role.0, role.1));
        }
        if !self.is_mdx || at < self.hopeless {
            return None;
        }
        let source = match source[at..].starts_with("{/*") {
            true => source,
            false => self.up_to_fence(at),
        };
        match jsx::expression(source, at) {
            Ok(close) => Some((close, jsx::literal(&source[at..close]).unwrap_or(MARK))),
            Err(until) => {
                self.hopeless = until;
                None
            }
        }
    }

    /// Returns the same of a `<`, which may be the first character on its line.
    fn angle(&mut self, at: usize, is_first: bool) -> Option<(usize, &'s str)> {
        let source = self.source;
        // The parser knows comments, but a blank line ends the block of HTML around one.
        if source[at..].starts_with("<!--") {
            let close = self.ahead.behind("-->", at + 2)?;
            let has_blank = self.ahead.blank(at)? < close;
            let ends = is_first && has_blank && close <= self.up_to_fence(at).len();
            return ends.then_some((close, ""));
        }
        if at < self.hopeless {
            return None;
        }
        match jsx::tag(self.up_to_fence(at), at) {
            // In MDX the values of attributes are expressions, which HTML does not know.
            Ok(tag) if tag.is_component || (self.is_mdx && source[at..tag.end].contains('{')) => {
                self.shown.extend(tag.shown);
                Some((tag.end, MARK))
            }
            // Everything up to there is a part of it, and is not read again.
            Ok(jsx::JsxTag { end: until, .. }) | Err(until) => {
                self.hopeless = self.hopeless.max(until);
                None
            }
        }
    }

    /// Returns the source up to the next fence: no construct goes on behind the end of code.
    fn up_to_fence(&mut self, at: usize) -> &'s str {
        let fence = self.ahead.behind("```", at);
        &self.source[..fence.map_or(self.source.len(), |end| end - 3)]
    }

    /// Returns the same of a `%%`. A comment of several lines ends with a line that has nothing else. In other languages `%%`
    /// begins a comment that ends with its line: then the next `%%` begins another one.
    fn comment(&mut self, at: usize, end: usize, is_first: bool) -> Option<(usize, &'s str)> {
        let close = self.ahead.behind("%%", at + 2)?;
        let source = self.source;
        let is_in_line = close <= end && !source[..at].ends_with(char::is_alphanumeric);
        let has_line = || {
            let behind = source[close..].lines().next().unwrap_or_default();
            source[..close - 2].ends_with('\n') && behind.trim().is_empty()
        };
        (is_in_line || is_first && close > end && has_line()).then_some((close, ""))
    }

    /// Returns the same of a `[[`.
    fn wiki_link(&mut self, at: usize, end: usize) -> Option<(usize, &'s str)> {
        let close = self
            .ahead
            .behind("]]", at)
            .filter(|&close| close <= end && close - at <= MAX_LINK)?;
        let inner = &self.source[at + 2..close - 2];
        // A link begins at the last bracket before its end. If each bracket were read up to one end, the time would
        // grow with the square of their number.
        if inner.contains('[') || self.source[close..].starts_with('(') {
            return None;
        }
        let (page, text) = inner.rsplit_once('|')?;
        (!page.contains(']')).then_some((close, text))
    }
}

/// Returns the length of a role of MyST, and its text: `` {ref}`text <target>` ``.
fn role(line: &str) -> Option<(usize, &str)> {
    let mut head = line.bytes().take(MAX_ATTRIBUTES);
    let close = head.position(|byte| byte == b'}')?;
    let (name, code) = (&line[1..close], &line[close + 1..]);
    let is_name = !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b":-".contains(&b));
    let text = code.strip_prefix('`').filter(|_| is_name)?;
    let text = &text[..text.find('`').filter(|end| (1..MAX_CODE).contains(end))?];
    let shown = text
        .strip_suffix('>')
        .and_then(|text| text.rsplit_once(" <"));
    Some((
        name.len() + text.len() + 4,
        shown.map_or(text, |(shown, _)| shown),
    ))
}

/// Returns the end of the list of attributes that a `{` in a line begins.
fn attributes(source: &str, at: usize, start: usize, end: usize) -> Option<usize> {
    let rest = &source.as_bytes()[at + 1..end];
    let mut rest = rest.iter().take(MAX_ATTRIBUTES);
    let length = rest.position(|byte| matches!(byte, b'{' | b'}' | b'<' | b'`'))?;
    if source.as_bytes()[at + 1 + length] != b'}' {
        return None;
    }
    let inner = source[at + 1..at + 1 + length].trim();
    let close = at + length + 2;
    let before = source[start..at].chars().next_back();
    let is_behind = before.is_some_and(|c| [')', ']', '`', '*', '_', '"'].contains(&c));
    let is_last = source[close..end].trim_start().is_empty();
    let is_list = match inner.chars().next()? {
        ':' | '#' | '.' => is_behind || is_last,
        '!' => inner.ends_with('!') && is_last,
        _ => inner.contains('=') && before.is_some_and(|c| [')', ']'].contains(&c)),
    };
    is_list.then_some(close)
}

/// Returns the end of the code in a line that a run of backticks begins: behind the next run of the same length. Without
/// one it is the end of the run.
fn end_of_code(line: &[u8]) -> usize {
    let run = |at: usize| line[at..].iter().take_while(|&&byte| byte == b'`').count();
    let first = run(0);
    let mut at = first;
    while let Some(found) = memchr(b'`', &line[at..]) {
        let length = run(at + found);
        at += found + length;
        if length == first {
            return at;
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_role_is_not_looked_for_in_all_of_a_line() {
        let of_name = |size| role(&format!("{{{}}}`a`", "b".repeat(size))).is_some();
        assert!(of_name(MAX_ATTRIBUTES - 2) && !of_name(MAX_ATTRIBUTES));
    }
}
