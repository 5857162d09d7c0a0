//! The words of reports on the entries of a worklist.
//!
//! ```text
//! entries to be shown ─> texts, read again ─> titles, differences ──┐
//! entries, pairs ───────────────────────────────────────────────────┴─> sentences
//! ```

mod details;
mod differences;
mod generated;
mod sentence;
mod title;
mod wanted;

pub(crate) use details::{Details, swapped, title_of};
pub(crate) use differences::Swapped;
pub(crate) use sentence::sentence;
pub(crate) use wanted::worklist;
