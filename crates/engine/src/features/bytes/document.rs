//! The bytes of one document: its facts, and its shingle set.

use crate::detect::options::Options;
use crate::features::Facts;
use crate::features::bytes::numbers::{bytes, push_varint, value, varint};
use crate::fingerprint::sketch::{Sketch, Sketches};
use crate::text::title::Title;

/// The parts that the bytes of documents have with some options.
#[derive(Debug, Clone, Copy)]
pub struct DocumentForm {
    signatures: usize,
    has_shingles: bool,
}

impl DocumentForm {
    /// Returns the form of documents whose features are made with these options.
    pub fn new(options: &Options) -> Self {
        Self {
            signatures: options.kept_signatures(),
            has_shingles: options.detectors.need_shingles(),
        }
    }

    /// Appends the facts of a document.
    pub fn push_facts(self, out: &mut Vec<u8>, facts: &Facts) {
        push_varint(out, facts.length);
        out.extend_from_slice(&facts.text_hash.to_le_bytes());
        out.extend_from_slice(&facts.unfolded_hash.to_le_bytes());
        out.push(facts.is_generated.into());
        push_title(out, &facts.title);
        push_sketches(out, &facts.sketches);
        for number in [facts.tokens, facts.terms, facts.shingles] {
            push_varint(out, number.into());
        }
        push_varint(out, facts.signatures.len() as u64);
        for value in &facts.signatures {
            out.extend_from_slice(&value.to_le_bytes());
        }
    }

    /// Takes the facts of a document off the front; `None` if they are damaged, or were made with other options.
    pub fn facts(self, rest: &mut &[u8]) -> Option<Facts> {
        let length = varint(rest)?;
        let text_hash = value(rest)?;
        let unfolded_hash = value(rest)?;
        let is_generated = bytes(rest, 1)?[0] != 0;
        let title = take_title(rest)?;
        let sketches = take_sketches(rest)?;
        let mut count = || u32::try_from(varint(rest)?).ok();
        let (tokens, terms, shingles) = (count()?, count()?, count()?);
        let signatures = usize::try_from(varint(rest)?).ok()?;
        if signatures != self.signatures || (shingles > 0 && !self.has_shingles) {
            return None;
        }
        let signatures = (0..signatures).map(|_| value(rest));
        let signatures = signatures.collect::<Option<Box<[u64]>>>()?;
        Some(Facts {
            length,
            text_hash,
            unfolded_hash,
            title,
            sketches,
            tokens,
            terms,
            shingles,
            signatures,
            is_generated,
        })
    }
}

/// Appends the title of a document.
pub fn push_title(out: &mut Vec<u8>, title: &Title) {
    out.extend_from_slice(&title.hash.to_le_bytes());
    push_varint(out, title.shown.len() as u64);
    out.extend_from_slice(title.shown.as_bytes());
}

/// Takes the title of a document off the front; `None` if it is damaged.
pub fn take_title(rest: &mut &[u8]) -> Option<Title> {
    let hash = value(rest)?;
    let length = usize::try_from(varint(rest)?).ok()?;
    let shown = std::str::from_utf8(bytes(rest, length)?).ok()?.into();
    Some(Title { hash, shown })
}

/// Appends the sketches of a document.
pub fn push_sketches(out: &mut Vec<u8>, sketches: &Sketches) {
    for bytes in [sketches.letters.bytes(), sketches.prose.bytes()] {
        push_varint(out, bytes.len() as u64);
        out.extend_from_slice(bytes);
    }
    push_varint(out, sketches.series.into());
}

/// Takes the sketches of a document off the front; `None` if they are damaged.
pub fn take_sketches(rest: &mut &[u8]) -> Option<Sketches> {
    let mut next = || {
        let length = usize::try_from(varint(rest)?).ok()?;
        bytes(rest, length)
    };
    Some(Sketches {
        letters: Sketch::from_bytes(next()?)?,
        prose: Sketch::from_bytes(next()?)?,
        series: u32::try_from(varint(rest)?).ok()?,
    })
}

/// Appends the numbers of a set, which are distinct, in ascending order.
pub fn push_set(out: &mut Vec<u8>, set: &[u64]) {
    let mut sorted = set.to_vec();
    sorted.sort_unstable();
    let mut last = 0;
    for number in sorted {
        push_varint(out, number - last);
        last = number;
    }
}

/// Takes a set of so many numbers off the front, and appends the numbers to `set`, ascending. Returns `None` if it is
/// damaged.
pub fn take_set(rest: &mut &[u8], size: u32, set: &mut Vec<u64>) -> Option<()> {
    set.reserve((size as usize).min(rest.len()));
    let mut last = 0_u64;
    for at in 0..size {
        let difference = varint(rest)?;
        if at > 0 && difference == 0 {
            return None;
        }
        last = last.checked_add(difference)?;
        set.push(last);
    }
    Some(())
}
