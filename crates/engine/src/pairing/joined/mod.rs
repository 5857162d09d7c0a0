//! What is left of a join, of which any two documents can still be measured.

pub mod collection;
pub mod known;
pub(crate) mod sets;
