//! Compares documents by tiles, in tasks that need nothing of each other, on any number of machines.
//!
//! ```text
//! documents ─> part ─┐                          ┌─> task 1,1 ─> pairs ─┐
//! documents ─> part ─┼─> freeze ─> frozen ─> K ─┼─> task 1,2 ─> pairs ─┼─> merge ─> outcome of a scan
//! documents ─> part ─┘                          └─> task 2,2 ─> pairs ─┘
//! ```
//!
//! The documents of all parts are ordered by the sizes of their shingle sets, and cut into K tiles. Each task joins two
//! tiles, or one with itself, and its pairs are a file. So no task waits for another one, and one that failed is run
//! again alone. The outcome is that of a scan of all documents.
//!
//! What all tasks must agree on is frozen before: the order of the sets, how many of them have each shingle, and the
//! pairs that signatures found. Every later file carries the number of what was frozen.
//!
//! * `part`: features on disk, with what a scan knows of their documents
//! * `order`: the documents of all parts in the order of their sets
//! * [`frozen`], [`freeze`]: what is frozen, and how it is made
//! * [`cover`]: the tiles, and the tasks that cover all pairs
//! * [`task`]: one task
//! * [`sizing`]: what a job of more documents costs
//! * [`joined_rows`]: what the same join costs in a database
//! * `pairs`: the file of pairs of a task
//! * [`rows`]: the same steps as pieces of bytes, for a scheduler that moves rows
//! * [`merge`], `outcome`: the outcome

pub mod cover;
pub mod freeze;
pub mod frozen;
pub mod joined_rows;
pub mod merge;
mod numbers;
mod order;
mod outcome;
mod pairs;
pub mod part;
pub mod rows;
pub mod sizing;
pub mod task;

#[cfg(test)]
mod laws;

use std::path::Path;

use crate::error::Error;

/// Returns the error of a file that cannot be used.
fn refused(path: &Path, reason: impl Into<String>) -> Error {
    Error::TileFile {
        path: path.to_owned(),
        reason: reason.into(),
    }
}
