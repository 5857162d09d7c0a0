//! Passages: the blocks of a page that are long enough to be looked at, each with the number of its wording.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use crate::reuse::ReuseOptions;
use dupfind_engine::features::text_hash;
use dupfind_engine::fingerprint::shingles::Shingler;
use dupfind_engine::text::blocks::{BlockKind, Layout, blocks};
use dupfind_engine::text::cutter::Cutter;
use dupfind_read::{Format, PageBreaks};

/// A block of a page that is long enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage {
    /// A hash of its normalised text. Equal texts have the same.
    pub wording: u64,
    /// Its position among all blocks of the page.
    pub block: u32,
    /// How many units it has.
    pub units: u32,
    /// The line on which it begins, from 1.
    pub start_line: u32,
    /// The line on which it ends.
    pub end_line: u32,
    /// Its kind.
    pub kind: BlockKind,
}

/// The passages of a page.
#[derive(Debug)]
pub struct CutPage {
    /// The passages in their order.
    pub passages: Vec<Passage>,
    /// How many units the page has, those of shorter blocks too.
    pub units: u64,
    /// Where the pages of its file begin in its text, if that has pages.
    pub page_breaks: PageBreaks,
}

/// Returns how many units all pages have.
pub fn units(pages: &[CutPage]) -> u64 {
    pages.iter().map(|page| page.units).sum()
}

/// The features of a wording, which are kept without its text.
#[derive(Debug, Default)]
pub struct Wording {
    /// Its shingles in ascending order; none if it has more digits than letters, as such texts are alike by chance.
    pub shingles: Box<[u64]>,
    /// A hash of the text in which all numbers are alike; 0 if there is no number in it.
    pub shape: u64,
}

const SHARDS: u64 = 64;

/// The distinct wordings of all pages, by the hash of their text.
#[derive(Debug)]
pub struct Wordings {
    shards: Vec<Mutex<HashMap<u64, Wording>>>,
    /// How many bytes their shingles need.
    bytes: AtomicU64,
    /// How many bytes they may need.
    most: u64,
}

impl Wordings {
    /// Returns no wordings. With a limit of memory their shingles may need two fifths of it at most, as the join needs
    /// as much again.
    pub fn new(limit: Option<u64>) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            bytes: AtomicU64::new(0),
            most: limit.map_or(u64::MAX, |limit| limit / 5 * 2),
        }
    }

    /// Returns how many bytes the shingles may need, if they need more. Then some are missing.
    pub fn limit_exceeded(&self) -> Option<u64> {
        let is_more = self.bytes.load(Ordering::Relaxed) > self.most;
        is_more.then_some(self.most)
    }

    fn shard(&self, hash: u64) -> &Mutex<HashMap<u64, Wording>> {
        &self.shards[usize::try_from(hash % SHARDS).expect("below 64")]
    }

    /// Returns whether a wording is new, and keeps its place if so.
    fn claims(&self, hash: u64) -> bool {
        let mut shard = self.shard(hash).lock();
        let shard = shard.as_mut().unwrap_or_else(|poisoned| poisoned.get_mut());
        match shard.entry(hash) {
            std::collections::hash_map::Entry::Occupied(_) => false,
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(Wording::default());
                true
            }
        }
    }

    fn set(&self, hash: u64, wording: Wording) {
        let bytes = size_of_val(&*wording.shingles) as u64;
        if self.bytes.fetch_add(bytes, Ordering::Relaxed) > self.most {
            return;
        }
        let mut shard = self.shard(hash).lock();
        let shard = shard.as_mut().unwrap_or_else(|poisoned| poisoned.get_mut());
        shard.insert(hash, wording);
    }

    /// Returns all wordings, in no order.
    pub fn into_all(self) -> Vec<(u64, Wording)> {
        let shards = self.shards.into_iter();
        let all =
            shards.flat_map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner));
        all.collect()
    }
}

/// Cuts texts into passages, one after the other in the same memory.
#[derive(Debug)]
pub struct PassageMaker<'w> {
    wordings: &'w Wordings,
    cutter: Cutter,
    shingler: Shingler,
    shingle_size: NonZeroUsize,
    min_units: u32,
    bytes: Vec<u8>,
}

