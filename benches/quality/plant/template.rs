//! Pages of one template: the same headings and boilerplate, different content.

use super::random::Random;

/// A page cut into text that stays and text that is filled in anew.
#[derive(Debug)]
pub(crate) struct Template<'t> {
    /// Each piece with whether it is filled in.
    pieces: Vec<(&'t str, bool)>,
}

/// Sentences, which make the page again when they are joined. Line ends are sentences of their own.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    for line in text.split_inclusive('\n') {
        let words = line.trim_end_matches('\n');
        let mut start = 0;
        let mut letters = words.char_indices().peekable();
        while let Some((at, c)) = letters.next() {
            let ends = match c {
                '。' | '！' | '？' => true,
                '.' | '!' | '?' => letters.peek().is_some_and(|(_, next)| *next == ' '),
                _ => false,
            };
            if ends {
                let end = at + c.len_utf8();
                sentences.push(&words[start..end]);
                start = end;
            }
        }
        sentences.push(&words[start..]);
        sentences.push(&line[words.len()..]);
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// Whether a sentence can be content: no heading, no row of a table, no mere markup.
fn is_content(sentence: &str) -> bool {
    size(sentence) >= 8 && !sentence.starts_with(['#', '|', '+'])
}

/// How long a text is to a reader: rules of tables and other markup say nothing.
pub(crate) fn size(text: &str) -> usize {
    text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// How much of a page can be content.
pub(crate) fn content(text: &str) -> usize {
    let sentences = sentences(text).into_iter();
    sentences.filter(|text| is_content(text)).map(size).sum()
}

impl<'t> Template<'t> {
    /// Makes about half of a page places to be filled in.
    pub(crate) fn of(page: &'t str, random: &mut Random) -> Self {
        let sentences = sentences(page);
        let mut order: Vec<usize> = (0..sentences.len()).collect();
        random.shuffle(&mut order);
        let mut pieces: Vec<(&str, bool)> = sentences.iter().map(|text| (*text, false)).collect();
        let mut left = size(page) / 2;
        for at in order {
            let length = size(pieces[at].0);
            if is_content(pieces[at].0) && length <= left {
                pieces[at].1 = true;
                left -= length;
            }
        }
        Self { pieces }
    }

    /// Fills in sentences of another page, in random order, so that all of the content is about as long
    /// as it was. A page with too few of them gives some twice.
    pub(crate) fn fill(&self, page: &str, random: &mut Random) -> String {
        let mut content = sentences(page);
        content.retain(|sentence| is_content(sentence));
        random.shuffle(&mut content);
        let mut content = content.iter().cycle();
        let mut out = String::new();
        // Sentences stay whole, so a place gets more than it had, or less, and the next one the reverse.
        let (mut wanted, mut given) = (0, 0);
        for &(piece, filled_in) in &self.pieces {
            if !filled_in {
                out.push_str(piece);
                continue;
            }
            wanted += size(piece);
            while given < wanted
                && let Some(sentence) = content.next()
            {
                out.push_str(sentence);
                given += size(sentence);
            }
        }
        out
    }
}
