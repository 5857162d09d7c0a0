//! What site generators put between the words of a line.
//!
//! | who | what is no text |
//! |---|---|
//! | HTML | `<!-- comments -->`, over any number of lines |
//! | Hugo | `{{< shortcode >}}`, `{{% shortcode %}}` but for their `text`, `caption`, `title` or `alt`, what stands between two of the name `comment` |
//! | Jekyll, Eleventy | `{% tag %}`, `{{ value }}`, `{# comment #}`, what stands between `comment` and `endcomment` |
//! | kramdown, MkDocs, Hugo | attributes: `{: .class }`, `{#id}`, and `{width=50%}` behind a link |
//! | Learn | `[!INCLUDE [name](file)]` |
//! | wikis | the name of the page in `[[Page\|text]]`, and `![[embedded page]]` |
//! | MDX | tags of components, `{expressions}` but for those that are a text in quotes |
//!
//! What stands in backticks on one line stays as it is: pages about templates and about Markdown show their
//! readers such things there, and generators that would replace them are told not to.

use std::collections::HashMap;

use crate::extract::markdown::ahead::Ahead;
use crate::extract::markdown::block::bracketed;
use crate::extract::markdown::jsx;

/// Stands where something was taken out. It is no white space and no markup, so nothing begins to mean
/// something else: `[text]({{< ref >}})` is still a link, and a line that began with a shortcode is not indented
/// code. In a text it is a space.
pub(super) const MARK: &str = "\u{7f}";

/// How an included file begins, of which Learn has some in every other line.
const INCLUDE: &str = "[!INCLUDE";

/// The longest shortcode, in bytes.
const MOST: usize = 4 << 10;

/// The longest list of attributes, in bytes.
const MOST_ATTRIBUTES: usize = 200;

/// Takes lines apart.
#[derive(Debug)]
pub(super) struct Inline<'s> {
    source: &'s str,
    is_mdx: bool,
    comment: Ahead,
    blanks: [Ahead; 2],
    shortcode: Ahead,
    marked_shortcode: Ahead,
    tag: Ahead,
    value: Ahead,
    template_comment: Ahead,
    wiki: Ahead,
    comment_of_hugo: Ahead,
    comment_of_jekyll: Ahead,
    /// The ends of what closes a comment, which is ahead of everything else.
    last_value: Ahead,
    last_tag: Ahead,
    /// Up to where no component and no expression ends.
    hopeless: usize,
}

impl<'s> Inline<'s> {
    pub(super) fn of(source: &'s str, is_mdx: bool) -> Self {
        Self {
            source,
            is_mdx,
            comment: Ahead::of("-->"),
            blanks: [Ahead::of("\n\n"), Ahead::of("\n\r\n")],
            shortcode: Ahead::of(">}}"),
            marked_shortcode: Ahead::of("%}}"),
            tag: Ahead::of("%}"),
            value: Ahead::of("}}"),
            template_comment: Ahead::of("#}"),
            wiki: Ahead::of("]]"),
            comment_of_hugo: Ahead::of("/comment"),
            comment_of_jekyll: Ahead::of("endcomment"),
            last_value: Ahead::of("}}"),
            last_tag: Ahead::of("%}"),
            hopeless: 0,
        }
    }

    /// Takes a part of a line and writes what is left of it. Returns from where the source goes on, which may be in
    /// a later line.
    pub(super) fn rewrite(&mut self, start: usize, end: usize, out: &mut String) -> usize {
        let source = self.source;
        let line = &source[start..end];
        if !line.contains(['{', '<']) && !line.contains("[[") && !line.contains(INCLUDE) {
            out.push_str(line);
            return end;
        }
        let bytes = source.as_bytes();
        let spans = Spans::of(line);
        let (mut at, mut copied) = (start, start);
        while at < end {
            let opens = match bytes[at] {
                b'\\' => {
                    at += 2;
                    continue;
                }
                b'`' => {
                    at = start + spans.end(line, at - start);
                    continue;
                }
                b'{' => self.brace(at, start, end),
                b'<' => self.angle(at),
                b'!' if source[at..end].starts_with("![[") => {
                    // Behind what ends as an image it is one, with brackets in its text.
                    let is_page =
                        |close: &usize| *close <= end && !source[*close..].starts_with('(');
                    let close = self.wiki.behind(source, at).filter(is_page);
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
                    // Without a mark what follows would begin the line.
                    let is_first = source[start..at].trim().is_empty();
                    out.push_str(if is_first && instead.is_empty() {
                        MARK
                    } else {
                        instead
                    });
                    (at, copied) = (close, close);
                }
                None => at += 1,
            }
        }
        out.push_str(&source[copied.min(end)..end]);
        copied.max(end)
    }

    /// Takes where a `{` is. Returns the end of what it begins, and what stands instead.
    fn brace(&mut self, at: usize, start: usize, end: usize) -> Option<(usize, &'s str)> {
        let source = self.source;
        let rest = &source[at..];
        let found = if rest.starts_with("{{<") {
            let close = self.shortcode.behind(source, at);
            self.whole(at, close, "/comment")
        } else if rest.starts_with("{{%") {
            let close = self.marked_shortcode.behind(source, at);
            self.whole(at, close, "/comment")
        } else if rest.starts_with("{%") {
            let close = self.tag.behind(source, at);
            self.whole(at, close, "endcomment")
        } else if rest.starts_with("{{") && !self.is_mdx {
            let close = self.value.behind(source, at);
            close.filter(|&close| close <= end)
        } else if rest.starts_with("{# ") {
            let close = self.template_comment.behind(source, at);
            close.filter(|&close| close <= end)
        } else {
            None
        };
        if let Some(close) = found {
            return Some((close, shown(&source[at..close]).unwrap_or(MARK)));
        }
        if let Some(close) = attributes(source, at, start, end) {
            return Some((close, ""));
        }
        if !self.is_mdx || at < self.hopeless {
            return None;
        }
        match jsx::expression(source, at) {
            Ok(close) => Some((close, jsx::literal(&source[at..close]).unwrap_or(MARK))),
            Err(until) => {
                self.hopeless = until;
                None
            }
        }
    }

