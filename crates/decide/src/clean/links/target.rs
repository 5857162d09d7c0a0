//! The file that the target of a link means.
//!
//! A target may be a path of files or an address of the site, relative to the page or from the root of the site. The
//! root is not known: it is the outermost folder around the page in which there is such a page.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

use crate::clean::links::page;
use dupfind_read::extract::front_matter::values;
use dupfind_read::format::Format;
use dupfind_read::format::Kind;
use dupfind_read::source::name::plain;

/// The keys of front matter with more addresses of a page.
const ALIASES: [&str; 2] = ["aliases", "redirect_from"];

/// The files of a collection by their names in links.
#[derive(Debug, Default)]
pub(super) struct Site<'f> {
    places: HashMap<PathBuf, &'f Path>,
    /// Other addresses, without the slashes around them.
    aliases: HashMap<String, &'f Path>,
}

impl<'f> Site<'f> {
    /// Returns the site of some files, with the aliases of those that are wanted.
    pub(super) fn new(files: &'f [PathBuf], wanted: &BTreeSet<&'f Path>, base: &Path) -> Self {
        let mut site = Self::default();
        let placed: Vec<(PathBuf, &Path)> = files
            .iter()
            .map(|file| (plain(&base.join(file)), &**file))
            .collect();
        // The name of a file comes before an address, and a page before the page of a folder.
        for form in [Form::File, Form::Page, Form::Folder] {
            for (place, file) in &placed {
                if let Some(place) = form.of(place) {
                    site.places.entry(place).or_insert(file);
                }
            }
        }
        for file in wanted {
            let Some((_, source)) = page(&base.join(file)) else {
                continue;
            };
            for alias in ALIASES.iter().flat_map(|key| values(&source, key)) {
                site.aliases
                    .entry(alias.trim_matches('/').into())
                    .or_insert(file);
            }
        }
        site
    }

    /// Returns the file that a target on a page means. The path of the page is absolute and plain.
    pub(super) fn resolve(&self, page: &Path, target: &str) -> Option<&'f Path> {
        let path = path_of(target)?;
        let places = starts(page, &path)
            .into_iter()
            .map(|start| place(&start, &path));
        let mut found = places.filter_map(|place| {
            let mut forms = forms(&place).into_iter();
            forms.find_map(|(place, _)| self.places.get(&place).copied())
        });
        let alias = || {
            let address = path.strip_prefix('/')?.trim_matches('/');
            self.aliases.get(address).copied()
        };
        found.next().or_else(alias)
    }
}

/// The names of the page of a folder, in lower case and without their ends.
const NAMES: [&str; 4] = ["index", "_index", "readme", "home"];

/// Returns whether a file has the name of the page of its folder.
pub(crate) fn is_home(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(|stem| NAMES.iter().any(|name| stem.eq_ignore_ascii_case(name)))
}

/// How a link can name a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// By its file.
    File,
    /// As a page of HTML that a site makes of it.
    Made,
    /// By its file, without the end of its name.
    Page,
    /// By its folder, as the page of that folder.
    Folder,
}

impl Form {
    /// Returns a file as links of this form have it.
    pub(super) fn of(self, file: &Path) -> Option<PathBuf> {
        match self {
            Self::File => Some(file.to_owned()),
            Self::Made => match is_home(file) {
                true => Some(file.with_file_name("index.html")),
                false => Some(file.with_extension("html")),
            },
            Self::Page => (Kind::of(file).format != Format::Text).then(|| file.with_extension("")),
            Self::Folder => is_home(file).then(|| file.parent().map(Path::to_owned))?,
        }
    }
}

/// Returns the pages that a place in a link may mean, with the form of each: the place itself, a page of HTML that is
/// made of a page of the same name, and the page of a folder.
pub(super) fn forms(place: &Path) -> Vec<(PathBuf, Form)> {
    let mut forms = vec![(place.to_owned(), Form::File)];
    if Kind::of(place).format == Format::Html {
        forms.push((place.with_extension(""), Form::Made));
    }
    if is_home(place) {
        forms.extend(
            place
                .parent()
                .map(|folder| (folder.to_owned(), Form::Folder)),
        );
    }
    forms
}

/// Returns the path in a target, decoded: without the query and the fragment.
pub(super) fn path_of(target: &str) -> Option<String> {
    let path = target
        .split(['?', '#'])
        .next()
        .filter(|path| !path.is_empty())?;
    let path = percent_decode_str(path).decode_utf8().ok()?;
    (!path.contains('\0')).then(|| path.into_owned())
}

/// Returns the folders from which a path on a page may lead on: for one from the root, all folders around the page, the
/// outermost first; else the folder of the page, and the one that the page has as an address of its own.
pub(super) fn starts(page: &Path, path: &str) -> Vec<PathBuf> {
    let folder = page.parent().unwrap_or(Path::new("/"));
    if path.starts_with('/') {
        let mut folders: Vec<PathBuf> = folder.ancestors().map(Path::to_owned).collect();
        folders.reverse();
        return folders;
    }
    vec![folder.to_owned(), page.with_extension("")]
}

/// Returns the place that a path leads to.
pub(super) fn place(start: &Path, path: &str) -> PathBuf {
    plain(&start.join(path.trim_start_matches('/')))
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
}
