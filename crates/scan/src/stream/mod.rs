//! An endless stream of records, and a memory of a fixed size for what was in it.
//!
//! What has come is handed out at once: one line of a slow writer, many lines of a file. Workers cut lines into parts. The
//! result does not depend on their number, or on how much comes at a time.

mod filter;
pub mod memory;
mod parts;
mod seen;
mod window;

#[cfg(test)]
mod laws;

use std::io::{ErrorKind, Read};

use dupfind_engine::Options;
use dupfind_read::ReadOptions;
use dupfind_read::format::Compression;
use dupfind_read::records::{Refused, parse_line};
use dupfind_read::skipped::SkipReason;
use dupfind_read::source::read::skipped;
use encoding_rs::UTF_8;
use rayon::prelude::*;

use crate::stream::parts::PartCutter;

pub use crate::stream::parts::Part;

/// What has come of a stream.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// Whole lines with their line ends, which the last line of a stream may lack; none if no line has ended.
    Lines(Vec<u8>),
    /// A part of a line that is too large. The last one has the line end.
    TooLarge(Vec<u8>),
}

/// The most bytes that are read at a time. A pipe holds a quarter of it.
const AT_A_TIME: usize = 1 << 18;

/// Reads what has come, and finds the ends of lines in it.
pub struct LineReader<R> {
    source: R,
    /// The largest size of a line in bytes.
    limit: usize,
    /// The beginning of a line whose end has not come.
    held: Vec<u8>,
    /// How many bytes of it are known to have no line end.
    searched: usize,
    is_begun: bool,
    /// Whether it belongs to a line that is too large, parts of which were handed out.
    is_in_large: bool,
}

impl<R: Read> LineReader<R> {
    /// Returns a reader. `limit` is the largest size of a line in bytes.
    pub fn new(source: R, limit: u64) -> Self {
        Self {
            source,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            held: Vec::new(),
            searched: 0,
            is_begun: false,
            is_in_large: false,
        }
    }

    /// Reads once. Returns nothing at the end of the stream.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is not made of lines.
    pub fn read(&mut self) -> Result<Option<Piece>, Refused> {
        let before = self.held.len();
        self.held.resize(before + AT_A_TIME, 0);
        let size = loop {
            match self.source.read(&mut self.held[before..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                size => break size.map_err(|error| skipped(&error))?,
            }
        };
        self.held.truncate(before + size);
        if !std::mem::replace(&mut self.is_begun, true)
            && let Some(words) = no_lines(&self.held)
        {
            return Err((SkipReason::Malformed, words));
        }
        if size == 0 && self.held.is_empty() {
            return Ok(None);
        }
        let new = &self.held[self.searched..];
        let mut ends = new.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        let end = match self.is_in_large {
            true => ends.next(),
            false => ends.next_back(),
        };
        let end = end.map(|(at, _)| self.searched + at + 1);
        let is_whole = end.is_some() || size == 0;
        // The line end does not count.
        let is_large =
            self.is_in_large || !is_whole && self.held.len() > self.limit.saturating_add(2);
        if !is_whole && !is_large {
            self.searched = self.held.len();
            return Ok(Some(Piece::Lines(Vec::new())));
        }
        let rest = self.held.split_off(end.unwrap_or(self.held.len()));
        self.searched = if is_large { 0 } else { rest.len() };
        self.is_in_large = is_large && !is_whole;
        let taken = std::mem::replace(&mut self.held, rest);
        Ok(Some(match is_large {
            true => Piece::TooLarge(taken),
            false => Piece::Lines(taken),
        }))
    }
}

/// Why UTF-16 is refused: the byte of a line end may be a part of any character.
pub const UTF_16: &str =
    "lines of UTF-16 cannot be passed on one by one: iconv -f UTF-16 -t UTF-8 makes it UTF-8";

/// Returns why the first bytes of a stream are no lines of text, if they are not.
fn no_lines(head: &[u8]) -> Option<String> {
    if let Some(compression) = Compression::of_content(head) {
        let name = compression.as_str();
        return Some(format!(
            "it is compressed by {name}: a program such as zcat expands it"
        ));
    }
    let is_utf_16 = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    is_utf_16.then(|| UTF_16.into())
}

/// Cuts lines into parts, in the pool of workers that calls it.
pub struct LineCutter {
    options: Options,
    read: ReadOptions,
}

/// The distinct parts of the record in a line; or why it has none.
pub type LineParts = Result<Vec<Part>, Refused>;

impl LineCutter {
    /// Returns a cutter. The options for files do not matter.
    pub fn new(options: &Options, read: ReadOptions) -> Self {
        Self {
            options: options.clone(),
            read,
        }
    }

    /// Returns each line with its line end, and its parts. Blank lines have none.
    pub fn cut<'l>(&self, lines: &'l [u8]) -> Vec<(&'l [u8], LineParts)> {
        let lines: Vec<&[u8]> = lines.split_inclusive(|&byte| byte == b'\n').collect();
        let cutter = || PartCutter::new(&self.options);
        let cut = |cutter: &mut PartCutter, line| (line, self.parts(line, cutter));
        lines.into_par_iter().map_init(cutter, cut).collect()
    }

    fn parts(&self, line: &[u8], cutter: &mut PartCutter) -> LineParts {
        let line = line.trim_ascii();
        if line.len() as u64 > self.read.max_filesize {
            return Err((SkipReason::TooLarge, String::new()));
        }
        // Each line is decoded by itself, as it is passed on as it came.
        let encoding = self.read.encoding.unwrap_or(UTF_8);
        let (decoded, is_damaged) = encoding.decode_without_bom_handling(line);
        if is_damaged {
            let words = format!("not valid {}", encoding.name());
            return Err((SkipReason::Malformed, words));
        }
        let record = parse_line(decoded.as_bytes(), &self.read.fields)?;
        let document = dupfind_read::record(record.text, record.title, encoding, &self.read)?;
        if let Some(reason) = document.opt_out {
            return Err((SkipReason::OptedOut, reason));
        }
        match cutter.parts(&document.text) {
            parts if parts.is_empty() => Err((SkipReason::Empty, String::new())),
            parts => Ok(parts),
        }
    }
}
