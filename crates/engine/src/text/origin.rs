//! Remembers which part of a text each part of its normalised form came from.
//!
//! Normalising changes lengths (`Ａ` is three bytes, `a` is one), order (marks on one letter) and number
//! (`㍿` is four characters), so a place in the normalised text does not give the place in the original by
//! itself. The text is cut into pieces that normalise independently of each other: before every inert
//! character (see [`crate::text::normalize`]) and, in the stretches between them, before every
//! character that never composes with the one before it. Whether such a stretch may be cut is not
//! trusted but tried: if its pieces do not add up to its normal form, it stays one piece.

use std::iter;
use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::text::normalize::{ascii_length, general_form, inert_form, is_invisible, is_wrap};

/// Where a piece begins, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    normal: usize,
    original: usize,
    /// Whether the normal form has as many bytes for every character as the original, so that
    /// neighbours of this kind need no entry of their own.
    is_even: bool,
}

/// Maps each part of a normalised text to the part of the original that it came from.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    pieces: Vec<Piece>,
    original_len: usize,
}

/// Returns the normalised form of a decoded text, and where each part of it came from. The form is that of
/// [`normalize_into`](crate::text::normalize::normalize_into).
pub fn normalize_with_origin(text: &str) -> (String, Origin) {
    let mut out = String::with_capacity(text.len());
    let mut origin = Origin {
        pieces: Vec::new(),
        original_len: text.len(),
    };
    let (mut at, mut before) = (0, None);
    while at < text.len() {
        let rest = &text[at..];
        if let Some(wrap) = is_wrap(before, rest) {
            origin.push(out.len(), at, false);
            at += wrap;
            continue;
        }
        // Marks may follow the last one.
        let ascii = ascii_length(rest.as_bytes()).saturating_sub(1);
        if ascii > 0 {
            origin.push(out.len(), at, true);
            let from = out.len();
            out.push_str(&rest[..ascii]);
            out[from..].make_ascii_lowercase();
            before = rest[..ascii].chars().next_back();
            at += ascii;
            continue;
        }
        let mut chars = rest.chars();
        let first = chars.next().and_then(inert_form);
        let general = match first {
            Some(_) => chars.as_str(),
            None => rest,
        };
        let general = general
            .find(|c| inert_form(c).is_some())
            .unwrap_or(general.len());
        match first {
            Some(form) if general == 0 => {
                let len = rest.len() - chars.as_str().len();
                origin.push(out.len(), at, form.len_utf8() == len);
                out.push(form);
                before = rest.chars().next();
                at += len;
            }
            _ => {
                // The inert character in front may take the marks that follow it.
                let lead = first.map_or(0, |_| rest.len() - chars.as_str().len());
                origin.stretch(&rest[..lead + general], at, &mut out);
                before = None;
                at += lead + general;
            }
        }
    }
    (out, origin)
}

/// Whether text that begins with this character normalises independently of the text before it.
fn may_start(c: char) -> bool {
    let first = iter::once(c).nfkd().next().unwrap_or(c);
    !is_invisible(c)
        && canonical_combining_class(first) == 0
        && is_nfc_quick(iter::once(first)) == IsNormalized::Yes
}

impl Origin {
    fn push(&mut self, normal: usize, original: usize, is_even: bool) {
        let goes_on = is_even && self.pieces.last().is_some_and(|last| last.is_even);
        if !goes_on {
            self.pieces.push(Piece {
                normal,
                original,
                is_even,
            });
        }
    }

    /// Normalises a stretch that is independent of its neighbours, in as many pieces as possible.
    fn stretch(&mut self, stretch: &str, original: usize, out: &mut String) {
        let (kept, before) = (self.pieces.len(), out.len());
        let mut starts: Vec<usize> = stretch
            .char_indices()
            .filter(|&(at, c)| at == 0 || may_start(c))
            .map(|(at, _)| at)
            .collect();
        starts.push(stretch.len());
        for ends in starts.windows(2) {
            self.push(out.len(), original + ends[0], false);
            general_form(None, &stretch[ends[0]..ends[1]], out);
        }
        let mut whole = String::new();
        general_form(None, stretch, &mut whole);
        if out[before..] != whole {
            self.pieces.truncate(kept);
            self.push(before, original, false);
            out.truncate(before);
            out.push_str(&whole);
        }
    }

    /// Returns the smallest range of the original that a range of the normalised text is known to come from.
    /// Both are in bytes; `place` is not empty. `near` is a piece that the search begins at, and then that of the place: of
    /// places in order each is near the one before.
    pub fn of(&self, place: Range<usize>, near: &mut usize) -> Range<usize> {
        let start = match self.piece(place.start, near) {
            Some((piece, _)) if piece.is_even => piece.original + (place.start - piece.normal),
            Some((piece, _)) => piece.original,
            None => 0,
        };
        let end = match self.piece(place.end.saturating_sub(1), near) {
            Some((piece, _)) if piece.is_even => piece.original + (place.end - piece.normal),
            Some((_, next)) => next.map_or(self.original_len, |next| next.original),
            None => self.original_len,
        };
        start..end
    }

