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

# Examples

```
use dupfind_decide::ReuseOptions;
use dupfind_decide::reuse::{blocks, groups};

let step = "Open the console, choose the region in the upper left corner, and confirm the terms of use.";
let pages = [
    format!("Install the agent on each of your hosts first.\n\n{step}"),
    format!("{step}\n\nThen upgrade the agent on each host, one after the other."),
];
assert_eq!(blocks(&pages[0]).len(), 2);
let groups = groups(&ReuseOptions::default(), pages.iter().map(String::as_str))?;
assert_eq!(groups.len(), 1);
assert_eq!(groups[0].places[1].page, 1);
assert_eq!((groups[0].places[0].start_line, groups[0].places[1].start_line), (3, 1));
# Ok::<(), dupfind_engine::Error>(())
```
*/

pub mod alike;
pub mod difference;
pub mod finding;
pub mod passage;
pub mod runs;

use dupfind_engine::text::blocks::{Block, BlockKind, Layout, blocks as cut};
use dupfind_engine::{Options, Result, Silent, Threshold, in_pool};
pub use finding::{OfFiles, groups_of_files};

use crate::reuse::passage::{CutPage, PassageMaker, Wordings};
use crate::reuse::runs::find_groups;
use dupfind_read::Format;

/// Returns the blocks of a plain text: its paragraphs, between which there are empty lines.
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    cut(text, &Layout::Paragraphs)
}

/// Returns the passages that are in several of some plain texts, with those first that save most.
///
/// # Errors
///
/// The worker threads cannot be started, or there are more shingles than 32 bits can number.
pub fn groups<'t>(
    options: &ReuseOptions,
    pages: impl IntoIterator<Item = &'t str>,
) -> Result<Vec<Group>> {
    let wordings = Wordings::new(options.engine.budget.limit);
    let mut maker = PassageMaker::new(options, &wordings);
    let pages = pages.into_iter();
    let pages: Vec<CutPage> = pages
        .map(|text| maker.cut(text, &Layout::Paragraphs, Format::Text))
        .collect();
    drop(maker);
    in_pool(options.engine.threads, || {
        find_groups(options, &Silent, wordings, &pages)
    })
}

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
