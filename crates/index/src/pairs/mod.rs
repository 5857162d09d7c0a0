//! The pairs of the last scan with an index. The next scan finds its pairs from them and joins only new sets. Pairs of
//! equal sets and of similar signatures are not kept: the engine finds them in every run.
//!
//! ```text
//! pairs on disk ─┐
//! segments ──────┼─> one pass ─> weights of today ─┬─> pairs that are known, measured anew ─┐
//! new documents ─┘                                 └─> search of new sets ──────────────────┴─> all pairs
//! ```
//!
//! Sets are known by their hashes, so that the pairs stay right whatever becomes of the segments. How many shingles two sets
//! share never changes. The weight of these depends on all documents. So each pair is kept with their weight by the frequencies
//! that are kept with the pairs, and the pass over all shingles finds by how much that has changed. Pairs that were not
//! found because their shared weight was too low may be found now: `drift` returns the sets of such pairs.
//!
//! * `file`: the pairs on disk
//! * `measure`: the pass over all shingles
//! * `drift`: the sets that may have unknown pairs
//! * `search`: the pairs of new sets
//! * `ranked`: the known pairs among the sets of today
//! * `save`: keeps the pairs of today

mod drift;
pub(crate) mod file;
mod measure;
mod ranked;
mod save;
mod search;

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use crate::Index;
use crate::pairs::drift::drifted;
use crate::pairs::file::{PairsOfSets, read_pairs};
use crate::pairs::measure::{Pass, SHARED_SET};
use crate::pairs::ranked::RankedPairs;
use crate::pairs::search::PairRule;
use crate::segment::frequencies::Frequencies;
use crate::segment::lists::Lists;
use crate::segment::set_hash;
use dupfind_engine::collection::store::sets::{Blocks, SetPlace, SetWriter, Sets};
use dupfind_engine::error::Result;
use dupfind_engine::join::groups::NONE;
use dupfind_engine::join::pairwise::{overlap, sorted};
use dupfind_engine::options::Options;
use dupfind_engine::pairing::known_join::{KnownJoin, KnownPairs, SetPairs, SetsToJoin};

/// Sets are searched one by one if they are at most this part of all sets. If there are more, a join of all is faster.
const SEARCHED_PART: usize = 8;

/// Where the documents of a scan are in an index, and the pairs of them that the index knows.
pub struct PairsOfIndex {
    index: Index,
    options: Options,
    /// The segment and the number of each document there; `None` for a document that is new.
    places: Vec<Option<(usize, u32)>>,
    /// The hash of the shingle set of each document.
    hashes: Vec<u128>,
    /// The pairs that are known, and the frequencies by which they were weighed.
    known: Option<(PairsOfSets, Frequencies)>,
    /// What is known of the sets of this scan, by rank.
    today: Option<Today>,
    to_keep: Option<ToKeep>,
}

/// What is known of the sets of a scan.
struct Today {
    /// The hash of each set.
    sets: Vec<u128>,
    known: KnownPairs,
    /// A document of each set.
    firsts: Vec<u32>,
    /// The shingle sets of new documents.
    new: HashMap<u32, Vec<u64>>,
    has_changed: bool,
}

/// Pairs that the index is to keep.
struct ToKeep {
    pairs: PairsOfSets,
    /// Whether they were weighed by the frequencies of this scan, and not by those that are kept already.
    is_anew: bool,
}

impl PairsOfIndex {
    /// Returns the pairs of some documents that an index knows. `places` has their places in the index.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub fn new(
        index: &Index,
        options: &Options,
        places: Vec<Option<(usize, u32)>>,
    ) -> Result<Self> {
        let options = options.among(places.len());
        let same = rules(&options);
        let entry = index.manifest.pairs.as_ref();
        let known = entry.filter(|entry| entry.rules == same).map(|entry| {
            let pairs = read_pairs(&index.folder, entry.file, &entry.checksum)?;
            let frequencies = Frequencies::open(&index.folder, &entry.frequencies)?;
            Ok((pairs, frequencies))
        });
        Ok(Self {
            known: known.transpose()?,
            index: index.clone(),
            options,
            places,
            hashes: Vec::new(),
            today: None,
            to_keep: None,
        })
    }

    /// Returns the lists of all documents, numbered by the ranks of their sets. `postings` are those of new documents.
    fn lists<'l>(&'l self, postings: &'l [(u64, u32)], numbers: &[u32]) -> Vec<Lists<'l>> {
        let mut by_segment = vec![Vec::new(); self.index.segments.len()];
        for (place, &number) in self.places.iter().zip(numbers) {
            if let (Some((segment, document)), false) = (place, number == NONE) {
                by_segment[*segment].push((*document, number));
            }
        }
        let of_segments = self.index.segments.iter().zip(by_segment);
        let lists = of_segments.map(|(segment, own)| Lists::of_segment(segment, own.into_iter()));
        lists.chain([Lists::of_run(postings, 0)]).collect()
    }
}

