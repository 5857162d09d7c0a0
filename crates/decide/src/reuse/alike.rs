//! Which wordings are alike: stars around the most frequent one. Copies of pages come first.
//!
//! Every wording is compared with the centre of its star, and with nothing in between, so that no chain makes a star of
//! wordings that have nothing in common. The centres of two stars are never alike: the join of the engine, which is exact,
//! finds all pairs of centres.
//!
//! A table of 50,000 rows that differ in a name would have a thousand million such pairs. So before the join each
//! wording is compared with a few more frequent ones that are probably like it: those with the same numberless text, or
//! with the same least hash of a shingle (min-hash, Broder 1997). If it is like one of them it joins its star at once,
//! and is not in the join.

use crate::reuse::passage::{CutPage, Wording};
use crate::reuse::{Group, Place};
use dupfind_engine::fingerprint::super_shingle::MinHasher;
use dupfind_engine::join::jaccard::for_each_pair;
use dupfind_engine::join::shared::overlap;
use dupfind_engine::{Result, Threshold};
use rayon::prelude::*;
use std::collections::HashMap;

/// How many least hashes of a wording are looked up. Of wordings with a similarity of 0.8 one in 600 has none in common with
/// the centre, and becomes a centre itself before the join.
const LOOKED_UP: u32 = 4;

const NONE: u32 = u32::MAX;

/// Returns for each wording the position of the centre of its star, which may be itself. The wordings are ordered: a centre
/// comes before all others of its star.
///
/// # Errors
///
/// There are more shingles than 32 bits can number.
pub fn stars(wordings: &[Wording], threshold: Threshold) -> Result<Vec<u32>> {
    let all = Stars {
        wordings,
        threshold,
    };
    let mut centre_of = all.absorb();
    let count = u32::try_from(wordings.len()).unwrap_or(u32::MAX);
    let centres: Vec<u32> = (0..count)
        .filter(|&w| centre_of[w as usize] == w && !all.set(w).is_empty())
        .collect();
    let sets: Vec<&[u64]> = centres.iter().map(|&centre| all.set(centre)).collect();
    // By the later one of two, the earlier ones.
    let mut earlier: HashMap<u32, Vec<u32>> = HashMap::new();
    for_each_pair(&sets, threshold, |pair| {
        let (a, b) = (centres[pair.a as usize], centres[pair.b as usize]);
        earlier.entry(a.max(b)).or_default().push(a.min(b));
    })?;
    let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
    for (wording, &centre) in (0..count).zip(&centre_of) {
        if centre != wording {
            members.entry(centre).or_default().push(wording);
        }
    }
    // In the order of their frequency, so that all earlier ones are settled.
    for &centre in &centres {
        let Some(near) = earlier.get(&centre) else {
            continue;
        };
        let is_centre = |near: &&u32| centre_of[**near as usize] == **near;
        let Some(&best) = near
            .iter()
            .filter(is_centre)
            .min_by_key(|&&near| (all.distance(near, centre), near))
        else {
            continue;
        };
        centre_of[centre as usize] = best;
        // Its members are not its own any more: each is compared with the new centre, and then with those left over.
        let mut left_over: Vec<u32> = Vec::new();
        for member in members.remove(&centre).unwrap_or_default() {
            let mut candidates = std::iter::once(best).chain(left_over.iter().copied());
            let found = candidates.find(|&candidate| all.are_alike(candidate, member));
            centre_of[member as usize] = found.unwrap_or(member);
            if found.is_none() {
                left_over.push(member);
            }
        }
    }
    Ok(centre_of)
}

struct Stars<'w> {
    wordings: &'w [Wording],
    threshold: Threshold,
}

