//! The pairs of the last scan with an index. The next scan finds its pairs from them and joins only what is new.
//!
//! ```text
//! pairs on disk ─┐
//! segments ──────┼─> one pass ─> weights of today ─┬─> pairs that are known, measured anew ─┐
//! new documents ─┘                                 └─> search of new sets ──────────────────┴─> all pairs
//! ```
//!
//! Sets are known by their keys, so that the pairs stay right whatever becomes of the segments. How many shingles two sets
//! share never changes. What these weigh depends on all documents. So with each pair stands what they weigh by frequencies
//! that are kept with the pairs, and the pass over all shingles finds by how much that has changed. Pairs that were not
//! found because what they share weighed too little may be found now: [`drift`] says of which sets.
//!
//! * [`file`]: the pairs on disk
//! * [`measure`]: the pass over all shingles
//! * [`drift`]: the sets that may have unknown pairs
//! * [`search`]: the pairs of new sets

mod drift;
pub(crate) mod file;
mod measure;
mod search;

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use crate::engine::collection::store::sets::{Blocks, SetPlace, SetWriter, Sets};
use crate::engine::options::Options;
use crate::engine::pairing::rejoin::{JoinedBefore, KnownPair, KnownPairs, Rejoined, SetsToJoin};
use crate::error::{Error, Result};
use crate::index::Index;
use crate::index::files::folder::{create, part};
use crate::index::files::manifest::{FrequenciesEntry, Manifest, PairsEntry};
use crate::index::frequencies::{Counting, Frequencies};
use crate::index::pairs::drift::drifted;
use crate::index::pairs::file::{read_pairs, write_pairs};
use crate::index::pairs::measure::{Measured, Pass, SHARED_SET, Shift};
use crate::index::pairs::search::{PairRule, search};
use crate::index::segment::lists::Lists;
use crate::index::segment::write::{Source, each_shingle, keys};
use crate::index::update::Update;
use crate::join::groups::NONE;
use crate::join::index::SetPair;
use crate::join::index::distinct::SetKey;
use crate::join::pairwise::{overlap, sorted};

/// Sets are searched one by one if they are at most this part of all sets. If there are more, a join of all is faster.
const MOST_SEARCHED: usize = 8;

/// Where the documents of a scan are in an index, and what the index knows of their pairs.
pub(crate) struct PairsOfIndex {
    index: Index,
    options: Options,
    /// The segment and the number of each document there; `None` for a document that is new.
    places: Vec<Option<(usize, u32)>>,
    /// The pairs that are known, and the frequencies by which they were weighed.
    known: Option<(KnownPairs, Frequencies)>,
    /// What is known of the sets of this scan, by rank.
    today: Option<Today>,
    to_keep: Option<ToKeep>,
}

/// What is known of the sets of a scan.
struct Today {
    known: KnownPairs,
    /// A document of each set.
    firsts: Vec<u32>,
    /// The shingle sets of new documents.
    new: HashMap<u32, Vec<u64>>,
    has_changed: bool,
}

/// Pairs that the index is to keep.
struct ToKeep {
    known: KnownPairs,
    /// Whether they were weighed by the frequencies of this scan, and not by those that are kept already.
    is_anew: bool,
}

