//! Cuts stretches of text into words as jieba-rs does, many short ones at a time.
//!
//! jieba cuts a text at each character that is in no word of its kind. In each block between two of them it takes the
//! most probable sequence of words of its dictionary, and of two that are equally probable the one with the longer word
//! first. Then each run of single characters is cut by its hidden Markov model, unless the run is a word.

use std::sync::LazyLock;

use jieba_rs::Jieba;

use crate::text::lexicon::{BOUNDARY, Node, code, weight_of_strange};
use crate::text::script::{Class, class, has_runs};

/// jieba without words. It cuts by its hidden Markov model alone.
static HIDDEN_MARKOV: LazyLock<Jieba> = LazyLock::new(Jieba::empty);

/// How many characters are cut at a time, and those of the rest of a block. They fit into the nearest cache.
const AT_A_TIME: usize = 512;

/// A character of a block, or the text between two blocks.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Where it starts in the text, in bytes. It ends where the next cell starts.
    start: usize,
    kind: Kind,
    /// The code of the character, or [`BOUNDARY`] between blocks.
    code: u16,
    /// How many characters the best word from here has.
    size: u8,
    /// Whether this word is in the dictionary.
    is_known: bool,
    /// The prefix of this character and the next one, if it ends with the next one.
    two: Node,
    /// The sum of the weights of the best words from here to the end of the block.
    best: f64,
}

/// How a cell is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It is cut into words with its neighbours.
    Cut,
    /// It is a word.
    Word(Source),
    /// It separates words.
    Separator,
}

/// Where a word comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// From a stretch.
    Stretch,
    /// It was given as a word.
    Given,
}

/// Receives stretches and words in the order of a text, and hands on the words of both in this order.
pub(crate) struct Stretches<'t, F> {
    text: &'t str,
    cells: Vec<Cell>,
    word: F,
}

impl<'t, F: FnMut(&'t str, Source)> Stretches<'t, F> {
    /// Returns the cutter of a text. It calls `word` with each word that has a letter, ideograph or digit.
    pub(crate) fn of(text: &'t str, word: F) -> Self {
        Self {
            text,
            cells: Vec::new(),
            word,
        }
    }

    /// Adds a stretch of the text, in bytes, that is to be cut.
    pub(crate) fn cut(&mut self, start: usize, end: usize) {
        if self.cells.capacity() == 0 {
            // Most texts have fewer bytes than three a character.
            self.cells.reserve((self.text.len() / 3).min(AT_A_TIME) + 2);
        }
        for (at, character) in self.text[start..end].char_indices() {
            let kind = match code(character) {
                BOUNDARY if class(character) == Class::Separator => Kind::Separator,
                BOUNDARY => Kind::Word(Source::Stretch),
                code => {
                    self.push(start + at, Kind::Cut, code);
                    continue;
                }
            };
            self.push(start + at, kind, BOUNDARY);
            if self.cells.len() >= AT_A_TIME {
                self.push(start + at + character.len_utf8(), Kind::Separator, BOUNDARY);
                self.finish();
            }
        }
        self.push(end, Kind::Separator, BOUNDARY);
        if self.cells.len() >= AT_A_TIME {
            self.finish();
        }
    }

    /// Adds a word of the text, in bytes, that is not to be cut.
    pub(crate) fn word(&mut self, start: usize, end: usize) {
        if self.cells.is_empty() {
            (self.word)(&self.text[start..end], Source::Given);
        } else {
            self.push(start, Kind::Word(Source::Given), BOUNDARY);
            self.push(end, Kind::Separator, BOUNDARY);
        }
    }

    #[inline]
    fn push(&mut self, start: usize, kind: Kind, code: u16) {
        self.cells.push(Cell {
            start,
            kind,
            code,
            size: 1,
            is_known: false,
            two: Node::NONE,
            best: 0.0,
        });
    }

    /// Hands on the words of all that was added.
    pub(crate) fn finish(&mut self) {
        find_pairs(&mut self.cells);
        find_best(&mut self.cells);
        let mut at = 0;
        // Where the run of single characters before the next cell starts.
        let mut run = 0;
        while let Some(&cell) = self.cells.get(at) {
            if cell.kind == Kind::Cut && cell.size == 1 {
                at += 1;
                continue;
            }
            self.hand_on_run(run, at);
            let end = at + usize::from(cell.size);
            match cell.kind {
                Kind::Cut => self.hand_on(at, end, Source::Stretch),
                Kind::Word(source) => self.hand_on(at, end, source),
                Kind::Separator => {}
            }
            (at, run) = (end, end);
        }
        self.cells.clear();
    }

    /// Hands on the words of a run of single characters. jieba's guesses may be signs alone.
    fn hand_on_run(&mut self, from: usize, to: usize) {
        if to > from + 1 && !is_word(&self.cells[from..to]) {
            let run = self.piece(from, to);
            for piece in HIDDEN_MARKOV.cut(run, true) {
                if has_runs(piece.word) {
                    (self.word)(piece.word, Source::Stretch);
                }
            }
            return;
        }
        for at in from..to {
            if self.cells[at].is_known || has_runs(self.piece(at, at + 1)) {
                self.hand_on(at, at + 1, Source::Stretch);
            }
        }
    }

    #[inline]
    fn hand_on(&mut self, from: usize, to: usize, source: Source) {
        let word = self.piece(from, to);
        (self.word)(word, source);
    }

    /// Returns the text from one cell to another.
    #[inline]
    fn piece(&self, from: usize, to: usize) -> &'t str {
        &self.text[self.cells[from].start..self.cells[to].start]
    }
}

