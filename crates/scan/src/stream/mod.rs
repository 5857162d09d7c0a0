//! An endless stream of records, and a memory of a fixed size for what was in it.
//!
//! What has come is handed out at once: one line of a slow writer, many lines of a file. Workers cut lines into parts. The
//! result does not depend on their number, or on how much comes at a time.

mod filter;
#[cfg(test)]
mod laws;
mod seen;

pub use crate::stream::filter::Part;
use crate::stream::seen::{PartCutter, RATE, Seen, layout};
use dupfind_engine::{Error, Options, Result, Threshold};
use dupfind_read::records::parse_line;
use dupfind_read::source::read::skipped;
use dupfind_read::{Compression, ReadOptions, Refused, SkipReason};
use encoding_rs::UTF_8;
use rayon::prelude::*;
use std::io::{ErrorKind, Read};
use std::num::NonZeroUsize;

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
    pub fn read(&mut self) -> std::result::Result<Option<Piece>, Refused> {
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
        return Some(format!("it {}", compression.piped()));
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
pub type LineParts = std::result::Result<Vec<Part>, Refused>;

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

/// Remembers texts in memory of a fixed size. It forgets only texts beyond its window, and mistakes a few new parts for
/// known ones.
pub struct TextMemory {
    seen: Seen,
    cutter: PartCutter,
    texts: u64,
}

impl TextMemory {
    /// The share from which a text is a duplicate by default.
    ///
    /// With shingles of [`Self::SHINGLE_SIZE`] units, F1 on four labelled folders of 566 to 2,560 pages is .87 to .95 at
    /// any threshold from 0.4 to 0.6.
    pub const MIN_SIMILARITY: Threshold = Threshold::new(5, 10).expect("a fraction below 1");

    /// The units of a shingle by default.
    ///
    /// A text is compared with all earlier ones together, so that the 3 units of a scan are too few: of 20,000 pages
    /// about one subject, the last 1,000 had 80 % of their shingles of 3 units in common with earlier pages on average
    /// (46 % of those of 5, 23 % of those of 8). At a threshold of a half, 99 % of them would be duplicates.
    pub const SHINGLE_SIZE: NonZeroUsize = NonZeroUsize::new(8).expect("not zero");

    /// The memory in bytes by default.
    pub const BYTES: u64 = 256 << 20;

    /// Returns an empty memory. `window` is how many of the last texts are remembered, if not all; `available` is how many
    /// bytes there are.
    ///
    /// # Errors
    ///
    /// [`Error::TooMuch`] if the memory cannot be had.
    pub fn new(
        options: &Options,
        bytes: Option<u64>,
        window: Option<u64>,
        available: u64,
    ) -> Result<Self> {
        let layout = layout(bytes.unwrap_or(Self::BYTES), window);
        let seen = Seen::new(layout, available).map_err(|bytes| {
            Error::TooMuch(format!(
                "the shingles to remember need {bytes} bytes of memory, and there are not so many"
            ))
        });
        Ok(Self {
            seen: seen?,
            cutter: PartCutter::new(options),
            texts: 0,
        })
    }

    /// Remembers a text. Returns how many of its distinct parts were seen before, and how many it has.
    pub fn take(&mut self, text: &str) -> (u32, u32) {
        let parts = self.cutter.parts(text);
        self.take_parts(&parts)
    }

    /// As [`Self::take`], of a text that was cut before.
    pub fn take_parts(&mut self, parts: &[Part]) -> (u32, u32) {
        self.texts += u64::from(!parts.is_empty());
        let count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        (self.seen.take(parts), count)
    }

    /// Returns how many texts were taken.
    pub fn texts(&self) -> u64 {
        self.texts
    }

    /// Returns how the memory is too small for the texts so far, in words.
    pub fn shortage(&self) -> Option<String> {
        let rate = self.seen.filter.rate();
        if rate > RATE {
            let texts = self.texts;
            return Some(format!(
                "after {texts} records {rate:.4} of the shingles of a new one seem seen, more than {RATE}"
            ));
        }
        let window = self.seen.window.as_ref()?;
        let (held, asked) = (window.sizes.len() as u64, window.limits.documents);
        let is_short = held < self.texts.min(asked);
        is_short.then(|| format!("only the last {held} records are remembered and not {asked}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(bytes: u64, window: Option<u64>) -> TextMemory {
        TextMemory::new(&Options::default(), Some(bytes), window, u64::MAX).unwrap()
    }

    #[test]
    fn seen_texts_are_known() {
        let mut memory = memory(1 << 20, None);
        let text = "one two three four five six seven eight nine ten";
        assert_eq!(memory.take(text), (0, 8));
        assert_eq!(memory.take("?!"), (0, 0));
        assert_eq!(memory.texts(), 1);
        assert_eq!(memory.take(text), (8, 8));
        assert_eq!(memory.shortage(), None);
    }

    #[test]
    fn it_knows_that_it_is_too_small() {
        let text = |at: u64| {
            (0..60)
                .map(|word| format!("{at}x{word} "))
                .collect::<String>()
        };
        for (window, words) in [
            (None, "of a new one seem seen, more than 0.01"),
            (
                Some(80),
                "only the last 11 records are remembered and not 80",
            ),
        ] {
            let mut memory = memory(8 << 10, window);
            for at in 0..200 {
                memory.take(&text(at));
            }
            let shortage = memory.shortage().unwrap();
            assert!(shortage.contains(words), "{shortage}");
        }
    }
}
