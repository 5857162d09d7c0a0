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

#[cfg(test)]
mod tests {
    use super::*;

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
