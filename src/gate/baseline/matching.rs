//! Which document of a run is which document of a baseline, one to one.
//!
//! A document of the baseline that has found its own is taken: a further copy of its text finds nothing,
//! and so its pairs are new. What is surest comes first:
//!
//! 1. the same name and text;
//! 2. the same name and a text that may have been edited, unless the text is that of another document of
//!    the baseline, which then has changed its name;
//! 3. the same text, first of files that are called the same in other folders: renamed;
//! 4. fingerprints that differ in up to 3 bits, the nearest first: renamed and edited;
//! 5. the same name: written anew.
//!
//! Among equals the order of names decides. Documents of the baseline that are no part of the run but
//! still there (a run of some folders only) are set aside after the second step: a copy of one of those
//! is no renaming.
//!
//! Cost: sorting n + m documents a few times, and the Hamming join of those that are left after step 3.

use std::collections::HashSet;

use crate::gate::baseline::entry::Side;
use crate::join::hamming::Collapsed;

/// From how many bits on two fingerprints are of different texts. Those of unrelated texts differ in 32 bits
/// on average, and one in 700 in 20 or fewer.
const ANOTHER_TEXT: u32 = 21;

/// In how many bits the fingerprints of a document before and after an edit differ at most.
const EDITED: u32 = 3;

/// A document of the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) name: String,
    /// The texts it had. A merge of two branches may leave several.
    pub(super) texts: Vec<(u64, Option<u64>)>,
}

/// What has become of a document of the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is this one of the run.
    Met(u32),
    /// It is no part of the run, but still there.
    Elsewhere,
    /// It is gone.
    Gone,
}

/// Takes the documents of a baseline by name, those of a run in any order, and whether one of the
/// baseline by its name is no part of the run but still there. Returns what has become of each of the
/// baseline.
pub(super) fn fates(
    known: &[Known],
    current: &[Side],
    is_elsewhere: impl Fn(&str) -> bool,
) -> Vec<Fate> {
    let count = |length: usize| u32::try_from(length).expect("ids are 32 bits wide");
    let mut by_name: Vec<u32> = (0..count(current.len())).collect();
    by_name.sort_by(|&x, &y| current[x as usize].cmp(&current[y as usize]));
    let mut matching = Matching {
        known,
        current,
        by_name,
        fates: vec![Fate::Gone; known.len()],
        is_free: vec![true; current.len()],
    };
    matching.pair_up(
        |known| known.texts.iter().map(|text| (known.name.as_str(), text.0)),
        |side| Some((side.name.as_str(), side.text)),
    );
    matching.edited();
    matching.set_aside(is_elsewhere);
    matching.pair_up(
        |known| {
            let file = file_name(&known.name);
            known.texts.iter().map(move |text| (text.0, file))
        },
        |side| Some((side.text, file_name(&side.name))),
    );
    matching.pair_up(
        |known| known.texts.iter().map(|text| text.0),
        |side| Some(side.text),
    );
    matching.pair_up(
        |known| known.texts.iter().filter_map(|text| text.1),
        |side| side.fingerprint,
    );
    matching.near();
    matching.pair_up(
        |known| [known.name.as_str()],
        |side| Some(side.name.as_str()),
    );
    matching.fates
}

/// The part of a name behind the last folder.
fn file_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

struct Matching<'m> {
    known: &'m [Known],
    current: &'m [Side],
    /// Positions of `current`, by name.
    by_name: Vec<u32>,
    fates: Vec<Fate>,
    /// Which of `current` have found none yet.
    is_free: Vec<bool>,
}

impl<'m> Matching<'m> {
    /// The documents of the baseline that are not matched yet, by name.
    fn free_known(&self) -> impl Iterator<Item = (u32, &'m Known)> {
        let free = (0..).zip(self.known).zip(&self.fates);
        free.filter(|(_, fate)| **fate == Fate::Gone)
            .map(|(known, _)| known)
    }

