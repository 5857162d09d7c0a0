//! A sketch of the prose of a text with code blocks.
//!
//! Two translations of a page share their code and nothing else. Their shingle sets are alike, and their prose is not.

use crate::fingerprint::sketch::{Sketch, Sketcher};
use crate::text::units::Unit;

/// How many units of prose a text has at least, if it gets a sketch: with fewer there is too little to compare.
const FEWEST_UNITS: usize = 30;

/// Returns the sketch of the windows of three of these units; none if there are too few.
#[must_use]
pub fn prose_sketch(units: &[Unit]) -> Sketch {
    if units.len() < FEWEST_UNITS {
        return Sketch::default();
    }
    let mut sketcher = Sketcher::default();
    for window in units.windows(3) {
        let [a, b, c] = [window[0], window[1], window[2]];
        sketcher
            .add(a.rotate_left(21) ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ c.rotate_right(21));
    }
    sketcher.sketch()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_compared_by_its_shingles() {
        let sketch = |units: std::ops::Range<u64>| prose_sketch(&units.collect::<Vec<_>>());
        let whole = sketch(1..200);
        assert_eq!(whole.similarity(&whole), 10_000);
        assert!(whole.similarity(&sketch(300..500)) < 400);
        assert!((3_000..7_000).contains(&whole.similarity(&sketch(1..100))));
        assert!(sketch(1..20).is_none());
    }
}
