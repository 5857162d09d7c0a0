//! Where a site names its pages: in links, navigation, configuration, in any text file.
//!
//! No syntax is parsed, as every generator has its own: a mention is a path, a word that is marked by quotes, brackets or
//! backticks, or a word that is alone on its line, if it is the name of a page and the folders in it fit. Some that are found
//! mean something else. A page too many stays then, and no link is dead.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use rayon::prelude::*;

use crate::clean::keep::candidate::Candidate;
use dupfind_read::extract::front_matter::values;
use dupfind_read::source::data::is_head_of_own_output;
use dupfind_read::source::git::root_around;
use dupfind_read::source::name::{display_name, plain};
use dupfind_read::source::read::open;
use dupfind_read::source::walk::REMOVED_LIST;

/// The names of the files that mention each page, each with the first line that does, as `FILE:LINE`.
pub type Mentions = BTreeMap<String, BTreeSet<String>>;

/// A larger file is not looked at: it is data.
const MAX_READ: u64 = 4 << 20;

/// The ends of the names of pages.
const PAGES: [&str; 12] = [
    "adoc", "asciidoc", "htm", "html", "ipynb", "markdown", "md", "mdx", "org", "rst", "txt",
    "xhtml",
];

/// The ends of the names of files in which a value behind a colon is a word by itself.
const DATA: [&str; 3] = ["toml", "yaml", "yml"];

/// The keys of front matter with other addresses of a page.
const ADDRESSES: [&str; 6] = ["aliases", "id", "permalink", "redirect_from", "slug", "url"];

/// The names of the page of a folder, in lower case and without their ends.
const HOMES: [&str; 4] = ["index", "_index", "readme", "home"];

/// Files that are the configuration of a site. The folder of one is the root of the site.
const SITES: [&str; 14] = [
    "_config.yml",
    "antora.yml",
    "astro.config.mjs",
    "astro.config.ts",
    "book.toml",
    "conf.py",
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "hugo.toml",
    "hugo.yaml",
    "mkdocs.yml",
    "mkdocs.yaml",
    "sidebars.js",
    "zensical.toml",
];

/// Folders that a generator writes, each with a file beside it that tells which one. All that they name, they name again.
const WRITTEN: [(&str, &str); 9] = [
    ("_build", "conf.py"),
    ("_site", "_config.yml"),
    ("book", "book.toml"),
    ("build", "docusaurus.config.js"),
    ("build", "docusaurus.config.ts"),
    ("public", "hugo.toml"),
    ("public", "hugo.yaml"),
    ("public", "config.toml"),
    ("site", "mkdocs.yml"),
];

/// What a page of this program has in its head.
const OWN_PAGE: &str = "<meta name=\"generator\" content=\"dupfind";

/// Returns whether a file has the name of the page of its folder.
pub(crate) fn is_home(file: &Path) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(|stem| HOMES.iter().any(|name| stem.eq_ignore_ascii_case(name)))
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

/// Finds who mentions some pages, in all text files of their repository; without one, of the site around them. Paths are
/// relative to `base`. A file that cannot be read mentions nothing, and neither does what this program wrote.
#[must_use]
pub fn mentions(pages: &BTreeSet<&Path>, base: &Path) -> Mentions {
    let mut found = Mentions::new();
    if pages.is_empty() {
        return found;
    }
    let places: Vec<PathBuf> = pages.iter().map(|page| plain(&base.join(page))).collect();
    let files = text_files(&places, &plain(base));
    let site = Site::new(&places, &files);
    let of_files = files.par_iter();
    let all: Vec<(&PathBuf, Mentioned)> = of_files
        .filter_map(|file| Some((file, site.mentioned(file, &text(file)?))))
        .collect();
    let sure = all.iter().flat_map(|(_, mentioned)| mentioned);
    let sure = sure.filter(|(_, mention)| mention.is_sure);
    let sure: HashSet<usize> = sure.map(|(page, _)| *page).collect();
    // A bare name means the page that others lead to, and not the other page of that name.
    let stems: Vec<Option<String>> = places
        .iter()
        .map(|page| Some(Address::of_file(page)?.stem))
        .collect();
    let sure_stems: HashSet<&Option<String>> = sure.iter().map(|&page| &stems[page]).collect();
    let is_meant = |page: usize| sure.contains(&page) || !sure_stems.contains(&stems[page]);
    let names: Vec<String> = pages.iter().map(|page| display_name(page, base)).collect();
    for (file, mentioned) in &all {
        for (&page, First { line, .. }) in mentioned.iter().filter(|(page, _)| is_meant(**page)) {
            let place = format!("{}:{line}", display_name(file, base));
            found.entry(names[page].clone()).or_default().insert(place);
        }
    }
    found
}

