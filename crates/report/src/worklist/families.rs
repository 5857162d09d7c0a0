//! Entries that sum pairs up: families of pages, and the files of a folder that nobody mends by hand.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::worklist::{Entry, Kind, Member, Worklist, titles};
use dupfind_engine::pairing::cluster::Forest;
use dupfind_engine::verdict::Titles;
use dupfind_engine::{DocId, Document, Pair, Relation};

/// A family has at least so many pages that are alike.
const LEAST_PAGES: usize = 5;

/// Two pages are siblings if at least so many other pages are like both, each about something else.
const LEAST_SIBLINGS: usize = 2;

/// For each page the pages of its folder that are like it and about something else, ascending.
pub(super) type Siblings = HashMap<DocId, Vec<DocId>>;

impl<'r> Worklist<'r> {
    /// Finds the siblings, and the folders that are families: half of the pages below such a folder are like another page in it,
    /// which is about something else, and no two are duplicates but for copies.
    pub(super) fn find_families(&mut self) {
        let documents = self.documents();
        let mut alike: HashMap<&str, HashSet<DocId>> = HashMap::new();
        for pair in self.pairs() {
            let is_one = matches!(pair.relation(), Relation::Variant | Relation::Template)
                && !self.report.outcome.sources.of(pair.a).is_record()
                && !pair.is_apart(documents);
            if let Some(folder) = self.folder_of(pair).filter(|_| is_one) {
                alike.entry(folder).or_default().extend([pair.a, pair.b]);
                self.siblings.entry(pair.a).or_default().push(pair.b);
                self.siblings.entry(pair.b).or_default().push(pair.a);
            }
        }
        self.siblings
            .values_mut()
            .for_each(|all| all.sort_unstable());
        alike.retain(|_, pages| pages.len() >= LEAST_PAGES);
        for pair in self.pairs() {
            let is_other = matches!(pair.relation(), Relation::Near | Relation::Contains);
            if is_other && !self.are_siblings(pair) {
                self.folder_of(pair).map(|folder| alike.remove(folder));
            }
        }
        let mut below: HashMap<&str, usize> = HashMap::new();
        for document in documents.iter().filter(|_| !alike.is_empty()) {
            for (at, _) in document.name.match_indices('/') {
                if let Some((&folder, _)) = alike.get_key_value(&document.name[..at]) {
                    *below.entry(folder).or_default() += 1;
                }
            }
        }
        let families = alike.into_iter();
        let families = families.filter(|(folder, pages)| pages.len() * 2 >= below[folder]);
        self.families = families.map(|(folder, _)| folder).collect();
    }

