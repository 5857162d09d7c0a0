//! Editions of pages: the languages and versions of a site, and the entries about the same pages in several of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::language::phrase;
use crate::say;
use crate::style::amount;
use crate::worklist::{Entry, Kind, Member, Worklist};
use dupfind_engine::features::document::Edition;
use dupfind_engine::{DocId, Document, Relation};
use dupfind_read::Editions;
use dupfind_scan::{Scan, Source};

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
            generator,
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
    sources: &'p [Source],
    /// The number of each language and version.
    numbers: BTreeMap<[u16; 2], usize>,
}

impl<'p> Folders<'p> {
    pub(super) fn new(editions: &'p Editions, outcome: &'p Scan) -> Self {
        let documents = &outcome.documents;
        let all: BTreeSet<[u16; 2]> = documents.iter().map(|it| pair(it.edition)).collect();
        Self {
            editions,
            documents,
            sources: &outcome.sources.documents,
            numbers: all.into_iter().zip(0..).collect(),
        }
    }

    /// Returns the names of the editions, by their numbers.
    pub(super) fn names(&self) -> Vec<String> {
        let name =
            |all: &'p [String], number: u16| Some(&*all[usize::from(number).checked_sub(1)?]);
        let names = self.numbers.keys().map(|[language, version]| {
            let names = [
                name(&self.editions.languages, *language),
                name(&self.editions.versions, *version),
            ];
            names.into_iter().flatten().collect::<Vec<&str>>().join("/")
        });
        names.collect()
    }

    /// Returns the edition of a page, if it has one, and the path that it has in each. Records have none.
    pub(super) fn page(&self, id: DocId) -> (Option<usize>, String) {
        let document = &self.documents[id.index()];
        let edition = pair(document.edition);
        let number = Some(self.numbers[&edition]).filter(|_| edition != [0; 2]);
        let path = match self.sources[id.index()].is_record() {
            true => document.name.clone(),
            false => self.path(&document.name),
        };
        (number, path)
    }

    /// Returns the path that a page has in each edition.
    pub(super) fn path(&self, name: &str) -> String {
        self.editions.page(name)
    }
}

fn pair(edition: Edition) -> [u16; 2] {
    [edition.language, edition.version]
}

impl Worklist<'_> {
    /// Merges entries about the same pages in several editions into the first one, which then names these editions, and so it
    /// is with the same page in one entry. A page that is a copy is never merged with one that is none. Sums of other pairs than
    /// those of families, and entries with pairs that make the run fail, stay as they are.
    pub(super) fn merge(&mut self, folders: &Folders<'_>) {
        type Pages = BTreeSet<(String, bool)>;
        let mut known: HashMap<(Option<Kind>, Pages), usize> = HashMap::new();
        let mut merged: Vec<(Entry, BTreeSet<usize>)> = Vec::new();
        for mut entry in std::mem::take(&mut self.entries) {
            let mut pairs = entry.members.iter().map(|member| self.pair(member));
            let may_be = (entry.kind == Kind::Family || !entry.kind.is_sum())
                && !pairs.any(|pair| self.report.failing.have(pair.relation()));
            let is_copy = |member: &Member| self.pair(member).relation() == Relation::Exact;
            let mut own = BTreeSet::new();
            // The edition of each page, by its path and whether it is a copy of another one.
            let mut pages: BTreeMap<(String, bool), Option<usize>> = BTreeMap::new();
            if may_be {
                let (edition, path) = folders.page(entry.first);
                own.extend(edition);
                pages.insert((path, entry.members.iter().any(is_copy)), edition);
                entry.members.retain(|member| {
                    let (edition, path) = folders.page(member.document);
                    let known = pages.entry((path, is_copy(member))).or_default();
                    let is_new = known.is_none() || edition.is_none() || *known == edition;
                    match is_new {
                        true => own.extend(edition),
                        false => entry.also.extend(edition),
                    }
                    *known = known.or(edition);
                    is_new
                });
                entry.also.retain(|edition| !own.contains(edition));
            }
            let pages: Pages = pages.into_keys().collect();
            let key = (Some(entry.kind).filter(|kind| kind.is_sum()), pages);
            if let Some(&at) = known.get(&key) {
                let (first, of_first) = &mut merged[at];
                first.pairs += entry.pairs;
                first.gain += entry.gain;
                first
                    .also
                    .extend(own.union(&entry.also).filter(|it| !of_first.contains(it)));
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
