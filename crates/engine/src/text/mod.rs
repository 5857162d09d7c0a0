//! Text in, pieces out: normalising, units, tokens. Nothing here reads a file or keeps state
//! between documents.

mod alike;
pub mod blocks;
pub mod cutter;
pub mod han;
pub(crate) mod lexicon;
pub mod normalize;
pub mod origin;
pub mod script;
pub mod title;
pub mod tokenize;
pub mod units;
