//! An endless stream of records, and a memory of a fixed size for what was in it.
//!
//! ```text
//! a thread reads ─> workers cut lines into parts ─> the caller asks the memory, and passes lines on
//! ```
//!
//! Few chunks wait for the caller, so that memory stays the same however fast one end is and however slow the other. A
//! chunk is the result of one read: one line of a slow writer, many lines of a file. The result does not depend on the
//! number of workers, or on where a chunk ends.

mod filter;
pub mod memory;
mod parts;
mod seen;
mod window;

#[cfg(test)]
mod laws;

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use dupfind_engine::run::threads::pool;
use dupfind_engine::text::segmenter::Segmenter;
use dupfind_engine::{Error, Options, Result};
use dupfind_read::ReadOptions;
use dupfind_read::format::Compression;
use dupfind_read::records::{Refused, parse_line};
use dupfind_read::skipped::SkipReason;
use dupfind_read::source::read::skipped;
use encoding_rs::UTF_8;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::stream::parts::PartCutter;

pub use crate::stream::parts::Part;

/// What has come of a stream.
#[derive(Debug)]
pub enum Event {
    /// Whole lines with their line ends, which the last line of a stream may lack.
    Lines(Vec<u8>),
    /// A part of a line that is too large, and whether it is the first one.
    TooLarge(Vec<u8>, bool),
    /// Nothing more can be read, for this reason.
    Failed(Refused),
    /// Nothing follows.
    End,
    /// Somebody has asked to stop, and what was read before has been handed out.
    Stopped,
}

/// How many chunks wait for the caller. Two keep both sides at work.
const WAITING: usize = 2;

/// The most bytes that are read at a time. A pipe holds a quarter of it.
const AT_A_TIME: usize = 1 << 18;

/// A stream that is being read.
pub struct Stream {
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    is_stopped: Arc<AtomicBool>,
}

impl Stream {
    /// Begins to read a stream. `limit` is the largest size of a line in bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Threads`].
    pub fn open(source: impl Read + Send + 'static, limit: u64) -> Result<Self> {
        let (sender, events) = sync_channel(WAITING);
        let is_stopped = Arc::new(AtomicBool::new(false));
        let mut reader = Reader {
            source,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            held: Vec::new(),
            searched: 0,
            is_first: true,
            is_in_large: false,
        };
        let (to, is_over) = (sender.clone(), Arc::clone(&is_stopped));
        let run = move || {
            while !is_over.load(Ordering::SeqCst) {
                let event = reader.next();
                let is_last = matches!(event, Some(Event::End | Event::Failed(_)));
                if event.is_some_and(|event| to.send(event).is_err()) || is_last {
                    return;
                }
            }
        };
        let thread = thread::Builder::new().name("read".into()).spawn(run);
        thread.map_err(|error| Error::Threads(error.to_string()))?;
        Ok(Self {
            events,
            sender,
            is_stopped,
        })
    }

    /// Waits for the next event.
    pub fn wait(&self) -> Event {
        let event = match self.is_stopped.load(Ordering::SeqCst) {
            true => self.events.try_recv().ok(),
            false => self.events.recv().ok(),
        };
        event.unwrap_or(Event::Stopped)
    }

    /// Returns a function that stops the stream. Any thread may call it.
    pub fn stop(&self) -> impl Fn() + Send + Sync + 'static {
        let (sender, is_stopped) = (self.sender.clone(), Arc::clone(&self.is_stopped));
        move || {
            is_stopped.store(true, Ordering::SeqCst);
            // Wakes the caller if it waits. If there is no room, it does not wait.
            let _ = sender.try_send(Event::Stopped);
        }
    }
}

/// Reads what has come, and finds the ends of lines in it.
struct Reader<R> {
    source: R,
    limit: usize,
    /// The beginning of a line whose end has not come.
    held: Vec<u8>,
    /// How many bytes of it are known to have no line end.
    searched: usize,
    /// Whether nothing was read yet.
    is_first: bool,
    /// Whether it belongs to a line that is too large, parts of which were handed out.
    is_in_large: bool,
}

