//! The links between the pages of a collection, and the pages of its folders.
//!
//! A target may be a path of files or an address of the site, relative to the page or from the root of the site. The
//! root is not known: it is the outermost folder around the page in which there is such a page.

use crate::clean::keep::candidate::Candidate;
use dupfind_read::extract::front_matter::values;
use dupfind_read::extract::links::{has_links, links};
use dupfind_read::format::{Format, Kind};
use dupfind_read::source::name::{display_name, plain};
use dupfind_read::source::read::open;
use percent_encoding::percent_decode_str;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A larger page is not looked at.
const MAX_READ: u64 = 64 << 20;

/// The keys of front matter with more addresses of a page.
const ALIASES: [&str; 2] = ["aliases", "redirect_from"];

/// The names of the page of a folder, in lower case and without their ends.
const HOMES: [&str; 4] = ["index", "_index", "readme", "home"];

/// The names of the pages that link to each page.
pub type LinkedFrom = BTreeMap<String, BTreeSet<String>>;

/// Finds the links of all files of a collection to some of them. Paths are relative to `base`. A file that cannot be read
/// has no links.
#[must_use]
pub fn linked_from(files: &[PathBuf], wanted: &BTreeSet<&Path>, base: &Path) -> LinkedFrom {
    if wanted.is_empty() {
        return LinkedFrom::new();
    }
    let site = Site::new(files, wanted, base);
    let linking = |file: &PathBuf| {
        let source = page(&base.join(file)).unwrap_or_default();
        let from = plain(&base.join(file));
        let found = links(&source, Kind::of(file).format).into_iter();
        let targets = found.filter_map(|link| site.resolve(&from, &link.target));
        let targets = targets.filter(|to| *to != file && wanted.contains(to));
        let link = |to: &Path| (display_name(to, base), display_name(file, base));
        targets.map(link).collect::<Vec<_>>()
    };
    let found: Vec<_> = files.par_iter().flat_map_iter(linking).collect();
    let mut linked_from = LinkedFrom::new();
    for (target, page) in found {
        linked_from.entry(target).or_default().insert(page);
    }
    linked_from
}

/// Returns the text of a page; `None` if it has no links that are known, or cannot be read.
fn page(path: &Path) -> Option<String> {
    let kind = Kind::of(path);
    if !has_links(kind.format) || kind.compression.is_some() {
        return None;
    }
    let mut bytes = Vec::new();
    let file = open(path).ok()?;
    file.take(MAX_READ + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MAX_READ).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns whether a file has the name of the page of its folder.
pub(crate) fn is_home(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(|stem| HOMES.iter().any(|name| stem.eq_ignore_ascii_case(name)))
}

/// The files of a collection by their names in links.
#[derive(Debug, Default)]
struct Site<'f> {
    places: HashMap<PathBuf, &'f Path>,
    /// Other addresses, without the slashes around them.
    aliases: HashMap<String, &'f Path>,
}

impl<'f> Site<'f> {
    /// Returns the site of some files, with the aliases of those that are wanted.
    fn new(files: &'f [PathBuf], wanted: &BTreeSet<&'f Path>, base: &Path) -> Self {
        let mut site = Self::default();
        let placed = files.iter().map(|file| (plain(&base.join(file)), &**file));
        let placed: Vec<(PathBuf, &Path)> = placed.collect();
        // The name of a file comes before an address, and a page before the page of a folder.
        let forms: [fn(&Path) -> Option<PathBuf>; 3] = [
            |place| Some(place.to_owned()),
            |place| (Kind::of(place).format != Format::Text).then(|| place.with_extension("")),
            |place| is_home(place).then(|| place.parent().map(Path::to_owned))?,
        ];
        for form in forms {
            for (place, file) in &placed {
                if let Some(place) = form(place) {
                    site.places.entry(place).or_insert(file);
                }
            }
        }
        for file in wanted {
            let source = page(&base.join(file)).unwrap_or_default();
            for alias in ALIASES.iter().flat_map(|key| values(&source, key)) {
                let address = alias.trim_matches('/').to_owned();
                site.aliases.entry(address).or_insert(file);
            }
        }
        site
    }

    /// Returns the file that a target on a page means. The path of the page is absolute and plain.
    fn resolve(&self, page: &Path, target: &str) -> Option<&'f Path> {
        let path = path_of(target)?;
        let places = starts(page, &path).into_iter();
        let places = places.map(|start| plain(&start.join(path.trim_start_matches('/'))));
        let mut found = places.filter_map(|place| {
            let mut meant = meant(&place).into_iter();
            meant.find_map(|place| self.places.get(&place).copied())
        });
        let alias = || {
            let address = path.strip_prefix('/')?.trim_matches('/');
            self.aliases.get(address).copied()
        };
        found.next().or_else(alias)
    }
}

/// Returns the path in a target, decoded: without the query and the fragment.
fn path_of(target: &str) -> Option<String> {
    let path = target.split(['?', '#']).next()?;
    let path = percent_decode_str(path).decode_utf8().ok()?;
    (!path.is_empty() && !path.contains('\0')).then(|| path.into_owned())
}

/// Returns the folders from which a path on a page may lead on: for one from the root, all folders around the page, the
/// outermost first; else the folder of the page, and the one that the page has as an address of its own.
fn starts(page: &Path, path: &str) -> Vec<PathBuf> {
    let folder = page.parent().unwrap_or(Path::new("/"));
    if path.starts_with('/') {
        let mut folders: Vec<PathBuf> = folder.ancestors().map(Path::to_owned).collect();
        folders.reverse();
        return folders;
    }
    vec![folder.to_owned(), page.with_extension("")]
}

