//! The links of a page in Markdown, each with the place of its target.
//!
//! The parser gives the place of a link or a definition as a whole. The target is behind its text.

use pulldown_cmark::{Event, LinkType, Parser, Tag};

use crate::extract::front_matter;
use crate::extract::html::{self, Link, Syntax};
use crate::extract::markdown::OPTIONS;
use crate::extract::markdown::prepare;

/// Returns the links of a page, those in HTML too. A page whose blocks nest too deeply for the parser has none.
pub(in crate::extract) fn links(content: &str) -> Vec<Link> {
    let start = front_matter::end(content);
    let source = &content[start..];
    if !prepare::is_shallow(source) {
        return Vec::new();
    }
    let mut found = Vec::new();
    // The open links of the form `[text](target)`: where each ends, where its text ends so far, and its target.
    let mut open: Option<(usize, usize, String)> = None;
    let mut events = Parser::new_ext(source, OPTIONS).into_offset_iter();
    for (event, range) in events.by_ref() {
        match event {
            Event::Start(Tag::Link {
                link_type: LinkType::Inline,
                dest_url,
                ..
            }) => open = Some((range.end, range.start + 1, dest_url.into_string())),
            Event::End(pulldown_cmark::TagEnd::Link) => {
                if let Some((end, text, target)) = open.take() {
                    let inside = source.get(text..end.saturating_sub(1));
                    let place = inside.and_then(|inside| written(inside, "](", text));
                    found.extend(place.map(|at| Link { at, target }));
                }
            }
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => {
                let within = html::links(&source[range.clone()], Syntax::Html).into_iter();
                found.extend(within.map(|link| Link {
                    at: range.start + link.at.start..range.start + link.at.end,
                    ..link
                }));
            }
            _ => {}
        }
        if let Some((end, text, _)) = &mut open
            && range.end < *end
        {
            *text = range.end.max(*text);
        }
    }
    for (_, definition) in events.reference_definitions().iter() {
        let at = definition.span.start;
        let place = source
            .get(definition.span.clone())
            .and_then(|whole| written(whole, "]:", at));
        found.extend(place.map(|at| Link {
            at,
            target: definition.dest.to_string(),
        }));
    }
    for link in &mut found {
        link.at = link.at.start + start..link.at.end + start;
    }
    found
}

/// Returns where a target is behind the first mark `](` or `]:` of a part of the source that begins at `start`: in
/// angle brackets, or up to white space.
fn written(part: &str, mark: &str, start: usize) -> Option<std::ops::Range<usize>> {
    let behind = &part[part.find(mark)? + mark.len()..];
    // A target on the next line of a quote has the marks of the quote before it.
    let target = behind.trim_start_matches([' ', '\t', '\r', '\n', '>']);
    let (target, length) = match target.strip_prefix('<') {
        Some(target) => (target, closing(target)?),
        None => (
            target,
            target.find(char::is_whitespace).unwrap_or(target.len()),
        ),
    };
    let at = start + (target.as_ptr().addr() - part.as_ptr().addr());
    Some(at..at + length)
}

/// Returns where a text in angle brackets ends.
fn closing(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'>' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        closes
    })
}
