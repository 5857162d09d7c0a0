//! Finds out which document of a run is which document of a baseline, one to one.
//!
//! A document of the baseline that is matched is taken: a further copy of its text is not matched, and so its
//! pairs are new. The surest matches come first:
//!
//! 1. the same name and text;
//! 2. the same name and a text that may have been edited, unless the text is that of another document of
//!    the baseline, which then has changed its name;
//! 3. the same text, first of files that are called the same in other folders: renamed;
//! 4. fingerprints that differ in up to 3 bits, the nearest first: renamed and edited;
//! 5. the same name: written anew.
//!
//! Among equals the order of names decides. After the second step, documents of the baseline are set aside that
//! are not part of the run but still there (if only some folders are read): a copy of one of them is not a
//! renamed document.
//!
//! Cost: sorting n + m documents a few times, and the Hamming join of those that are left after step 3.

use std::collections::{HashMap, HashSet};

use crate::gate::baseline::accepted_pair::DocumentIdentity;
use dupfind_engine::join::hamming::Collapsed;

/// Fingerprints that differ in this many bits or more are of different texts. Those of unrelated texts differ in
/// 32 bits on average, and one in 700 in 20 or fewer.
const ANOTHER_TEXT: u32 = 21;

/// In how many bits the fingerprints of a document before and after an edit differ at most.
const EDITED: u32 = 3;

/// A document of the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KnownDocument {
    pub(super) name: String,
    /// The hashes and fingerprints of its texts. A merge of two branches may leave several.
    pub(super) texts: Vec<(u64, Option<u64>)>,
}

impl KnownDocument {
    fn hashes(&self) -> impl Iterator<Item = u64> {
        self.texts.iter().map(|&(hash, _)| hash)
    }

    fn fingerprints(&self) -> impl Iterator<Item = u64> {
        self.texts
            .iter()
            .filter_map(|&(_, fingerprint)| fingerprint)
    }

    /// Whether a text may have come from one that the document had.
    fn may_have_become(&self, document: &DocumentIdentity) -> bool {
        self.texts.iter().any(|(_, fingerprint)| {
            let both = fingerprint.zip(document.fingerprint);
            both.is_none_or(|(was, is)| (was ^ is).count_ones() < ANOTHER_TEXT)
        })
    }
}

/// What has become of a document of the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is the document of the run with this id.
    Met(u32),
    /// It is not part of the run, but still there.
    Elsewhere,
    /// It is gone.
    Gone,
}

/// Returns what has become of each document of a baseline. `known` are its documents by name, `current` those of
/// the run in any order. `is_elsewhere` returns whether a name is not part of the run but still there.
pub(super) fn fates(
    known: &[KnownDocument],
    current: &[DocumentIdentity],
    is_elsewhere: impl Fn(&str) -> bool,
) -> Vec<Fate> {
    let count = u32::try_from(current.len()).expect("ids are 32 bits wide");
    let mut by_name: Vec<u32> = (0..count).collect();
    by_name.sort_by(|&x, &y| current[x as usize].cmp(&current[y as usize]));
    let mut matching = Matching {
        known,
        current,
        by_name,
        fates: vec![Fate::Gone; known.len()],
        is_free: vec![true; current.len()],
    };
    matching.match_equal(
        |known| known.hashes().map(|hash| (known.name.as_str(), hash)),
        |document| Some((document.name.as_str(), document.text)),
    );
    matching.match_edited();
    matching.set_aside(is_elsewhere);
    matching.match_equal(
        |known| known.hashes().map(|hash| (hash, file_name(&known.name))),
        |document| Some((document.text, file_name(&document.name))),
    );
    matching.match_equal(KnownDocument::hashes, |document| Some(document.text));
    matching.match_equal(KnownDocument::fingerprints, |document| document.fingerprint);
    matching.match_similar();
    matching.match_equal(
        |known| [known.name.as_str()],
        |document| Some(document.name.as_str()),
    );
    matching.fates
}

/// Returns the part of a name after the last folder.
fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

struct Matching<'m> {
    known: &'m [KnownDocument],
    current: &'m [DocumentIdentity],
    /// Positions in `current`, by name.
    by_name: Vec<u32>,
    fates: Vec<Fate>,
    /// Which of `current` are not matched yet.
    is_free: Vec<bool>,
}

impl<'m> Matching<'m> {
    /// Returns the documents of the baseline that are not matched yet, by name.
    fn free_known(&self) -> impl Iterator<Item = (u32, &'m KnownDocument)> {
        let free = (0..).zip(self.known).zip(&self.fates);
        free.filter(|(_, fate)| **fate == Fate::Gone)
            .map(|(known, _)| known)
    }

