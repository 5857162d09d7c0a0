//! The shingles of an index, each with the documents that have it.

use dupfind_engine::features::bytes::{push_varint, varint};

/// Stands in place of the new number of a document that is gone.
pub(crate) const GONE: u32 = u32::MAX;

/// Shingles, ascending, each with the documents that have it, which ascend too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Postings {
    shingles: Vec<u64>,
    /// Where the documents of each shingle end.
    ends: Vec<usize>,
    holders: Vec<u32>,
}

impl Postings {
    /// Adds the next shingle, if there are documents that have it.
    fn push(&mut self, shingle: u64, holders: impl Iterator<Item = u32>) {
        let before = self.holders.len();
        self.holders.extend(holders);
        if self.holders.len() > before {
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

    /// Returns these postings with the new numbers of their documents, which ascend too, and with those that are added.
    /// These are sorted, and their numbers are larger.
    pub(crate) fn changed(&self, numbers: &[u32], added: &[(u64, u32)]) -> Self {
        let mut changed = Self {
            shingles: Vec::with_capacity(self.shingles.len()),
            ends: Vec::with_capacity(self.shingles.len()),
            holders: Vec::with_capacity(self.holders.len() + added.len()),
        };
        let number = |of: &[(u64, u32)]| of.iter().map(|posting| posting.1).collect::<Vec<_>>();
        let added = added.chunk_by(|one, next| one.0 == next.0);
        let mut added = added.map(|of| (of[0].0, number(of))).peekable();
        for (shingle, holders) in self.lists() {
            while let Some((new, holders)) = added.next_if(|(new, _)| *new < shingle) {
                changed.push(new, holders.into_iter());
            }
            let own = holders.iter().map(|&holder| numbers[holder as usize]);
            let left = own.filter(|&number| number != GONE);
            let more = added.next_if(|(new, _)| *new == shingle);
            changed.push(
                shingle,
                left.chain(more.into_iter().flat_map(|(_, more)| more)),
            );
        }
        added.for_each(|(shingle, holders)| changed.push(shingle, holders.into_iter()));
        changed
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

    /// Appends the postings in the form that is kept on disk. For each shingle there is the difference to the one before;
    /// then, for one document, twice its number and one; for more, twice their count, the first number, and for each
    /// other one the difference to the number before.
    pub(crate) fn append(&self, out: &mut Vec<u8>) {
        push_varint(out, self.shingles.len() as u64);
        let mut last = 0;
        for (shingle, holders) in self.lists() {
            push_varint(out, shingle - last);
            last = shingle;
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
        let mut shingle = 0_u64;
        let mut push = |holders: &mut Vec<u32>, number: u64| {
            let size = sizes.get_mut(usize::try_from(number).ok()?)?;
            *size = size.checked_sub(1)?;
            holders.push(u32::try_from(number).ok()?);
            Some(())
        };
        for at in 0..varint(rest)? {
            let difference = varint(rest)?;
            if at > 0 && difference == 0 {
                return None;
            }
            shingle = shingle.checked_add(difference)?;
            taken.shingles.push(shingle);
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
        sizes.iter().all(|&left| left == 0).then_some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_come_and_go() {
        let added = [(3, 0), (3, 1), (5, 0), (9, 1)];
        let first = Postings::default().changed(&[], &added);
        assert_eq!(first.holders(3), [0, 1]);
        assert!(first.holders(4).is_empty());
        let lists: Vec<_> = first.lists().collect();
        assert_eq!(lists, [(3, &[0, 1][..]), (5, &[0]), (9, &[1])]);
        assert_eq!(first.sets(&[false, true]), [vec![], vec![3, 9]]);
        let then = first.changed(&[GONE, 0], &[(1, 1), (3, 1), (10, 1)]);
        assert_eq!(then.sets(&[true; 2]), [vec![3, 9], vec![1, 3, 10]]);
        assert_eq!(then.holders(3), [0, 1]);
        let mut bytes = Vec::new();
        then.append(&mut bytes);
        assert_eq!(
            Postings::take(&mut bytes.as_slice(), vec![2, 3]),
            Some(then)
        );
        assert_eq!(Postings::take(&mut bytes.as_slice(), vec![3, 2]), None);
    }
}
