//! Expands compressed files while they are read.

use std::io::{self, Read};

use crate::format::Compression;

/// Takes what is read and how it is compressed, and returns what it expands to.
pub fn expand<'r>(
    compressed: impl Read + Send + 'r,
    compression: Option<Compression>,
) -> Box<dyn Read + Send + 'r> {
    match compression {
        None => Box::new(compressed),
        Some(_) => Box::new(Unknown),
    }
}

/// A compression that is still to be read.
struct Unknown;

impl Read for Unknown {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
