//! How much of each page stands elsewhere too.

use std::collections::HashMap;

use crate::reuse::passage::CutPage;
use crate::reuse::runs::Groups;

/// A group in more pages than this says nothing of which page is closest: all of them are. It also bounds the work.
const MOST_PAGES: usize = 200;

/// One page is near another if so many hundredths of its units stand there too.
const NEAR: u64 = 20;

/// The shares of a page. All but the last two are in units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shares {
    /// All units of the page that were looked at.
    pub units: u64,
    /// Those in no group.
    pub unique: u64,
    /// Those in a group.
    pub shared: u64,
    /// Those in a group that belongs to a template.
    pub common: u64,
    /// The page in which most of its units stand too, and how many.
    pub closest: Option<(u32, u64)>,
    /// In how many pages at least a fifth of its units stands too.
    pub near: u32,
}

/// Returns the shares of each page.
#[must_use]
pub fn shares(pages: &[CutPage], found: &Groups) -> Vec<Shares> {
    let pages_of: Vec<Vec<u32>> = found
        .groups
        .iter()
        .map(|group| {
            let mut pages: Vec<u32> = group.places.iter().map(|place| place.page).collect();
            pages.dedup();
            pages
        })
        .collect();
    let of_page = |(page, number): (&CutPage, u32)| {
        let mut shares = Shares {
            units: page.cut.units,
            ..Shares::default()
        };
        let mut with: HashMap<u32, u64> = HashMap::new();
        let groups = &found.group_of[number as usize];
        for (passage, group) in page.passages().iter().zip(groups) {
            let Some(group) = group else {
                continue;
            };
            let units = u64::from(passage.units);
            if found.groups[*group as usize].is_common {
                shares.common += units;
                continue;
            }
            shares.shared += units;
            let others = &pages_of[*group as usize];
            if others.len() <= MOST_PAGES {
                for &other in others.iter().filter(|&&other| other != number) {
                    *with.entry(other).or_default() += units;
                }
            }
        }
        shares.unique = shares.units - shares.shared - shares.common;
        shares.closest = with
            .iter()
            .map(|(&page, &units)| (page, units))
            .max_by_key(|&(page, units)| (units, std::cmp::Reverse(page)));
        let is_near = |units: &&u64| **units * 100 >= shares.units * NEAR;
        shares.near = u32::try_from(with.values().filter(is_near).count()).unwrap_or(u32::MAX);
        shares
    };
    pages.iter().zip(0..).map(of_page).collect()
}
