//! Finds out which document of a run is which document of a baseline, one to one.
//!
//! A document of the baseline that is matched is taken: a further copy of its text is not matched, and so its
//! pairs are new. The surest matches come first:
//!
//! 1. the same name and text;
//! 2. the same text, first of files that are called the same in other folders: renamed;
//! 3. the same name: edited.
//!
//! Among equals the order of names decides. After the first step, documents of the baseline are set aside that
//! are not part of the run but still there (if only some folders are read): a copy of one of them is not a
//! renamed document.
//!
//! Cost: sorting n + m documents a few times.

use std::collections::HashSet;

use crate::gate::baseline::content::DocumentIdentity;

/// A document of the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KnownDocument {
    pub(super) name: String,
    /// The hashes of its texts. A merge of two branches may leave several.
    pub(super) texts: Vec<u64>,
}

/// The fate of a document of the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is the document of the run with this id.
    Met(u32),
    /// It is not part of the run, but still there.
    Elsewhere,
    /// It is gone.
    Gone,
}

/// Returns the fate of each document of a baseline. `known` are its documents by name, `current` those of the run in
/// any order. `is_elsewhere` returns whether a name is not part of the run but still there.
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
        |known, text| (known.name.as_str(), text),
        |document| (document.name.as_str(), document.text),
    );
    matching.set_aside(is_elsewhere);
    matching.match_equal(
        |known, text| (text, file_name(&known.name)),
        |document| (document.text, file_name(&document.name)),
    );
    matching.match_equal(|_, text| text, |document| document.text);
    matching.match_equal(
        |known, _| known.name.as_str(),
        |document| document.name.as_str(),
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

    /// Matches documents with the same key in the order of their names. `known_key` makes a key of a document of the
    /// baseline and one of its texts.
    fn match_equal<K: Ord>(
        &mut self,
        known_key: impl Fn(&'m KnownDocument, u64) -> K,
        key: impl Fn(&'m DocumentIdentity) -> K,
    ) {
        let mut known: Vec<(K, u32)> = Vec::new();
        for (at, document) in self.free_known() {
            let texts = document.texts.iter();
            known.extend(texts.map(|&text| (known_key(document, text), at)));
        }
        let current = self.free_current();
        let mut current: Vec<(K, u32)> = current.map(|(id, it)| (key(it), id)).collect();
        // Both lists are in the order of names, and stay so among equals.
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
                self.fates[known as usize] = Fate::Met(current);
                self.is_free[current as usize] = false;
            }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads documents: `name:text`.
    fn documents(words: &str) -> Vec<DocumentIdentity> {
        let document = |word: &str| {
            let (name, text) = word.split_once(':').expect(word);
            DocumentIdentity {
                name: name.into(),
                text: text.parse().unwrap(),
            }
        };
        words.split_whitespace().map(document).collect()
    }

    /// Returns the fates of the documents of a baseline: their present names, `+` for elsewhere, `-` for gone.
    fn names(known: &str, current: &[DocumentIdentity], elsewhere: &str) -> String {
        let known = documents(known).into_iter().map(|document| KnownDocument {
            name: document.name,
            texts: vec![document.text],
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
            ("as it was", "a:1", "a:1", "", "a"),
            ("gone", "a:1", "b:2", "", "-"),
            ("renamed", "a:1", "b:1", "", "b"),
            ("moved", "x/i:1 y/k:1", "a/k:1 b/i:1", "", "b/i a/k"),
            ("edited", "a:1", "a:2 b:3", "", "a"),
            ("renamed, and written anew", "a:1", "a:2 b:1", "", "b"),
            ("swapped", "a:1 b:2", "a:2 b:1", "", "b a"),
            ("swapped and edited", "a:1 b:2", "a:2 b:3", "", "- a"),
            ("copied", "a:1 b:1", "a:1 b:1 c:1", "", "a b"),
            ("renamed, and copied", "a:1 b:1", "b:1 c:1 d:1", "", "c b"),
            ("renamed and edited", "a:1", "b:2", "", "-"),
            ("not read", "a:1", "b:1", "a", "+"),
            ("read", "a:1", "a:2 b:1", "a", "b"),
        ] {
            let mut current = documents(current);
            assert_eq!(names(known, &current, elsewhere), expected, "{what}");
            // The documents of a run may come in any order.
            current.reverse();
            let found = names(known, &current, elsewhere);
            assert_eq!(found, expected, "{what}, turned");
        }
    }

    #[test]
    fn a_document_may_have_had_several_texts() {
        let known = [KnownDocument {
            name: "a".into(),
            texts: vec![1, 2],
        }];
        for text in [1, 2] {
            let side = |name: &str| DocumentIdentity {
                name: name.into(),
                text,
            };
            let found = fates(&known, &[side("b"), side("c")], |_| false);
            assert_eq!(found, [Fate::Met(0)]);
        }
    }
}
