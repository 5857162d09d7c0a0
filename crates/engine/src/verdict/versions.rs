//! Which pages the versions of a site have: a page that has its next version in a folder has no other one there.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::features::document::Document;
use crate::verdict::names::{VersionedPath, folder, name_counts};

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
    /// The pages of each version.
    pages: OnceLock<HashMap<String, HashSet<String>>>,
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
        let versions = self.pages.get_or_init(|| self.look_up());
        let [of_a, of_b] = [&a, &b].map(|path| versions.get(&path.version));
        of_a.zip(of_b).is_some_and(|(of_a, of_b)| {
            let share_a_page = of_a.iter().any(|page| of_b.contains(page));
            share_a_page && !of_b.contains(&a.page) && !of_a.contains(&b.page)
        })
    }

    fn look_up(&self) -> HashMap<String, HashSet<String>> {
        let mut versions: HashMap<String, HashSet<String>> = HashMap::new();
        self.names.for_each_name(&mut |name| {
            if name_counts(name) {
                let VersionedPath { version, page, .. } = VersionedPath::of(name);
                versions.entry(version).or_default().insert(page);
            }
        });
        versions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl<const N: usize> AllNames for [&'static str; N] {
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
        let versions = Versions::of(site);
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
}
