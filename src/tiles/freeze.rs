//! Makes what is frozen, from the parts.

use std::path::PathBuf;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use crate::detect::Detector;
use crate::document::DocId;
use crate::engine::Options;
use crate::engine::collection::signatures::Signatures;
use crate::engine::collection::store::sorted::hash_range;
use crate::engine::observer::{Observer, Stage};
use crate::engine::threads::in_pool;
use crate::error::{Error, Result};
use crate::join::index::mix::mix;
use crate::join::index::postings::frequencies::Frequencies;
use crate::tiles::frozen::{Frozen, FrozenHead, FrozenPart, Sample, options_of};
use crate::tiles::order::InOrder;
use crate::tiles::part::Part;
use crate::tiles::refused;

/// From how many sets the cost of tasks is estimated.
const SAMPLE: usize = 2_000;

/// Orders the sets of all parts, and counts how many of them have each shingle. Each pass over the parts counts the
/// shingles of one range of hashes, as many as the memory limit has room for.
///
/// # Errors
///
/// [`Error::TileFile`] if a part cannot be used, [`Error::NameTwice`] if two documents have one name,
/// [`Error::Stopped`].
pub fn freeze(options: &Options, paths: &[PathBuf], observer: &dyn Observer) -> Result<Frozen> {
    in_pool(options, || {
        let parts = paths.iter().map(|path| Part::open(path, options));
        let parts = parts.collect::<Result<Vec<Part>>>()?;
        check_alike(&parts)?;
        observer.stage(Stage::Index, None);
        let ordered = order(options, &parts, observer)?;
        let mut frozen = ordered.frozen;
        let among = frozen.options(options);
        let detectors = among.detectors;
        if detectors.have(Detector::Shingle) && detectors.compare_signatures() {
            observer.stage(Stage::HammingJoin, None);
            let signatures = Signatures::new(&among, &ordered.signatures);
            frozen.candidates = signatures.similar(&ordered.group_of);
        }
        observer.stage(Stage::Index, None);
        count(options, &parts, observer, &mut frozen)?;
        Ok(frozen)
    })
}

/// Checks that the files of all parts were read with the same options.
fn check_alike(parts: &[Part]) -> Result<()> {
    let Some(first) = parts.first() else {
        return Ok(());
    };
    for part in parts {
        let mut lines = first.reading.lines().zip(part.reading.lines());
        if let Some((expected, found)) = lines.find(|(expected, found)| expected != found) {
            let (name, other) = (first.name(), found.replace('=', " "));
            let expected = expected.replace('=', " ");
            return Err(refused(
                part.path(),
                format!("its files were read with {other}, and those of {name} with {expected}"),
            ));
        }
    }
    Ok(())
}

/// What is known after one pass over the parts.
struct Ordered {
    /// Without frequencies, weights and candidates.
    frozen: Frozen,
    /// The signatures of all documents, in the order of their sets.
    signatures: Vec<Box<[u64]>>,
    /// The ranks of their sets.
    group_of: Vec<u32>,
}

fn order(options: &Options, parts: &[Part], observer: &dyn Observer) -> Result<Ordered> {
    let detectors = options.detectors;
    let keeps_signatures = detectors.have(Detector::Shingle) && detectors.compare_signatures();
    let mut ranks: Vec<Vec<u32>> = vec![Vec::new(); parts.len()];
    let (mut sizes, mut signatures, mut group_of) = (Vec::new(), Vec::new(), Vec::new());
    let mut names: Vec<u128> = Vec::new();
    for ranked in InOrder::new(parts, options)? {
        let ranked = ranked?;
        if observer.is_stopped() {
            return Err(Error::Stopped);
        }
        DocId::new(names.len())?;
        names.push(xxh3_128(ranked.name.as_bytes()));
        ranks[ranked.part].push(ranked.rank);
        if ranked.is_first {
            sizes.push(ranked.features.facts.shingles);
        }
        if keeps_signatures {
            signatures.push(ranked.features.facts.signatures);
            group_of.push(ranked.rank);
        }
    }
    for (part, ranks) in parts.iter().zip(&ranks) {
        if part.documents() != ranks.len() {
            return Err(refused(part.path(), "it is damaged: documents are missing"));
        }
    }
    check_names(names, options, parts)?;
    let head = FrozenHead {
        options: options_of(options),
        reading: parts
            .first()
            .map_or_else(String::new, |part| part.reading.clone()),
        parts: parts
            .iter()
            .map(|part| FrozenPart {
                name: part.name(),
                documents: part.documents(),
                digest: part.digest,
            })
            .collect(),
    };
    Ok(Ordered {
        frozen: Frozen {
            number: 0,
            head,
            ranks: ranks.concat(),
            weights: vec![0; sizes.len()],
            unshared: vec![0; sizes.len()],
            sizes,
            frequencies: Frequencies::default(),
            candidates: Vec::new(),
            sample: Sample::default(),
        },
        signatures,
        group_of,
    })
}

/// Checks that no two documents have one name, from the hashes of the names.
fn check_names(mut names: Vec<u128>, options: &Options, parts: &[Part]) -> Result<()> {
    names.par_sort_unstable();
    let mut pairs = names.windows(2);
    let Some(twice) = pairs.find(|pair| pair[0] == pair[1]).map(|pair| pair[0]) else {
        return Ok(());
    };
    for ranked in InOrder::new(parts, options)? {
        let name = ranked?.name;
        if xxh3_128(name.as_bytes()) == twice {
            return Err(Error::NameTwice { name });
        }
    }
    Ok(())
}

/// Counts how many sets have each shingle, and weighs the sets.
fn count(
    options: &Options,
    parts: &[Part],
    observer: &dyn Observer,
    frozen: &mut Frozen,
) -> Result<()> {
    let total: u64 = frozen.sizes.iter().map(|&size| u64::from(size)).sum();
    let passes = total / options.budget.entries().max(1) + 1;
    let step = u32::try_from(frozen.sizes.len() / SAMPLE).map_or(1, |step| step.max(1));
    let mut entries: Vec<(u64, u32)> = Vec::new();
    for pass in 0..passes {
        entries.clear();
        let hashes = hash_range(pass, passes);
        for ranked in InOrder::new(parts, options)? {
            let ranked = ranked?;
            if observer.is_stopped() {
                return Err(Error::Stopped);
            }
            if !ranked.is_first {
                continue;
            }
            let shingles = &ranked.features.shingles;
            if pass == 0 && ranked.rank.is_multiple_of(step) {
                frozen.sample.ranks.push(ranked.rank);
                frozen.sample.shingles.extend(shingles);
            }
            let mixed = shingles.iter().map(|&shingle| mix(shingle));
            let here = mixed.filter(|mixed| hashes.contains(&u128::from(*mixed)));
            entries.extend(here.map(|mixed| (mixed, ranked.rank)));
        }
        entries.par_sort_unstable();
        let (weights, unshared) = (&mut frozen.weights, &mut frozen.unshared);
        frozen.frequencies.extend(&entries, weights, unshared);
    }
    frozen.frequencies.shrink();
    Ok(())
}
