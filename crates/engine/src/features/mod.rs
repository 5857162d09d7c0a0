//! Features of documents: what they are, and the one function that makes them of a text.

pub mod bytes;
pub mod collection;
pub mod document;

use std::ops::Range;

use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::detect::options::{BRIEF, Options};
use crate::detect::{SignatureDetector, TermCounts};
use crate::fingerprint::shingles::Shingler;
use crate::fingerprint::sketch::{Sketches, WordFilter, prose_sketch};
use crate::fingerprint::terms::TermCounter;
use crate::run::{Error, Result};
use crate::text::blocks::BlockKind;
use crate::text::cutter::Cutter;
use crate::text::title::{Title, TitledText, series};

/// All that is kept of a document once its text is gone: hashes and lengths of the text, its shingle set, and its
/// signatures.
///
/// Features can be compared only if they were made with the same [`Options`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Features {
    /// The hashes, lengths and signatures.
    pub facts: Facts,
    /// The distinct shingles, in no order; empty if no detector asks for them.
    pub shingles: Vec<u64>,
}

impl Features {
    /// Checks that these are features of the detectors of the options.
    ///
    /// # Errors
    ///
    /// [`Error::FeaturesDiffer`] if they are not.
    pub fn check(&self, options: &Options) -> Result<()> {
        let differ = |name: &str, found: usize, expected: usize| {
            Err(Error::FeaturesDiffer {
                name: name.into(),
                found: found.to_string(),
                expected: expected.to_string(),
            })
        };
        let (found, expected) = (self.facts.signatures.len(), options.kept_signatures());
        if found != expected {
            return differ("a number of signatures of", found, expected);
        }
        if self.shingles.len() != self.facts.shingles as usize {
            return differ(
                "a number of shingles of",
                self.shingles.len(),
                self.facts.shingles as usize,
            );
        }
        Ok(())
    }

    /// Returns how many distinct shingles the document has; 0 if no detector needs them.
    pub fn shingles(&self) -> u32 {
        self.facts.shingles
    }

    /// Returns the distinct shingles, ascending; none if no detector needs them.
    pub fn sorted_shingles(&self) -> Vec<u64> {
        let mut shingles = self.shingles.clone();
        shingles.sort_unstable();
        shingles
    }

    /// Returns the SimHash fingerprint; `None` if the detector is off. `options` are those that the features were made with.
    pub fn fingerprint(&self, options: &Options) -> Option<u64> {
        let fingerprint = self.facts.fingerprint(&options.fingerprint_at());
        fingerprint.first().copied()
    }

    /// Returns how many tokens it has; 0 if no detector needs them.
    pub fn tokens(&self) -> u32 {
        self.facts.tokens
    }

    /// Returns how many distinct terms it has; 0 if no detector needs them.
    pub fn terms(&self) -> u32 {
        self.facts.terms
    }
}

/// What is kept of a document besides its shingle set.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Facts {
    /// The length of the normalised text in bytes. A run of white space counts as one byte.
    pub length: usize,
    /// A hash of the normalised text that does not depend on its white space.
    pub text_hash: u64,
    /// The same hash before Traditional characters were folded.
    pub unfolded_hash: u64,
    /// Its title.
    pub title: Title,
    /// The sketches of its prose and its title.
    pub sketches: Sketches,
    /// How many tokens the text has.
    pub tokens: u32,
    /// How many distinct terms it has.
    pub terms: u32,
    /// How many distinct shingles it has.
    pub shingles: u32,
    /// The signatures of all detectors of [`Options::signature_detectors`], in their order.
    pub signatures: Box<[u64]>,
    /// Whether it has a mark that a program wrote it.
    pub is_generated: bool,
}

impl Facts {
    /// Returns whether these may be facts of a document that was read with the options.
    pub fn are_of(&self, options: &Options) -> bool {
        let has_signatures = self.signatures.len() == options.kept_signatures();
        has_signatures && (self.shingles == 0 || options.detectors.need_shingles())
    }

    /// Returns the SimHash fingerprint, as one number or two; `at` is where it is in the signatures.
    fn fingerprint(&self, at: &Range<u8>) -> &[u64] {
        let at = usize::from(at.start)..usize::from(at.end);
        self.signatures.get(at).unwrap_or_default()
    }
}

