//! The shingles of an index, each with the documents that have it.

use std::collections::BTreeMap;

use dupfind_engine::features::bytes::{push_varint, value, varint};

/// All lists are made anew when more than one of so many differ.
const FEW: usize = 16;

/// Shingles, ascending, each with the documents that have it, which ascend too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Postings {
    shingles: Vec<u64>,
    /// Where the documents of each shingle end.
    ends: Vec<usize>,
    holders: Vec<u32>,
    /// Lists that count instead of those above, so that the change of one document makes few lists anew. They may be empty.
    changed: BTreeMap<u64, Vec<u32>>,
}

impl Postings {
    /// Returns how many shingles there are.
    pub(crate) fn shingles(&self) -> usize {
        self.shingles.len()
    }

    /// Ends the documents of the next shingle, if there are any.
    fn end(&mut self, shingle: u64) {
        if self.holders.len() > self.ends.last().copied().unwrap_or(0) {
            self.shingles.push(shingle);
            self.ends.push(self.holders.len());
        }
    }

    /// Returns the documents that have a shingle, ascending.
    pub(crate) fn holders(&self, shingle: u64) -> &[u32] {
        if let Some(changed) = self.changed.get(&shingle) {
            return changed;
        }
        let place = self.shingles.binary_search(&shingle);
        place.map_or(&[], |at| self.holders_at(at))
    }

    fn holders_at(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.holders[start..self.ends[at]]
    }

    /// Returns all shingles, ascending, each with the documents that have it.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (u64, &[u32])> {
        let numbered = self.shingles.iter().enumerate();
        let mut known = numbered
            .map(|(at, &shingle)| (shingle, self.holders_at(at)))
            .peekable();
        let changed = self.changed.iter();
        let mut changed = changed
            .map(|(&shingle, list)| (shingle, list.as_slice()))
            .peekable();
        let lists = std::iter::from_fn(move || {
            let Some(&(shingle, _)) = changed.peek() else {
                return known.next();
            };
            if let Some(before) = known.next_if(|list| list.0 < shingle) {
                return Some(before);
            }
            known.next_if(|list| list.0 == shingle);
            changed.next()
        });
        lists.filter(|(_, holders)| !holders.is_empty())
    }

    /// Returns the shingles that have other documents if some are gone and postings are added, which are sorted.
    pub(crate) fn touched(&self, is_gone: &[bool], added: &[(u64, u32)]) -> Vec<u64> {
        let mut touched: Vec<u64> = added.iter().map(|posting| posting.0).collect();
        if is_gone.contains(&true) {
            let is_held = |list: &[u32]| list.iter().any(|&at| is_gone[at as usize]);
            let changed = self.changed.iter().filter(|(_, list)| is_held(list));
            touched.extend(changed.map(|(&shingle, _)| shingle));
            let places = self.holders.iter().enumerate();
            let places = places.filter(|&(_, &at)| is_gone[at as usize]);
            let lists = places.map(|(place, _)| self.ends.partition_point(|&end| end <= place));
            touched.extend(lists.map(|list| self.shingles[list]));
            touched.sort_unstable();
        }
        touched.dedup();
        touched
    }

    /// Removes the documents that are gone, and adds postings, which are sorted. `touched` are the shingles that have other
    /// documents then.
    pub(crate) fn change(&mut self, is_gone: &[bool], added: &[(u64, u32)], touched: &[u64]) {
        if (self.changed.len() + touched.len()) * FEW > self.shingles.len() {
            *self = self.merged(is_gone, added);
            return;
        }
        let mut added = added.chunk_by(|one, next| one.0 == next.0).peekable();
        for &shingle in touched {
            let own = added.next_if(|list| list[0].0 == shingle);
            let mut list = Vec::new();
            push(&mut list, self.holders(shingle), is_gone, own);
            self.changed.insert(shingle, list);
        }
    }

    /// Returns these postings without the documents that are gone, and with postings that are added.
    fn merged(&self, is_gone: &[bool], added: &[(u64, u32)]) -> Self {
        let mut merged = Self {
            shingles: Vec::with_capacity(self.shingles.len()),
            ends: Vec::with_capacity(self.shingles.len()),
            holders: Vec::with_capacity(self.holders.len() + added.len()),
            changed: BTreeMap::new(),
        };
        let mut added = added.chunk_by(|one, next| one.0 == next.0).peekable();
        for (shingle, holders) in self.lists() {
            while let Some(own) = added.next_if(|list| list[0].0 < shingle) {
                push(&mut merged.holders, &[], is_gone, Some(own));
                merged.end(own[0].0);
            }
            let own = added.next_if(|list| list[0].0 == shingle);
            push(&mut merged.holders, holders, is_gone, own);
            merged.end(shingle);
        }
        for own in added {
            push(&mut merged.holders, &[], is_gone, Some(own));
            merged.end(own[0].0);
        }
        merged
    }

    /// Gives documents new numbers, in the same order.
    pub(crate) fn renumber(&mut self, numbers: &[u32]) {
        let changed = self.changed.values_mut().flatten();
        let holders = self.holders.iter_mut().chain(changed);
        holders.for_each(|holder| *holder = numbers[*holder as usize]);
    }

    /// Returns the shingles of each document, ascending. Those of documents that nobody asks for are left out.
    pub(crate) fn sets(&self, is_asked: &[bool]) -> Vec<Vec<u64>> {
        let mut sets = vec![Vec::new(); is_asked.len()];
        if !is_asked.contains(&true) {
            return sets;
        }
        for (shingle, holders) in self.lists() {
            for &holder in holders {
                if is_asked[holder as usize] {
                    sets[holder as usize].push(shingle);
                }
            }
        }
        sets
    }

    /// Appends the postings in the form that is kept on disk: the shingles, 8 bytes each; then for each one, if one document
    /// has it, twice its number and one; if more have it, twice their count, the first number, and for each other one the
    /// difference to the number before.
    pub(crate) fn append(&self, out: &mut Vec<u8>) {
        push_varint(out, self.lists().count() as u64);
        out.extend(self.lists().flat_map(|(shingle, _)| shingle.to_le_bytes()));
        for (_, holders) in self.lists() {
            if let [one] = holders {
                push_varint(out, u64::from(*one) << 1 | 1);
                continue;
            }
            push_varint(out, (holders.len() as u64) << 1);
            let mut before = 0;
            for &holder in holders {
                push_varint(out, (holder - before).into());
                before = holder;
            }
        }
    }

    /// Takes postings off the front, of documents that have so many shingles each; `None` if they are damaged.
    pub(crate) fn take(rest: &mut &[u8], mut sizes: Vec<u32>) -> Option<Self> {
        let mut taken = Self::default();
        let count = varint(rest)?;
        for _ in 0..count {
            taken.shingles.push(value(rest)?);
        }
        let mut push = |holders: &mut Vec<u32>, number: u64| {
            let size = sizes.get_mut(usize::try_from(number).ok()?)?;
            *size = size.checked_sub(1)?;
            holders.push(u32::try_from(number).ok()?);
            Some(())
        };
        for _ in 0..count {
            let first = varint(rest)?;
            if first & 1 == 1 {
                push(&mut taken.holders, first >> 1)?;
            } else {
                let mut number = 0_u64;
                for at in 0..first >> 1 {
                    let difference = varint(rest)?;
                    if at > 0 && difference == 0 {
                        return None;
                    }
                    number = number.checked_add(difference)?;
                    push(&mut taken.holders, number)?;
                }
            }
            taken.ends.push(taken.holders.len());
        }
        let ascends = taken.shingles.is_sorted_by(|one, next| one < next);
        (ascends && sizes.iter().all(|&left| left == 0)).then_some(taken)
    }
}