    /// Returns the folder that both documents of a pair are in, not in folders below it.
    fn folder_of(&self, pair: &Pair) -> Option<&'r str> {
        let documents = self.documents();
        let [a, b] = [pair.a, pair.b].map(|id| documents[id.index()].name.rsplit_once('/'));
        Some(a?.0).filter(|folder| b.is_some_and(|(other, _)| other == *folder))
    }

    /// Returns whether the documents of two duplicates are about two subjects of one family: other pages are like both, or both
    /// are named as what they are about, as pages on functions and types are.
    fn are_siblings(&self, pair: &Pair) -> bool {
        let two = [pair.a, pair.b].map(|id| &self.documents()[id.index()]);
        let of = |id| self.siblings.get(&id).map_or(&[][..], Vec::as_slice);
        let are_in_common = || {
            let in_both = of(pair.a)
                .iter()
                .filter(|id| of(pair.b).binary_search(id).is_ok());
            in_both.take(LEAST_SIBLINGS).count() == LEAST_SIBLINGS
        };
        titles(two) == Titles::Differ
            && self.folder_of(pair).is_some()
            && (two.into_iter().all(is_named_as_its_title) || are_in_common())
    }

    /// Returns the folder of a family that an entry is about.
    pub(crate) fn family(&self, entry: &Entry) -> Option<&'r str> {
        self.family_of(self.pair(entry.members.first()?))
            .filter(|_| entry.kind == Kind::Family)
    }

    fn family_of(&self, pair: &Pair) -> Option<&'r str> {
        self.folder_of(pair)
            .filter(|folder| self.families.contains(folder))
    }

    /// Adds the families: one for each folder that is one, and the documents that are connected by the other pairs.
    pub(super) fn add_families(&mut self, pairs: &[usize]) {
        let (documents, all) = (self.documents(), self.pairs());
        let is_of_folder = |at: &&usize| self.family_of(&all[**at]).is_some();
        let (in_folders, pairs): (Vec<usize>, Vec<usize>) = pairs.iter().partition(is_of_folder);
        self.add_folders(Kind::Family, &in_folders);
        let index = |id: DocId| u32::try_from(id.index()).expect("ids have 32 bits");
        let mut forest = Forest::new(documents.len());
        // The most similar pairs come first.
        let mut best = vec![usize::MAX; documents.len()];
        let mut counts = vec![0_u64; documents.len()];
        for at in pairs {
            let pair = &all[at];
            forest.union(index(pair.a), index(pair.b));
            counts[pair.a.index()] += 1;
            for id in [pair.a, pair.b] {
                let best = &mut best[id.index()];
                *best = (*best).min(at);
            }
        }
        let lengths: Vec<usize> = documents.iter().map(|document| document.length).collect();
        for family in forest.clusters(&lengths) {
            let members = family.documents.iter().copied();
            let members = members.filter(|&id| id != family.representative);
            let members = members.map(|document| Member {
                document,
                pair: best[document.index()],
            });
            let pairs = family.documents.iter().map(|id| counts[id.index()]).sum();
            self.push_sum(
                Kind::Family,
                family.representative,
                members.collect(),
                pairs,
            );
        }
    }

    /// Returns the language of some pages that has the fewest, and is not English if there are as many of each: the others have
    /// the text from elsewhere.
    pub(super) fn language_without(&self, ids: impl Iterator<Item = DocId>) -> u16 {
        let languages = ids.map(|id| self.documents()[id.index()].edition.language);
        let key = |language: &u16| {
            let is_english = self.language(*language).starts_with("en");
            (self.in_language[language], is_english, *language)
        };
        languages.min_by_key(key).unwrap_or_default()
    }

    /// Returns the name of a language.
    pub(super) fn language(&self, number: u16) -> &'r str {
        let editions = self.report.outcome.sources.editions.as_deref();
        let name = editions.and_then(|all| all.languages.get(usize::from(number).checked_sub(1)?));
        name.map_or("", String::as_str)
    }

    /// Adds an entry of a kind for each folder with such pairs, or for each language that lacks them. A pair is one of the
    /// folder that both files are below.
    pub(super) fn add_folders(&mut self, kind: Kind, pairs: &[usize]) {
        /// How many pairs a folder has, and for each document the position of its most similar pair.
        type Folder = (u64, BTreeMap<DocId, usize>);
        let (documents, all) = (self.documents(), self.pairs());
        let mut folders: BTreeMap<(&str, u16), Folder> = BTreeMap::new();
        for &at in pairs {
            let ids = [all[at].a, all[at].b];
            let names = ids.map(|id| &*documents[id.index()].name);
            let key = match kind {
                Kind::Untranslated => ("", self.language_without(ids.into_iter())),
                _ => (common_folder(names.into_iter()).unwrap_or_default(), 0),
            };
            let (count, files) = folders.entry(key).or_default();
            *count += 1;
            for id in ids {
                files.entry(id).or_insert(at);
            }
        }
        for (count, files) in folders.into_values() {
            let Some(&best) = files.values().min() else {
                continue;
            };
            let first = self.longer_first(best)[0];
            let others = files.into_iter().filter(|(id, _)| *id != first);
            let others = others.map(|(document, pair)| Member { document, pair });
            self.push_sum(kind, first, others.collect(), count);
        }
    }

    /// Adds an entry that sums so many pairs up. That of a family gains what its members do.
    fn push_sum(&mut self, kind: Kind, first: DocId, mut members: Vec<Member>, pairs: u64) {
        // Those of the most similar pairs come first.
        members.sort_unstable_by_key(|member| (member.pair, member.document));
        let gain = match kind {
            Kind::Family => members.iter().map(|member| self.gain(member.pair)).sum(),
            _ => 0,
        };
        self.push(kind, first, members, gain);
        self.set_pairs(pairs);
    }
}

/// Returns whether the name of a file is its title, and a name of code: `Quoted.md` for `css.Quoted`. A Chinese title is written
/// without spaces, too.
fn is_named_as_its_title(document: &Document) -> bool {
    let title = document.title.shown().unwrap_or_default();
    let file = document.name.rsplit('/').next().unwrap_or_default();
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    name.is_ascii() && !name.contains(' ') && title.rsplit('.').next() == Some(name)
}

/// Returns the folder that all of some names are in, if there is one.
pub fn common_folder<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let folder = |name: &'n str| name.rfind('/').map_or("", |at| &name[..at]);
    let common = names.map(folder).reduce(|common, folder| {
        let mut common = common;
        let is_below = |common| {
            let rest: Option<&str> = folder.strip_prefix(common);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        while !(common.is_empty() || is_below(common)) {
            common = common.rfind('/').map_or("", |at| &common[..at]);
        }
        common
    });
    common.filter(|common| !common.is_empty())
}
