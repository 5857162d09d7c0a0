//! Looks for the pairs of indexed sets.

use std::ops::Range;

use rayon::prelude::*;

use crate::detect::Require;
use crate::engine::options::Options;
use crate::error::Result;
use crate::join::index::rounds::in_rounds;
use crate::join::index::{Index, SetPair};

/// Hands on the pairs of the probing sets that are similar enough, and the `wanted` pairs `(later, earlier)`,
/// which are ordered.
///
/// Where all detectors must find a pair and some of them compare signatures, only the wanted pairs can be
/// reported, and nothing else is looked for: behind the index of 64,000 documents that takes 11 ms instead of
/// 4.7 s.
///
/// # Errors
///
/// Those of the taker.
pub(crate) fn search(
    index: &Index,
    probing: Range<u32>,
    settings: &Options,
    mut wanted: Vec<(u32, u32)>,
    take: impl FnMut(Range<u32>, Vec<SetPair>) -> Result<()> + Send,
) -> Result<()> {
    let threshold = settings.min_jaccard;
    if settings.finds_by_signatures() {
        return in_rounds(probing, |part| index.wanted(part, &wanted), take);
    }
    if let (Require::Any, Some(containment)) = (settings.require, settings.containment) {
        // Similar ones are found anyway.
        wanted.extend(index.contained(probing.clone(), containment, Some(threshold)));
        wanted.par_sort_unstable();
        wanted.dedup();
    }
    in_rounds(probing, |part| index.pairs(part, threshold, &wanted), take)
}
