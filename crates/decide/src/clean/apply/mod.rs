//! Carries out a plan, and undoes it.
//!
//! A journal is written to the disk before the first file is touched, and with it a hard link to each file that goes or
//! gets other links. Each change is one step of the file system. So the program may end at any moment: each file is as
//! it was, or as planned, and the journal can undo the change.

pub mod actions;
mod files;
pub mod journal;
pub mod perform;
pub mod places;
pub mod undo;

pub(super) use files::is_file;
