//! One plain sentence on an entry, and the differences of its documents, from reading them again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use rayon::prelude::*;

use crate::language::{phrase, reason};
use crate::layout::Layout;
use crate::model::Report;
use crate::say;
use crate::style::numbers::{amount, place_in_words};
use crate::worklist::parallel::parting;
use crate::worklist::{Entry, Kind, Member, Worklist, common_folder};
use dupfind_decide::compare::passages::{all_swaps, frequent};
use dupfind_decide::compare::search::find_passages;
use dupfind_decide::compare::side::Side;
use dupfind_engine::run::threads::in_pool;
use dupfind_engine::text::units::WORD;
use dupfind_engine::verdict::Relation;
use dupfind_engine::verdict::reason::Reason;
use dupfind_engine::{DocId, Options, Result};
use dupfind_read::extract::pages::Extent;
use dupfind_read::format::Format;
use dupfind_scan::texts::read_texts;

/// How many folders that have the same pages too are named.
const NAMED: usize = 8;

impl Worklist<'_> {
    /// Returns the sentence on an entry: `95 % of b.md is in a.md (80 % of that text), 4 words differ`.
    pub(crate) fn sentence(&self, entry: &Entry) -> String {
        let text = self.of_entry(entry);
        let also = entry.also.iter().map(|&at| &*self.editions[at]);
        let also: Vec<&str> = also.collect();
        if also.is_empty() {
            return text;
        }
        let mut named = also[..also.len().min(NAMED)].join(phrase(", "));
        if also.len() > NAMED {
            named = say!("{} and {} more", named, also.len() - NAMED);
        }
        say!("{}; also in {}", text, named)
    }

    /// Returns the sentence on an entry, without the folders that have the same pages.
    fn of_entry(&self, entry: &Entry) -> String {
        let count = entry.members.len() + 1;
        let pages = amount(count, self.noun(entry));
        match (entry.kind, entry.members.as_slice()) {
            (Kind::Group, [member]) => self.of_two(entry, member),
            (Kind::Group, members) => self.of_many(members, &pages),
            (Kind::Related, members) => {
                let shares = members.iter().map(|member| self.shares(entry, member));
                say!("related: {}", shares.collect::<String>())
            }
            (Kind::Parallel, members) => self.of_parallel(entry, members),
            (Kind::Family, members) => self.of_family(entry, members, &pages),
            (Kind::Short, _) => {
                let pairs = amount(entry.pairs, "pair");
                say!("short: {} of texts that are too short to judge", pairs)
            }
            (Kind::Untranslated, _) => self.untranslated(entry),
            (Kind::Generated, _) => {
                self.in_folder(entry, say!("generated: {} that are alike", pages))
            }
            (Kind::Code, _) => {
                let files = amount(count, "file");
                self.in_folder(entry, say!("code and data: {} that are alike", files))
            }
        }
    }

    /// Adds the folder that all documents of an entry are in.
    fn in_folder(&self, entry: &Entry, text: String) -> String {
        let names = entry.documents().map(|id| self.report.outcome.name(id));
        match common_folder(names) {
            Some(folder) => say!("{}, in {}", text, folder),
            None => text,
        }
    }

    /// Returns the sentence on a family: its folder, and the two pages that are most alike.
    fn of_family(&self, entry: &Entry, members: &[Member], pages: &str) -> String {
        let text = match entry.forms {
            1 => say!("family: {} of one form", pages),
            forms => say!("{} families: {}", forms, pages),
        };
        let text = self.in_folder(entry, text);
        let Some(first) = members.first() else {
            return text;
        };
        let pair = self.pair(first);
        let [a, b] = [pair.a, pair.b].map(|id| short_name(self.report.outcome.name(id)));
        let found = entry.differences.as_ref();
        match found.and_then(|found| found.swap.as_ref()) {
            _ if a == b => text,
            None => say!("{}, such as {} and {}", text, a, b),
            Some(Swapped { words, places }) => say!(
                "{}, such as {} and {} ('{}' and '{}' in {} places)",
                text,
                a,
                b,
                words[0],
                words[1],
                places
            ),
        }
    }

    /// Returns the sentence on parallel folders: how much their pages are alike, and a rule that only one of them has changed.
    fn of_parallel(&self, entry: &Entry, members: &[Member]) -> String {
        let name = |id| self.report.outcome.name(id);
        let folders = parting(name(entry.first), name(members[0].document));
        let [a, b] = folders.unwrap_or_default();
        let shares = members.iter().filter_map(|member| {
            let pair = self.pair(member);
            let [(_, share), _] = pair.smaller_first(self.documents())?;
            Some(share.percent())
        });
        let shares: BTreeSet<u64> = shares.collect();
        let (least, most) = (
            shares.first().unwrap_or(&100),
            shares.last().unwrap_or(&100),
        );
        let pages = amount(members.len().div_ceil(2), "page");
        let text = match least == most {
            true => say!(
                "parallel folders {} and {}: {} alike, {} %",
                a,
                b,
                pages,
                most
            ),
            false => say!(
                "parallel folders {} and {}: {} alike, {} to {} %",
                a,
                b,
                pages,
                least,
                most
            ),
        };
        match &entry.drift {
            None => text,
            Some((page, [one, other])) => {
                let page = short_name(name(*page));
                say!("{}; '{}' or '{}' in {}", text, one, other, page)
            }
        }
    }

    /// Returns the sentence on the pages of a language that has the fewest: the others have the text from elsewhere.
    fn untranslated(&self, entry: &Entry) -> String {
        let language = self.language_without(entry.documents());
        let pages = entry.documents();
        let pages = pages.filter(|id| self.documents()[id.index()].edition.language == language);
        let (count, first) = (pages.clone().count(), pages.min().unwrap_or(entry.first));
        let editions = self.report.outcome.sources.editions.as_ref();
        let name =
            editions.and_then(|all| all.languages.get(usize::from(language).checked_sub(1)?));
        let text = say!(
            "untranslated: {} of {} with the text of another language",
            amount(count, "page"),
            name.map_or("", String::as_str)
        );
        let text = self.in_folder(entry, text);
        say!(
            "{}, such as {}",
            text,
            short_name(self.report.outcome.name(first))
        )
    }

    /// Returns the noun for the documents of an entry.
    fn noun(&self, entry: &Entry) -> &'static str {
        match self.report.outcome.sources.of(entry.first).is_record() {
            true => "record",
            false => "page",
        }
    }

    /// Returns the sentence on a group of two documents.
    fn of_two(&self, entry: &Entry, member: &Member) -> String {
        let relation = self.pair(member).relation();
        if relation == Relation::Exact {
            return phrase("2 copies of one text").into();
        }
        let shares = self.shares(entry, member);
        match &entry.differences {
            None => shares,
            Some(found) if relation == Relation::Contains => match found.place {
                None => shares,
                Some(place) if found.is_one_place => say!("{} ({})", shares, place_in_words(place)),
                Some(place) => say!("{} (scattered over {})", shares, place_in_words(place)),
            },
            Some(found) => say!("{}, {}", shares, found.words()),
        }
    }

    /// Returns how much of each of two documents is in the other one, that of the smaller one first.
    fn shares(&self, entry: &Entry, member: &Member) -> String {
        let (documents, pair) = (self.documents(), self.pair(member));
        let Some([(smaller, share), (larger, other)]) = pair.smaller_first(documents) else {
            return reason(&Reason::new(documents, pair));
        };
        let names = [smaller, larger].map(|id| short_name(self.report.outcome.name(id)));
        let [share, other] = [share, other].map(|share| share.percent());
        match names[0] == names[1] {
            false => say!(
                "{} % of {} is in {} ({} % of that text)",
                share,
                names[0],
                names[1],
                other
            ),
            // They are listed in this order.
            true if smaller == entry.first => say!(
                "{} % of the first is in the second ({} % of that text)",
                share,
                other
            ),
            true => say!(
                "{} % of the second is in the first ({} % of that text)",
                share,
                other
            ),
        }
    }

    /// Returns the sentence on a group of more documents: how much of each of them is in the first one.
    fn of_many(&self, members: &[Member], pages: &str) -> String {
        let is_copy = |member: &&Member| self.pair(member).relation() == Relation::Exact;
        let copies = members.iter().filter(is_copy).count();
        if copies == members.len() {
            return say!("{} copies of one text", members.len() + 1);
        }
        let others = members.iter().filter(|member| !is_copy(member));
        let shares = others.filter_map(|member| {
            let pair = self.pair(member);
            let shares = pair.shares(self.documents())?;
            Some(shares[usize::from(pair.a != member.document)].percent())
        });
        let shares: Vec<u64> = shares.collect();
        let others = match (shares.iter().min(), shares.iter().max()) {
            (Some(_), Some(most)) if members.len() - copies == 1 => {
                say!("{} % of the other is in the first", most)
            }
            (Some(least), Some(most)) if least == most => {
                say!("{} % of each of the others is in the first", most)
            }
            (Some(least), Some(most)) => {
                say!(
                    "{} to {} % of each of the others is in the first",
                    least,
                    most
                )
            }
            _ => phrase("the others are like the first").into(),
        };
        match copies {
            0 => say!("{}: {}", pages, others),
            1 => say!("{}: 1 copy of the first; {}", pages, others),
            _ => say!("{}: {} copies of the first; {}", pages, copies, others),
        }
    }
}

/// Returns the last part of a name: that of the file.
fn short_name(name: &str) -> &str {
    match name.rsplit_once('/') {
        Some((_, last)) if !last.is_empty() => last,
        _ => name,
    }
}

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
