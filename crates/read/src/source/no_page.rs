//! Files and folders in a site that are no pages of it: what programs put there.
//!
//! A name alone tells nothing: `build` may be a chapter. The file beside it tells, or what is in it.

use std::fs;
use std::path::Path;

use crate::extract::front_matter::FrontMatter;
use crate::extract::{HeadMark, head_marks};
use crate::format::{Format, Kind};
use crate::site::Generator;
use crate::source::read::head;

/// What the file `CACHEDIR.TAG` begins with, by its convention.
const CACHE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";

/// How many bytes a page has at most that only leads to another one.
pub(crate) const SHORT: usize = 4 << 10;

/// How many bytes of a page are looked at: its head.
const HEAD: u64 = 16 << 10;

/// How many folders above a page may be the root of its site.
const DEPTH: usize = 8;

/// The files with which programs mark a folder of packages.
const MARKS_OF_PACKAGES: [&str; 6] = [
    ".package-lock.json",
    ".modules.yaml",
    ".yarn-integrity",
    ".bin",
    "autoload.php",
    "modules.txt",
];

/// Returns what a folder is, if nothing in it is a page.
pub fn folder(path: &Path) -> Option<String> {
    let name = path.file_name()?;
    let parent = path.parent()?;
    let is_of_node = name == "node_modules";
    if is_of_node || name == "vendor" {
        let is_marked = MARKS_OF_PACKAGES
            .iter()
            .any(|mark| path.join(mark).exists());
        if is_marked || is_of_node && parent.join("package.json").is_file() {
            return Some("packages of a program".into());
        }
    }
    if path.join("pyvenv.cfg").is_file() {
        return Some("packages of Python".into());
    }
    if begins_with(&path.join("CACHEDIR.TAG"), CACHE) {
        return Some("a cache".into());
    }
    let is_written = ["index.html", "html", "doctrees", "site"];
    if !is_written.iter().any(|name| path.join(name).exists()) {
        return None;
    }
    let generator = Generator::with_output(parent, name.to_str()?)?;
    Some(format!("output of {}", generator.name))
}

/// What a file is that is no page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoPage {
    /// An office program has the document open.
    Lock,
    /// Its page is beside it.
    Source,
    /// It leads its readers to another page.
    Redirect,
    /// It names another page that is there as the one that has its text.
    Copy,
    /// Search engines are not to list it.
    Unlisted,
}

impl NoPage {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Lock => "a lock of an open document",
            Self::Source => "the source of a page beside it",
            Self::Redirect => "it leads to another page",
            Self::Copy => "it names another page as canonical",
            Self::Unlisted => "it has noindex",
        }
    }
}

/// Returns whether a short file may lead its readers to another page, as its front matter shows when it is read.
pub(super) fn may_redirect(kind: Kind) -> bool {
    kind.format == Format::Markdown && kind.compression.is_none()
}

/// Returns what a file is, if it is no page.
pub(super) fn file(path: &Path, kind: Kind) -> Option<NoPage> {
    let name = path.file_name()?.to_str()?;
    if name.starts_with("~$") && (kind.format.is_archive() || kind.format == Format::Foreign) {
        return Some(NoPage::Lock);
    }
    if is_source_beside_its_page(path, name) {
        return Some(NoPage::Source);
    }
    let is_web_page = matches!(kind.format, Format::Html | Format::Xhtml);
    if !is_web_page || kind.compression.is_some() {
        return None;
    }
    let bytes = head(path, HEAD).ok()?;
    let is_short = bytes.len() <= SHORT;
    let head = String::from_utf8_lossy(&bytes);
    if is_short && FrontMatter::of(&head).leads_elsewhere() {
        return Some(NoPage::Redirect);
    }
    let found = head_marks(&head);
    found.iter().find_map(|found| match found {
        HeadMark::Refresh => is_short.then_some(NoPage::Redirect),
        HeadMark::Canonical(address) => is_other_page(path, address).then_some(NoPage::Copy),
        HeadMark::Unlisted => Some(NoPage::Unlisted),
    })
}

/// Returns whether an address is that of another page of the site that a page is in.
fn is_other_page(page: &Path, address: &str) -> bool {
    let mut folders = page.ancestors().skip(1).take(DEPTH);
    let (above, ways) = ways(address);
    if let Some(above) = above {
        return folders.nth(above).is_some_and(|folder| {
            let places: Vec<_> = ways.iter().map(|way| folder.join(way)).collect();
            !places.iter().any(|place| place == page) && places.iter().any(|place| place.is_file())
        });
    }
    // Most pages name themselves.
    if ways.iter().any(|way| page.ends_with(way)) {
        return false;
    }
    folders.any(|folder| ways.iter().any(|way| folder.join(way).is_file()))
}

/// Returns whether a page, by its path, may be the one that another page names as canonical.
pub fn may_be_canonical(page: &Path, address: &str) -> bool {
    let (_, ways) = ways(address);
    ways.iter().any(|way| page.ends_with(way))
}

/// Returns the paths of files that an address may be that of, and how many folders above that of its page they begin, if it
/// says so by dots.
fn ways(address: &str) -> (Option<usize>, Vec<String>) {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let path = match address.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => address,
    };
    let (mut above, mut parts) = (0, Vec::new());
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => above += usize::from(parts.pop().is_none()),
            _ => parts.push(part),
        }
    }
    let has_dots = above > 0 || matches!(path.split('/').next(), Some("." | ".."));
    let above = (has_dots && !path.starts_with('/')).then_some(above);
    let ways = match (parts.join("/"), above) {
        (path, None) if path.is_empty() => Vec::new(),
        (path, Some(_)) if path.is_empty() => vec!["index.html".into()],
        (path, _) => vec![format!("{path}/index.html"), format!("{path}.html"), path],
    };
    (above, ways)
}

/// Returns whether a file is the source that Sphinx copies to `_sources` beside the pages: `_sources/a/b.rst.txt` of
/// `a/b.html`.
fn is_source_beside_its_page(path: &Path, name: &str) -> bool {
    let Some(source) = name.strip_suffix(".txt") else {
        return false;
    };
    let sources = path.ancestors().skip(1);
    let mut sources =
        sources.filter(|folder| folder.file_name().is_some_and(|name| name == "_sources"));
    let Some((top, below)) = sources
        .next()
        .and_then(|folder| Some((folder.parent()?, path.strip_prefix(folder).ok()?)))
    else {
        return false;
    };
    let page = top.join(below).with_file_name(source);
    page.with_extension("html").is_file() || page.with_extension("").join("index.html").is_file()
}

/// Returns whether a file begins with some bytes.
fn begins_with(path: &Path, expected: &[u8]) -> bool {
    if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    head(path, expected.len() as u64).is_ok_and(|begin| begin == expected)
}
