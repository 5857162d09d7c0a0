//! Compares documents in tasks that need nothing of each other, on any number of machines.
//!
//! The features of documents go in. The outcome of a scan of all documents comes out, the same as on one machine. This
//! crate knows no scheduler, no report and no command line.
//!
//! ```text
//! documents ─> features ─> order ─┬─> tiles ──> task 1,1 ─> pairs ─┐
//! documents ─> features ─>        ├─> counts ─> task 1,2 ─> pairs ─┼─> outcome of a scan
//! documents ─> features ─>        └─> weights > task 2,2 ─> pairs ─┘
//! ```
//!
//! The shingle sets of all documents are ordered by size and cut into tiles. Each task joins two tiles, or one with itself.
//! So no task waits for another one, and a task that failed is run again alone.
//!
//! The Python package uses it for Spark. A task gets its tiles as bytes, and the scheduler moves them.
//!
//! # Rooms
//!
//! * `bytes`: the data that moves from step to step: documents with the keys that order their sets, numbers, pairs
//! * `cover`: the sets of all documents, their tiles, and the tasks that cover all pairs
//! * `tile`: the sets of a tile, how many sets have each shingle, and the weights of the sets
//! * `task`: joins two tiles
//! * `job`: the part of a job that is in one place: its documents as rows of a table, the order of the sets, their weights,
//!   the pairs; the outcome

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![warn(clippy::exit, clippy::print_stdout, clippy::print_stderr)]

mod bytes;
mod cover;
mod job;
mod task;
mod tile;

pub use bytes::{DocumentBytes, RankKey};
pub use cover::{Slice, Task};
pub use job::{Job, RowJob};
pub use task::{TaskOfJob, TileBytes, join_bytes};
pub use tile::{TileBuilder, merge_counts, weigh, weights_of_bytes, weights_to_bytes};

#[cfg(test)]
mod laws;
