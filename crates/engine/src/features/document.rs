//! A document of a collection, once its features are gathered, and its number.

use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

use crate::detect::options::Options;
use crate::features::Facts;
use crate::run::{Error, Result};

/// How many tokens there are for each distinct shingle in a text that repeats few words, such as a table of the numbers 0 to 2.
pub const REPEATED: u32 = 4;

/// Of how many orders of its terms a text has one as a shingle if the order is arbitrary, such as in a list of drawn numbers.
pub const ORDERS: u64 = 10;

/// The number of a document in one run.
///
/// Documents are numbered in the byte order of their names. So the order of ids is the order of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(u32);

impl DocId {
    /// The largest number of documents of one run.
    pub const LIMIT: usize = u32::MAX as usize;

    /// Returns the id of a position in the list of documents.
    ///
    /// # Errors
    ///
    /// [`Error::TooMuch`] if the position does not fit 32 bits.
    pub fn new(index: usize) -> Result<Self> {
        u32::try_from(index).map(Self).map_err(|_| {
            let limit = Self::LIMIT;
            let words = format!("too many documents: at most {limit} can be compared in one run");
            Error::TooMuch(words)
        })
    }

    /// Returns the position in the list of documents.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Joins number documents by 32-bit positions.
impl From<u32> for DocId {
    fn from(id: u32) -> Self {
        Self(id)
    }
}

/// One compared document, as reports see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its name.
    pub name: String,
    /// What is kept of its text. Clones of this document share it.
    pub facts: Arc<Facts>,
    /// Where its SimHash fingerprint is in its signatures ([`Options::fingerprint_at`]); empty if the detector is off.
    pub fingerprint_at: Range<u8>,
    /// Whether its pairs are set apart: it is a file of code or data, which nobody asked for by name.
    pub is_code: bool,
    /// Whether others are compared with it, and it is not judged itself: it is of the reference side of a run.
    pub is_reference: bool,
    /// Its language and version, by its place.
    pub edition: Edition,
}

impl Deref for Document {
    type Target = Facts;

    fn deref(&self) -> &Facts {
        &self.facts
    }
}

/// A change does not reach other clones.
impl DerefMut for Document {
    fn deref_mut(&mut self) -> &mut Facts {
        Arc::make_mut(&mut self.facts)
    }
}

/// The language of a page and the version that it is about, by its place in a site: numbers, or 0 if its place names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Edition {
    /// The language.
    pub language: u16,
    /// The version.
    pub version: u16,
    /// The product that has this version.
    pub product: u16,
}

impl Edition {
    /// Returns why pages of two editions are set apart, if they are.
    pub fn apart(self, other: Self) -> Option<Apart> {
        let differ = |a: u16, b: u16| a != b && a > 0 && b > 0;
        match () {
            () if self.product == other.product && differ(self.version, other.version) => {
                Some(Apart::Version)
            }
            () if differ(self.language, other.language) => Some(Apart::Language),
            () => None,
        }
    }
}

/// Why a pair is set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Apart {
    /// One of the two is a file of code or data.
    Code,
    /// They are pages about two versions.
    Version,
    /// They are pages in two languages.
    Language,
}

impl Apart {
    /// Returns it as reports name it: a word in lower case, which never changes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Version => "version",
            Self::Language => "language",
        }
    }
}

/// What decides whether a pair of a document is set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    is_code: bool,
    edition: Edition,
}

impl Place {
    /// Returns why a pair of two documents is set apart, if it is.
    pub fn apart(self, other: Self) -> Option<Apart> {
        match self.is_code || other.is_code {
            true => Some(Apart::Code),
            false => self.edition.apart(other.edition),
        }
    }
}

impl Document {
    /// Returns the document of this name and text. Where its fingerprint is must be set.
    pub fn new(name: String, facts: impl Into<Arc<Facts>>) -> Self {
        Self {
            name,
            facts: facts.into(),
            fingerprint_at: 0..0,
            is_code: false,
            is_reference: false,
            edition: Edition::default(),
        }
    }

    /// Returns its SimHash fingerprint; `None` if the detector is off.
    pub fn fingerprint(&self) -> Option<u64> {
        self.facts
            .fingerprint(&self.fingerprint_at)
            .first()
            .copied()
    }

    /// Returns what decides whether a pair of it is set apart.
    pub fn place(&self) -> Place {
        Place {
            is_code: self.is_code,
            edition: self.edition,
        }
    }

    /// Returns whether it has a tenth or more of all orders in which three of its terms can follow each other (as many as a shingle
    /// has, if that is more), or two of them, if it has [`REPEATED`] tokens or more for each distinct shingle. A set forgets how
    /// often a shingle comes, so that any other text of these few words has the same one. A passage that is repeated has few of the
    /// orders of its words. It is not known if no detector counts tokens.
    pub fn repeats(&self, options: &Options) -> bool {
        let size = u32::try_from(options.shingle_size.get()).unwrap_or(u32::MAX);
        // Any short text has many of the orders of two of its terms.
        let size = match self.tokens >= self.shingles.saturating_mul(REPEATED) {
            true => 2,
            false => size.max(3),
        };
        let orders = u64::from(self.terms).saturating_pow(size);
        // Shingles of letters and ideographs are more than the tokens, and tell nothing of the orders of these.
        orders > 0 && self.tokens >= self.shingles && u64::from(self.shingles) * ORDERS >= orders
    }

    /// Returns what is equal in two copies: the hash of its text, and of a few words that of its file.
    pub fn text(&self) -> (u64, u32) {
        (self.text_hash, self.sketches.source)
    }

    /// Returns a short document of this name, for examples and tests.
    pub fn sample(name: impl Into<String>) -> Self {
        let facts = Facts {
            length: 100,
            tokens: 20,
            terms: 15,
            shingles: 30,
            ..Facts::default()
        };
        Self::new(name.into(), facts)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn words_in_any_order_repeat() {
        let repeats_by = |size, tokens, terms, shingles| {
            let shingle_size = NonZeroUsize::new(size).unwrap();
            let options = Options {
                shingle_size,
                ..Options::default()
            };
            let mut document = Document::sample("a");
            (document.tokens, document.terms, document.shingles) = (tokens, terms, shingles);
            document.repeats(&options)
        };
        let repeats = |tokens, terms, shingles| repeats_by(3, tokens, terms, shingles);
        // A table of the numbers 0 to 2, 600 throws of dice, 200 words of seven, and texts of people.
        assert!(repeats(900, 3, 27) && repeats(600, 6, 203) && repeats(200, 7, 150));
        assert!(!repeats(30, 20, 28) && !repeats(400, 180, 390) && !repeats(20_000, 2_000, 19_000));
        // A table of twenty words in the orders of its columns, and passages that are repeated ten times.
        assert!(repeats(2_000, 20, 60) && !repeats(400, 35, 42) && !repeats(60_000, 1_500, 6_000));
        // Fifteen words in shingles of five, and dice; short pages, and throws of dice in shingles of two and one.
        assert!(!repeats_by(5, 400, 15, 390) && repeats_by(5, 1_000, 6, 950));
        assert!(!repeats_by(2, 100, 30, 95) && repeats_by(2, 100, 6, 36));
        assert!(!repeats_by(1, 100, 60, 60));
        // Five words in shingles of letters.
        assert!(!repeats(5, 5, 48));
        // No detector counted tokens.
        assert!(!repeats(0, 0, 27));
    }
}
