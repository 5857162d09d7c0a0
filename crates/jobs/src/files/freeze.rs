//! Makes the frozen frequencies from the parts.

use std::path::PathBuf;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use crate::bytes::document::RankKey;
use crate::bytes::refused;
use crate::cover::sets::{JobSets, options_of};
use crate::files::frozen::{Frozen, FrozenHead, FrozenPart, check};
use crate::files::part::{Part, read_sets};
use crate::job::{needs_signatures, ordered};
use dupfind_engine::Options;
use dupfind_engine::features::collection::store::sorted::hash_range;
use dupfind_engine::join::inverted::mix::mix;
use dupfind_engine::join::inverted::postings::frequencies::Frequencies;
use dupfind_engine::run::observer::{Observer, Stage};
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::{Error, Result};

/// Orders the sets of all parts, and counts how many of them have each shingle. Each pass over the parts counts the
/// shingles of one range of hashes, as many as the memory limit has room for.
///
/// # Errors
///
/// [`Error::TileFile`] if a part cannot be used, [`Error::NameTwice`] if two documents have one name,
/// [`Error::Stopped`].
pub fn freeze(options: &Options, paths: &[PathBuf], observer: &dyn Observer) -> Result<Frozen> {
    in_pool(options.threads, || {
        let parts = paths.iter().map(|path| Part::open(path, options));
        let parts = parts.collect::<Result<Vec<Part>>>()?;
        check_alike(&parts)?;
        observer.stage(Stage::Index, None);
        let sets = order(options, &parts, observer)?;
        observer.stage(Stage::Index, None);
        count(options, &parts, observer, sets)
    })
}

/// Checks that the files of all parts were read with the same options.
fn check_alike(parts: &[Part]) -> Result<()> {
    let Some((first, others)) = parts.split_first() else {
        return Ok(());
    };
    let mut others = others.iter();
    let expected = &first.origins.reading;
    others.try_for_each(|part| {
        check(
            part.path(),
            "made of files read with",
            &part.origins.reading,
            expected,
        )
    })
}

/// Orders the sets of all parts.
fn order(options: &Options, parts: &[Part], observer: &dyn Observer) -> Result<JobSets> {
    let (mut names, mut keys, mut signatures) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        let before = keys.len();
        part.each_document(options, observer, |name, features| {
            let key = RankKey::of(&features.shingles);
            if keys[before..].last().is_some_and(|last| *last > key) {
                return Err(refused(
                    part.path(),
                    "its documents are not in the order of their sets",
                ));
            }
            names.push(xxh3_128(name.as_bytes()));
            keys.push(key);
            if needs_signatures(options) {
                signatures.push(features.facts.signatures);
            }
            Ok(())
        })?;
        if part.documents() != keys.len() - before {
            return Err(refused(part.path(), "it is damaged: documents are missing"));
        }
    }
    check_names(names, options, parts, observer)?;
    let (sets, _) = ordered(options, &keys, &signatures, observer)?;
    Ok(sets)
}

/// Checks that no two documents have one name, from the hashes of the names.
fn check_names(
    mut names: Vec<u128>,
    options: &Options,
    parts: &[Part],
    observer: &dyn Observer,
) -> Result<()> {
    names.par_sort_unstable();
    let mut pairs = names.windows(2);
    let Some(twice) = pairs.find(|pair| pair[0] == pair[1]).map(|pair| pair[0]) else {
        return Ok(());
    };
    let check = |name: String, _| match xxh3_128(name.as_bytes()) == twice {
        true => Err(Error::NameTwice { name }),
        false => Ok(()),
    };
    let mut parts = parts.iter();
    parts.try_for_each(|part| part.each_document(options, observer, check))
}

/// Counts how many sets have each shingle, and weighs the sets.
fn count(
    options: &Options,
    parts: &[Part],
    observer: &dyn Observer,
    mut sets: JobSets,
) -> Result<Frozen> {
    let passes = sets.all_shingles() / options.budget.entries().max(1) + 1;
    let (mut weights, mut unshared) = (vec![0; sets.sizes.len()], vec![0; sets.sizes.len()]);
    let mut frequencies = Frequencies::default();
    let mut entries: Vec<(u64, u32)> = Vec::new();
    for pass in 0..passes {
        entries.clear();
        let hashes = hash_range(pass, passes);
        let ranks = 0..sets.count();
        read_sets(options, parts, &sets, ranks, observer, |rank, set| {
            let mixed = set.iter().map(|&shingle| mix(shingle));
            let here = mixed.filter(|mixed| hashes.contains(&u128::from(*mixed)));
            entries.extend(here.map(|mixed| (mixed, rank)));
        })?;
        entries.par_sort_unstable();
        frequencies.extend(&entries, &mut weights, &mut unshared);
    }
    drop(entries);
    frequencies.shrink();
    (sets.weights, sets.unshared) = (weights, unshared);
    let of_part = |part: &Part| FrozenPart {
        name: part.name(),
        documents: part.documents(),
        digest: part.digest,
    };
    let reading = parts.first().map(|part| part.origins.reading.clone());
    Ok(Frozen {
        head: FrozenHead {
            options: options_of(options),
            reading: reading.unwrap_or_default(),
            parts: parts.iter().map(of_part).collect(),
        },
        sets,
        frequencies,
    })
}
