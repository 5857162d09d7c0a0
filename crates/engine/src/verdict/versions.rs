//! Which pages the versions of a site have, and which files its folders have. A page that has its next version in a folder has no
//! other one there. Two folders with files of the same names are for two subjects: `methods/page` and `methods/site`.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::features::document::Document;
use crate::verdict::folders::{is_word_of_versions, subject};
use crate::verdict::names::{
    are_a_word, folder, have_one_name, inner_subjects, is_index, name_counts, tells, words,
};
use crate::verdict::place::{FolderPlace, PagePlace, hash};

/// How many names of files two folders for two subjects share at least. By two, such as `index.md` and `install.md`, any two do.
pub const SHARED: usize = 3;

/// How many folders above a file are looked at: the id of a record may have any number.
const LEVELS: usize = 16;

/// Calls a function with each of some names, in any order.
type Names<'n> = dyn Fn(&mut dyn FnMut(&str)) + Send + Sync + 'n;

/// Which pages are in which versions. That is looked up once it matters.
pub struct Versions<'n> {
    names: Box<Names<'n>>,
    pages: OnceLock<Pages>,
}

/// The pages of all versions.
#[derive(Default)]
struct Pages {
    /// Where each document is, by its name.
    places: HashMap<String, PagePlace>,
    languages: HashSet<u64>,
    of_versions: HashMap<u64, HashSet<u64>>,
    /// The pages that introduce a folder of pages, such as `readme.md` and `LICENSE`: also a repository and its `docs` have them.
    introductions: HashSet<u64>,
    /// The names of the pages of each version, but for indexes of folders: a page can become one.
    names: HashMap<u64, HashSet<u64>>,
    /// Up to three names of pages that have a word, by the word; 0 stands for none. Two pages have a third one beside them.
    of_words: HashMap<u64, [u64; 3]>,
    /// The names of the files of each folder.
    of_folders: HashMap<u64, HashSet<u64>>,
    /// The folders in each folder, by their names.
    folders_in: HashMap<u64, HashMap<u64, u64>>,
    /// Whether two versions share a page, as far as it was asked.
    share: Mutex<HashMap<[u64; 2], bool>>,
}

impl<'n> Versions<'n> {
    /// Returns the versions of the documents with some names: `names` calls a function with each of them, in any order.
    pub fn of(names: impl Fn(&mut dyn FnMut(&str)) + Send + Sync + 'n) -> Self {
        Self {
            names: Box::new(names),
            pages: OnceLock::new(),
        }
    }

    /// Returns the versions of documents. Those without shingles are in no pair, and do not count.
    pub fn of_documents(documents: &'n [Document]) -> Self {
        Self::of(|take| {
            let compared = documents.iter().filter(|document| document.shingles > 0);
            compared.for_each(|document| take(&document.name));
        })
    }

    /// Returns whether two documents are in one folder, or in two that are the same but for versions, revisions, dates and
    /// languages: `docs/v1` and `docs/v2`, `zh` and `en`, `docs` and `versioned_docs/version-1.0`. Other folders are for
    /// subjects: `mysql` and `postgres`. Which files hold two records does not matter.
    pub fn are_siblings(&self, two: [&str; 2]) -> bool {
        let [a, b] = two.map(folder);
        a == b || {
            let [a, b] = two.map(|name| self.pages().place(name));
            a.subject == b.subject
        }
    }

    /// Returns whether the folders of two documents tell two languages. Translations have the same code and links.
    pub fn are_translations(&self, two: [&str; 2]) -> bool {
        let pages = self.pages();
        pages.languages.len() > 1 && {
            let [a, b] = two.map(|name| pages.place(name).language);
            a.zip(b).is_some_and(|(a, b)| a != b)
        }
    }

    /// Returns whether two documents that may be one page have the same name. They may be one that has another place in the next
    /// version of a site if they are in two versions that share a page, and neither of the two pages is in the version of the
    /// other one, nor is one of its name if the two have other names. `None` for other documents.
    pub fn moved(&self, two: [&str; 2]) -> Option<bool> {
        let [a, b] = two.map(folder);
        if a == b {
            return None;
        }
        let pages = self.pages();
        let [a, b] = two.map(|name| pages.place(name));
        let has = |all: &HashMap<u64, HashSet<u64>>, version, page| {
            all.get(&version).is_some_and(|all| all.contains(&page))
        };
        let is_in = |a: PagePlace, b: PagePlace| {
            has(&pages.of_versions, b.version, a.page)
                || a.name != b.name && has(&pages.names, b.version, a.name)
        };
        let may_be_one = a.version != b.version
            && a.page != b.page
            && a.may_be_of_product(b)
            && !is_in(a, b)
            && !is_in(b, a)
            && pages.share([a.version, b.version]);
        may_be_one.then_some(a.name == b.name)
    }

