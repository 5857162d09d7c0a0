//! What `dupfind features --format jsonl` prints: the shingle set of each document, for databases.

use std::io::{self, Write};

use serde::Serialize;

use crate::report::machine::jsonl::write_line;

/// One document.
#[derive(Debug, Serialize)]
struct ShingleSetRecord<'r> {
    /// Its name.
    id: &'r str,
    /// How many distinct shingles it has.
    size: usize,
    /// The shingles. Each is a number of 64 bits with a sign, because SQL has no other integers that every database
    /// knows: those from 2^63 on are 2^64 less.
    shingles: Vec<i64>,
}

/// Writes one JSON object for a document.
pub(crate) fn write_shingle_set(
    name: &str,
    shingles: &[u64],
    out: &mut dyn Write,
) -> io::Result<()> {
    let with_sign = shingles.iter().map(|shingle| shingle.cast_signed());
    let record = ShingleSetRecord {
        id: name,
        size: shingles.len(),
        shingles: with_sign.collect(),
    };
    write_line(&record, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shingles_are_integers_of_a_database() {
        let mut out = Vec::new();
        write_shingle_set("a \"b\"", &[0, 7, 1 << 63, u64::MAX], &mut out).unwrap();
        write_shingle_set("none", &[], &mut out).unwrap();
        let expected = "{\"id\":\"a \\\"b\\\"\",\"size\":4,\"shingles\":[0,7,-9223372036854775808,-1]}\n\
                        {\"id\":\"none\",\"size\":0,\"shingles\":[]}\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
