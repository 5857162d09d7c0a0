//! Groups with their texts, as reports show them.

use crate::reuse::difference::{Change, changes};
use crate::reuse::passage::{CutPage, PassageMaker, Wordings};
use crate::reuse::runs::find_groups;
use crate::reuse::{Group, Place, ReuseOptions};
use dupfind_engine::text::blocks::blocks;
use dupfind_engine::{Observer, Result, in_pool};
use dupfind_read::{Ingested, ReadOptions, SkipReason};
use dupfind_scan::{Pages, ScanOptions, read_again, read_pages};
use std::collections::{HashMap, HashSet};

/// The most bytes of a text that reports show.
const MAX_TEXT: usize = 4000;

/// The most bytes of a text that are compared: words at the end of one may be behind the end of the other.
const MAX_COMPARED: usize = 2 * MAX_TEXT;

/// How many wordings of a group are shown.
const MAX_WORDINGS: usize = 50;

/// An odd wording has so many copies at most, and a passage so many odd wordings.
const MAX_ODD: u32 = 2;

/// The most frequent wording has so many times the copies of an odd one at least.
const ODDS: u32 = 3;

/// A group with the texts of its wordings.
#[derive(Debug, Clone)]
pub struct Finding<'g> {
    /// The position of the group, from 0.
    pub number: usize,
    /// The group.
    pub group: &'g Group,
    /// Its wordings, at most 50 of them, with the most frequent one first.
    pub wordings: Vec<Shown>,
}

/// A wording with its text.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The text, with an empty line between the blocks of a run. It may be cut.
    pub text: String,
    /// The differences from the first wording.
    pub changes: Vec<Change>,
    /// Whether it is rare, and its difference is probably a mistake.
    pub is_odd: bool,
}

impl Finding<'_> {
    /// Returns the first place of a wording.
    pub fn first_place(&self, wording: usize) -> Option<&Place> {
        let mut places = self.group.places.iter();
        places.find(|place| place.wording as usize == wording)
    }
}

/// A place whose text is wanted: its page, and the positions of its group and wording.
type WantedText = (u32, (usize, usize));

/// Returns the findings of some groups with their numbers. The documents are read again for their texts.
pub fn findings<'g>(
    groups: impl Iterator<Item = (usize, &'g Group)>,
    of: &OfFiles,
    options: &ReadOptions,
) -> Vec<Finding<'g>> {
    let groups: Vec<(usize, &Group)> = groups.collect();
    // The blocks of each page that are wanted: for each wording of a group those of its first place.
    let mut wanted: HashMap<(u32, u64), Vec<WantedText>> = HashMap::new();
    for (at, (_, group)) in groups.iter().enumerate() {
        let mut seen = HashSet::new();
        for place in &group.places {
            let wording = place.wording as usize;
            if wording >= MAX_WORDINGS || !seen.insert(wording) {
                continue;
            }
            let source = &of.pages.pages[place.page as usize].source;
            let blocks = wanted.entry((source.file, source.record)).or_default();
            blocks.push((place.page, (at, wording)));
        }
    }
    let keys: HashSet<(u32, u64)> = wanted.keys().copied().collect();
    let entry = |file: u32| of.pages.entries[file as usize].clone();
    let texts = read_again(entry, options, &keys, |page, read| {
        let blocks = blocks(&read.text, &read.layout);
        let texts = wanted[&page].iter().map(|&(page, (at, wording))| {
            let group = groups[at].1;
            let mut places = group.places.iter();
            let place =
                places.find(|place| place.wording as usize == wording && place.page == page);
            let text = place.map(|place| {
                let range = place.first as usize..place.end as usize;
                // Of several rows in a row, only the first one has the wording.
                let mut own = of.cut[page as usize].passages[range].iter();
                let hashes = group.wordings[wording].hashes.iter();
                let texts = hashes.filter_map(|hash| own.find(|p| p.wording == *hash));
                joined(
                    texts
                        .filter_map(|p| blocks.get(p.block as usize))
                        .map(|b| b.text),
                )
            });
            ((at, wording), text.unwrap_or_default())
        });
        texts.collect::<Vec<_>>()
    });
    let mut texts: HashMap<(usize, usize), String> = texts.into_iter().flatten().collect();
    let finding = |(at, (number, group)): (usize, (usize, &'g Group))| {
        let count = group.wordings.len().min(MAX_WORDINGS);
        let mut text = |wording| texts.remove(&(at, wording)).unwrap_or_default();
        let first = text(0);
        let mut wordings = vec![Shown {
            text: cut(&first, MAX_TEXT),
            ..Shown::default()
        }];
        for wording in 1..count {
            let text = text(wording);
            let mut changes = changes(&first, &text);
            changes.retain(|change| change.before.end.max(change.after.end) <= MAX_TEXT);
            let copies = group.wordings[wording].copies;
            let is_rare = copies <= MAX_ODD && group.wordings[0].copies >= ODDS * copies;
            let is_odd = is_rare && changes.iter().any(|change| change.mark.is_suspicious());
            wordings.push(Shown {
                text: cut(&text, MAX_TEXT),
                changes,
                is_odd,
            });
        }
        // If there are more, they differ on purpose: names of products, numbers of steps.
        if wordings.iter().filter(|wording| wording.is_odd).count() > MAX_ODD as usize {
            wordings
                .iter_mut()
                .for_each(|wording| wording.is_odd = false);
        }
        Finding {
            number,
            group,
            wordings,
        }
    };
    groups.iter().copied().enumerate().map(finding).collect()
}

