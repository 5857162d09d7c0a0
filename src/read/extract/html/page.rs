//! A page as pieces of text in their order, each with its line and what it is.

use crate::read::extract::html::blocks::is_block;
use crate::read::extract::html::elements::{
    FOREIGN_OBJECT, Name, ends_foreign, is_around, is_label, is_main, is_scope, is_unseen,
    is_unseen_of_foreign, is_void,
};
use crate::read::extract::html::endings::{Ending, ended_by};
use crate::read::extract::html::outline::Outline;
use crate::read::extract::html::tokens::{Sink, Syntax, Tag, Text, tokens};
use crate::read::extract::line_ends;

/// How many open elements are searched for the one that an end tag means. Pages nest some tens deep; without a
/// limit a hostile one would take time that grows with its square.
const REACH: usize = 128;

/// How many counters of open elements there are: enough for the names of a page.
const BUCKETS: usize = 256;

/// Text without any boundary in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Where it begins in the text of the page. It goes on to the next piece.
    pub(super) start: usize,
    /// The line it begins on, from 0.
    pub(super) line: usize,
    /// What it is.
    pub(super) is: Is,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Is {
    /// Separated from the piece before by the end of a block.
    pub(super) separate: bool,
    /// Part of the site, not of the article.
    pub(super) around: bool,
    /// In the title of the page, or in a heading of the first rank.
    pub(super) title: bool,
    /// In a link.
    pub(super) link: bool,
    /// In what the page marks as its main part.
    pub(super) main: bool,
    /// The number of the outermost `article` it is in, from 1; 0 if it is in none.
    pub(super) article: u32,
    /// As it stands: white space counts.
    pub(super) preformatted: bool,
}

/// A page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// All that a reader sees, decoded. Line ends are those of the source.
    pub(super) text: String,
    /// The pieces of it.
    pub(super) pieces: Vec<Piece>,
    /// Whether something separates the last piece from what may follow.
    pub(super) ends_separate: bool,
}

impl Page {
    /// Takes the source of a page or of a part of one, how it is written, and what is told of its structure as it is
    /// read.
    pub(super) fn read(source: &str, syntax: Syntax, outline: Option<&mut Outline>) -> Self {
        let mut reader = Reader {
            source: source.as_bytes(),
            outline,
            open: Vec::new(),
            articles: 0,
            counts: [0; BUCKETS],
            text: Vec::with_capacity(source.len() / 4),
            pieces: Vec::new(),
            is_in_piece: false,
            is_separate: false,
            line: 0,
            counted: 0,
            line_of_end: 0,
        };
        tokens(source, syntax, &mut reader);
        let text = reader.text;
        Self {
            text: String::from_utf8(text)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            pieces: reader.pieces,
            ends_separate: reader.is_separate,
        }
    }

    /// The pieces with their texts.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (&Piece, &str)> {
        let starts = self.pieces.iter().skip(1).map(|piece| piece.start);
        let ends = starts.chain([self.text.len()]);
        let text = |(piece, end): (&Piece, usize)| self.text.get(piece.start..end).unwrap_or("");
        self.pieces
            .iter()
            .zip(ends)
            .map(move |both| (both.0, text(both)))
    }
}

/// An open element, and what holds for all in it.
#[derive(Debug, Clone, Copy)]
struct Open {
    name: Name,
    is_unseen: bool,
    is_foreign: bool,
    /// In a drawing, in which only the elements for text have any.
    is_drawn: bool,
    /// In an article, or in the main part of the page.
    is_in_article: bool,
    /// In one of these, or in a section of whatever it is.
    is_in_section: bool,
    is_block: bool,
    is_outlined: bool,
    is: Is,
}