/// Returns the places that a place in a link may mean: itself, a page of HTML that is made of a page of the same name, and
/// the page of a folder.
fn meant(place: &Path) -> Vec<PathBuf> {
    let mut meant = vec![place.to_owned()];
    if Kind::of(place).format == Format::Html {
        meant.push(place.with_extension(""));
    }
    if is_home(place) {
        meant.extend(place.parent().map(Path::to_owned));
    }
    meant
}

/// Lets the pages of folders stay, unless the user named them. `files` are the files of the collection, and `named` the
/// paths that the user typed; all are relative to `base`. A page that is alone in its folder is a page like any other,
/// as some sites have a folder for each page; in a folder that the user named, it is the page of the site.
pub fn keep_homes(candidates: &mut [Candidate], files: &[PathBuf], named: &[PathBuf], base: &Path) {
    let place = |path: &Path| plain(&base.join(path));
    let mut named: HashSet<PathBuf> = named.iter().map(|path| place(path)).collect();
    if named.is_empty() {
        named.insert(place(Path::new("")));
    }
    let mut seen: HashSet<PathBuf> = HashSet::new();
    // Folders with more than one page in them or below them.
    let mut sections: HashSet<PathBuf> = HashSet::new();
    for file in files {
        for folder in place(file).ancestors().skip(1) {
            if sections.contains(folder) {
                break;
            }
            if !seen.insert(folder.to_owned()) {
                sections.extend(folder.ancestors().map(Path::to_owned));
                break;
            }
        }
    }
    for candidate in candidates
        .iter_mut()
        .filter(|candidate| candidate.record == 0)
    {
        let file = place(&candidate.file);
        let folder = file.parent().unwrap_or(&file);
        candidate.is_home = is_home(&file) && (sections.contains(folder) || named.contains(folder));
        candidate.stays |= candidate.is_home && !named.contains(&file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_page_is_known() {
        let files = [
            "docs/index.md",
            "docs/a.md",
            "docs/guide/README.md",
            "docs/guide/b c.md",
            "docs/guide/茶.html",
            "docs/guide/v1.2.md",
            "docs/guide/x/y.mdx",
        ]
        .map(PathBuf::from);
        let site = Site::new(&files, &BTreeSet::new(), Path::new("/s"));
        for (page, target, expected) in [
            ("docs/a.md", "guide/b%20c.md", Some("docs/guide/b c.md")),
            ("docs/a.md", "./guide/b c.md#x", Some("docs/guide/b c.md")),
            ("docs/a.md", "guide/b c.html?q", Some("docs/guide/b c.md")),
            ("docs/a.md", "guide/b c", Some("docs/guide/b c.md")),
            ("docs/a.md", "guide/b c/", Some("docs/guide/b c.md")),
            ("docs/a.md", "guide/", Some("docs/guide/README.md")),
            (
                "docs/a.md",
                "guide/index.html",
                Some("docs/guide/README.md"),
            ),
            ("docs/a.md", "guide/v1.2", Some("docs/guide/v1.2.md")),
            ("docs/guide/x/y.mdx", "../../a", Some("docs/a.md")),
            ("docs/guide/x/y.mdx", "/a.md", Some("docs/a.md")),
            ("docs/guide/x/y.mdx", "/docs/a/", Some("docs/a.md")),
            (
                "docs/guide/x/y.mdx",
                "/guide/%E8%8C%B6.html",
                Some("docs/guide/茶.html"),
            ),
            ("docs/guide/x/y.mdx", "/x/y", Some("docs/guide/x/y.mdx")),
            // As the address of the page, which is a folder.
            (
                "docs/guide/x/y.mdx",
                "../../v1.2/",
                Some("docs/guide/v1.2.md"),
            ),
            ("docs/a.md", "..", Some("docs/index.md")),
            ("docs/a.md", "../../../../..", None),
            ("docs/a.md", "/", Some("docs/index.md")),
            ("docs/a.md", "none.md", None),
            ("docs/a.md", "%FF.md", None),
        ] {
            let page = Path::new("/s").join(page);
            let found = site.resolve(&page, target);
            assert_eq!(found, expected.map(Path::new), "{target}");
        }
    }

    #[test]
    fn pages_of_sections_stay_unless_they_are_named() {
        let files = [
            "README.md",
            "a/index.md",
            "a/b/index.md",
            "a/c.md",
            "d/_index.md",
            "e/index.html",
        ];
        let files = files.map(PathBuf::from);
        for (named, expected) in [
            (&["."][..], [true, true, false, false, false, false]),
            (
                &["a/index.md", "a/b"],
                [true, false, true, false, false, false],
            ),
            (&["./d"], [true, true, false, false, true, false]),
        ] {
            let mut candidates: Vec<Candidate> =
                files.iter().map(|file| Candidate::of_file(file)).collect();
            let named: Vec<PathBuf> = named.iter().map(PathBuf::from).collect();
            keep_homes(&mut candidates, &files, &named, Path::new("/s"));
            let stay: Vec<bool> = candidates.iter().map(|candidate| candidate.stays).collect();
            assert_eq!(stay, expected, "{named:?}");
        }
    }
}