/// Returns blocks as one text.
fn joined<'t>(blocks: impl Iterator<Item = &'t str>) -> String {
    let mut text = String::new();
    for block in blocks {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(block);
    }
    cut(&text, MAX_COMPARED)
}

/// Returns the start of a text, with an ellipsis if it goes on.
fn cut(text: &str, most: usize) -> String {
    let mut ends = (0..=most.min(text.len())).rev();
    let end = ends.find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    match &text[..end] {
        whole if end == text.len() => whole.to_owned(),
        start => format!("{start}…"),
    }
}

/// The passages of files.
#[derive(Debug)]
pub struct OfFiles {
    /// The documents. Their passages are in `cut`.
    pub pages: Pages,
    /// The passages of each document, in the order of the documents.
    pub cut: Vec<CutPage>,
    /// The passages that are in several documents.
    pub groups: Vec<Group>,
}

impl OfFiles {
    /// Returns how many units the groups would save. Groups of templates do not count.
    pub fn units_saved(&self) -> u64 {
        let own = self.groups.iter().filter(|group| !group.is_common);
        own.map(Group::units_saved).sum()
    }
}

/// Returns the passages that are in several documents of files and folders. Files of code that nothing asks for have none.
///
/// # Errors
///
/// The worker threads cannot be started, a glob does not parse, there are too many documents or more shingles than 32 bits can
/// number, or the observer stops the run.
pub fn groups_of_files(
    options: &ReuseOptions,
    scan: &ScanOptions,
    observer: &dyn Observer,
) -> Result<OfFiles> {
    in_pool(options.engine.threads, || {
        let wordings = Wordings::new(options.engine.budget.limit);
        let maker = || PassageMaker::new(options, &wordings);
        let cut = |maker: &mut PassageMaker<'_>, document: &Ingested<'_>| {
            let cut = maker.cut(&document.text, &document.layout, document.format);
            match cut.units {
                0 if maker.is_empty(&document.text) => Err((SkipReason::Empty, String::new())),
                _ => Ok(cut),
            }
        };
        let (pages, mut cut) = read_pages(scan, observer, maker, cut)?;
        // As a pair with code does not count in a scan, no place in code does here.
        for (page, cut) in pages.pages.iter().zip(&mut cut) {
            if page.source.is_code {
                (cut.passages, cut.units) = (Vec::new(), 0);
            }
        }
        let groups = find_groups(options, observer, wordings, &cut)?;
        Ok(OfFiles { pages, cut, groups })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_engine::Silent;
    use std::fs;

    #[test]
    fn files_are_cut_by_their_format() {
        let folder = tempfile::tempdir().unwrap();
        let step = "Open the console, choose the region in the upper left corner, and confirm the terms of use.";
        let page = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
        page("a.md", format!("# Install\n\n1. {step}\n2. Wait.\n"));
        page("b.md", format!("* Wait.\n* {step}\n"));
        page("c.md", "Nothing that the others have.\n".into());
        page("code.md", "```\nlet answer = 42;\n```\n".into());
        page("empty.md", "---\n---\n".into());
        let scan = ScanOptions::for_paths([folder.path()]);
        let found = groups_of_files(&ReuseOptions::default(), &scan, &Silent).unwrap();
        assert_eq!(found.pages.pages.len(), 4);
        let skipped = found.pages.skipped.iter().map(|skipped| skipped.reason);
        assert_eq!(skipped.collect::<Vec<_>>(), [SkipReason::Empty]);
        assert_eq!(found.groups.len(), 1);
        let places = found.groups[0].places.iter();
        let places: Vec<_> = places.map(|at| (at.page, at.start_line)).collect();
        assert_eq!(places, [(0, 3), (1, 2)]);
        assert!(found.pages.pages[0].name.ends_with("a.md"));
    }
}
