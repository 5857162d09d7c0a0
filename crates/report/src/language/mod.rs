//! The language of the texts for people: tables, pages, and messages.
//!
//! Texts are written in English where they are used. The English text is the key of the Chinese one, and `zh.txt` has all
//! pairs of both. There are two ways to a text:
//!
//! * [`say!`](crate::say) for a text with values, and [`phrase`] for one without;
//! * `` t`text` `` in the program of a page, and `{{say text}}` in its HTML.
//!
//! Machine formats, errors, warnings and the library are English. A test finds texts that `zh.txt` lacks, and pairs that
//! nothing uses: `tests/library/language.rs`.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use dupfind_engine::Reason;

/// A language that people read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// The language of the texts in the code.
    English,
    /// Simplified Chinese.
    Chinese,
}

/// Whether texts are in Chinese. It is set once, before anything is written.
static SPEAKS_CHINESE: AtomicBool = AtomicBool::new(false);

/// The pairs of an English and a Chinese text, in the form that the file itself explains.
const PAIRS: &str = include_str!("zh.txt");

/// The line of the file after the texts of pages. The program of a page gets all texts before it.
const END_OF_PAGES: &str = "# Tables and messages";

/// The Chinese texts by the English ones.
static CHINESE: LazyLock<HashMap<String, String>> = LazyLock::new(|| pairs(PAIRS).collect());

/// Returns the pairs of a file: the first line of two is English, the second one Chinese.
pub fn pairs(file: &str) -> impl Iterator<Item = (String, String)> {
    let text = |line: &str| line.replace("\\s", " ").replace("\\n", "\n");
    let mut lines = file.lines().filter(|line| !line.starts_with('#'));
    std::iter::from_fn(move || {
        let english = lines.find(|line| !line.is_empty())?;
        Some((text(english), text(lines.next()?)))
    })
}

impl Language {
    /// Returns the language of a locale, such as `zh_CN.UTF-8`.
    pub fn of_locale(locale: &str) -> Self {
        let name = locale.split(['_', '-', '.', '@']).next();
        match name.is_some_and(|name| name.eq_ignore_ascii_case("zh")) {
            true => Self::Chinese,
            false => Self::English,
        }
    }

    /// Returns its name in the head of a page.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }
}

/// Sets the language of all texts for people.
pub fn set(language: Language) {
    SPEAKS_CHINESE.store(language == Language::Chinese, Ordering::Relaxed);
}

/// Returns the language that was set; English if none was.
pub fn current() -> Language {
    match SPEAKS_CHINESE.load(Ordering::Relaxed) {
        true => Language::Chinese,
        false => Language::English,
    }
}

/// Returns a text without values.
pub fn phrase(english: &str) -> &str {
    match current() {
        Language::English => english,
        Language::Chinese => CHINESE.get(english).map_or(english, String::as_str),
    }
}

/// What returns a text without values in some language: [`phrase`], or [`english`] for machine formats.
pub(crate) type Phrase = for<'t> fn(&'t str) -> &'t str;

/// Returns a text as it is.
pub(crate) fn english(text: &str) -> &str {
    text
}

/// Returns a text with a value in each hole `{}`: `say!("{} of {}", part, whole)`.
#[macro_export]
macro_rules! say {
    ($text:literal $(, $value:expr)* $(,)?) => {
        match $crate::language::current() {
            $crate::language::Language::English => format!($text $(, $value)*),
            $crate::language::Language::Chinese => {
                $crate::language::filled($crate::language::phrase($text), &[$(&$value),*])
            }
        }
    };
}

/// Returns a text whose holes are filled: `{}` by the next value, `{1}` by the second one.
pub fn filled(text: &str, values: &[&dyn Display]) -> String {
    let mut out = String::new();
    let mut next = 0;
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let (place, behind) = behind.split_once('}').unwrap_or((behind, ""));
        let place = place.parse().unwrap_or_else(|_| {
            next += 1;
            next - 1
        });
        out.push_str(before);
        if let Some(value) = values.get(place) {
            out.push_str(&value.to_string());
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Returns the texts that the program of a page shows, by the English ones; none for English.
pub(crate) fn of_page() -> BTreeMap<String, String> {
    match current() {
        Language::English => BTreeMap::new(),
        Language::Chinese => {
            let of_pages = PAIRS
                .split_once(END_OF_PAGES)
                .map_or(PAIRS, |(pages, _)| pages);
            pairs(of_pages).collect()
        }
    }
}

/// Returns the sentence of a reason.
pub(crate) fn reason(reason: &Reason) -> String {
    reason_in(phrase, reason)
}

/// Returns the sentence of a reason in a language.
pub(crate) fn reason_in(phrase: Phrase, reason: &Reason) -> String {
    let mut sentence = String::new();
    let written = reason.write(|text, values| {
        sentence.push_str(&filled(phrase(text), values));
        Ok(())
    });
    written.expect("strings can always be written");
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_have_languages() {
        for locale in ["zh_CN.UTF-8", "zh-TW", "zh", "ZH_cn", "zh.GBK", "zh@pinyin"] {
            assert_eq!(Language::of_locale(locale), Language::Chinese, "{locale}");
        }
        for locale in [
            "C",
            "POSIX",
            "",
            "en_US.UTF-8",
            "C.UTF-8",
            "zhuang",
            "ja_JP",
        ] {
            assert_eq!(Language::of_locale(locale), Language::English, "{locale}");
        }
    }

    #[test]
    fn holes_are_filled() {
        assert_eq!(filled("{} of {}", &[&1, &"a"]), "1 of a");
        assert_eq!(filled("{1} 中的 {0}", &[&1, &"a {}"]), "a {} 中的 1");
        assert_eq!(say!("{} of {}", 1, 2), "1 of 2");
    }

    #[test]
    fn a_file_of_pairs_is_read() {
        let file =
            "# Comment\n\nopen {}\n打开 {}\r\n\n# More\n, moved\\s\n，换了\\n位置\n\n\nlast\n最后";
        let read: Vec<_> = pairs(file).collect();
        let expected = [
            ("open {}", "打开 {}"),
            (", moved ", "，换了\n位置"),
            ("last", "最后"),
        ];
        assert_eq!(
            read,
            expected.map(|(english, chinese)| (english.into(), chinese.into()))
        );
        assert!(PAIRS.contains(&format!("\n{END_OF_PAGES}\n")));
    }
}
