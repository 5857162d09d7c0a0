//! What pages tell of themselves before their text.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use rayon::prelude::*;

use dupfind_read::extract::front_matter::FrontMatter;
use dupfind_read::extract::{HeadMark, archive, head_marks};
use dupfind_read::source::read::open;
use dupfind_read::{Format, Kind, display_name};

/// A larger file is not looked at.
const MAX_READ: u64 = 4 << 20;

/// The keys of front matter with the address of the page that has the text.
const CANONICAL: [&str; 2] = ["canonical", "canonical_url"];

/// The keys of front matter that tell when a page was made or where it is, in lower case. Copies of a page differ in them.
const OF_PLACE: [&str; 22] = [
    "aliases",
    "author",
    "created",
    "date",
    "draft",
    "id",
    "lastmod",
    "modified",
    "nav_order",
    "order",
    "permalink",
    "position",
    "published",
    "publishdate",
    "redirect_from",
    "sidebar_label",
    "sidebar_position",
    "slug",
    "title",
    "updated",
    "url",
    "weight",
];

/// The folders that hold parts of pages, themselves and in their folders.
const OF_PARTS: [&str; 10] = [
    "_data",
    "_includes",
    "_layouts",
    "_partials",
    "_parts",
    "_sass",
    "_shared",
    "_snippets",
    "_static",
    "_templates",
];

/// The folders that hold pages: collections of Jekyll, and what a site is built into. Others with an underscore hold parts.
const OF_PAGES: [&str; 7] = [
    "_book", "_build", "_docs", "_drafts", "_pages", "_posts", "_site",
];

/// What a page is that has its text for a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::clean) enum Role {
    /// It sends its readers to another page.
    Redirect,
    /// Readers do not find it, or will not: it is a draft, expires, or asks not to be listed.
    Hidden,
    /// It is a part of other pages.
    Include,
}

impl Role {
    pub(in crate::clean) fn because(self) -> &'static str {
        match self {
            Self::Redirect => "it stays, as one of the two leads its readers to another page",
            Self::Hidden => {
                "it stays, as one of the two is a draft, expires, or asks not to be listed"
            }
            Self::Include => "it stays, as one of the two is a part of other pages by its name",
        }
    }

    /// Returns the role that a page has by its name, its front matter, or what its head says.
    fn of(path: &Path, front: &FrontMatter<'_>, told: &[HeadMark]) -> Option<Self> {
        let is_part = |name: &str| name.starts_with('_') && name.trim_start_matches('_') != "index";
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let folders = path.parent().into_iter().flat_map(Path::iter);
        let folders: Vec<&str> = folders.filter_map(|folder| folder.to_str()).collect();
        let is_in = |known: &[&str]| folders.iter().any(|folder| known.contains(folder));
        let folder = folders.last().filter(|folder| !OF_PAGES.contains(folder));
        let is_in_parts = is_in(&OF_PARTS) || folder.is_some_and(|folder| is_part(folder));
        if is_in_parts || stem.is_some_and(is_part) {
            return Some(Self::Include);
        }
        let has_key = |key: &&str| front.value(key).is_some_and(|value| !value.is_empty());
        if ["redirect", "redirect_to"].iter().any(has_key) || told.contains(&HeadMark::Refresh) {
            return Some(Self::Redirect);
        }
        let is_hidden = hides(front) || told.contains(&HeadMark::Unlisted);
        is_hidden.then_some(Self::Hidden)
    }
}

/// Returns whether front matter hides its page, in one of the ways of the generators.
fn hides(front: &FrontMatter<'_>) -> bool {
    front.keys().keys().any(|key| {
        let value = || front.value(key).unwrap_or_default().to_lowercase();
        let is_no = |value: String| ["false", "no", "off"].contains(&&*value);
        match &*key.to_lowercase() {
            "draft" | "expirydate" | "headless" | "hidden" | "noindex" | "private" | "unlisted" => {
                !value().is_empty() && !is_no(value())
            }
            "publish" | "published" => is_no(value()),
            "robots" => value().contains("noindex"),
            "state" | "status" | "visibility" => {
                ["draft", "hidden", "pending", "private", "unlisted"].contains(&&*value())
            }
            _ => false,
        }
    })
}

