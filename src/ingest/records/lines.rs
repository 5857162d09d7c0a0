//! JSON Lines: every line is a record.

use std::io::{self, Read};

/// How much is read at a time. A batch is that much or one line.
const BATCH_BYTES: usize = 1 << 20;

/// Some lines of a file of records.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Batch {
    /// Whole lines, and the number of the first one, from 1.
    Lines {
        /// The number of the first line.
        first: u64,
        /// The lines with their ends.
        bytes: Vec<u8>,
    },
    /// A line that is longer than a document may be; its number.
    TooLarge(u64),
}

/// Reads lines batch by batch.
#[derive(Debug)]
pub(super) struct Lines<R> {
    source: R,
    limit: usize,
    line: u64,
    /// The beginning of a line whose end has not been read.
    carry: Vec<u8>,
    /// Whether the rest of a line that is too large is still to be passed over.
    is_passing: bool,
    is_done: bool,
}

impl<R: Read> Lines<R> {
    /// Takes what is read and the largest size of a line in bytes.
    pub(super) fn new(source: R, limit: u64) -> Self {
        Self {
            source,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            line: 1,
            carry: Vec::new(),
            is_passing: false,
            is_done: false,
        }
    }

    /// Gives out the first `end` bytes of what has been read, which are whole lines.
    fn lines(&mut self, end: usize) -> Batch {
        let rest = self.carry.split_off(end);
        let bytes = std::mem::replace(&mut self.carry, rest);
        let first = self.line;
        self.line += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        Batch::Lines { first, bytes }
    }

    /// Drops what has been read of a line that is too large, and passes over the rest of it.
    fn pass(&mut self) -> Option<Batch> {
        match self.carry.iter().position(|&byte| byte == b'\n') {
            Some(end) => {
                self.carry.drain(..=end);
                self.is_passing = false;
                self.line += 1;
                Some(Batch::TooLarge(self.line - 1))
            }
            None => {
                self.carry.clear();
                None
            }
        }
    }

    /// The next batch, or `None` at the end.
    fn read(&mut self) -> io::Result<Option<Batch>> {
        loop {
            if self.is_passing
                && let Some(batch) = self.pass()
            {
                return Ok(Some(batch));
            }
            if self.is_done {
                let is_passing = std::mem::take(&mut self.is_passing);
                return Ok(if is_passing {
                    Some(Batch::TooLarge(self.line))
                } else if self.carry.is_empty() {
                    None
                } else {
                    Some(self.lines(self.carry.len()))
                });
            }
            let before = self.carry.len();
            let read = (&mut self.source)
                .take(BATCH_BYTES as u64)
                .read_to_end(&mut self.carry)?;
            self.is_done = read < BATCH_BYTES;
            if self.is_passing {
                continue;
            }
            match self.carry[before..].iter().rposition(|&byte| byte == b'\n') {
                Some(end) => return Ok(Some(self.lines(before + end + 1))),
                None if self.carry.len() > self.limit => self.is_passing = true,
                None => {}
            }
        }
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.read();
        if batch.is_err() {
            self.is_done = true;
            self.carry.clear();
        }
        batch.transpose()
    }
}

impl Batch {
    /// The lines that are not blank, with their numbers; of one that is too large, the number only.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u64, Option<&[u8]>)> {
        let (first, bytes) = match self {
            Self::TooLarge(line) => (*line, None),
            Self::Lines { first, bytes } => (*first, Some(bytes)),
        };
        let lines = bytes.into_iter().flat_map(move |bytes| {
            let lines = (first..).zip(bytes.split(|&byte| byte == b'\n'));
            lines.filter(|(_, line)| !line.trim_ascii().is_empty())
        });
        let too_large = bytes.is_none().then_some((first, None));
        lines
            .map(|(number, line)| (number, Some(line)))
            .chain(too_large)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn batches(bytes: &[u8], limit: u64) -> Vec<Batch> {
        Lines::new(bytes, limit).map(Result::unwrap).collect()
    }

    #[test]
    fn lines_longer_than_the_limit_are_passed_over() {
        let long = vec![b'x'; 3 * BATCH_BYTES];
        let content = [b"a\n".as_slice(), &long, b"\nb\nc"].concat();
        let found = batches(&content, 100);
        let lines = |first, bytes: &[u8]| Batch::Lines {
            first,
            bytes: bytes.to_vec(),
        };
        assert_eq!(
            found,
            [lines(1, b"a\n"), Batch::TooLarge(2), lines(3, b"b\nc")]
        );
        assert_eq!(batches(&long, 100), [Batch::TooLarge(1)]);
    }

    proptest! {
        #[test]
        fn batches_hold_every_line_once(lines in prop::collection::vec("[a-z]{0,9}", 0..40), copies in 1_usize..20_000) {
            let content = lines.join("\n").repeat(copies.min(20_000 / (lines.len() + 1)));
            let mut found = Vec::new();
            for batch in batches(content.as_bytes(), 1 << 30) {
                found.extend(batch.numbered().map(|(n, line)| (n, line.unwrap().to_vec())));
            }
            let expected: Vec<(u64, Vec<u8>)> = (1..)
                .zip(content.split('\n'))
                .filter(|(_, line)| !line.is_empty())
                .map(|(n, line)| (n, line.as_bytes().to_vec()))
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}
