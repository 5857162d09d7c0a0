//! Groups of passages: wordings that are alike, with their places. Groups that follow each other in the same places are one.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use crate::reuse::alike::{mark_whole, stars};
use crate::reuse::passage::{CutPage, Passage, Wording, Wordings};
use crate::reuse::{Group, Place, ReuseOptions, WordingOf};
use dupfind_engine::{Error, Observer, Result, Stage};

/// Returns the groups of some pages.
///
/// # Errors
///
/// There are more shingles than 32 bits can number, or than the budget of the engine allows, or the observer stops the
/// run.
pub fn find_groups(
    options: &ReuseOptions,
    observer: &dyn Observer,
    wordings: Wordings,
    pages: &[CutPage],
) -> Result<Vec<Group>> {
    if let Some(limit) = wordings.limit_exceeded() {
        return Err(Error::TooMuch(format!(
            "the shingles of all passages take more than {} MB of memory: look at fewer documents, or at longer passages",
            limit >> 20
        )));
    }
    observer.stage(Stage::JaccardJoin, None);
    let star_of = stars_of_passages(options, wordings, pages)?;
    if observer.is_stopped() {
        return Err(Error::Stopped);
    }
    observer.stage(Stage::Cluster, None);
    let stars = places_of_stars(&star_of, pages);
    let next = followers(&stars);
    let mut is_later = vec![false; stars.len()];
    next.iter()
        .flatten()
        .for_each(|&later| is_later[later] = true);
    let mut groups = Vec::new();
    for first in (0..stars.len()).filter(|&star| !is_later[star]) {
        let mut run = vec![first];
        while let Some(later) = next[run[run.len() - 1]] {
            run.push(later);
        }
        groups.push(group(pages, &stars, &run));
    }
    mark_common(&mut groups, pages);
    mark_whole(&mut groups, pages);
    groups.sort_by_cached_key(|group| {
        let first = group.places[0];
        let saved = Reverse(group.units_saved());
        (
            group.is_common,
            group.is_whole,
            saved,
            first.page,
            first.start_line,
            first.first,
        )
    });
    Ok(groups)
}

/// Returns the star of each passage of each page.
fn stars_of_passages(
    options: &ReuseOptions,
    wordings: Wordings,
    pages: &[CutPage],
) -> Result<Vec<Vec<u32>>> {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for passage in pages.iter().flat_map(|page| &page.passages) {
        *counts.entry(passage.wording).or_default() += 1;
    }
    let mut all = wordings.into_all();
    all.sort_unstable_by_key(|&(hash, _)| (Reverse(counts.get(&hash).copied().unwrap_or(0)), hash));
    drop(counts);
    let (hashes, all): (Vec<u64>, Vec<Wording>) = all.into_iter().unzip();
    let centre_of = stars(&all, options.min_jaccard)?;
    drop(all);
    let star: HashMap<u64, u32> = hashes.into_iter().zip(centre_of).collect();
    let of_page = |page: &CutPage| {
        let passages = page.passages.iter();
        passages.map(|passage| star[&passage.wording]).collect()
    };
    Ok(pages.iter().map(of_page).collect())
}

/// A place of a star: passages in a row of one page that all belong to it.
#[derive(Debug, Clone, Copy)]
struct StarPlace {
    page: u32,
    first: u32,
    end: u32,
}

/// How many units a passage has that counts if it is in one page only, again and again. Shorter ones are phrases of the page.
const LEAST_IN_ONE_PAGE: u32 = 30;

