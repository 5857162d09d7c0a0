//! The differences of the documents of an entry, from reading them again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use rayon::prelude::*;

use crate::language::phrase;
use crate::layout::Layout;
use crate::model::Report;
use crate::say;
use crate::style::numbers::amount;
use crate::worklist::{Entry, Kind, Member, Worklist};
use dupfind_decide::compare::passages::{all_swaps, frequent};
use dupfind_decide::compare::search::find_passages;
use dupfind_decide::compare::side::Side;
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::text::units::WORD;
use dupfind_engine::verdict::Relation;
use dupfind_engine::{DocId, Options, Result};
use dupfind_read::extract::pages::Extent;
use dupfind_read::format::Format;
use dupfind_scan::texts::read_texts;

/// The most entries whose documents are read again, and the most sums: as many as a terminal or a page shows at once.
const MAX_ENTRIES: usize = 20;

/// The most text that is read again, in bytes. All of it is in memory at one time.
const MAX_TEXT: usize = 8 << 20;

/// Longer documents are not compared again. That would take half a second for each megabyte.
const LONGEST: usize = 128 << 10;

/// How many bytes of text are compared again.
const WORK: usize = 2 << 20;

/// Words that tell what one has to do. Where parallel pages have two of them, one of the pages may be out of date.
const RULES: [&str; 13] = [
    "can", "cannot", "may", "might", "must", "shall", "should", "will", "不", "不能", "可以",
    "应该", "必须",
];

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
    /// Words of a rule that differ, such as 'must' and 'should'.
    drift: Option<[String; 2]>,
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
    /// Compares the text of a document of this format, and that of another one.
    fn new((text, format): (&str, Format), other: &str, options: &Options) -> Self {
        let a = Side::of_file(text, format, options);
        let b = Side::new(other, options);
        let shared = find_passages(&a, &b);
        let place = Layout::new(&a, &b, &shared, true).place();
        let is_rule = |word: &str| RULES.contains(&word);
        let swaps = all_swaps(&shared.passages, &a, &b);
        let drift = swaps
            .iter()
            .find(|swap| is_rule(swap.before) && is_rule(swap.after));
        let drift = drift.map(|swap| [swap.before, swap.after].map(str::to_owned));
        let swaps = frequent(swaps);
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
            drift,
        };
        let parts = shared.passages.iter().flat_map(|passage| &passage.parts);
        for part in parts.filter(|part| !part.is_same) {
            // A word in the place of another one is one difference.
            let (a, b) = (&a.units()[part.a.clone()], &b.units()[part.b.clone()]);
            found.count(if a.len() >= b.len() { a } else { b });
        }
        for (side, only) in [&a, &b].into_iter().zip(&shared.only) {
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
        let two = |at: usize| {
            let two_each = self.two_each(&self.entries[at]).into_iter();
            two_each.map(move |two| ((at, two[0]), two))
        };
        let two_each: Vec<_> = first.chain(sums).flat_map(two).collect();
        let found: BTreeMap<_, _> = compared(&self.report, two_each)?.into_iter().collect();
        for ((at, page), differences) in found {
            let entry = &mut self.entries[at];
            match (entry.kind, &differences.drift, &entry.drift) {
                (Kind::Parallel, Some(words), None) => entry.drift = Some((page, words.clone())),
                (Kind::Parallel, ..) => {}
                _ => entry.differences = Some(differences),
            }
        }
        Ok(())
    }

    /// Returns the documents of an entry that are compared again: the two of an entry that has two, but for copies; those of
    /// parallel folders; and the two of a family that are most alike.
    fn two_each(&self, entry: &Entry) -> Vec<[DocId; 2]> {
        let two = |member: &Member| [self.pair(member).a, self.pair(member).b];
        match (entry.kind, entry.members.as_slice()) {
            (Kind::Group, [member]) if self.pair(member).relation() != Relation::Exact => {
                vec![[entry.first, member.document]]
            }
            (Kind::Parallel, members) => members.iter().step_by(2).map(two).collect(),
            (Kind::Family, [first, ..]) => vec![two(first)],
            _ => Vec::new(),
        }
    }
}

/// Reads two documents each again and compares them, as far as there is room and time.
fn compared<K: Eq + Hash + Send>(
    report: &Report<'_>,
    two_each: Vec<(K, [DocId; 2])>,
) -> Result<HashMap<K, Differences>> {
    let outcome = report.outcome;
    let ids = with_room(report, two_each.iter().flat_map(|(_, two)| *two));
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    in_pool(outcome.options.engine.threads, || {
        let read = read_texts(&outcome.options, outcome, &ids).into_iter();
        let texts: HashMap<DocId, String> = ids
            .iter()
            .zip(read)
            .filter_map(|(&id, text)| Some((id, text.ok()?)))
            .filter(|(_, text)| text.len() <= LONGEST)
            .collect();
        let mut work = WORK;
        let mut wanted = Vec::new();
        for (key, two) in two_each {
            if let [Some(a), Some(b)] = two.map(|id| texts.get(&id))
                && let Some(left) = work.checked_sub(a.len() + b.len())
            {
                work = left;
                let format = outcome.sources.of(two[0]).format;
                wanted.push((key, (a.as_str(), format), b));
            }
        }
        let compared = wanted
            .into_par_iter()
            .map(|(key, a, b)| (key, Differences::new(a, b, &outcome.options.engine)));
        Ok(compared.collect())
    })
}

/// Returns as many of the documents as there is room for, each once.
fn with_room(report: &Report<'_>, documents: impl Iterator<Item = DocId>) -> Vec<DocId> {
    let mut room = MAX_TEXT;
    let mut seen = HashSet::new();
    let has_room = |id: &DocId| {
        let left = room.checked_sub(report.outcome.documents[id.index()].length);
        let is_new = left.is_some() && seen.insert(*id);
        room = left.filter(|_| is_new).unwrap_or(room);
        is_new
    };
    documents.filter(has_room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_order_is_named_only_if_the_order_differs() {
        let words = |a: &str, b: &str| {
            let found = Differences::new((a, Format::Text), b, &Options::default());
            found.words()
        };
        let (park, bread) = (
            "The old river park opened to the public thirty years ago, and runners circle the lake.\n",
            "Knead flour, water and salt until the dough no longer sticks to the bowl, it's done.\n",
        );
        let (one, two) = (format!("{park}{bread}"), format!("{bread}{park}"));
        assert_eq!(words(&one, &two), "in another order");
        let curly = one.replace('\'', "’").replace(',', ";");
        assert_eq!(words(&one, &curly), "no word differs");
        assert_eq!(
            words(&one, &one.replace("thirty", "fifty")),
            "1 word differs"
        );
    }
}
