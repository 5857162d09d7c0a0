//! Sketches of a text, kept beside its shingles and signatures: a few bytes by which its prose and its title
//! are compared with those of another text.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::text::units::{Unit, WORD};

/// The sketches of a document. A short document has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketches {
    /// Of its prose; none if it has no code, or little prose beside it.
    pub prose: Sketch,
    /// Its words.
    pub words: WordFilter,
    /// A hash of the letters of its title, if this has a number too; else 0.
    pub series: u32,
    /// A hash of the whole file of a document of a few words that is more than its text: 0 of any other document.
    pub source: u32,
}

/// The words of a text, and about how often each comes: Bloom filters with two hash functions, of the words that come at least once,
/// twice, 4, 8 and 16 times, each with half as many bits as the one before. They have all such words, and by chance a few others, more
/// of them the longer the text is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordFilter([u64; 31]);

impl WordFilter {
    /// How many filters there are.
    const LEVELS: u32 = 5;

    /// How many counters count the words of a text. Words with one counter are rare: they count as one.
    const COUNTERS: u16 = 1 << 14;

    /// Returns the filters of the words among units.
    pub(crate) fn of(units: &[Unit]) -> Self {
        let mut filters = Self::default();
        let mut counts = [0_u8; Self::COUNTERS as usize];
        for &word in units.iter().filter(|&&unit| unit >= WORD) {
            let count = &mut counts[usize::from(hashes(word)[0] % Self::COUNTERS)];
            *count = count.saturating_add(1);
            let level = match *count {
                2 => 1,
                4 => 2,
                8 => 3,
                16 => 4,
                _ => 0,
            };
            filters.add(word, 0);
            if level > 0 {
                filters.add(word, level);
            }
        }
        filters
    }

    fn add(&mut self, word: Unit, level: u32) {
        for (at, bit) in Self::bits(word, level) {
            self.0[at] |= bit;
        }
    }

    /// Returns whether the text has a word.
    pub(crate) fn has(&self, word: Unit) -> bool {
        self.has_at(word, 0)
    }

    /// Returns whether the text has a word at least twice, and at least twice as often as another text.
    pub(crate) fn has_more(&self, other: &Self, word: Unit) -> bool {
        (1..Self::LEVELS).any(|level| self.has_at(word, level) && !other.has_at(word, level - 1))
    }

    fn has_at(&self, word: Unit, level: u32) -> bool {
        Self::bits(word, level).all(|(at, bit)| self.0[at] & bit > 0)
    }

    /// Returns the places of the bits of a word in a filter.
    fn bits(word: Unit, level: u32) -> impl Iterator<Item = (usize, u64)> {
        let numbers = 16 >> level;
        let before = 32 - 2 * numbers;
        hashes(word).into_iter().map(move |hash| {
            let at = before + hash / 64 % numbers;
            (usize::from(at), 1 << (hash % 64))
        })
    }
}

/// Returns two hashes of a word.
fn hashes(word: Unit) -> [u16; 2] {
    let [a, b, c, d, ..] = word.to_le_bytes();
    [[a, b], [c, d]].map(u16::from_le_bytes)
}

/// How many bins a sketch has.
const BINS: usize = 256;

/// How many bytes it has.
const BYTES: usize = BINS / 2;

/// How many different values a bin that is not empty has.
const VALUES: u32 = 15;

/// The steps of a similarity.
const STEPS: u64 = 10_000;

/// A sketch of a set of numbers, or none: 4 bits for each bin, 0 if it is empty. It is a min-hash in one permutation (Li,
/// Owen and Zhang 2012). Copies of a text share it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "Vec<u8>", try_from = "Vec<u8>")]
pub struct Sketch(Arc<[u8]>);

impl From<Sketch> for Vec<u8> {
    fn from(sketch: Sketch) -> Self {
        sketch.0.to_vec()
    }
}

impl TryFrom<Vec<u8>> for Sketch {
    type Error = &'static str;

    fn try_from(bytes: Vec<u8>) -> Result<Self, Self::Error> {
        match bytes.len() {
            0 | BYTES => Ok(Self(bytes.into())),
            _ => Err("a sketch has another number of bytes"),
        }
    }
}

impl Sketch {
    /// Returns whether there is none.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns about how similar the two sets are, as a Jaccard similarity in ten-thousandths; 0 if there is no sketch of
    /// one of them.
    pub fn similarity(&self, other: &Self) -> u64 {
        let (mut equal, mut both, mut any) = (0_u64, 0_u64, 0_u64);
        for (&x, &y) in self.0.iter().zip(&*other.0) {
            for (x, y) in [(x & 15, y & 15), (x >> 4, y >> 4)] {
                let (has_x, has_y) = (x != 0, y != 0);
                equal += u64::from(x == y && has_x);
                both += u64::from(has_x && has_y);
                any += u64::from(has_x || has_y);
            }
        }
        // Of the bins with different numbers, one in so many has the same value by chance.
        let values = u64::from(VALUES);
        let alike = (values * equal).saturating_sub(both);
        alike * STEPS / (any * (values - 1)).max(1)
    }
}

/// Makes the sketch of a set, number by number.
struct Sketcher([u32; BINS]);

impl Default for Sketcher {
    fn default() -> Self {
        Self([u32::MAX; BINS])
    }
}

impl Sketcher {
    fn add(&mut self, number: u64) {
        let [bin, _, a, b, c, d, ..] = mixed(number).to_be_bytes();
        let least = &mut self.0[usize::from(bin)];
        *least = u32::from_be_bytes([a, b, c, d]).min(*least);
    }

    fn sketch(&self) -> Sketch {
        let code = |rank: u32| match rank {
            u32::MAX => 0,
            _ => 1 + (rank % VALUES).to_le_bytes()[0],
        };
        let bytes = self.0.chunks_exact(2);
        Sketch(bytes.map(|two| code(two[0]) | code(two[1]) << 4).collect())
    }
}

/// Returns a number whose bits all depend on those of another one.
fn mixed(number: u64) -> u64 {
    let product = u128::from(number ^ 0x9e37_79b9_7f4a_7c15) * 0xc2b2_ae3d_27d4_eb4f;
    let half = |number: u128| u64::try_from(number & u128::from(u64::MAX)).unwrap_or_default();
    let folded = half(product) ^ half(product >> 64);
    (folded ^ folded >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// How many units of prose a text has at least, if it gets a sketch: with fewer there is too little to compare.
pub const FEWEST_UNITS: usize = 30;

/// Returns the sketch of the windows of three of these units; none if there are too few.
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
    fn bytes_come_back() {
        let mut sketcher = Sketcher::default();
        (0..40).for_each(|number| sketcher.add(number));
        let sketch = sketcher.sketch();
        let bytes = Vec::from(sketch.clone());
        assert_eq!(Sketch::try_from(bytes), Ok(sketch));
        assert_eq!(Sketch::try_from(vec![]), Ok(Sketch::default()));
        assert!(Sketch::try_from(vec![0; 3]).is_err());
    }

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