/// Appends the documents of a list that are not gone, and those of postings that are added, so that they ascend.
fn push(out: &mut Vec<u32>, list: &[u32], is_gone: &[bool], added: Option<&[(u64, u32)]>) {
    let start = out.len();
    out.extend(list.iter().filter(|&&at| !is_gone[at as usize]));
    if let Some(added) = added {
        out.extend(added.iter().map(|posting| posting.1));
        out[start..].sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_come_and_go() {
        let changed = |before: &Postings, is_gone: &[bool], added: &[(u64, u32)]| {
            let touched = before.touched(is_gone, added);
            let mut changed = before.clone();
            changed.change(is_gone, added, &touched);
            (changed, touched)
        };
        let added = [(3, 0), (3, 1), (5, 0), (9, 1)];
        let (first, touched) = changed(&Postings::default(), &[], &added);
        assert_eq!(touched, [3, 5, 9]);
        assert_eq!(first.holders(3), [0, 1]);
        assert!(first.holders(4).is_empty());
        let lists: Vec<_> = first.lists().collect();
        assert_eq!(lists, [(3, &[0, 1][..]), (5, &[0]), (9, &[1])]);
        assert_eq!(first.sets(&[false, true]), [vec![], vec![3, 9]]);
        // The document 0 is another one now.
        let (then, touched) = changed(&first, &[true, false], &[(1, 0), (3, 0), (10, 0)]);
        assert_eq!(touched, [1, 3, 5, 10]);
        assert_eq!(then.sets(&[true; 2]), [vec![1, 3, 10], vec![3, 9]]);
        let (mut last, _) = changed(&then, &[true, false], &[]);
        last.renumber(&[9, 0]);
        assert_eq!(last.sets(&[true]), [vec![3, 9]]);
        assert_eq!(then.holders(3), [0, 1]);
        let mut bytes = Vec::new();
        then.append(&mut bytes);
        let expected = Some(then);
        assert_eq!(Postings::take(&mut bytes.as_slice(), vec![3, 2]), expected);
        assert_eq!(Postings::take(&mut bytes.as_slice(), vec![2, 3]), None);
    }
    #[test]
    fn few_changes_are_kept_beside_the_lists() {
        let all = (0..2_000).map(|at| (at / 2 * 10, (at % 2) as u32));
        let all: Vec<(u64, u32)> = all.collect();
        let mut changed = Postings::default();
        let touched = changed.touched(&[], &all);
        changed.change(&[], &all, &touched);
        let mut expected = changed.clone();
        for (is_gone, added) in [
            (&[false; 2][..], &[(5, 2), (20, 2), (990, 2), (999, 2)][..]),
            (&[false, false, true], &[(5, 2), (7, 2)]),
        ] {
            let touched = changed.touched(is_gone, added);
            changed.change(is_gone, added, &touched);
            expected = expected.merged(is_gone, added);
        }
        assert!(!changed.changed.is_empty() && expected.changed.is_empty());
        assert!(changed.lists().eq(expected.lists()));
        assert_eq!(changed.holders(20), [0, 1]);
        assert!(changed.holders(999).is_empty() && changed.holders(6).is_empty());
        let bytes = [&changed, &expected].map(|postings| {
            let mut bytes = Vec::new();
            postings.append(&mut bytes);
            bytes
        });
        assert_eq!(bytes[0], bytes[1]);
        changed.renumber(&[1, 3, 2]);
        let expected = [&[2][..], &[1, 3]];
        assert_eq!([changed.holders(5), changed.holders(990)], expected);
    }
}
