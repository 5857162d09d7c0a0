//! The language of a text in Chinese, Japanese or Korean, by which a browser chooses glyphs.

use dupfind_engine::text::han::{fold, is_hangul};
use dupfind_engine::text::script::{Class, class};

/// How many characters of a text are looked at.
const LOOKED_AT: usize = 20_000;

/// Fewer Han characters without kana may be Japanese, or in both Chinese scripts alike.
const LEAST_HAN: usize = 50;

/// Fewer letters tell nothing.
const LEAST_LETTERS: usize = 20;

/// Returns the language of a text as BCP 47 has it, if it is sure.
pub(super) fn lang(text: &str) -> Option<&'static str> {
    let (mut han, mut kana, mut hangul, mut others) = (String::new(), 0, 0, 0);
    for c in text.chars().take(LOOKED_AT) {
        match class(c) {
            Class::Han => han.push(c),
            Class::Hiragana | Class::Katakana => kana += 1,
            _ if is_hangul(c) => hangul += 1,
            _ => others += usize::from(c.is_alphabetic()),
        }
    }
    let han_count = han.chars().count();
    let all = han_count + kana + hangul;
    // A character has as much text in it as a short word of Latin letters.
    if 4 * all <= others {
        None
    } else if hangul >= LEAST_LETTERS && 2 * hangul > all {
        Some("ko")
    } else if kana >= LEAST_LETTERS && 5 * kana > all {
        Some("ja")
    } else {
        let is_chinese = han_count >= LEAST_HAN && 100 * (kana + hangul) <= all;
        is_chinese.then(|| chinese(&han, han_count))
    }
}

/// Tells the two scripts of Chinese apart. A third of the characters of a text differ in them.
fn chinese(han: &str, count: usize) -> &'static str {
    let mut folded = han.to_owned();
    fold(&mut folded);
    let pairs = han.chars().zip(folded.chars());
    let traditional = pairs.filter(|(c, folded)| c != folded).count();
    match 100 * traditional / count {
        0..=2 => "zh-Hans",
        18.. => "zh-Hant",
        _ => "zh",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sure_languages_are_named() {
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
            (english, None),
            (&code, Some("zh-Hans")),
            (greek, None),
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
