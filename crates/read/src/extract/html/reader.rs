//! Reads the tokens of a page into its pieces.

use crate::extract::html::article::Outline;
use crate::extract::html::consent::{accepts, last_cookie};
use crate::extract::html::elements::{
    BlockPlace, FOREIGN_OBJECT, Name, Properties, ended_by, ends_row, is_around, is_hidden,
    is_label, is_line_number, is_main, is_never_around, is_unseen, is_unseen_of_foreign, kind_of,
    properties, says_main,
};
use crate::extract::html::page::{Context, TextPiece, WebPage, weight};
use crate::extract::html::tokens::{Sink, Syntax, Tag, Text, tokens};
use crate::extract::line_ends;

/// How many open elements are searched for the one that an end tag means. Pages nest some tens deep. Without a limit
/// the time for a hostile page would grow with the square of its size.
const REACH: usize = 128;

/// How many counters of open elements there are: enough for the names of a page.
const BUCKETS: usize = 256;

/// The element with the answer to a notice, and the longest text of one, in bytes.
const BUTTON: Name = Name::new(b"button");
const MOST_OF_NOTICE: usize = 2_000;

/// The least hidden text, in bytes, that can be the page.
const LEAST: usize = 150;

/// Reads the source of a page, and writes its outline if one is wanted. A page that hides more than it shows is shown by a script:
/// all of it counts.
pub(super) fn read(source: &str, syntax: Syntax, mut outline: Option<&mut Outline>) -> WebPage {
    let page = read_part(source, syntax, outline.as_deref_mut(), false);
    if page.hidden < LEAST || page.hidden <= page.shown() {
        return page;
    }
    if let Some(outline) = &mut outline {
        **outline = Outline::default();
    }
    read_part(source, syntax, outline, true)
}

/// Reads what the source of a page, or of a part of one, shows by itself.
pub(super) fn read_shown(source: &str, syntax: Syntax, outline: Option<&mut Outline>) -> WebPage {
    read_part(source, syntax, outline, false)
}

fn read_part(
    source: &str,
    syntax: Syntax,
    outline: Option<&mut Outline>,
    shows_hidden: bool,
) -> WebPage {
    let mut reader = PageReader {
        source: source.as_bytes(),
        outline,
        shows_hidden,
        hidden: 0,
        open: Vec::new(),
        articles: 0,
        counts: [0; BUCKETS],
        text: Vec::with_capacity(source.len() / 4),
        pieces: Vec::new(),
        is_in_piece: false,
        is_separate: false,
        begins: false,
        line: 0,
        counted: 0,
        line_of_end: 0,
    };
    tokens(source, syntax, &mut reader);
    WebPage {
        text: String::from_utf8(reader.text)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        pieces: reader.pieces,
        hidden: reader.hidden,
        ends_separate: reader.is_separate,
    }
}

/// An open element, and properties of all text in it.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    name: Name,
    is_scope: bool,
    is_unseen: bool,
    /// Hidden, unless the reader shows what is.
    is_hidden: bool,
    /// In SVG or MathML.
    is_foreign: bool,
    /// In a drawing, in which only the elements for text have any.
    is_drawn: bool,
    /// In an article, or in the main part of the page.
    is_in_article: bool,
    /// The same, or in a section of anything else.
    is_in_section: bool,
    separates: bool,
    is_in_outline: bool,
    place: BlockPlace,
    context: Context,
    /// The number of the first piece in it.
    first: usize,
}

struct PageReader<'s, 'o> {
    source: &'s [u8],
    outline: Option<&'o mut Outline>,
    /// Whether hidden elements are read as the others.
    shows_hidden: bool,
    /// How much text they have that is not read: see [`WebPage::hidden`].
    hidden: usize,
    open: Vec<Open>,
    /// How many outermost articles there have been.
    articles: u32,
    /// How many elements are open, by the buckets of their names. Where none is, there is no need to search.
    counts: [usize; BUCKETS],
    text: Vec<u8>,
    pieces: Vec<TextPiece>,
    /// Whether text goes on with the last piece.
    is_in_piece: bool,
    /// Whether the next piece is separated from it.
    is_separate: bool,
    /// Whether a block begins with the next piece.
    begins: bool,
    /// How many line ends there are in the source before `counted`.
    line: usize,
    counted: usize,
    /// The line on which the last piece ends so far.
    line_of_end: usize,
}

impl PageReader<'_, '_> {
    /// Returns the innermost open element.
    fn here(&self) -> Open {
        self.open.last().copied().unwrap_or_default()
    }