    /// Those of the run, by name.
    fn free_current(&self) -> impl Iterator<Item = (u32, &'m Side)> {
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
    fn pair_up<K: Ord, I: IntoIterator<Item = K>>(
        &mut self,
        known_keys: impl Fn(&'m Known) -> I,
        key: impl Fn(&'m Side) -> Option<K>,
    ) {
        let mut known: Vec<(K, u32)> = Vec::new();
        for (at, document) in self.free_known() {
            known.extend(known_keys(document).into_iter().map(|key| (key, at)));
        }
        if known.is_empty() {
            return;
        }
        let mut current: Vec<(K, u32)> = self
            .free_current()
            .filter_map(|(id, side)| Some((key(side)?, id)))
            .collect();
        // Both lists are by name, and stay so among equals.
        known.sort_by(|x, y| x.0.cmp(&y.0));
        current.sort_by(|x, y| x.0.cmp(&y.0));
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

    /// The second step.
    fn edited(&mut self) {
        let texts: HashSet<u64> = self
            .free_known()
            .flat_map(|(_, known)| known.texts.iter().map(|text| text.0))
            .collect();
        let by_name: std::collections::HashMap<&str, u32> = self
            .free_known()
            .map(|(at, known)| (known.name.as_str(), at))
            .collect();
        let mut edited = Vec::new();
        for (id, side) in self.free_current() {
            if let Some(&known) = by_name.get(side.name.as_str())
                && !texts.contains(&side.text)
                && may_be_edited(&self.known[known as usize], side)
            {
                edited.push((known, id));
            }
        }
        for (known, current) in edited {
            self.take(known, current);
        }
    }

    /// Sets aside what is no part of the run but still there.
    fn set_aside(&mut self, is_elsewhere: impl Fn(&str) -> bool) {
        let names: HashSet<&str> = self.current.iter().map(|side| side.name.as_str()).collect();
        for (known, fate) in self.known.iter().zip(&mut self.fates) {
            let name = known.name.as_str();
            if *fate == Fate::Gone && !names.contains(name) && is_elsewhere(name) {
                *fate = Fate::Elsewhere;
            }
        }
    }

    /// Matches documents with different fingerprints that are near, the nearest first.
    fn near(&mut self) {
        let mut known: Vec<(u64, u32)> = Vec::new();
        for (at, document) in self.free_known() {
            let fingerprints = document.texts.iter().filter_map(|text| text.1);
            known.extend(fingerprints.map(|fingerprint| (fingerprint, at)));
        }
        if known.is_empty() {
            return;
        }
        let current: Vec<(u64, u32)> = self
            .free_current()
            .filter_map(|(id, side)| Some((side.fingerprint?, id)))
            .collect();
        let codes: Vec<u64> = known
            .iter()
            .chain(&current)
            .map(|(code, _)| *code)
            .collect();
        let collapsed = Collapsed::new(&codes);
        let code = |group: u32| codes[collapsed.groups.members(group)[0] as usize];
        // Positions of the two sides in a group, by name.
        let sides = |group: u32| {
            let members = collapsed.groups.members(group);
            members.split_at(members.partition_point(|&at| (at as usize) < known.len()))
        };
        let mut near = Vec::new();
        for (x, y) in collapsed.near(EDITED) {
            let distance = (code(x) ^ code(y)).count_ones();
            for (x, y) in [(x, y), (y, x)] {
                if let (Some(first), Some(second)) = (sides(x).0.first(), sides(y).1.first()) {
                    near.push((distance, *first, *second, x, y));
                }
            }
        }
        near.sort_unstable();
        for (.., x, y) in near {
            let (olds, news) = (sides(x).0, sides(y).1);
            let free_news = news.iter().map(|&at| current[at as usize - known.len()].1);
            let mut free_news = free_news.filter(|&id| self.is_free[id as usize]);
            let mut found = Vec::new();
            for &old in olds {
                let old = known[old as usize].1;
                if self.fates[old as usize] == Fate::Gone
                    && let Some(new) = free_news.next()
                {
                    found.push((old, new));
                }
            }
            for (old, new) in found {
                self.take(old, new);
            }
        }
    }
}

/// Whether a text may have come from one that a document of the baseline had.
fn may_be_edited(known: &Known, side: &Side) -> bool {
    known.texts.iter().any(|(_, fingerprint)| {
        let both = fingerprint.zip(side.fingerprint);
        both.is_none_or(|(was, is)| (was ^ is).count_ones() < ANOTHER_TEXT)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document of a name, a text, and a fingerprint.
    type Doc = (&'static str, u64, u64);

    /// What became of the documents of a baseline: their names now, `+` for elsewhere, `-` for gone.
    fn names(known: &[Doc], current: &[Doc], elsewhere: &[&str]) -> Vec<&'static str> {
        let known: Vec<Known> = known
            .iter()
            .map(|&(name, text, fingerprint)| Known {
                name: name.into(),
                texts: vec![(text, Some(fingerprint))],
            })
            .collect();
        let sides: Vec<Side> = current
            .iter()
            .map(|&(name, text, fingerprint)| Side {
                name: name.into(),
                text,
                fingerprint: Some(fingerprint),
            })
            .collect();
        let fates = fates(&known, &sides, |name| elsewhere.contains(&name));
        let name = |fate| match fate {
            Fate::Met(id) => current[id as usize].0,
            Fate::Elsewhere => "+",
            Fate::Gone => "-",
        };
        fates.into_iter().map(name).collect()
    }

    #[test]
    fn table_of_cases() {
        const FAR: u64 = 0xffff_ffff;
        for (what, known, current, elsewhere, expected) in [
            (
                "as it was",
                &[("a", 1, 0)][..],
                &[("a", 1, 0)][..],
                &[][..],
                &["a"][..],
            ),
            ("gone", &[("a", 1, 0)], &[("b", 2, FAR)], &[], &["-"]),
            ("renamed", &[("a", 1, 0)], &[("b", 1, 0)], &[], &["b"]),
            (
                "moved",
                &[("x/i", 1, 0), ("y/k", 1, 0)],
                &[("a/k", 1, 0), ("b/i", 1, 0)],
                &[],
                &["b/i", "a/k"],
            ),
            (
                "edited",
                &[("a", 1, 0)],
                &[("a", 2, 0xfffff), ("b", 1, 0)],
                &[],
                &["a"],
            ),
            (
                "another in its place",
                &[("a", 1, 0)],
                &[("a", 2, FAR), ("b", 1, 0)],
                &[],
                &["b"],
            ),
            (
                "written anew",
                &[("a", 1, 0)],
                &[("a", 2, FAR), ("b", 3, 0xf)],
                &[],
                &["a"],
            ),
            (
                "swapped",
                &[("a", 1, 0), ("b", 2, 1)],
                &[("a", 2, 1), ("b", 1, 0)],
                &[],
                &["b", "a"],
            ),
            (
                "one copy more",
                &[("a", 1, 0), ("b", 1, 0)],
                &[("a", 1, 0), ("b", 1, 0), ("c", 1, 0)],
                &[],
                &["a", "b"],
            ),
            (
                "renamed, and copied",
                &[("a", 1, 0), ("b", 1, 0)],
                &[("b", 1, 0), ("c", 1, 0), ("d", 1, 0)],
                &[],
                &["c", "b"],
            ),
            (
                "renamed and edited",
                &[("a", 1, 0)],
                &[("b", 2, 0b111), ("c", 3, 0b11)],
                &[],
                &["c"],
            ),
            (
                "edited too much",
                &[("a", 1, 0)],
                &[("b", 2, 0b1111)],
                &[],
                &["-"],
            ),
            (
                "nearest first",
                &[("a", 1, 0), ("b", 2, 0b1)],
                &[("x", 3, 0b11), ("y", 4, 0b111)],
                &[],
                &["y", "x"],
            ),
            (
                "same fingerprint",
                &[("a", 1, 7)],
                &[("x", 2, 6), ("y", 3, 7)],
                &[],
                &["y"],
            ),
            ("not read", &[("a", 1, 0)], &[("b", 1, 0)], &["a"], &["+"]),
            (
                "read",
                &[("a", 1, 0)],
                &[("a", 2, FAR), ("b", 1, 0)],
                &["a"],
                &["b"],
            ),
        ] {
            assert_eq!(names(known, current, elsewhere), expected, "{what}");
            // The documents of a run may come in any order.
            let mut turned = current.to_vec();
            turned.reverse();
            assert_eq!(names(known, &turned, elsewhere), expected, "{what}, turned");
        }
    }

    #[test]
    fn a_document_may_have_had_several_texts() {
        let known = [Known {
            name: "a".into(),
            texts: vec![(1, Some(0)), (2, Some(1))],
        }];
        for text in [1, 2] {
            let side = |name: &str| Side {
                name: name.into(),
                text,
                fingerprint: None,
            };
            let found = fates(&known, &[side("b"), side("c")], |_| false);
            assert_eq!(found, [Fate::Met(0)]);
        }
    }
}
