//! The arguments about which documents are read, and how.

mod advice;
pub(crate) mod input;
pub(crate) mod reading;
pub(crate) mod text;
