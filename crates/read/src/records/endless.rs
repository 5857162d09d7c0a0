//! JSON Lines that may never end: lines are handed out as soon as they have come.

use crate::records::encoding::Source;
use crate::records::fields::Fields;
use crate::records::lines::Lines;
use crate::records::pieces::{Batch, Numbering, Pieces};
use crate::records::{Record, Refused, json, malformed};
use crate::skipped::SkipReason;
use crate::source::read::skipped;

/// The most bytes that are read at a time. A pipe holds a quarter of it.
const MAX_BYTES: usize = 1 << 18;

/// Reads the lines that have come, again and again, up to the end or the first error. Unlike
/// [`Batches`](super::Batches) it never waits for more lines, and does not change their encoding.
pub struct Endless {
    pieces: Pieces<Source>,
}

impl Endless {
    /// Returns the lines of a source. `limit` is the largest size of a line in bytes.
    #[must_use]
    pub fn new(source: Source, limit: u64) -> Self {
        let pieces = Pieces::new(source, Box::new(Lines), Numbering::Line, limit, MAX_BYTES);
        Self {
            pieces: pieces.without_waiting(),
        }
    }
}

impl Iterator for Endless {
    type Item = Result<Chunk, Refused>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.pieces.next()?;
        Some(batch.map(Chunk).map_err(|error| skipped(&error)))
    }
}

/// Some whole lines, without those that are blank.
#[derive(Debug)]
pub struct Chunk(Batch);

/// A line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'c> {
    /// Its number, from 1.
    pub number: u64,
    /// Its bytes without the line end, or that it is too large.
    pub content: Result<&'c [u8], SkipReason>,
    /// Its line end.
    pub end: &'c [u8],
}

impl Chunk {
    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.pieces.len()
    }

    /// Whether there are no lines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.pieces.is_empty()
    }

    /// One of the lines.
    ///
    /// # Panics
    ///
    /// If there is no such line.
    #[must_use]
    pub fn line(&self, at: usize) -> Line<'_> {
        let piece = &self.0.pieces[at];
        Line {
            number: piece.number,
            content: self.0.content(piece).ok_or(SkipReason::TooLarge),
            end: self.0.line_end(piece),
        }
    }
}

/// Returns the record in a line of UTF-8.
///
/// # Errors
///
/// Why the line holds no record.
pub fn parse<'l>(line: &'l [u8], fields: &Fields) -> Result<Record<'l>, Refused> {
    json::parse(line, fields).map_err(malformed)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::*;

    /// Gives out some bytes at a time, as a slow writer does.
    struct Slow(Vec<Vec<u8>>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let bytes = self.0.remove(0);
            // Once for every piece.
            if bytes == b"again" {
                return Err(io::ErrorKind::Interrupted.into());
            }
            buffer[..bytes.len()].copy_from_slice(&bytes);
            Ok(bytes.len())
        }
    }

    #[test]
    fn lines_are_there_when_they_have_come() {
        let pieces = ["a\n", "again", "b", "b\r\n\nc\nd", "\n\n", "x2345\n", "e\r"];
        let pieces = pieces.iter().map(|piece| piece.as_bytes().to_vec());
        let stream = Endless::new(Box::new(Slow(pieces.collect())), 4);
        let chunks: Vec<Vec<String>> = stream
            .map(|chunk| {
                let chunk = chunk.unwrap();
                assert!(!chunk.is_empty());
                let lines = (0..chunk.len()).map(|at| chunk.line(at));
                lines
                    .map(
                        |Line {
                             number,
                             content,
                             end,
                         }| {
                            let text = content.map_or("-".into(), String::from_utf8_lossy);
                            format!("{number} {text} {end:?}")
                        },
                    )
                    .collect()
            })
            .collect();
        assert_eq!(
            chunks,
            [
                vec!["1 a [10]"],
                vec!["2 bb [13, 10]", "4 c [10]"],
                vec!["5 d [10]"],
                vec!["7 - []"],
                vec!["8 e [13]"],
            ]
        );
    }
}
