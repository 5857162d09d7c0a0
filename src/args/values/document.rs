//! The parser of the name of a document.

use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use dupfind_read::source::name::path_of_name;

/// Returns the parser of a document that is named as in reports.
pub(crate) fn document() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(path_of_name)
}
