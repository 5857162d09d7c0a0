//! One document from bytes to fingerprint and shingle set, in one pass by one worker.

use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use encoding_rs::Encoding;
use xxhash_rust::xxh3::xxh3_64;

use crate::document::SkipReason;
use crate::engine::detectors::Detector;
use crate::engine::stats::Steps;
use crate::engine::store::sets::{Blocks, Place, SetWriter};
use crate::fingerprint::idf::Idf;
use crate::fingerprint::shingles::Shingler;
use crate::fingerprint::simhash::{Width, another, hash_of_all, simhash, simhash_high};
use crate::fingerprint::super_shingle::SuperShingler;
use crate::fingerprint::terms::{TermCounter, Terms};
use crate::read::extract::front_matter::Wish;
use crate::read::format::Format;
use crate::read::source::walk::Entry;
use crate::read::{self, Ingested};
use crate::scan::ScanOptions;
use crate::text::han::Han;
use crate::text::normalize::normalize_into;
use crate::text::script::{Run, runs_into};
use crate::text::segmenter::Segmenter;
use crate::text::tokenize::{has_han, tokens};
use crate::text::units::{ShingleUnit, Unit, units_into};

/// What is known of a document after its pass.
#[derive(Debug, Default)]
pub(crate) struct Features {
    pub(crate) length: usize,
    pub(crate) text_hash: u64,
    pub(crate) unfolded_hash: u64,
    pub(crate) bytes: usize,
    pub(crate) format: Format,
    pub(crate) encoding: &'static str,
    pub(crate) replaced: bool,
    /// What it says to this program and nobody understands.
    pub(crate) unclear: Option<String>,
    pub(crate) fingerprint: Option<u64>,
    /// None if fingerprints have 64 bits.
    pub(crate) fingerprint_high: Option<u64>,
    pub(crate) tokens: u32,
    pub(crate) term_count: u32,
    /// Kept only if the weights depend on all documents; then the fingerprint is still to come.
    pub(crate) terms: Terms,
    /// Empty if the detector is off, as are those that follow.
    pub(crate) super_shingles: Box<[u64]>,
    pub(crate) i_match: Box<[u64]>,
    pub(crate) set: Place,
}

/// A document's way through the pass.
#[derive(Debug)]
pub(crate) enum Progress {
    /// It is done.
    Done(Features),
    /// Its words are still to be cut: jieba is being loaded. With the normalised text.
    Waiting(Features, String),
    /// It cannot be compared, and the system's words on it.
    Skipped(SkipReason, String),
}

/// What all workers share.
pub(crate) struct Shared<'s> {
    pub(crate) settings: &'s ScanOptions,
    pub(crate) segmenter: &'s Arc<Segmenter>,
    /// None if the weights depend on all documents.
    pub(crate) idf: Option<&'s Idf>,
    /// Whether the shingle sets are wanted, and not only their sizes.
    pub(crate) keeps_sets: bool,
}

/// One worker's buffers, used for one document after the other, and its clock.
#[derive(Debug)]
pub(crate) struct Worker<'b> {
    sets: SetWriter<'b>,
    bytes: Vec<u8>,
    text: String,
    words: Vec<u8>,
    runs: Vec<Run>,
    units: Vec<Unit>,
    shingler: Shingler,
    /// None before the first document that needs it.
    super_shingler: Option<SuperShingler>,
    hashes: Vec<u64>,
    counter: TermCounter,
    pub(crate) steps: Steps,
}

/// A buffer that one huge document has blown up beyond this is given back.
const KEEP_BYTES: usize = 4 << 20;

impl<'b> Worker<'b> {
    /// Returns a worker that writes its sets to these blocks.
    pub(crate) fn new(blocks: &'b Blocks) -> Self {
        Self {
            sets: SetWriter::new(blocks),
            bytes: Vec::new(),
            text: String::new(),
            words: Vec::new(),
            runs: Vec::new(),
            units: Vec::new(),
            shingler: Shingler::new(),
            super_shingler: None,
            hashes: Vec::new(),
            counter: TermCounter::new(),
            steps: Steps::default(),
        }
    }

    /// Takes a file and whether its document may be put off until jieba is there, and does what can
    /// be done now.
    pub(crate) fn file(&mut self, entry: &Entry, shared: &Shared<'_>, may_wait: bool) -> Progress {
        let mut clock = Clock::start();
        let mut bytes = std::mem::take(&mut self.bytes);
        let settings = &shared.settings.read;
        let read = read::file(&entry.path, entry.kind, settings, &mut bytes);
        clock.lap(&mut self.steps.read);
        let progress = match read {
            Err((reason, detail)) => Progress::Skipped(reason, detail),
            Ok(document) => self.text(document, shared, may_wait),
        };
        bytes.shrink_to(KEEP_BYTES);
        self.bytes = bytes;
        progress
    }

