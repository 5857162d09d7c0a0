//! What the name of a folder tells of the pages in it: their language, their version, their subject.

/// Folders of versions that have no number. A site has such folders for what it was, or will be, at a time.
const MOVING: [&str; 13] = [
    "alpha", "beta", "current", "dev", "edge", "latest", "lts", "main", "master", "next",
    "nightly", "preview", "stable",
];

/// Other folders of revisions that have no number.
const REVISIONS: [&str; 10] = [
    "archive", "archived", "archives", "copy", "draft", "legacy", "new", "old", "previous",
    "released",
];

/// Words of files that are copies and revisions. Folders are not named so.
const COPIES: [&str; 7] = [
    "backup", "bak", "edited", "final", "orig", "original", "revised",
];

/// The same in Chinese, where no sign is between the words of a name.
pub(super) const CHINESE_COPIES: [&str; 46] = [
    "一稿",
    "三稿",
    "二稿",
    "修改",
    "修改版",
    "修訂",
    "修訂版",
    "修订",
    "修订版",
    "備份",
    "初稿",
    "副本",
    "原文",
    "原稿",
    "备份",
    "复件",
    "复制",
    "存档",
    "定稿",
    "审核",
    "征求意见稿",
    "徵求意見稿",
    "拷貝",
    "拷贝",
    "改",
    "新",
    "新版",
    "旧",
    "旧版",
    "更新",
    "最終",
    "最終版",
    "最终",
    "最终版",
    "校对",
    "終稿",
    "终版",
    "终稿",
    "老版本",
    "舊",
    "舊版",
    "草稿",
    "複製",
    "轉載",
    "转载",
    "複本",
];

/// Words beside the number of a version.
const BESIDE_NUMBERS: [&str; 12] = [
    "", "docs", "edition", "r", "rc", "rel", "release", "rev", "v", "ver", "version", "x",
];

/// What the name of a folder tells of the pages in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Their language.
    Language,
    /// The version of what they are about.
    Version,
}

impl Side {
    /// Returns whether a folder is named after a language or a version and nothing else; `None` for other names. A number
    /// alone may be that of a chapter: a version has a point or an x, a word before it, or is a year, a month or a day.
    pub fn of(folder: &str) -> Option<Self> {
        if language_of(folder).is_some() {
            return Some(Self::Language);
        }
        let words = ["version-", "version", "release-", "v"];
        let number = words.iter().find_map(|word| folder.strip_prefix(word));
        let is_number = |name: &str| name.starts_with(|c: char| c.is_ascii_digit());
        let is_of_version = match number {
            Some(number) => is_number(number),
            None => is_number(folder) && folder.contains(['.', 'x']) || is_date(folder),
        };
        let is_version = MOVING.contains(&folder) || is_of_version && subject(folder).is_empty();
        is_version.then_some(Self::Version)
    }

    /// Returns whether a folder may be that of a version if it is beside some: its name tells no subject, as `docs`, `old` and
    /// `2-edge` do not.
    pub fn may_be_version(folder: &str) -> bool {
        language_of(folder).is_none() && subject(folder).is_empty()
    }
}

/// Returns the words of a folder that do not name a version or a language: nothing of `v1.2`, `latest`, `zh-CN` and
/// `versioned_docs`, and `api` of `api-v1`. Nothing of `docs` either: it is often beside the folders of older versions. A number
/// is that of a version if it has a point or a `v`, or if the rest of the name says so. Chapters and lessons have numbers too,
/// and are no versions of each other.
pub(super) fn subject(folder: &str) -> String {
    // Docusaurus has versions and translations in such folders, and a further set of pages in `tea_versioned_docs` and
    // `docusaurus-plugin-content-docs-tea`.
    let folder = match folder.strip_prefix("docusaurus-plugin-content-") {
        Some(folder) => folder.strip_prefix("docs-").unwrap_or(folder),
        None => folder.strip_suffix("_versioned_docs").unwrap_or(folder),
    };
    let folder = folder.strip_prefix("versioned_").unwrap_or(folder);
    let letters = |word: &str| -> String {
        let letters = word.chars().filter(|c| c.is_alphabetic());
        letters.flat_map(char::to_lowercase).collect()
    };
    let is_stage = |word: &str| MOVING.contains(&word) || REVISIONS.contains(&word);
    let is_of_version = |word: &str| {
        let letters = letters(word);
        is_stage(&letters) || BESIDE_NUMBERS.contains(&&*letters)
    };
    let has_number = folder.contains(|c: char| c.is_ascii_digit());
    let is_padded = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    let is_counted = has_number && !folder.strip_prefix('0').is_some_and(is_padded);
    // The last number of `version-2.x` is any.
    let numbers = folder.strip_suffix(".x").unwrap_or(folder);
    if is_stage(&letters(folder))
        || folder.ends_with("-edition")
        || is_counted && is_of_version(numbers)
        || ["docs", "i18n", "versions"].contains(&folder)
        || language_of(folder).is_some()
    {
        return String::new();
    }
    if !has_version(folder) {
        return folder.to_owned();
    }
    let words = folder.split(['-', '_']);
    let words = words.filter(|word| !has_version(word) && !is_of_version(word));
    words.collect::<Vec<_>>().join("-")
}

/// Returns whether a word of the name of a file says that it is a version, a revision or a copy of another one.
pub(super) fn is_word_of_versions(word: &str) -> bool {
    let lists: [&[&str]; 5] = [&MOVING, &REVISIONS, &COPIES, &CHINESE_COPIES, &["versions"]];
    lists.iter().any(|list| list.contains(&word))
}

