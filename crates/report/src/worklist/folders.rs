//! Layouts of a folder: one folder for each language, or for each version; and the pages and entries that are repeated in
//! these folders.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::model::Report;
use crate::say;
use crate::style::numbers::amount;
use crate::worklist::{Entry, Worklist};
use dupfind_decide::clean::sides::{Side, is_common_language};
use dupfind_decide::gate::Gate;
use dupfind_engine::DocId;
use dupfind_engine::features::document::Document;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::pair::Pair;
use dupfind_scan::Scan;

/// How many folders are named.
const NAMED: usize = 4;

/// Folders for languages or versions of the same pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The pattern of `--within` that compares each with itself, such as `docs/{*}/`.
    pub pattern: String,
    /// The values of `{*}`, ascending. The values of two placeholders have a slash between them.
    pub values: Vec<String>,
    /// For each name the position of its value; none if it does not match.
    pub of: Vec<Option<usize>>,
}

impl Layout {
    /// Returns the option that compares each language or version with itself.
    #[must_use]
    pub fn option(&self) -> String {
        format!("--within '{}'", self.pattern)
    }

    /// Returns the names of the folders, as people read them.
    #[must_use]
    pub fn names(&self) -> String {
        let rest = self.values.len().saturating_sub(NAMED);
        let mut names = self.values[..self.values.len() - rest].join(", ");
        if rest > 0 {
            names.push_str(", …");
        }
        names
    }

    /// Returns whether a pair is between two languages or versions.
    pub(crate) fn divides(&self, pair: &Pair) -> bool {
        let [a, b] = [pair.a, pair.b].map(|id| self.of[id.index()]);
        a.is_some() && b.is_some() && a != b
    }

    /// Returns the path of a document below the folder of its language or version, and the position of that folder; none if
    /// it is in none.
    fn page<'n>(&self, document: usize, name: &'n str) -> Option<(usize, &'n str)> {
        let folders = self.pattern.matches('/').count();
        let path = name.splitn(folders + 1, '/').last()?;
        Some((self.of[document]?, path))
    }

    /// Returns whether there is a folder for each version.
    fn is_of_versions(&self) -> bool {
        let mut folders = self.values.iter().flat_map(|value| value.split('/'));
        folders.any(|folder| Side::of(folder) == Some(Side::Version))
    }
}

/// The files below a folder, by the folders in it.
#[derive(Default)]
struct Below<'n> {
    /// For each folder in it the paths of the files there.
    folders: BTreeMap<&'n str, Vec<&'n str>>,
}

/// Returns the layout of the documents; none if the run divides them already.
#[must_use]
pub fn proposed(outcome: &Scan, gate: &Gate) -> Option<Layout> {
    let scope = gate.scope();
    let names = outcome.documents.iter().map(|document| &*document.name);
    (!scope.has_sides() && !scope.is_divided())
        .then(|| layout(names))
        .flatten()
}

/// Returns the layout of the documents of a report, and a sentence with the option that compares each language or version
/// with itself; none if no pair that is to be looked at is between two of them.
pub(crate) fn proposal(report: &Report<'_>) -> Option<(Layout, String)> {
    let layout = proposed(report.outcome, report.gate)?;
    let pairs = report.pairs.unwrap_or_default().iter();
    let between = pairs.filter(|pair| layout.divides(pair) && report.gate.is_open(pair));
    let pairs = between.count() as u64;
    let sentence = say!(
        "{} between folders of languages or versions ({}): {} compares each with itself",
        amount(pairs, "pair"),
        layout.names(),
        layout.option()
    );
    (pairs > 0).then_some((layout, sentence))
}

