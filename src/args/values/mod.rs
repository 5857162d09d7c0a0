//! Parsers of values.

pub(crate) mod choice;
pub(crate) mod document;
pub(crate) mod globs;
pub(crate) mod program;
pub(crate) mod reason;
pub(crate) mod share;
pub(crate) mod size;
