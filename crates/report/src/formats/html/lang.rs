//! The language of a text, as far as its script tells it for sure.
//!
//! Browsers choose fonts by it, and screen readers a voice. A wrong language is worse than none, so there is one only
//! where the script leaves no other, or where the commonest words are those of English.

use dupfind_engine::text::han::Han;
use dupfind_engine::text::script::{Class, class};

/// How many characters of a text are looked at.
const LOOKED_AT: usize = 20_000;

/// Fewer Han characters without kana may be Japanese, or in both Chinese scripts alike.
const LEAST_HAN: usize = 50;

/// Fewer letters tell nothing.
const LEAST_LETTERS: usize = 20;

/// The commonest words of English that no other language has in this number.
const ENGLISH: [&str; 12] = [
    "the", "and", "of", "to", "is", "that", "with", "for", "this", "are", "from", "be",
];

/// Fewer words are too few to tell English.
const LEAST_WORDS: usize = 30;

/// How many characters of each kind a text has.
#[derive(Debug, Default)]
struct Counts {
    han: String,
    han_count: usize,
    kana: usize,
    hangul: usize,
    thai: usize,
    greek: usize,
    georgian: usize,
    armenian: usize,
    latin: usize,
    other: usize,
}

/// Returns the language of a text as BCP 47 has it, if it is sure.
pub(super) fn lang(text: &str) -> Option<&'static str> {
    let mut counts = Counts::default();
    for c in text.chars().take(LOOKED_AT) {
        counts.add(c);
    }
    // A character of Chinese or Japanese says as much as a short word of Latin letters does.
    let east_asian = 4 * (counts.han_count + counts.kana + counts.hangul);
    let letters = east_asian + counts.latin + counts.one_language() + counts.other;
    if 2 * east_asian > letters {
        return counts.east_asian();
    }
    let alone = [
        ("th", counts.thai),
        ("el", counts.greek),
        ("ka", counts.georgian),
        ("hy", counts.armenian),
    ];
    let found = alone
        .iter()
        .find(|(_, count)| *count >= LEAST_LETTERS && 2 * count > letters);
    match found {
        Some((lang, _)) => Some(lang),
        None if 10 * counts.latin >= 9 * letters => english(text),
        None => None,
    }
}

impl Counts {
    fn add(&mut self, c: char) {
        match (c, class(c)) {
            (_, Class::Han) => {
                self.han.push(c);
                self.han_count += 1;
            }
            (_, Class::Hiragana | Class::Katakana) => self.kana += 1,
            ('\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7a3}', _) => {
                self.hangul += 1;
            }
            ('\u{0e01}'..='\u{0e4e}', _) => self.thai += 1,
            ('\u{0370}'..='\u{03ff}' | '\u{1f00}'..='\u{1fff}', _) => self.greek += 1,
            ('\u{10d0}'..='\u{10ff}', _) => self.georgian += 1,
            ('\u{0531}'..='\u{0587}', _) => self.armenian += 1,
            ('a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}', _) => self.latin += 1,
            (_, Class::Word) if c.is_alphabetic() => self.other += 1,
            (_, Class::Unspaced | Class::Ideograph) => self.other += 1,
            _ => {}
        }
    }

    /// Returns the number of letters that one language alone is written with.
    fn one_language(&self) -> usize {
        self.thai + self.greek + self.georgian + self.armenian
    }

    fn east_asian(&self) -> Option<&'static str> {
        let all = self.han_count + self.kana + self.hangul;
        if self.hangul >= LEAST_LETTERS && 2 * self.hangul > all {
            return Some("ko");
        }
        if self.kana >= LEAST_LETTERS && 5 * self.kana > all {
            return Some("ja");
        }
        let is_chinese = self.han_count >= LEAST_HAN && 100 * (self.kana + self.hangul) <= all;
        is_chinese.then(|| self.chinese())
    }

    /// Tells the two scripts of Chinese apart. A third of the characters of a text differ in them.
    fn chinese(&self) -> &'static str {
        let mut folded = self.han.clone();
        Han::Folded.apply(&mut folded, 0);
        let pairs = self.han.chars().zip(folded.chars());
        let traditional = pairs.filter(|(c, folded)| c != folded).count();
        match 100 * traditional / self.han_count {
            0..=2 => "zh-Hans",
            18.. => "zh-Hant",
            _ => "zh",
        }
    }
}

fn english(text: &str) -> Option<&'static str> {
    let words = text.split(|c: char| !c.is_alphabetic());
    let words = words.filter(|word| !word.is_empty()).take(LOOKED_AT / 5);
    let (mut all, mut common) = (0, 0);
    for word in words {
        all += 1;
        common += usize::from(ENGLISH.iter().any(|known| known.eq_ignore_ascii_case(word)));
    }
    (all >= LEAST_WORDS && 100 * common >= 12 * all).then_some("en")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_sure() {
        let simplified =
            "旧城区的梧桐树在雨后显得格外安静，图书馆周日闭馆，还书请用门口的箱子。".repeat(3);
        let traditional =
            "舊城區的梧桐樹在雨後顯得格外安靜，圖書館週日閉館，還書請用門口的箱子。".repeat(3);
        let japanese =
            "雨上がりの旧市街のプラタナスはとても静かです。図書館は日曜日に閉館します。".repeat(3);
        let korean = "비가 온 뒤의 구시가지 플라타너스는 매우 조용합니다.".repeat(3);
        let english = "The plane trees of the old town are quiet after the rain, and the library is closed on \
             Sunday. Please return the books to the box that stands at the door of the house.";
        let german = "Die Platanen der Altstadt sind nach dem Regen still, und die Bibliothek ist am Sonntag \
             geschlossen. Bitte legen Sie die Bücher in den Kasten, der an der Tür des Hauses steht, und gehen Sie.";
        let russian = "После дождя платаны старого города необычайно тихи, библиотека закрыта.";
        let greek = "Μετά τη βροχή τα πλατάνια της παλιάς πόλης είναι ήσυχα.";
        let code =
            format!("```\nkubectl apply -f tidb-cluster.yaml -n namespace\n```\n{simplified}");
        for (text, expected) in [
            (simplified.as_str(), Some("zh-Hans")),
            (&traditional, Some("zh-Hant")),
            (
                &format!("{simplified}{simplified}{traditional}"),
                Some("zh"),
            ),
            (&japanese, Some("ja")),
            (&korean, Some("ko")),
            (english, Some("en")),
            (&code, Some("zh-Hans")),
            (greek, Some("el")),
            (german, None),
            (russian, None),
            ("城市公园", None),
            ("kubectl get pods", None),
            ("", None),
        ] {
            assert_eq!(lang(text), expected, "{text}");
        }
    }
}
