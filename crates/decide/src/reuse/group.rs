//! Groups of passages that are alike, with their places.

use dupfind_engine::text::blocks::BlockKind;

/// A passage that is in several places: a block, or blocks that follow each other in all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The kind of the first block.
    pub kind: BlockKind,
    /// How many blocks follow each other.
    pub blocks: u32,
    /// How many units the most frequent wording has.
    pub units: u32,
    /// The wordings by the hashes of their blocks, with the most frequent one first.
    pub wordings: Vec<WordingOf>,
    /// The places, in the order of the pages and lines.
    pub places: Vec<Place>,
    /// Whether it belongs to a template: it is in so many of all pages, or in all pages of a folder.
    pub is_common: bool,
    /// Whether it is only in pages that are copies of each other as a whole.
    pub is_whole: bool,
}

/// A wording of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordingOf {
    /// The hash of each of its blocks.
    pub hashes: Vec<u64>,
    /// In how many places it is.
    pub copies: u32,
    /// How many units it has.
    pub units: u32,
}

/// A place of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The position of the page.
    pub page: u32,
    /// The position of the first passage among those of the page.
    pub first: u32,
    /// The position behind the last passage.
    pub end: u32,
    /// The line on which it begins, from 1.
    pub start_line: u32,
    /// The line on which it ends.
    pub end_line: u32,
    /// The position of its wording in [`Group::wordings`].
    pub wording: u32,
}

impl Group {
    /// Returns how many units would be saved if it were in one place only.
    #[must_use]
    pub fn units_saved(&self) -> u64 {
        (self.places.len() as u64).saturating_sub(1) * u64::from(self.units)
    }

    /// Returns in how many pages it is.
    #[must_use]
    pub fn pages(&self) -> usize {
        let pages = self.places.chunk_by(|a, b| a.page == b.page);
        pages.count()
    }
}

/// The groups, and to which of them each passage belongs.
#[derive(Debug)]
pub struct Groups {
    /// The groups: first passages, then pages that are copies as a whole, then templates; of each those that save most
    /// first.
    pub groups: Vec<Group>,
}

impl Groups {
    /// Returns how many units all groups would save. Groups of templates do not count.
    #[must_use]
    pub fn units_saved(&self) -> u64 {
        let own = self.groups.iter().filter(|group| !group.is_common);
        own.map(Group::units_saved).sum()
    }
}
