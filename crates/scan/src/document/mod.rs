//! Documents on their way from a file to a collection, and the records of files that are not compared.

pub mod read_document;
pub mod record_warnings;
pub mod refused_records;
