//! The links of a web page, each with the place of its target.

use std::ops::Range;

use crate::extract::html::tokens::{Sink, Syntax, Tag, tokens};

/// A link to another page of the same site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where the target is in the source, in bytes.
    pub at: Range<usize>,
    /// The target, as a browser gets it: without the escapes of Markdown and HTML, and still encoded as a URL.
    pub target: String,
}

/// Elements whose addresses are no links to pages.
const NO_LINKS: [&[u8]; 5] = [b"link", b"base", b"image", b"use", b"script"];

/// How many values of a tag are looked at, so that a tag of many takes no longer.
const MOST_VALUES: usize = 16;

/// Returns the links of a page, or of a part of one.
pub(in crate::extract) fn links(source: &str, syntax: Syntax) -> Vec<Link> {
    let mut links = Links {
        source,
        behind: 0,
        found: Vec::new(),
    };
    tokens(source, syntax, &mut links);
    links.found
}

struct Links<'s> {
    source: &'s str,
    /// Where the tag before ends.
    behind: usize,
    found: Vec<Link>,
}

impl Sink for Links<'_> {
    fn start(&mut self, tag: &Tag, end: usize) {
        let start = std::mem::replace(&mut self.behind, end);
        let value = tag.get("href").and_then(|value| str::from_utf8(value).ok());
        let value = value.filter(|value| !value.is_empty());
        let Some((target, source)) = value.zip(self.source.get(start..end)) else {
            return;
        };
        if NO_LINKS.contains(&&*tag.name) {
            return;
        }
        // The value as it is written may have entities.
        let mut values = source
            .rmatch_indices('=')
            .filter_map(|(at, _)| value_of_href(source, at))
            .take(MOST_VALUES);
        let value = values.find(|value| decoded(&source[value.clone()]) == target);
        let place = value.map(|value| start + value.start..start + value.end);
        self.found.extend(place.map(|at| Link {
            at,
            target: target.to_owned(),
        }));
    }
}

/// Returns where the value behind an equals sign of a tag is, without its quotes, if it is one of `href`.
fn value_of_href(source: &str, sign: usize) -> Option<Range<usize>> {
    let before = source[..sign].trim_end();
    let name = before.get(before.len().checked_sub(4)?..)?;
    if !name.eq_ignore_ascii_case("href") {
        return None;
    }
    let value = source[sign + 1..].trim_start();
    let start = source.len() - value.len();
    match value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        Some(quote) => {
            let length = value[1..].find(quote)?;
            Some(start + 1..start + 1 + length)
        }
        None => {
            let length = value.find(|c: char| c.is_ascii_whitespace() || c == '>');
            Some(start..start + length.unwrap_or(value.len()))
        }
    }
}

/// Returns a value of an attribute without its entities.
fn decoded(value: &str) -> String {
    let mut decoded = String::new();
    let quote = if value.contains('"') { '\'' } else { '"' };
    tokens(
        &format!("<a href={quote}{value}{quote}>"),
        Syntax::Html,
        &mut |tag: &Tag| {
            let value = tag.get("href").unwrap_or_default();
            decoded = String::from_utf8_lossy(value).into_owned();
        },
    );
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_found_however_they_are_written() {
        for (page, written, target) in [
            ("<a href=\"a.html\">", "a.html", "a.html"),
            ("<a class=x HREF = a.html>", "a.html", "a.html"),
            (
                "<a href='it&#39;s.html?a&amp;b'>",
                "it&#39;s.html?a&amp;b",
                "it's.html?a&b",
            ),
            (
                "<a href=\"a&b.html\" id=\"href=2\">",
                "a&b.html",
                "a&b.html",
            ),
            (
                "<a data-href=\"b\" href=\"&quot;b&#x22;\">",
                "&quot;b&#x22;",
                "\"b\"",
            ),
        ] {
            let found = links(page, Syntax::Html);
            let [link] = &found[..] else {
                panic!("{page}: {found:?}");
            };
            assert_eq!((&page[link.at.clone()], &*link.target), (written, target));
        }
        let many = format!("<a {} href=x>", "href=&href=".repeat(100_000));
        assert!(links(&many, Syntax::Html).len() <= 1);
    }
}
