//! Where documents come from: the files below the paths a user names, now or as of a git revision.

pub mod code;
pub mod data;
pub mod git;
pub mod ignores;
pub mod name;
pub mod no_page;
pub mod pdf;
pub mod pre;
pub mod program;
pub mod read;
pub mod walk;
