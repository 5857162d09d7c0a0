//! The hash that spreads elements over the parts of an index.

/// Spreads an element over the whole range, so that its top bits tell elements apart: Fibonacci
/// hashing (Knuth, vol. 3, section 6.4), after folding, because packed characters differ in their
/// low bits.
#[inline]
pub fn mix(element: u64) -> u64 {
    (element ^ element >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The top bits of a mixed element.
#[inline]
pub(crate) fn top_bits(mixed: u64, bits: u32) -> usize {
    usize::try_from(mixed.checked_shr(64 - bits).unwrap_or(0)).expect("a few bits")
}
