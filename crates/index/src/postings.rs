//! The shingles of an index, each with the documents that have it.

/// Stands in place of the new number of a document that is gone.
pub(crate) const GONE: u32 = u32::MAX;

/// A shingle and a document that has it are at the same place of two lists. Both ascend: first shingles, then documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Postings {
    pub(crate) shingles: Vec<u64>,
    pub(crate) holders: Vec<u32>,
}

impl Postings {
    fn push(&mut self, shingle: u64, holder: u32) {
        self.shingles.push(shingle);
        self.holders.push(holder);
    }

    /// Returns the documents that have a shingle, ascending.
    pub(crate) fn holders(&self, shingle: u64) -> &[u32] {
        let start = self.shingles.partition_point(|&other| other < shingle);
        let own = self.shingles[start..].iter();
        let count = own.take_while(|&&other| other == shingle).count();
        &self.holders[start..start + count]
    }

    /// Returns all shingles, ascending, each with the documents that have it.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (u64, &[u32])> {
        let mut rest = self.holders.as_slice();
        self.shingles
            .chunk_by(|one, next| one == next)
            .map(move |run| {
                let (own, others) = rest.split_at(run.len());
                rest = others;
                (run[0], own)
            })
    }

    /// Returns these postings with the new numbers of their documents, which ascend too, and with those that are added.
    /// These are sorted, and their numbers are larger.
    pub(crate) fn changed(&self, numbers: &[u32], added: &[(u64, u32)]) -> Self {
        let room = self.shingles.len() + added.len();
        let mut changed = Self {
            shingles: Vec::with_capacity(room),
            holders: Vec::with_capacity(room),
        };
        let mut added = added.iter().copied().peekable();
        for (&shingle, &holder) in self.shingles.iter().zip(&self.holders) {
            while let Some((new, holder)) = added.next_if(|(new, _)| *new < shingle) {
                changed.push(new, holder);
            }
            let number = numbers[holder as usize];
            if number != GONE {
                changed.push(shingle, number);
            }
        }
        added.for_each(|(shingle, holder)| changed.push(shingle, holder));
        changed
    }

    /// Returns the shingles of each document, ascending. Those of documents that nobody asks for are left out.
    pub(crate) fn sets(&self, is_asked: &[bool]) -> Vec<Vec<u64>> {
        let mut sets = vec![Vec::new(); is_asked.len()];
        for (&shingle, &holder) in self.shingles.iter().zip(&self.holders) {
            if is_asked[holder as usize] {
                sets[holder as usize].push(shingle);
            }
        }
        sets
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
    }
}