impl<R: Read> Reader<R> {
    /// Reads once. Returns nothing if no line has ended.
    fn next(&mut self) -> Option<Event> {
        let before = self.held.len();
        self.held.resize(before + AT_A_TIME, 0);
        let size = loop {
            match self.source.read(&mut self.held[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Some(Event::Failed(skipped(&error))),
                Ok(size) => break size,
            }
        };
        self.held.truncate(before + size);
        if std::mem::take(&mut self.is_first)
            && let Some(words) = refused(&self.held)
        {
            return Some(Event::Failed((SkipReason::Malformed, words)));
        }
        if self.is_in_large {
            let first = self.held.iter().position(|&byte| byte == b'\n');
            self.is_in_large = first.is_none() && size > 0;
            let until = first.map_or(self.held.len(), |at| at + 1);
            return match until {
                0 => Some(Event::End),
                _ => Some(Event::TooLarge(self.taken(until), false)),
            };
        }
        if size == 0 {
            return Some(match std::mem::take(&mut self.held) {
                held if held.is_empty() => Event::End,
                held => Event::Lines(held),
            });
        }
        let new = &self.held[self.searched..];
        if let Some(at) = new.iter().rposition(|&byte| byte == b'\n') {
            let lines = self.taken(self.searched + at + 1);
            self.searched = self.held.len();
            return Some(Event::Lines(lines));
        }
        self.searched = self.held.len();
        // The line end does not count.
        self.is_in_large = self.held.len() > self.limit.saturating_add(2);
        let whole = self.held.len();
        self.is_in_large
            .then(|| Event::TooLarge(self.taken(whole), true))
    }

    /// Takes the first bytes out of those that are held.
    fn taken(&mut self, until: usize) -> Vec<u8> {
        self.searched = 0;
        let rest = self.held.split_off(until);
        std::mem::replace(&mut self.held, rest)
    }
}

/// Why UTF-16 is refused.
pub const UTF_16: &str =
    "lines of UTF-16 cannot be passed on one by one: iconv -f UTF-16 -t UTF-8 makes it UTF-8";

/// Returns why the first bytes of a stream are no lines of text, if they are not.
fn refused(head: &[u8]) -> Option<String> {
    if let Some(compression) = Compression::of_content(head) {
        let name = compression.as_str();
        return Some(format!(
            "it is compressed by {name}: a program such as zcat expands it"
        ));
    }
    let is_utf_16 = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    is_utf_16.then(|| UTF_16.into())
}

/// Cuts lines into parts, by several workers.
pub struct LineCutter {
    options: Options,
    read: ReadOptions,
    workers: ThreadPool,
    segmenter: Segmenter,
}

/// The distinct parts of the record in a line; or why it has none.
pub type LineParts = std::result::Result<Vec<Part>, Refused>;

impl LineCutter {
    /// Returns a cutter. The options for files do not matter.
    ///
    /// # Errors
    ///
    /// [`Error::Threads`].
    pub fn new(options: &Options, read: ReadOptions) -> Result<Self> {
        Ok(Self {
            options: options.clone(),
            read,
            workers: pool(options.threads)?,
            segmenter: Segmenter::new(),
        })
    }

    /// Returns each line with its line end, and its parts. Blank lines have none.
    pub fn cut<'l>(&self, lines: &'l [u8]) -> Vec<(&'l [u8], LineParts)> {
        let lines: Vec<&[u8]> = lines.split_inclusive(|&byte| byte == b'\n').collect();
        self.workers.install(|| {
            let cut = lines.into_par_iter().map_init(
                || PartCutter::new(&self.options),
                |cutter, line| (line, self.parts(line, cutter)),
            );
            cut.collect()
        })
    }

    fn parts(&self, line: &[u8], cutter: &mut PartCutter) -> LineParts {
        let line = line.trim_ascii();
        if line.is_empty() {
            return Err((SkipReason::Empty, String::new()));
        }
        if line.len() as u64 > self.read.max_filesize {
            return Err((SkipReason::TooLarge, String::new()));
        }
        // Each line is decoded by itself, as it is passed on as it came.
        let encoding = self.read.encoding.unwrap_or(UTF_8);
        let decoded = match encoding == UTF_8 {
            true => line.into(),
            false => {
                let (text, _) = encoding.decode_without_bom_handling(line);
                std::borrow::Cow::Owned(text.into_owned().into_bytes())
            }
        };
        let record = parse_line(&decoded, &self.read.fields)?;
        let document = dupfind_read::record(record.text, record.title, encoding, &self.read);
        if document.note("")?.is_some() {
            let words = format!("not valid {}", encoding.name());
            return Err((SkipReason::Malformed, words));
        }
        match cutter.parts(&document.text, &self.segmenter) {
            parts if parts.is_empty() => Err((SkipReason::Empty, String::new())),
            parts => Ok(parts),
        }
    }
}
