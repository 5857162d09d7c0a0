//! A sketch of the letters of a text, by which two texts are compared where their words differ.
//!
//! A wrong letter changes every shingle that its word is in, but few stretches of five letters. So two readings of one page
//! share far more stretches of letters than shingles. Two texts with other words share about as many.
//!
//! A stretch is the last two letters of a word and the first three of the next one. So equal shingle sets have equal
//! stretches, and lists of the same long names in another order do not.
//!
//! In Chinese and Japanese a character is a unit, and stretches tell no more than shingles. So a text gets no sketch if
//! more than a tenth of it is in such scripts.

use crate::fingerprint::sketch::{Sketch, Sketcher};
use crate::text::script::{Class, Run};

/// How many bytes of a word are in the stretch before it, and in the one behind it: of ASCII, and of other scripts.
const ENDS: [(usize, usize); 2] = [(3, 2), (5, 3)];

/// How many bytes of words a text has at least for each byte of characters that are units, if it gets a sketch.
const PART_OF_SINGLE: usize = 10;

/// Returns the sketch of a normalised text. `runs` are the runs of the text.
#[must_use]
pub fn letter_sketch(text: &str, runs: &[Run]) -> Sketch {
    let bytes = |of_single: bool| -> usize {
        let runs = runs.iter().filter(|run| run.class.is_single() == of_single);
        runs.map(|run| run.end - run.start).sum()
    };
    if PART_OF_SINGLE * bytes(true) > bytes(false) {
        return Sketch::default();
    }
    let mut sketcher = Sketcher::default();
    stretches(text, runs, |stretch| sketcher.add(stretch));
    sketcher.sketch()
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

    fn sketch(text: &str) -> Sketch {
        let text = normalize(text);
        letter_sketch(&text, &runs(&text))
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
        assert_eq!(sketch("老 wooden boat"), Sketch::default());
        let mixed = sketch("老 wooden boats that are rowed on a river");
        assert_ne!(mixed, Sketch::default());
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
            let exact = x.intersection(&y).count() as u64 * 10_000 / x.union(&y).count() as u64;
            let found = sketch(&a).similarity(&sketch(&b));
            assert!(found.abs_diff(exact) < 800, "{found} and {exact}");
        }
        assert_eq!(sketch("").similarity(&sketch("")), 0);
        assert_eq!(Sketch::default().similarity(&sketch("a wooden boat")), 0);
    }
}
