//! The content of an index, and its file.
//!
//! The file begins with `dupfind index VERSION` and a line end, then a hash of the rest: XXH3, 8 bytes. The rest has the
//! options that it was made with, the files, the documents and all shingles.

use std::collections::HashSet;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use postcard::{take_from_bytes, to_allocvec};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::document::{Catalog, KeptDocument};
use crate::postings::Postings;
use crate::update::Added;
use dupfind_engine::features::bytes::value;
use dupfind_engine::join::weighted::weight;
use dupfind_engine::{Error, Identity, Options, Result};
use dupfind_files::read_regular;

/// The beginning of the file.
const MARK: &[u8] = b"dupfind index ";

/// The version of its form, the version of the program, and the end of the line. Another version of the program may read files in
/// another way.
const VERSION: &[u8] = concat!("14 ", env!("CARGO_PKG_VERSION"), "\n").as_bytes();

/// How many shingles are sorted at a time: they need 256 MiB.
const AT_A_TIME: usize = 1 << 24;

/// The documents of an index, and what follows from them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Content {
    pub(crate) catalog: Catalog,
    pub(crate) documents: Vec<KeptDocument>,
    pub(crate) postings: Postings,
    /// Whether each document is the first one with its shingle set.
    pub(crate) is_first: Vec<bool>,
    /// The weight of the shingles of each document.
    pub(crate) weights: Vec<u64>,
}

/// What is at the place of an index.
pub(crate) enum Found {
    Nothing,
    Index(Content),
    /// An index that was made with other options, and which.
    Differs(String),
    /// An index that cannot be read, and why.
    Unusable(String),
}

impl Content {
    /// Changes the documents.
    pub(crate) fn change(&mut self, mut removed: HashSet<usize>, added: Vec<Added>) {
        let mut added = added.into_iter().peekable();
        loop {
            let mut left = AT_A_TIME;
            let some = std::iter::from_fn(|| {
                let next = added.next_if(|_| left > 0)?;
                left = left.saturating_sub(next.features.shingles.len());
                Some(next)
            });
            self.change_some(&std::mem::take(&mut removed), some);
            if added.peek().is_none() {
                return;
            }
        }
    }

    /// New documents take the places of those that are gone.
    fn change_some(&mut self, removed: &HashSet<usize>, added: impl Iterator<Item = Added>) {
        let known = self.documents.len();
        let is_gone: Vec<bool> = (0..known).map(|at| removed.contains(&at)).collect();
        let gone = (0..known).filter(|&at| is_gone[at]);
        let mut places = gone.chain(known..);
        let mut is_new = vec![false; known];
        let mut new = Vec::new();
        for added in added {
            let at = places.next().expect("there is no end of places");
            let number = u32::try_from(at).expect("a collection has fewer documents");
            let (document, shingles) = added.into_kept();
            new.extend(shingles.into_iter().map(|shingle| (shingle, number)));
            if at < known {
                (self.documents[at], self.weights[at], is_new[at]) = (document, 0, true);
            } else {
                self.documents.push(document);
                self.weights.push(0);
                is_new.push(true);
            }
        }
        new.par_sort_unstable();
        let touched = self.postings.touched(&is_gone, &new);
        let weight_of =
            |content: &Self, shingle: u64| u64::from(weight(content.frequency(shingle)));
        let weighs_all = touched.len() > self.postings.shingles() / 8;
        let before = touched.iter().filter(|_| !weighs_all);
        let before: Vec<u64> = before.map(|&shingle| weight_of(self, shingle)).collect();
        self.postings.change(&is_gone, &new, &touched);
        if let Some(first) = places.next().filter(|&first| first < known) {
            let is_left = (0..known).map(|at| at < first || !is_gone[at] || is_new[at]);
            self.close_up(&is_left.collect::<Vec<_>>(), &mut is_new);
        }
        self.is_first = first_of_their_sets(&self.documents);
        if weighs_all {
            return self.weigh_all();
        }
        for (&shingle, before) in touched.iter().zip(before) {
            let now = weight_of(self, shingle);
            for &holder in self.postings.holders(shingle) {
                let at = holder as usize;
                let others = if is_new[at] { 0 } else { before };
                self.weights[at] = self.weights[at].saturating_sub(others) + now;
            }
        }
    }

    /// Leaves out documents that are gone.
    fn close_up(&mut self, is_left: &[bool], is_new: &mut Vec<bool>) {
        let mut next = 0;
        let numbers = is_left.iter().map(|is_left| {
            next += u32::from(*is_left);
            next.saturating_sub(1)
        });
        self.postings.renumber(&numbers.collect::<Vec<_>>());
        keep(&mut self.documents, is_left);
        keep(&mut self.weights, is_left);
        keep(is_new, is_left);
    }

