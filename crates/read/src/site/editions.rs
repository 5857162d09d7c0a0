//! The languages and versions of the pages of a site, by their paths.
//!
//! Docusaurus and Antora have folders of their own for them. Elsewhere names like `zh-CN` and `v1.2` tell the same, if
//! half of the folders beside them are named so, and half of the pages are in two of them. The files of a translation may have
//! other names: many languages are known by their names alone, and a few by the folders in them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::path::{Path, PathBuf};

use crate::site::Generator;
use crate::site::marks::{CURRENT, Mark, Marks, SOURCE, component};
use crate::site::names::is_common_language;
use crate::source::name::display_name;
use dupfind_engine::features::document::Edition;
use dupfind_engine::verdict::folders::Side;

/// How many folders above the files may hold the configuration of a site, and how many levels of folders below that.
const LEVELS: usize = 4;

/// So many folders that are named after languages are languages.
const MANY_LANGUAGES: usize = 5;

/// Languages with pages of other names have at least so many folders in common, and a folder such as `docs` so many pages with
/// versions.
const LEAST_SHARED: usize = 2;

/// The generator with a folder for each version of a component.
const ANTORA: &str = "Antora";

/// How many folders are looked at for a configuration.
const MOST_FOLDERS: usize = 1_000;

/// The languages and versions of files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Editions {
    /// The name of the generator that has folders for them.
    pub generator: Option<&'static str>,
    /// The languages, ascending.
    pub languages: Vec<String>,
    /// The versions, ascending.
    pub versions: Vec<String>,
    /// The products that these are versions of, ascending: the paths of the folders that their folders are in.
    products: Vec<String>,
    marks: Marks,
    /// Files whose names end with a language, and those beside them without one, by path.
    by_name: HashMap<String, (String, String)>,
}

/// Where a page is: its language, its version, the product that it is a version of, and the path that it has without their
/// folders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Found<'e> {
    language: Option<&'e str>,
    version: Option<String>,
    product: String,
    page: String,
}

impl<'e> Found<'e> {
    /// Enters a folder with what it tells.
    fn enter(&mut self, folder: &str, mark: &'e Mark) {
        match &mark.same_as {
            Some(same) => self.page.clone_from(same),
            None if mark.is_of_source() => self.page.push_str(folder),
            None => {}
        }
        self.language = mark.language.as_deref().or(self.language);
        let is_own = |version: &&mut String| ![SOURCE, CURRENT].contains(&version.as_str());
        match (self.version.as_mut().filter(is_own), &mark.version) {
            // A folder in that of a version.
            (Some(outer), Some(inner)) if inner != SOURCE => *outer = format!("{outer}/{inner}"),
            (None, Some(_)) => {
                self.version.clone_from(&mark.version);
                self.product.clone_from(&self.page);
            }
            _ => {}
        }
    }
}

impl Editions {
    /// Returns the languages and versions of files, whose paths are relative to `base`; none if there are not two of either.
    pub fn of(files: &[PathBuf], base: &Path) -> Option<Self> {
        let names: Vec<String> = files.iter().map(|file| display_name(file, base)).collect();
        let mut editions = Self::default();
        let mut components: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        for (root, prefix) in roots(&names, base) {
            let Some(site) = Generator::of(&root) else {
                continue;
            };
            if let Some([name, version]) = component(&root).filter(|_| site.name == ANTORA) {
                components.entry(name).or_default().push((prefix, version));
                continue;
            }
            editions.add(site, site.marks(&root, &prefix));
        }
        for above in base.ancestors().skip(1).take(LEVELS) {
            let below = base.strip_prefix(above).ok().and_then(Path::to_str);
            let site = Generator::of(above).filter(|_| editions.marks.is_empty());
            if let Some((site, below)) = site.zip(below) {
                let marks = seen_from(&format!("{below}/"), site.marks(above, ""));
                editions.add(site, marks);
            }
        }
        // A component of Antora has a folder for each of its versions.
        for (name, folders) in components
            .into_iter()
            .filter(|(_, folders)| folders.len() > 1)
        {
            editions.generator = Some(ANTORA);
            for (prefix, version) in folders {
                let mark = Mark {
                    version: Some(version),
                    same_as: Some(format!("{name}/")),
                    ..Mark::default()
                };
                editions.marks.insert(prefix, mark);
            }
        }
        editions.add_named_folders(&names);
        editions.add_named_files(&names);
        let found: Vec<Found<'_>> = names.iter().map(|name| editions.find(name)).collect();
        let languages: BTreeSet<&str> = found.iter().filter_map(|found| found.language).collect();
        let versions: BTreeSet<&str> = found
            .iter()
            .filter_map(|found| found.version.as_deref())
            .collect();
        let names = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect();
        let (languages, versions): (Vec<String>, Vec<String>) = (names(languages), names(versions));
        let of_versions = found.into_iter().filter(|found| found.version.is_some());
        let products: BTreeSet<String> = of_versions.map(|found| found.product).collect();
        if languages.len() < 2 && versions.len() < 2 {
            return None;
        }
        Some(Self {
            languages,
            versions,
            products: products.into_iter().collect(),
            ..editions
        })
    }

