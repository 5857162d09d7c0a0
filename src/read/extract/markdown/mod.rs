//! Markdown and MDX to the text that a reader sees, line by line.
//!
//! What site generators add to Markdown is taken out first, see [`prepare`]; what is left is parsed as CommonMark
//! with tables, footnotes, strikethrough, task lists and formulas. Link text, alt text, code and formulas
//! count; front matter, comments, targets of links and images, titles of links, definitions of
//! references and addresses in angle brackets do not.
//!
//! The parser (pulldown-cmark) keeps its tree in a list and its own limits on what grows with the square of the
//! size; how deep blocks nest is limited in [`prepare`]. Time is linear in the size.

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::read::contained::contained;
use crate::read::extract::lined::Lined;
use crate::read::extract::markdown::html::Html;
use crate::read::extract::markdown::inline::MARK;

mod block;
mod html;
mod inline;
mod jsx;
mod lines;
mod prepare;
mod script;
#[cfg(test)]
mod tests;

/// What is understood beyond CommonMark.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_MATH);

/// Takes the content of a document, whether it is MDX and whether code blocks are left out. Returns its text.
pub(super) fn extract(content: &str, is_mdx: bool, skips_code: bool) -> String {
    let text = contained(|| read(content, is_mdx, skips_code));
    // A document that the parser cannot read is text as it is.
    text.unwrap_or_else(|| content.to_owned())
}

fn read(content: &str, is_mdx: bool, skips_code: bool) -> String {
    let source = prepare::prepare(content, is_mdx);
    let mut text = Lined::beside(&source);
    // Whether what stands here is an address in angle brackets, or code that does not count.
    let mut is_hidden = false;
    let mut block = None;
    let mut html = Html::new(skips_code);
    for (event, range) in Parser::new_ext(&source, OPTIONS).into_offset_iter() {
        match event {
            Event::Start(Tag::HtmlBlock) => {
                html.end_paragraph();
                block = Some((Lined::piece(&source, range.start), range));
            }
            Event::End(TagEnd::HtmlBlock) => {
                if let Some((block, range)) = block.take() {
                    html.block(&mut text, range.start, range.end, &block.into_piece());
                }
            }
            Event::InlineHtml(tag) => {
                text.reach(range.start);
                html.tag(&mut text, &tag);
            }
            Event::Text(_) | Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_)
                if html.is_silent() => {}
            Event::Start(Tag::CodeBlock(_)) => {
                text.reach(range.start);
                is_hidden = skips_code;
            }
            Event::Start(Tag::Link {
                link_type: LinkType::Autolink | LinkType::Email,
                ..
            }) => is_hidden = true,
            Event::End(TagEnd::CodeBlock | TagEnd::Link) => is_hidden = false,
            Event::Start(tag) if !is_inline(&tag) => {
                text.reach(range.start);
                text.separate();
                html.end_paragraph();
            }
            Event::Text(piece) | Event::Html(piece) => match &mut block {
                Some((block, _)) => write(block, &source, &piece, range.start, range.end),
                None if is_hidden => {}
                None => write(&mut text, &source, &piece, range.start, range.end),
            },
            Event::Code(code) => {
                let whole = &source[range.clone()];
                let ticks = whole.len() - whole.trim_start_matches('`').len();
                match whole.contains('\n') && whole.len() >= 2 * ticks {
                    true => text.copy(range.start + ticks, range.end - ticks),
                    false => write(&mut text, &source, &code, range.start, range.start),
                }
            }
            Event::InlineMath(_) => text.copy(range.start + 1, range.end - 1),
            Event::DisplayMath(_) => text.copy(range.start + 2, range.end - 2),
            Event::SoftBreak | Event::HardBreak => {
                text.reach(range.end);
                text.separate();
            }
            _ => {}
        }
    }
    let mut text = text.finish();
    if text.contains(MARK) {
        text = text.replace(MARK, " ");
    }
    text
}

/// Whether a tag is a part of a line, and so does not end a word.
fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

/// Writes a piece of text that stands at a place of the source, or was decoded from it.
fn write(text: &mut Lined<'_>, source: &str, piece: &str, start: usize, end: usize) {
    if source[start..end] == *piece {
        text.copy(start, end);
    } else {
        text.reach(start);
        text.push(piece);
    }
}
