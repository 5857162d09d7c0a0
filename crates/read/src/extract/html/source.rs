//! The source of a page as the tokenizer reads it, with pauses.
//!
//! html5gum calls the states of an attribute within those of the one before, as long as values stand between double
//! quotes: a tag of many attributes would need a stack as deep as it is long. An error of its reader ends all of these
//! calls. The tokenizer is in the state of a value then, and goes on from there.

use std::convert::Infallible;
use std::fmt;

use html5gum::{Readable, Reader};

/// After how many values there is a pause.
const VALUES: usize = 32;

/// The source of a page.
pub(super) struct Source<'s> {
    bytes: <&'s [u8] as Readable<'s>>::Reader,
    /// How many values there were since the last pause.
    values: usize,
}

impl<'s> Source<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            bytes: source.as_bytes().to_reader(),
            values: 0,
        }
    }
}

/// A pause: nothing was read, and the tokenizer can go on.
#[derive(Debug)]
pub(super) struct Pause;

impl fmt::Display for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pause")
    }
}

impl std::error::Error for Pause {}

impl From<Infallible> for Pause {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl Reader for Source<'_> {
    type Error = Pause;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, Pause> {
        Ok(self.bytes.read_byte()?)
    }

    #[inline(always)]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, Pause> {
        Ok(self.bytes.try_read_string(text, case_sensitive)?)
    }

    #[inline(always)]
    fn read_until<'b>(
        &'b mut self,
        needle: &[u8],
        buffer: &'b mut [u8; 4],
    ) -> Result<Option<&'b [u8]>, Pause> {
        // Only in a value between double quotes (and in a document type) the quote is looked for first.
        if needle.first() == Some(&b'"') {
            self.values += 1;
            if self.values > VALUES {
                self.values = 0;
                return Err(Pause);
            }
        }
        Ok(self.bytes.read_until(needle, buffer)?)
    }
}