impl<'w> PassageMaker<'w> {
    /// Returns a maker that adds new wordings to these.
    pub fn new(options: &ReuseOptions, wordings: &'w Wordings) -> Self {
        Self {
            wordings,
            cutter: Cutter::new(options.engine.shingle_unit),
            shingler: Shingler::new(),
            shingle_size: options.engine.shingle_size,
            min_units: options.min_units.max(1),
            bytes: Vec::new(),
        }
    }

    /// Returns the passages of a text of this format.
    pub fn cut(&mut self, text: &str, layout: &Layout, format: Format) -> CutPage {
        let mut cut = CutPage {
            passages: Vec::new(),
            units: 0,
            page_breaks: PageBreaks::of(text, format),
        };
        for (block, number) in blocks(text, layout).into_iter().zip(0..) {
            if block.kind == BlockKind::Code {
                continue;
            }
            self.cutter.read(block.text);
            let units = self.cutter.units();
            let count = u32::try_from(units.len()).unwrap_or(u32::MAX);
            cut.units += u64::from(count);
            if count < self.min_units {
                continue;
            }
            let hash = text_hash(self.cutter.normal(), &mut self.bytes);
            if self.wordings.claims(hash) {
                let wording = self.wording();
                self.wordings.set(hash, wording);
            }
            cut.passages.push(Passage {
                wording: hash,
                block: number,
                units: count,
                start_line: block.start_line,
                end_line: block.end_line,
                kind: block.kind,
            });
        }
        self.cutter.give_back();
        cut
    }

    /// Returns whether a text has no letter, ideograph or digit.
    pub fn is_empty(&mut self, text: &str) -> bool {
        self.cutter.read(text);
        self.cutter.is_empty()
    }

    /// Returns the features of the current text.
    fn wording(&mut self) -> Wording {
        let normal = self.cutter.normal();
        let (mut letters, mut digits) = (0, 0);
        for c in normal.chars() {
            letters += usize::from(c.is_alphabetic());
            digits += usize::from(c.is_numeric());
        }
        if letters <= digits {
            return Wording::default();
        }
        let shape = if digits == 0 { 0 } else { shape(&self.bytes) };
        let units = self.cutter.units();
        let mut shingles: Box<[u64]> = self.shingler.set(units, self.shingle_size).into();
        shingles.sort_unstable();
        Wording { shingles, shape }
    }
}

/// Returns a hash of a text in which every number is a single 0.
fn shape(text: &[u8]) -> u64 {
    let mut shaped = Vec::with_capacity(text.len());
    for &byte in text {
        if !byte.is_ascii_digit() {
            shaped.push(byte);
        } else if shaped.last() != Some(&b'0') {
            shaped.push(b'0');
        }
    }
    xxh3_64(&shaped).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_one_wording() {
        let wordings = Wordings::new(None);
        let mut maker = PassageMaker::new(&ReuseOptions::default(), &wordings);
        let text = "Choose the region in the upper left corner of the page.\n\nshort\n\n\
            choose the region in the  upper\nleft corner of the page.\n\n1 2 3 4 5 6 7 8 9 10 11\n\n\
            Choose region 17 in the upper left corner of the page.";
        let cut = maker.cut(text, &Layout::Paragraphs, Format::Text);
        let lines = cut.passages.iter().map(|p| (p.start_line, p.end_line));
        let lines: Vec<_> = lines.collect();
        assert_eq!(lines, [(1, 1), (5, 6), (8, 8), (10, 10)]);
        assert_eq!(cut.passages[0].wording, cut.passages[1].wording);
        let other = maker.cut(
            "Choose region 4 in the upper left corner of the page.",
            &Layout::Paragraphs,
            Format::Text,
        );
        drop(maker);
        let wordings: HashMap<u64, Wording> = wordings.into_all().into_iter().collect();
        assert_eq!(wordings.len(), 4);
        assert!(wordings[&cut.passages[2].wording].shingles.is_empty());
        let shapes = [cut.passages[3], other.passages[0]].map(|p| wordings[&p.wording].shape);
        assert_eq!(shapes[0], shapes[1]);
        assert_ne!(cut.passages[3].wording, other.passages[0].wording);
    }
}
