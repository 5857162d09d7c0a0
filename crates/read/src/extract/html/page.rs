//! A page as pieces of text in their order, each with its line and its context; and the text in which each is on its line.

use crate::extract::{MarkedText, line_ends, push_line_ends};
use dupfind_engine::text::blocks::{BlockKind, Marks};

/// Text without any boundary in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextPiece {
    /// Where it begins in the text of the page. It goes on to the next piece.
    pub(super) start: usize,
    /// The line on which it begins, from 0.
    pub(super) line: usize,
    /// Whether the end of a block, or white space, separates it from the piece before.
    pub(super) is_separate: bool,
    /// Whether a block begins with it, and the kind of the block.
    pub(super) begins: bool,
    pub(super) kind: BlockKind,
    pub(super) context: Context,
}

/// The elements around a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Context {
    /// In a part of the site that is around the article.
    pub(super) around: bool,
    /// In the title of the page, or in a heading of the first rank.
    pub(super) title: bool,
    /// In a heading of the first rank.
    pub(super) headline: bool,
    /// In a link.
    pub(super) link: bool,
    /// In the part that the page marks as its main part.
    pub(super) main: bool,
    /// The number of the outermost `article` around it, from 1; 0 if there is none.
    pub(super) article: u32,
    /// In text whose white space counts.
    pub(super) preformatted: bool,
}

impl Context {
    /// Returns whether text here is text of the page itself: no link, nothing around the article.
    pub(super) fn counts(self) -> bool {
        !self.around && !self.link
    }
}

/// Returns the amount of a text, in bytes without white space. A Chinese character has three bytes, and half as much
/// meaning as an English word of six.
pub(super) fn weight(text: &[u8]) -> usize {
    text.iter().filter(|b| !b.is_ascii_whitespace()).count()
}

/// A page.
#[derive(Debug, Default)]
pub(super) struct WebPage {
    /// All that a reader sees, decoded. Line ends are those of the source.
    pub(super) text: String,
    pub(super) pieces: Vec<TextPiece>,
    /// How much text its elements hide, in bytes without white space: neither links nor parts around the article.
    pub(super) hidden: usize,
    /// Whether something separates the last piece from what may follow.
    pub(super) ends_separate: bool,
}

impl WebPage {
    /// Returns how much text it shows, as [`WebPage::hidden`] counts it.
    pub(super) fn shown(&self) -> usize {
        let counted = self.pieces().filter(|(piece, _)| piece.context.counts());
        counted.map(|(_, text)| weight(text.as_bytes())).sum()
    }

    /// Returns what its reader takes for its title: the only heading of the first rank, or the one that the element `title`
    /// begins with; or else that element.
    pub(super) fn title(&self) -> Option<String> {
        let mut titles: [Vec<String>; 2] = [Vec::new(), Vec::new()];
        let mut last = None;
        for (piece, text) in self.pieces() {
            let Context {
                title,
                headline,
                around,
                ..
            } = piece.context;
            let of = (title && !around).then_some(usize::from(headline));
            if let Some(of) = of {
                if last != Some(of) || piece.begins {
                    titles[of].push(String::new());
                }
                if let Some(title) = titles[of].last_mut() {
                    title.push_str(if piece.is_separate { " " } else { "" });
                    title.push_str(text);
                }
            }
            last = of;
        }
        let [of_page, mut headlines] = titles.map(|mut titles| {
            for title in &mut titles {
                *title = title.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            titles.retain(|title| !title.is_empty());
            titles
        });
        let of_page = of_page.into_iter().next();
        let begins =
            |headline: &String| of_page.as_ref().is_some_and(|of| of.starts_with(headline));
        match headlines.iter().position(begins) {
            Some(at) => Some(headlines.swap_remove(at)),
            None if headlines.len() == 1 || of_page.is_none() => headlines.into_iter().next(),
            None => of_page,
        }
    }

    /// Returns the pieces with their texts.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (&TextPiece, &str)> {
        let starts = self.pieces.iter().skip(1).map(|piece| piece.start);
        let ends = starts.chain([self.text.len()]);
        self.pieces.iter().zip(ends).map(|(piece, end)| {
            let text = self.text.get(piece.start..end).unwrap_or("");
            (piece, text)
        })
    }
}

