//! Cuts a stream of bytes into records, a batch at a time.
//!
//! Only the reader goes through the stream in order. So it only finds where records end; the workers parse them.

use std::io::{self, BufRead, ErrorKind, Read};
use std::ops::Range;

/// How many bytes are read at a time. A batch has as many, or one record.
pub(super) const BATCH_BYTES: usize = 1 << 20;

/// How many bytes of a record that is too large are skipped. After that the rest of the file is not read: a compressed
/// file of a few megabytes can expand to a record without end.
const PASS_OVER_BYTES: u64 = 1 << 30;

/// The end of a record, as far as the next bytes show it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// This many bytes belong to no record.
    Gap(usize),
    /// The record ends after this many bytes.
    End(usize),
    /// The record does not end in them.
    More,
    /// No record can be found in the rest of the file, for this reason.
    Broken(&'static str),
}

/// Finds the ends of records.
pub(crate) trait Cut: Send {
    /// Reads some of the bytes that follow those of the last call.
    fn step(&mut self, bytes: &[u8]) -> Step;

    /// Whether a record is judged by the one behind it.
    fn looks_ahead(&self) -> bool {
        false
    }

    /// Whether the rest is a record if no bytes follow. The error has the reason.
    fn at_end(&self) -> Result<(), &'static str>;
}

/// The number of a record that has no id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbering {
    /// The number of the line where it begins.
    Line,
    /// Its position in the file, from 1.
    Position,
}

/// The place of a record.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) number: u64,
    /// The line where it begins, from 1, and the one where it ends.
    pub(super) lines: (u64, u64),
    /// Its bytes in the batch, without the line end, or nothing if it is larger than the largest document.
    pub(super) place: Option<Range<usize>>,
}

/// Some whole records.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PieceBatch {
    pub(super) bytes: Vec<u8>,
    pub(super) pieces: Vec<Piece>,
    /// The bytes of the record behind the last one, where a record is judged by it.
    pub(super) next: Option<Vec<u8>>,
}

impl PieceBatch {
    /// The bytes of the record behind the one at a place.
    pub(super) fn behind(&self, at: usize) -> Option<&[u8]> {
        match self.pieces.get(at + 1) {
            Some(next) => self.content(next),
            None => self.next.as_deref(),
        }
    }

    /// The bytes of a record.
    pub(super) fn content(&self, piece: &Piece) -> Option<&[u8]> {
        piece.place.clone().map(|place| &self.bytes[place])
    }
}

/// Reads records batch by batch, up to the first error.
pub(super) struct Pieces<R> {
    source: R,
    cut: Box<dyn Cut>,
    numbering: Numbering,
    limit: usize,
    batch_bytes: usize,
    /// Bytes that were read and not handed out.
    buffer: Vec<u8>,
    /// Where the current record begins in the buffer, and how far the buffer has been searched for its end.
    start: usize,
    at: usize,
    /// The line where it begins, and how many records there were before it.
    line: u64,
    before: u64,
    /// If it is too large: how many bytes and how many line ends of it were dropped.
    dropped: u64,
    dropped_lines: u64,
    is_end: bool,
    is_over: bool,
    /// The first error. It is returned after the records before it.
    failure: Option<io::Error>,
}

impl<R: Read> Pieces<R> {
    /// Returns a reader of records. `limit` is the largest size of a record in bytes, `batch_bytes` how many bytes are
    /// read at a time.
    pub(super) fn new(
        source: R,
        cut: Box<dyn Cut>,
        numbering: Numbering,
        limit: u64,
        batch_bytes: usize,
    ) -> Self {
        Self {
            source,
            cut,
            numbering,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            batch_bytes,
            buffer: Vec::new(),
            start: 0,
            at: 0,
            line: 1,
            before: 0,
            dropped: 0,
            dropped_lines: 0,
            is_end: false,
            is_over: false,
            failure: None,
        }
    }

    /// The next batch, or `None` at the end.
    fn read(&mut self) -> io::Result<Option<PieceBatch>> {
        loop {
            let mut pieces = Vec::new();
            self.cut_up(&mut pieces);
            if self.is_end && self.failure.is_none() && self.has_rest() {
                match self.cut.at_end() {
                    Ok(()) => {
                        self.at = self.buffer.len();
                        self.end_record(&mut pieces);
                    }
                    Err(words) => self.fail(words),
                }
            }
            let next = match self.cut.looks_ahead() && !self.is_end {
                true => self.hold_back(&mut pieces),
                false => None,
            };
            if !pieces.is_empty() {
                return Ok(Some(self.hand_out(pieces, next)));
            }
            if let Some(failure) = self.failure.take() {
                self.is_over = true;
                return Err(failure);
            }
            if self.is_end {
                return Ok(None);
            }
            self.fill();
        }
    }