struct Reader<'s, 'o> {
    source: &'s [u8],
    outline: Option<&'o mut Outline>,
    open: Vec<Open>,
    /// How many outermost articles there have been.
    articles: u32,
    /// How many are open by the buckets of their names: none, and there is no need to search.
    counts: [usize; BUCKETS],
    text: Vec<u8>,
    pieces: Vec<Piece>,
    /// Whether text goes on with the last piece.
    is_in_piece: bool,
    /// Whether the next piece is separated from it.
    is_separate: bool,
    /// How many line ends there are in the source before `counted`.
    line: usize,
    counted: usize,
    /// The line on which the last piece ends so far.
    line_of_end: usize,
}

impl Reader<'_, '_> {
    /// What holds where we are.
    fn here(&self) -> Open {
        self.open.last().copied().unwrap_or(Open {
            name: Name::new(b""),
            is_unseen: false,
            is_foreign: false,
            is_drawn: false,
            is_in_article: false,
            is_in_section: false,
            is_block: false,
            is_outlined: false,
            is: Is::default(),
        })
    }

    /// The line of a place in the source. Places come in their order, but for a few bytes.
    fn line_at(&mut self, place: usize) -> usize {
        if let Some(passed) = self.source.get(self.counted..place) {
            self.line += line_ends(passed);
            self.counted = place;
        }
        self.line
    }

    /// A boundary that separates words.
    fn separate(&mut self) {
        self.is_in_piece = false;
        self.is_separate = true;
    }

    /// Closes the last of the open elements.
    fn pop(&mut self) {
        let Some(closed) = self.open.pop() else {
            return;
        };
        self.counts[closed.name.bucket(BUCKETS)] -= 1;
        if closed.is_block {
            self.separate();
        }
        if closed.is != self.here().is {
            self.is_in_piece = false;
        }
        if closed.is_outlined {
            self.is_in_piece = false;
            if let Some(outline) = &mut self.outline {
                outline.end();
            }
        }
    }

    /// Closes the nearest open element with one of these names, and all in it, unless it lies behind a border.
    fn close(&mut self, names: &[Name], is_border: impl Fn(Name) -> bool) {
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
            if is_border(open.name) {
                return;
            }
        }
    }

    /// Adds text that begins on a line.
    fn push(&mut self, bytes: &[u8], line: usize, is: Is) {
        if !self.is_in_piece {
            self.pieces.push(Piece {
                start: self.text.len(),
                line,
                is: Is {
                    separate: self.is_separate,
                    ..is
                },
            });
            self.is_in_piece = true;
            self.is_separate = false;
            if let Some(outline) = &mut self.outline {
                outline.mark(self.pieces.len() - 1, is);
            }
        }
        self.text.extend_from_slice(bytes);
        if let Some(outline) = &mut self.outline {
            outline.text(bytes, is);
        }
    }

    /// A text that an attribute has for a picture.
    fn alternative(&mut self, tag: &Tag, line: usize, is: Is) {
        let Some(alt) = tag.get("alt").filter(|alt| !alt.trim_ascii().is_empty()) else {
            return;
        };
        let alt: Vec<u8> = alt.iter().map(on_one_line).collect();
        self.push(&alt, line, is);
        self.line_of_end = line;
        self.separate();
    }
}