    fn weigh_all(&mut self) {
        self.weights.fill(0);
        for (_, holders) in self.postings.lists() {
            let first = holders.iter().filter(|&&at| self.is_first[at as usize]);
            let frequency = u32::try_from(first.count()).expect("not more than documents");
            let weight = u64::from(weight(frequency));
            for &holder in holders {
                self.weights[holder as usize] += weight;
            }
        }
    }

    /// Returns in how many documents a shingle is. Documents with equal sets count once.
    pub(crate) fn frequency(&self, shingle: u64) -> u32 {
        let holders = self.postings.holders(shingle);
        let first = holders.iter().filter(|&&at| self.is_first[at as usize]);
        u32::try_from(first.count()).expect("not more than documents")
    }

    /// Writes the file.
    pub(crate) fn write(&self, out: &mut dyn Write, made_with: &str) -> io::Result<()> {
        let parts = (made_with, &self.catalog, &self.documents, &self.weights);
        let mut rest = to_allocvec(&parts).map_err(io::Error::other)?;
        self.postings.append(&mut rest);
        let checksum = xxh3_64(&rest).to_le_bytes();
        out.write_all(&[MARK, VERSION, &checksum].concat())?;
        out.write_all(&rest)
    }

    /// Reads a file. `made_with` has all options that its documents depend on.
    ///
    /// # Errors
    ///
    /// [`Error::IndexIo`] if it cannot be read, [`Error::Index`] if it is no index.
    pub(crate) fn read(path: &Path, options: &Options, made_with: &str) -> Result<Found> {
        let read = match read_regular(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
            read => read.map_err(|source| Error::IndexIo {
                action: "read",
                path: path.to_owned(),
                source,
            })?,
        };
        let damaged = || Found::Unusable("the index is damaged".into());
        // Nothing is lost if it is made anew.
        if read.is_empty() {
            return Ok(damaged());
        }
        if !read.starts_with(MARK) {
            return Err(Error::Index {
                path: path.to_owned(),
                reason: "it is no index, and it is in the place of one".into(),
            });
        }
        let rest = read.strip_prefix(MARK).unwrap_or_default();
        let Some(mut rest) = rest.strip_prefix(VERSION) else {
            let is_whole = rest.iter().take(20).any(|&byte| byte == b'\n');
            let is_other =
                is_whole.then(|| Found::Unusable("the index is of another version".into()));
            return Ok(is_other.unwrap_or_else(damaged));
        };
        let rest = &mut rest;
        if value(rest) != Some(xxh3_64(rest)) {
            return Ok(damaged());
        }
        let Ok((found, rest)) = take_from_bytes::<&str>(rest) else {
            return Ok(damaged());
        };
        let parsed = Identity::parse(found).zip(Identity::parse(made_with));
        match parsed.map(|(found, expected)| expected.check(&found)) {
            Some(Ok(())) => {}
            Some(Err(Error::FeaturesDiffer {
                name,
                found,
                expected,
            })) => {
                let reason = format!("the index was made with {name} {found}, not {expected}");
                return Ok(Found::Differs(reason));
            }
            _ => return Ok(damaged()),
        }
        Ok(Self::parse(rest, options).map_or_else(damaged, Found::Index))
    }

    fn parse(rest: &[u8], options: &Options) -> Option<Self> {
        type Parts = (Catalog, Vec<KeptDocument>, Vec<u64>);
        let ((catalog, documents, weights), mut rest) = take_from_bytes::<Parts>(rest).ok()?;
        let sizes = documents.iter().map(|kept| kept.facts.shingles);
        let postings = Postings::take(&mut rest, sizes.collect())?;
        let are_of = |kept: &KeptDocument| kept.facts.are_of(options);
        let is_whole =
            rest.is_empty() && weights.len() == documents.len() && documents.iter().all(are_of);
        is_whole.then(|| Self {
            is_first: first_of_their_sets(&documents),
            catalog,
            documents,
            postings,
            weights,
        })
    }
}

fn first_of_their_sets(documents: &[KeptDocument]) -> Vec<bool> {
    let mut known = HashSet::new();
    let is_first = documents.iter().map(|kept| known.insert(kept.set));
    is_first.collect()
}

fn keep<T>(all: &mut Vec<T>, is_left: &[bool]) {
    let mut left = is_left.iter();
    all.retain(|_| left.next() == Some(&true));
}
