//! Languages and versions in the names of folders and files.

/// The languages that folders are named after, without their regions.
const LANGUAGES: &str = "ar az be bg bn bs ca cs da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk \
                         km kn ko lo lt lv mk ml mn mr ms my nb ne nl no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl \
                         tr uk ur uz vi yue zh";

/// Common languages. If folders are named after languages, one of these is among them.
const COMMON: [&str; 12] = [
    "ar", "de", "en", "es", "fr", "ja", "ko", "nl", "pl", "pt", "ru", "zh",
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
    /// Returns whether a folder is named after a language or a version; `None` for other names.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        if LANGUAGES
            .split_whitespace()
            .any(|known| known == language(name))
        {
            return Some(Self::Language);
        }
        let number = ["version-", "version", "release-", "v"].into_iter();
        let number = number
            .filter_map(|word| name.strip_prefix(word))
            .next()
            .unwrap_or(name);
        let is_version = number.starts_with(|c: char| c.is_ascii_digit())
            && number
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || ".-_".contains(c))
            && (number.len() < name.len() || number.contains('.') || number.len() == 4);
        let moving = "alpha beta current dev edge latest main master next nightly preview stable";
        let is_moving = moving.split(' ').any(|known| known == name);
        (is_version || is_moving).then_some(Self::Version)
    }
}

/// Returns whether a folder is named after one of the common languages.
#[must_use]
pub fn is_common_language(name: &str) -> bool {
    COMMON.contains(&language(name))
}

/// Returns the language in the name of a folder such as `zh-CN` or `pt_br`; the whole name if it has none.
fn language(name: &str) -> &str {
    match name.split_once(['-', '_']) {
        Some((language, region)) if (2..=4).contains(&region.len()) => language,
        _ => name,
    }
}

/// Returns the languages and versions in the path of a page: its folders, and `de` of `tea.de.md`.
#[must_use]
pub fn sides(path: &str) -> Vec<&str> {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let folders = folders
        .split('/')
        .filter(|folder| Side::of(folder).is_some());
    let within = file.split('.').skip(1);
    let within = within.filter(|part| Side::of(part) == Some(Side::Language));
    folders.chain(within).collect()
}

/// Returns whether two pages are different versions or languages, by their paths.
#[must_use]
pub fn are_apart(a: &str, b: &str) -> bool {
    sides(a) != sides(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_of_paths() {
        for (path, expected) in [
            ("docs/04-deployment/tea.md", &[][..]),
            (
                "versioned_docs/version-5.0/05-operations/tea.md",
                &["version-5.0"],
            ),
            ("i18n/zh-CN/docs/current/tea.md", &["zh-CN", "current"]),
            ("docs/tea.de.md", &["de"]),
            ("docs/tea.v2.md", &[]),
            ("de.md", &[]),
        ] {
            assert_eq!(sides(path), expected, "{path}");
        }
    }
}