/// Makes the features of one text after the other, in the same memory.
///
/// # Examples
///
/// ```
/// use dupfind_engine::{FeatureMaker, Options};
///
/// let mut maker = FeatureMaker::new(&Options::default());
/// let features = maker.features("one two three four").expect("there are words in it");
/// assert_eq!((features.shingles(), features.tokens()), (2, 4));
/// assert!(maker.features("...").is_none());
/// ```
#[derive(Debug)]
pub struct FeatureMaker {
    options: Options,
    cutter: Cutter,
    shingler: Shingler,
    detectors: Vec<Box<dyn SignatureDetector>>,
    counter: TermCounter,
    signatures: Vec<u64>,
    bytes: Vec<u8>,
    title: String,
}

/// How many bytes a buffer may keep after a huge document.
const KEEP_BYTES: usize = 4 << 20;

impl FeatureMaker {
    /// Returns a maker for these options. It loads jieba when a text needs it.
    pub fn new(options: &Options) -> Self {
        Self {
            options: options.clone(),
            cutter: Cutter::new(options.shingle_unit),
            shingler: Shingler::new(),
            detectors: options.signature_detectors(),
            counter: TermCounter::new(),
            signatures: Vec::new(),
            bytes: Vec::new(),
            title: String::new(),
        }
    }

    /// Returns the features of a text; `None` if the text has no letter, ideograph or digit.
    pub fn features<'t>(&mut self, text: impl Into<TitledText<'t>>) -> Option<Features> {
        let (facts, shingles) = self.features_keeping(text, &mut |set| set.to_vec())?;
        Some(Features { facts, shingles })
    }

    /// As [`Self::features`], but a text without a letter, ideograph or digit has empty features.
    pub fn features_of_any<'t>(&mut self, text: impl Into<TitledText<'t>>) -> Features {
        self.features(text).unwrap_or_else(|| {
            let mut features = Features::default();
            let Features { facts, shingles } = &mut features;
            if self.options.detectors.need_shingles() {
                *shingles = self.shingle(facts, &mut |set| set.to_vec());
            }
            self.weigh(facts);
            facts.signatures = self.taken_signatures();
            features
        })
    }

    /// Returns the facts of a text, and what `keep` returns for its shingle set; `None` if the text has no letter,
    /// ideograph or digit.
    pub(crate) fn features_keeping<'t, S: Default>(
        &mut self,
        text: impl Into<TitledText<'t>>,
        keep: &mut impl FnMut(&[u64]) -> S,
    ) -> Option<(Facts, S)> {
        let titled = text.into();
        let mut facts = Facts::default();
        let bytes = &mut self.bytes;
        let code = titled
            .layout
            .map(|layout| layout.blocks_of(&[BlockKind::Code], titled.text.len()));
        let code = code.unwrap_or_default();
        self.cutter
            .read_watched(titled.text, &code, |normal, is_folded| {
                facts.text_hash = text_hash(normal, bytes);
                if !is_folded {
                    facts.unfolded_hash = facts.text_hash;
                }
            });
        facts.length = self.bytes.len();
        if self.cutter.is_empty() {
            return None;
        }
        facts.title = titled.title(&mut self.title);
        facts.is_generated = titled.is_generated;

        let mut set = S::default();
        if self.options.detectors.need_shingles() {
            set = self.shingle(&mut facts, keep);
        }
        facts.sketches = self.sketches(&facts);
        let is_brief = (1..BRIEF).contains(&facts.shingles);
        facts.sketches.source = titled.source.filter(|_| is_brief).unwrap_or(0);
        self.weigh(&mut facts);
        facts.signatures = self.taken_signatures();
        self.cutter.give_back();
        self.bytes.shrink_to(KEEP_BYTES);
        Some((facts, set))
    }

    /// Returns the sketches of the current text.
    fn sketches(&self, facts: &Facts) -> Sketches {
        let mut sketches = Sketches {
            series: series(&self.title),
            ..facts.sketches.clone()
        };
        if facts.shingles > 0 {
            let prose = self.cutter.prose_units();
            sketches.prose = prose_sketch(&prose);
        }
        sketches
    }

    /// Makes the shingle set of the current text and its signatures. Returns what `keep` returns for the set.
    fn shingle<S>(&mut self, facts: &mut Facts, keep: &mut impl FnMut(&[u64]) -> S) -> S {
        let units = self.cutter.units();
        facts.sketches.words = WordFilter::of(units);
        let set = self.shingler.set(units, self.options.shingle_size);
        facts.shingles = u32::try_from(set.len()).expect("sizes are 32 bits wide");
        let kept = keep(set);
        for detector in &mut self.detectors {
            detector.sign_shingles(set, &mut self.signatures);
        }
        kept
    }

    /// Counts the terms of the current text, and makes their signatures.
    fn weigh(&mut self, facts: &mut Facts) {
        if !self.options.detectors.need_terms() {
            return;
        }
        let counter = &mut self.counter;
        counter.clear();
        self.cutter.tokens(|token| {
            counter.add(xxh3_64(token.as_bytes()));
        });
        facts.tokens = counter.tokens();
        facts.terms = u32::try_from(counter.terms().len()).unwrap_or(u32::MAX);
        let counts = TermCounts {
            terms: counter.terms(),
            tokens: facts.tokens,
        };
        for detector in &self.detectors {
            detector.sign_terms(counts, &mut self.signatures);
        }
    }

    /// Returns the signatures of the current text, and empties their buffer.
    fn taken_signatures(&mut self) -> Box<[u64]> {
        let signatures = self.signatures.as_slice().into();
        self.signatures.clear();
        signatures
    }
}

