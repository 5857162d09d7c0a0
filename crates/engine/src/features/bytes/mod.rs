//! The bytes of features, for an index and for the tasks of a job.
//!
//! All numbers are little-endian. A *varint* has seven bits in each byte, the lowest first, and the top bit set in
//! all bytes but the last. The facts of a document are, in this order:
//!
//! * the length of its text (varint)
//! * the hash of its text, and the hash before Traditional characters were folded (8 bytes each)
//! * whether it has a mark that a program wrote it (1 byte)
//! * the hash of its title, or 0 (8 bytes), and its beginning (a varint length and bytes)
//! * the sketches of its letters and its prose (each a varint length and bytes), and the hash of the letters of its title
//!   (a varint)
//! * the numbers of its tokens, terms and shingles (varints)
//! * its signatures (varint count, 8 bytes each)
//!
//! Its set has the shingles, ascending, as varint differences.

pub mod document;
mod identity;
pub mod numbers;

pub use identity::Identity;
