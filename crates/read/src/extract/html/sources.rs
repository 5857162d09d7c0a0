//! Sources of web pages, from which a site generator such as Jekyll or Hugo makes pages. They begin with front matter.

use std::borrow::Cow;

use memchr::memchr;

use crate::extract::shortcodes::Ahead;
use crate::extract::{front_matter, line_ends, push_line_ends};

/// Returns the source of a page without front matter and without shortcodes, on the same lines. In a page without
/// front matter braces are text.
pub(super) fn without_frame(source: &str) -> Cow<'_, str> {
    let mut at = front_matter::end(source);
    if at == 0 {
        return source.into();
    }
    let mut out = String::with_capacity(source.len());
    let mut ahead = Ahead::of(source);
    push_line_ends(line_ends(&source.as_bytes()[..at]), &mut out);
    let (mut copied, mut end) = (at, at);
    while let Some(found) = memchr(b'{', &source.as_bytes()[at..]) {
        let brace = at + found;
        if end <= brace {
            let length = memchr(b'\n', &source.as_bytes()[brace..]);
            end = length.map_or(source.len(), |length| brace + length);
        }
        at = brace + 1;
        if let Some((close, shown)) = ahead.shortcode(brace, end, true) {
            out.push_str(&source[copied..brace]);
            out.push_str(shown.unwrap_or(" "));
            push_line_ends(line_ends(&source.as_bytes()[brace..close]), &mut out);
            (at, copied) = (close, close);
        }
    }
    out.push_str(&source[copied..]);
    out.into()
}
