//! Which groups are only in pages that are copies of each other as a whole.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::reuse::group::{Group, Place};
use crate::reuse::passage::CutPage;

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
        let is_most = |units: u64| units * 100 >= pages[own as usize].cut.units * WHOLE;
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
        |place: &Place| units(pages, place) * 100 >= pages[place.page as usize].cut.units * WHOLE;
    group.places.iter().all(is_most)
}

/// Returns how many units a place has.
fn units(pages: &[CutPage], place: &Place) -> u64 {
    let passages = &pages[place.page as usize].passages()[place.first as usize..place.end as usize];
    passages
        .iter()
        .map(|passage| u64::from(passage.units))
        .sum()
}

#[cfg(test)]
mod tests {
    use crate::reuse::{ReuseOptions, groups};

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
            (
                "v1.md",
                copy("Violins were repaired here until last winter."),
            ),
            (
                "v2.md",
                copy("Someone painted every single door of it yellow."),
            ),
            ("a.md", own("Ladders stand behind the shed near the gate.")),
            ("b.md", own("Rain fell on all of the tents that night.")),
        ];
        let options = ReuseOptions {
            min_units: 5,
            ..ReuseOptions::default()
        };
        let found = groups(
            &options,
            pages.iter().map(|(name, text)| (*name, text.as_str())),
        )
        .unwrap();
        let firsts: Vec<&str> = found.iter().map(|group| &*group.places[0].page).collect();
        assert_eq!(firsts, ["a.md", "v1.md", "v1.md"]);
        assert!(found[1].units_saved > found[0].units_saved);
    }
}