/// The pages that a file mentions, by their positions.
type Mentioned = BTreeMap<usize, First>;

/// The first line of a file that mentions a page.
#[derive(Debug, Clone, Copy)]
struct First {
    line: usize,
    /// Whether some mention in the file is the way to the page.
    is_sure: bool,
}

/// Returns those of some documents that are to go that a file names which stays; and those that these name, as they stay too.
pub(in crate::clean) fn named_by_what_stays<'m>(
    mut going: BTreeSet<&'m str>,
    mentions: &Mentions,
) -> BTreeSet<&'m str> {
    let mut named = BTreeSet::new();
    loop {
        let stays = |place: &String| {
            let file = place.rsplit_once(':').map_or(&**place, |(file, _)| file);
            !going.contains(file)
        };
        let is_named = |name: &&&str| {
            let places = mentions.get(**name);
            places.is_some_and(|places| places.iter().any(stays))
        };
        let found: Vec<&str> = going.iter().filter(is_named).copied().collect();
        if found.is_empty() {
            return named;
        }
        for name in found {
            going.remove(name);
            named.insert(name);
        }
    }
}

/// Returns the folder whose files may name some pages: their repository; without one, the nearest folder with the
/// configuration of a generator, up to the one above `base`; else the folder that all of them are in, or `base` around it.
fn root<'p>(pages: &'p [PathBuf], base: &'p Path) -> &'p Path {
    let mut shared = pages[0].parent().unwrap_or(Path::new("/"));
    while let Some(above) = shared.parent()
        && !pages.iter().all(|page| page.starts_with(shared))
    {
        shared = above;
    }
    if let Some(root) = root_around(shared) {
        return root;
    }
    let (is_below, highest) = match shared.starts_with(base) {
        true => (true, base.parent().unwrap_or(base)),
        false => (false, shared.parent().unwrap_or(shared)),
    };
    let has_site = |folder: &&Path| SITES.iter().any(|name| folder.join(name).is_file());
    let mut around = shared
        .ancestors()
        .take_while(|folder| folder.starts_with(highest));
    around
        .find(has_site)
        .unwrap_or(if is_below { base } else { shared })
}

/// Returns all files around some pages that may be text, in no order.
fn text_files(pages: &[PathBuf], base: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root(pages, base).to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder) {
            // A link leads to what is named elsewhere, or out of the site.
            match fs::symlink_metadata(&entry) {
                Ok(metadata) if metadata.is_dir() && !is_left_out(&entry) => folders.push(entry),
                Ok(metadata) if metadata.is_file() && metadata.len() <= MAX_READ => {
                    files.push(entry);
                }
                _ => {}
            }
        }
    }
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
}

/// Returns whether nothing in a folder is written by a person of this site.
fn is_left_out(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    let is_of_tools = |name: &str| [".git", ".dupfind", "node_modules"].contains(&name);
    let is_written = |name: &str| {
        let mut of_name = WRITTEN.iter().filter(|(written, _)| *written == name);
        of_name.any(|(_, beside)| folder.with_file_name(beside).is_file())
    };
    name.is_some_and(|name| is_of_tools(name) || is_written(name))
        || ["CACHEDIR.TAG", "pyvenv.cfg", REMOVED_LIST]
            .iter()
            .any(|mark| folder.join(mark).is_file())
}

