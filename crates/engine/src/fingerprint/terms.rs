//! Counts how often each term occurs in one document.

/// A document's terms: the hash of each distinct token with its number of occurrences, in the order
/// of first occurrence.
pub type Terms = Vec<(u64, u32)>;

/// A hash table for one document's terms, used again for the next document.
///
/// A `HashMap` for each document would allocate anew every time and hash the hashes again.
#[derive(Debug, Default)]
pub struct TermCounter {
    /// Position in `terms` plus one, or 0 for a free slot. The length is a power of two.
    slots: Vec<u32>,
    terms: Terms,
    tokens: u32,
}

/// If one huge document needs room for more terms than this, the memory is freed before the next document.
const KEEP_TERMS: usize = 1 << 17;

impl TermCounter {
    /// Returns a counter without terms.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the previous document's terms.
    pub fn clear(&mut self) {
        // Not longer than the documents of late: clearing costs as much as the table is long.
        if self.slots.len() > 1024 && self.slots.len() / 8 > self.terms.len() {
            self.slots.truncate(self.slots.len() / 2);
            self.slots.shrink_to_fit();
        }
        self.slots.fill(0);
        self.terms.clear();
        self.terms.shrink_to(KEEP_TERMS);
        self.tokens = 0;
    }

    /// Counts one token, given by the hash of its text.
    #[inline]
    pub fn add(&mut self, term: u64) {
        self.tokens = self.tokens.saturating_add(1);
        if self.terms.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.find(term);
        match self.slots[slot] {
            0 => {
                self.terms.push((term, 1));
                self.slots[slot] =
                    u32::try_from(self.terms.len()).expect("a document has fewer than 2^32 terms");
            }
            at => {
                let count = &mut self.terms[at as usize - 1].1;
                *count = count.saturating_add(1);
            }
        }
    }

    /// How many tokens were counted.
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// The distinct terms counted so far.
    pub fn terms(&self) -> &[(u64, u32)] {
        &self.terms
    }

    /// The slot of a term, or the free slot where it belongs.
    #[inline]
    fn find(&self, term: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = low_bits(term) & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                at if self.terms[at as usize - 1].0 == term => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1024);
        self.slots.clear();
        self.slots.resize(size, 0);
        for at in 0..self.terms.len() {
            let slot = self.find(self.terms[at].0);
            self.slots[slot] = u32::try_from(at + 1).expect("a document has fewer than 2^32 terms");
        }
    }
}

/// The low bits of a hash as an index; the mask that follows keeps what fits.
#[expect(clippy::cast_possible_truncation, reason = "only the low bits matter")]
#[inline]
fn low_bits(hash: u64) -> usize {
    hash as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        // Documents of thousands of tokens: the table has to grow.
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn counts_like_a_map(documents in prop::collection::vec(
            prop::collection::vec(0_u64..3000, 0..4000), 1..4)
        ) {
            let mut counter = TermCounter::new();
            for tokens in documents {
                counter.clear();
                let mut expected = BTreeMap::new();
                for token in &tokens {
                    // Hashes that agree in their low bits must still be distinguished.
                    counter.add(token << 32);
                    *expected.entry(token << 32).or_insert(0) += 1;
                }
                let found: BTreeMap<u64, u32> = counter.terms().iter().copied().collect();
                prop_assert_eq!(counter.terms().len(), expected.len());
                prop_assert_eq!(found, expected);
                prop_assert_eq!(counter.tokens() as usize, tokens.len());
            }
        }
    }
}
