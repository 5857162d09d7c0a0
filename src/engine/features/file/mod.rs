//! Features on disk, in a binary form of which every part has a checksum.
//!
//! All numbers are little-endian. A *varint* has seven bits in each byte, the lowest first, and the top bit set in
//! all bytes but the last.
//!
//! | part | bytes | what it is |
//! |---|---|---|
//! | mark | 8 | `dupfeat\n` |
//! | version | 4 | the version of this form, now 1 |
//! | length of the identity | 4 | in bytes |
//! | identity | | lines `name=value`: every option that changes a feature, in the order of [`Identity`] |
//! | checksum | 8 | XXH3 of all before it |
//! | blocks | | each one block of documents |
//! | end | 20 | a block without documents |
//!
//! A block:
//!
//! | part | bytes | what it is |
//! |---|---|---|
//! | length | 4 | of the documents of the block together, in bytes |
//! | documents | 4 | how many there are |
//! | documents before | 4 | how many all blocks before have |
//! | checksum | 8 | XXH3 of the three numbers and the documents |
//! | documents | | one after the other |
//!
//! A document: its name (varint length, UTF-8); the length of its text (varint); the hash of its text and the one
//! before folding (8 bytes each); the numbers of its tokens, terms and shingles (varints); its signatures (varint
//! count, 8 bytes each); if weights depend on all documents, its terms (varint count, then the 8 bytes of a hash
//! and a varint number of occurrences for each); and its shingles, ascending, as varint differences.

mod identity;
mod reader;
mod writer;

pub use identity::Identity;
pub use reader::FeaturesReader;
pub use writer::FeaturesWriter;

/// What a file begins with.
const MARK: [u8; 8] = *b"dupfeat\n";

/// The version of the form.
const VERSION: u32 = 1;

/// How long an identity is at most, in bytes.
const LONGEST_IDENTITY: u32 = 1 << 16;

/// How long the documents of a block are at least before the next one begins, in bytes.
const BLOCK: usize = 1 << 20;

/// How long the documents of a block are at most, in bytes. One document alone may be this long.
const LONGEST_BLOCK: u32 = 1 << 31;

#[cfg(test)]
mod tests;
