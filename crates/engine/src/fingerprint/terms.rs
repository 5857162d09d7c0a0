//! Counts how often each term occurs in one document.
//!
//! The scales of term weights, and logarithms in integers. How rare a term is (inverse document frequency) is in jieba's
//! dictionary ([`dictionary`](crate::fingerprint::dictionary)): the same weights for every folder, so a document's fingerprint
//! does not depend on its neighbours.

/// The weights of terms are multiples of 2^-12.
pub const SCALE_BITS: u32 = 12;

/// The scale of [`ln`]: its results are multiples of 1/65536.
pub const ONE: u64 = 1 << 16;

/// ln 2 in units of 2^-32.
const LN_2: u64 = 2_977_044_471;

/// Returns ln x in units of 1/65536, rounded down; 0 for x = 0.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a const fn has no try_from"
)]
pub const fn ln(x: u64) -> u64 {
    if x <= 1 {
        return 0;
    }
    let whole = x.ilog2();
    // The mantissa in [1, 2), in units of 2^-63.
    let mut mantissa = (x << (63 - whole)) as u128;
    let mut fraction = 0_u64;
    let mut bit = 0;
    while bit < 32 {
        mantissa = (mantissa * mantissa) >> 63;
        fraction <<= 1;
        if mantissa >> 64 != 0 {
            mantissa >>= 1;
            fraction |= 1;
        }
        bit += 1;
    }
    let log2 = ((whole as u64) << 32 | fraction) as u128;
    // At most 64 * ln 2 * 65536: it fits.
    ((log2 * LN_2 as u128) >> 48) as u64
}

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
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        // Documents of thousands of tokens: the table has to grow.
        #![proptest_config(ProptestConfig::with_cases(24))]
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

    #[test]
    fn agrees_with_floating_point() {
        for x in (1..5000).chain([65_536, 1_000_003, u64::from(u32::MAX), u64::MAX]) {
            let expected = (x as f64).ln() * 65_536.0;
            let got = ln(x) as f64;
            assert!(got <= expected, "ln {x}: {got} {expected}");
            assert!(expected - got < 1.5, "ln {x}: {got} {expected}");
        }
        assert_eq!(ln(0), 0);
    }

    #[test]
    fn never_falls() {
        assert!((1..100_000).map(ln).is_sorted());
    }
}
