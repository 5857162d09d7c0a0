//! What the paths of pages tell: languages and versions, licences, instructions for agents, navigation and notes about
//! releases.

use crate::source::code::is_licence;
use dupfind_engine::verdict::folders::{Side, language_of};

/// Common languages. If folders are named after languages, one of these is among them.
const COMMON: [&str; 12] = [
    "ar", "de", "en", "es", "fr", "ja", "ko", "nl", "pl", "pt", "ru", "zh",
];

/// Returns whether a folder is named after one of the common languages.
pub fn is_common_language(name: &str) -> bool {
    language_of(name).is_some_and(|language| COMMON.contains(&&*language))
}

/// Returns the languages and versions in the path of a page: its folders, and `de` of `tea.de.md`.
pub fn sides(path: &str) -> Vec<&str> {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let folders = folders
        .split('/')
        .filter(|folder| Side::of(folder).is_some());
    let within = file.split('.').skip(1);
    let within = within.filter(|part| Side::of(part) == Some(Side::Language));
    folders.chain(within).collect()
}

/// The files that agents look for, each its own.
const OF_AGENTS: [&str; 6] = [
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    "copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
];

/// A file that is there more than once on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repeated {
    /// Each folder has its licence.
    Licence,
    /// Each book has its table of contents for a generator.
    Contents,
    /// Each agent has its instructions, in a file of its own, which has this number among those that are known.
    Instructions(usize),
}

impl Repeated {
    /// Returns what a path is that of; `None` for other files.
    pub fn of(path: &str) -> Option<Self> {
        let agent = || OF_AGENTS.iter().position(|known| is_named(path, known));
        match path {
            _ if is_licence(path) => Some(Self::Licence),
            _ if is_navigation(path) => Some(Self::Contents),
            _ => agent().map(Self::Instructions),
        }
    }

    /// Returns whether nobody wonders that two have one text. Two files for one agent are two tasks.
    pub fn may_repeat(self, other: Self) -> bool {
        match (self, other) {
            (Self::Instructions(a), Self::Instructions(b)) => a != b,
            (a, b) => a == b,
        }
    }
}

/// Returns whether a path is that of instructions for agents, who read it alone.
pub fn is_instruction(path: &str) -> bool {
    let (folders, _) = path.rsplit_once('/').unwrap_or_default();
    let mut folders = folders.split('/');
    let mut files = OF_AGENTS.iter().chain(&["SKILL.md"]);
    files.any(|known| is_named(path, known))
        || path.ends_with(".mdc")
        || folders.any(|folder| matches!(folder, ".claude" | ".cursor" | ".agents" | "skills"))
}

fn is_named(path: &str, file: &str) -> bool {
    let own = path.rsplit('/').next().unwrap_or(path);
    own.eq_ignore_ascii_case(file)
}

/// Returns whether a path is that of a table of contents for a generator or a wiki: it has titles of pages, and no text of its own.
pub fn is_navigation(path: &str) -> bool {
    let stem = stem(path);
    matches!(
        stem.as_str(),
        "summary" | "toc" | "-sidebar" | "-navbar" | "-toc"
    ) || stem.starts_with("toc-")
}

/// Returns whether a path is that of notes about a release, or about the way to it: they say what was so then, and the same thing
/// in several releases.
pub fn is_history(path: &str) -> bool {
    let is_it = |name: &str| {
        let number = name
            .strip_prefix("release-")
            .map(|rest| rest.trim_start_matches('v'));
        matches!(
            name,
            "changelog"
                | "changelogs"
                | "changes"
                | "history"
                | "porting-guides"
                | "release-notes"
                | "releases"
                | "upgrade"
                | "upgrading"
                | "whats-new"
        ) || number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
    };
    let (folders, _) = path.rsplit_once('/').unwrap_or(("", path));
    let mut folders = folders.split('/');
    is_it(&stem(path)) || folders.any(|folder| is_it(&plain(folder)))
}

/// Returns the name of a file without its end, in plain letters.
fn stem(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    plain(file.rsplit_once('.').map_or(file, |(stem, _)| stem))
}

fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
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

    #[test]
    fn navigation_and_notes_about_releases_are_known_by_their_names() {
        for (path, expected) in [
            ("src/SUMMARY.md", [true, false]),
            ("en/TOC-tidb-releases.md", [true, false]),
            ("wiki/_Sidebar.md", [true, false]),
            ("guide/tocsin.md", [false, false]),
            ("release_notes/v3-1.md", [false, true]),
            ("notes/release-2.0.md", [false, true]),
            ("CHANGELOG.md", [false, true]),
            ("setup/upgrade/2.x.md", [false, true]),
            ("guide/release-process.md", [false, false]),
        ] {
            assert_eq!([is_navigation(path), is_history(path)], expected, "{path}");
        }
    }
}
