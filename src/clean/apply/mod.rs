//! Carries out a plan, and takes it back.
//!
//! A journal is written to the disk before the first file is touched, and with it another name for the content of each
//! file that goes. Each change is one step of the file system. So the program may end at any moment: each file is as it
//! was, or as it was to become, and the journal knows how to take it back.

pub mod actions;
mod files;
pub mod front_matter;
pub mod journal;
pub mod perform;
pub mod undo;