    /// Takes the text of a record, the encoding of its file and whether it may be put off until jieba is
    /// there, and does what can be done now.
    pub(crate) fn record(
        &mut self,
        text: Cow<'_, str>,
        encoding: &'static Encoding,
        shared: &Shared<'_>,
        may_wait: bool,
    ) -> Progress {
        let mut clock = Clock::start();
        let document = read::record(text, encoding, &shared.settings.read);
        clock.lap(&mut self.steps.read);
        self.text(document, shared, may_wait)
    }

    /// Normalises a document's text and goes on with it, unless it asks not to be compared.
    fn text(&mut self, document: Ingested<'_>, shared: &Shared<'_>, may_wait: bool) -> Progress {
        let unclear = match document.wish {
            None => None,
            Some(Wish::Ignore(reason)) => return Progress::Skipped(SkipReason::OptedOut, reason),
            Some(Wish::Unclear(said)) => Some(said),
        };
        let mut features = Features {
            bytes: document.bytes,
            format: document.format,
            encoding: document.encoding,
            replaced: document.is_repaired,
            unclear,
            ..Features::default()
        };
        let settings = shared.settings;
        let mut clock = Clock::start();
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        normalize_into(&document.text, Han::Kept, &mut text);
        features.unfolded_hash = text_hash(&text, &mut self.words);
        features.text_hash = features.unfolded_hash;
        if settings.engine.han.apply(&mut text, 0) {
            features.text_hash = text_hash(&text, &mut self.words);
        }
        runs_into(&text, &mut self.runs);
        features.length = self.words.len();
        clock.lap(&mut self.steps.text);

        let detectors = settings.engine.detectors;
        let words = settings.engine.shingle_unit == ShingleUnit::Word && detectors.need_shingles();
        let needs_jieba = detectors.need_terms() || words;
        let progress = if self.runs.is_empty() {
            Progress::Skipped(SkipReason::Empty, String::new())
        } else {
            if detectors.need_shingles() && !words {
                self.shingle(&text, shared, &mut features, &mut clock);
            }
            let is_missing = needs_jieba && !shared.segmenter.is_ready() && has_han(&self.runs);
            if is_missing {
                shared.segmenter.request();
            }
            if is_missing && may_wait {
                Progress::Waiting(features, text.as_str().into())
            } else {
                self.cut(&mut features, &text, shared);
                Progress::Done(features)
            }
        };
        self.text = text;
        self.give_back();
        progress
    }

    /// Takes a document whose words are still to be cut, and its normalised text, and does the rest.
    pub(crate) fn finish(&mut self, features: &mut Features, text: &str, shared: &Shared<'_>) {
        runs_into(text, &mut self.runs);
        self.cut(features, text, shared);
    }

    /// Does what needs words, for the document whose runs are at hand.
    fn cut(&mut self, features: &mut Features, text: &str, shared: &Shared<'_>) {
        let settings = shared.settings;
        let mut clock = Clock::start();
        if settings.engine.detectors.need_shingles()
            && settings.engine.shingle_unit == ShingleUnit::Word
        {
            self.shingle(text, shared, features, &mut clock);
        }
        if !settings.engine.detectors.need_terms() {
            return;
        }
        self.counter.clear();
        tokens(text, &self.runs, shared.segmenter, |token| {
            self.counter.add(xxh3_64(token.as_bytes()));
        });
        features.tokens = self.counter.tokens();
        features.term_count = u32::try_from(self.counter.terms().len()).unwrap_or(u32::MAX);
        clock.lap(&mut self.steps.tokenize);
        match shared.idf {
            Some(idf) => {
                let (tokens, size) = (features.tokens, settings.engine.shingle_size);
                let terms = self.counter.terms();
                if settings.engine.detectors.have(Detector::Simhash) {
                    let width = settings.engine.simhash_width;
                    let (lower, upper) = fingerprint(terms, tokens, size, idf, width);
                    (features.fingerprint, features.fingerprint_high) = (Some(lower), upper);
                }
                if settings.engine.detectors.have(Detector::IMatch) {
                    self.hashes.clear();
                    settings
                        .engine
                        .i_match
                        .hash_into(terms, idf, &mut self.hashes);
                    features.i_match = self.hashes.as_slice().into();
                }
            }
            None => features.terms = self.counter.terms().to_vec(),
        }
        clock.lap(&mut self.steps.simhash);
    }

