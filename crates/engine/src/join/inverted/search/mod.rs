//! Looking for the sets that a set of an index is similar to, that it shares weight with, or that contain it.

pub(super) mod contained;
pub(super) mod probe;
pub(super) mod rank_set;
pub(super) mod tiles;
pub(super) mod weighted;