/// Finds the prefix of each two neighbours. None waits for another, so the processor fetches many of them at once.
fn find_pairs(cells: &mut [Cell]) {
    let mut next = BOUNDARY;
    for cell in cells.iter_mut().rev() {
        cell.two = Node::of(cell.code).longer(next);
        next = cell.code;
    }
}

/// Finds the best word from each character on. jieba computes the same sums in the same order.
fn find_best(cells: &mut [Cell]) {
    for at in (0..cells.len()).rev() {
        let cell = cells[at];
        if cell.code == BOUNDARY {
            continue;
        }
        let (mut best, mut size) = (f64::NEG_INFINITY, 0);
        let mut node = Node::of(cell.code);
        let mut next = cell.two;
        for end in at + 1.. {
            let Some(after) = cells.get(end) else {
                break;
            };
            // The weight of a prefix that is no word is no number, so no comparison with it holds.
            let sum = node.weight() + after.best;
            if sum >= best {
                (best, size) = (sum, end - at);
            }
            if !next.ends_with(after.code) {
                break;
            }
            node = next;
            next = cells
                .get(end + 1)
                .map_or(Node::NONE, |after| node.longer(after.code));
        }
        let cell = &mut cells[at];
        if size == 0 {
            let after = cells.get(at + 1).map_or(0.0, |after| after.best);
            cells[at].best = weight_of_strange() + after;
        } else {
            cell.best = best;
            cell.size = u8::try_from(size).unwrap_or(1);
            cell.is_known = true;
        }
    }
}

/// Whether the characters of some cells are a word.
fn is_word(cells: &[Cell]) -> bool {
    let mut node = cells.first().map_or(Node::NONE, |first| first.two);
    for (at, cell) in cells.iter().enumerate().skip(1) {
        if !node.ends_with(cell.code) {
            return false;
        }
        if let Some(next) = cells.get(at + 1) {
            node = node.longer(next.code);
        }
    }
    node.is_word()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lexicon::reference::jieba;
    use crate::text::lexicon::tests::ALL;
    use crate::text::tokenize::jieba_words;
    use proptest::prelude::*;

    static REFERENCE: LazyLock<Jieba> = LazyLock::new(jieba);

    /// The words of jieba-rs that have a letter, ideograph or digit, with their places in the text.
    fn expected(text: &str) -> Vec<(usize, &str)> {
        let tokens = REFERENCE.cut(text, true);
        let words = tokens.iter().map(|token| (token.byte_start, token.word));
        words.filter(|(_, word)| has_runs(word)).collect()
    }

    /// The words of the engine, with their places in the text.
    fn found(text: &str) -> Vec<(usize, &str)> {
        let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let mut words = Vec::new();
        jieba_words(text, |word| words.push((place(word), word)));
        words
    }

    #[test]
    fn all_words_are_cut_as_by_jieba() {
        for words in ALL.chunks(1000) {
            let text = words.concat();
            assert_eq!(found(&text), expected(&text));
        }
    }

    #[test]
    fn blocks_of_any_length_are_cut_as_by_jieba() {
        let sentence = "我来到北京清华大学很高兴，第3c号\r\n使用docker部署龘龘龘γ射线𠀀\u{323b0}々";
        for size in [0, 1, AT_A_TIME - 1, AT_A_TIME, AT_A_TIME + 1, 3 * AT_A_TIME] {
            let block = sentence.chars().filter(|c| class(*c) == Class::Han);
            let block: String = block.collect();
            for text in [sentence, &block] {
                let text: String = text.chars().cycle().take(size).collect();
                assert_eq!(found(&text), expected(&text));
            }
        }
    }

    #[test]
    fn stretches_and_words_keep_their_order() {
        let text = "中国 one 人民 two";
        let mut words = Vec::new();
        let mut stretches = Stretches::of(text, |word, source| words.push((word, source)));
        stretches.cut(0, 6);
        stretches.word(7, 10);
        stretches.cut(11, 17);
        stretches.finish();
        stretches.word(18, 21);
        let (stretch, given) = (Source::Stretch, Source::Given);
        let expected = [
            ("中国", stretch),
            ("one", given),
            ("人民", stretch),
            ("two", given),
        ];
        assert_eq!(words, expected);
    }

    proptest! {
        /// Parts of words are unknown words as often as not.
        #[test]
        fn words_and_parts_of_words_are_cut_as_by_jieba(
            words in prop::collection::vec((0..ALL.len(), 0..4_usize, "[a-c中国1.%+\u{20000}\u{10ffff}。]{0,2}"), 1..60),
        ) {
            let mut text = String::new();
            for (word, cut, between) in words {
                text.extend(ALL[word].chars().skip(cut / 2));
                text.push_str(&between);
            }
            prop_assert_eq!(found(&text), expected(&text));
        }

        #[test]
        fn any_text_is_cut_as_by_jieba(text in "\\PC{0,80}", han in "[\u{4e00}-\u{9fff}]{0,80}", rare in "[\u{3000}-\u{ffef}\r\n.]{0,40}") {
            for text in [text, han, rare] {
                prop_assert_eq!(found(&text), expected(&text));
            }
        }
    }
}
