//! The output of `dupfind show --as fingerprint`: one document a line.

use std::io::{self, Write};

use serde::Serialize;

use crate::formats::jsonl::write_line;
use dupfind_engine::Document;
use dupfind_scan::{Source, Sources};

/// One document.
#[derive(Debug, Serialize)]
struct FingerprintRecord<'r> {
    /// Its name.
    path: &'r str,
    /// The SimHash: 16 hexadecimal digits of one with 64 bits, 32 of one with 128 bits.
    fingerprint: String,
    /// How many tokens it has.
    tokens: u32,
    /// How many distinct terms.
    terms: u32,
    /// How many distinct shingles.
    shingles: u32,
    /// The format of its file.
    format: &'static str,
    /// The encoding it was decoded from.
    encoding: &'static str,
}

impl<'r> FingerprintRecord<'r> {
    fn new(document: &'r Document, source: &Source) -> Self {
        let upper = document.fingerprint_high();
        let upper = upper.map_or(String::new(), |upper| format!("{upper:016x}"));
        let lower = document.fingerprint().unwrap_or_default();
        Self {
            path: &document.name,
            fingerprint: format!("{upper}{lower:016x}"),
            tokens: document.tokens,
            terms: document.terms,
            shingles: document.shingles,
            format: source.format.as_str(),
            encoding: source.encoding,
        }
    }
}

/// Writes one JSON object a line for each document.
pub fn write_fingerprints_jsonl(
    documents: &[Document],
    sources: &Sources,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (document, source) in documents.iter().zip(&sources.documents) {
        write_line(&FingerprintRecord::new(document, source), &mut *out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::canned;
    use dupfind_scan::Scan;

    #[test]
    fn one_line_a_document() {
        let Scan {
            documents, sources, ..
        } = canned().outcome;
        let mut out = Vec::new();
        write_fingerprints_jsonl(&documents[..2], &sources, &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let expected = "{\"path\":\"docs/a.md\",\"fingerprint\":\"00000000000000ab\",\
             \"tokens\":20,\"terms\":15,\"shingles\":30,\"format\":\"text\",\"encoding\":\"UTF-8\"}";
        assert_eq!(lines.lines().next().unwrap(), expected);
        assert_eq!(lines.lines().count(), 2);
    }
}