    /// Returns the language and the version of a page, by its name in reports. Numbers are positions from 1.
    pub fn edition(&self, name: &str) -> Edition {
        let found = self.find(name);
        let number = |all: &[String], name: Option<&str>| {
            let at =
                name.and_then(|name| all.binary_search_by(|known| known.as_str().cmp(name)).ok());
            at.and_then(|at| u16::try_from(at + 1).ok()).unwrap_or(0)
        };
        Edition {
            language: number(&self.languages, found.language),
            version: number(&self.versions, found.version.as_deref()),
            product: number(
                &self.products,
                found.version.as_ref().map(|_| &*found.product),
            ),
        }
    }

    /// Returns the numbers of the language and the version that a folder of its own names for a page: 0 for those of the source,
    /// and of the version to come.
    pub fn named(&self, name: &str) -> [u16; 2] {
        let Edition {
            language, version, ..
        } = self.edition(name);
        [(&self.languages, language), (&self.versions, version)].map(|(all, number)| {
            let own = all.get(usize::from(number).wrapping_sub(1));
            let is_named = own.is_some_and(|own| own != SOURCE && own != CURRENT);
            if is_named { number } else { 0 }
        })
    }

    /// Returns whether two pages, by their names in reports, are in different languages or about different versions.
    pub fn are_apart(&self, a: &str, b: &str) -> bool {
        self.edition(a).apart(self.edition(b)).is_some()
    }

    /// Returns the path of a page without the folders that name a language or a version: it is the same for the same page in
    /// another edition.
    pub fn page(&self, name: &str) -> String {
        self.find(name).page
    }

    /// Adds the folders that a configuration names.
    fn add(&mut self, site: &'static Generator, marks: Marks) {
        if !marks.is_empty() {
            self.generator = Some(site.name);
        }
        self.marks.extend(marks);
    }

    fn find(&self, name: &str) -> Found<'_> {
        let mut found = Found::default();
        if let Some(mark) = self.marks.get("") {
            found.enter("", mark);
        }
        let mut start = 0;
        for (slash, _) in name.match_indices('/') {
            let end = slash + 1;
            match self.marks.get(&name[..end]) {
                Some(mark) => found.enter(&name[start..end], mark),
                None => found.page.push_str(&name[start..end]),
            }
            start = end;
        }
        match self.by_name.get(name) {
            Some((language, file)) => {
                found.language = Some(language);
                found.page.push_str(file);
            }
            None => found.page.push_str(&name[start..]),
        }
        found
    }

    /// Marks the folders whose names tell a language or a version, beside others of their kind.
    fn add_named_folders(&mut self, names: &[String]) {
        let mut parents: BTreeMap<&str, Below<'_>> = BTreeMap::new();
        for (parent, folder, rest) in names.iter().flat_map(|name| folders(name)) {
            let below = parents.entry(parent).or_default();
            below.folders.entry(folder).or_default().push(rest);
        }
        let all: HashSet<&str> = names.iter().map(String::as_str).collect();
        let mut of_versions: BTreeSet<&str> = BTreeSet::new();
        for (parent, below) in parents {
            let has_source = |side: &Side| {
                below.has_source(*side, |page| all.contains(&*format!("{parent}{page}")))
            };
            let mut sides = [Side::Language, Side::Version].into_iter();
            let Some(side) = below.side().or_else(|| sides.find(has_source)) else {
                continue;
            };
            if side == Side::Version {
                of_versions.insert(parent);
                // Older versions are often in a folder beside the others, such as `archives`.
                let is_beside = |above: &str, name: &str| {
                    of_versions.contains(above) && Side::may_be_version(name)
                };
                if folders(parent)
                    .last()
                    .is_some_and(|(above, name, _)| is_beside(above, name))
                {
                    self.marks.entry(parent.to_owned()).or_default();
                }
            }
            let source = has_source(&side).then(|| (parent.to_owned(), SOURCE));
            let folders = below.of_side(side);
            let folders = folders.map(|folder| (format!("{parent}{folder}/"), folder));
            for (path, name) in source.into_iter().chain(folders) {
                let mark = self.marks.entry(path).or_default();
                let known = match side {
                    Side::Language => &mut mark.language,
                    Side::Version => &mut mark.version,
                };
                known.get_or_insert_with(|| name.to_owned());
            }
        }
    }

    /// Notes files such as `tea.de.md`, beside `tea.md` or `tea.en.md`; and `tea_cn.md` beside `tea_en.md`, if half of the pages
    /// that are named so, and more than one, are in two languages.
    fn add_named_files(&mut self, names: &[String]) {
        let mut by_page: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
        let mut by_word: HashMap<&str, HashSet<String>> = HashMap::new();
        for (word, page) in names.iter().filter_map(|name| last_word(name)) {
            by_word.entry(word).or_default().insert(page);
        }
        let shared = shared(by_word.into_values().collect());
        let are_languages = shared.is_some_and(|pages| pages > 1);
        let mut has_language = are_languages;
        for name in names {
            if let Some((word, page)) = last_word(name).filter(|_| are_languages) {
                by_page.entry(page).or_default().push((word, name));
                continue;
            }
            let start = name.rfind('/').map_or(0, |at| at + 1);
            let mut parts: Vec<&str> = name[start..].split('.').collect();
            if parts.len() < 2 {
                continue;
            }
            let at = parts.len() - 2;
            let language = match at > 0 && Side::of(parts[at]) == Some(Side::Language) {
                true => parts.remove(at),
                false => "",
            };
            has_language |= !language.is_empty();
            let page = format!("{}{}", &name[..start], parts.join("."));
            by_page.entry(page).or_default().push((language, name));
        }
        if !has_language {
            return;
        }
        for (page, files) in by_page {
            let is_translated = files.len() > 1
                && files
                    .iter()
                    .any(|(language, _)| is_common_language(language));
            if !is_translated {
                continue;
            }
            let file = page.rsplit('/').next().unwrap_or(&page);
            for (language, name) in files {
                let language = match language {
                    "" => SOURCE,
                    language => language,
                };
                self.by_name
                    .insert(name.to_owned(), (language.to_owned(), file.to_owned()));
            }
        }
    }
}

