//! Markup that site generators replace before they make a page.
//!
//! | program | not text |
//! |---|---|
//! | Hugo | `{{< shortcode >}}`, `{{% shortcode %}}` but for their `text`, `caption`, `title` or `alt`, the text between two of the name `comment` |
//! | Jekyll, Eleventy | `{% tag %}`, `{{ value }}`, `{# comment #}`, the text between `comment` and `endcomment` |

use crate::extract::ahead::Ahead;

/// The longest shortcode, in bytes.
const MOST: usize = 4 << 10;

/// Finds the ends of shortcodes in a text that is read from the beginning to the end.
#[derive(Debug)]
pub(super) struct Shortcodes<'s> {
    source: &'s str,
    blank: Ahead,
    shortcode: Ahead,
    marked_shortcode: Ahead,
    tag: Ahead,
    value: Ahead,
    template_comment: Ahead,
    comment_of_hugo: Ahead,
    comment_of_jekyll: Ahead,
    /// The same ends, searched for behind comments. These places are ahead of all others.
    last_value: Ahead,
    last_tag: Ahead,
}

impl<'s> Shortcodes<'s> {
    pub(super) fn of(source: &'s str) -> Self {
        Self {
            source,
            blank: Ahead::of_blank_line(),
            shortcode: Ahead::of(">}}"),
            marked_shortcode: Ahead::of("%}}"),
            tag: Ahead::of("%}"),
            value: Ahead::of("}}"),
            template_comment: Ahead::of("#}"),
            comment_of_hugo: Ahead::where_it("/comment", |text, at| {
                closes(text, at, "/comment", &["{{<", "{{%"])
            }),
            comment_of_jekyll: Ahead::where_it("endcomment", |text, at| {
                closes(text, at, "endcomment", &["{%"])
            }),
            last_value: Ahead::of("}}"),
            last_tag: Ahead::of("%}"),
        }
    }

    /// Returns where a shortcode ends that begins with a `{` at a place, and its visible text if that is known. The end
    /// may be in a later line. `end` is the end of its line, and `has_values` is whether two braces are a value.
    pub(super) fn at(
        &mut self,
        at: usize,
        end: usize,
        has_values: bool,
    ) -> Option<(usize, Option<&'s str>)> {
        let source = self.source;
        let rest = &source[at..];
        let close = if rest.starts_with("{{<") {
            let close = self.shortcode.behind(source, at);
            self.whole(at, close, "/comment")
        } else if rest.starts_with("{{%") {
            let close = self.marked_shortcode.behind(source, at);
            self.whole(at, close, "/comment")
        } else if rest.starts_with("{%") {
            let close = self.tag.behind(source, at);
            self.whole(at, close, "endcomment")
        } else if rest.starts_with("{{") && has_values {
            let close = self.value.behind(source, at);
            close.filter(|&close| close <= end)
        } else if rest.starts_with("{# ") {
            let close = self.template_comment.behind(source, at);
            close.filter(|&close| close <= end)
        } else {
            None
        };
        close.map(|close| (close, shown(&source[at..close])))
    }

    /// Returns the end of a shortcode, if it has one. The end of a comment is that of the shortcode which closes it.
    fn whole(&mut self, at: usize, close: Option<usize>, end_of_comment: &str) -> Option<usize> {
        let source = self.source;
        let close = close.filter(|&close| close - at <= MOST)?;
        if self
            .blank
            .from(source, at)
            .is_some_and(|blank| blank < close)
        {
            return None;
        }
        let name = source[at + 2..close].trim_start_matches(['<', '%', '-', ' ']);
        // `comments` and `comment-form` are other shortcodes: they show something and have no end.
        if !name.strip_prefix("comment").is_some_and(ends_name) {
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

    /// Returns the end of the shortcode or tag around a place.
    fn end_of_closing(&mut self, at: usize) -> Option<usize> {
        let value = self.last_value.behind(self.source, at);
        let tag = self.last_tag.behind(self.source, at);
        value.into_iter().chain(tag).min().map(|close| {
            let is_double = self.source[close - 1..].starts_with("}}");
            close + usize::from(is_double && self.source[..close].ends_with("%}"))
        })
    }
}

/// Returns whether a word at a place is the name of a shortcode: one of these marks is before it. The word may also
/// be in a text or a path.
fn closes(text: &str, at: usize, word: &str, opens: &[&str]) -> bool {
    let before = text[..at].trim_end_matches([' ', '-']);
    opens.iter().any(|open| before.ends_with(open)) && ends_name(&text[at + word.len()..])
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
