//! Editions of pages: the languages and versions of a site, and the entries about the same pages in several of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::language::phrase;
use crate::say;
use crate::style::numbers::amount;
use crate::worklist::{Entry, Kind, Worklist};
use dupfind_engine::DocId;
use dupfind_engine::features::document::{Document, Edition};
use dupfind_read::site::Editions;

/// How many languages or versions are named.
const NAMED: usize = 4;

/// Returns the line that says which languages and versions are compared each with itself.
pub(crate) fn told_apart(editions: &Editions) -> String {
    let names = |names: &[String]| {
        let more = if names.len() > NAMED { ", …" } else { "" };
        format!("{}{more}", names[..names.len().min(NAMED)].join(", "))
    };
    let all = [
        ("language", &editions.languages),
        ("version", &editions.versions),
    ];
    let several = all.iter().filter(|(_, all)| all.len() > 1);
    let counts =
        several.map(|(noun, all)| say!("{} ({})", amount(all.len() as u64, noun), names(all)));
    let counts = counts.collect::<Vec<String>>().join(phrase(", "));
    match editions.generator {
        Some(generator) => say!(
            "{}: {}; each is compared with itself (--across compares all)",
            generator.as_str(),
            counts
        ),
        None => say!(
            "{}; each is compared with itself (--across compares all)",
            counts
        ),
    }
}

/// The pages of a site, by language and version.
pub(super) struct Folders<'p> {
    editions: &'p Editions,
    documents: &'p [Document],
    /// The number of each edition.
    numbers: BTreeMap<Edition, usize>,
}

impl<'p> Folders<'p> {
    pub(super) fn new(editions: &'p Editions, documents: &'p [Document]) -> Self {
        let all: BTreeSet<Edition> = documents.iter().map(|document| document.edition).collect();
        Self {
            editions,
            documents,
            numbers: all.into_iter().zip(0..).collect(),
        }
    }

    /// Returns the names of the editions, by their numbers.
    pub(super) fn names(&self) -> Vec<String> {
        let name =
            |all: &'p [String], number: u16| Some(&*all[usize::from(number).checked_sub(1)?]);
        let names = self.numbers.keys().map(|edition| {
            let names = [
                name(&self.editions.languages, edition.language),
                name(&self.editions.versions, edition.version),
            ];
            names.into_iter().flatten().collect::<Vec<&str>>().join("/")
        });
        names.collect()
    }

    /// Returns the edition of a page, and the path that it has in each; none if it has none.
    fn page(&self, id: DocId) -> Option<(usize, String)> {
        let document = &self.documents[id.index()];
        let number = self.numbers[&document.edition];
        (document.edition != Edition::default())
            .then(|| (number, self.editions.page(&document.name)))
    }
}

impl Worklist<'_> {
    /// Merges entries about the same pages in several editions into the first one, which then names these editions. Sums of
    /// other pairs than those of families, and entries with pairs that make the run fail, stay as they are.
    pub(super) fn merge(&mut self, folders: &Folders<'_>) {
        let mut known: HashMap<(Option<Kind>, BTreeSet<String>), usize> = HashMap::new();
        let mut merged: Vec<(Entry, BTreeSet<usize>)> = Vec::new();
        for entry in std::mem::take(&mut self.entries) {
            let mut pairs = entry.members.iter().map(|member| self.pair(member));
            let is_family = matches!(entry.kind, Kind::Variants | Kind::Subjects | Kind::Family);
            let may_be = (is_family || !entry.kind.is_sum())
                && !pairs.any(|pair| self.report.failing.have(pair.relation()));
            let pages: Option<Vec<_>> = match may_be {
                true => entry.documents().map(|id| folders.page(id)).collect(),
                false => None,
            };
            let pages = pages.unwrap_or_default();
            let (own, paths): (BTreeSet<usize>, BTreeSet<String>) = pages.into_iter().unzip();
            let key = (Some(entry.kind).filter(|kind| kind.is_sum()), paths);
            if let Some(&at) = known.get(&key) {
                let (first, of_first) = &mut merged[at];
                first.pairs += entry.pairs;
                first.gain += entry.gain;
                first.also.extend(own.difference(of_first));
                continue;
            }
            if !key.1.is_empty() {
                known.insert(key, merged.len());
            }
            merged.push((entry, own));
        }
        self.entries = merged.into_iter().map(|(entry, _)| entry).collect();
    }
}
