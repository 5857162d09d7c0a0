//! The data about a document in an index, besides its shingles and signatures.

use encoding_rs::{Encoding, UTF_8};

use dupfind_engine::features::Facts;
use dupfind_engine::features::bytes::{bytes, push_varint, value, varint};
use dupfind_engine::features::bytes::{push_sketches, push_title, take_sketches, take_title};
use dupfind_read::format::Format;

/// A document of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDocument {
    /// Its name in reports.
    pub name: String,
    /// Its facts. The signatures are kept elsewhere.
    pub facts: Facts,
    /// A hash of the bytes it was read from.
    pub content: u128,
    /// Where its text comes from.
    pub origin: Origin,
}

/// Where the text of a document comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Its name before names that several records have are distinguished; `None` if it is the same.
    pub own_name: Option<String>,
    /// The number of a record, from 1; 0 for a document that is no record.
    pub record: u64,
    /// The lines of a record, from 1; 0 for a document that is no record.
    pub lines: (u64, u64),
    /// Whether it is a record with an id of its own.
    pub has_id: bool,
    /// How many bytes were read for it.
    pub bytes: u64,
    /// The format it was read as.
    pub format: Format,
    /// The name of the encoding it was decoded from.
    pub encoding: &'static str,
    /// Whether bytes that are invalid in that encoding were replaced.
    pub is_repaired: bool,
}

impl Origin {
    /// Returns the origin of a text that was read from no file.
    pub(crate) fn of_text(text: &str) -> Self {
        Self {
            own_name: None,
            record: 0,
            lines: (0, 0),
            has_id: false,
            bytes: text.len() as u64,
            format: Format::Text,
            encoding: UTF_8.name(),
            is_repaired: false,
        }
    }
}

pub(crate) fn push_text(out: &mut Vec<u8>, text: &str) {
    push_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

pub(crate) fn text<'b>(rest: &mut &'b [u8]) -> Option<&'b str> {
    let length = usize::try_from(varint(rest)?).ok()?;
    std::str::from_utf8(bytes(rest, length)?).ok()
}

/// Appends a hash of 128 bits.
pub(crate) fn push_hash(out: &mut Vec<u8>, hash: u128) {
    out.extend_from_slice(&hash.to_le_bytes());
}

/// Takes a hash of 128 bits off the front.
pub(crate) fn hash(rest: &mut &[u8]) -> Option<u128> {
    Some(u128::from_le_bytes(bytes(rest, 16)?.try_into().ok()?))
}

/// The parts that only some documents have, as bits.
const OWN_NAME: u8 = 1;
const HAS_ID: u8 = 2;
const REPAIRED: u8 = 4;
const RECORD: u8 = 8;
const FOLDED: u8 = 16;
const GENERATED: u8 = 32;

impl KeptDocument {
    /// Appends the document in the form that is kept on disk.
    pub(crate) fn push(&self, out: &mut Vec<u8>) {
        let Self {
            name,
            facts,
            content,
            origin,
        } = self;
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let is_folded = facts.text_hash != facts.unfolded_hash;
        out.push(
            flag(origin.own_name.is_some(), OWN_NAME)
                | flag(origin.has_id, HAS_ID)
                | flag(origin.is_repaired, REPAIRED)
                | flag(origin.record > 0, RECORD)
                | flag(is_folded, FOLDED)
                | flag(facts.is_generated, GENERATED),
        );
        push_text(out, name);
        for number in [facts.length as u64, facts.tokens.into(), facts.terms.into()] {
            push_varint(out, number);
        }
        out.extend_from_slice(&facts.text_hash.to_le_bytes());
        if is_folded {
            out.extend_from_slice(&facts.unfolded_hash.to_le_bytes());
        }
        push_title(out, &facts.title);
        push_sketches(out, &facts.sketches);
        push_hash(out, *content);
        push_varint(out, origin.bytes);
        push_text(out, origin.format.as_str());
        push_text(out, origin.encoding);
        if origin.record > 0 {
            for number in [origin.record, origin.lines.0, origin.lines.1] {
                push_varint(out, number);
            }
        }
        if let Some(name) = &origin.own_name {
            push_text(out, name);
        }
    }

    /// Takes a document off the front; `None` if it is damaged. `shingles` and `signatures` are kept elsewhere.
    pub(crate) fn take(rest: &mut &[u8], shingles: u32, signatures: &[u64]) -> Option<Self> {
        let flags = bytes(rest, 1)?[0];
        let has = |bit: u8| flags & bit != 0;
        let name = text(rest)?.to_owned();
        let length = usize::try_from(varint(rest)?).ok()?;
        let tokens = u32::try_from(varint(rest)?).ok()?;
        let terms = u32::try_from(varint(rest)?).ok()?;
        let text_hash = value(rest)?;
        let unfolded_hash = if has(FOLDED) { value(rest)? } else { text_hash };
        let title = take_title(rest)?;
        let sketches = take_sketches(rest)?;
        let content = hash(rest)?;
        let bytes = varint(rest)?;
        let format = text(rest)?;
        let is_pre = format == Format::Pre.as_str();
        let format = if is_pre {
            Format::Pre
        } else {
            Format::named(format)?
        };
        let encoding = Encoding::for_label(text(rest)?.as_bytes())?.name();
        let (mut record, mut lines) = (0, (0, 0));
        if has(RECORD) {
            record = varint(rest)?;
            lines = (varint(rest)?, varint(rest)?);
        }
        let own_name = match has(OWN_NAME) {
            true => Some(text(rest)?.to_owned()),
            false => None,
        };
        Some(Self {
            name,
            facts: Facts {
                length,
                text_hash,
                unfolded_hash,
                title,
                sketches,
                tokens,
                terms,
                shingles,
                signatures: signatures.into(),
                is_generated: has(GENERATED),
            },
            content,
            origin: Origin {
                own_name,
                record,
                lines,
                has_id: has(HAS_ID),
                bytes,
                format,
                encoding,
                is_repaired: has(REPAIRED),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_engine::text::title::Title;

    #[test]
    fn documents_come_back() {
        let mut all = Vec::new();
        let plain = KeptDocument {
            name: "docs/城市.md".into(),
            facts: Facts {
                length: 900,
                text_hash: 5,
                unfolded_hash: 5,
                title: Title {
                    hash: 8,
                    shown: "城市".into(),
                },
                sketches: dupfind_engine::fingerprint::sketch::Sketches::default(),
                tokens: 70,
                terms: 60,
                shingles: 4,
                signatures: [9].into(),
                is_generated: false,
            },
            content: u128::MAX - 3,
            origin: Origin::of_text("four"),
        };
        let mut record = plain.clone();
        record.facts.unfolded_hash = 6;
        record.facts.is_generated = true;
        record.origin = Origin {
            own_name: Some("x.jsonl#1".into()),
            record: 7,
            lines: (8, 9),
            has_id: true,
            bytes: 3,
            format: Format::Pre,
            encoding: "GBK",
            is_repaired: true,
        };
        plain.push(&mut all);
        record.push(&mut all);
        let mut rest = all.as_slice();
        assert_eq!(KeptDocument::take(&mut rest, 4, &[9]), Some(plain));
        assert_eq!(KeptDocument::take(&mut rest, 4, &[9]), Some(record));
        assert!(rest.is_empty());
        for end in 0..all.len() - 1 {
            let mut rest = &all[..end];
            let first = KeptDocument::take(&mut rest, 4, &[9]);
            assert!(first.is_none() || KeptDocument::take(&mut rest, 4, &[9]).is_none());
        }
    }
}