    /// Takes where a shortcode begins and ends, and returns its end if it has one: for a comment, the end of the
    /// shortcode that closes it.
    fn whole(&mut self, at: usize, close: Option<usize>, end_of_comment: &str) -> Option<usize> {
        let source = self.source;
        let close = close.filter(|&close| close - at <= MOST)?;
        let mut blanks = self.blanks.iter_mut();
        if blanks.any(|blank| blank.from(source, at).is_some_and(|blank| blank < close)) {
            return None;
        }
        let name = source[at + 2..close].trim_start_matches(['<', '%', '-', ' ']);
        if !name.starts_with("comment") {
            return Some(close);
        }
        let ahead = match end_of_comment {
            "/comment" => &mut self.comment_of_hugo,
            _ => &mut self.comment_of_jekyll,
        };
        let found = ahead.behind(source, close);
        let last = found.and_then(|found| self.end_of_closing(found));
        Some(last.unwrap_or(close))
    }

    /// The end of the shortcode or tag in which a place is.
    fn end_of_closing(&mut self, at: usize) -> Option<usize> {
        let value = self.last_value.behind(self.source, at);
        let tag = self.last_tag.behind(self.source, at);
        value.into_iter().chain(tag).min().map(|close| {
            let is_double = self.source[close - 1..].starts_with("}}");
            close + usize::from(is_double && self.source[..close].ends_with("%}"))
        })
    }

    /// Takes where a `<` is.
    fn angle(&mut self, at: usize) -> Option<(usize, &'s str)> {
        let source = self.source;
        if source[at..].starts_with("<!--") {
            let close = self.comment.behind(source, at + 4)?;
            return Some((close, ""));
        }
        if at < self.hopeless {
            return None;
        }
        match jsx::tag(source, at) {
            Ok(close) if jsx::is_component(&source[at..close]) => Some((close, MARK)),
            // In MDX the values of attributes are expressions, which HTML does not know.
            Ok(close) if self.is_mdx && source[at..close].contains('{') => Some((close, MARK)),
            Ok(_) => None,
            Err(until) => {
                self.hopeless = self.hopeless.max(until);
                None
            }
        }
    }

    /// Takes where a `[[` is.
    fn wiki_link(&mut self, at: usize, end: usize) -> Option<(usize, &'s str)> {
        let close = self
            .wiki
            .behind(self.source, at)
            .filter(|&close| close <= end)?;
        let (page, text) = self.source[at + 2..close - 2].rsplit_once('|')?;
        let is_link = !page.contains(['[', ']'])
            && !text.contains('[')
            && !self.source[close..].starts_with('(');
        is_link.then_some((close, text))
    }
}

/// Takes where a `{` is in a line and returns the end of the list of attributes that begins there.
fn attributes(source: &str, at: usize, start: usize, end: usize) -> Option<usize> {
    let rest = &source.as_bytes()[at + 1..end];
    let mut rest = rest.iter().take(MOST_ATTRIBUTES);
    let length = rest.position(|byte| matches!(byte, b'{' | b'}' | b'<' | b'`'))?;
    if source.as_bytes()[at + 1 + length] != b'}' {
        return None;
    }
    let inner = &source[at + 1..at + 1 + length];
    let close = at + length + 2;
    let before = source[start..at].chars().next_back();
    let is_behind = before.is_some_and(|c| [')', ']', '`', '*', '_', '"'].contains(&c));
    let is_last = source[close..end].trim().is_empty();
    let is_list = match inner.chars().next()? {
        ':' | '#' | '.' => is_behind || is_last,
        '!' => inner.ends_with('!') && is_last,
        _ => inner.contains('=') && before.is_some_and(|c| [')', ']'].contains(&c)),
    };
    is_list.then_some(close)
}

/// The code in a line: where runs of backticks find another one of their length.
#[derive(Debug)]
struct Spans {
    ends: HashMap<usize, usize>,
}

impl Spans {
    fn of(line: &str) -> Self {
        let bytes = line.as_bytes();
        let (mut ends, mut next, mut at) = (HashMap::new(), HashMap::new(), bytes.len());
        while let Some(last) = bytes[..at].iter().rposition(|&byte| byte == b'`') {
            let length = bytes[..=last]
                .iter()
                .rev()
                .take_while(|&&byte| byte == b'`')
                .count();
            at = last + 1 - length;
            if let Some(end) = next.insert(length, last + 1) {
                ends.insert(at, end);
            }
        }
        Self { ends }
    }

    /// Takes where a run begins and returns the end of the code, or of the run if it begins none.
    fn end(&self, line: &str, at: usize) -> usize {
        let run = || {
            line.as_bytes()[at..]
                .iter()
                .take_while(|&&byte| byte == b'`')
                .count()
        };
        self.ends.get(&at).copied().unwrap_or_else(|| at + run())
    }
}

/// Takes a shortcode of Hugo and returns what a reader sees of it, if an argument says that: `{{< glossary_tooltip
/// text="名字空间" term_id="namespace" >}}` stands in the middle of a sentence. What has several lines has none, since
/// words must stay on theirs.
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