    /// Returns whether two documents have one name in two folders that share three names or more, and half of the names of one of
    /// them: `2019/login.md` and `2023/login.md` are two editions of a page. The posts of two years have other names.
    pub fn are_editions(&self, two: [&str; 2]) -> bool {
        let pages = self.pages();
        let [a, b] = two.map(|name| pages.place(name));
        let files = [a, b].map(|place| pages.of_folders.get(&place.folder));
        let [Some(of_a), Some(of_b)] = files else {
            return false;
        };
        let shared = of_a.intersection(of_b).count();
        a.folder != b.folder
            && a.file == b.file
            && shared >= SHARED.max(of_a.len().min(of_b.len()).div_ceil(2))
    }

    /// Returns whether the names of two documents are those of two subjects, and other documents are named after these, too: as
    /// `mac-install.md` and `linux-install.md` are beside `remove-mac.md` and `remove-linux.md`.
    pub fn have_known_subjects(&self, two: [&str; 2]) -> bool {
        let Some(subjects) = inner_subjects(two[0], two[1]) else {
            return false;
        };
        let pages = self.pages();
        let own = two.map(|name| pages.place(name).name);
        let is_known = |word: &String| {
            let names = pages.of_words.get(&hash(word));
            names.is_some_and(|names| names.iter().any(|name| *name != 0 && !own.contains(name)))
        };
        let mut named = subjects.iter().filter(|words| !words.is_empty());
        named.all(|words| words.iter().any(is_known))
    }

    /// Returns whether two documents have one name in folders for two subjects, no word of which tells a version or a copy: their
    /// folders are in one, or beside the folder of one there is a folder that is named as that of the other one, with a file of
    /// this name in it. And the two share three names of files or more, those in their folders of one name included. So
    /// `v2/page/close.md` is not the next version of `v1/frame/close.md` if there is `v2/frame`.
    pub fn are_in_parallel_folders(&self, two: [&str; 2]) -> bool {
        if !have_one_name(two[0], two[1]) {
            return false;
        }
        let pages = self.pages();
        let places = two.map(|name| pages.place(name));
        let folders = two.map(folder);
        // The last folders that differ, but for versions, with what is before them.
        let mut ends = folders.map(above);
        while let [(_, a), (_, b)] = ends
            && !a.is_empty()
            && !b.is_empty()
            && (a == b || subject(a).is_empty() && subject(b).is_empty())
        {
            ends = ends.map(|(before, _)| above(before));
        }
        let tells_version = |folder: &str| {
            let mut words = folder.split(|c: char| !c.is_alphanumeric());
            subject(folder) != folder || words.any(|word| is_word_of_versions(&word.to_lowercase()))
        };
        let is_no_subject = |folder: &str| folder.is_empty() || tells_version(folder);
        if ends.iter().any(|(_, folder)| is_no_subject(folder)) {
            return false;
        }
        let share = |one: usize, [tree, folder]: [u64; 2]| {
            let own = places[one];
            let tree_of_own = hash(&folders[one][..ends[one].0.len() + ends[one].1.len() + 1]);
            let files = pages.of_folders.get(&folder);
            files.is_some_and(|files| files.contains(&own.file))
                && (pages.share_files([own.folder, folder])
                    || pages.share_files([tree_of_own, tree]))
        };
        let beside = |one: usize| {
            let (before, own) = ends[one];
            let behind = &folders[one][before.len() + own.len()..];
            let other = ends[1 - one].1;
            [
                format!("{before}{other}/"),
                format!("{before}{other}{behind}"),
            ]
            .map(|path| hash(&path))
        };
        let are_in_one = ends[0].0 == ends[1].0;
        are_in_one && share(0, [beside(0)[0], places[1].folder])
            || share(0, beside(0))
            || share(1, beside(1))
    }

    fn pages(&self) -> &Pages {
        self.pages.get_or_init(|| {
            let mut pages = Pages::default();
            let top = FolderPlace::of(&self.top());
            // A folder has many pages.
            let mut folders: HashMap<String, FolderPlace> = HashMap::new();
            (self.names)(&mut |name| {
                let path = folder(name);
                if !folders.contains_key(path) {
                    pages.add_folder(path);
                    folders.insert(path.to_owned(), FolderPlace::of(path));
                }
                let place = &folders[path];
                pages.add(name, place, place.is_version_of(&top));
            });
            pages
        })
    }