    /// Returns the line of a place in the source. Places come in their order, but for a few bytes.
    fn line_at(&mut self, place: usize) -> usize {
        if let Some(passed) = self.source.get(self.counted..place) {
            self.line += line_ends(passed);
            self.counted = place;
        }
        self.line
    }

    /// Notes a boundary that separates words.
    fn separate(&mut self) {
        self.is_in_piece = false;
        self.is_separate = true;
    }

    /// Closes the innermost open element.
    fn pop(&mut self) {
        let Some(closed) = self.open.pop() else {
            return;
        };
        self.counts[closed.name.bucket(BUCKETS)] -= 1;
        if closed.separates {
            self.separate();
        }
        self.begins |= closed.place.is_block;
        if closed.context != self.here().context {
            self.is_in_piece = false;
        }
        if closed.name == BUTTON
            && str::from_utf8(&self.text[self.start_of(closed.first)..]).is_ok_and(accepts)
        {
            self.leave_notice();
        }
        if closed.is_in_outline
            && let Some(outline) = &mut self.outline
        {
            outline.end();
        }
    }

    /// Returns where the text of an element begins that has this piece as its first one.
    fn start_of(&self, first: usize) -> usize {
        let piece = self.pieces.get(first);
        piece.map_or(self.text.len(), |piece| piece.start)
    }

    /// Sets apart the innermost open element that speaks of cookies, for it has a button that accepts them.
    fn leave_notice(&mut self) {
        let from = self.text.len().saturating_sub(MOST_OF_NOTICE);
        let Some(cookie) = last_cookie(&self.text[from..]) else {
            return;
        };
        let is_in = |open: &Open| self.start_of(open.first) <= from + cookie;
        let Some(above) = self.open.iter().rev().take(REACH).position(is_in) else {
            return;
        };
        let at = self.open.len() - 1 - above;
        let first = self.open[at].first;
        let is_page = |open: &Open| open.context.around || is_never_around(open.name);
        let has_headline = |piece: &TextPiece| piece.context.headline;
        if self.start_of(first) < from
            || self.open[at..].iter().any(is_page)
            || self.pieces[first..].iter().any(has_headline)
        {
            return;
        }
        let pieces = self.pieces[first..].iter_mut();
        let pieces = pieces.map(|piece| &mut piece.context);
        let open = self.open[at..].iter_mut().map(|open| &mut open.context);
        pieces.chain(open).for_each(|context| context.around = true);
    }

    /// Closes the nearest open element with one of these names, and all in it, unless it lies behind a border.
    fn close(&mut self, names: &[Name], is_border: impl Fn(&Open) -> bool) {
        if names
            .iter()
            .all(|name| self.counts[name.bucket(BUCKETS)] == 0)
        {
            return;
        }
        let near = self.open.iter().rev().take(REACH);
        for (depth, open) in near.enumerate() {
            if names.contains(&open.name) {
                for _ in 0..=depth {
                    self.pop();
                }
                return;
            }
            if is_border(open) {
                return;
            }
        }
    }

    /// Closes the elements that a start tag ends without an end tag.
    fn close_before(&mut self, name: &[u8], properties: Properties) {
        if properties.has(Properties::HTML_ONLY) {
            while self.here().is_foreign {
                self.pop();
            }
        }
        for ending in ended_by(name, properties) {
            // A paragraph around a picture goes on behind the content of the picture.
            self.close(&ending.ended, |open| {
                ending.within.contains(&open.name) || open.name == FOREIGN_OBJECT
            });
        }
    }

    /// Returns the element of a start tag, with its properties.
    fn opened(&mut self, tag: &Tag, properties: Properties) -> Open {
        let name = tag.name.as_slice();
        let above = self.here();
        let outer = above.context;
        let is_svg = name == b"svg";
        // The labels of a picture are no part of an article.
        let around = outer.around
            || is_svg
            || is_around(tag, properties, above.is_in_section, above.is_in_article);
        let mut article = outer.article;
        if article == 0 && name == b"article" && !around {
            self.articles = self.articles.saturating_add(1);
            article = self.articles;
        }
        // The content of a `foreignObject` is HTML again.
        let is_foreign =
            (above.is_foreign || is_svg || name == b"math") && name != b"foreignobject";
        let is_in_article = above.is_in_article || name == b"article" || says_main(tag);
        Open {
            name: Name::new(name),
            is_scope: properties.has(Properties::SCOPE),
            is_unseen: above.is_unseen
                || is_unseen(tag, properties)
                || is_line_number(tag, outer.preformatted)
                || (above.is_foreign && is_unseen_of_foreign(tag)),
            is_hidden: above.is_hidden || (!self.shows_hidden && is_hidden(tag)),
            is_foreign,
            is_drawn: is_foreign && (is_svg || (above.is_drawn && name != b"text")),
            is_in_article,
            is_in_section: above.is_in_section || is_in_article || name == b"section",
            separates: properties.has(Properties::SEPARATES) || (above.is_foreign && is_label(tag)),
            is_in_outline: false,
            first: self.pieces.len(),
            place: kind_of(name, properties, above.place),
            context: Context {
                around,
                link: outer.link || (name == b"a" && tag.get("href").is_some()),
                main: outer.main || is_main(tag),
                article,
                title: outer.title || matches!(name, b"title" | b"h1"),
                headline: outer.headline || name == b"h1",
                preformatted: outer.preformatted
                    || matches!(name, b"pre" | b"textarea" | b"listing"),
            },
        }
    }

