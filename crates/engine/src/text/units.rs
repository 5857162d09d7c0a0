//! Cuts normalised text into units: what shingles are made of.
//!
//! By default a unit is one character where characters carry meaning (Han, kana) and one word
//! everywhere else, so that three units hold about equally much in Chinese and in English. Literal
//! three-character shingles do not: 99.6 % of *unrelated* pairs of English news articles share a
//! fifth of them, against 0.01 % with units.
//!
//! A change of the cuts here raises [`CUT_VERSION`](crate::text::cutter::CUT_VERSION).

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use crate::text::script::{Class, Run, class, with_marks};
use crate::text::tokenize::words;

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShingleUnit {
    /// One Han or kana character; four characters of Korean, Thai, Lao, Khmer or Burmese in a row; one word of every other script.
    #[default]
    Auto,
    /// One letter, ideograph or digit of any script.
    Char,
    /// One word, Chinese cut by jieba.
    Word,
    /// One character as [`Self::Char`]. Characters that are mistaken for each other in scanned text are one unit.
    Ocr,
}

impl ShingleUnit {
    /// The name used in options and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Char => "char",
            Self::Word => "word",
            Self::Ocr => "ocr",
        }
    }
}

/// A unit as a number: the code point of a character, or the hash of a word with [`WORD`] set.
/// Equal numbers mean equal units; two different words collide once in 2^63.
pub type Unit = u64;

/// The bit that marks a hashed word; code points do not have it.
pub const WORD: u64 = 1 << 63;

/// Appends the units of a normalised text to `out`, in order. `runs` are the runs of the text. White space,
/// punctuation and symbols belong to no unit. jieba is loaded only for [`ShingleUnit::Word`], and only if
/// the text has Han characters.
pub fn units_into(text: &str, runs: &[Run], unit: ShingleUnit, out: &mut Vec<Unit>) {
    placed_units(text, runs, unit, |unit, _| out.push(unit));
}

/// As [`units_into`], and calls `take` with each unit and the place of it in the text, in bytes.
pub fn placed_units(
    text: &str,
    runs: &[Run],
    unit: ShingleUnit,
    mut take: impl FnMut(Unit, Range<usize>),
) {
    let mut stretch = Stretch::of(text);
    match unit {
        ShingleUnit::Auto => {
            let mut rest = runs;
            while let Some((run, behind)) = rest.split_first() {
                rest = behind;
                if run.class == Class::Unspaced {
                    stretch.add(run.of(text), &mut take);
                    continue;
                }
                stretch.end(&mut take);
                if run.class.is_single() {
                    characters(*run, text, &mut take);
                    continue;
                }
                // The letters of Arabic begin with one of four bytes.
                let is_arabic = (0xd8..0xdc).contains(&text.as_bytes()[run.start]);
                let parts = match is_arabic {
                    true => more_parts_of_word(text, run, behind),
                    false => &[],
                };
                let Some(last) = parts.last() else {
                    take(word(run.of(text)), run.start..run.end);
                    continue;
                };
                rest = &behind[parts.len()..];
                let joined = text[run.start..last.end].replace(' ', "");
                take(word(&joined), run.start..last.end);
            }
        }
        ShingleUnit::Char => {
            for run in runs {
                characters(*run, text, &mut take);
            }
        }
        ShingleUnit::Ocr => {
            for run in runs {
                scanned_characters(*run, text, &mut take);
            }
        }
        ShingleUnit::Word => words(text, runs, |piece| {
            if piece.starts_with(|c| class(c) == Class::Unspaced) {
                stretch.add(piece, &mut take);
            } else {
                stretch.end(&mut take);
                take(word(piece), place(piece, text));
            }
        }),
    }
    stretch.end(&mut take);
}

/// What Persian writes before a word and behind it: with a joiner that nobody sees, with a space, or as one word with it.
const BEFORE: [&str; 2] = ["مي", "نمي"];
const BEHIND: [&str; 11] = [
    "ها",
    "هاي",
    "هايي",
    "هايم",
    "هايت",
    "هايش",
    "هايمان",
    "هايتان",
    "هايشان",
    "تر",
    "ترين",
];

/// Returns the runs behind a word that belong to it: some if it is a word of Persian in parts.
fn more_parts_of_word<'r>(text: &str, run: &Run, behind: &'r [Run]) -> &'r [Run] {
    let (mut end, mut parts) = (run.end, 0);
    let mut takes_next = BEFORE.contains(&run.of(text));
    for part in behind {
        let is_part = takes_next || BEHIND.contains(&part.of(text));
        if !is_part || &text[end..part.start] != " " {
            break;
        }
        (end, takes_next, parts) = (part.end, false, parts + 1);
    }
    &behind[..parts]
}