/// Returns a hash of all options that decide which pairs there are.
fn rules(options: &Options) -> String {
    let all = (
        env!("CARGO_PKG_VERSION"),
        (options.max_hamming, options.min_jaccard),
        (options.containment, options.weighted()),
        (options.running().bits(), options.require),
        (options.super_shingles, options.i_match),
    );
    format!("{:016x}", xxh3_64(format!("{all:?}").as_bytes()))
}

impl KnownJoin for PairsOfIndex {
    fn identify(&mut self, sets: &Sets) -> Result<()> {
        let segments = self.index.segments.iter();
        let known = segments.map(|segment| segment.set_hashes());
        let known: Vec<Vec<u128>> = known.collect::<Result<_>>()?;
        let hash = |(place, position): (&Option<(usize, u32)>, u32)| match *place {
            Some((segment, number)) => Ok(known[segment][number as usize]),
            None => Ok(set_hash(&sets.load(&[position])?)),
        };
        self.hashes = self
            .places
            .iter()
            .zip(0..)
            .map(hash)
            .collect::<Result<_>>()?;
        Ok(())
    }

    fn are_equal(&self, a: u32, b: u32) -> bool {
        self.hashes[a as usize] == self.hashes[b as usize]
    }

    fn pairs_of(&mut self, sets: &SetsToJoin<'_>) -> Result<Option<SetPairs>> {
        let Some((known, frequencies)) = self.known.take() else {
            return Ok(None);
        };
        let firsts: Vec<u32> = sets.distinct.groups.firsts().collect();
        let hashes = self.hashes_of(&firsts);
        let count = hashes.len();
        let Some(mut pairs) = RankedPairs::of(&known, &hashes) else {
            return Ok(None);
        };
        let mut new = HashMap::new();
        for (place, position) in self.places.iter().zip(0..) {
            if place.is_none() {
                new.insert(position, sets.sets.load(&[position])?);
            }
        }
        let rank = |position: &u32| sets.group_of[*position as usize];
        let number = |&rank: &u32| match rank {
            NONE => NONE,
            _ if sets.distinct.groups.members(rank).len() > 1 => rank | SHARED_SET,
            _ => rank,
        };
        let numbers: Vec<u32> = sets.group_of.iter().map(number).collect();
        let of_new = new.iter().filter(|(position, _)| rank(position) != NONE);
        let mut postings: Vec<(u64, u32)> = of_new
            .flat_map(|(&position, set)| {
                let number = numbers[position as usize];
                set.iter().map(move |&shingle| (shingle, number))
            })
            .collect();
        postings.sort_unstable();
        let rule = PairRule {
            options: sets.options,
            sizes: &sets.distinct.sizes,
            candidates: sets.candidates,
        };
        pairs.search_unknown(&rule);
        let mut measured;
        loop {
            if pairs.searched.len() * SEARCHED_PART > count {
                return Ok(None);
            }
            pairs.start_anew(count);
            let pass = Pass {
                sets: count,
                sizes: rule.sizes,
                searched: &pairs.searched,
                starts: &pairs.starts,
            };
            let lists = self.lists(&postings, &numbers);
            let ran = pass.run(lists, frequencies.cursor(), &mut pairs.shifts)?;
            let Some(ran) = ran else {
                return Ok(None);
            };
            measured = ran;
            let threshold = sets.options.weighted();
            let drifted = threshold.map(|threshold| drifted(&measured, threshold, rule.sizes));
            let drifted: Vec<u32> = drifted.into_iter().flatten().collect();
            if !pairs.search_more(&drifted) {
                break;
            }
        }
        let Some((pairs_today, known_today)) = pairs.all(&rule, &measured) else {
            return Ok(None);
        };
        let overlaps = known
            .known
            .cohesion_overlaps
            .iter()
            .filter_map(|&((x, y), overlap)| Some((pairs.ranks_of(x, y)?, overlap)));
        let mut overlaps: Vec<((u32, u32), u32)> = overlaps.collect();
        overlaps.sort_unstable();
        self.today = Some(Today {
            has_changed: pairs.has_changed,
            known: KnownPairs {
                pairs: known_today,
                cohesion_overlaps: overlaps,
            },
            sets: hashes,
            firsts,
            new,
        });
        Ok(Some(SetPairs {
            pairs: pairs_today,
            unshared: measured.unshared,
        }))
    }

