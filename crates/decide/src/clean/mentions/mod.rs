//! Where a site names its pages: in links, navigation, configuration, in any text file.
//!
//! No syntax is parsed, as every generator has its own: a mention is a path, a word that is marked by quotes, brackets or
//! backticks, or a word that is alone on its line, if it is the name of a page and the folders in it fit. Some that are found
//! mean something else. A page too many stays then, and no link is dead.

mod names;
mod words;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use dupfind_read::decode::decode;
use dupfind_read::extract::archive;
use dupfind_read::site::Generator;
use dupfind_read::source::data::{OWN_PAGE, is_head_of_own_output, is_own_print};
use dupfind_read::source::name::plain;
use dupfind_read::source::no_page;
use dupfind_read::source::read::{head, open};
use dupfind_read::source::walk::REMOVED_LIST;
use dupfind_read::{Kind, display_name, root_around};
use ignore::{DirEntry, WalkBuilder};
use rayon::prelude::*;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::clean::mentions::names::{First, Mentioned, Site};
use crate::clean::mentions::words::Address;

pub(crate) use crate::clean::mentions::words::{dated, is_home};

/// The places that name some pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The names of the files that name each page, each with the first line that does, as `FILE:LINE`.
    places: BTreeMap<String, BTreeSet<String>>,
    /// The pages that something leads to: not their bare names alone, which other pages may have.
    sure: BTreeSet<String>,
}

impl Mentions {
    /// Returns the places that name a page which is to go for another one. If both have one name and something leads to the
    /// other one alone, the bare name means that one, and there are none.
    pub(in crate::clean) fn of(&self, page: &str, keeper: &str) -> Option<&BTreeSet<String>> {
        let is_keeper = !self.sure.contains(page)
            && self.sure.contains(keeper)
            && stem(Path::new(page)) == stem(Path::new(keeper));
        self.places.get(page).filter(|_| !is_keeper)
    }

    /// Returns those of some pages that are to go, each with the one that stays for it, that a file names which stays; and
    /// those that these name, as they stay too.
    pub(in crate::clean) fn named_by_what_stays<'m>(
        &self,
        mut going: BTreeMap<&'m str, &str>,
    ) -> BTreeSet<&'m str> {
        let mut named = BTreeSet::new();
        loop {
            let stays = |place: &String| {
                let file = place.rsplit_once(':').map_or(&**place, |(file, _)| file);
                !going.contains_key(file)
            };
            let is_named = |(page, keeper): &(&&str, &&str)| {
                let places = self.of(page, keeper);
                places.is_some_and(|places| places.iter().any(stays))
            };
            let found: Vec<&str> = going
                .iter()
                .filter(is_named)
                .map(|(page, _)| *page)
                .collect();
            if found.is_empty() {
                return named;
            }
            for name in found {
                going.remove(name);
                named.insert(name);
            }
        }
    }
}

fn stem(page: &Path) -> Option<String> {
    Some(Address::of_file(page)?.stem)
}

/// Finds who names some pages, in all text files of their repository; without one, of the site around them. Paths are
/// relative to `base`. A file that cannot be read names nothing, and neither does what this program wrote. Returns also how
/// many files have a path or a link to each page: a word may mean something else.
pub fn mentions(pages: &BTreeSet<&Path>, base: &Path) -> (Mentions, BTreeMap<String, usize>) {
    let (mut found, mut links) = (Mentions::default(), BTreeMap::new());
    if pages.is_empty() {
        return (found, links);
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
    // A link by a bare name leads to the page of that name to which others lead.
    let stems: Vec<Option<String>> = places.iter().map(|page| stem(page)).collect();
    let sure_stems: HashSet<&Option<String>> = sure.iter().map(|&page| &stems[page]).collect();
    let is_meant = |page: usize| sure.contains(&page) || !sure_stems.contains(&stems[page]);
    let names: Vec<String> = pages.iter().map(|page| display_name(page, base)).collect();
    found.sure = sure.iter().map(|&page| names[page].clone()).collect();
    for (file, mentioned) in &all {
        for (&page, First { line, is_link, .. }) in mentioned {
            let name = &names[page];
            let is_link = *is_link && is_meant(page);
            *links.entry(name.clone()).or_default() += usize::from(is_link);
            let place = format!("{}:{line}", display_name(file, base));
            found.places.entry(name.clone()).or_default().insert(place);
        }
    }
    (found, links)
}

/// A larger file is not looked at: it is data.
const MAX_READ: u64 = 4 << 20;

/// Returns the folder whose files may name some pages: their repository; without one, `base`, or the folder that all of them are
/// in if that is elsewhere; or the folder above, if that alone has the configuration of a generator.
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
    let own = match shared.starts_with(base) {
        true => base,
        false => shared,
    };
    let has_site = |folder: &&Path| Generator::of(folder).is_some();
    own.ancestors().take(2).find(has_site).unwrap_or(own)
}

/// Returns all files around some pages that may be text, in no order: those that git does not ignore; and all if it ignores a
/// page, as it does what a site is built into. A link leads to what is named elsewhere, or out of the site.
fn text_files(pages: &[PathBuf], base: &Path) -> Vec<PathBuf> {
    let root = root(pages, base);
    let files = |has_rules: bool| {
        let mut walk = WalkBuilder::new(root);
        walk.standard_filters(false).filter_entry(|entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            !(is_folder && entry.depth() > 0 && is_left_out(entry.path()))
        });
        walk.git_ignore(has_rules).git_exclude(has_rules);
        let entries = walk.parents(has_rules).build().filter_map(Result::ok);
        let is_file = |entry: &DirEntry| entry.file_type().is_some_and(|kind| kind.is_file());
        let is_link = |entry: &DirEntry| entry.path_is_symlink() && entry.path().is_file();
        entries
            .filter(|entry| is_file(entry) || is_link(entry))
            .map(DirEntry::into_path)
            .collect::<HashSet<_>>()
    };
    let mut found = files(true);
    if !pages.iter().all(|page| found.contains(page)) {
        found = files(false);
    }
    let is_small = |file: &PathBuf| {
        is_archive(file) || fs::metadata(file).is_ok_and(|of| of.len() <= MAX_READ)
    };
    found.into_iter().filter(is_small).collect()
}

/// Returns whether nothing in a folder is written by a person of this site.
fn is_left_out(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| [".git", ".dupfind", "node_modules"].contains(&name))
        || folder.join(REMOVED_LIST).is_file()
        || no_page::folder(folder).is_some()
}

fn is_archive(file: &Path) -> bool {
    Kind::of(file).format.is_archive()
}

/// Returns the text of a file; `None` if it is none, or what this program wrote or printed into it. Of an archive it is the
/// addresses of its links, of a symbolic link where it leads.
fn text(path: &Path) -> Option<String> {
    if let Ok(target) = fs::read_link(path) {
        return Some(format!("[](<{}>)", target.to_str()?));
    }
    if is_archive(path) {
        return archive::links(open(path).ok()?, MAX_READ);
    }
    let bytes = head(path, MAX_READ).ok()?;
    let text = decode(&bytes, None)?.text;
    let is_own = |head: &str| head.contains(OWN_PAGE) || is_head_of_own_output(head);
    let written = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 12)]);
    let head: String = text.chars().take(1 << 12).collect();
    if is_own(&written) || is_own(&head) || is_own_print(&text) {
        return None;
    }
    Some(match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.into_owned(),
        _ => text.nfc().collect(),
    })
}

#[cfg(test)]
mod tests;