    /// Adds text that begins on a line.
    fn push(&mut self, bytes: &[u8], line: usize, context: Context) {
        if !self.is_in_piece {
            self.pieces.push(TextPiece {
                start: self.text.len(),
                line,
                is_separate: self.is_separate,
                begins: self.begins,
                kind: self.here().place.kind,
                context,
            });
            self.is_in_piece = true;
            self.is_separate = false;
            self.begins = false;
            if let Some(outline) = &mut self.outline {
                outline.mark();
            }
        }
        self.text.extend_from_slice(bytes);
    }

    /// Adds the alternative text of a picture, whose tag ends at a place.
    fn alternative(&mut self, tag: &Tag, end: usize, context: Context) {
        let line = self.line_at(end);
        let Some(alt) = tag.get("alt").filter(|alt| !alt.trim_ascii().is_empty()) else {
            return;
        };
        let alt: Vec<u8> = alt.iter().map(on_one_line).collect();
        self.push(&alt, line, context);
        self.line_of_end = line;
        self.separate();
    }
}

impl Sink for PageReader<'_, '_> {
    fn start(&mut self, tag: &Tag, end: usize) {
        let properties = properties(&tag.name);
        self.close_before(&tag.name, properties);
        let above = self.here();
        if ends_row(&tag.name) {
            for open in self.open.iter_mut().rev().take(REACH) {
                open.place.leave_row();
            }
        }
        let mut element = self.opened(tag, properties);
        self.begins |= element.place.is_block;
        if element.separates {
            self.separate();
        }
        if element.context != above.context {
            self.is_in_piece = false;
        }
        let is_out_of_sight = element.is_unseen || element.is_hidden;
        if tag.name == b"img" && !is_out_of_sight && !above.is_foreign {
            self.alternative(tag, end, element.context);
        }
        if properties.has(Properties::VOID) && !above.is_foreign {
            return;
        }
        if tag.is_closed {
            return;
        }
        if let Some(outline) = &mut self.outline
            && element.separates
        {
            outline.start(tag);
            element.is_in_outline = true;
        }
        self.counts[element.name.bucket(BUCKETS)] += 1;
        self.open.push(element);
    }

    fn end(&mut self, name: &[u8]) {
        let properties = properties(name);
        if properties.has(Properties::SEPARATES) {
            self.separate();
        }
        // Some pages go on after these tags.
        if matches!(name, b"body" | b"html") {
            return;
        }
        let leaves_scope = properties.has(Properties::TABLE);
        self.close(&[Name::new(name)], |open| open.is_scope && !leaves_scope);
    }

    fn text(&mut self, text: &Text<'_>) {
        let here = self.here();
        if here.is_unseen || here.is_drawn || text.bytes.is_empty() {
            return;
        }
        if here.is_hidden {
            if here.context.counts() {
                self.hidden += weight(text.bytes);
            }
            return;
        }
        let start = self.line_at(text.start);
        let within = if text.is_literal {
            self.line_at(text.start + text.bytes.len()) - start
        } else {
            0
        };
        if !self.is_in_piece && text.bytes.trim_ascii().is_empty() {
            // It may be a space between two words. It is no piece of its own.
            self.is_separate = true;
            return;
        }
        // The source between the parts of a piece may have lines of its own: a comment, a tag.
        if self.is_in_piece && start != self.line_of_end {
            self.is_in_piece = false;
        }
        self.line_of_end = start + within;
        if text.is_literal {
            self.push(text.bytes, start, here.context);
        } else {
            let bytes: Vec<u8> = text.bytes.iter().map(on_one_line).collect();
            self.push(&bytes, start, here.context);
        }
    }

    fn is_foreign(&self) -> bool {
        self.here().is_foreign
    }
}

/// Makes a space of a line end that is on one line of the source.
fn on_one_line(byte: &u8) -> u8 {
    if *byte == b'\n' { b' ' } else { *byte }
}