    fn overlaps(&mut self, pairs: &[(u32, u32)]) -> Result<Vec<u32>> {
        let Some(mut today) = self.today.take() else {
            return Ok(Vec::new());
        };
        let known = &today.known;
        let find = |pair: &(u32, u32)| {
            let by_pair = known
                .pairs
                .binary_search_by_key(pair, |known| (known.x, known.y));
            let by_overlap = || {
                known
                    .cohesion_overlaps
                    .binary_search_by_key(pair, |known| known.0)
            };
            let other = || Some(known.cohesion_overlaps[by_overlap().ok()?].1);
            by_pair.map_or_else(|_| other(), |at| Some(known.pairs[at].overlap))
        };
        let found: Vec<Option<u32>> = pairs.iter().map(find).collect();
        let missing = pairs
            .iter()
            .zip(&found)
            .filter(|(_, found)| found.is_none());
        let missing: Vec<(u32, u32)> = missing.map(|(&pair, _)| pair).collect();
        let sets = self.sets_of(&today, &missing)?;
        let overlaps = pairs
            .iter()
            .zip(found)
            .map(|((x, y), found)| found.unwrap_or_else(|| overlap(&sets[x], &sets[y])));
        let overlaps: Vec<u32> = overlaps.collect();
        today.has_changed |= !missing.is_empty();
        let is_pair = |pair: &(u32, u32)| {
            let found = known
                .pairs
                .binary_search_by_key(pair, |known| (known.x, known.y));
            found.is_ok()
        };
        let others = pairs.iter().copied().zip(overlaps.iter().copied());
        today.known.cohesion_overlaps = others.filter(|(pair, _)| !is_pair(pair)).collect();
        self.today = Some(today);
        Ok(overlaps)
    }

    fn add_known_sets(&mut self, sets: Sets) -> Result<Sets> {
        if self.places.iter().all(Option::is_none) {
            return Ok(sets);
        }
        let blocks = Blocks::new(self.options.budget.clone());
        let mut writer = SetWriter::new(&blocks);
        let mut places = vec![SetPlace::default(); self.places.len()];
        for (position, place) in (0..).zip(&self.places) {
            if place.is_none() {
                places[position as usize] = writer.write(&sets.load(&[position])?);
            }
        }
        let all: Vec<u32> = (0..)
            .zip(&self.places)
            .filter_map(|(position, place)| place.map(|_| position))
            .collect();
        self.each_set(&all, |position, set| {
            places[position as usize] = writer.write(set);
        })?;
        drop(writer);
        blocks.into_sets(places)
    }

    fn keep(&mut self, firsts: &[u32], pairs: KnownPairs) {
        self.to_keep = Some(ToKeep {
            pairs: PairsOfSets {
                sets: self.hashes_of(firsts),
                known: pairs,
            },
            is_anew: true,
        });
    }
}

impl PairsOfIndex {
    /// Returns the hashes of the sets of some documents.
    fn hashes_of(&self, positions: &[u32]) -> Vec<u128> {
        let hash = |&position: &u32| self.hashes[position as usize];
        positions.iter().map(hash).collect()
    }

    /// Calls `take` with the sets of some documents that the index has, in any order.
    fn each_set(&self, positions: &[u32], mut take: impl FnMut(u32, &[u64])) -> Result<()> {
        for (at, segment) in self.index.segments.iter().enumerate() {
            let own = positions.iter().filter_map(|&position| {
                let place = self.places[position as usize];
                place
                    .filter(|place| place.0 == at)
                    .map(|place| (place.1, position))
            });
            let mut own: Vec<(u32, u32)> = own.collect();
            own.sort_unstable();
            let numbers: Vec<u32> = own.iter().map(|own| own.0).collect();
            if !numbers.is_empty() {
                segment.each_set(&numbers, |place, set| {
                    take(own[place].1, set);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// Returns the ascending sets of some pairs of ranks, by rank.
    fn sets_of(&self, today: &Today, pairs: &[(u32, u32)]) -> Result<HashMap<u32, Vec<u64>>> {
        let ranks: HashSet<u32> = pairs.iter().flat_map(|&(x, y)| [x, y]).collect();
        let mut sets = HashMap::new();
        let mut in_index = Vec::new();
        let mut rank_of = HashMap::new();
        for rank in ranks {
            let first = today.firsts[rank as usize];
            if let Some(set) = today.new.get(&first) {
                sets.insert(rank, sorted(set));
            } else {
                in_index.push(first);
                rank_of.insert(first, rank);
            }
        }
        self.each_set(&in_index, |position, set| {
            sets.insert(rank_of[&position], set.to_vec());
        })?;
        Ok(sets)
    }
}