/// Returns the labels in a page, by which any other page may name it: of Sphinx, MyST, MkDocs, AsciiDoc and Org.
fn labels(path: &Path, source: &str) -> BTreeSet<String> {
    let is_asciidoc = Kind::of(path).format == Format::Asciidoc;
    let of_line = |line| {
        // Notebooks have lines in quotes.
        let line = str::trim(line).trim_matches(['"', ',']);
        let line = line.strip_suffix("\\n").unwrap_or(line);
        let within = |begin: &str, end: &str| line.strip_prefix(begin)?.strip_suffix(end);
        let behind = |begins: [&str; 2]| begins.iter().find_map(|begin| line.strip_prefix(begin));
        let label = within(".. _", ":")
            .or_else(|| within("(", ")="))
            .or_else(|| within("[](){#", "}"))
            .or_else(|| behind([":ID:", ":CUSTOM_ID:"]));
        let of_block = behind(["[#", "[id="]).map(|rest| rest.trim_start_matches('"'));
        let anchors = line.split("[[").skip(1).chain(of_block);
        let anchors = anchors.filter(|_| is_asciidoc);
        let anchors = anchors.filter_map(|rest| rest.split([',', '.', '%', '"', ']']).next());
        let all = label.into_iter().chain(anchors);
        all.map(|label| label.trim_matches(['`', ' ']).to_owned())
            .collect::<Vec<String>>()
    };
    source.lines().flat_map(of_line).collect()
}

/// Returns what an Office file has besides its text.
fn beside(path: &Path) -> BTreeMap<String, String> {
    let is_archive = Kind::of(path).format.is_archive();
    let file = is_archive.then(|| open(path).ok()).flatten();
    file.map_or_else(BTreeMap::new, |file| archive::beside(file, MAX_READ))
}

/// What a page tells of itself besides its text.
#[derive(Debug, Clone, Default)]
pub(in crate::clean) struct Head {
    pub(in crate::clean) role: Option<Role>,
    /// The address of the page that has its text, if it names one.
    pub(in crate::clean) canonical: Option<String>,
    /// The keys of its front matter that tell what it is about, with their values.
    pub(in crate::clean) keys: BTreeMap<String, String>,
    /// When it was published, by its front matter.
    pub(in crate::clean) date: Option<String>,
    /// Whether its front matter has a title, or tells what it is about. A page of a site has that, and a part of pages has not.
    pub(in crate::clean) is_described: bool,
    /// The labels in it.
    pub(in crate::clean) labels: BTreeSet<String>,
    /// What an Office file has besides its text: what tells each from others, and how it is called.
    pub(in crate::clean) beside: BTreeMap<String, String>,
}