/// Returns the text of a file; `None` if it is none, or a report or a plan of this program.
fn text(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    open(path)
        .ok()?
        .take(MAX_READ)
        .read_to_end(&mut bytes)
        .ok()?;
    let head = &bytes[..bytes.len().min(1 << 12)];
    let is_own_page = String::from_utf8_lossy(head).contains(OWN_PAGE);
    if is_own_page || head.contains(&0) {
        return None;
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (!is_head_of_own_output(&text)).then_some(text)
}

/// The name of a page or a mention, in lower case: the folders, and the word behind them without its end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Address {
    folders: Vec<String>,
    stem: String,
}

impl Address {
    /// Returns the address of a file. That of the page of a folder is the folder.
    fn of_file(path: &Path) -> Option<Self> {
        let path = path.to_str()?.replace('\\', "/");
        Self::of(
            path.split('/')
                .map(str::to_owned)
                .filter(|part| !part.is_empty())
                .collect(),
        )
    }

    fn of(mut parts: Vec<String>) -> Option<Self> {
        for part in &mut parts {
            *part = part.to_lowercase();
        }
        let mut stem = parts.pop()?;
        if let Some(page) = without_end(&stem) {
            stem.truncate(page);
        }
        if HOMES.contains(&&*stem) && !parts.is_empty() {
            stem = parts.pop()?;
        }
        (!stem.is_empty()).then_some(Self {
            folders: parts,
            stem,
        })
    }
}

/// Returns where the end of the name of a page begins, if it has one.
fn without_end(name: &str) -> Option<usize> {
    let (stem, end) = name.rsplit_once('.')?;
    let is_page = PAGES.iter().any(|page| end.eq_ignore_ascii_case(page));
    is_page.then_some(stem.len())
}

/// A name that a page has.
struct Name {
    page: usize,
    /// The folders before it.
    folders: Vec<String>,
    /// Whether the name is the address in the front matter, and not the path.
    is_other: bool,
}

/// The pages of a site by their names.
struct Site<'f> {
    pages: &'f [PathBuf],
    /// The names of the pages that are looked for, by their last word.
    names: HashMap<String, Vec<Name>>,
    /// The addresses of all pages.
    addresses: HashSet<Address>,
    /// The folders of all pages, by their last word.
    folders: HashMap<String, Vec<Vec<String>>>,
}

/// What a word in a file may mean.
struct Mention {
    folders: Vec<String>,
    stem: String,
    /// How many folders it leads up from the file; `None` if it says no way from there.
    up: Option<usize>,
}

