//! What a text is about: the words of its title that it repeats, and all words that it repeats.
//!
//! A page for another subject repeats another word of its title. A copy under another title repeats the words of the
//! original, and not those of its own title.
//!
//! A word is a unit of letters, or two ideographs or kana side by side.
//!
//! Titles of a series differ in their numbers alone: those of the notes of releases, of parts, of years.

use xxhash_rust::xxh3::xxh3_64;

use crate::text::script::runs;
use crate::text::segmenter::Segmenter;
use crate::text::units::{ShingleUnit, Unit, WORD, placed_units};

/// How often a text has a word of its title at least if it is about it.
pub const REPEATS: usize = 3;

/// How many words of a title are looked at.
const MOST_WORDS: usize = 32;

/// How many bits the set of repeated words has: the fewest and the most.
const BITS: (usize, usize) = (256, 1 << 15);

/// What a text is about, or nothing: four bytes for the letters of a title with numbers, a number of words, four bytes for each,
/// and a set of bits for the words that the text repeats or has in its title.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject(Box<[u8]>);

impl Subject {
    /// Returns the subject of a text with these units. The title is normalised, and empty if there is none.
    #[must_use]
    pub fn of(title: &str, units: &[Unit], segmenter: &Segmenter) -> Self {
        let series = series(title);
        let title = title_words(title, segmenter);
        let mut counts = vec![0_usize; title.len()];
        // Which words may be in the title, by their first bits.
        let filter = title
            .iter()
            .fold(0, |all, &word| all | 1_u64 << (word >> 58));
        let mut seen = vec![0_u8; units.len().next_power_of_two().max(BITS.0 / 8)];
        let bits = units.len().next_power_of_two().clamp(BITS.0, BITS.1);
        let mut repeated = vec![0_u8; bits / 8];
        words(units.iter().copied(), |word| {
            let [at, mark] = [cell(word), mark(word)];
            if is_set(&seen, at) {
                set(&mut repeated, mark);
            } else {
                set(&mut seen, at);
            }
            if filter & 1 << (word >> 58) != 0
                && let Some(of_title) = title.iter().position(|&other| other == word)
            {
                counts[of_title] += 1;
            }
        });
        let mut own = Vec::new();
        for (&word, count) in title.iter().zip(counts) {
            set(&mut repeated, mark(word));
            if count >= REPEATS {
                own.push(mark(word));
            }
        }
        let mut bytes = series.to_le_bytes().to_vec();
        bytes.push(u8::try_from(own.len()).unwrap_or(u8::MAX));
        bytes.extend(own.iter().flat_map(|word| word.to_le_bytes()));
        bytes.append(&mut repeated);
        Self(bytes.into())
    }

    /// Returns the subject of these bytes; `None` if they are those of no subject.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let subject = Self(bytes.into());
        let is_one = bytes.is_empty()
            || subject.parts().is_some_and(|(own, repeated)| {
                own.len() <= 4 * MOST_WORDS
                    && repeated.len().is_power_of_two()
                    && (BITS.0..=BITS.1).contains(&(8 * repeated.len()))
            });
        is_one.then_some(subject)
    }

    /// Returns the bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns whether a text is about a word that another one hardly has: at most once, and not in its title.
    fn is_foreign_to(&self, other: &Self) -> bool {
        let (Some((own, _)), Some((_, repeated))) = (self.parts(), other.parts()) else {
            return false;
        };
        let words = own.chunks_exact(4);
        let mut words = words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        words.any(|word| !is_set(repeated, word))
    }

    /// Returns whether two documents with different titles have different subjects: the titles differ in their numbers alone,
    /// or each of the two is about a word that the other one hardly has.
    #[must_use]
    pub fn differs(&self, other: &Self) -> bool {
        self.is_foreign_to(other) && other.is_foreign_to(self) || self.is_of_series(other)
    }

    /// Returns whether two different titles differ in their numbers alone.
    fn is_of_series(&self, other: &Self) -> bool {
        let series = |subject: &Self| subject.0.first_chunk::<4>().copied();
        let (one, other) = (series(self), series(other));
        one == other && one.is_some_and(|series| series != [0; 4])
    }

    /// Returns the words that the text is about, and the set of those that it repeats.
    fn parts(&self) -> Option<(&[u8], &[u8])> {
        let (&own, rest) = self.0.get(4..)?.split_first()?;
        rest.split_at_checked(4 * usize::from(own))
    }
}

/// Returns a number for the letters of a title with numbers; 0 if it has no letters or no numbers.
fn series(title: &str) -> u32 {
    let letters: String = title.chars().filter(|c| c.is_alphabetic()).collect();
    match title.contains(char::is_numeric) && !letters.is_empty() {
        true => mark(xxh3_64(letters.as_bytes())).max(1),
        false => 0,
    }
}

