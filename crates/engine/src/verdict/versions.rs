//! Which pages the versions of a site have, and which files its folders have. A page that has its next version in a folder has no
//! other one there. Two folders with files of the same names are for two subjects: `methods/page` and `methods/site`.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::features::document::Document;
use crate::verdict::folders::{is_word_of_versions, subject};
use crate::verdict::names::{VersionedPath, folder, name_counts, own, split};

/// How many names of files two folders for two subjects share at least. By two, such as `index.md` and `install.md`, any two do.
const SHARED: usize = 3;

/// The names of all documents that are compared.
pub trait AllNames: Send + Sync {
    /// Calls a function with each name, in any order.
    fn for_each_name(&self, take: &mut dyn FnMut(&str));
}

/// Documents without shingles are in no pair.
impl AllNames for &[Document] {
    fn for_each_name(&self, take: &mut dyn FnMut(&str)) {
        let compared = self.iter().filter(|document| document.shingles > 0);
        compared.for_each(|document| take(&document.name));
    }
}

/// Which pages are in which versions. That is looked up once it matters.
pub struct Versions<'n> {
    names: Box<dyn AllNames + 'n>,
    pages: OnceLock<Pages>,
}

/// The pages of each version, and the files of each folder.
#[derive(Default)]
struct Pages {
    of_versions: HashMap<String, HashSet<String>>,
    of_folders: HashMap<String, HashSet<String>>,
}

impl<'n> Versions<'n> {
    /// Returns the versions of the documents with these names.
    #[must_use]
    pub fn of(names: impl AllNames + 'n) -> Self {
        Self {
            names: Box::new(names),
            pages: OnceLock::new(),
        }
    }

    /// Returns whether two documents may be one page that has another place in the next version of a site: they are in two
    /// versions that share a page, and neither of the two pages is in the version of the other one.
    #[must_use]
    pub fn may_have_moved(&self, [a, b]: [&str; 2]) -> bool {
        if folder(a) == folder(b) {
            return false;
        }
        let [a, b] = [a, b].map(VersionedPath::of);
        if a.version == b.version || a.page == b.page || !a.may_be_of_product(&b) {
            return false;
        }
        let versions = &self.pages.get_or_init(|| self.look_up()).of_versions;
        let [of_a, of_b] = [&a, &b].map(|path| versions.get(&path.version));
        of_a.zip(of_b).is_some_and(|(of_a, of_b)| {
            let share_a_page = of_a.iter().any(|page| of_b.contains(page));
            share_a_page && !of_b.contains(&a.page) && !of_a.contains(&b.page)
        })
    }

    /// Returns whether two documents are in folders for two subjects: their paths differ in the name of one folder, no word of
    /// which tells a version or a copy, and the two folders share three names of files or more.
    #[must_use]
    pub fn are_in_parallel_folders(&self, [a, b]: [&str; 2]) -> bool {
        let [a, b] = [a, b].map(folder);
        let [of_a, of_b] = [a, b].map(|folder| folder.split(['/', '\\']));
        if of_a.clone().count() != of_b.clone().count() {
            return false;
        }
        let mut other = of_a.zip(of_b).filter(|(a, b)| a != b);
        let (Some((one, two)), None) = (other.next(), other.next()) else {
            return false;
        };
        let tells_version = |folder: &str| {
            let mut words = folder.split(|c: char| !c.is_alphanumeric());
            subject(folder) != folder || words.any(|word| is_word_of_versions(&word.to_lowercase()))
        };
        if tells_version(one) || tells_version(two) {
            return false;
        }
        let folders = &self.pages.get_or_init(|| self.look_up()).of_folders;
        let both = folders.get(a).zip(folders.get(b));
        both.is_some_and(|(of_a, of_b)| of_a.intersection(of_b).take(SHARED).count() == SHARED)
    }

    fn look_up(&self) -> Pages {
        let mut pages = Pages::default();
        self.names.for_each_name(&mut |name| {
            if name_counts(name) {
                let (folder, file) = split(own(name));
                let of_folder = pages.of_folders.entry(folder.to_owned()).or_default();
                of_folder.insert(file.to_owned());
                let VersionedPath { version, page, .. } = VersionedPath::of(name);
                pages.of_versions.entry(version).or_default().insert(page);
            }
        });
        pages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl AllNames for Vec<String> {
        fn for_each_name(&self, take: &mut dyn FnMut(&str)) {
            self.iter().for_each(|name| take(name));
        }
    }

    #[test]
    fn a_page_has_moved_if_it_is_not_in_the_other_version() {
        let site = [
            "v1/install.md",
            "v2/install.md",
            "v3/install.md",
            "v1/tuning.md",
            "v2/operations/tuning.md",
            "v1/canary.md",
            "v2/flagger.md",
            "v1/gateway/README.md",
            "v1/mesh/README.md",
            "v2/mesh/README.md",
            "other/v7/tuning.md",
            "v9/canary.md",
            "2023/vote.md",
            "2024/vote.md",
            "2023/canary.md",
            "2024/flagger.md",
        ];
        let versions = Versions::of(site.map(str::to_owned).to_vec());
        for (a, b, expected) in [
            ("v1/tuning.md", "v2/operations/tuning.md", true),
            ("v1/canary.md", "v2/flagger.md", true),
            ("v1/canary.md", "v2/operations/tuning.md", true),
            // The page of the mesh has its own next version.
            ("v1/mesh/README.md", "v2/flagger.md", false),
            ("v1/gateway/README.md", "v2/mesh/README.md", false),
            ("v1/install.md", "v2/install.md", false),
            ("v1/tuning.md", "v1/canary.md", false),
            ("v1/tuning.md", "v3/install.md", false),
            // Another product, and a version that shares no page.
            ("other/v7/tuning.md", "v2/operations/tuning.md", false),
            ("v9/canary.md", "v2/flagger.md", false),
            ("tuning.md", "v2/operations/tuning.md", false),
            // Posts of two years.
            ("2023/canary.md", "2024/flagger.md", false),
        ] {
            assert_eq!(versions.may_have_moved([a, b]), expected, "{a} {b}");
            assert_eq!(versions.may_have_moved([b, a]), expected, "{b} {a}");
        }
    }

    #[test]
    fn folders_with_files_of_the_same_names_are_for_two_subjects() {
        let mut names = Vec::new();
        for folder in [
            "page",
            "site",
            "page-copy",
            "v1",
            "v2",
            "notes/page",
            "x/site",
        ] {
            names.extend(["a.md", "b.md", "c.md"].map(|file| format!("{folder}/{file}")));
        }
        names.extend(["blog/a.md".to_owned(), "blog/b.md".to_owned()]);
        let versions = Versions::of(names);
        for (a, b, expected) in [
            ("page/a.md", "site/a.md", true),
            ("page/a.md", "site/z.md", true),
            // These share two names alone.
            ("page/a.md", "blog/a.md", false),
            ("page/a.md", "page-copy/a.md", false),
            ("v1/a.md", "v2/a.md", false),
            ("page/a.md", "page/b.md", false),
            ("notes/page/a.md", "x/site/a.md", false),
        ] {
            assert_eq!(
                versions.are_in_parallel_folders([a, b]),
                expected,
                "{a} {b}"
            );
        }
    }
}
