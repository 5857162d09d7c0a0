//! The data about a document in an index, besides its shingles.

use encoding_rs::{Encoding, UTF_8};
use xxhash_rust::xxh3::xxh3_128;

use dupfind_engine::features::Facts;
use dupfind_engine::features::bytes::{DocumentForm, bytes, push_varint, varint};
use dupfind_read::format::Format;

/// Returns the hash of a shingle set, whatever the order of its shingles.
pub(crate) fn set_hash(set: &[u64]) -> u128 {
    let hashes = set.iter().map(|shingle| xxh3_128(&shingle.to_le_bytes()));
    hashes.fold(0, u128::wrapping_add)
}

/// A document of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDocument {
    /// The number of the file it was read from; 0 for none.
    pub file: u32,
    /// Its name in reports.
    pub name: String,
    /// Its facts.
    pub facts: Facts,
    /// A hash of its shingle set.
    pub(crate) set: u128,
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

impl KeptDocument {
    /// Appends the document in the form that is kept on disk.
    pub(crate) fn push(&self, form: DocumentForm, out: &mut Vec<u8>) {
        let Self {
            file,
            name,
            facts,
            set,
            content,
            origin,
        } = self;
        push_varint(out, (*file).into());
        push_text(out, name);
        form.push_facts(out, facts);
        push_hash(out, *set);
        push_hash(out, *content);
        push_text(out, origin.own_name.as_deref().unwrap_or(name));
        for number in [origin.record, origin.lines.0, origin.lines.1, origin.bytes] {
            push_varint(out, number);
        }
        out.extend([origin.has_id, origin.is_repaired].map(u8::from));
        push_text(out, origin.format.as_str());
        push_text(out, origin.encoding);
    }

    /// Takes a document off the front; `None` if it is damaged.
    pub(crate) fn take(form: DocumentForm, rest: &mut &[u8]) -> Option<Self> {
        let file = u32::try_from(varint(rest)?).ok()?;
        let name = text(rest)?.to_owned();
        let facts = form.facts(rest)?;
        let set = hash(rest)?;
        let content = hash(rest)?;
        let own_name = Some(text(rest)?.to_owned()).filter(|own| *own != name);
        let record = varint(rest)?;
        let lines = (varint(rest)?, varint(rest)?);
        let read = varint(rest)?;
        let mut flag = || Some(bytes(rest, 1)?[0] != 0);
        let (has_id, is_repaired) = (flag()?, flag()?);
        let format = text(rest)?;
        let is_pre = format == Format::Pre.as_str();
        let format = if is_pre {
            Format::Pre
        } else {
            Format::named(format)?
        };
        let encoding = Encoding::for_label(text(rest)?.as_bytes())?.name();
        Some(Self {
            file,
            name,
            facts,
            set,
            content,
            origin: Origin {
                own_name,
                record,
                lines,
                has_id,
                bytes: read,
                format,
                encoding,
                is_repaired,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dupfind_engine::Options;
    use dupfind_engine::text::title::Title;

    #[test]
    fn documents_come_back() {
        let mut all = Vec::new();
        let form = DocumentForm::new(&Options::default());
        let plain = KeptDocument {
            file: 7,
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
            set: 77,
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
        plain.push(form, &mut all);
        record.push(form, &mut all);
        let mut rest = all.as_slice();
        assert_eq!(KeptDocument::take(form, &mut rest), Some(plain));
        assert_eq!(KeptDocument::take(form, &mut rest), Some(record));
        assert!(rest.is_empty());
        for end in 0..all.len() - 1 {
            let mut rest = &all[..end];
            let first = KeptDocument::take(form, &mut rest);
            assert!(first.is_none() || KeptDocument::take(form, &mut rest).is_none());
        }
    }
}
