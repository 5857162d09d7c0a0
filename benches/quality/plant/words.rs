//! The words of a page, and their replacement by words of other pages.

use std::collections::BTreeMap;

use dupfind_engine::text::tokenize::jieba_words;

use super::random::Random;

/// A page cut into pieces that make the page again when they are joined.
#[derive(Debug)]
pub(crate) struct Pieces<'t> {
    pieces: Vec<&'t str>,
    /// Which pieces are words.
    words: Vec<usize>,
}

/// What a word must have in common with the one it replaces: its script and, roughly, its
/// length. Otherwise a replaced page would look like no page at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    han: bool,
    length: u8,
}

/// The words of all pages by their kind, each as often as it occurs, so that frequent words are
/// drawn more often than rare ones.
#[derive(Debug)]
pub(crate) struct Vocabulary<'t> {
    words: BTreeMap<Kind, Vec<(usize, &'t str)>>,
}

/// Cuts a page: Chinese with jieba, everything else at white space, without the punctuation around a
/// word.
pub(crate) fn cut(text: &str) -> Pieces<'_> {
    let pieces = if is_chinese(text) {
        at_words_of_jieba(text)
    } else {
        at_white_space(text)
    };
    let words = pieces.iter().enumerate();
    let words = words.filter(|(_, piece)| piece.contains(char::is_alphabetic));
    Pieces {
        words: words.map(|(at, _)| at).collect(),
        pieces,
    }
}

/// Whether Han makes up at least a tenth of the letters: technical pages are full of Latin words. With
/// kana in it, it is Japanese, which jieba cannot cut.
pub(crate) fn is_chinese(text: &str) -> bool {
    let count = |test: fn(char) -> bool| text.chars().filter(|&c| test(c)).count();
    let han = count(is_han);
    let kana = count(|c| ('\u{3041}'..='\u{30ff}').contains(&c));
    han * 10 >= count(char::is_alphabetic).max(1) && kana * 10 < han
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn at_words_of_jieba(text: &str) -> Vec<&str> {
    let (mut pieces, mut end) = (Vec::new(), 0);
    jieba_words(text, |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        pieces.extend([&text[end..start], word]);
        end = start + word.len();
    });
    pieces.push(&text[end..]);
    pieces
}

fn at_white_space(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    for piece in text.split_inclusive(char::is_whitespace) {
        let rest = piece.trim_start_matches(|c: char| !c.is_alphanumeric());
        let core = rest.trim_end_matches(|c: char| !c.is_alphanumeric());
        let before = &piece[..piece.len() - rest.len()];
        let after = &rest[core.len()..];
        pieces.extend(
            [before, core, after]
                .into_iter()
                .filter(|part| !part.is_empty()),
        );
    }
    pieces
}

fn kind(word: &str) -> Kind {
    let length = word.chars().count();
    let han = word.contains(is_han);
    let length = match length {
        1 => 0,
        2 => 1,
        3..=5 => 2,
        6..=9 => 3,
        _ => 4,
    };
    Kind { han, length }
}

impl<'t> Vocabulary<'t> {
    /// Takes the pages; their positions tell them apart.
    pub(crate) fn of(pages: &[Pieces<'t>]) -> Self {
        let mut words: BTreeMap<Kind, Vec<(usize, &'t str)>> = BTreeMap::new();
        for (page, Pieces { pieces, words: at }) in pages.iter().enumerate() {
            for word in at.iter().map(|&at| pieces[at]) {
                words.entry(kind(word)).or_default().push((page, word));
            }
        }
        Self { words }
    }

    /// Another word of the same kind and from another page; the same word if none is found.
    fn draw(&self, page: usize, word: &'t str, random: &mut Random) -> &'t str {
        /// In a folder of a few pages there may be no other.
        const ATTEMPTS: usize = 64;
        let Some(words) = self.words.get(&kind(word)) else {
            return word;
        };
        let draws = (0..ATTEMPTS).map(|_| *random.pick(words));
        let mut others = draws.filter(|&(other, drawn)| other != page && drawn != word);
        others.next().map_or(word, |(_, drawn)| drawn)
    }

    /// The page with another word for so many percent of its different words, the same one wherever the word is.
    pub(crate) fn with_synonyms(
        &self,
        page: usize,
        pieces: &Pieces<'t>,
        percent: usize,
        random: &mut Random,
    ) -> String {
        let words = pieces.words.iter().map(|&at| pieces.pieces[at]);
        let mut synonyms: BTreeMap<&str, &str> = words.map(|word| (word, word)).collect();
        for (word, synonym) in &mut synonyms {
            if random.below(100) < percent {
                *synonym = self.draw(page, word, random);
            }
        }
        let other = |piece: &&'t str| synonyms.get(piece).copied().unwrap_or(piece);
        pieces.pieces.iter().map(other).collect()
    }

    /// The page with so many percent of its words replaced, at least one.
    pub(crate) fn replace(
        &self,
        page: usize,
        pieces: &Pieces<'t>,
        percent: usize,
        random: &mut Random,
    ) -> String {
        let mut at = pieces.words.clone();
        random.shuffle(&mut at);
        at.truncate(((at.len() * percent + 50) / 100).max(1));
        let mut replaced = pieces.pieces.clone();
        for at in at {
            replaced[at] = self.draw(page, replaced[at], random);
        }
        replaced.concat()
    }
}