/// Returns the text of the pieces of a page that count. It has as many lines as the source.
pub(super) fn render(
    page: &WebPage,
    source: &str,
    mut counts: impl FnMut(usize, Context) -> bool,
) -> MarkedText {
    let lines = line_ends(source.as_bytes());
    let mut lay = Layer {
        out: String::with_capacity(page.text.len() + lines),
        line: 0,
        owed: 0,
        is_separate: false,
    };
    let mut marks = Marks::default();
    let mut begins = false;
    for (number, (piece, text)) in page.pieces().enumerate() {
        begins |= piece.begins;
        if !counts(number, piece.context) {
            lay.is_separate = true;
            continue;
        }
        if std::mem::take(&mut begins) {
            marks.begin(lay.out.len(), piece.kind);
        }
        lay.is_separate |= piece.is_separate;
        lay.owed = piece.line.saturating_sub(lay.line);
        if piece.context.preformatted {
            lay.as_it_is(text);
        } else {
            lay.words(text);
        }
    }
    lay.is_separate |= page.ends_separate;
    lay.owed = lines.saturating_sub(lay.line);
    lay.separate();
    MarkedText {
        text: lay.out,
        marks,
        title: None,
    }
}

struct Layer {
    out: String,
    /// The current line.
    line: usize,
    /// How many line ends come before the next word.
    owed: usize,
    /// Whether white space comes before the next word.
    is_separate: bool,
}

impl Layer {
    /// Writes the white space before a word.
    fn separate(&mut self) {
        if self.owed > 0 {
            self.line += self.owed;
            push_line_ends(self.owed, &mut self.out);
            self.owed = 0;
        } else if self.is_separate {
            self.out.push(' ');
        }
        self.is_separate = false;
    }

    /// Writes text whose white space does not count: one space between words is enough.
    fn words(&mut self, text: &str) {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.owed += 1;
                self.is_separate = true;
            }
            let mut rest = line;
            while !rest.is_empty() {
                let word = rest.trim_ascii_start();
                if word.len() < rest.len() {
                    self.is_separate = true;
                }
                let end = word.bytes().position(|byte| byte.is_ascii_whitespace());
                let (word, after) = word.split_at(end.unwrap_or(word.len()));
                if !word.is_empty() {
                    self.word(word);
                }
                rest = after;
            }
        }
    }

    /// Writes a word, which may go on with the one before.
    fn word(&mut self, word: &str) {
        let goes_on = self.owed > 0 && !self.is_separate && self.line_end_would_split(word);
        if goes_on {
            // The rest of the word stays with it, and the line ends after it.
            let end = word.find(|c| !is_of_word(c)).unwrap_or(word.len());
            let (rest, after) = word.split_at(end);
            self.out.push_str(rest);
            if !after.is_empty() {
                self.separate();
                self.out.push_str(after);
            }
            return;
        }
        self.separate();
        self.out.push_str(word);
    }

    /// Returns whether a line end at this place would split a word.
    fn line_end_would_split(&self, word: &str) -> bool {
        self.out.chars().next_back().is_some_and(is_of_word) && word.starts_with(is_of_word)
    }

    /// Writes text whose white space counts.
    fn as_it_is(&mut self, text: &str) {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.owed += 1;
                self.is_separate = true;
            }
            let line = line.trim_ascii_end();
            if !line.is_empty() {
                self.separate();
                self.out.push_str(line);
            }
        }
    }
}

/// Returns whether a character belongs to words with white space between them. Chinese and Japanese have no such
/// words.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() && !('\u{2e80}'..'\u{ac00}').contains(&c)
}
