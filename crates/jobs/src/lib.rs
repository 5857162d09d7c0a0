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
//! # Rooms
//!
//! The steps know nothing of files and of schedulers:
//!
//! * [`cover`]: the sets of all documents, their tiles, and the tasks that cover all pairs
//! * [`bytes`]: the data that moves from step to step: documents with the keys that order their sets, numbers, pairs
//! * [`job`]: the part of a job that is in one place: the order of the sets, their weights, the pairs; the outcome
//! * [`tile`]: the sets of a tile, how many sets have each shingle, and the weights of the sets
//! * [`task`]: joins two tiles
//!
//! Two movers bring the bytes from step to step:
//!
//! * [`files`]: the commands `features`, `freeze`, `join` and `merge`
//! * [`rows`]: a scheduler that moves rows, such as Spark
//!
//! The movers differ in one step. `freeze` counts the shingles of all sets in one process, a range of hashes at a time, as
//! a scan does that has too little memory. A scheduler counts them tile by tile, because no worker has all sets.
//!
//! # Example
//!
//! Each step could run on another machine. Here all of them run in one folder.
//!
//! ```
//! use std::fs::{self, File};
//!
//! use dupfind_engine::run::observer::Silent;
//! use dupfind_jobs::cover::Tiles;
//! use dupfind_jobs::files::frozen::Frozen;
//! use dupfind_jobs::files::{freeze::freeze, merge::merge, part::write_part, task::write_pairs};
//! use dupfind_scan::{ScanOptions, features};
//!
//! let folder = tempfile::tempdir()?;
//! let at = |name: &str| folder.path().join(name);
//! let text = "The ferry leaves at seven from the old harbour, and returns at nine in the";
//! fs::create_dir(at("docs"))?;
//! fs::write(at("docs/a.md"), format!("{text} evening."))?;
//! fs::write(at("docs/b.md"), format!("{text} morning."))?;
//! let options = ScanOptions::for_paths([at("docs")]);
//!
//! // The features of some documents: a part.
//! write_part(&options, &features(&options, &Silent)?, File::create(at("part"))?)?;
//! // The data that all tasks share.
//! freeze(&options.engine, &[at("part")], &Silent)?.write(File::create(at("frozen"))?)?;
//! let frozen = Frozen::open(&at("frozen"), &options.engine)?;
//! // The tasks. Each writes its pairs.
//! let tiles = Tiles::cut(frozen.sets().sizes(), 2);
//! let mut files = vec![at("part")];
//! for task in tiles.tasks(frozen.sets(), &options.engine) {
//!     let path = at(&format!("pairs-{}-{}", task.earlier, task.later));
//!     let job = (&options.engine, &frozen);
//!     write_pairs(job, &[at("part")], (&tiles, task), &Silent, File::create(&path)?)?;
//!     files.push(path);
//! }
//! // The outcome of a scan.
//! let outcome = merge(&options, (&at("frozen"), &files), &Silent, None, None)?;
//! assert_eq!(outcome.pair_counts.total(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bytes;
pub mod cover;
pub mod files;
pub mod job;
pub mod rows;
pub mod task;
pub mod tile;

#[cfg(test)]
mod laws;