    fn shingle(
        &mut self,
        text: &str,
        shared: &Shared<'_>,
        features: &mut Features,
        clock: &mut Clock,
    ) {
        let settings = shared.settings;
        self.units.clear();
        units_into(
            text,
            &self.runs,
            settings.engine.shingle_unit,
            shared.segmenter,
            &mut self.units,
        );
        let set = self.shingler.set(&self.units, settings.engine.shingle_size);
        features.set = if shared.keeps_sets {
            self.sets.write(set)
        } else {
            Place::nowhere(set)
        };
        if settings.engine.detectors.have(Detector::SuperShingle) {
            let new = || SuperShingler::new(settings.engine.super_shingles);
            self.hashes.clear();
            let shingler = self.super_shingler.get_or_insert_with(new);
            shingler.append(set, &mut self.hashes);
            features.super_shingles = self.hashes.as_slice().into();
        }
        clock.lap(&mut self.steps.shingle);
    }

    /// Gives back what one huge document has blown the buffers up to.
    fn give_back(&mut self) {
        self.text.shrink_to(KEEP_BYTES);
        self.words.shrink_to(KEEP_BYTES);
        self.runs.shrink_to(KEEP_BYTES / size_of::<Run>());
        self.units.shrink_to(KEEP_BYTES / size_of::<Unit>());
    }
}

/// Takes a document's terms, its number of tokens, the number of units in a shingle, the weights and the width
/// of a fingerprint; returns its fingerprint, and the upper half of one of 128 bits.
///
/// A document of fewer tokens than a shingle has units gets a hash of all its terms, so that it matches
/// its equals only, as it does by its one shingle.
pub(crate) fn fingerprint(
    terms: &[(u64, u32)],
    tokens: u32,
    shingle_size: NonZeroUsize,
    idf: &Idf,
    width: Width,
) -> (u64, Option<u64>) {
    let is_short = (tokens as usize) < shingle_size.get();
    let lower = if is_short {
        hash_of_all(terms)
    } else {
        simhash(terms, idf)
    };
    let upper = (width == Width::Bits128).then(|| {
        if is_short {
            another(lower)
        } else {
            simhash_high(terms, idf)
        }
    });
    (lower, upper)
}

/// White space that the standard library's ASCII does not know of.
const VERTICAL_TAB: u8 = 0x0b;

/// How many bytes are looked at together for white space.
const STRETCH: usize = 32;

/// Takes a normalised text and a buffer, in which it leaves the text; returns a hash of the text in which all white space is the same
/// and none counts at the ends, so that line ends, indents and wrapped lines make no difference.
pub(crate) fn text_hash(text: &str, buffer: &mut Vec<u8>) -> u64 {
    buffer.clear();
    // Normalisation has left no other white space. In Chinese most stretches have none, and
    // looking for it in one of a fixed length takes a few instructions.
    for stretch in text.as_bytes().chunks(STRETCH) {
        let has_space = stretch
            .iter()
            .fold(false, |has, &byte| has | (byte <= b' '));
        if !has_space {
            buffer.extend_from_slice(stretch);
            continue;
        }
        for &byte in stretch {
            if !byte.is_ascii_whitespace() && byte != VERTICAL_TAB {
                buffer.push(byte);
            } else if buffer.last().is_some_and(|&last| last != b' ') {
                buffer.push(b' ');
            }
        }
    }
    if buffer.last() == Some(&b' ') {
        buffer.pop();
    }
    xxh3_64(buffer)
}

/// Measures one step after the other.
struct Clock(Instant);

impl Clock {
    fn start() -> Self {
        Self(Instant::now())
    }

    /// Adds the time since the last lap to a step.
    fn lap(&mut self, step: &mut Duration) {
        let now = Instant::now();
        *step += now - self.0;
        self.0 = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normalize::normalize;

    #[test]
    fn white_space_makes_no_other_text() {
        let hash = |text: &str| text_hash(text, &mut Vec::new());
        let words = "the old park by the river opened to the public 河边的老公园三十年前向市民开放";
        for other in [
            words.replace(' ', "\n"),
            words.replace(' ', " \r\n\t "),
            format!("  {words}\n\n"),
            words.replace(' ', "\u{b}"),
            normalize(&words.replace(' ', "\u{2028}\u{85}\u{1680}\u{3000}")),
            words.replace("the ", &format!("the{}", " ".repeat(2 * STRETCH))),
        ] {
            assert_eq!(hash(&other), hash(words), "{other:?}");
        }
        for other in [
            words.replace("the ", "the"),
            words.replace("old", "odd"),
            String::new(),
        ] {
            assert_ne!(hash(&other), hash(words), "{other:?}");
        }
        assert_eq!(hash(" \n"), hash(""));
    }
}
