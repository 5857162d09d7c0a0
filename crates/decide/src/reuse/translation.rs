//! What a translator would have to translate, by class of repetition.

use std::collections::{HashMap, HashSet};

use crate::reuse::passage::CutPage;
use crate::reuse::runs::Groups;

/// Classes of repetition, from what costs most to what costs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// It stands nowhere before.
    New,
    /// Something like it stands before.
    Alike,
    /// The same text stands before, behind another passage.
    Repeated,
    /// The same text stands before, behind the same passage.
    InContext,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::New, Self::Alike, Self::Repeated, Self::InContext];

    /// Returns its name in reports, which never changes.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Alike => "alike",
            Self::Repeated => "repeated",
            Self::InContext => "repeated in context",
        }
    }
}

/// How much there is of each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// How many passages.
    pub passages: u64,
    /// How many units they have.
    pub units: u64,
}

/// Returns how much there is of each class in pages that are translated one after the other. Blocks that are too short to be
/// passages do not count.
#[must_use]
pub fn translation(pages: &[CutPage], found: &Groups) -> [(Class, Amount); 4] {
    let mut amounts: HashMap<Class, Amount> = HashMap::new();
    let (mut stars, mut seen, mut in_context) = (HashSet::new(), HashSet::new(), HashSet::new());
    let own = pages.iter().zip(&found.star_of);
    for (page, star_of) in own.filter(|(page, _)| !page.is_against) {
        let mut before = 0;
        for (passage, &star) in page.passages().iter().zip(star_of) {
            let text = passage.wording;
            let is_seen = !seen.insert(text);
            let is_in_context = !in_context.insert((before, text));
            let has_star = !stars.insert(star);
            let class = match (is_seen, is_in_context, has_star) {
                (true, true, _) => Class::InContext,
                (true, false, _) => Class::Repeated,
                (false, _, true) => Class::Alike,
                (false, _, false) => Class::New,
            };
            let amount = amounts.entry(class).or_default();
            amount.passages += 1;
            amount.units += u64::from(passage.units);
            before = text;
        }
    }
    Class::ALL.map(|class| (class, amounts.get(&class).copied().unwrap_or_default()))
}