/// Returns the language that is the last word of the name of a file, and the name without it; `None` for other names.
fn last_word(name: &str) -> Option<(&str, String)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let (page, word) = stem.rsplit_once(['_', '-'])?;
    let is_language = word == "cn" || is_common_language(word);
    is_language.then(|| (word, format!("{page}_.{extension}")))
}

/// Returns each folder that a file is below: the folder above it, its name, and the path of the file in it.
fn folders(name: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    name.match_indices('/').map(|(end, _)| {
        let start = name[..end].rfind('/').map_or(0, |at| at + 1);
        (&name[..start], &name[start..end], &name[end + 1..])
    })
}

/// Returns the path of a file without a folder of a version at its beginning: `v1/1.76/faq.md` and `v2/2.0/faq.md` are one page.
fn in_release(path: &str) -> &str {
    let first = path.split_once('/');
    let below = first.filter(|(folder, _)| Side::of(folder) == Some(Side::Version));
    below.map_or(path, |(_, rest)| rest)
}

/// Returns the folders that a file is in by their paths, without those of versions: `guide` and `guide/tea` of
/// `v1/guide/1.0/tea/a.md`.
fn folders_of_subjects(path: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (_, folder, _) in folders(path).filter(|(_, name, _)| !Side::may_be_version(name)) {
        let above = found.last().map(|above| format!("{above}/"));
        found.push(above.unwrap_or_default() + folder);
    }
    found
}

/// Returns how many of the things in several sets are there in more than one, if that is half of what may be so.
fn shared<T: Eq + Hash>(sets: Vec<HashSet<T>>) -> Option<usize> {
    let sizes = sets.iter().map(HashSet::len);
    let (all, largest) = (sizes.clone().sum::<usize>(), sizes.max().unwrap_or(0));
    let different: HashSet<T> = sets.into_iter().flatten().collect();
    let shared = all - different.len();
    (shared * 2 >= all - largest).then_some(shared)
}

/// Returns the marks of a site as they are seen from a folder in it, which is given by its path with a slash.
fn seen_from(folder: &str, marks: Marks) -> Marks {
    let mut seen = Marks::new();
    let own = |same: String| same.strip_prefix(folder).unwrap_or_default().to_owned();
    for (path, mark) in marks {
        let below = path.strip_prefix(folder);
        if below.is_none() && !folder.starts_with(&path) {
            continue;
        }
        let known = seen
            .entry(below.unwrap_or_default().to_owned())
            .or_default();
        known.language = mark.language.or(known.language.take());
        known.version = mark.version.or(known.version.take());
        known.same_as = mark.same_as.map(own);
    }
    seen
}

