//! The differences of two documents, and the place of one of them in the other.

use crate::language::phrase;
use crate::say;
use crate::style::numbers::amount;
use dupfind_decide::compare::passages::Passage;
use dupfind_decide::compare::search::find_passages;
use dupfind_decide::compare::side::Side;
use dupfind_decide::compare::swaps::swaps;
use dupfind_engine::text::units::WORD;
use dupfind_read::extract::pages::{Extent, PageBreaks};
use dupfind_read::format::Format;
use dupfind_scan::ScanOptions;

/// Longer words that are swapped are not named, in bytes.
const LONGEST_SWAP: usize = 60;

/// The differences of two texts, and the place of their shared text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Differences {
    /// How many words differ.
    words: usize,
    /// How many characters of Chinese and the like differ.
    characters: usize,
    /// Where the shared text is in the first text.
    pub(super) place: Option<Extent>,
    /// Whether most of the text there is shared.
    pub(super) is_one_place: bool,
    pub(super) swap: Option<Swapped>,
}

/// The words that are swapped most often in two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Swapped {
    /// Those of each text.
    pub(crate) words: [String; 2],
    /// In how many places.
    pub(crate) places: usize,
}

impl Differences {
    /// Compares the text of a document of this format, and that of another one.
    pub(super) fn new((text, format): (&str, Format), other: &str, settings: &ScanOptions) -> Self {
        let [a, b] = [text, other].map(|text| Side::new(text, &settings.engine));
        let shared = find_passages(&a, &b);
        let mut found = Self {
            words: 0,
            characters: 0,
            place: None,
            is_one_place: false,
            swap: swaps(&shared.passages, &a, &b)
                .iter()
                .find(|swap| swap.before.len().max(swap.after.len()) <= LONGEST_SWAP)
                .map(|swap| Swapped {
                    words: [swap.before, swap.after].map(str::to_owned),
                    places: swap.places,
                }),
        };
        for passage in &shared.passages {
            for part in passage.parts.iter().filter(|part| !part.is_same) {
                // A word in the place of another one is one difference.
                let (a, b) = (&a.units()[part.a.clone()], &b.units()[part.b.clone()]);
                found.count(if a.len() >= b.len() { a } else { b });
            }
        }
        for (side, only) in [&a, &b].into_iter().zip(&shared.only) {
            for units in only {
                found.count(&side.units()[units.clone()]);
            }
        }
        found.place(&a, &PageBreaks::of(text, format), &shared.passages);
        found
    }

    fn count(&mut self, units: &[u64]) {
        let words = units.iter().filter(|&&unit| unit & WORD != 0).count();
        self.words += words;
        self.characters += units.len() - words;
    }

    /// Sets where the passages are in the first text.
    fn place(&mut self, a: &Side<'_>, breaks: &PageBreaks, passages: &[Passage]) {
        let (Some(first), Some(last)) = (passages.first(), passages.last()) else {
            return;
        };
        let all = first.a.start..last.a.end.max(first.a.end);
        let shared: usize = passages.iter().map(|passage| passage.a.len()).sum();
        self.place = Some(breaks.extent(a.lines(&all)));
        self.is_one_place = shared * 10 >= all.len() * 8;
    }

    /// Returns the number of differences in words: `4 words differ`.
    pub(super) fn words(&self) -> String {
        match (self.words, self.characters) {
            (0, 0) => phrase("in another order").into(),
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
