//! Letters that a reader of their script takes for the same, and marks that a writer may leave out. They are folded for
//! comparing, behind the normal form of Unicode; what is shown stays as it is.
//!
//! | script | what is folded |
//! |---|---|
//! | Arabic | vowel marks, tatweel; alef with hamza or madda; heh and teh marbuta; yeh, alef maksura, kaf and digits of all keyboards |
//! | Hebrew | points and accents |
//! | Greek | accents |
//! | Cyrillic | acute accents for stress; the points of ё |
//! | Romanian | s and t with a comma or, of older keyboards, a cedilla |
//! | Turkish, Azeri | i with and without a dot, as capitals of other languages lose or gain it |
//! | Han | radicals that look like characters: `EquivalentUnifiedIdeograph` of Unicode |
//! | Kurdish | ae of other keyboards, which is heh and a joiner |
//! | any | apostrophes that count as letters; lines below and through letters |
//!
//! A change of the table raises [`CUT_VERSION`](crate::text::cutter::CUT_VERSION).

use unicode_normalization::char::decompose_canonical;

/// The radicals from U+2E80 on, and the character that each of them looks like; `-` for none.
const RADICALS: (u32, &str) = (
    0x2e80,
    "-厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑𫜹忄心扌攵-旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿肉𦥑艹艹艹虎衤\
     覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟",
);

/// Folds a normalised and case-folded text, one character after the other.
#[derive(Debug, Default)]
pub(super) struct Fold {
    before: Option<char>,
}

impl Fold {
    /// Returns what a character is compared as; `None` if it is left out.
    pub(super) fn next(&mut self, c: char) -> Option<char> {
        // A small I with a dot is what case folding makes of the Turkish capital.
        let is_dot = c == '\u{307}' && self.before == Some('i');
        // Letters with an acute of their own are one character by now.
        let is_stress = c == '\u{301}' && matches!(self.before, Some('а'..='џ'));
        if is_dot || is_stress || is_mark(c) {
            return None;
        }
        let folded = alike(c);
        self.before = Some(folded);
        Some(folded)
    }
}

/// Whether a character is a mark that writers may leave out.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c,
        // Lines below and through letters.
        '\u{332}' | '\u{335}' | '\u{336}'
        |
        // Hebrew points and accents; Arabic tatweel, vowel marks and signs of the Quran.
        '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}')
}

/// Returns the character that stands for all that look the same; the character itself if there is none.
pub(super) fn alike(c: char) -> char {
    match c {
        '\0'..='\u{130}' => c,
        'ı' => 'i',
        'ș' => 'ş',
        'ț' => 'ţ',
        '\u{2b9}'..='\u{2bf}' | '\u{2c8}' | '\u{a78b}' | '\u{a78c}' => '\'',
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => first_of_canonical(c),
        'ё' => 'е',
        'آ' | 'أ' | 'إ' | 'ٱ' => 'ا',
        'ة' | 'ۀ' | 'ہ' | 'ۂ' | 'ۃ' | 'ە' => 'ه',
        'ى' | 'ی' => 'ي',
        'ک' => 'ك',
        '٠'..='٩' => digit(c, '٠'),
        '۰'..='۹' => digit(c, '۰'),
        '\u{2e80}'..='\u{2ef3}' => radical(c),
        _ => c,
    }
}

/// Returns the digit of ASCII with the value of another one, whose script has this zero.
fn digit(c: char, zero: char) -> char {
    char::from_digit(c as u32 - zero as u32, 10).unwrap_or(c)
}

/// Returns a letter without its accents.
fn first_of_canonical(c: char) -> char {
    let mut first = None;
    decompose_canonical(c, |part| first = first.or(Some(part)));
    first.unwrap_or(c)
}

fn radical(c: char) -> char {
    let at = (c as u32).checked_sub(RADICALS.0);
    let found = at.and_then(|at| RADICALS.1.chars().nth(at as usize));
    found.filter(|&found| found != '-').unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::normalize;

    #[test]
    fn what_a_reader_takes_for_the_same_is_the_same() {
        for (a, b) in [
            // With and without vowel marks, tatweel, hamza.
            ("تُغَادِرُ العَبَّارَةُ", "تغادر العبارة"),
            ("محـــمد أحمد إلى آخر", "محمد احمد الي اخر"),
            ("المدرسة الصغيرة", "المدرسه الصغيره"),
            ("\u{627}\u{654}حمد", "أحمد"),
            // Keyboards of Persian and Arabic.
            ("کتاب یک دوست", "كتاب يك دوست"),
            ("عام ١٩٨٤، سال ۱۹۸۴", "عام 1984، سال 1984"),
            ("שָׁלוֹם עוֹלָם", "שלום עולם"),
            ("Καλημέρα κόσμε, ΟΔΟΣ", "καλημερα κοσμε, οδος"),
            ("ἄνθρωπος ᾧ", "ανθρωπος ωι"),
            ("لە گوندێک", "له\u{200c} گوندێک"),
            ("s\u{336}t\u{336}r\u{332}ike", "strike"),
            ("Țară și oraș", "ţară şi oraş"),
            ("KIZIL IRMAK İSTANBUL", "kızıl ırmak istanbul"),
            ("п\u{2bc}ять", "п'ять"),
            ("за\u{301}мок на горе\u{301}", "замок на горе"),
            ("Ёлка и её огни", "Елка и ее огни"),
            ("е\u{308}лка", "елка"),
            ("⻓⻔⻛⻝⻢⻥", "长门风食马鱼"),
            ("⺠⽣", "民生"),
        ] {
            assert_eq!(normalize(a), normalize(b), "{a:?} and {b:?}");
        }
    }

    #[test]
    fn other_letters_stay() {
        for text in [
            "ẵ ằ ơ ư đ",
            "é ñ ö ß",
            "й ї ґ ѓ ќ",
            "ؤ ئ ڤ ے",
            "シジ",
            "長长",
        ] {
            assert_eq!(alike_all(&normalize(text)), normalize(text));
        }
        assert_ne!(normalize("ơ"), normalize("o"));
        assert_ne!(normalize("й"), normalize("и"));
        assert_eq!(RADICALS.1.chars().count(), 116);
    }

    fn alike_all(text: &str) -> String {
        text.chars().map(alike).collect()
    }
}