    /// Returns the folder that all documents are below, with a slash.
    fn top(&self) -> String {
        let mut top: Option<String> = None;
        (self.names)(&mut |name| {
            let folder = folder(name);
            let known = top.as_deref().unwrap_or(folder);
            let same = folder.bytes().zip(known.bytes());
            let same = same.take_while(|(a, b)| a == b).count();
            let slash = folder.as_bytes()[..same]
                .iter()
                .rposition(|&byte| byte == b'/');
            let end = slash.map_or(0, |at| at + 1);
            if top.as_ref().is_none_or(|top| top.len() > end) {
                top = Some(folder[..end].to_owned());
            }
        });
        top.unwrap_or_default()
    }
}

impl Pages {
    /// Adds a folder and those that it is in.
    fn add_folder(&mut self, mut path: &str) {
        for _ in 0..LEVELS {
            let (before, own) = above(path);
            if own.is_empty() {
                break;
            }
            let inner = self.folders_in.entry(hash(before)).or_default();
            inner.insert(hash(own), hash(path));
            path = before;
        }
    }

    /// Adds a document, by its name and its folder. `is_at_top` is whether this tells a version and nothing else.
    fn add(&mut self, name: &str, folder: &FolderPlace, is_at_top: bool) {
        if !name_counts(name) {
            return;
        }
        let place = folder.page(name);
        self.languages.extend(place.language);
        let of_version = self.of_versions.entry(place.version).or_default();
        of_version.insert(place.page);
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stem = file.split('.').next().unwrap_or(file);
        let is_in_capitals =
            stem.contains(char::is_uppercase) && !stem.contains(char::is_lowercase);
        if is_at_top && (is_index(name) || is_in_capitals) {
            self.introductions.insert(place.page);
        }
        if !is_index(name) {
            let names = self.names.entry(place.version).or_default();
            names.insert(place.name);
        }
        // An ideograph alone is in many names.
        let is_word = |word: &&String| tells(word) && are_a_word([*word].into_iter());
        for word in words(name).iter().filter(is_word) {
            let names = self.of_words.entry(hash(word)).or_default();
            if !names.contains(&place.name)
                && let Some(free) = names.iter_mut().find(|name| **name == 0)
            {
                *free = place.name;
            }
        }
        let of_folder = self.of_folders.entry(place.folder).or_default();
        of_folder.insert(place.file);
        self.places.insert(name.to_owned(), place);
    }

    fn place(&self, name: &str) -> PagePlace {
        let known = self.places.get(name);
        known.copied().unwrap_or_else(|| PagePlace::of(name))
    }

    /// Returns whether two folders share some names of files, or do with what is in their folders of one name.
    fn share_files(&self, two: [u64; 2]) -> bool {
        let (mut shared, mut rest) = (0, vec![two]);
        while let Some(two) = rest.pop() {
            if let [Some(a), Some(b)] = two.map(|folder| self.of_folders.get(&folder)) {
                shared += a.intersection(b).take(SHARED).count();
            }
            if shared >= SHARED {
                return true;
            }
            if let [Some(a), Some(b)] = two.map(|folder| self.folders_in.get(&folder)) {
                let inner = a
                    .iter()
                    .filter_map(|(name, path)| Some([*path, *b.get(name)?]));
                rest.extend(inner);
            }
        }
        false
    }

    /// Returns whether two versions share a page that is no introduction.
    fn share(&self, two: [u64; 2]) -> bool {
        let mut known = self.share.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(two).or_insert_with(|| {
            let [a, b] = two.map(|version| self.of_versions.get(&version));
            let is_shared = |a: &HashSet<u64>, b: &HashSet<u64>| {
                a.intersection(b)
                    .any(|page| !self.introductions.contains(page))
            };
            a.zip(b).is_some_and(|(a, b)| is_shared(a, b))
        })
    }
}

/// Returns what is before the last folder of a path, with a slash, and the name of that folder.
fn above(folders: &str) -> (&str, &str) {
    let folders = folders.trim_end_matches(['/', '\\']);
    folders.split_at(folders.rfind(['/', '\\']).map_or(0, |at| at + 1))
}

#[cfg(test)]
mod tests;
