//! The words of reports on the entries of a worklist.
//!
//! ```text
//! entries to be shown ─> texts, read again ─> differences ──┐
//! entries, pairs ───────────────────────────────────────────┴─> sentences
//! ```

mod details;
mod differences;
mod sentence;
mod wanted;

pub(crate) use details::{Details, swapped};
pub(crate) use differences::Swapped;
pub(crate) use sentence::sentence;
pub(crate) use wanted::worklist;
