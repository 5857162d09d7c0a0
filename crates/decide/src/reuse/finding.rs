//! Groups with their texts, as reports show them.

use std::collections::{HashMap, HashSet};

use crate::reuse::difference::{Change, changes};
use crate::reuse::group::{Group, Place};
use crate::reuse::passage::Passage;
use dupfind_engine::text::blocks::blocks;
use dupfind_read::ReadOptions;
use dupfind_scan::pages::{Pages, read_again};

/// The most bytes of a text that reports show.
const MAX_TEXT: usize = 4000;

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
    #[must_use]
    pub fn first_place(&self, wording: usize) -> Option<&Place> {
        let mut places = self.group.places.iter();
        places.find(|place| place.wording as usize == wording)
    }
}

/// A place whose text is wanted: its page, and the positions of its group and wording.
type Wanted = (u32, (usize, usize));

/// Returns the findings of some groups with their numbers. The pages are read again for their texts. `passages` returns
/// those of a page.
#[must_use]
pub fn findings<'g>(
    groups: impl Iterator<Item = (usize, &'g Group)>,
    pages: &Pages,
    passages: impl Fn(usize) -> &'g [Passage] + Sync,
    options: &ReadOptions,
) -> Vec<Finding<'g>> {
    let groups: Vec<(usize, &Group)> = groups.collect();
    // The blocks of each page that are wanted: for each wording of a group those of its first place.
    let mut wanted: HashMap<(u32, u64), Vec<Wanted>> = HashMap::new();
    for (at, (_, group)) in groups.iter().enumerate() {
        let mut seen = HashSet::new();
        for place in &group.places {
            let wording = place.wording as usize;
            if wording >= MAX_WORDINGS || !seen.insert(wording) {
                continue;
            }
            let source = &pages.pages[place.page as usize].source;
            let blocks = wanted.entry((source.file, source.record)).or_default();
            blocks.push((place.page, (at, wording)));
        }
    }
    let keys: HashSet<(u32, u64)> = wanted.keys().copied().collect();
    let entry = |file: u32| pages.entries[file as usize].clone();
    let texts = read_again(entry, options, &keys, |page, text, layout| {
        let blocks = blocks(text, layout);
        let texts = wanted[&page].iter().map(|&(page, (at, wording))| {
            let group = groups[at].1;
            let mut places = group.places.iter();
            let place =
                places.find(|place| place.wording as usize == wording && place.page == page);
            let text = place.map(|place| {
                let range = place.first as usize..place.end as usize;
                // Of several rows in a row, only the first one has the wording.
                let mut own = passages(page as usize)[range].iter();
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
            text: first.clone(),
            ..Shown::default()
        }];
        for wording in 1..count {
            let text = text(wording);
            let changes = changes(&first, &text);
            let copies = group.wordings[wording].copies;
            let is_rare = copies <= MAX_ODD && group.wordings[0].copies >= ODDS * copies;
            let is_odd = is_rare && changes.iter().any(|change| change.mark.is_suspicious());
            wordings.push(Shown {
                text,
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
    if text.len() > MAX_TEXT {
        let end = (0..=MAX_TEXT).rev().find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
    text
}
