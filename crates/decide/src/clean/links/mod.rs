//! The links of a collection to the pages of a plan: which pages link to a page that goes, and how to change that.

pub mod rewrite;
pub(crate) mod target;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::clean::links::target::Site;
use crate::clean::plan::hash::bytes_hash;
use dupfind_read::extract::links::{has_links, links};
use dupfind_read::format::Kind;
use dupfind_read::source::name::{display_name, plain};
use dupfind_read::source::read::open;

/// A larger page is not looked at.
const MAX_READ: u64 = 64 << 20;

/// A page that links to pages of a plan, which go or stay for others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkingPage {
    /// The page.
    pub page: String,
    /// The hash of its file.
    pub hash: String,
    /// Its links to pages of the plan, in their order.
    pub links: Vec<PageLink>,
}

/// A link to a page of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageLink {
    /// Where its target begins and ends in the file, in bytes from 0.
    pub at: (usize, usize),
    /// The target, as it is written there.
    pub link: String,
    /// The page that it leads to.
    pub to: String,
}

/// The pages that link to some pages.
#[derive(Debug, Clone, Default)]
pub struct Links {
    /// The pages, by name.
    pub pages: Vec<LinkingPage>,
}

impl Links {
    /// Finds the links of all files of a collection to some of them. Paths are relative to `base`. A file that cannot
    /// be read has no links.
    #[must_use]
    pub fn of(files: &[PathBuf], wanted: &BTreeSet<&Path>, base: &Path) -> Self {
        if wanted.is_empty() {
            return Self::default();
        }
        let site = Site::new(files, wanted, base);
        let linking = |file: &PathBuf| {
            let (bytes, source) = page(&base.join(file))?;
            let from = plain(&base.join(file));
            let found = links(&source, Kind::of(file).format).into_iter();
            let to_wanted = found.filter_map(|link| {
                let to = site.resolve(&from, &link.target)?;
                (to != file && wanted.contains(to)).then(|| PageLink {
                    at: (link.at.start, link.at.end),
                    link: source[link.at].to_owned(),
                    to: display_name(to, base),
                })
            });
            let links: Vec<PageLink> = to_wanted.collect();
            (!links.is_empty()).then(|| LinkingPage {
                page: display_name(file, base),
                hash: bytes_hash(&bytes),
                links,
            })
        };
        let mut pages: Vec<LinkingPage> = files.par_iter().filter_map(linking).collect();
        pages.sort_by(|a, b| a.page.cmp(&b.page));
        Self { pages }
    }

    /// Returns the names of the pages that link to each page.
    #[must_use]
    pub fn by_target(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut by_target: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for page in &self.pages {
            for link in &page.links {
                by_target.entry(&link.to).or_default().insert(&page.page);
            }
        }
        by_target
    }
}

/// Returns the bytes and the text of a page; `None` if it has no links that are known, or cannot be read.
fn page(path: &Path) -> Option<(Vec<u8>, String)> {
    let kind = Kind::of(path);
    if !has_links(kind.format) || kind.compression.is_some() {
        return None;
    }
    let bytes = content(path).ok()?;
    let source = String::from_utf8_lossy(&bytes).into_owned();
    Some((bytes, source))
}

/// Returns the bytes of a page that is not too large.
fn content(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(MAX_READ + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX_READ {
        true => Err(io::ErrorKind::FileTooLarge.into()),
        false => Ok(bytes),
    }
}
