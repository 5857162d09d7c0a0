//! Sorts the characters of normalised text into the classes that units and tokens are made of.

use unicode_normalization::char::is_combining_mark;

/// What a character of normalised text is to the units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// White space, punctuation, symbols: separates, is part of nothing.
    Separator,
    /// A Han ideograph: a unit of its own, and jieba's business.
    Han,
    /// Hiragana: a unit of its own.
    Hiragana,
    /// Katakana, and the long-vowel mark: a unit of its own.
    Katakana,
    /// A character of another script whose signs stand for words or syllables and which is written
    /// without spaces (Yi, Tangut, Nushu, ...): a unit of its own.
    Ideograph,
    /// A letter of an alphabet written without spaces (Thai, Lao, Khmer, Burmese): its runs need a
    /// word segmenter.
    Unspaced,
    /// Any other letter, mark or number: its maximal runs are words.
    Word,
}

impl Class {
    /// Whether each character of the class is a unit by itself.
    #[must_use]
    pub fn is_single(self) -> bool {
        matches!(
            self,
            Self::Han | Self::Hiragana | Self::Katakana | Self::Ideograph
        )
    }
}

/// Takes a character of *normalised* text and returns its class.
///
/// Ranges are the blocks of Unicode 17; letters, marks and numbers elsewhere come from the standard
/// library's `Alphabetic` and `Numeric` and from general category M.
#[inline]
#[must_use]
pub fn class(c: char) -> Class {
    match c {
        '\0'..='\u{7f}' => {
            if c.is_ascii_alphanumeric() {
                Class::Word
            } else {
                Class::Separator
            }
        }
        '\u{4e00}'..='\u{9fff}' => Class::Han,
        _ => class_beyond(c),
    }
}

/// [`class`] for everything but ASCII and the main block of ideographs.
fn class_beyond(c: char) -> Class {
    match c {
        // Iteration mark, ideographic zero, Hangzhou numerals; extensions A to J; compatibility.
        '\u{3005}'
        | '\u{3007}'
        | '\u{3021}'..='\u{3029}'
        | '\u{3038}'..='\u{303b}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3347f}' => Class::Han,
        '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' | '\u{1b001}'..='\u{1b11f}' => {
            Class::Hiragana
        }
        '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => {
            Class::Katakana
        }
        // Yi; Tangut, its components and Khitan; Nushu.
        '\u{a000}'..='\u{a48c}' | '\u{17000}'..='\u{18d7f}' | '\u{1b170}'..='\u{1b2fb}' => {
            Class::Ideograph
        }
        // Thai and Lao, Burmese, Khmer: letters and vowel signs, not digits and punctuation.
        '\u{0e01}'..='\u{0e3a}'
        | '\u{0e40}'..='\u{0e4e}'
        | '\u{0e81}'..='\u{0ecf}'
        | '\u{0edc}'..='\u{0edf}'
        | '\u{1000}'..='\u{103f}'
        | '\u{1050}'..='\u{108f}'
        | '\u{a9e0}'..='\u{a9ef}'
        | '\u{a9fa}'..='\u{a9fe}'
        | '\u{aa60}'..='\u{aa76}'
        | '\u{aa7a}'..='\u{aa7f}'
        | '\u{1780}'..='\u{17d3}'
        | '\u{17d7}'
        | '\u{17dc}'..='\u{17dd}' => Class::Unspaced,
        _ if c.is_alphanumeric() || is_combining_mark(c) => Class::Word,
        _ => Class::Separator,
    }
}

/// A maximal run of characters of one class, separators left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'t> {
    /// The class of its characters.
    pub class: Class,
    /// The run itself.
    pub text: &'t str,
    /// Where it starts in the text, in bytes.
    pub start: usize,
}

/// Iterates over the runs of a text; see [`runs`].
#[derive(Debug, Clone)]
pub struct Runs<'t> {
    text: &'t str,
    at: usize,
}

/// Takes normalised text and returns its runs in order, without the separators.
#[must_use]
pub fn runs(text: &str) -> Runs<'_> {
    Runs { text, at: 0 }
}

impl<'t> Iterator for Runs<'t> {
    type Item = Run<'t>;

    #[inline]
    fn next(&mut self) -> Option<Run<'t>> {
        let rest = &self.text[self.at..];
        let mut open: Option<(Class, usize)> = None;
        for (offset, c) in rest.char_indices() {
            let this = class(c);
            match open {
                None if this == Class::Separator => {}
                None => open = Some((this, offset)),
                Some((class, from)) if this != class => {
                    self.at += offset;
                    return Some(Run {
                        class,
                        text: &rest[from..offset],
                        start: self.at - (offset - from),
                    });
                }
                Some(_) => {}
            }
        }
        self.at = self.text.len();
        open.map(|(class, from)| Run {
            class,
            text: &rest[from..],
            start: self.text.len() - (rest.len() - from),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<(Class, &str)> {
        runs(text)
            .inspect(|run| assert_eq!(&text[run.start..run.start + run.text.len()], run.text))
            .map(|run| (run.class, run.text))
            .collect()
    }

    #[test]
    fn runs_of_mixed_text() {
        use Class::{Han, Hiragana, Katakana, Unspaced, Word};
        assert_eq!(
            pieces("使用 docker2部署, カメラの写真。ไทย 123"),
            [
                (Han, "使用"),
                (Word, "docker2"),
                (Han, "部署"),
                (Katakana, "カメラ"),
                (Hiragana, "の"),
                (Han, "写真"),
                (Unspaced, "ไทย"),
                (Word, "123"),
            ]
        );
    }

    #[test]
    fn separators_alone_make_no_run() {
        assert_eq!(pieces(" \t。、!?—🙂"), []);
        assert_eq!(pieces(""), []);
    }

    #[test]
    fn combining_marks_stay_in_their_word() {
        // Devanagari with virama and vowel signs; Arabic with harakat.
        assert_eq!(
            pieces("हिन्दी भाषा"),
            [(Class::Word, "हिन्दी"), (Class::Word, "भाषा")]
        );
        assert_eq!(pieces("كَتَبَ"), [(Class::Word, "كَتَبَ")]);
    }
}
