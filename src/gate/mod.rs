//! What commands share that look at which pairs count and which are accepted.

pub(crate) mod baseline;
pub(crate) mod messages;
pub(crate) mod scope;
