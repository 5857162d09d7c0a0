//! Decisions that several commands make: which pairs count, which are accepted, and which document stays.

pub(crate) mod accepting;
pub(crate) mod gate;
pub(crate) mod keepers;
pub(crate) mod kept_pairs;
pub(crate) mod live;
pub(crate) mod messages;
pub(crate) mod open_pairs;
