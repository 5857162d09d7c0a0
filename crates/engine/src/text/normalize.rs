//! Brings text into the one form in which it is compared: NFKC, case-folded, without invisible
//! characters.
//!
//! NFKC (Unicode Standard Annex #15) makes full-width and half-width forms, ligatures and composed
//! letters equal; full case folding (Unicode Standard, section 3.13) makes `STRASSE` equal `straße`.
//! Folding can undo a composition, so the text is composed once more after it. Characters that
//! nobody sees (soft hyphen, zero-width joiners, byte order mark, variation selectors) are removed
//! first, because text copied from a web page is full of them. Letters that look the same to a reader of their script are
//! folded last (`alike`).
//!
//! Nearly every character of ordinary text is *inert*: it is its own normal form but for a fixed
//! simple mapping, and it never merges with the character before it. Those are copied as they come;
//! only the rest, with the inert character in front of them, goes through the general algorithm.
//! That is safe because normalisation never reaches across the start of an inert character. A line break between two
//! ideographs is left out: so hard-wrapped Chinese is one line.

use caseless::Caseless;
use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::decompose_compatible;

use crate::text::alike::{Fold, alike};
use crate::text::script::class;

/// How many bytes are checked for ASCII at a time.
const STRETCH: usize = 32;

/// What is around a line break that means nothing.
const BLANKS: [char; 3] = [' ', '\t', '\u{3000}'];

/// The letters of Malayalam without a vowel, and how they were written before Unicode had them.
const CHILLU: [(&str, &str); 6] = [
    ("ണ്\u{200d}", "ൺ"),
    ("ന്\u{200d}", "ൻ"),
    ("ര്\u{200d}", "ർ"),
    ("ല്\u{200d}", "ൽ"),
    ("ള്\u{200d}", "ൾ"),
    ("ക്\u{200d}", "ൿ"),
];

/// Appends the normalised form of a decoded text to `out`. Traditional characters stay as they are.
pub fn normalize_into(text: &str, out: &mut String) {
    out.reserve(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (inert, last) = copy_inert(rest, out);
        rest = &rest[inert..];
        if rest.is_empty() {
            return;
        }
        let general = rest.find(|c| inert_form(c).is_some()).unwrap_or(rest.len());
        // The inert character in front may take the marks that follow it, so it is done again.
        let lead = last.map(|(written, c)| {
            out.truncate(written);
            c
        });
        general_form(lead, &rest[..general], out);
        rest = &rest[general..];
    }
}

/// Returns the normalised form of a decoded text. Traditional characters stay as they are.
pub fn normalize(text: &str) -> String {
    let mut out = String::new();
    normalize_into(text, &mut out);
    out
}

/// Whether the compatibility decomposition of a text has more than so many bytes. One character of Unicode decomposes
/// into 18 characters, with eleven times as many bytes.
pub fn decomposes_beyond(text: &str, bytes: usize) -> bool {
    if text.len().saturating_mul(18) <= bytes {
        return false;
    }
    let mut size = 0_usize;
    text.chars().any(|c| {
        match inert_form(c) {
            Some(_) => size += c.len_utf8(),
            None => decompose_compatible(c, |part| size += part.len_utf8()),
        }
        size > bytes
    })
}

/// Appends the inert characters that `text` begins with; returns their length in bytes, and the
/// last one with the length of `out` before it.
fn copy_inert(text: &str, out: &mut String) -> (usize, Option<(usize, char)>) {
    let mut last = None;
    let mut at = 0;
    while at < text.len() {
        // ASCII by the stretch: code and English are copied at the speed of memory.
        let rest = &text.as_bytes()[at..];
        let ascii = ascii_length(rest);
        if let Some(wrap) = is_wrap(last.map(|(_, c)| c), &text[at..]) {
            at += wrap;
        } else if ascii > 0 {
            let from = out.len();
            out.push_str(&text[at..at + ascii]);
            out[from..].make_ascii_lowercase();
            at += ascii;
            last = Some((out.len() - 1, char::from(rest[ascii - 1])));
        }
        for c in text[at..].chars().take_while(|c| !c.is_ascii()) {
            let Some(form) = inert_form(c) else {
                return (at, last);
            };
            last = Some((out.len(), c));
            out.push(form);
            at += c.len_utf8();
        }
    }
    (at, last)
}

/// Returns the length of a line break at the start of a text that means nothing, with the blanks around it: `before` it and
/// behind it are characters that are written without spaces, as in hard-wrapped Chinese and Japanese.
#[inline]
pub(super) fn is_wrap(before: Option<char>, text: &str) -> Option<usize> {
    // Most characters begin no line break, and this is asked before each of them.
    let first = text.bytes().find(|byte| !matches!(byte, b' ' | b'\t'))?;
    if !matches!(first, b'\r' | b'\n') {
        return None;
    }
    let before = width(before?)?;
    let line = text.trim_start_matches(BLANKS);
    let line = line.strip_prefix('\r').unwrap_or(line);
    let next = line.strip_prefix('\n').unwrap_or(line);
    let next = next.trim_start_matches(BLANKS);
    let length = text.len() - next.len();
    let after = width(next.chars().next()?)?;
    let is_broken = text.as_bytes()[..length]
        .iter()
        .any(|byte| matches!(byte, b'\r' | b'\n'));
    (is_broken && (before == Width::Full || after == Width::Full)).then_some(length)
}

