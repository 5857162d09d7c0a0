/*!
Finds passages that are in several places: paragraphs, items of lists, rows of tables.

```text
text ─> blocks ─> passages ─┬─> wordings ─> alike ─┬─> groups ─> runs ─> findings
                 (hash,     │  (distinct   (join,  │
                  units)    │   texts)      stars) │
                            └─ of every page, in order
```

* [`passage`]: cuts a text into passages, and knows the distinct wordings of all pages
* [`alike`]: which wordings are alike: the exact join of the engine, and stars around the most frequent wording
* [`runs`]: groups of passages, and those that follow each other in the same places
*/

pub mod alike;
pub mod difference;
pub mod finding;
pub mod passage;
pub mod runs;

use dupfind_engine::text::blocks::BlockKind;
use dupfind_engine::{Options, Threshold};
pub use finding::{OfFiles, groups_of_files};

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
    pub fn units_saved(&self) -> u64 {
        (self.places.len() as u64).saturating_sub(1) * u64::from(self.units)
    }

    /// Returns in how many pages it is.
    pub fn pages(&self) -> usize {
        let pages = self.places.chunk_by(|a, b| a.page == b.page);
        pages.count()
    }
}

/// Options for finding passages that are in several documents.
#[derive(Debug, Clone)]
pub struct ReuseOptions {
    /// How texts are cut into units and shingles, and how many threads there are.
    pub engine: Options,
    /// How many units a block has at least.
    pub min_units: u32,
    /// The least Jaccard similarity of two wordings of one passage.
    pub min_jaccard: Threshold,
}

impl ReuseOptions {
    /// How many units a block has at least by default.
    pub const MIN_UNITS: u32 = 8;
}

impl Default for ReuseOptions {
    fn default() -> Self {
        Self {
            engine: Options::default(),
            min_units: Self::MIN_UNITS,
            min_jaccard: "0.6".parse().expect("a number from 0 to 1"),
        }
    }
}