    /// Returns the documents of the run that are not matched yet, by name.
    fn free_current(&self) -> impl Iterator<Item = (u32, &'m DocumentIdentity)> {
        let free = self.by_name.iter().copied();
        free.filter(|&id| self.is_free[id as usize])
            .map(|id| (id, &self.current[id as usize]))
    }

    /// Matches two documents, if neither is taken.
    fn take(&mut self, known: u32, current: u32) {
        let fate = &mut self.fates[known as usize];
        let is_free = &mut self.is_free[current as usize];
        if *fate == Fate::Gone && *is_free {
            *fate = Fate::Met(current);
            *is_free = false;
        }
    }

    /// Matches documents with the same key in the order of their names.
    fn match_equal<K: Ord, I: IntoIterator<Item = K>>(
        &mut self,
        known_keys: impl Fn(&'m KnownDocument) -> I,
        key: impl Fn(&'m DocumentIdentity) -> Option<K>,
    ) {
        let mut known: Vec<(K, u32)> = Vec::new();
        for (at, document) in self.free_known() {
            known.extend(known_keys(document).into_iter().map(|key| (key, at)));
        }
        if known.is_empty() {
            return;
        }
        let current = self
            .free_current()
            .filter_map(|(id, document)| Some((key(document)?, id)))
            .collect();
        self.match_lists(known, current);
    }

    /// Matches documents with the same key. Both lists are in the order of names, and stay so among equals.
    fn match_lists<K: Ord>(&mut self, mut known: Vec<(K, u32)>, mut current: Vec<(K, u32)>) {
        for list in [&mut known, &mut current] {
            list.sort_by(|x, y| x.0.cmp(&y.0));
        }
        let mut rest = current.into_iter().peekable();
        for (key, known) in known {
            if self.fates[known as usize] != Fate::Gone {
                continue;
            }
            while rest.next_if(|(other, _)| *other < key).is_some() {}
            if let Some((_, current)) = rest.next_if(|(other, _)| *other == key) {
                self.take(known, current);
            }
        }
    }

    /// Matches documents with the same name whose text may have been edited.
    fn match_edited(&mut self) {
        let texts: HashSet<u64> = self
            .free_known()
            .flat_map(|(_, known)| known.hashes())
            .collect();
        let by_name: HashMap<&str, (u32, &KnownDocument)> = self
            .free_known()
            .map(|(at, known)| (known.name.as_str(), (at, known)))
            .collect();
        let mut edited = Vec::new();
        for (id, document) in self.free_current() {
            if let Some((at, known)) = by_name.get(document.name.as_str())
                && !texts.contains(&document.text)
                && known.may_have_become(document)
            {
                edited.push((*at, id));
            }
        }
        for (known, current) in edited {
            self.take(known, current);
        }
    }

    /// Sets aside documents that are not part of the run but still there.
    fn set_aside(&mut self, is_elsewhere: impl Fn(&str) -> bool) {
        let names = self.current.iter().map(|document| document.name.as_str());
        let names: HashSet<&str> = names.collect();
        for (known, fate) in self.known.iter().zip(&mut self.fates) {
            let name = known.name.as_str();
            if *fate == Fate::Gone && !names.contains(name) && is_elsewhere(name) {
                *fate = Fate::Elsewhere;
            }
        }
    }

    /// Matches documents whose fingerprints differ in a few bits, the nearest first.
    fn match_similar(&mut self) {
        let known: Vec<(u64, u32)> = self
            .free_known()
            .flat_map(|(at, known)| known.fingerprints().map(move |code| (code, at)))
            .collect();
        if known.is_empty() {
            return;
        }
        let current = self.free_current();
        let current = current.filter_map(|(id, document)| Some((document.fingerprint?, id)));
        let current: Vec<(u64, u32)> = current.collect();
        for_similar(&known, &current, |olds, mut news| {
            news.retain(|&id| self.is_free[id as usize]);
            let mut news = news.into_iter();
            for old in olds {
                if self.fates[old as usize] == Fate::Gone
                    && let Some(new) = news.next()
                {
                    self.take(old, new);
                }
            }
        });
    }
}

/// Calls `found` with all documents of the baseline that have one fingerprint, and all of the run that have another
/// one, for fingerprints that differ in a few bits, the nearest first. Documents come by name, `known` and
/// `current` each with their fingerprints.
fn for_similar(
    known: &[(u64, u32)],
    current: &[(u64, u32)],
    mut found: impl FnMut(Vec<u32>, Vec<u32>),
) {
    let both = || known.iter().chain(current);
    let codes: Vec<u64> = both().map(|(code, _)| *code).collect();
    let ids: Vec<u32> = both().map(|(_, id)| *id).collect();
    let collapsed = Collapsed::new(&codes);
    let code = |group: u32| codes[collapsed.groups.members(group)[0] as usize];
    // The positions of the known and of the current documents with one fingerprint.
    let split = |group: u32| {
        let members = collapsed.groups.members(group);
        members.split_at(members.partition_point(|&at| (at as usize) < known.len()))
    };
    let mut near = Vec::new();
    for (x, y) in collapsed.near(EDITED) {
        let distance = (code(x) ^ code(y)).count_ones();
        for (x, y) in [(x, y), (y, x)] {
            let (olds, news) = (split(x).0, split(y).1);
            if let (Some(first), Some(second)) = (olds.first(), news.first()) {
                near.push((distance, *first, *second, olds, news));
            }
        }
    }
    near.sort_unstable();
    let documents = |at: &[u32]| at.iter().map(|&at| ids[at as usize]).collect();
    for (.., olds, news) in near {
        found(documents(olds), documents(news));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads documents: `name:text:fingerprint`, the last in hexadecimal digits.
    fn documents(words: &str) -> Vec<DocumentIdentity> {
        let document = |word: &str| {
            let [name, text, fingerprint] = word.split(':').collect::<Vec<_>>()[..] else {
                panic!("{word}");
            };
            DocumentIdentity {
                name: name.into(),
                text: text.parse().unwrap(),
                fingerprint: Some(u64::from_str_radix(fingerprint, 16).unwrap()),
            }
        };
        words.split_whitespace().map(document).collect()
    }

    /// Returns what became of the documents of a baseline: their names now, `+` for elsewhere, `-` for gone.
    fn names(known: &str, current: &[DocumentIdentity], elsewhere: &str) -> String {
        let known = documents(known).into_iter().map(|document| KnownDocument {
            name: document.name,
            texts: vec![(document.text, document.fingerprint)],
        });
        let known: Vec<KnownDocument> = known.collect();
        let fates = fates(&known, current, |name| name == elsewhere);
        let name = |fate| match fate {
            Fate::Met(id) => current[id as usize].name.as_str(),
            Fate::Elsewhere => "+",
            Fate::Gone => "-",
        };
        fates.into_iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn table_of_cases() {
        for (what, known, current, elsewhere, expected) in [
            ("as it was", "a:1:0", "a:1:0", "", "a"),
            ("gone", "a:1:0", "b:2:ffffffff", "", "-"),
            ("renamed", "a:1:0", "b:1:0", "", "b"),
            ("moved", "x/i:1:0 y/k:1:0", "a/k:1:0 b/i:1:0", "", "b/i a/k"),
            ("edited", "a:1:0", "a:2:fffff b:1:0", "", "a"),
            ("replaced", "a:1:0", "a:2:ffffffff b:1:0", "", "b"),
            ("written anew", "a:1:0", "a:2:ffffffff b:3:f", "", "a"),
            ("swapped", "a:1:0 b:2:1", "a:2:1 b:1:0", "", "b a"),
            ("copied", "a:1:0 b:1:0", "a:1:0 b:1:0 c:1:0", "", "a b"),
            (
                "renamed, and copied",
                "a:1:0 b:1:0",
                "b:1:0 c:1:0 d:1:0",
                "",
                "c b",
            ),
            ("renamed and edited", "a:1:0", "b:2:7 c:3:3", "", "c"),
            ("edited too much", "a:1:0", "b:2:f", "", "-"),
            ("nearest first", "a:1:0 b:2:1", "x:3:3 y:4:7", "", "y x"),
            ("same fingerprint", "a:1:7", "x:2:6 y:3:7", "", "y"),
            ("not read", "a:1:0", "b:1:0", "a", "+"),
            ("read", "a:1:0", "a:2:ffffffff b:1:0", "a", "b"),
        ] {
            let mut current = documents(current);
            assert_eq!(names(known, &current, elsewhere), expected, "{what}");
            // The documents of a run may come in any order.
            current.reverse();
            assert_eq!(
                names(known, &current, elsewhere),
                expected,
                "{what}, turned"
            );
        }
    }

    #[test]
    fn a_document_may_have_had_several_texts() {
        let known = [KnownDocument {
            name: "a".into(),
            texts: vec![(1, Some(0)), (2, Some(1))],
        }];
        for text in [1, 2] {
            let side = |name: &str| DocumentIdentity {
                name: name.into(),
                text,
                fingerprint: None,
            };
            let found = fates(&known, &[side("b"), side("c")], |_| false);
            assert_eq!(found, [Fate::Met(0)]);
        }
    }
}
