//! The language of what people read: tables, pages, messages.
//!
//! Texts are written in English where they are used, and the English text is the key of the table of another language.
//! There are three ways to them:
//!
//! * [`say!`](crate::language::say) for a text with values, and [`phrase`] for one without, where a report for people is
//!   written;
//! * `` t`text` `` in the program of a page, and `{{say text}}` in its HTML, which are looked up in the same table;
//! * [`translated`] for a sentence that was made in English elsewhere, such as an error of the library: it is matched
//!   with the texts of the table, and what stands in their holes is kept.
//!
//! Machine formats and the library never ask for the language. A test finds texts that a table lacks, see
//! `tests/library/language.rs`.

mod matching;
mod zh;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::language::matching::Patterns;

/// A language that people read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Chinese,
}

/// Whether the program speaks Chinese. It is set once, before anything is written.
static SPEAKS_CHINESE: AtomicBool = AtomicBool::new(false);

/// The Chinese texts by the English ones.
static CHINESE: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let texts = zh::TEXTS.iter().copied().flatten();
    texts.copied().collect()
});

/// The same, to be matched with sentences.
static CHINESE_PATTERNS: LazyLock<Patterns> =
    LazyLock::new(|| Patterns::new(&[zh::MESSAGES, zh::COMMANDS, zh::CLEANING], zh::NOUNS));

impl Language {
    /// Returns the language of a locale, such as `zh_CN.UTF-8`.
    pub(crate) fn of_locale(locale: &str) -> Self {
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

/// Sets the language of everything that people read.
pub(crate) fn set(language: Language) {
    SPEAKS_CHINESE.store(language == Language::Chinese, Ordering::Relaxed);
}

/// Returns the language that was set; English if none was.
pub(crate) fn current() -> Language {
    match SPEAKS_CHINESE.load(Ordering::Relaxed) {
        true => Language::Chinese,
        false => Language::English,
    }
}

/// Returns a text without values.
pub(crate) fn phrase(english: &str) -> &str {
    match current() {
        Language::English => english,
        Language::Chinese => CHINESE.get(english).copied().unwrap_or(english),
    }
}

/// Returns a text with values, of which each stands in a hole `{}`: `say!("{} of {}", part, whole)`.
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
pub(crate) use say;

/// Returns a text whose holes are filled: `{}` by the next value, `{1}` by the second one.
pub(crate) fn filled(text: &str, values: &[&dyn Display]) -> String {
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

/// Returns a number with its noun, which is put into the plural unless the number is one: `1 copy`,
/// `2 copies`.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == N::from(1) {
        return format!("{count} {noun}");
    }
    match noun.strip_suffix('y') {
        Some(stem) => format!("{count} {stem}ies"),
        None if noun.ends_with("ch") => format!("{count} {noun}es"),
        None => format!("{count} {noun}s"),
    }
}

/// Returns a sentence that was made in English. A part of it that is in no table stays English.
pub(crate) fn translated(english: &str) -> String {
    match current() {
        Language::English => english.to_owned(),
        Language::Chinese => CHINESE_PATTERNS.translated(english),
    }
}

/// Returns the texts that the program of a page shows, by the English ones; none for English.
pub(crate) fn of_page() -> BTreeMap<&'static str, &'static str> {
    match current() {
        Language::English => BTreeMap::new(),
        Language::Chinese => zh::PAGE.iter().chain(zh::NOUNS).copied().collect(),
    }
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
    fn nouns_follow_their_numbers() {
        for (count, noun, expected) in [
            (1, "copy", "1 copy"),
            (0, "more entry", "0 more entries"),
            (2, "stretch", "2 stretches"),
            (3, "document", "3 documents"),
        ] {
            assert_eq!(counted::<u64>(count, noun), expected);
        }
    }
}
