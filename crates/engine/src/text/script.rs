//! Sorts the characters of normalised text into the classes that units and tokens are made of.
//!
//! A change of the cuts here raises [`CUT_VERSION`](crate::text::cutter::CUT_VERSION).

use std::iter;

use unicode_normalization::char::is_combining_mark;

/// The class of a character of normalised text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// White space, punctuation, symbols: separates, is part of nothing.
    Separator,
    /// A Han ideograph: a unit of its own, cut by jieba.
    Han,
    /// Hiragana: a unit of its own.
    Hiragana,
    /// Katakana, and the long-vowel mark: a unit of its own.
    Katakana,
    /// A character of another script whose signs represent words or syllables and which is written
    /// without spaces (Yi, Tangut, Nushu, ...): a unit of its own.
    Ideograph,
    /// A letter or mark of an alphabet whose spaces do not tell its words: Thai, Lao, Khmer and Burmese have none, and Korean writers
    /// set them differently. See [`with_marks`].
    Unspaced,
    /// Any other letter, mark or number: its maximal runs are words.
    Word,
}

impl Class {
    /// Whether each character of the class is a unit by itself.
    pub fn is_single(self) -> bool {
        matches!(
            self,
            Self::Han | Self::Hiragana | Self::Katakana | Self::Ideograph
        )
    }
}

/// Returns the class of a character of *normalised* text.
///
/// Ranges are the blocks of Unicode 17; letters, marks and numbers elsewhere come from the standard
/// library's `Alphabetic` and `Numeric` and from general category M.
#[inline]
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
        // Punctuation and symbols of ordinary text, before the slow look-up.
        '\u{2010}'..='\u{206f}'
        | '\u{2190}'..='\u{245f}'
        | '\u{2500}'..='\u{26ff}'
        | '\u{3000}'..='\u{3004}'
        | '\u{3008}'..='\u{3020}' => Class::Separator,
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
        // Thai and Lao, Burmese, Khmer, Korean: letters and vowel signs, not digits and punctuation.
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
        | '\u{17dc}'..='\u{17dd}'
        | '\u{ac00}'..='\u{d7a3}' => Class::Unspaced,
        _ if c.is_alphanumeric() || is_combining_mark(c) => Class::Word,
        _ => Class::Separator,
    }
}

/// A maximal run of characters of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The class of its characters; never [`Class::Separator`].
    pub class: Class,
    /// Where it starts in the text, in bytes.
    pub start: usize,
    /// Where it ends in the text, in bytes.
    pub end: usize,
}

impl Run {
    /// The run itself, given the text it is a run of.
    #[inline]
    pub fn of(self, text: &str) -> &str {
        &text[self.start..self.end]
    }
}

/// Replaces `runs` by the runs of a normalised text, in order and without the separators. Units and tokens
/// are both made from runs, so that a text is classified once.
pub fn runs_into(text: &str, runs: &mut Vec<Run>) {
    runs.clear();
    let (mut open, mut start) = (Class::Separator, 0);
    let mut begin = |class, at| {
        if class != open {
            if open != Class::Separator {
                let (class, end) = (open, at);
                runs.push(Run { class, start, end });
            }
            (open, start) = (class, at);
        }
    };
    let mut at = 0;
    while at < text.len() {
        // Words of ASCII, and what is between them, by the stretch.
        let bytes = &text.as_bytes()[at..];
        let kind = ASCII[usize::from(bytes[0])];
        if let Some(class) = kind {
            begin(class, at);
            let is_same = |byte: &&u8| ASCII[usize::from(**byte)] == kind;
            at += bytes.iter().take_while(is_same).count();
            continue;
        }
        for c in text[at..].chars().take_while(|c| !c.is_ascii()) {
            begin(class(c), at);
            at += c.len_utf8();
        }
    }
    begin(Class::Separator, text.len());
}

/// The classes of ASCII, by byte.
static ASCII: [Option<Class>; 256] = {
    let mut classes = [None; 256];
    let mut byte = 0_u8;
    while byte.is_ascii() {
        classes[byte as usize] = Some(match byte.is_ascii_alphanumeric() {
            true => Class::Word,
            false => Class::Separator,
        });
        byte += 1;
    }
    classes
};

/// Returns the runs of a normalised text; see [`runs_into`].
pub fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    runs_into(text, &mut runs);
    runs
}

/// Returns the characters of a piece of text, each with the combining marks behind it.
pub fn with_marks(piece: &str) -> impl Iterator<Item = &str> {
    let mut rest = piece;
    iter::from_fn(move || {
        let mut others = rest.char_indices().skip(1);
        let end = others.find(|&(_, c)| !is_combining_mark(c));
        let (character, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = behind;
        (!character.is_empty()).then_some(character)
    })
}

/// Whether text has a character that is part of a run.
pub fn has_runs(text: &str) -> bool {
    text.chars().any(|c| class(c) != Class::Separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<(Class, &str)> {
        assert_eq!(has_runs(text), !runs(text).is_empty());
        runs(text)
            .into_iter()
            .map(|run| (run.class, run.of(text)))
            .collect()
    }

    #[test]
    fn runs_of_mixed_text() {
        use Class::{Han, Hiragana, Katakana, Unspaced, Word};
        let expected = [
            (Han, "使用"),
            (Word, "docker2"),
            (Han, "部署"),
            (Katakana, "カメラ"),
            (Hiragana, "の"),
            (Han, "写真"),
            (Unspaced, "ไทย"),
            (Word, "123"),
        ];
        assert_eq!(pieces("使用 docker2部署, カメラの写真。ไทย 123"), expected);
    }

    #[test]
    fn quick_separators_are_separators() {
        for c in '\u{80}'..=char::MAX {
            if class(c) == Class::Separator {
                assert!(!c.is_alphanumeric(), "U+{:04X}", c as u32);
                assert!(!is_combining_mark(c), "U+{:04X}", c as u32);
            }
        }
    }

    #[test]
    fn separators_alone_make_no_run() {
        assert_eq!(pieces(" \t。、!?—🙂"), []);
        assert_eq!(pieces(""), []);
    }

    #[test]
    fn marks_are_with_their_character() {
        let pieces = |text| with_marks(text).collect::<Vec<_>>().join("|");
        assert_eq!(pieces("ที่นี่"), "ที่|นี่");
        assert_eq!(pieces("ພາສາ"), "ພ|າ|ສ|າ");
        assert_eq!(pieces("ភាសាខ្មែរ"), "ភា|សា|ខ្|មែ|រ");
        assert_eq!(pieces("မြန်မာစာ"), "မြ|န်|မာ|စာ");
        // Marks without a character are one by themselves.
        assert_eq!(pieces("่่ก"), "่่|ก");
        assert_eq!(pieces(""), "");
    }

    #[test]
    fn combining_marks_stay_in_their_word() {
        // Devanagari with virama and vowel signs; Arabic with harakat.
        let expected = [(Class::Word, "हिन्दी"), (Class::Word, "भाषा")];
        assert_eq!(pieces("हिन्दी भाषा"), expected);
        assert_eq!(pieces("كَتَبَ"), [(Class::Word, "كَتَبَ")]);
    }
}