impl Sink for Reader<'_, '_> {
    fn start(&mut self, tag: &Tag, end: usize) {
        let name = tag.name.as_slice();
        if ends_foreign(name) {
            while self.here().is_foreign {
                self.pop();
            }
        }
        for Ending { ended, within } in ended_by(name) {
            // A paragraph around a picture goes on behind what stands in the picture.
            self.close(ended, |name| {
                within.contains(&name) || name == FOREIGN_OBJECT
            });
        }
        let above = self.here();
        let is_block = is_block(name) || (above.is_foreign && is_label(tag));
        if is_block {
            self.separate();
        }
        // The labels of a picture are no part of an article.
        let is_svg = name == b"svg";
        let is_around =
            above.is.around || is_svg || is_around(tag, above.is_in_section, above.is_in_article);
        let article = if above.is.article == 0 && name == b"article" && !is_around {
            self.articles = self.articles.saturating_add(1);
            self.articles
        } else {
            above.is.article
        };
        let is = Is {
            separate: false,
            around: is_around,
            link: above.is.link || (name == b"a" && tag.get("href").is_some()),
            main: above.is.main || is_main(tag),
            article,
            title: above.is.title || matches!(name, b"title" | b"h1"),
            preformatted: above.is.preformatted
                || matches!(name, b"pre" | b"textarea" | b"listing"),
        };
        if is != above.is {
            self.is_in_piece = false;
        }
        let is_unseen =
            above.is_unseen || is_unseen(tag) || (above.is_foreign && is_unseen_of_foreign(tag));
        if name == b"img" && !is_unseen && !above.is_foreign {
            let line = self.line_at(end);
            self.alternative(tag, line, is);
        }
        // What stands in a `foreignObject` is HTML again.
        let is_foreign =
            (above.is_foreign || is_svg || name == b"math") && name != b"foreignobject";
        let is_drawn = is_foreign && (is_svg || (above.is_drawn && name != b"text"));
        if is_void(name) && !above.is_foreign {
            if let Some(outline) = &mut self.outline {
                outline.void(tag, is.around || is_unseen);
            }
            return;
        }
        if tag.is_closed {
            return;
        }
        let is_outlined = match &mut self.outline {
            Some(outline) => outline.start(tag, is.around || is_unseen || is_foreign),
            None => false,
        };
        if is_outlined {
            self.is_in_piece = false;
        }
        let packed = Name::new(name);
        self.counts[packed.bucket(BUCKETS)] += 1;
        self.open.push(Open {
            name: packed,
            is_unseen,
            is_foreign,
            is_drawn,
            is_in_article: above.is_in_article || matches!(name, b"article" | b"main"),
            is_in_section: above.is_in_section || matches!(name, b"article" | b"main" | b"section"),
            is_block,
            is_outlined,
            is,
        });
    }

    fn end(&mut self, name: &[u8]) {
        if is_block(name) {
            self.separate();
        }
        // A page ends where it ends: some go on after these tags.
        if matches!(name, b"body" | b"html") {
            return;
        }
        let wanted = Name::new(name);
        let is_border = |open| is_scope(open) && !is_part_of_table(name);
        self.close(&[wanted], is_border);
    }

    fn text(&mut self, text: &Text<'_>) {
        let here = self.here();
        if here.is_unseen || here.is_drawn || text.bytes.is_empty() {
            return;
        }
        let start = self.line_at(text.start);
        let within = if text.is_literal {
            self.line_at(text.start + text.bytes.len()) - start
        } else {
            0
        };
        if !self.is_in_piece && text.bytes.trim_ascii().is_empty() && !self.is_separate {
            // A space between two words, perhaps; no piece of its own.
            self.is_separate = true;
            return;
        }
        if !self.is_in_piece && text.bytes.trim_ascii().is_empty() {
            return;
        }
        // What stands between the parts of a piece may have lines of its own: a comment, a tag.
        if self.is_in_piece && start != self.line_of_end {
            self.is_in_piece = false;
        }
        self.line_of_end = start + within;
        if text.is_literal {
            self.push(text.bytes, start, here.is);
        } else {
            let bytes: Vec<u8> = text.bytes.iter().map(on_one_line).collect();
            self.push(&bytes, start, here.is);
        }
    }

    fn is_foreign(&self) -> bool {
        self.here().is_foreign
    }
}

/// A line end that is none in the source.
fn on_one_line(byte: &u8) -> u8 {
    if *byte == b'\n' { b' ' } else { *byte }
}

/// End tags that close whatever is open in a cell.
fn is_part_of_table(name: &[u8]) -> bool {
    matches!(
        name,
        b"table" | b"tbody" | b"thead" | b"tfoot" | b"tr" | b"td" | b"th" | b"caption"
    )
}