/// Returns what pages tell of themselves, by their names. Paths are relative to `base`.
pub(in crate::clean) fn heads(pages: &BTreeSet<&Path>, base: &Path) -> HashMap<String, Head> {
    let head = |page: &&Path| {
        let path = base.join(page);
        let is_small = fs::metadata(&path).is_ok_and(|metadata| metadata.len() <= MAX_READ);
        let source = is_small
            .then(|| fs::read(&path).ok())
            .flatten()
            .unwrap_or_default();
        let source = String::from_utf8_lossy(&source);
        let front = FrontMatter::of(&source);
        let mut keys = front.keys();
        let is_titled = keys.keys().any(|key| key.eq_ignore_ascii_case("title"));
        keys.retain(|key, _| !OF_PLACE.contains(&&*key.to_lowercase()));
        let told = head_marks(&source);
        let role = Role::of(page, &front, &told);
        let canonical = told.into_iter().find_map(|mark| match mark {
            HeadMark::Canonical(address) => Some(address),
            HeadMark::Refresh | HeadMark::Unlisted => None,
        });
        let written = || CANONICAL.iter().find_map(|key| front.value(key));
        let head = Head {
            role,
            canonical: canonical.or_else(written),
            is_described: is_titled || !keys.is_empty(),
            keys,
            date: front.value("date"),
            labels: labels(page, &source),
            beside: beside(&path),
        };
        (display_name(page, base), head)
    };
    let pages: Vec<&Path> = pages.iter().copied().collect();
    pages.par_iter().map(head).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::table;

    #[test]
    fn pages_with_a_role() {
        for [path, source, expected] in table(
            r#"a.md   | # Tea\n\nText about http-equiv=refresh and noindex. | None
               a.html | <html><head><meta http-equiv="refresh" content="0; url=/b/"> | Some(Redirect)
               a.html | <meta name='robots' content='noindex'>     | Some(Hidden)
               a.md   | ---\nredirect_to: /b/\n---\nText           | Some(Redirect)
               a.md   | ---\ncanonical: /a/\n---\nText             | None
               a.md   | ---\nnoindex: true\n---\nText              | Some(Hidden)
               a.md   | ---\ndraft: true # yet\n---\nText         | Some(Hidden)
               a.md   | +++\ndraft = true\n+++\nText              | Some(Hidden)
               a.md   | ---\ndraft: false\n---\nText              | None
               a.md   | ---\npublished: no\n---\nText             | Some(Hidden)
               a.md   | ---\npublished: 2024-05-06\n---\nText     | None
               a.md   | ---\nstatus: draft\n---\nText             | Some(Hidden)
               a.md   | ---\nstatus: new\n---\nText               | None
               a.md   | ---\nexpiryDate: 2019-01-01\n---\nText    | Some(Hidden)
               drafts/b/tea.md    | Text                           | None
               a.md   | ---\nnoindex: false\n---\nText             | None
               docs/_tea.md       | Text                           | Some(Include)
               docs/_parts/tea.md | Text                           | Some(Include)
               docs/_more/tea.md  | Text                           | Some(Include)
               _includes/a/tea.md | Text                           | Some(Include)
               _posts/_tea.md     | Text                           | Some(Include)
               _posts/_a/tea.md   | Text                           | Some(Include)
               _posts/tea.md      | Text                           | None
               _docs/a/tea.md     | Text                           | None
               _pages/tea.md      | Text                           | None
               _drafts/tea.md     | Text                           | None
               docs/_index.md     | Text                           | None"#,
        ) {
            let found = Role::of(
                Path::new(path),
                &FrontMatter::of(source),
                &head_marks(source),
            );
            assert_eq!(format!("{found:?}"), expected, "{path}: {source}");
        }
    }

    #[test]
    fn labels_by_which_other_pages_name_a_page() {
        for [path, source, expected] in table(
            r#"a.rst   | .. _the pot:\n.. _`cup`:\n\nTea\n\n.. _site: https://x/ | cup the pot
               a.md    | (kiln-1)=\n# Tea (x)=1\n\n[[Tea]]\n       | kiln-1
               a.md    | [](){#burn}\n# Tea {#tea}\n               | burn
               a.ipynb | "source": [\n    "(kiln)="\n           | kiln
               a.adoc  | [[kiln]]\n= Tea\n\n== Pot [[pot,The pot]] | kiln pot
               a.adoc  | [#kiln.big]\n= Tea\n\n[id="pot_{x}"]\n   | kiln pot_{x}
               a.org   | :PROPERTIES:\n:ID: 7f-1\n:END:           | 7f-1"#,
        ) {
            let found = Vec::from_iter(labels(Path::new(path), source));
            assert_eq!(found.join(" "), expected, "{path}: {source}");
        }
        let notebook = labels(Path::new("a.ipynb"), r#"    "(kiln)=\n","#);
        assert!(notebook.contains("kiln"));
    }

    #[test]
    fn the_canonical_address_is_that_of_the_head_or_of_the_front_matter() {
        let folder = tempfile::tempdir().unwrap();
        let link = "<link rel=canonical href=/b/>";
        for (written, expected) in [
            ("---\ncanonical_url: /a/\n---\nText", Some("/a/")),
            (&*format!("---\ncanonical: /a/\n---\n{link}"), Some("/b/")),
            ("---\ntitle: Tea\n---\nText", None),
        ] {
            fs::write(folder.path().join("a.html"), written).unwrap();
            let heads = heads(&[Path::new("a.html")].into(), folder.path());
            assert_eq!(heads["a.html"].canonical.as_deref(), expected, "{written}");
        }
    }
}
