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
        // As it is written: `&` alone, or as the entity that a page should have.
        let forms = [target.to_owned(), target.replace('&', "&amp;")];
        let place = forms.iter().find_map(|form| {
            let mut places = source.rmatch_indices(form.as_str());
            let at = places.find_map(|(at, _)| is_value_of_href(&source[..at]).then_some(at))?;
            Some(start + at..start + at + form.len())
        });
        self.found.extend(place.map(|at| Link {
            at,
            target: target.to_owned(),
        }));
    }
}

/// Returns whether a value of `href` begins behind a part of a tag.
fn is_value_of_href(before: &str) -> bool {
    let name = before
        .strip_suffix(['"', '\''])
        .unwrap_or(before)
        .trim_end()
        .strip_suffix('=')
        .map(str::trim_end);
    let name = name.and_then(|before| before.get(before.len().checked_sub(4)?..));
    name.is_some_and(|name| name.eq_ignore_ascii_case("href"))
}