    /// Finds the records in the buffer.
    fn cut_up(&mut self, pieces: &mut Vec<Piece>) {
        loop {
            let bytes = &self.buffer[self.at..];
            match self.cut.step(bytes) {
                Step::Gap(size) => {
                    self.line += line_ends(&bytes[..size]);
                    self.at += size;
                    self.start = self.at;
                }
                Step::End(size) => {
                    self.at += size;
                    self.end_record(pieces);
                }
                Step::More => {
                    self.at = self.buffer.len();
                    break;
                }
                Step::Broken(words) => {
                    self.fail(words);
                    break;
                }
            }
        }
        // A line end does not count.
        if self.dropped > 0 || self.at - self.start > self.limit.saturating_add(2) {
            self.drop_some();
        }
    }

    /// Adds the record that ends at `self.at`.
    fn end_record(&mut self, pieces: &mut Vec<Piece>) {
        let bytes = &self.buffer[self.start..self.at];
        let line = self.line;
        self.line += self.dropped_lines + line_ends(bytes);
        let content = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let last_line = line + self.dropped_lines + line_ends(content);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        let is_too_large = self.dropped > 0 || content.len() > self.limit;
        if is_too_large || !content.trim_ascii().is_empty() {
            self.before += 1;
            pieces.push(Piece {
                number: match self.numbering {
                    Numbering::Line => line,
                    Numbering::Position => self.before,
                },
                lines: (line, last_line),
                place: (!is_too_large).then(|| self.start..self.start + content.len()),
            });
        }
        self.start = self.at;
        (self.dropped, self.dropped_lines) = (0, 0);
    }

    /// Takes the last record back, to find it again with the one behind it. Returns its bytes.
    fn hold_back(&mut self, pieces: &mut Vec<Piece>) -> Option<Vec<u8>> {
        if self.dropped > 0 {
            return None;
        }
        let last = pieces.pop_if(|last| last.place.is_some())?;
        let place = last.place?;
        (self.start, self.at) = (place.start, place.start);
        self.line = last.lines.0;
        self.before -= 1;
        Some(self.buffer[place].to_vec())
    }

    /// Drops the bytes of a record that is too large.
    fn drop_some(&mut self) {
        let bytes = &self.buffer[self.start..self.at];
        self.dropped += bytes.len() as u64;
        self.dropped_lines += line_ends(bytes);
        self.buffer.drain(self.start..self.at);
        self.at = self.start;
        if self.dropped > PASS_OVER_BYTES.saturating_add(self.limit as u64) {
            self.fail("a record without end begins here");
        }
    }

    /// Whether a record has begun and not ended.
    fn has_rest(&self) -> bool {
        // An array has to be closed even if no element is open.
        self.dropped > 0 || self.start < self.buffer.len() || self.cut.at_end().is_err()
    }

    /// Keeps the first error.
    fn fail(&mut self, words: &str) {
        let words = format!("line {}: {words}; nothing behind it was read", self.line);
        let error = io::Error::new(ErrorKind::InvalidData, words);
        self.failure.get_or_insert(error);
    }

    /// Returns the records found, and keeps the bytes behind them.
    fn hand_out(&mut self, pieces: Vec<Piece>, next: Option<Vec<u8>>) -> PieceBatch {
        let rest = self.buffer.split_off(self.start);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        self.at -= self.start;
        self.start = 0;
        PieceBatch {
            bytes,
            pieces,
            next,
        }
    }

    fn fill(&mut self) {
        self.buffer.drain(..self.start);
        self.at -= self.start;
        self.start = 0;
        let before = self.buffer.len();
        let mut source = (&mut self.source).take(self.batch_bytes as u64);
        if let Err(error) = source.read_to_end(&mut self.buffer) {
            self.failure = Some(error);
        }
        self.is_end = self.buffer.len() - before < self.batch_bytes;
    }
}

fn line_ends(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

impl<R: Read> Iterator for Pieces<R> {
    type Item = io::Result<PieceBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        self.read().transpose()
    }
}

/// Finds the ends of the lines of JSON Lines, each of which is a record.
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
