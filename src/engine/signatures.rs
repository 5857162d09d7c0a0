//! What is compared of documents besides their shingle sets: some hashes of each.

use rayon::prelude::*;

use crate::engine::detectors::{Detector, Detectors};
use crate::engine::near::near_groups;
use crate::engine::options::Options;
use crate::engine::outcome::{Agreeing, Document};
use crate::fingerprint::simhash::Width;
use crate::join::agreement;
use crate::join::groups::Groups;
use crate::join::hamming;
use crate::join::hamming::bits::Bits;
use crate::join::pairwise::agreeing;

/// The signatures of all documents, one after the other; none if the detector is off.
#[derive(Debug, Default)]
pub(crate) struct Hashes {
    pub(crate) super_shingles: Vec<u64>,
    pub(crate) i_match: Vec<u64>,
}

/// What detectors find documents by.
#[derive(Debug)]
pub(crate) struct Signatures {
    codes: Option<Codes>,
    max_hamming: u32,
    super_shingles: Option<Flat>,
    i_match: Option<Flat>,
}

/// How the signatures of two documents compare.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Compared {
    pub(crate) hamming: Option<u8>,
    pub(crate) agreeing: Agreeing,
    /// The detectors that find the two documents by them.
    pub(crate) found_by: Detectors,
}

impl Signatures {
    /// Takes all documents and their hashes, as they were read with these settings.
    pub(crate) fn new(settings: &Options, documents: &[Document], hashes: Hashes) -> Self {
        let runs = |detector| settings.detectors.have(detector);
        Self {
            codes: runs(Detector::Simhash).then(|| Codes::new(settings.simhash_width, documents)),
            max_hamming: settings.max_hamming,
            super_shingles: runs(Detector::SuperShingle).then(|| Flat {
                values: hashes.super_shingles,
                width: settings.super_shingles.width().get(),
                least: settings.super_shingles.least() as usize,
            }),
            i_match: runs(Detector::IMatch).then(|| Flat {
                values: hashes.i_match,
                width: settings.i_match.width(),
                least: 1,
            }),
        }
    }

    /// Takes two documents and returns how their signatures compare.
    pub(crate) fn compare(&self, a: u32, b: u32) -> Compared {
        let hamming = self.codes.as_ref().map(|codes| codes.distance(a, b));
        let agree = |flat: &Option<Flat>| flat.as_ref().map(|flat| flat.agreeing(a, b));
        let (super_shingles, i_match) = (agree(&self.super_shingles), agree(&self.i_match));
        let enough = |flat: &Option<Flat>, agreeing: Option<u8>| {
            let flat = flat.as_ref().zip(agreeing);
            flat.is_some_and(|(flat, agreeing)| usize::from(agreeing) >= flat.least)
        };
        let is_near = hamming.is_some_and(|distance| u32::from(distance) <= self.max_hamming);
        Compared {
            hamming,
            agreeing: Agreeing {
                super_shingles,
                i_match,
            },
            found_by: Detectors::NONE
                .with(Detector::Simhash, is_near)
                .with(
                    Detector::SuperShingle,
                    enough(&self.super_shingles, super_shingles),
                )
                .with(Detector::IMatch, enough(&self.i_match, i_match)),
        }
    }

    /// Takes how many documents there are and brings those together that have all signatures in common.
    pub(crate) fn groups(&self, documents: usize) -> Groups {
        let count = u32::try_from(documents).expect("positions are 32 bits wide");
        let key = |position: u32| {
            let code = self.codes.as_ref().map(|codes| codes.code(position));
            let flat = [&self.super_shingles, &self.i_match];
            (
                code,
                flat.map(|flat| flat.as_ref().map(|flat| flat.of(position))),
            )
        };
        let mut order: Vec<u32> = (0..count).collect();
        order.par_sort_unstable_by(|&x, &y| (key(x), x).cmp(&(key(y), y)));
        let equals_last: Vec<bool> = order
            .windows(2)
            .map(|pair| key(pair[0]) == key(pair[1]))
            .collect();
        Groups::new(order, |at| equals_last[at - 1])
    }

    fn near_codes<B: Bits>(&self, codes: &[B], group_of: &[u32]) -> Vec<(u32, u32)> {
        let collapsed = hamming::Collapsed::new(codes);
        let near = collapsed.near(self.max_hamming);
        near_groups(&collapsed.groups, &near, group_of)
    }

    /// Takes a group of every document and returns the pairs (later, earlier) of different groups with
    /// documents that a detector finds by their signatures, ordered.
    pub(crate) fn near(&self, group_of: &[u32]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        match &self.codes {
            None => {}
            Some(Codes::Narrow(codes)) => pairs.push(self.near_codes(codes, group_of)),
            Some(Codes::Wide(codes)) => pairs.push(self.near_codes(codes, group_of)),
        }
        for flat in [&self.super_shingles, &self.i_match].into_iter().flatten() {
            let collapsed = agreement::Collapsed::new(&flat.values, flat.width, flat.least);
            pairs.push(near_groups(&collapsed.groups, &collapsed.near(), group_of));
        }
        if pairs.len() == 1 {
            return pairs.remove(0);
        }
        let mut pairs = pairs.concat();
        pairs.par_sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// The fingerprints of all documents.
#[derive(Debug)]
enum Codes {
    Narrow(Vec<u64>),
    Wide(Vec<u128>),
}

impl Codes {
    fn new(width: Width, documents: &[Document]) -> Self {
        let lower = |document: &Document| document.fingerprint.unwrap_or_default();
        match width {
            Width::Bits64 => Self::Narrow(documents.iter().map(lower).collect()),
            Width::Bits128 => {
                let whole = |document: &Document| {
                    let upper = document.fingerprint_high.unwrap_or_default();
                    u128::from(upper) << 64 | u128::from(lower(document))
                };
                Self::Wide(documents.iter().map(whole).collect())
            }
        }
    }

    /// A fingerprint as a number.
    fn code(&self, document: u32) -> u128 {
        match self {
            Self::Narrow(codes) => codes[document as usize].into(),
            Self::Wide(codes) => codes[document as usize],
        }
    }

    fn distance(&self, a: u32, b: u32) -> u8 {
        let distance = (self.code(a) ^ self.code(b)).count_ones();
        u8::try_from(distance).expect("at most 128")
    }
}

/// Hashes of which some of two documents must be equal.
#[derive(Debug)]
struct Flat {
    values: Vec<u64>,
    width: usize,
    /// How many must be.
    least: usize,
}

impl Flat {
    fn of(&self, document: u32) -> &[u64] {
        &self.values[document as usize * self.width..][..self.width]
    }

    fn agreeing(&self, a: u32, b: u32) -> u8 {
        let agreeing = agreeing(self.of(a), self.of(b));
        u8::try_from(agreeing).unwrap_or(u8::MAX)
    }
}
