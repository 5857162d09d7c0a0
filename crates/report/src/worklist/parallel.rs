//! Parallel folders: two that have the same pages, which are alike. All of these pages are one decision.

use std::collections::BTreeMap;

use crate::worklist::folders::Folders;
use crate::worklist::{Entry, Kind, Member, Worklist, titles};
use dupfind_engine::verdict::Titles;

/// Parallel folders have at least so many pages that are alike.
const LEAST_PAGES: usize = 3;

impl Worklist<'_> {
    /// Joins the entries of two pages that are the same page of two folders.
    pub(super) fn join_parallel(&mut self, pages: Option<&Folders<'_>>) {
        let mut places: BTreeMap<[String; 2], Vec<usize>> = BTreeMap::new();
        for (at, entry) in self.entries.iter().enumerate() {
            if let Some(two) = self.parallel(entry, pages) {
                places.entry(two).or_default().push(at);
            }
        }
        places.retain(|_, entries| entries.len() >= LEAST_PAGES);
        let edition = |id| pages?.page(id).0;
        let mut entries: Vec<Option<Entry>> = self.entries.drain(..).map(Some).collect();
        for of_two in places.into_values() {
            let mut joined = of_two.iter().filter_map(|&at| entries[at].take());
            let Some(mut first) = joined.next() else {
                continue;
            };
            first.kind = Kind::Parallel;
            for entry in joined {
                let pair = entry.members[0].pair;
                first
                    .members
                    .extend(entry.documents().map(|document| Member { document, pair }));
                first.pairs += entry.pairs;
                first.gain += entry.gain;
                first.also.extend(&entry.also);
                first.also.extend(entry.documents().filter_map(edition));
            }
            if let Some(own) = edition(first.first) {
                first.also.remove(&own);
            }
            entries.push(Some(first));
        }
        self.entries = entries.into_iter().flatten().collect();
    }

    /// Returns the two folders that an entry is about if it is one of the same page in both: of one file name, or of one title.
    fn parallel(&self, entry: &Entry, pages: Option<&Folders<'_>>) -> Option<[String; 2]> {
        let &[member] = entry.members.as_slice() else {
            return None;
        };
        if entry.kind.is_sum()
            || self.report.failing.have(self.pair(&member).relation())
            || self.report.outcome.sources.of(entry.first).is_record()
        {
            return None;
        }
        let two = [entry.first, member.document].map(|id| &self.documents()[id.index()]);
        let path = |name: &str| pages.map_or_else(|| name.to_owned(), |pages| pages.path(name));
        let names = two.map(|document| path(&document.name));
        let [a, b] = [&*names[0], &*names[1]];
        let is_same = a.rsplit('/').next() == b.rsplit('/').next() || titles(two) == Titles::Equal;
        let mut folders = parting(a, b).filter(|_| is_same)?.map(str::to_owned);
        folders.sort_unstable();
        Some(folders)
    }
}

/// Returns the folders in which the paths of two files part; none if the files are in one folder.
pub(super) fn parting<'n>(a: &'n str, b: &'n str) -> Option<[&'n str; 2]> {
    let folders = [a, b].map(|name| &name[..name.rfind('/').map_or(0, |at| at + 1)]);
    let both = folders[0].bytes().zip(folders[1].bytes());
    let same = both.take_while(|(a, b)| a == b).count();
    let common = folders[0].as_bytes()[..same]
        .iter()
        .rposition(|&byte| byte == b'/');
    let start = common.map_or(0, |at| at + 1);
    let parts = folders.map(|folder| match folder[start..].find('/') {
        Some(end) => &folder[..start + end],
        None => folder[..start].trim_end_matches('/'),
    });
    (parts[0] != parts[1]).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_part_in_a_folder() {
        for (a, b, expected) in [
            (
                "web/mvc/x/a.md",
                "web/flux/a.md",
                Some(["web/mvc", "web/flux"]),
            ),
            ("web/mvc/a.md", "web/a.md", Some(["web/mvc", "web"])),
            ("mvc/a.md", "mvc-new/b.md", Some(["mvc", "mvc-new"])),
            ("a.md", "x/a.md", Some(["", "x"])),
            ("web/a.md", "web/b.md", None),
        ] {
            assert_eq!(parting(a, b), expected, "{a} {b}");
        }
    }
}
