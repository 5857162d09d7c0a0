//! The arguments about which pairs are found, count, and make a document go.

pub(crate) mod comparing;
pub(crate) mod detect;
pub(crate) mod gate;
pub(crate) mod keep;
pub(crate) mod scope;
