//! The documents of a segment that are gone.

/// One bit for each document of a segment; it is set if the document is gone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Tombstones {
    bits: Vec<u64>,
    documents: u32,
    gone: u32,
}

impl Tombstones {
    /// Returns the tombstones of a segment that has all of its documents.
    pub(crate) fn none(documents: u32) -> Self {
        Self {
            bits: vec![0; (documents as usize).div_ceil(64)],
            documents,
            gone: 0,
        }
    }

    /// Returns tombstones as the manifest lists them; `None` if the list names documents that are not there.
    pub(crate) fn of_runs(documents: u32, runs: &[u32]) -> Option<Self> {
        let mut tombstones = Self::none(documents);
        let mut at = 0_u32;
        for (number, &run) in runs.iter().enumerate() {
            let end = at.checked_add(run).filter(|&end| end <= documents)?;
            if number % 2 == 1 {
                (at..end).for_each(|document| tombstones.bury(document));
            }
            at = end;
        }
        Some(tombstones)
    }

    /// Returns the lengths of the runs of documents: how many stay, how many are gone, and so on.
    pub(crate) fn runs(&self) -> Vec<u32> {
        let mut runs = Vec::new();
        let (mut length, mut is_gone) = (0, false);
        for document in 0..self.documents {
            if self.have(document) != is_gone {
                runs.push(length);
                (length, is_gone) = (0, !is_gone);
            }
            length += 1;
        }
        if is_gone {
            runs.push(length);
        }
        runs
    }

    /// Marks a document as gone.
    pub(crate) fn bury(&mut self, document: u32) {
        let (word, bit) = (document as usize / 64, 1 << (document % 64));
        if self.bits[word] & bit == 0 {
            self.bits[word] |= bit;
            self.gone += 1;
        }
    }

    /// Returns whether a document is gone.
    #[inline]
    pub(crate) fn have(&self, document: u32) -> bool {
        self.bits[document as usize / 64] >> (document % 64) & 1 == 1
    }

    /// Returns how many documents are gone.
    pub(crate) fn count(&self) -> u32 {
        self.gone
    }

    /// Returns the documents that are not gone.
    pub(crate) fn left(&self) -> impl Iterator<Item = u32> {
        (0..self.documents).filter(|&document| !self.have(document))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_are_the_documents_that_are_gone(
            documents in 0_u32..300, gone in prop::collection::vec(0_u32..300, 0..90),
        ) {
            let mut tombstones = Tombstones::none(documents);
            for &document in gone.iter().filter(|&&document| document < documents) {
                tombstones.bury(document);
            }
            let runs = tombstones.runs();
            prop_assert_eq!(Tombstones::of_runs(documents, &runs), Some(tombstones.clone()));
            prop_assert_eq!(tombstones.left().count(), (documents - tombstones.count()) as usize);
            let too_long: Vec<u32> = runs.into_iter().chain([301]).collect();
            prop_assert_eq!(Tombstones::of_runs(documents, &too_long), None);
        }
    }
}
