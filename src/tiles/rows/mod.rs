//! The steps of a job as pieces of bytes, for a scheduler that moves rows, such as Spark.
//!
//! ```text
//! text ─> row ─┬─> driver: order of the sets, tiles ──────────────────────┐
//!              └─> sets of a tile ─┬─> counts of a stretch of hashes ─┐   │
//!                                  ├─> weights of the sets <──────────┤   │
//!                                  └─> task: two tiles <──────────────┴───┤
//!                                        └─> pairs ─> driver: the outcome of a scan
//! ```
//!
//! Nothing but the facts of documents, the order of their sets and the pairs comes to one place: no step has more of the
//! sets than two tiles have.
//!
//! * [`document`]: the row of a document
//! * [`tile`]: the sets of a tile, and how many of them have each shingle
//! * [`frequencies`]: how many of all sets have each shingle, for one stretch of hashes
//! * [`task`]: joins two tiles
//! * [`job`]: what the driver knows
//! * `slices`: tasks that take too long are cut

pub mod document;
pub mod frequencies;
pub mod job;
mod slices;
pub mod task;
pub mod tile;

#[cfg(test)]
mod laws;

use crate::error::Error;

/// Returns the error of bytes that no step has made.
fn damaged(what: &str) -> Error {
    Error::TileJob(format!("{what} are damaged: they are not what was written"))
}