/// How many characters of a script without spaces are one unit, each with its marks. So a shingle is six in a row, which is
/// about as much as three words. Share of unrelated pairs that reach a similarity of 0.2, of 142 Thai pages of 6,500
/// characters and of 200 Khmer ones of 3,500, and how many of 132 older versions of the Thai pages do:
///
/// | characters in a shingle | Thai | Khmer | older versions |
/// |---|---|---|---|
/// | 3 | .161 | .0029 | 131 |
/// | 4 | .0053 | .0020 | 123 |
/// | 5 | .0018 | .0018 | 120 |
/// | 6 | .0009 | .0016 | 118 |
/// | three words of a model that cuts them | .0006 | .0016 | 114 |
///
/// Korean has spaces, and writers set them differently. Of 60 Korean pages without all of their spaces 60 are found so, and 4 where
/// a unit is a word; of pages and their older versions .971 and .961 (pages-ko), with a precision of .944 and .952.
pub(crate) const CHARACTERS: usize = 4;

/// A stretch of scripts without spaces (Thai, Lao, Khmer, Burmese), or of Korean. It is cut into overlapping units: readers do
/// not agree where its words end, nor do all writers set spaces in the same places. A short stretch is one unit.
struct Stretch<'t> {
    text: &'t str,
    /// The last characters of it.
    characters: [&'t str; CHARACTERS],
    count: usize,
    joined: String,
}

impl<'t> Stretch<'t> {
    fn of(text: &'t str) -> Self {
        Self {
            text,
            characters: [""; CHARACTERS],
            count: 0,
            joined: String::new(),
        }
    }

    /// Adds a run. Each unit that has another one behind it is at the place of its first character.
    fn add(&mut self, run: &'t str, take: &mut impl FnMut(Unit, Range<usize>)) {
        for character in with_marks(run) {
            if self.count == CHARACTERS {
                take(self.unit(), place(self.characters[0], self.text));
                self.characters.rotate_left(1);
                self.count -= 1;
            }
            self.characters[self.count] = character;
            self.count += 1;
        }
    }

    /// Ends the stretch. Its last unit is at the place of all its characters.
    #[inline]
    fn end(&mut self, take: &mut impl FnMut(Unit, Range<usize>)) {
        if self.count > 0 {
            let [first, last] = [0, self.count - 1].map(|at| place(self.characters[at], self.text));
            take(self.unit(), first.start..last.end);
            self.count = 0;
        }
    }

    fn unit(&mut self) -> Unit {
        self.joined.clear();
        self.joined
            .extend(self.characters[..self.count].iter().copied());
        word(&self.joined)
    }
}

/// Calls `take` with every character of a run.
fn characters(run: Run, text: &str, take: &mut impl FnMut(Unit, Range<usize>)) {
    for (at, c) in run.of(text).char_indices() {
        let start = run.start + at;
        take(Unit::from(c), start..start + c.len_utf8());
    }
}

/// Calls `take` with every character of a run of scanned text. `rn` is read for `m`, and `vv` for `w`.
fn scanned_characters(run: Run, text: &str, take: &mut impl FnMut(Unit, Range<usize>)) {
    let mut characters = run.of(text).char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let start = run.start + at;
        let mut end = start + c.len_utf8();
        let joined = match (c, characters.peek()) {
            ('r', Some((_, 'n'))) => Some('m'),
            ('v', Some((_, 'v'))) => Some('w'),
            _ => None,
        };
        if joined.is_some() {
            characters.next();
            end += 1;
        }
        take(Unit::from(joined.unwrap_or_else(|| alike(c))), start..end);
    }
}

/// Returns the one character that represents all that are mistaken for this one in scanned text. A long s is read as f.
fn alike(c: char) -> char {
    match c {
        '0' => 'o',
        '1' | 'i' | 'j' => 'l',
        '5' | 'f' => 's',
        '8' | 'h' => 'b',
        '9' | 'q' => 'g',
        'c' => 'e',
        'u' => 'n',
        _ => c,
    }
}

/// Where in a text a piece of it is, in bytes.
fn place(piece: &str, text: &str) -> Range<usize> {
    let start = piece.as_ptr().addr() - text.as_ptr().addr();
    start..start + piece.len()
}