impl<'f> Site<'f> {
    fn new(pages: &'f [PathBuf], files: &[PathBuf]) -> Self {
        let is_page = |file: &&PathBuf| {
            let name = file.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| without_end(name).is_some())
        };
        let all = files.iter().filter(is_page).chain(pages);
        let addresses: HashSet<Address> = all.filter_map(|file| Address::of_file(file)).collect();
        let mut all_folders: HashMap<String, Vec<Vec<String>>> = HashMap::new();
        for Address { folders, stem } in &addresses {
            let of_stem = all_folders.entry(stem.clone()).or_default();
            of_stem.push(folders.clone());
        }
        let mut names: HashMap<String, Vec<Name>> = HashMap::new();
        let mut others: HashMap<Address, Vec<usize>> = HashMap::new();
        for (page, path) in pages.iter().enumerate() {
            let Some(Address { folders, stem }) = Address::of_file(path) else {
                continue;
            };
            let source = text(path).unwrap_or_default();
            let written = ADDRESSES.iter().flat_map(|key| values(&source, key));
            let written = written.filter_map(|address| Address::of_file(Path::new(&address)));
            // An address such as the path tells nothing more.
            let is_other = |address: &Address| {
                address.stem != stem
                    || !address.folders.is_empty() && address.folders.last() != folders.last()
            };
            for address in written.filter(is_other) {
                others.entry(address).or_default().push(page);
            }
            let name = Name {
                page,
                folders,
                is_other: false,
            };
            names.entry(stem).or_default().push(name);
        }
        // An address that two pages have still leads to a page if one of them goes.
        for (Address { folders, stem }, of) in others {
            let is_path = all_folders.get(&stem).is_some_and(|of_stem| {
                let mut last = of_stem.iter().map(|folders| folders.last());
                folders.is_empty() || last.any(|last| last == folders.last())
            });
            if let ([page], false) = (&*of, is_path) {
                let page = *page;
                let name = Name {
                    page,
                    folders,
                    is_other: true,
                };
                names.entry(stem).or_default().push(name);
            }
        }
        Self {
            pages,
            names,
            addresses,
            folders: all_folders,
        }
    }

    /// Returns the pages that a file mentions.
    fn mentioned(&self, file: &Path, text: &str) -> Mentioned {
        let folder = file
            .parent()
            .and_then(|folder| folder.to_str())
            .unwrap_or_default();
        let folder: Vec<String> = folder
            .split(['/', '\\'])
            .filter(|part| !part.is_empty())
            .map(str::to_lowercase)
            .collect();
        let end = file
            .extension()
            .and_then(|end| end.to_str())
            .unwrap_or_default();
        let is_data = DATA.contains(&end);
        let mut mentioned = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            words(line, is_data, |word, is_marked| {
                let Some(mention) = mention(word, is_marked) else {
                    return;
                };
                for name in self.names.get(&mention.stem).into_iter().flatten() {
                    let is_own = self.pages[name.page] == file;
                    if let (false, Some(is_sure)) = (is_own, self.means(&mention, name, &folder)) {
                        let first = First {
                            line: number,
                            is_sure,
                        };
                        mentioned.entry(name.page).or_insert(first).is_sure |= is_sure;
                    }
                }
            });
        }
        mentioned
    }

    /// Returns whether a mention in a file of a folder may mean this name of a page, and if so, whether it is surely meant.
    fn means(&self, mention: &Mention, name: &Name, folder: &[String]) -> Option<bool> {
        let fits = mention.folders.last() == name.folders.last() || name.folders.is_empty();
        if name.is_other {
            return (mention.folders.is_empty() || fits).then_some(true);
        }
        let start = &folder[..folder.len() - mention.up.unwrap_or(0).min(folder.len())];
        let place = Address {
            folders: [start, &mention.folders].concat(),
            stem: mention.stem.clone(),
        };
        if place.folders == name.folders {
            return Some(true);
        }
        // The way from the file leads to another page.
        if self.addresses.contains(&place) {
            return None;
        }
        let may_be = match mention.folders.is_empty() {
            false => fits,
            true => self.nearest(&mention.stem, folder) == Some(nearness(&name.folders, folder)),
        };
        may_be.then_some(false)
    }

    /// Returns how near the nearest page of a name is to a folder.
    fn nearest(&self, stem: &str, folder: &[String]) -> Option<Nearness> {
        let all = self.folders.get(stem)?.iter();
        all.map(|folders| nearness(folders, folder)).max()
    }
}

/// How many folders two paths share from the start; of several that share as many, the one with the fewest folders is nearer.
type Nearness = (usize, Reverse<usize>);

fn nearness(folders: &[String], folder: &[String]) -> Nearness {
    let shared = folders.iter().zip(folder).take_while(|(a, b)| a == b);
    (shared.count(), Reverse(folders.len()))
}

/// Returns the name of a page that a word may be; none if it is neither a path nor marked.
fn mention(word: &str, is_marked: bool) -> Option<Mention> {
    let mut word = word.trim_end_matches(['.', ':', ',', '!', '?', '*', '_', '\\']);
    word = word.trim_start_matches(['*', '_', ':', ',', '!', '?']);
    for prefix in ["xref:", "link:", "doc:", "ref:", "include::"] {
        word = word.strip_prefix(prefix).unwrap_or(word);
    }
    if let Some((_, rest)) = word.split_once("://") {
        word = rest.split_once('/')?.1;
    }
    let word = word.split(['#', '?']).next()?;
    let decoded = match word.contains('%') {
        true => percent_decode_str(word).decode_utf8().ok()?,
        false => Cow::Borrowed(word),
    };
    // Antora has these between the parts of a name.
    let has_way = decoded.starts_with('.');
    let parts = decoded.split(['/', '\\', ':', '@', '$']);
    let parts = parts.filter(|part| !part.is_empty() && *part != ".");
    let (up, parts): (Vec<&str>, Vec<&str>) = parts.partition(|part| *part == "..");
    let last = parts.last()?;
    let is_path = decoded.contains('/') || without_end(last).is_some();
    let Address { folders, stem } =
        Address::of(parts.iter().map(|&part| part.to_owned()).collect())?;
    (is_path || is_marked).then_some(Mention {
        folders,
        stem,
        up: has_way.then_some(up.len()),
    })
}

