//! A collection after its join: any two documents can still be measured.

pub mod collection;
pub mod known;
pub(crate) mod sets;