impl Stars<'_> {
    fn set(&self, wording: u32) -> &[u64] {
        &self.wordings[wording as usize].shingles
    }

    /// Returns the overlap and the union of two wordings.
    fn measure(&self, a: u32, b: u32) -> (u32, u32) {
        let (a, b) = (self.set(a), self.set(b));
        let shared = overlap(a, b);
        let both = u32::try_from(a.len() + b.len()).unwrap_or(u32::MAX);
        (shared, both - shared)
    }

    fn are_alike(&self, a: u32, b: u32) -> bool {
        let shape = |w: u32| self.wordings[w as usize].shape;
        if shape(a) != 0 && shape(a) == shape(b) {
            return true;
        }
        let (overlap, union) = self.measure(a, b);
        overlap > 0 && self.threshold.admits(overlap, union)
    }

    /// Returns how unlike two wordings are, in ten-thousandths.
    fn distance(&self, a: u32, b: u32) -> u64 {
        let (overlap, union) = self.measure(a, b);
        10_000 - u64::from(overlap) * 10_000 / u64::from(union.max(1))
    }

    /// Returns a centre for each wording that is like one of those looked up, and itself for the others.
    fn absorb(&self) -> Vec<u32> {
        let count = self.wordings.len();
        let mut hasher = MinHasher::new(0..LOOKED_UP);
        let slots = count.next_power_of_two().max(16);
        let mut tables = vec![vec![NONE; slots]; LOOKED_UP as usize];
        let mut shapes: HashMap<u64, u32> = HashMap::new();
        let mut centre_of = Vec::with_capacity(count);
        let mut at = [0; LOOKED_UP as usize];
        for (wording, own) in self.wordings.iter().zip(0_u32..) {
            if wording.shingles.is_empty() {
                centre_of.push(own);
                continue;
            }
            let values = hasher.values(wording.shingles.iter().copied());
            for (slot, &value) in at.iter_mut().zip(values) {
                *slot = value as usize & (slots - 1);
            }
            let of_shape = shapes.get(&wording.shape).copied();
            let looked_up = tables.iter().zip(at).map(|(table, slot)| table[slot]);
            let mut best: Option<u32> = None;
            for near in of_shape.into_iter().chain(looked_up) {
                if near != NONE && best.is_none_or(|best| near < best) && self.are_alike(near, own)
                {
                    best = Some(near);
                }
            }
            centre_of.push(best.unwrap_or(own));
            if best.is_some() {
                continue;
            }
            if wording.shape != 0 {
                shapes.entry(wording.shape).or_insert(own);
            }
            for (table, slot) in tables.iter_mut().zip(at) {
                if table[slot] == NONE {
                    table[slot] = own;
                }
            }
        }
        centre_of
    }
}

/// So many hundredths of the units of a page are in another page if it is a copy of that page as a whole.
const WHOLE: u64 = 80;

/// Groups in more pages than this do not tell which pages are copies. It bounds the work.
const MAX_PAGES: usize = 200;

/// Marks the groups where every page is a copy, as a whole, of another page of the group. A page with edits in it is a
/// copy, too: its passages are several groups.
pub(super) fn mark_whole(groups: &mut [Group], pages: &[CutPage]) {
    let pages_of: Vec<Vec<u32>> = groups.par_iter().map(pages_of).collect();
    // The groups of each page, with the units of the page in them.
    let mut groups_of: Vec<Vec<(usize, u64)>> = vec![Vec::new(); pages.len()];
    for (number, group) in groups.iter().enumerate() {
        for place in &group.places {
            groups_of[place.page as usize].push((number, units(pages, place)));
        }
    }
    let originals_of = |(own, groups): (u32, &Vec<(usize, u64)>)| {
        let mut with: HashMap<u32, u64> = HashMap::new();
        let told = groups
            .iter()
            .filter(|(group, _)| pages_of[*group].len() <= MAX_PAGES);
        for &(group, units) in told {
            for &other in pages_of[group].iter().filter(|&&other| other != own) {
                *with.entry(other).or_default() += units;
            }
        }
        let is_most = |units: u64| units * 100 >= pages[own as usize].units * WHOLE;
        with.retain(|_, units| is_most(*units));
        let mut originals: Vec<u32> = with.into_keys().collect();
        originals.sort_unstable();
        originals
    };
    let numbered = (0_u32..).zip(&groups_of).collect::<Vec<_>>();
    let originals: Vec<Vec<u32>> = numbered.into_par_iter().map(originals_of).collect();
    groups
        .par_iter_mut()
        .zip(&pages_of)
        .for_each(|(group, of)| {
            let is_copy = |page: &u32| {
                let originals = &originals[*page as usize];
                originals.iter().any(|page| of.binary_search(page).is_ok())
            };
            group.is_whole = of.iter().all(is_copy) || is_most_of_each(group, pages);
        });
}

