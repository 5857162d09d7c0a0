//! A job whose steps hand on files.
//!
//! ```text
//! documents ─> part ─┐                          ┌─> task 1,1 ─> pairs ─┐
//! documents ─> part ─┼─> freeze ─> frozen ─> K ─┼─> task 1,2 ─> pairs ─┼─> merge ─> outcome of a scan
//! documents ─> part ─┘                          └─> task 2,2 ─> pairs ─┘
//! ```
//!
//! * [`part`]: features on disk, with the facts of a scan about their documents
//! * [`frozen`], [`freeze`]: the data that all tasks share, and how it is made
//! * [`task`]: one task
//! * [`merge`]: the outcome

pub mod freeze;
pub mod frozen;
pub mod merge;
pub mod part;
pub mod task;
