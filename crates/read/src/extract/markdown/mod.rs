//! Markdown and MDX to the text that a reader sees, line by line.
//!
//! First [`prepare`] removes the parts that site generators add to Markdown. They decide what is a block and what a link: the
//! target of a link may be a shortcode, and the content of a component or of a box is neither HTML nor indented code. Of
//! 52,000 pages of real sites, 1,700 have a link with such a target, and 400 a box. The rest is parsed as CommonMark with
//! tables, footnotes, strikethrough, task lists and formulas. The parser alone knows what is code, and code has its lines
//! as they were written. Link text, alt text, code and formulas count. Front matter, comments, targets of links and
//! images, titles of links, definitions of references and addresses in angle brackets do not.
//!
//! The parser (pulldown-cmark) keeps its tree in a list and limits work that grows with the square of the size. How
//! deep blocks nest is limited in [`prepare`]. Time is linear in the size.

use std::ops::Range;
use std::panic::RefUnwindSafe;

use memchr::memmem;
use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use crate::contained::contained;
use crate::extract::front_matter::FrontMatter;
use crate::extract::html::{Properties, fragment, hides, properties};
use crate::extract::lined::Lined;
use crate::extract::markdown::block::Directive;
use crate::extract::markdown::inline::MARK;
use crate::extract::markdown::prefix::column_of;
use crate::extract::markdown::prepare::Prepared;
use crate::extract::rst::Shown;
use crate::extract::{MarkedText, has_any_case};
use dupfind_engine::text::blocks::BlockKind;

mod block;
mod inline;
mod jsx;
mod prefix;
mod prepare;
#[cfg(test)]
mod tests;

/// The extensions of CommonMark that are read.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_MATH);

/// How many bytes may be above the heading that is the title.
const HEAD: usize = 8 << 10;

/// Returns the text of a document, which may be MDX.
pub(super) fn extract(content: &str, is_mdx: bool) -> MarkedText {
    let text = contained(|| read(content, is_mdx));
    // A document that the parser cannot read is text as it is.
    text.unwrap_or_else(|| MarkedText {
        text: content.to_owned(),
        ..MarkedText::default()
    })
}

/// Returns the places of code in a line and of code blocks, in order. In MDX nothing is code for its indentation. A page
/// that the parser cannot read has none.
pub(super) fn code(content: &str, is_mdx: bool) -> Vec<Range<usize>> {
    places(content, |event| match event {
        Event::Start(Tag::CodeBlock(kind)) => kind.is_fenced() || !is_mdx,
        event => matches!(event, Event::Code(_)),
    })
}

/// Returns the places of the fenced code blocks of a page in Markdown, with their fences, in order.
pub fn fenced(content: &str) -> Vec<Range<usize>> {
    places(
        content,
        |event| matches!(event, Event::Start(Tag::CodeBlock(kind)) if kind.is_fenced()),
    )
}

fn places(content: &str, counts: impl Fn(&Event<'_>) -> bool + RefUnwindSafe) -> Vec<Range<usize>> {
    let start = FrontMatter::of(content).end();
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
    let Prepared {
        text: source,
        replaced,
    } = prepare::prepare(content, is_mdx);
    let mut reader = MarkdownReader {
        source: &source,
        replaced: &replaced,
        text: Lined::beside(&source),
        html: Html::default(),
        kinds: Kinds::default(),
        block: None,
        code: None,
        is_hidden: false,
        headings: Vec::new(),
    };
    for (event, range) in Parser::new_ext(&source, OPTIONS).into_offset_iter() {
        reader.event(event, range);
    }
    let has_title = reader.has_title();
    let mut marked = reader.text.finish();
    if memmem::find(marked.text.as_bytes(), MARK.as_bytes()).is_some() {
        // Both have one byte, so blocks begin where they began.
        marked.text = marked.text.replace(MARK, " ");
    }
    if has_title {
        // A heading that is the first line is left to the engine, which looks for it in every text.
        let layout = marked.marks.clone().into_layout();
        let title = layout.heading_below_text(&marked.text);
        marked.title = title.map(str::to_owned);
    }
    marked
}

struct MarkdownReader<'s> {
    source: &'s str,
    /// The lines of the document that are not the same in the source, from the current one on.
    replaced: &'s [(Range<usize>, &'s str)],
    text: Lined<'s>,
    html: Html,
    kinds: Kinds,
    /// The block of HTML that is open, and its place.
    block: Option<(Lined<'s>, Range<usize>)>,
    /// The least indent of a line in the code block that is open.
    code: Option<usize>,
    /// Whether this is an address in angle brackets, or a directive without text.
    is_hidden: bool,
    /// The headings: the level of each, and where it begins in the source.
    headings: Vec<(HeadingLevel, usize)>,
}