/// What may be behind the number of a version.
const STAGES: [&str; 9] = ["", "a", "alpha", "b", "beta", "dev", "pre", "rc", "x"];

/// Returns whether a number of a name has a point in it, or is behind a `v` that begins a word. `v2ray` and `v3d` are no versions.
pub(super) fn has_version(file: &str) -> bool {
    let mut before = [' ', ' '];
    file.char_indices().any(|(at, c)| {
        let is_it = c.is_ascii_digit()
            && match before {
                [digit, '.'] => digit.is_ascii_digit(),
                [start, 'v' | 'V'] => !start.is_alphanumeric() && is_before_stage(&file[at..]),
                _ => false,
            };
        before = [before[1], c];
        is_it
    })
}

/// Returns whether the letters behind a number, if there are any, tell the stage of a version.
fn is_before_stage(number: &str) -> bool {
    let behind = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let end = behind.find(|c: char| !c.is_ascii_alphabetic());
    let letters = &behind[..end.unwrap_or(behind.len())];
    STAGES
        .iter()
        .any(|stage| letters.eq_ignore_ascii_case(stage))
}

/// Returns whether a folder is named after a year.
pub(super) fn is_year(folder: &str) -> bool {
    let is_of_century = folder.starts_with("19") || folder.starts_with("20");
    folder.len() == 4 && is_of_century && folder.bytes().all(|digit| digit.is_ascii_digit())
}

/// Returns whether a folder is named after a year, or after a month or a day with its year: `2024-01`.
fn is_date(folder: &str) -> bool {
    let mut parts = folder.split(['-', '_']);
    let is_two = |part: &str| part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_digit());
    parts.next().is_some_and(is_year) && parts.clone().count() < 3 && parts.all(is_two)
}

/// The folders of Chinese that are named after its script alone.
const SCRIPTS: [&str; 10] = [
    "chs",
    "cht",
    "hans",
    "hant",
    "简体",
    "简体中文",
    "繁体",
    "繁体中文",
    "繁體",
    "繁體中文",
];

/// The languages that folders are named after, without their regions; `cn`, `jp` and `kr` are common mistakes.
const LANGUAGES: &str = "ar az be bg bn bs ca cn cs da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja jp ka \
                         kk km kn ko kr lo lt lv mk mn mr ms my nb ne nl no pa pl pt ro ru si sk sl sq sr sv sw ta te \
                         th tl tr uk ur uz vi yue zh";

/// Returns the language that a folder is named after, such as `zh` of `zh-CN` and `pt` of `pt_br`; `None` for other names, such as
/// `no-code`.
pub fn language_of(folder: &str) -> Option<String> {
    let is_it = |script: &&str| folder.eq_ignore_ascii_case(script);
    if SCRIPTS.iter().any(is_it) {
        return Some("zh".into());
    }
    // Few folders have so short a first word, and all folders of a site are asked about.
    if !(2..=3).contains(&folder.find(['-', '_']).unwrap_or(folder.len())) {
        return None;
    }
    let folder = folder.to_lowercase();
    let mut words = folder.split(['-', '_']);
    let language = words.next()?;
    let is_known = LANGUAGES.split_whitespace().any(|known| known == language);
    let is_region = |word: &str| {
        word.len() == 2
            || ["cyrl", "hans", "hant", "latn"].contains(&word)
            || word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let has_region = words.all(is_region);
    (is_known && has_region).then(|| language.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_versions_have_no_subject_and_those_of_chapters_have_one() {
        use Side::{Language, Version};
        for (folder, side, left) in [
            ("zh-CN", Some(Language), ""),
            ("zh_Hans", Some(Language), ""),
            ("es-419", Some(Language), ""),
            ("no-code", None, "no-code"),
            ("hr-pro", None, "hr-pro"),
            ("ml", None, "ml"),
            ("v1.2", Some(Version), ""),
            ("version-5.0", Some(Version), ""),
            ("v1-10-0", Some(Version), ""),
            ("v1beta2", Some(Version), ""),
            ("v2ray", None, "v2ray"),
            ("v3d", None, "v3d"),
            ("2.0.0-alpha", Some(Version), ""),
            ("1.10.x", Some(Version), ""),
            ("0.x", Some(Version), ""),
            ("version-2.x", Some(Version), ""),
            ("4x", Some(Version), ""),
            ("0x-hex", None, "0x-hex"),
            ("2021", Some(Version), ""),
            ("2024-01", Some(Version), ""),
            ("2024_01_31", Some(Version), ""),
            ("2024-plan", None, "2024-plan"),
            ("Hant", Some(Language), ""),
            ("繁體中文", Some(Language), ""),
            ("latest", Some(Version), ""),
            ("preview", Some(Version), ""),
            ("lts", Some(Version), ""),
            ("v3.7-lts", Some(Version), ""),
            ("rc1", None, ""),
            ("12", None, ""),
            ("old", None, ""),
            ("docs", None, ""),
            ("versioned_docs", None, ""),
            ("2018-edition", None, ""),
            ("second-edition", None, ""),
            ("api-v1", None, "api"),
            ("fabric-2.5", None, "fabric"),
            ("1.1-intro", None, "intro"),
            ("01", None, "01"),
            ("01-a", None, "01-a"),
            ("04-deployment", None, "04-deployment"),
            ("mysql", None, "mysql"),
        ] {
            assert_eq!(Side::of(folder), side, "{folder}");
            assert_eq!(subject(folder), left, "{folder}");
        }
    }
}
