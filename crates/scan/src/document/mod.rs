//! Documents on their way from a file to a collection, and the records of files that are not compared.

pub(crate) mod read_document;
pub(crate) mod record_warnings;
pub(crate) mod refused_records;