pub(crate) fn word(text: &str) -> Unit {
    xxh3_64(text.as_bytes()) | WORD
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::normalize;
    use crate::text::script::runs;

    fn units(text: &str, unit: ShingleUnit) -> Vec<Unit> {
        let mut out = Vec::new();
        let text = normalize(text);
        units_into(&text, &runs(&text), unit, &mut out);
        out
    }

    fn chars(text: &str) -> Vec<Unit> {
        text.chars().map(Unit::from).collect()
    }

    fn hashed(text: &str) -> Vec<Unit> {
        text.split(' ').map(word).collect()
    }

    #[test]
    fn auto_has_characters_of_han_and_kana_and_words_of_the_rest() {
        let auto = |text| units(text, ShingleUnit::Auto);
        assert_eq!(auto("中文，很 好。"), chars("中文很好"));
        assert_eq!(auto("Three small Words"), hashed("three small words"));
        let expected = [chars("用"), hashed("rust"), chars("写")].concat();
        assert_eq!(auto("用Rust写"), expected);
        assert_eq!(auto("カメラの"), chars("カメラの"));
        let expected = hashed("안녕하세 녕하세요 하세요세 세요세계");
        assert_eq!(auto("안녕하세요 세계"), expected);
        let expected = [chars("第"), hashed("12"), chars("章")].concat();
        assert_eq!(auto("第12章"), expected);
        assert_eq!(auto("don't v2"), hashed("don t v2"));
        assert!(auto("，。 !").is_empty());
    }

    #[test]
    fn char_has_every_letter() {
        assert_eq!(units("Go 语言!", ShingleUnit::Char), chars("go语言"));
    }

    #[test]
    fn ocr_has_one_unit_for_characters_that_are_mistaken_for_each_other() {
        let ocr = |text| units(text, ShingleUnit::Ocr);
        assert_eq!(ocr("a modern house"), ocr("a modem bonfe"));
        assert_eq!(ocr("con-\ntinued 10"), ocr("continued lo"));
        assert_eq!(ocr("ſmall waves"), ocr("small vvaves"));
        assert_ne!(ocr("small"), ocr("snail"));
        assert_eq!(ocr("扫描 文字"), chars("扫描文字"));
    }

    #[test]
    fn word_has_the_words_of_jieba() {
        let expected = hashed("北京 清华大学");
        assert_eq!(units("北京清华大学", ShingleUnit::Word), expected);
    }

    #[test]
    fn scripts_without_spaces_have_four_characters_with_their_marks() {
        for unit in [ShingleUnit::Auto, ShingleUnit::Word] {
            let thai = units("ที่นี่เมืองไทย", unit);
            assert_eq!(thai, hashed("ที่นี่เมื นี่เมือ เมือง มืองไ องไท งไทย"));
            // A space or an invisible mark between words changes nothing, and another script ends a stretch.
            assert_eq!(units("ที่นี่ เมือง\u{200b}ไทย", unit), thai);
            assert_eq!(units("ไทย 12 ก", unit), hashed("ไทย 12 ก"));
            assert_eq!(units("ភាសាខ្មែរ", unit), hashed("ភាសាខ្មែ សាខ្មែរ"));
        }
    }

    #[test]
    fn parts_of_a_word_of_persian_are_one_unit() {
        let words = hashed("كتابهاي بزرگتر را نميخواند");
        for text in [
            "کتاب\u{200c}های بزرگ\u{200c}تر را نمی\u{200c}خواند",
            "کتاب های بزرگ تر را نمی خواند",
            "کتابهای بزرگتر را نمیخواند",
        ] {
            assert_eq!(units(text, ShingleUnit::Auto), words, "{text}");
        }
        assert_eq!(
            units("کتاب. ها می", ShingleUnit::Auto),
            hashed("كتاب ها مي")
        );
    }

    #[test]
    fn every_unit_is_at_its_place() {
        let text = normalize("第12章，用Rust写 ประเทศไทยมี, カメラ 안녕하세요。");
        for unit in [ShingleUnit::Auto, ShingleUnit::Char, ShingleUnit::Word] {
            let mut end = 0;
            placed_units(&text, &runs(&text), unit, |unit, place| {
                assert!(end <= place.start && place.start < place.end);
                end = place.end;
                let piece = &text[place.clone()];
                let character = piece.chars().next().map(Unit::from);
                let four = with_marks(&text[place.start..]).take(4).collect::<String>();
                let same = [Some(word(piece)), character, Some(word(&four))];
                assert!(same.contains(&Some(unit)), "{piece}");
            });
            assert_eq!(&text[end..], "。");
        }
    }
}