/// Returns the layout of most files of these names, if there is one.
pub(super) fn layout<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<Layout> {
    let mut parents: BTreeMap<&str, Below<'_>> = BTreeMap::new();
    let relative = names.clone().filter(|name| !name.starts_with('/'));
    for (parent, folder, rest) in relative.flat_map(folders) {
        let below = parents.entry(parent).or_default();
        below.folders.entry(folder).or_default().push(rest);
    }
    parents.retain(|_, below| below.is_divided());
    if parents.is_empty() {
        return None;
    }
    let shapes: Vec<Option<(String, String)>> = names.map(|name| shape(name, &parents)).collect();
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    for (pattern, _) in shapes.iter().flatten() {
        *files.entry(pattern).or_default() += 1;
    }
    let (pattern, _) = files.into_iter().max_by_key(|(_, files)| *files)?;
    let value = |shape: &Option<(String, String)>| {
        let (_, value) = shape.as_ref().filter(|(own, _)| own == pattern)?;
        Some(value.clone())
    };
    let own: Vec<Option<String>> = shapes.iter().map(value).collect();
    let values: BTreeSet<&String> = own.iter().flatten().collect();
    let values: Vec<String> = values.into_iter().cloned().collect();
    let position = |value: &Option<String>| values.binary_search(value.as_ref()?).ok();
    Some(Layout {
        pattern: pattern.to_owned(),
        of: own.iter().map(position).collect(),
        values,
    })
}

/// Returns each folder that a file is below: the folder above it, its name, and the path of the file in it.
fn folders(name: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    name.match_indices('/').map(|(end, _)| {
        let start = name[..end].rfind('/').map_or(0, |at| at + 1);
        (&name[..start], &name[start..end], &name[end + 1..])
    })
}

/// Returns the pattern of a file, and the values of its placeholders; none if no folder of it is a part of a layout.
fn shape(name: &str, parents: &BTreeMap<&str, Below<'_>>) -> Option<(String, String)> {
    let (mut pattern, mut values, mut end) = (String::new(), Vec::new(), 0);
    for (parent, folder, _) in folders(name) {
        let kind = parents.get(parent).and(Side::of(folder));
        if kind.is_some() {
            values.push(folder);
            pattern.push_str("{*}/");
            end = pattern.len();
        } else {
            pattern.push_str(folder);
            pattern.push('/');
        }
    }
    let is_plain = !pattern[..end]
        .replace("{*}", "")
        .contains(['*', '?', '[', '{']);
    pattern.truncate(end);
    (end > 0 && is_plain).then(|| (pattern, values.join("/")))
}

impl Below<'_> {
    /// Returns whether the folders are those of languages or of versions: half of them are named so, and half of the files
    /// are there in two.
    fn is_divided(&self) -> bool {
        let of_kind = |wanted| {
            let folders = self.folders.iter();
            folders.filter(move |(name, _)| Side::of(name) == Some(wanted))
        };
        let is_common = |(name, _): (&&str, _)| is_common_language(name);
        let wanted = match of_kind(Side::Language).any(is_common) {
            true => Side::Language,
            false => Side::Version,
        };
        let count = of_kind(wanted).count();
        if count < 2 || count * 2 < self.folders.len() {
            return false;
        }
        let sizes = of_kind(wanted).map(|(_, files)| files.len());
        let (all, largest) = (sizes.clone().sum::<usize>(), sizes.max().unwrap_or(0));
        let different: HashSet<&&str> = of_kind(wanted).flat_map(|(_, files)| files).collect();
        (all - different.len()) * 2 >= all - largest
    }
}

/// The folders of languages or versions, and the pages in them.
pub(super) struct Folders<'p> {
    layout: &'p Layout,
    documents: &'p [Document],
    /// The folder and the path of each page.
    pages: HashSet<(usize, &'p str)>,
}

impl<'p> Folders<'p> {
    pub(super) fn new(layout: &'p Layout, documents: &'p [Document]) -> Self {
        let pages = documents.iter().enumerate();
        let pages = pages.filter_map(|(at, document)| layout.page(at, &document.name));
        Self {
            pages: pages.collect(),
            layout,
            documents,
        }
    }

    /// Returns whether two documents are in folders of two versions; or of two languages, if one of the pages is there in both and
    /// they are alike only in parts, as translations are that share code. Copies in two languages are not meant: nobody has
    /// translated such a page.
    pub(super) fn part(&self, pair: &Pair) -> bool {
        let is_copy = matches!(pair.relation(), Relation::Exact | Relation::Near);
        let is_in_both = |(folder, a), (other, b)| {
            self.pages.contains(&(other, a)) || self.pages.contains(&(folder, b))
        };
        match [pair.a, pair.b].map(|id| self.page(id)) {
            [Some(a), Some(b)] if a.0 != b.0 => {
                self.layout.is_of_versions() || !is_copy && is_in_both(a, b)
            }
            _ => false,
        }
    }

