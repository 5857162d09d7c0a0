//! From arguments to documents: lists of paths, options, and standard input.

pub(crate) mod document;
pub(crate) mod library;
mod list;
pub(crate) mod options;
pub(crate) mod refused;
pub(crate) mod stdin;
pub(crate) mod without_documents;