/// Returns the pages of a group, ascending.
fn pages_of(group: &Group) -> Vec<u32> {
    let mut pages: Vec<u32> = group.places.iter().map(|place| place.page).collect();
    pages.dedup();
    pages
}

/// Returns whether the group alone is most of each of its pages.
fn is_most_of_each(group: &Group, pages: &[CutPage]) -> bool {
    let is_most =
        |place: &Place| units(pages, place) * 100 >= pages[place.page as usize].units * WHOLE;
    group.places.iter().all(is_most)
}

/// Returns how many units a place has.
fn units(pages: &[CutPage], place: &Place) -> u64 {
    let passages = &pages[place.page as usize].passages[place.first as usize..place.end as usize];
    passages
        .iter()
        .map(|passage| u64::from(passage.units))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reuse::{ReuseOptions, groups_of_files};
    use dupfind_engine::Silent;
    use dupfind_scan::ScanOptions;

    fn wording(shingles: impl IntoIterator<Item = u64>) -> Wording {
        let mut shingles: Vec<u64> = shingles.into_iter().collect();
        shingles.sort_unstable();
        Wording {
            shingles: shingles.into(),
            shape: 0,
        }
    }

    fn threshold() -> Threshold {
        "0.6".parse().unwrap()
    }

    #[test]
    fn chains_make_no_star() {
        // Each is like the next one: 16 of 24 shingles. The first and the third are not.
        let chain: Vec<Wording> = (0..6).map(|n| wording(n * 4..n * 4 + 20)).collect();
        assert_eq!(stars(&chain, threshold()).unwrap(), [0, 0, 2, 2, 4, 4]);
    }

    #[test]
    fn numbers_alone_make_no_pair_and_other_numbers_make_one() {
        let shaped = |shingles: std::ops::Range<u64>, shape| Wording {
            shape,
            ..wording(shingles)
        };
        let all = [
            shaped(0..8, 7),
            shaped(5..13, 7),
            Wording::default(),
            Wording::default(),
        ];
        assert_eq!(stars(&all, threshold()).unwrap(), [0, 0, 2, 3]);
    }

    #[test]
    fn a_family_of_many_is_one_star_in_little_time() {
        let rows = (0..50_000_u64).map(|n| wording((0..20).chain([100 + n * 3, 101 + n * 3])));
        let stars = stars(&rows.collect::<Vec<Wording>>(), threshold()).unwrap();
        assert!(stars.iter().all(|&centre| centre == 0));
    }

    #[test]
    fn edited_copies_come_behind_passages() {
        let texts = [
            "The boats leave from the northern harbour at six in the morning.",
            "Nobody knew where the old librarian had put the brass key.",
            "A kiln that is heated slowly cracks less often than others.",
            "Bees gather pollen within three miles of their wooden hive.",
            "Two engineers wrote the report after the bridge was closed again.",
            "Cheese ripens in the cellar below the abandoned railway station.",
        ];
        let copy = |edit: &str| [&texts[..3], &[edit], &texts[3..]].concat().join("\n\n");
        let step = "Open the console and choose the region first.";
        let own = |text: &str| format!("{step}\n\n{text}");
        // The two runs of the copies save more than the step does.
        let pages = [
            copy("Violins were repaired here until last winter."),
            copy("Someone painted every single door of it yellow."),
            own("Ladders stand behind the shed near the gate."),
            own("Rain fell on all of the tents that night."),
        ];
        let options = ReuseOptions {
            min_units: 5,
            ..ReuseOptions::default()
        };
        let folder = tempfile::tempdir().unwrap();
        for (number, page) in pages.iter().enumerate() {
            std::fs::write(folder.path().join(format!("{number}.txt")), page).unwrap();
        }
        let scan = ScanOptions::for_paths([folder.path()]);
        let found = groups_of_files(&options, &scan, &Silent).unwrap().groups;
        let firsts: Vec<u32> = found.iter().map(|group| group.places[0].page).collect();
        assert_eq!(firsts, [2, 0, 0]);
        assert!(found[1].units_saved() > found[0].units_saved());
    }
}
