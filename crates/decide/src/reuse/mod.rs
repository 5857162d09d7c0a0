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
use dupfind_decide::reuse::{ReuseOptions, blocks, groups};

let step = "Open the console, choose the region in the upper left corner, and confirm the terms of use.";
let pages = [
    ("install.md", format!("Install the agent on each of your hosts first.\n\n{step}")),
    ("upgrade.md", format!("{step}\n\nThen upgrade the agent on each host, one after the other.")),
];
assert_eq!(blocks(&pages[0].1).len(), 2);
let groups = groups(&ReuseOptions::default(), pages.iter().map(|(name, text)| (*name, text.as_str())))?;
assert_eq!(groups.len(), 1);
assert_eq!(groups[0].places[1].page, "upgrade.md");
assert_eq!((groups[0].places[0].start_line, groups[0].places[1].start_line), (3, 1));
# Ok::<(), dupfind_engine::Error>(())
```
*/

pub mod alike;
mod copies;
pub mod difference;
mod files;
pub mod finding;
pub mod group;
mod options;
pub mod passage;
pub mod runs;

pub use files::{OfFiles, groups_of_files};
pub use options::ReuseOptions;

use dupfind_engine::Result;
use dupfind_engine::run::observer::Silent;
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::text::blocks::{Block, BlockKind, Layout, blocks as cut};

use crate::reuse::group::Group;
use crate::reuse::passage::{CutPage, PassageMaker, Wordings};
use crate::reuse::runs::find_groups;
use dupfind_read::extract::pages::PageBreaks;

/// Returns the blocks of a plain text: its paragraphs, between which there are empty lines.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    cut(text, &Layout::Paragraphs)
}

/// A passage that is in several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reused {
    /// Its kind. A run of blocks has the kind of its first one.
    pub kind: BlockKind,
    /// How many units it has.
    pub units: u32,
    /// How many units would be saved if it were in one place only.
    pub units_saved: u64,
    /// Where it is.
    pub places: Vec<ReusedAt>,
}

/// A place of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReusedAt {
    /// The name of the page.
    pub page: String,
    /// The position of the page among all pages, from 0.
    pub position: usize,
    /// The line on which it begins, from 1.
    pub start_line: u32,
    /// The line on which it ends.
    pub end_line: u32,
    /// The number of its wording in the group: 0 for the most frequent one.
    pub wording: usize,
}

/// Returns the passages that are in several of some plain texts, with those first that save most.
///
/// # Errors
///
/// The worker threads cannot be started, or there are more shingles than 32 bits can number.
pub fn groups<'t>(
    options: &ReuseOptions,
    pages: impl IntoIterator<Item = (&'t str, &'t str)>,
) -> Result<Vec<Reused>> {
    let wordings = Wordings::new(options.engine.budget.limit);
    let mut maker = PassageMaker::new(options, &wordings);
    let mut names = Vec::new();
    let mut cut_pages: Vec<CutPage> = Vec::new();
    for (name, text) in pages {
        names.push(name.to_owned());
        cut_pages.push(CutPage {
            cut: maker.cut(text, &Layout::Paragraphs),
            page_breaks: PageBreaks::default(),
        });
    }
    drop(maker);
    let found = in_pool(options.engine.threads, || {
        find_groups(options, &Silent, wordings, &cut_pages)
    })?;
    Ok(reused(&found.groups, &names))
}

/// Returns groups with the names of their pages.
fn reused(groups: &[Group], names: &[String]) -> Vec<Reused> {
    let reused = |group: &Group| Reused {
        kind: group.kind,
        units: group.units,
        units_saved: group.units_saved(),
        places: group
            .places
            .iter()
            .map(|place| ReusedAt {
                page: names[place.page as usize].clone(),
                position: place.page as usize,
                start_line: place.start_line,
                end_line: place.end_line,
                wording: place.wording as usize,
            })
            .collect(),
    };
    groups.iter().map(reused).collect()
}