    fn page(&self, id: DocId) -> Option<(usize, &'p str)> {
        let name = &self.documents[id.index()].name;
        self.layout.page(id.index(), name)
    }
}

impl Worklist<'_> {
    /// Merges entries about the same pages in several folders into the first one, which then names these folders. Sums, and
    /// entries with pairs that make the run fail, stay as they are.
    pub(super) fn merge(&mut self, folders: &Folders<'_>) {
        let mut known: HashMap<BTreeSet<&str>, usize> = HashMap::new();
        let mut merged: Vec<(Entry, BTreeSet<usize>)> = Vec::new();
        for entry in std::mem::take(&mut self.entries) {
            let mut pairs = entry.members.iter().map(|member| self.pair(member));
            let may_be = !entry.kind.is_sum()
                && !pairs.any(|pair| self.report.failing.have(pair.relation()));
            let pages: Option<Vec<_>> = entry.documents().map(|id| folders.page(id)).collect();
            let pages = pages.filter(|_| may_be).unwrap_or_default();
            let (own, paths): (BTreeSet<usize>, BTreeSet<&str>) = pages.into_iter().unzip();
            if let Some(&at) = known.get(&paths) {
                let (first, of_first) = &mut merged[at];
                first.pairs += entry.pairs;
                first.gain += entry.gain;
                first.also.extend(own.difference(of_first));
                continue;
            }
            if !paths.is_empty() {
                known.insert(paths, merged.len());
            }
            merged.push((entry, own));
        }
        self.entries = merged.into_iter().map(|(entry, _)| entry).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(names: &[&str]) -> Option<(String, String)> {
        let found = layout(names.iter().copied())?;
        Some((found.pattern, found.values.join(" ")))
    }

    #[test]
    fn folders_of_languages_and_versions_are_recognised() {
        for (names, pattern, values) in [
            (
                &["docs/en/a.md", "docs/zh/a.md", "docs/en/b.md"][..],
                "docs/{*}/",
                "en zh",
            ),
            (
                &["zh-CN/a.md", "en/a.md", "assets/x.md"],
                "{*}/",
                "en zh-CN",
            ),
            (
                &["v1.2/a.md", "v1.3/a.md", "v1.3/x/b.md"],
                "{*}/",
                "v1.2 v1.3",
            ),
            (
                &[
                    "docs/a.md",
                    "versioned_docs/version-1.2/a.md",
                    "versioned_docs/version-1.3/a.md",
                ],
                "versioned_docs/{*}/",
                "version-1.2 version-1.3",
            ),
            (&["2021/docs/a.md", "2025/docs/a.md"], "{*}/", "2021 2025"),
            (
                &["../s/1.0/a.md", "../s/latest/a.md"],
                "../s/{*}/",
                "1.0 latest",
            ),
            (
                &[
                    "c/en/v1/a.md",
                    "c/en/v2/a.md",
                    "c/zh/v1/a.md",
                    "c/zh/v2/a.md",
                ],
                "c/{*}/{*}/",
                "en/v1 en/v2 zh/v1 zh/v2",
            ),
            (
                &["i18n/fr/docs/a.md", "i18n/ja/docs/a.md"],
                "i18n/{*}/",
                "fr ja",
            ),
        ] {
            let expected = (pattern.to_owned(), values.to_owned());
            assert_eq!(found(names), Some(expected), "{names:?}");
        }
    }

    #[test]
    fn other_folders_are_no_layout() {
        for names in [
            &["docs/a.md", "docs/b.md"][..],
            &["docs/en/a.md"],
            // Chapters, years of posts, and words that are codes too.
            &["docs/01/a.md", "docs/02/a.md"],
            &["posts/2023/cats.md", "posts/2024/dogs.md"],
            &["api/id/a.md", "api/is/a.md"],
            &["x/en/a.md", "x/fr/b.md", "x/ja/c.md"],
            &["en/a.md", "fr/a.md", "b/a.md", "c/a.md", "d/a.md"],
        ] {
            assert_eq!(found(names), None, "{names:?}");
        }
    }
}
