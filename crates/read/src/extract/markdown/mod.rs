//! Markdown and MDX to the text that a reader sees, line by line.
//!
//! First [`prepare`] removes the parts that site generators add to Markdown. The rest is parsed as CommonMark with tables,
//! footnotes, strikethrough, task lists and formulas. Link text, alt text, code and formulas count. Front matter,
//! comments, targets of links and images, titles of links, definitions of references and addresses in angle brackets
//! do not.
//!
//! The parser (pulldown-cmark) keeps its tree in a list and limits work that grows with the square of the size. How
//! deep blocks nest is limited in [`prepare`]. Time is linear in the size.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::contained::contained;
use crate::extract::MarkedText;
use crate::extract::front_matter;
use crate::extract::lined::Lined;
use crate::extract::markdown::html::Html;
use crate::extract::markdown::inline::MARK;
use crate::extract::markdown::kinds::Kinds;
use dupfind_engine::text::blocks::BlockKind;

mod block;
mod html;
mod inline;
mod jsx;
mod kinds;
mod lines;
mod links;
mod prepare;
mod script;
#[cfg(test)]
mod tests;

pub(super) use links::links;

/// The extensions of CommonMark that are read.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_MATH);

/// Returns the text of a document, which may be MDX.
pub(super) fn extract(content: &str, is_mdx: bool) -> MarkedText {
    let text = contained(|| read(content, is_mdx));
    // A document that the parser cannot read is text as it is.
    text.unwrap_or_else(|| MarkedText {
        text: content.to_owned(),
        ..MarkedText::default()
    })
}

/// Returns the places of code in a line and of code blocks, in order. A page that the parser cannot read has none.
pub(super) fn code(content: &str) -> Vec<Range<usize>> {
    places(content, |event| {
        matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_)))
    })
}

/// Returns the places of code of a page in MDX, where nothing is code for its indentation.
pub(super) fn code_of_mdx(content: &str) -> Vec<Range<usize>> {
    places(content, |event| {
        matches!(event, Event::Code(_)) || is_fenced(event)
    })
}

/// Returns the places of the fenced code blocks of a page in Markdown, with their fences, in order.
#[must_use]
pub fn fenced(content: &str) -> Vec<Range<usize>> {
    places(content, is_fenced)
}

fn is_fenced(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))
    )
}

fn places(content: &str, counts: fn(&Event<'_>) -> bool) -> Vec<Range<usize>> {
    let start = front_matter::end(content);
    let source = &content[start..];
    if !prepare::is_shallow(source) {
        return Vec::new();
    }
    let places = || {
        let events = Parser::new_ext(source, OPTIONS).into_offset_iter();
        let events = events.filter(|(event, _)| counts(event));
        events
            .map(|(_, range)| range.start + start..range.end + start)
            .collect()
    };
    contained(places).unwrap_or_default()
}

fn read(content: &str, is_mdx: bool) -> MarkedText {
    let source = prepare::prepare(content, is_mdx);
    let mut reader = Reader {
        source: &source,
        text: Lined::beside(&source),
        html: Html::default(),
        kinds: Kinds::default(),
        block: None,
        is_hidden: false,
    };
    for (event, range) in Parser::new_ext(&source, OPTIONS).into_offset_iter() {
        reader.event(event, range);
    }
    let mut marked = reader.text.finish();
    if marked.text.contains(MARK) {
        // Both have one byte, so blocks begin where they began.
        marked.text = marked.text.replace(MARK, " ");
    }
    marked
}

struct Reader<'s> {
    source: &'s str,
    text: Lined<'s>,
    html: Html,
    kinds: Kinds,
    /// The block of HTML that is open, and its place.
    block: Option<(Lined<'s>, Range<usize>)>,
    /// Whether this is an address in angle brackets.
    is_hidden: bool,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if let Event::End(tag) = &event {
            self.kinds.end(tag);
        }
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(TagEnd::HtmlBlock) => {
                if let Some((block, range)) = self.block.take() {
                    let html = block.into_piece();
                    self.html
                        .block(&mut self.text, range.start, range.end, &html);
                }
            }
            Event::End(TagEnd::Link) => self.is_hidden = false,
            Event::InlineHtml(tag) => {
                self.text.reach(range.start);
                self.html.tag(&mut self.text, &tag);
            }
            Event::Text(_) | Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_)
                if self.html.is_silent() => {}
            Event::Text(piece) | Event::Html(piece) => match &mut self.block {
                Some((block, _)) => write(block, self.source, &piece, range),
                None if self.is_hidden => {}
                None => write(&mut self.text, self.source, &piece, range),
            },
            Event::Code(code) => self.code(&code, range),
            Event::InlineMath(_) => self.text.copy(range.start + 1, range.end - 1),
            Event::DisplayMath(_) => self.text.copy(range.start + 2, range.end - 2),
            Event::SoftBreak | Event::HardBreak => {
                self.text.reach(range.end);
                self.text.separate();
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::HtmlBlock => {
                self.html.end_paragraph();
                self.block = Some((Lined::piece(self.source, range.start), range));
            }
            Tag::CodeBlock(_) => {
                self.text.reach(range.start);
                self.text.begin(BlockKind::Code);
            }
            Tag::Link {
                link_type: LinkType::Autolink | LinkType::Email,
                ..
            } => self.is_hidden = true,
            tag if !is_inline(tag) => {
                self.text.reach(range.start);
                self.text.separate();
                if let Some(kind) = self.kinds.start(tag) {
                    self.text.begin(kind);
                }
                self.html.end_paragraph();
            }
            _ => {}
        }
    }

    /// Writes code in a line. Code of several lines is copied with its line ends.
    fn code(&mut self, code: &str, range: Range<usize>) {
        let whole = &self.source[range.clone()];
        let ticks = whole.len() - whole.trim_start_matches('`').len();
        match whole.contains('\n') && whole.len() >= 2 * ticks {
            true => self.text.copy(range.start + ticks, range.end - ticks),
            false => write(&mut self.text, self.source, code, range.start..range.start),
        }
    }
}

/// Returns whether a tag is a part of a line: it does not end a word.
fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

/// Writes a piece of text for a place of the source. Its text may be that of the source, or decoded.
fn write(text: &mut Lined<'_>, source: &str, piece: &str, place: Range<usize>) {
    let same = &source[place.clone()];
    // Mostly they are one piece of memory.
    if std::ptr::eq(same, piece) || same == piece {
        text.copy(place.start, place.end);
    } else {
        text.reach(place.start);
        text.push(piece);
    }
}