/// How wide a character without spaces around it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    /// As an ideograph: ideographs, kana, their punctuation.
    Full,
    /// As its neighbours: quotation marks and dashes.
    Ambiguous,
}

/// Returns how wide a character is; `None` if lines are not broken before it without a space.
fn width(c: char) -> Option<Width> {
    match c {
        '\u{2014}' | '\u{2018}'..='\u{201d}' => Some(Width::Ambiguous),
        '\u{3001}'..='\u{3020}' => Some(Width::Full),
        // Full-width punctuation, not letters and digits.
        '\u{ff01}'..='\u{ff0f}'
        | '\u{ff1a}'..='\u{ff20}'
        | '\u{ff3b}'..='\u{ff40}'
        | '\u{ff5b}'..='\u{ff5e}' => Some(Width::Full),
        _ => class(c).is_single().then_some(Width::Full),
    }
}

/// Returns how many bytes of ASCII are at the start.
pub(super) fn ascii_length(bytes: &[u8]) -> usize {
    // By stretches of a fixed length, which need a few instructions each.
    let stretches = bytes.chunks(STRETCH).take_while(|part| part.is_ascii());
    let from = bytes.len().min(STRETCH * stretches.count());
    let rest = bytes[from..].iter().position(|byte| !byte.is_ascii());
    rest.map_or(bytes.len(), |at| from + at)
}

/// The general algorithm, for a stretch that begins where normalisation may begin.
pub(super) fn general_form(lead: Option<char>, rest: &str, out: &mut String) {
    let mut fold = Fold::default();
    let mut rest = Cow::Borrowed(rest);
    if rest.contains('\u{200d}') {
        // Emoji and Persian have joiners too.
        for (sequence, letter) in CHILLU {
            if rest.contains(sequence) {
                rest = rest.replace(sequence, letter).into();
            }
        }
    }
    let mut before = '\0';
    out.extend(
        lead.into_iter()
            .chain(rest.chars())
            .filter(|&c| !is_invisible(c))
            .flat_map(|c| {
                let space = begins_number(std::mem::replace(&mut before, c), c).then_some(' ');
                // Line and paragraph separators are not ASCII's, and mean the same as a space.
                let shown = if c.is_whitespace() && !c.is_ascii() {
                    ' '
                } else {
                    c
                };
                space.into_iter().chain([shown])
            })
            .nfkc()
            .default_case_fold()
            .nfkc()
            .filter_map(|c| fold.next(c)),
    );
}