impl MarkdownReader<'_> {
    /// Returns whether the first heading is the title: no other one is of the first level. A table of keys, pictures or a note
    /// may be above it.
    fn has_title(&self) -> bool {
        let is_highest = |(level, _): &&(HeadingLevel, usize)| *level == HeadingLevel::H1;
        let first = self.headings.first().filter(is_highest);
        first.is_some_and(|(_, start)| *start < HEAD)
            && self.headings.iter().filter(is_highest).count() == 1
    }

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
            Event::End(TagEnd::CodeBlock) => (self.code, self.is_hidden) = (None, false),
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
                None => match self.code {
                    Some(indent) => self.block_of_code(&piece, range, indent),
                    None => write(&mut self.text, self.source, &piece, range),
                },
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
            Tag::CodeBlock(kind) => {
                self.code = Some(if kind.is_fenced() { 0 } else { 4 });
                let directive = Directive::of(&self.source[range.clone()]);
                self.is_hidden = directive.is_some_and(|d| d.content == Shown::Nothing);
                self.text.reach(range.start);
                self.text.begin(BlockKind::Code);
            }
            Tag::Link {
                link_type: LinkType::Autolink | LinkType::Email,
                ..
            } => self.is_hidden = true,
            tag if !is_inline(tag) => {
                if let Tag::Heading { level, .. } = tag {
                    self.headings.push((*level, range.start));
                }
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

    /// Writes text of a code block, with the lines that it had in the document.
    fn block_of_code(&mut self, piece: &str, range: Range<usize>, indent: usize) {
        let (source, replaced) = (self.source, self.replaced);
        let passed = |(line, _): &&(Range<usize>, &str)| line.end < range.start;
        let within = |(line, _): &&(Range<usize>, &str)| line.start < range.end;
        let first = replaced.iter().take_while(passed).count();
        let lines = replaced[first..].iter().take_while(within).count();
        self.replaced = &replaced[first + lines..];
        for (line, original) in &replaced[first..first + lines] {
            self.text.copy(range.start, line.start);
            let at = range.start.max(line.start);
            self.text.reach(at);
            if column_of(original) >= indent {
                let shown = original.strip_prefix(&source[line.start..at]);
                self.text.push(shown.unwrap_or(original.trim_start()));
            }
            self.text.reach(line.end);
        }
        match lines {
            0 => write(&mut self.text, source, piece, range),
            _ => self.text.copy(range.start, range.end),
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

/// Follows the lists and quotations of a document, from its beginning to its end.
#[derive(Default)]
struct Kinds {
    /// The lists and quotations that are open.
    open: Vec<BlockKind>,
}

impl Kinds {
    /// Returns the kind of the block that a tag begins; `None` if it begins none.
    fn start(&mut self, tag: &Tag<'_>) -> Option<BlockKind> {
        match tag {
            Tag::Item => self.open.push(BlockKind::ListItem),
            Tag::BlockQuote(_) => self.open.push(BlockKind::Quotation),
            Tag::Heading { .. } => return Some(BlockKind::Heading),
            Tag::TableHead | Tag::TableRow => return Some(BlockKind::TableRow),
            Tag::TableCell => return None,
            _ => {}
        }
        Some(self.open.last().copied().unwrap_or_default())
    }

    /// Ends an element.
    fn end(&mut self, tag: &TagEnd) {
        if matches!(tag, TagEnd::Item | TagEnd::BlockQuote(_)) {
            self.open.pop();
        }
    }
}

/// How many open elements are searched for the one that an end tag means. Without a limit the time for a hostile
/// document would grow with the square of its size.
const REACH: usize = 128;

/// Reads the HTML of a document from the beginning to the end.
#[derive(Debug, Default)]
struct Html {
    /// The elements that are open in a paragraph, each with whether a reader sees its content.
    inline: Vec<(String, bool)>,
}

impl Html {
    /// Returns whether this place is in an element that no reader sees.
    fn is_silent(&self) -> bool {
        self.inline.last().is_some_and(|(_, is_seen)| !is_seen)
    }

    /// Ends the elements that are open in a paragraph.
    fn end_paragraph(&mut self) {
        self.inline.clear();
    }

    /// Writes the text of a block.
    fn block(&self, text: &mut Lined<'_>, start: usize, end: usize, html: &str) {
        let MarkedText {
            text: shown, marks, ..
        } = fragment(html);
        if !shown.trim().is_empty() {
            text.separate();
            text.begin(BlockKind::Paragraph);
            text.lines(start, end, shown.trim_end(), &marks);
        }
    }

    /// Reads a tag and writes its text.
    fn tag(&mut self, text: &mut Lined<'_>, tag: &str) {
        let name = tag.trim_start_matches(['<', '/']);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let name = name[..end.unwrap_or(name.len())].to_ascii_lowercase();
        let properties = properties(name.as_bytes());
        match name.as_str() {
            _ if self.is_silent() => {}
            // Its alternative text.
            "img" if has_any_case(tag, "alt") => text.push(fragment(tag).text.trim()),
            "img" => {}
            // A component is a word of its own, as a block is.
            _ if properties.has(Properties::SEPARATES) || name.contains('-') => {
                text.separate();
            }
            _ => {}
        }
        self.follow(tag, name, properties);
    }

    /// Opens or closes the element of a tag.
    fn follow(&mut self, tag: &str, name: String, properties: Properties) {
        if tag.starts_with("</") {
            let mut near = self.inline.iter().rev().take(REACH);
            if let Some(depth) = near.position(|(open, _)| *open == name) {
                self.inline.truncate(self.inline.len() - depth - 1);
            }
        } else if !name.is_empty() && !properties.has(Properties::VOID) {
            let is_seen = !self.is_silent() && !hides(tag, properties);
            self.inline.push((name, is_seen));
        }
    }
}
