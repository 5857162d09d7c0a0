//! The differences of the documents of an entry, from reading them again.

use crate::again::{Limits, compared};
use crate::language::phrase;
use crate::layout::Layout;
use crate::say;
use crate::style::amount;
use crate::worklist::{Entry, Kind, Worklist};
use dupfind_decide::Shared;
use dupfind_decide::compare::passages::swaps;
use dupfind_decide::compare::side::Side;
use dupfind_engine::text::units::WORD;
use dupfind_engine::{DocId, Relation, Result};
use dupfind_read::Extent;

/// The most entries whose documents are read again, and the most sums: as many as a terminal or a page shows at once.
const MAX_ENTRIES: usize = 20;

/// How much is read and compared again.
const LIMITS: Limits = Limits {
    room: 8 << 20,
    longest: 128 << 10,
    work: 2 << 20,
};

/// Longer words that are swapped are not named, in bytes.
const LONGEST_SWAP: usize = 60;

/// The differences of two texts, and the place of their shared text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Differences {
    /// How many words differ.
    words: usize,
    /// How many characters of Chinese and the like differ.
    characters: usize,
    /// Whether some of the shared text has another order in the second text.
    is_moved: bool,
    /// Where the shared text is in the first text.
    pub(super) place: Option<Extent>,
    /// Whether most of the text there is shared.
    pub(super) is_one_place: bool,
    pub(super) swap: Option<Swapped>,
}

/// The words that are swapped most often in two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Swapped {
    /// Those of each text.
    pub(crate) words: [String; 2],
    /// In how many places.
    pub(crate) places: usize,
}

impl Differences {
    /// Returns the differences of two documents, by the passages that they share.
    fn new(a: &Side<'_>, b: &Side<'_>, shared: &Shared) -> Self {
        let place = Layout::new(a, b, shared, true).place();
        let swaps = swaps(&shared.passages, a, b);
        let swap = swaps
            .iter()
            .find(|swap| swap.before.len().max(swap.after.len()) <= LONGEST_SWAP);
        let mut found = Self {
            words: 0,
            characters: 0,
            is_moved: shared.passages.iter().any(|passage| passage.is_moved),
            place: place.map(|(place, _)| place),
            is_one_place: place.is_some_and(|(_, is_one_place)| is_one_place),
            swap: swap.map(|swap| Swapped {
                words: [swap.before, swap.after].map(str::to_owned),
                places: swap.places,
            }),
        };
        let parts = shared.passages.iter().flat_map(|passage| &passage.parts);
        for part in parts.filter(|part| !part.is_same) {
            // A word in the place of another one is one difference.
            let (a, b) = (&a.units()[part.a.clone()], &b.units()[part.b.clone()]);
            found.count(if a.len() >= b.len() { a } else { b });
        }
        for (side, only) in [a, b].into_iter().zip(&shared.only) {
            for units in only {
                found.count(&side.units()[units.clone()]);
            }
        }
        found
    }

    fn count(&mut self, units: &[u64]) {
        let words = units.iter().filter(|&&unit| unit & WORD != 0).count();
        self.words += words;
        self.characters += units.len() - words;
    }

    /// Returns the number of differences in words: `4 words differ`.
    pub(super) fn words(&self) -> String {
        match (self.words, self.characters) {
            (0, 0) if self.is_moved => phrase("in another order").into(),
            (0, 0) => phrase("no word differs").into(),
            (1, 0) => phrase("1 word differs").into(),
            (0, 1) => phrase("1 character differs").into(),
            (count, 0) => say!("{} words differ", count),
            (0, count) => say!("{} characters differ", count),
            (words, characters) => {
                let (words, characters) = (amount(words, "word"), amount(characters, "character"));
                say!("{} and {} differ", words, characters)
            }
        }
    }
}

impl Worklist<'_> {
    /// Reads the documents of the first entries of those that are shown, as far as there is room. `shown` is how many entries
    /// are shown that do not only sum pairs up, and how many that do. There are no differences of a document that was changed
    /// since it was compared.
    ///
    /// # Errors
    ///
    /// Threads cannot be started.
    pub(crate) fn read(&mut self, shown: (usize, usize)) -> Result<()> {
        let single = self.single();
        let first = (0..single).take(shown.0.min(MAX_ENTRIES));
        let sums = (single..self.entries.len()).take(shown.1.min(MAX_ENTRIES));
        let two = |at: usize| Some((at, self.two(&self.entries[at])?));
        let two_each: Vec<_> = first.chain(sums).filter_map(two).collect();
        for (at, differences) in compared(self.report.outcome, two_each, &LIMITS, Differences::new)?
        {
            self.entries[at].differences = Some(differences);
        }
        Ok(())
    }

    /// Returns the documents of an entry that are compared again: the two of an entry that has two, but for copies; and the two
    /// of a family that are most alike.
    fn two(&self, entry: &Entry) -> Option<[DocId; 2]> {
        match (entry.kind, entry.members.as_slice()) {
            (Kind::Group, [member]) if self.pair(member).relation() != Relation::Exact => {
                Some([entry.first, member.document])
            }
            (Kind::Family, [first, ..]) => Some([self.pair(first).a, self.pair(first).b]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_decide::find_passages;
    use dupfind_engine::Options;

    #[test]
    fn another_order_is_named_only_if_the_order_differs() {
        let words = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|text| Side::new(text, &Options::default()));
            Differences::new(&a, &b, &find_passages(&a, &b)).words()
        };
        let (park, bread) = (
            "The old river park opened to the public thirty years ago, and runners circle the lake.\n",
            "Knead flour, water and salt until the dough no longer sticks to the bowl, it's done.\n",
        );
        let (one, two) = (format!("{park}{bread}"), format!("{bread}{park}"));
        assert_eq!(words(&one, &two), "in another order");
        let curly = one.replace('\'', "’").replace(',', ";");
        assert_eq!(words(&one, &curly), "no word differs");
        let expected = "1 word differs";
        assert_eq!(words(&one, &one.replace("thirty", "fifty")), expected);
    }
}