/// Whether a character is or begins a number of its own behind a digit: 10⁵ is not 105, 1½ is not 11/2, and ①② is not 12. The
/// digits of a power are one number.
fn begins_number(before: char, c: char) -> bool {
    let is_raised = |c| matches!(c, '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '₀'..='₉');
    let is_whole = matches!(c, '¼'..='¾' | '⅐'..='⅟' | '↉' | '①'..='⒛' | '⓪');
    before.is_numeric() && (is_whole || is_raised(c) && !is_raised(before))
}

/// Whether a character is removed: those that Unicode calls default-ignorable.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether the text before a character never changes it, so that a text can be normalised from it on.
pub(super) fn begins_anew(c: char) -> bool {
    inert_form(c).is_some()
}

/// The folded normal form of an inert character, or `None` for one that needs the general
/// algorithm. The ranges are the ones that ordinary text of the larger scripts consists of; a test
/// compares every one of them with the general algorithm.
#[inline]
pub(super) fn inert_form(c: char) -> Option<char> {
    let shifted = |by: u32| char::from_u32(c as u32 + by);
    match c {
        '\0'..='\u{7f}' => Some(c.to_ascii_lowercase()),
        // Ideographs, kana, Hangul syllables.
        '\u{3400}'..='\u{9fff}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fe}'
        | '\u{ac00}'..='\u{d7a3}' => Some(c),
        // Punctuation of Chinese and Western text. Not U+2011, U+2024 to U+2026: they decompose.
        '\u{3001}'..='\u{3020}'
        | '\u{2010}'
        | '\u{2012}'..='\u{2016}'
        | '\u{2018}'..='\u{2023}'
        | '\u{b7}' => Some(c),
        // Full-width ASCII.
        '\u{3000}' => Some(' '),
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(c as u32 - 0xfee0).map(|ascii| ascii.to_ascii_lowercase())
        }
        // Latin, Greek and Cyrillic letters with simple case pairs.
        '\u{d7}' | '\u{f7}' => Some(c),
        '\u{c0}'..='\u{de}' => shifted(0x20),
        '\u{e0}'..='\u{ff}' => Some(c),
        '\u{391}'..='\u{3a1}' | '\u{3a3}'..='\u{3a9}' => shifted(0x20),
        '\u{3ac}'..='\u{3af}' | '\u{3b1}'..='\u{3c1}' | '\u{3c3}'..='\u{3ce}' => Some(alike(c)),
        '\u{400}'..='\u{40f}' => shifted(0x50).map(alike),
        '\u{410}'..='\u{42f}' => shifted(0x20),
        '\u{430}'..='\u{45f}' => Some(alike(c)),
        // Letters of Hebrew, Arabic, Devanagari: no case, no composition of their own.
        '\u{5d0}'..='\u{5ea}' | '\u{904}'..='\u{939}' => Some(c),
        '\u{620}'..='\u{63f}' | '\u{641}'..='\u{64a}' => Some(alike(c)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn general(text: &str) -> String {
        let mut out = String::new();
        general_form(None, text, &mut out);
        out
    }

    #[test]
    fn forms_that_must_become_equal() {
        for (a, b) in [
            ("ＡＢＣ　１２３", "abc 123"),
            ("ｶﾞｷﾞｸﾞ", "ガギグ"),
            ("か\u{3099}", "が"),
            ("e\u{301}tude", "étude"),
            ("STRASSE", "straße"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
            ("ﬁne", "FINE"),
            ("co\u{ad}oper\u{200d}ate", "cooperate"),
            ("\u{feff}中文", "中文"),
            (
                "\u{202b}שלום\u{200f} \u{2067}עולם\u{2069}\u{202c}",
                "שלום עולם",
            ),
            ("葛\u{e0100}飾区", "葛飾区"),
            (
                "un\u{200b}break\u{2063}a\u{1d173}ble\u{3164}",
                "unbreakable",
            ),
            ("അവന്\u{200d} കാല്\u{200d}", "അവൻ കാൽ"),
            ("㍿", "株式会社"),
            ("한글", "한글"),
            ("，。！？", ",。!?"),
            ("m² and H₂O", "m2 and H2O"),
            ("① ⑵", "1 (2)"),
            ("１０⁵ and x²", "10 5 and x2"),
            ("10⁻¹²", "10−12"),
            ("10¹² 2₀", "10 12 2 0"),
            ("1½ ①②", "1 1⁄2 1 2"),
        ] {
            assert_eq!(normalize(a), normalize(b), "{a:?} and {b:?}");
        }
    }

    #[test]
    fn every_inert_character_equals_the_general_algorithm() {
        for c in ('\0'..=char::MAX).filter(|&c| inert_form(c).is_some()) {
            let text = c.to_string();
            assert_eq!(normalize(&text), general(&text), "U+{:04X}", c as u32);
            // It must not merge with the text before it.
            for before in ["e", "か", "\u{1100}", "가", "\u{5d0}", "\u{915}", "\u{301}"] {
                let text = format!("{before}{c}");
                assert_eq!(normalize(&text), general(&text), "{text:?}");
            }
        }
    }

    #[test]
    fn stretches_of_ascii_of_any_length_are_copied() {
        for length in 0..3 * STRETCH {
            for after in ["", "é", "E\u{301}", "中Ａb"] {
                let text = format!("{}{after}", &"Ab c".repeat(STRETCH)[..length]);
                assert_eq!(normalize(&text), general(&text), "{text:?}");
            }
        }
    }

    #[test]
    fn a_line_break_between_ideographs_is_nothing() {
        for (wrapped, line) in [
            ("旧城\n区的，\r\n梧桐\n“树”", "旧城区的，梧桐“树”"),
            ("雨上がりの\n町、\nカメ\rラ", "雨上がりの町、カメラ"),
            ("旧城 \n\t 区的\n  梧桐", "旧城区的梧桐"),
            ("旧城\n　区的 \n\t　　梧桐", "旧城区的梧桐"),
        ] {
            assert_eq!(normalize(wrapped), normalize(line));
        }
        for kept in [
            "中\n\n文",
            "中\nab\n文",
            "one\ntwo",
            "”\n“",
            "中 \n\n 文",
            "中  文",
            "가\n나",
            "中\n",
        ] {
            assert_eq!(normalize(kept), kept);
        }
    }

    proptest! {
        #[test]
        fn equals_the_general_algorithm_on_any_text(text in "\\PC{0,40}") {
            prop_assert_eq!(normalize(&text), general(&text));
        }

        #[test]
        fn is_idempotent_on_ordinary_text(
            text in "[a-zA-Z0-9àéîõüßÄÖςΣа-яА-Я一-十ぁ-んァ-ン가-갛，。！？ｱ-ﾝＡ-ｚ ก-ฮ\u{301}\u{3099}\u{ad}]{0,40}"
        ) {
            let once = normalize(&text);
            prop_assert_eq!(normalize(&once), once);
        }
    }
}