/// Returns the places of each star that makes a group: it is in several pages, or is long. Passages of one star in a row, such as
/// the rows of a table, are one place, but for long copies of one text.
fn places_of_stars(star_of: &[Vec<u32>], pages: &[CutPage]) -> Vec<Vec<StarPlace>> {
    let mut places: HashMap<u32, Vec<StarPlace>> = HashMap::new();
    for (page, (stars, cut)) in (0_u32..).zip(star_of.iter().zip(pages)) {
        let mut first = 0_u32;
        let passages: Vec<(u32, &Passage)> = stars.iter().copied().zip(&cut.passages).collect();
        let is_copy =
            |a: &Passage, b: &Passage| a.wording == b.wording && a.units >= LEAST_IN_ONE_PAGE;
        for row in passages.chunk_by(|(a, before), (b, behind)| a == b && !is_copy(before, behind))
        {
            let length = u32::try_from(row.len()).unwrap_or(u32::MAX);
            let place = StarPlace {
                page,
                first,
                end: first + length,
            };
            places.entry(row[0].0).or_default().push(place);
            first += length;
        }
    }
    let mut stars: Vec<Vec<StarPlace>> = places.into_values().collect();
    let is_long = |place: &StarPlace| {
        let passages = &pages[place.page as usize].passages;
        passages[place.first as usize].units >= LEAST_IN_ONE_PAGE
    };
    stars.retain(|places| {
        let [first, .., last] = places.as_slice() else {
            return false;
        };
        first.page != last.page || is_long(first)
    });
    stars.sort_unstable_by_key(|places| (places[0].page, places[0].first));
    stars
}

/// Returns for each star the one that follows it in all of its places, and has no others.
fn followers(stars: &[Vec<StarPlace>]) -> Vec<Option<usize>> {
    let mut begins: HashMap<(u32, u32), usize> = HashMap::new();
    for (star, places) in stars.iter().enumerate() {
        begins.extend(places.iter().map(|place| ((place.page, place.first), star)));
    }
    let follower = |places: &Vec<StarPlace>| {
        let behind = |place: &StarPlace| begins.get(&(place.page, place.end)).copied();
        let next = behind(&places[0])?;
        let is_next = |place: &StarPlace| behind(place) == Some(next);
        (stars[next].len() == places.len() && places.iter().all(is_next)).then_some(next)
    };
    stars.iter().map(follower).collect()
}

/// Makes the group of stars that follow each other.
fn group(pages: &[CutPage], stars: &[Vec<StarPlace>], run: &[usize]) -> Group {
    let (first, last) = (&stars[run[0]], &stars[run[run.len() - 1]]);
    let mut wordings: HashMap<Vec<u64>, (u32, u32, usize)> = HashMap::new();
    let mut keys = Vec::with_capacity(first.len());
    for (number, place) in first.iter().enumerate() {
        let passages = &pages[place.page as usize].passages;
        let firsts = run
            .iter()
            .map(|&star| &passages[stars[star][number].first as usize]);
        let (key, units): (Vec<u64>, Vec<u32>) = firsts.map(|p| (p.wording, p.units)).unzip();
        let units = units.into_iter().fold(0, u32::saturating_add);
        let entry = wordings.entry(key.clone()).or_insert((0, units, number));
        entry.0 += 1;
        keys.push(key);
    }
    let mut sorted: Vec<(Vec<u64>, (u32, u32, usize))> = wordings.into_iter().collect();
    sorted.sort_unstable_by_key(|&(_, (copies, _, number))| (Reverse(copies), number));
    let number_of: HashMap<&[u64], u32> = sorted
        .iter()
        .map(|(key, _)| key.as_slice())
        .zip(0..)
        .collect();
    let places = first
        .iter()
        .zip(last)
        .zip(&keys)
        .map(|((first, last), key)| {
            let passages = &pages[first.page as usize].passages;
            Place {
                page: first.page,
                first: first.first,
                end: last.end,
                start_line: passages[first.first as usize].start_line,
                end_line: passages[last.end as usize - 1].end_line,
                wording: number_of[key.as_slice()],
            }
        });
    let places: Vec<Place> = places.collect();
    let start = first[0];
    let wordings: Vec<WordingOf> = sorted
        .into_iter()
        .map(|(hashes, (copies, units, _))| WordingOf {
            hashes,
            copies,
            units,
        })
        .collect();
    Group {
        kind: pages[start.page as usize].passages[start.first as usize].kind,
        blocks: u32::try_from(run.len()).unwrap_or(u32::MAX),
        units: wordings[0].units,
        wordings,
        places,
        is_common: false,
        is_whole: false,
    }
}

/// Marks the groups of templates: each is in a tenth of the pages, and in ten of them.
fn mark_common(groups: &mut [Group], pages: &[CutPage]) {
    let least = (pages.len() / 10).max(10);
    for group in groups {
        let pages: BTreeSet<u32> = group.places.iter().map(|place| place.page).collect();
        group.is_common = pages.len() >= least;
    }
}
