//! Features on disk, in a binary form. Every part of it has a checksum.
//!
//! All numbers are little-endian. A *varint* has seven bits in each byte, the lowest first, and the top bit set in
//! all bytes but the last.
//!
//! | part | bytes | content |
//! |---|---|---|
//! | mark | 8 | `dupfeat\n` |
//! | version | 4 | the version of this form: `VERSION` |
//! | length of the identity | 4 | in bytes |
//! | identity | | lines `name=value`: every option that changes a feature, in the order of [`Identity`] |
//! | checksum | 8 | XXH3 of all bytes before it |
//! | blocks | | one after the other |
//! | end | 20 | a block without documents |
//!
//! A block:
//!
//! | part | bytes | content |
//! |---|---|---|
//! | length | 4 | of the documents of the block together, in bytes |
//! | documents | 4 | how many there are |
//! | documents before | 4 | how many documents all blocks before have |
//! | checksum | 8 | XXH3 of the three numbers and the documents |
//! | documents | | one after the other |
//!
//! A document has, in this order:
//!
//! * its name (varint length, UTF-8)
//! * the length of its text (varint)
//! * the hash of its text, and the hash before Traditional characters were folded (8 bytes each)
//! * the hash of its title, or 0 (8 bytes)
//! * the sketches of its letters and its prose (each a varint length and bytes), and the hash of the letters of its title
//!   (a varint)
//! * the numbers of its tokens, terms and shingles (varints)
//! * its signatures (varint count, 8 bytes each)
//! * its shingles, ascending, as varint differences

pub mod document;
mod identity;
pub mod numbers;
mod reader;
mod writer;

pub use identity::Identity;
pub use reader::FeaturesReader;
pub use writer::FeaturesWriter;

/// The first bytes of a file.
const MARK: [u8; 8] = *b"dupfeat\n";

/// The version of the form.
const VERSION: u32 = 4;

/// The largest length of an identity, in bytes.
const LONGEST_IDENTITY: u32 = 1 << 16;

/// The length of the documents of a block from which the next block begins, in bytes.
const BLOCK: usize = 1 << 20;

/// The largest length of the documents of a block, in bytes. One document alone may be this long.
const LONGEST_BLOCK: u32 = 1 << 31;

#[cfg(test)]
mod tests;
