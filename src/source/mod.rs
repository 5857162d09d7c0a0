//! Where documents come from: the files below the paths a user names.

pub mod identity;
pub mod ignores;
pub mod list;
pub mod name;
pub mod named;
pub mod read;
pub mod records;
pub mod walk;