    /// The piece that a byte of the normalised text belongs to, and the one after it.
    fn piece(&self, normal: usize, near: &mut usize) -> Option<(Piece, Option<Piece>)> {
        let is_before = |piece: &&Piece| piece.normal <= normal;
        if self.pieces.get(*near).filter(is_before).is_none() {
            *near = 0;
        }
        let behind = self.pieces.get(*near + 1..).unwrap_or_default();
        *near += behind.iter().take_while(is_before).count();
        let piece = *self.pieces.get(*near).filter(is_before)?;
        Some((piece, self.pieces.get(*near + 1).copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::normalize;
    use proptest::prelude::*;

    /// What each character of the normalised text comes from.
    fn origins(text: &str) -> Vec<(String, &str)> {
        let (normal, origin) = normalize_with_origin(text);
        assert_eq!(normal, normalize(text), "{text:?}");
        let place = |(at, c): (usize, char)| at..at + c.len_utf8();
        normal
            .char_indices()
            .map(place)
            .map(|place| {
                (
                    normal[place.clone()].to_owned(),
                    &text[origin.of(place, &mut 0)],
                )
            })
            .collect()
    }

    #[track_caller]
    fn assert_origins(text: &str, expected: &[(&str, &str)]) {
        let found = origins(text);
        let found: Vec<(&str, &str)> = found.iter().map(|(c, from)| (c.as_str(), *from)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn plain_text_is_where_it_was() {
        assert_origins(
            "Ab 中é",
            &[("a", "A"), ("b", "b"), (" ", " "), ("中", "中"), ("é", "é")],
        );
        let (_, origin) = normalize_with_origin(&"The 中文 text. ".repeat(500));
        assert_eq!(origin.pieces.len(), 1);
        assert_origins("", &[]);
    }

    #[test]
    fn forms_of_other_lengths() {
        assert_origins("Ａ中ｂ", &[("a", "Ａ"), ("中", "中"), ("b", "ｂ")]);
        assert_origins("ﬁn", &[("f", "ﬁ"), ("i", "ﬁ"), ("n", "n")]);
        assert_origins("ß!", &[("s", "ß"), ("s", "ß"), ("!", "!")]);
        let company = [("株", "㍿"), ("式", "㍿"), ("会", "㍿"), ("社", "㍿")];
        assert_origins("㍿", &company);
        assert_origins("…a", &[(".", "…"), (".", "…"), (".", "…"), ("a", "a")]);
    }

    #[test]
    fn what_composes_is_one_piece() {
        assert_origins("xe\u{301}y", &[("x", "x"), ("é", "e\u{301}"), ("y", "y")]);
        assert_origins("か\u{3099}な", &[("が", "か\u{3099}"), ("な", "な")]);
        assert_origins("ｶﾞｷ", &[("ガ", "ｶﾞ"), ("キ", "ｷ")]);
        // Conjoining jamo: one syllable from three, the next from two.
        assert_origins(
            "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}",
            &[
                ("한", "\u{1112}\u{1161}\u{11ab}"),
                ("그", "\u{1100}\u{1173}"),
            ],
        );
        assert_origins(
            "a\u{323}\u{301}",
            &[("ạ", "a\u{323}\u{301}"), ("\u{301}", "a\u{323}\u{301}")],
        );
    }

    #[test]
    fn invisible_characters_belong_to_the_one_before() {
        assert_origins(
            "\u{feff}a\u{ad}b\u{200d}中\r\n文",
            &[
                ("a", "a\u{ad}"),
                ("b", "b\u{200d}"),
                ("中", "中"),
                ("文", "文"),
            ],
        );
        assert_origins("e\u{200d}\u{301}", &[("é", "e\u{200d}\u{301}")]);
    }

    #[test]
    fn scripts_without_inert_characters_are_cut_too() {
        for text in ["ประเทศไทย", "বাংলা", "မြန်မာ", "\u{1f600}\u{1f601}"]
        {
            let longest = origins(text).iter().map(|(_, from)| from.len()).max();
            assert!(longest < Some(text.len()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_normal_form_is_the_same_and_origins_rise(text in any::<String>()) {
            let (normal, origin) = normalize_with_origin(&text);
            prop_assert_eq!(&normal, &normalize(&text));
            let (mut start, mut end, mut near) = (0, 0, 0);
            for (at, c) in normal.char_indices() {
                let from = origin.of(at..at + c.len_utf8(), &mut near);
                prop_assert!(start <= from.start && end <= from.end && from.start < from.end);
                prop_assert!(text.get(from.clone()).is_some());
                (start, end) = (from.start, from.end);
            }
        }

        #[test]
        fn each_origin_normalises_to_what_came_from_it(
            text in "[a-zA-Z0-9éÜß一-十ぁ-んが가-갛ᄀ-하-ᅵᆨ-ᇂ，。！ｱ-ﾝﾞＡ-ｚ ก-ฮำ\u{301}\u{3099}\u{ad}\u{200d}ﬁ㍿½]{0,30}"
        ) {
            let (normal, origin) = normalize_with_origin(&text);
            for (at, c) in normal.char_indices() {
                let place = at..at + c.len_utf8();
                let again = normalize(&text[origin.of(place.clone(), &mut 0)]);
                prop_assert!(again.contains(&normal[place]), "{again:?}");
            }
        }
    }
}