/// Returns the folders that may be the root of a site, each with the beginning that the names of its files have.
fn roots(names: &[String], base: &Path) -> Vec<(PathBuf, String)> {
    let mut prefixes: BTreeSet<&str> = BTreeSet::from([""]);
    for name in names {
        let above = folders(name).take(LEVELS);
        prefixes.extend(above.map(|(parent, folder, _)| &name[..parent.len() + folder.len() + 1]));
        if prefixes.len() > MOST_FOLDERS {
            break;
        }
    }
    let root = |prefix: &&str| (base.join(prefix), (*prefix).to_owned());
    prefixes.iter().map(root).collect()
}

/// The files below a folder, by the folders in it.
#[derive(Default)]
struct Below<'n> {
    /// For each folder in it the paths of the files there.
    folders: BTreeMap<&'n str, Vec<&'n str>>,
}

impl<'n> Below<'n> {
    /// Returns the folders of languages or of versions. A folder such as `docs` is one if half of its files, and more than one, are
    /// in some version.
    fn of_side(&self, side: Side) -> impl Iterator<Item = &'n str> {
        let is_named = move |name: &str| Side::of(name) == Some(side);
        let named = self.folders.iter().filter(move |(name, _)| is_named(name));
        let known: HashSet<&str> = named.flat_map(|(_, files)| files).copied().collect();
        let is_one = move |name: &str, files: &[&str]| {
            let shared = files.iter().filter(|file| known.contains(**file)).count();
            side == Side::Version
                && Side::may_be_version(name)
                && shared >= LEAST_SHARED
                && shared * 2 >= files.len()
        };
        let folders = self.folders.iter();
        let folders = folders.filter(move |(name, files)| is_named(name) || is_one(name, files));
        folders.map(|(name, _)| *name)
    }

    /// Returns whether half of the pages in some folder of a language or a version, and more than one, are beside the folder, too:
    /// they are the sources of translations, or the current version. One page of a language is enough if it is in folders of the
    /// same names.
    fn has_source(&self, side: Side, is_there: impl Fn(&str) -> bool) -> bool {
        let is_named = |name: &str| match side {
            Side::Language => is_common_language(name),
            Side::Version => Side::of(name) == Some(side),
        };
        let mut folders = self.folders.iter().filter(|(name, _)| is_named(name));
        folders.any(|(_, pages)| {
            let shared = pages.iter().filter(|page| is_there(page)).count();
            let is_one = || side == Side::Language && pages.len() == 1 && pages[0].contains('/');
            shared * 2 >= pages.len() && (shared > 1 || shared == 1 && is_one())
        })
    }

    /// Returns whether the folders are those of languages or of versions: half of them are named so, or have half of the files,
    /// and half of their files are there in two. For languages, their number or the folders in them may tell the same.
    fn side(&self) -> Option<Side> {
        let common = self.folders.iter();
        let common = common.filter(|(name, _)| is_common_language(name));
        let common: Vec<&[&str]> = common.map(|(_, files)| &**files).collect();
        let wanted = match common.is_empty() {
            true => Side::Version,
            false => Side::Language,
        };
        let own = self.of_side(wanted).map(|name| &self.folders[name]);
        let own: Vec<&Vec<&str>> = own.collect();
        let count = own.len();
        let named: usize = own.iter().map(|files| files.len()).sum();
        let files: usize = self.folders.values().map(Vec::len).sum();
        let is_half = count * 2 >= self.folders.len();
        if count < 2 || !is_half && named * 2 < files {
            return None;
        }
        let pages = own.iter();
        let pages = pages.map(|files| files.iter().map(|file| in_release(file)));
        let pages = pages.map(Iterator::collect::<HashSet<&str>>).collect();
        let are_translated = || {
            let are_many = is_half && count >= MANY_LANGUAGES;
            common.len() > 1 && (are_many || have_same_folders(&common))
        };
        (shared(pages).is_some() || are_translated()).then_some(wanted)
    }
}

/// Returns whether half of the folders in some folders, given by the paths of their files, and more than one, are in two.
fn have_same_folders(folders: &[&[&str]]) -> bool {
    let below = folders.iter().map(|files| files.iter());
    let below = below.map(|files| files.flat_map(|file| folders_of_subjects(file)).collect());
    shared(below.collect()).is_some_and(|shared| shared >= LEAST_SHARED)
}

#[cfg(test)]
mod tests;