/// Calls `take` with the words of a line that may name a page, and whether each is marked.
fn words(line: &str, is_data: bool, mut take: impl FnMut(&str, bool)) {
    const MARKS: [char; 16] = [
        '"', '\'', '`', '(', ')', '[', ']', '<', '>', '|', ',', ';', '{', '}', '=', '\u{feff}',
    ];
    let mut alone = line
        .trim()
        .trim_start_matches(['-', '*', '+', '.', ' '])
        .trim_start();
    if is_data && let Some((_, value)) = alone.split_once(": ") {
        alone = value.trim();
    }
    take(alone, true);
    let mut rest = line;
    let mut before = None;
    loop {
        let end = rest.find(MARKS).unwrap_or(rest.len());
        let piece = rest[..end].trim();
        rest = &rest[end..];
        // The words of a link are no name: the path behind them is.
        let is_label = before == Some('[') && (rest.starts_with("](") || rest.starts_with("]["));
        let is_marked = before.is_some() && !rest.is_empty() && !is_label;
        if !piece.is_empty() && piece != alone {
            take(piece, is_marked);
        }
        if piece.contains(char::is_whitespace) {
            piece.split_whitespace().for_each(|word| take(word, false));
        }
        let mut left = rest.chars();
        before = left.next();
        if before.is_none() {
            return;
        }
        rest = left.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns where a page is mentioned, of a site with one other file beside pages of one sentence.
    fn places(pages: &[&str], page: &str, (file, text): (&str, &str)) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join("site").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        pages.iter().for_each(|page| write(page, "One sentence."));
        write(file, text);
        fs::create_dir(folder.path().join("site/.git")).unwrap();
        let found = mentions(
            &BTreeSet::from([Path::new(page)]),
            &folder.path().join("site"),
        );
        found.into_values().flatten().collect()
    }

    #[test]
    fn pages_are_named_in_every_syntax() {
        let pages = [
            "docs/index.md",
            "docs/guide/tea pot.md",
            "docs/guide/kiln.md",
        ];
        for (file, text) in [
            (
                "mkdocs.yml",
                "nav:\n  - Home: index.md\n  - Kiln: guide/kiln.md\n",
            ),
            (
                "sidebars.js",
                "module.exports = {docs: [\n  'x', 'y',\n  'guide/kiln']}",
            ),
            ("docs/toc.rst", ".. toctree::\n\n   guide/kiln\n"),
            ("docs/guide/toc.rst", ".. toctree::\n\n   kiln\n"),
            ("docs/a.rst", "See\n\n:doc:`the kiln <guide/kiln>`"),
            ("docs/_toc.yml", "chapters:\n\n- file: guide/kiln\n"),
            ("docs/guide/_toc.yml", "chapters:\n\n- file: kiln\n"),
            ("nav.adoc", "*\n\n* xref:guide:kiln.adoc[Kiln]"),
            ("docs/a.adoc", "\n\ninclude::guide/kiln.md[]"),
            ("notes/a.md", "As\n\n[[Kiln|the kiln]] says"),
            ("docs/a.md", "\n\n[kiln](guide/kiln.md#fire)"),
            ("docs/guide/a.md", "\n\n[kiln](./kiln)"),
            ("docs/b/a.md", "\n\n[kiln]: ../guide/kiln.md 'x'"),
            ("a.html", "<p>\n\n<a href=/docs/guide/kiln/?x=1>kiln</a>"),
            (
                "b.html",
                "\n\n<a href=\"https://site.example/guide/kiln.html\">",
            ),
            ("static/_redirects", "\n\n/old /guide/kiln 301"),
            ("package.json", "{\n\n\"page\": \"guide/kiln\"}"),
            ("docs/.pages", "nav:\n\n  - kiln.md\n"),
        ] {
            let expected = [format!("{file}:3")];
            assert_eq!(
                places(&pages, "docs/guide/kiln.md", (file, text)),
                expected,
                "{file}: {text}"
            );
        }
        for link in [
            "[[Tea Pot]]",
            "[x](guide/tea%20pot.md)",
            "[x](<guide/tea pot.md>)",
            "- guide/tea pot.md",
        ] {
            assert_eq!(
                places(&pages, "docs/guide/tea pot.md", ("docs/a.md", link)),
                ["docs/a.md:1"],
                "{link}"
            );
        }
    }

    #[test]
    fn other_words_name_no_page() {
        let pages = ["docs/kiln.md", "docs/old/kiln.md", "docs/old/tea.md"];
        for (file, text) in [
            ("docs/a.md", "The kiln is hot, and tea is in it."),
            ("docs/a.md", "[kiln](kiln.md) and [[kiln]]"),
            ("docs/a.md", "[kiln][1], see\n\n[1]: kiln.md"),
            ("mkdocs.yml", "- kiln.md"),
            ("docs/a.md", "[kiln](https://kiln)"),
            ("docs/new/a.md", "[kiln](../kiln.md)"),
            ("node_modules/x/a.md", "[kiln](old/kiln.md)"),
            ("site/old/a.html", "<a href='old/kiln'>"),
            ("plan.jsonl", "{\"type\":\"plan\",\"keep\":\"old/kiln.md\"}"),
        ] {
            let pages = [&pages[..], &["mkdocs.yml"]].concat();
            let found = places(&pages, "docs/old/kiln.md", (file, text));
            assert_eq!(found, [""; 0], "{file}: {text}");
        }
    }

    #[test]
    fn an_address_in_front_matter_is_a_name_unless_two_pages_have_it() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        fs::create_dir(folder.path().join("guide")).unwrap();
        write(
            "a.md",
            "---\naliases: [/start/tea/, c, guide/d]\nslug: pot\n---\nText",
        );
        write("b.md", "---\nslug: pot\n---\nText");
        write("c.md", "[x](/start/tea/) [y](pot)");
        // The paths of other pages.
        write("guide/d.md", "[z](c)");
        write("e.md", "[z](guide/d)");
        fs::create_dir(folder.path().join(".git")).unwrap();
        let pages = BTreeSet::from([Path::new("a.md"), Path::new("b.md")]);
        let found = mentions(&pages, folder.path());
        let expected = ("a.md".to_owned(), BTreeSet::from(["c.md:1".to_owned()]));
        assert_eq!(found, BTreeMap::from([expected]));
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

    #[test]
    fn what_goes_names_nothing_unless_it_stays_itself() {
        let places = |list: &[(&str, &str)]| -> Mentions {
            let one = |(name, place): &(&str, &str)| {
                ((*name).to_owned(), BTreeSet::from([(*place).to_owned()]))
            };
            list.iter().map(one).collect()
        };
        let going = || BTreeSet::from(["a", "b", "c"]);
        let circle = places(&[("a", "b:1"), ("b", "c:1"), ("c", "a:7")]);
        assert!(named_by_what_stays(going(), &circle).is_empty());
        let chain = places(&[("a", "b:1"), ("b", "c:1"), ("c", "nav:7")]);
        assert_eq!(named_by_what_stays(going(), &chain), going());
        let one = places(&[("a", "nav:1"), ("b", "c:1")]);
        assert_eq!(named_by_what_stays(going(), &one), BTreeSet::from(["a"]));
    }

    proptest::proptest! {
        #[test]
        fn any_line_is_read(line in r#"[a-z./\\:@$#?%"'`()\[\]<>|=* -]{0,60}"#, is_data: bool) {
            words(&line, is_data, |word, is_marked| drop(mention(word, is_marked)));
        }
    }
}