/// Returns the words of a title, without numbers.
fn title_words(title: &str, segmenter: &Segmenter) -> Vec<u64> {
    let mut units = Vec::new();
    placed_units(
        title,
        &runs(title),
        ShingleUnit::Auto,
        segmenter,
        |unit, place| {
            let is_number = unit & WORD != 0 && !title[place].contains(char::is_alphabetic);
            if !is_number {
                units.push(unit);
            }
        },
    );
    let mut all = Vec::new();
    words(units.into_iter(), |word| {
        if all.len() < MOST_WORDS && !all.contains(&word) {
            all.push(word);
        }
    });
    all
}

/// Calls `take` with each word of some units.
fn words(units: impl Iterator<Item = Unit>, mut take: impl FnMut(u64)) {
    let mut before = 0;
    for unit in units {
        if unit & WORD != 0 {
            take(spread(unit));
            before = 0;
        } else {
            if before != 0 {
                take(spread(before << 21 | unit));
            }
            before = unit;
        }
    }
}

/// Returns a number for a word whose first bits depend on all of it.
fn spread(word: u64) -> u64 {
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The part of a word that is kept.
fn mark(word: u64) -> u32 {
    let [_, _, a, b, c, d, ..] = word.to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}

/// The place of a word among those that were seen, by other bits than those of [`mark`].
fn cell(word: u64) -> u32 {
    let [a, b, c, ..] = word.to_be_bytes();
    u32::from_be_bytes([0, a, b, c])
}

fn set(bits: &mut [u8], at: u32) {
    let at = at as usize & (8 * bits.len() - 1);
    bits[at / 8] |= 1 << (at % 8);
}

fn is_set(bits: &[u8], at: u32) -> bool {
    let at = at as usize & (8 * bits.len() - 1);
    bits[at / 8] & 1 << (at % 8) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::normalize;
    use crate::text::units::units_into;

    fn subject(title: &str, text: &str) -> Subject {
        let (title, text, segmenter) = (normalize(title), normalize(text), Segmenter::new());
        let mut units = Vec::new();
        units_into(
            &text,
            &runs(&text),
            ShingleUnit::Auto,
            &segmenter,
            &mut units,
        );
        Subject::of(&title, &units, &segmenter)
    }

    #[test]
    fn a_text_is_about_the_words_of_its_title_that_it_repeats() {
        let page = |name: &str| {
            let text =
                format!("Use {name}\n\nInstall {name} first. Then {name} opens a port, see ferry.");
            subject(&format!("Use {name}"), &text)
        };
        let (mysql, redis) = (page("MySQL"), page("Redis"));
        assert!(mysql.is_foreign_to(&redis) && redis.is_foreign_to(&mysql));
        assert!(!mysql.is_foreign_to(&mysql));
        let text = "Use Ferry\n\nInstall MySQL first. Then MySQL opens a port, see ferry.";
        let copy = subject("Use Ferry", text);
        assert!(!mysql.is_foreign_to(&copy) && !copy.is_foreign_to(&mysql));
        let chinese = |name: &str| {
            subject(
                &format!("删除{name}"),
                &format!("删除{name}。要删除{name}，先打开{name}。"),
            )
        };
        assert!(chinese("索引").is_foreign_to(&chinese("视图")));
        assert!(!chinese("索引").is_foreign_to(&chinese("索引")));
    }

    #[test]
    fn numbers_are_no_subject() {
        let page = |year: u32| {
            subject(
                &format!("In {year}"),
                &format!("In {year}: {year}, {year} and {year}"),
            )
        };
        assert!(!page(2023).is_foreign_to(&page(2024)));
        assert!(page(2023).is_of_series(&page(2024)));
        let other = |title| subject(title, "In the park, in the park");
        assert!(!other("In the park").is_of_series(&other("In the park")));
        assert!(!other("In 2023").is_of_series(&other("After 2024")));
        assert!(!other("2023").is_of_series(&other("2024")));
    }

    #[test]
    fn bytes_come_back() {
        let subject = subject("Use MySQL", "MySQL is MySQL, use MySQL");
        assert_eq!(Subject::from_bytes(subject.bytes()), Some(subject));
        assert_eq!(Subject::from_bytes(&[]), Some(Subject::default()));
        for damaged in [
            vec![0; 3],
            vec![0; 38],
            [vec![200; 5], vec![0; 832]].concat(),
        ] {
            assert_eq!(Subject::from_bytes(&damaged), None);
        }
        assert!(!Subject::default().is_foreign_to(&Subject::default()));
    }
}
