//! JSON Lines: every line is a record.

use std::io::BufRead;

use crate::records::pieces::{Cut, Step};

/// Finds the ends of lines.
#[derive(Debug)]
pub(super) struct Lines;

impl Cut for Lines {
    fn step(&mut self, bytes: &[u8]) -> Step {
        let mut rest = bytes;
        let size = rest.skip_until(b'\n').expect("reading memory cannot fail");
        match bytes[..size].last() {
            Some(b'\n') => Step::End(size),
            _ => Step::More,
        }
    }

    fn at_end(&self) -> Result<(), &'static str> {
        Ok(())
    }
}
