//! The shingles of an index, each with the documents that have it.

use dupfind_engine::features::bytes::{push_varint, value, varint};

/// Shingles, ascending, each with the documents that have it, which ascend too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Postings {
    shingles: Vec<u64>,
    /// Where the documents of each shingle end.
    ends: Vec<usize>,
    holders: Vec<u32>,
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
        numbered.map(|(at, &shingle)| (shingle, self.holders_at(at)))
    }

    /// Returns these postings without the documents that are gone, and with postings that are added, which are sorted. Also
    /// returns the shingles that have other documents now.
    pub(crate) fn changed(&self, is_gone: &[bool], added: &[(u64, u32)]) -> (Self, Vec<u64>) {
        let mut changed = Self {
            shingles: Vec::with_capacity(self.shingles.len()),
            ends: Vec::with_capacity(self.shingles.len()),
            holders: Vec::with_capacity(self.holders.len() + added.len()),
        };
        let mut touched = Vec::new();
        let mut added = added.chunk_by(|one, next| one.0 == next.0).peekable();
        let mut add = |changed: &mut Self, shingle: u64, holders: &[u32]| {
            changed.holders.extend_from_slice(holders);
            changed.end(shingle);
            touched.push(shingle);
        };
        let holders_of =
            |list: &[(u64, u32)]| -> Vec<u32> { list.iter().map(|posting| posting.1).collect() };
        for (shingle, holders) in self.lists() {
            while let Some(list) = added.next_if(|list| list[0].0 < shingle) {
                add(&mut changed, list[0].0, &holders_of(list));
            }
            let own = added
                .next_if(|list| list[0].0 == shingle)
                .unwrap_or_default();
            if own.is_empty() && !holders.iter().any(|&at| is_gone[at as usize]) {
                changed.holders.extend_from_slice(holders);
                changed.end(shingle);
                continue;
            }
            let mut both = holders_of(own);
            both.extend(holders.iter().filter(|&&at| !is_gone[at as usize]));
            both.sort_unstable();
            add(&mut changed, shingle, &both);
        }
        added.for_each(|list| add(&mut changed, list[0].0, &holders_of(list)));
        (changed, touched)
    }

    /// Gives documents new numbers, in the same order.
    pub(crate) fn renumber(&mut self, numbers: &[u32]) {
        let holders = self.holders.iter_mut();
        holders.for_each(|holder| *holder = numbers[*holder as usize]);
    }

    /// Returns the shingles of each document, ascending. Those of documents that nobody asks for are left out.
    pub(crate) fn sets(&self, is_asked: &[bool]) -> Vec<Vec<u64>> {
        let mut sets = vec![Vec::new(); is_asked.len()];
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
        push_varint(out, self.shingles.len() as u64);
        out.extend(
            self.shingles
                .iter()
                .flat_map(|shingle| shingle.to_le_bytes()),
        );
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_come_and_go() {
        let added = [(3, 0), (3, 1), (5, 0), (9, 1)];
        let (first, touched) = Postings::default().changed(&[], &added);
        assert_eq!(touched, [3, 5, 9]);
        assert_eq!(first.holders(3), [0, 1]);
        assert!(first.holders(4).is_empty());
        let lists: Vec<_> = first.lists().collect();
        assert_eq!(lists, [(3, &[0, 1][..]), (5, &[0]), (9, &[1])]);
        assert_eq!(first.sets(&[false, true]), [vec![], vec![3, 9]]);
        // The document 0 is another one now.
        let (then, touched) = first.changed(&[true, false], &[(1, 0), (3, 0), (10, 0)]);
        assert_eq!(touched, [1, 3, 5, 10]);
        assert_eq!(then.sets(&[true; 2]), [vec![1, 3, 10], vec![3, 9]]);
        let (mut last, _) = then.changed(&[true, false], &[]);
        last.renumber(&[9, 0]);
        assert_eq!(last.sets(&[true]), [vec![3, 9]]);
        assert_eq!(then.holders(3), [0, 1]);
        let mut bytes = Vec::new();
        then.append(&mut bytes);
        assert_eq!(
            Postings::take(&mut bytes.as_slice(), vec![3, 2]),
            Some(then)
        );
        assert_eq!(Postings::take(&mut bytes.as_slice(), vec![2, 3]), None);
    }
}
