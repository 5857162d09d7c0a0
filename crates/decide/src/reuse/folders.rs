//! Which share of a folder stands in which other one.

use std::collections::{BTreeMap, HashMap};

use crate::reuse::passage::CutPage;
use crate::reuse::runs::Groups;

/// How many folders a matrix has at most.
const MOST_FOLDERS: usize = 24;

/// A level on which one folder has more than so many hundredths of all pages tells nothing.
const MOST_OF_ONE: usize = 80;

/// How much of each folder stands in each other one, in units.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FolderMatrix {
    /// The folders, by name.
    pub folders: Vec<Folder>,
    /// How many units of the first folder stand in the second one too. Both are positions. For the same folder twice
    /// it is what stands in another page of it.
    pub shared: BTreeMap<(usize, usize), u64>,
}

/// A folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Its path.
    pub path: String,
    /// How many pages it has.
    pub pages: usize,
    /// How many units they have.
    pub units: u64,
}

impl FolderMatrix {
    /// Returns the matrix of some pages with these names. It has the folders of the first level on which no folder
    /// has nearly all pages, and the largest ones if there are many.
    #[must_use]
    pub fn new(names: &[&str], pages: &[CutPage], found: &Groups) -> Self {
        let folder_names = folders_of(names);
        let mut sums: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
        for (folder, page) in folder_names.iter().zip(pages) {
            let sum = sums.entry(folder).or_default();
            sum.0 += 1;
            sum.1 += page.cut.units;
        }
        let mut largest: Vec<(&str, (usize, u64))> = sums.into_iter().collect();
        largest.sort_by_key(|&(_, (_, units))| std::cmp::Reverse(units));
        largest.truncate(MOST_FOLDERS);
        largest.sort_unstable();
        let number: HashMap<&str, usize> = largest
            .iter()
            .enumerate()
            .map(|(at, (name, _))| (*name, at))
            .collect();
        let folder_of: Vec<Option<usize>> = folder_names
            .iter()
            .map(|name| number.get(name.as_str()).copied())
            .collect();
        let mut shared: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for group in found.groups.iter().filter(|group| !group.is_common) {
            // How many pages and units each folder has of it.
            let mut own: BTreeMap<usize, (u32, u64)> = BTreeMap::new();
            for place in &group.places {
                if let Some(folder) = folder_of[place.page as usize] {
                    let sum = own.entry(folder).or_default();
                    sum.0 += 1;
                    sum.1 += u64::from(group.wordings[place.wording as usize].units);
                }
            }
            for (&row, &(places, units)) in &own {
                for &column in own.keys() {
                    if row != column || places > 1 {
                        *shared.entry((row, column)).or_default() += units;
                    }
                }
            }
        }
        let folder = |(path, (pages, units)): (&str, (usize, u64))| Folder {
            path: path.to_owned(),
            pages,
            units,
        };
        Self {
            folders: largest.into_iter().map(folder).collect(),
            shared,
        }
    }
}

/// Returns the folder of each page on the first level on which no folder has nearly all pages.
fn folders_of(names: &[&str]) -> Vec<String> {
    let depth = names.iter().map(|name| name.matches('/').count()).max();
    for level in 1..=depth.unwrap_or(0).max(1) {
        let folders: Vec<String> = names.iter().map(|name| folder(name, level)).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for folder in &folders {
            *counts.entry(folder).or_default() += 1;
        }
        let most = counts.values().max().copied().unwrap_or(0);
        if most * 100 <= folders.len() * MOST_OF_ONE || level == depth.unwrap_or(0).max(1) {
            return folders;
        }
    }
    Vec::new()
}

/// Returns the first folders of a path, as many as there are up to a level.
fn folder(name: &str, level: usize) -> String {
    let folders = name.rsplit_once('/').map_or("", |(folders, _)| folders);
    let ends = folders.match_indices('/').map(|(at, _)| at);
    let end = ends.chain([folders.len()]).nth(level - 1);
    match &folders[..end.unwrap_or(folders.len())] {
        "" => ".".to_owned(),
        folder => folder.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_level_that_tells_folders_apart_counts() {
        let names = ["docs/a/x.md", "docs/a/b/y.md", "docs/c/z.md", "docs/w.md"];
        assert_eq!(folders_of(&names), ["docs/a", "docs/a", "docs/c", "docs"]);
        assert_eq!(folders_of(&["a.md", "b.md"]), [".", "."]);
        assert_eq!(folders_of(&["x/a.md", "x/b.md"]), ["x", "x"]);
        let nearly = [
            "s/a.md",
            "s/d/1/x.md",
            "s/d/1/y.md",
            "s/d/2/x.md",
            "s/d/2/y.md",
            "s/d/2/z.md",
        ];
        assert_eq!(folders_of(&nearly)[4], "s/d/2");
        assert!(folders_of(&[]).is_empty());
    }
}