/// Returns a hash of a normalised text. Each run of white space counts as one space, and none counts at the ends. So
/// line ends, indents and wrapped lines make no difference. The hashed text is left in the buffer.
pub fn text_hash(text: &str, buffer: &mut Vec<u8>) -> u64 {
    buffer.clear();
    buffer.extend_from_slice(text.as_bytes());
    for byte in &mut *buffer {
        // From tab to carriage return. Normalisation has left no other white space.
        if matches!(*byte, 9..=13) {
            *byte = b' ';
        }
    }
    let spaces = |bytes: &[u8]| bytes.iter().take_while(|byte| **byte == b' ').count();
    // What is read next, and how much is kept of what is before it.
    let (mut from, mut kept) = (spaces(buffer), 0);
    let two_spaces = Finder::new(b"  ");
    while let Some(at) = two_spaces.find(&buffer[from..]) {
        let end = from + at + 1;
        buffer.copy_within(from..end, kept);
        kept += at + 1;
        from = end + spaces(&buffer[end..]);
    }
    buffer.copy_within(from.., kept);
    buffer.truncate(kept + buffer.len() - from);
    if buffer.last() == Some(&b' ') {
        buffer.pop();
    }
    xxh3_64(buffer)
}

/// Returns the hash of a text as [`Document::text_hash`](crate::features::Facts::text_hash) holds it.
pub fn hash_of_text(text: &str, options: &Options) -> u64 {
    let (mut hash, mut buffer) = (0, Vec::new());
    let mut cutter = Cutter::new(options.shingle_unit);
    cutter.read_watched(text, &[], |normal, _| hash = text_hash(normal, &mut buffer));
    hash
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::normalize::normalize;

    #[test]
    fn a_long_stretch_of_white_space_is_one_space() {
        let hash = |text: &str| text_hash(text, &mut Vec::new());
        let wide = format!("the{}park\u{b}opened", " ".repeat(99));
        assert_eq!(hash(&wide), hash("the park opened"));
        let other = normalize("the\u{2028}park\u{85}\u{1680}\u{3000}opened");
        assert_eq!(hash(&other), hash("the park opened"));
    }

    proptest! {
        #[test]
        fn it_is_the_hash_of_the_words_with_a_space_between_them(text in "([ \t\r\n\u{b}\u{c}]{0,3}[a字]{0,9}){0,30}") {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let mut hashed = Vec::new();
            let hash = text_hash(&text, &mut hashed);
            prop_assert_eq!(str::from_utf8(&hashed), Ok(words.as_str()));
            prop_assert_eq!(hash, xxh3_64(&hashed));
        }
    }
}
