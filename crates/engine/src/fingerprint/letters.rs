//! A sketch of the letters of a text, by which two texts are compared where their words differ.
//!
//! A wrong letter changes every shingle that its word is in, but few stretches of five letters. So two readings of one page
//! share far more stretches of letters than shingles. Two texts with other words share about as many.
//!
//! A stretch is the last two letters of a word and the first three of the next one. So equal shingle sets have equal
//! stretches, and lists of the same long names in another order do not.
//!
//! In Chinese and Japanese a character is a unit, and stretches tell no more than shingles. So texts of which more than a tenth
//! is in such scripts get no sketch.
//!
//! The sketch is a min-hash in one permutation (Li, Owen and Zhang 2012) with 4 bits a bin.

use crate::text::script::{Class, Run};

/// How many bins a sketch has.
const BINS: usize = 256;

/// How many bytes of a word are in the stretch before it, and in the one behind it: of ASCII, and of other scripts.
const ENDS: [(usize, usize); 2] = [(3, 2), (5, 3)];

/// How many bytes of words a text has at least for each byte of characters that are units, if it gets a sketch.
const PART_OF_SINGLE: usize = 10;

/// How many different values a bin that is not empty has.
const VALUES: u32 = 15;

/// The steps of a similarity.
const STEPS: u64 = 10_000;

/// A sketch of the stretches of a text, or none: 4 bits for each bin, 0 if it is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LetterSketch(Box<[u8]>);

impl LetterSketch {
    /// The fewest shingles of a text that gets a sketch.
    pub const FEWEST_SHINGLES: u32 = 80;

    /// How many bytes a sketch has.
    pub const BYTES: usize = BINS / 2;

    /// Returns the sketch of a normalised text. `runs` are the runs of the text.
    #[must_use]
    pub fn of(text: &str, runs: &[Run]) -> Self {
        let bytes = |of_single: bool| -> usize {
            let runs = runs.iter().filter(|run| run.class.is_single() == of_single);
            runs.map(|run| run.end - run.start).sum()
        };
        if PART_OF_SINGLE * bytes(true) > bytes(false) {
            return Self::default();
        }
        let mut least = [u32::MAX; BINS];
        stretches(text, runs, |stretch| {
            let [bin, _, a, b, c, d, ..] = mixed(stretch).to_be_bytes();
            let (bin, rank) = (usize::from(bin), u32::from_be_bytes([a, b, c, d]));
            least[bin] = least[bin].min(rank);
        });
        let code = |rank: u32| match rank {
            u32::MAX => 0,
            _ => 1 + (rank % VALUES).to_le_bytes()[0],
        };
        let bytes = least.chunks_exact(2);
        Self(bytes.map(|two| code(two[0]) | code(two[1]) << 4).collect())
    }

    /// Returns the sketch of these bytes; `None` if there are neither [`Self::BYTES`] nor none.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        matches!(bytes.len(), 0 | Self::BYTES).then(|| Self(bytes.into()))
    }

    /// Returns the bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns about how similar the sets of stretches are, as a Jaccard similarity in ten-thousandths; 0 if a text has
    /// no sketch.
    #[must_use]
    pub fn similarity(&self, other: &Self) -> u64 {
        let (mut equal, mut both, mut any) = (0_u64, 0_u64, 0_u64);
        for (&x, &y) in self.0.iter().zip(&other.0) {
            for (x, y) in [(x & 15, y & 15), (x >> 4, y >> 4)] {
                let (has_x, has_y) = (x != 0, y != 0);
                equal += u64::from(x == y && has_x);
                both += u64::from(has_x && has_y);
                any += u64::from(has_x || has_y);
            }
        }
        // Of the bins with other stretches, one of so many has the same value by chance.
        let values = u64::from(VALUES);
        let alike = (values * equal).saturating_sub(both);
        alike * STEPS / (any * (values - 1)).max(1)
    }
}

/// Calls `take` with each stretch of a text, as a number.
fn stretches(text: &str, runs: &[Run], mut take: impl FnMut(u64)) {
    let mut before = None;
    for run in runs {
        if run.class != Class::Word {
            before = None;
            continue;
        }
        let word = run.of(text).as_bytes();
        let (start, end) = ENDS[usize::from(!word[0].is_ascii())];
        if let Some(before) = before {
            take(number(before, &word[..start.min(word.len())]));
        }
        before = Some(number(0, &word[word.len().saturating_sub(end)..]));
    }
}

/// Appends bytes to a number.
fn number(before: u64, bytes: &[u8]) -> u64 {
    let append = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
    bytes.iter().fold(before, append)
}

/// Returns a number whose bits all depend on the letters.
fn mixed(stretch: u64) -> u64 {
    let product = u128::from(stretch ^ 0x9e37_79b9_7f4a_7c15) * 0xc2b2_ae3d_27d4_eb4f;
    let half = |number: u128| u64::try_from(number & u128::from(u64::MAX)).unwrap_or_default();
    let folded = half(product) ^ half(product >> 64);
    (folded ^ folded >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::normalize;
    use crate::text::script::runs;
    use std::collections::HashSet;

    fn stretches_of(text: &str) -> Vec<String> {
        let text = normalize(text);
        let mut all = Vec::new();
        stretches(&text, &runs(&text), |stretch| {
            let bytes = stretch.to_be_bytes().into_iter().filter(|&byte| byte != 0);
            all.push(String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned());
        });
        all
    }

    fn sketch(text: &str) -> LetterSketch {
        let text = normalize(text);
        LetterSketch::of(&text, &runs(&text))
    }

    #[test]
    fn stretches_go_over_the_ends_of_words() {
        assert_eq!(
            stretches_of("Wooden boats, a pier"),
            ["enboa", "tsa", "apie"]
        );
        assert_eq!(stretches_of("wooden"), [""; 0]);
        assert_eq!(stretches_of("boat 舟 of ไทย wood"), [""; 0]);
        assert_eq!(stretches_of("река лодка").len(), 1);
        assert_eq!(sketch("老 wooden boat"), LetterSketch::default());
        let mixed = sketch("老 wooden boats that are rowed on a river");
        assert_ne!(mixed, LetterSketch::default());
    }

    #[test]
    fn the_similarity_is_that_of_the_stretches() {
        let words: Vec<String> = (0..900_u32)
            .map(|at| format!("{:x}wo{:x}rd", at * 7_919 % 4_099, at * at % 9_973))
            .collect();
        for shared in (0..=900).step_by(20) {
            let a = words.join(" ");
            let b: Vec<String> = (0..words.len())
                .map(|at| {
                    if at < shared {
                        words[at].clone()
                    } else {
                        format!("{at}{}{at}", words[at])
                    }
                })
                .collect();
            let b = b.join(" ");
            let [x, y]: [HashSet<String>; 2] =
                [&a, &b].map(|text| stretches_of(text).into_iter().collect());
            let exact = x.intersection(&y).count() as u64 * STEPS / x.union(&y).count() as u64;
            let found = sketch(&a).similarity(&sketch(&b));
            assert!(found.abs_diff(exact) < 800, "{found} and {exact}");
        }
        assert_eq!(sketch("").similarity(&sketch("")), 0);
        assert_eq!(
            LetterSketch::default().similarity(&sketch("a wooden boat")),
            0
        );
    }

    #[test]
    fn bytes_come_back() {
        let sketch = sketch("the old park by the river");
        assert_eq!(LetterSketch::from_bytes(sketch.bytes()), Some(sketch));
        assert_eq!(LetterSketch::from_bytes(&[]), Some(LetterSketch::default()));
        assert_eq!(LetterSketch::from_bytes(&[0; 3]), None);
    }
}