impl PairsOfIndex {
    /// Returns what an index knows of the pairs of some documents. `places` says where they are in the index.
    ///
    /// # Errors
    ///
    /// The index cannot be read, or is damaged.
    pub(crate) fn new(
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

    /// Keeps the pairs in the index, if they are not those that it has. If another program writes to the index, they
    /// are not kept.
    ///
    /// # Errors
    ///
    /// A file cannot be written, or the index cannot be read.
    pub(crate) fn save(mut self, reading: &str) -> Result<()> {
        if let Some(today) = self.today.take().filter(|today| today.has_changed) {
            self.to_keep = Some(ToKeep {
                known: today.known,
                is_anew: false,
            });
        }
        let Some(to_keep) = self.to_keep else {
            return Ok(());
        };
        let update = match Update::begin(&self.index.folder, self.index.options(), reading) {
            Err(Error::IndexLocked { .. }) => return Ok(()),
            update => update?,
        };
        let before = self.index.manifest.pairs.map(|entry| entry.frequencies);
        update.keep_pairs(|index, manifest| {
            let frequencies = if to_keep.is_anew {
                frequencies_among(index, manifest, &to_keep.known.keys)?
            } else {
                // They are gone if another program has kept other pairs meanwhile.
                before.filter(|before| manifest.files().contains(&before.file))
            };
            let Some(frequencies) = frequencies else {
                return Ok(());
            };
            let file = manifest.new_file();
            let checksum = write_pairs(&index.folder, file, &to_keep.known)?;
            manifest.pairs = Some(PairsEntry {
                file,
                checksum,
                rules: rules(&self.options),
                frequencies,
            });
            Ok(())
        })
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

/// Returns the frequencies of shingles among the documents of an index whose sets have these keys, which are written if
/// they are not the frozen ones; `None` if the index does not have all of the sets.
fn frequencies_among(
    index: &Index,
    manifest: &mut Manifest,
    wanted: &[SetKey],
) -> Result<Option<FrequenciesEntry>> {
    let segments = index.segments.iter();
    let sources: Vec<Source<'_>> = segments.map(|segment| Source::Segment(segment)).collect();
    let mut left: HashSet<SetKey> = wanted.iter().copied().collect();
    let keys = keys(&sources)?;
    let is_first: Vec<bool> = keys.iter().map(|key| left.remove(key)).collect();
    if !left.is_empty() {
        return Ok(None);
    }
    let all: HashSet<SetKey> = keys.iter().copied().filter(|key| key.size > 0).collect();
    if manifest.changes == 0 && all.len() == wanted.len() {
        return Ok(manifest.frequencies.clone());
    }
    let file = manifest.new_file();
    let path = part(&index.folder, file);
    let entry = create(&path, |out| {
        let mut counting = Counting::of(&path, out, file, is_first);
        each_shingle(&sources, |shingle, documents| {
            counting.weight(shingle, documents).map(|_| ())
        })?;
        counting.finish(file)
    })?;
    Ok(Some(entry))
}

impl JoinedBefore for PairsOfIndex {
    fn rejoin(&mut self, sets: &SetsToJoin<'_>) -> Result<Option<Rejoined>> {
        let Some((known, frequencies)) = self.known.take() else {
            return Ok(None);
        };
        let count = sets.keys.len();
        let Some(mut pairs) = RankedPairs::of(&known, sets.keys) else {
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
            if pairs.searched.len() * MOST_SEARCHED > count {
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
            .overlaps
            .iter()
            .filter_map(|&((x, y), overlap)| Some((pairs.ranks_of(x, y)?, overlap)));
        let mut overlaps: Vec<((u32, u32), u32)> = overlaps.collect();
        overlaps.sort_unstable();
        self.today = Some(Today {
            has_changed: pairs.has_changed,
            known: KnownPairs {
                keys: sets.keys.to_vec(),
                pairs: known_today,
                overlaps,
            },
            firsts: sets.distinct.groups.firsts().collect(),
            new,
        });
        Ok(Some(Rejoined {
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
            let by_overlap = || known.overlaps.binary_search_by_key(pair, |known| known.0);
            let other = || Some(known.overlaps[by_overlap().ok()?].1);
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
        today.known.overlaps = others.filter(|(pair, _)| !is_pair(pair)).collect();
        self.today = Some(today);
        Ok(overlaps)
    }

    fn complete(&mut self, sets: Sets) -> Result<Sets> {
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

    fn keep(&mut self, joined: KnownPairs) {
        self.to_keep = Some(ToKeep {
            known: joined,
            is_anew: true,
        });
    }
}

impl PairsOfIndex {
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

/// The known pairs of the sets of a scan, by rank.
struct RankedPairs {
    /// The rank of each known set; [`NONE`] if it is gone.
    ranks: Vec<u32>,
    /// The pairs of which both sets are there, ordered.
    pairs: Vec<KnownPair>,
    /// Where the pairs of each later set begin; one longer than the sets.
    starts: Vec<usize>,
    /// By how much the weight has changed that each pair shares.
    shifts: Vec<Shift>,
    /// The sets that are searched, ascending.
    searched: Vec<u32>,
    /// Whether other sets are there than those of the known pairs, or more was searched.
    has_changed: bool,
}

impl RankedPairs {
    /// Returns `None` if two sets have one key.
    fn of(known: &KnownPairs, keys: &[SetKey]) -> Option<Self> {
        let rank_of: HashMap<SetKey, u32> = keys.iter().copied().zip(0..).collect();
        if rank_of.len() < keys.len() {
            return None;
        }
        let rank = |key: &SetKey| rank_of.get(key).copied().unwrap_or(NONE);
        let ranks: Vec<u32> = known.keys.iter().map(rank).collect();
        let mut is_known = vec![false; keys.len()];
        for &rank in ranks.iter().filter(|&&rank| rank != NONE) {
            is_known[rank as usize] = true;
        }
        let unknown = (0..).zip(&is_known).filter(|(_, is_known)| !**is_known);
        let searched: Vec<u32> = unknown.map(|(rank, _)| rank).collect();
        let has_changed = !searched.is_empty() || ranks.contains(&NONE);
        let mut ranked = Self {
            ranks,
            pairs: Vec::with_capacity(known.pairs.len()),
            starts: Vec::new(),
            shifts: Vec::new(),
            searched,
            has_changed,
        };
        for pair in &known.pairs {
            if let Some((x, y)) = ranked.ranks_of(pair.x, pair.y) {
                ranked.pairs.push(KnownPair { x, y, ..*pair });
            }
        }
        if !ranked.pairs.is_sorted() {
            ranked.pairs.sort_unstable();
        }
        Some(ranked)
    }

    /// Returns the ranks `(later, earlier)` of two known sets; `None` if one of them is gone.
    fn ranks_of(&self, x: u32, y: u32) -> Option<(u32, u32)> {
        let (x, y) = (self.ranks[x as usize], self.ranks[y as usize]);
        (x != NONE && y != NONE).then_some((x.max(y), x.min(y)))
    }

    /// Searches a set of every candidate that was never measured.
    fn search_unknown(&mut self, rule: &PairRule<'_>) {
        let is_known = |pair: &&(u32, u32)| {
            let found = self
                .pairs
                .binary_search_by_key(*pair, |known| (known.x, known.y));
            found.is_ok() || self.is_searched(pair.0) || self.is_searched(pair.1)
        };
        let unknown = rule.candidates.iter().filter(|pair| !is_known(pair));
        let unknown: Vec<u32> = unknown.map(|pair| pair.0).collect();
        self.search_more(&unknown);
    }

    fn is_searched(&self, set: u32) -> bool {
        self.searched.binary_search(&set).is_ok()
    }

    /// Searches more sets. Returns whether some of them were not searched before.
    fn search_more(&mut self, sets: &[u32]) -> bool {
        let before = self.searched.len();
        self.searched.extend(sets);
        self.searched.sort_unstable();
        self.searched.dedup();
        let has_more = self.searched.len() > before;
        self.has_changed |= has_more;
        has_more
    }

    /// Leaves out the pairs of searched sets, which are found anew.
    fn start_anew(&mut self, sets: usize) {
        let mut is_searched = vec![false; sets];
        self.searched
            .iter()
            .for_each(|&set| is_searched[set as usize] = true);
        let is_searched = |set: u32| is_searched[set as usize];
        self.pairs
            .retain(|pair| !is_searched(pair.x) && !is_searched(pair.y));
        let shift = |pair: &KnownPair| Shift { y: pair.y, by: 0 };
        self.shifts = self.pairs.iter().map(shift).collect();
        self.starts = vec![0; sets + 1];
        for pair in &self.pairs {
            self.starts[pair.x as usize + 1] += 1;
        }
        for at in 0..sets {
            self.starts[at + 1] += self.starts[at];
        }
    }

    /// Returns the pairs of today, and those that are to be known the next time; `None` if what is known of a pair cannot
    /// be true.
    fn all(
        &self,
        rule: &PairRule<'_>,
        measured: &Measured,
    ) -> Option<(Vec<SetPair>, Vec<KnownPair>)> {
        let found = search(rule, measured, &self.searched);
        let mut pairs = Vec::with_capacity(self.pairs.len() + found.len());
        let mut known = self.pairs.clone();
        for (pair, shift) in self.pairs.iter().zip(&self.shifts) {
            let [x, y] = [pair.x, pair.y].map(|set| measured.weights[set as usize]);
            let sizes = [pair.x, pair.y].map(|set| rule.sizes[set as usize]);
            let shared = pair.shared.checked_add_signed(shift.by)?;
            if shared > x.min(y) || pair.overlap > sizes[0].min(sizes[1]) {
                return None;
            }
            let measured = SetPair {
                x: pair.x,
                y: pair.y,
                overlap: pair.overlap,
                union: sizes[0] + sizes[1] - pair.overlap,
                weighted: crate::join::weighted::Weighted::new(shared, x, y),
            };
            if rule.finds(&measured) {
                pairs.push(measured);
            }
        }
        for found in found {
            known.push(KnownPair {
                x: found.pair.x,
                y: found.pair.y,
                overlap: found.pair.overlap,
                shared: found.known_shared,
            });
            if found.is_found {
                pairs.push(found.pair);
            }
        }
        pairs.sort_unstable();
        known.sort_unstable();
        Some((pairs, known))
    }
}
