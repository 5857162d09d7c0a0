//! Reads an endless stream of records, and returns each with its parts, in the order in which they came.
//!
//! ```text
//! a thread reads ─> a thread has workers cut records into parts ─> the caller judges and prints
//! ```
//!
//! Few chunks wait between the threads, so that memory stays the same however fast one end is and however slow the
//! other. A chunk is the result of one read: one line of a slow writer, many lines of a file. The result does not depend
//! on the number of workers, or on where a chunk ends.

mod cut;
pub mod memory;
pub mod seen;

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

use dupfind_engine::run::threads::pool;
use encoding_rs::{UTF_16BE, UTF_16LE};

use dupfind_engine::{Error, Result};
use dupfind_read::ReadOptions;
use dupfind_read::format::Compression;
use dupfind_read::records::Refused;
use dupfind_read::records::endless::{Chunk, Endless, Line};
use dupfind_read::skipped::{Note, SkipReason, Skipped};

use crate::stream::cut::cut_records;
use crate::stream::seen::parts::{Part, PartOptions};
use dupfind_read::source::read::skipped;

/// How records are cut into parts.
#[derive(Debug, Clone)]
pub struct StreamOptions {
    /// How texts are made of records. The options for files do not matter.
    pub read: ReadOptions,
    /// How texts are cut.
    pub cutting: PartOptions,
    /// The number of workers; 0 is one for each core.
    pub threads: usize,
}

/// A record, cut into parts.
#[derive(Debug, PartialEq, Eq)]
pub struct CutRecord {
    /// Its id, if it has one.
    pub id: Option<String>,
    /// Its distinct parts, or why it cannot be judged.
    pub parts: std::result::Result<Vec<Part>, Skipped>,
    /// The names of its fields, if it is an object that has no text in the text fields.
    pub fields: Option<Vec<String>>,
    /// The note about it.
    pub note: Option<Note>,
}

/// Some records, in their order.
#[derive(Debug)]
pub struct Records {
    chunk: Chunk,
    records: Vec<CutRecord>,
}

impl Records {
    /// Returns each record as it came, and its parts.
    pub fn iter(&self) -> impl Iterator<Item = (Line<'_>, &CutRecord)> {
        let lines = (0..self.chunk.len()).map(|at| self.chunk.line(at));
        lines.zip(&self.records)
    }
}

/// An event of a stream.
#[derive(Debug)]
pub enum Event {
    /// Records have come.
    Records(Records),
    /// Nothing follows.
    End,
    /// Nothing more can be read, for this reason.
    Failed(Refused),
    /// Somebody has asked to stop.
    Stopped,
}

/// How many chunks wait between two threads. Two keep both at work.
const WAITING: usize = 2;

/// A stream that is being read.
pub struct Stream {
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    is_stopped: Arc<AtomicBool>,
}

impl Stream {
    /// Begins to read a stream. Fails with [`Error::Threads`].
    pub fn open(source: impl Read + Send + 'static, settings: StreamOptions) -> Result<Self> {
        let failed = |error: &dyn std::fmt::Display| Error::Threads(error.to_string());
        let workers = pool(settings.threads)?;
        let (to_cut, chunks) = sync_channel(WAITING);
        let (sender, events) = sync_channel(WAITING);
        let limit = settings.read.max_filesize;
        let read = move || read(source, limit, &to_cut);
        let last = Last(sender.clone());
        let cut = move || cut_records(&chunks, &last.0, &settings, &workers);
        for (name, run) in [
            ("read", Box::new(read) as Box<dyn FnOnce() + Send>),
            ("cut", Box::new(cut)),
        ] {
            let thread = thread::Builder::new().name(name.into()).spawn(run);
            thread.map_err(|error| failed(&error))?;
        }
        Ok(Self {
            events,
            sender,
            is_stopped: Arc::default(),
        })
    }

    /// Returns the next event, if it has happened already.
    pub fn waiting(&self) -> Option<Event> {
        if self.is_stopped.load(Ordering::SeqCst) {
            return Some(Event::Stopped);
        }
        match self.events.try_recv() {
            Ok(event) => Some(event),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Event::End),
        }
    }

    /// Waits for the next event, at most for `time` if it is given. Returns none if the time is over.
    pub fn wait(&self, time: Option<Duration>) -> Option<Event> {
        if let Some(event) = self.waiting() {
            return Some(event);
        }
        let event = match time {
            Some(time) => self.events.recv_timeout(time),
            None => self
                .events
                .recv()
                .map_err(|_| RecvTimeoutError::Disconnected),
        };
        match event {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::End),
        }
    }

    /// Returns a function that stops the stream: that is the next event. Any thread may call it.
    pub fn stop(&self) -> impl Fn() + Send + Sync + 'static {
        let (sender, is_stopped) = (self.sender.clone(), Arc::clone(&self.is_stopped));
        move || {
            is_stopped.store(true, Ordering::SeqCst);
            // Wakes the caller if it waits. If there is no room, it does not wait.
            let _ = sender.try_send(Event::Stopped);
        }
    }
}

/// Sends the last event when its thread ends, even by a panic.
struct Last(SyncSender<Event>);

impl Drop for Last {
    fn drop(&mut self) {
        let event = if thread::panicking() {
            let words = "a record could not be dealt with; this is a mistake in dupfind".into();
            Event::Failed((SkipReason::Unreadable, words))
        } else {
            Event::End
        };
        let _ = self.0.send(event);
    }
}

/// Reads up to the end, or until the other side is closed.
fn read(
    mut source: impl Read + Send + 'static,
    limit: u64,
    to: &SyncSender<std::result::Result<Chunk, Refused>>,
) {
    let mut head = [0; 4096];
    let size = loop {
        match source.read(&mut head) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                let _ = to.send(Err(skipped(&error)));
                return;
            }
            Ok(size) => break size,
        }
    };
    let head = head[..size].to_vec();
    if let Some(refused) = refused(&head) {
        let _ = to.send(Err(refused));
        return;
    }
    let source = io::Cursor::new(head).chain(source);
    for chunk in Endless::new(Box::new(source), limit) {
        if to.send(chunk).is_err() {
            return;
        }
    }
}

/// Returns why a stream cannot be read, if it cannot. `head` are its first bytes.
fn refused(head: &[u8]) -> Option<Refused> {
    let malformed = |words: String| Some((SkipReason::Malformed, words));
    if let Some(compression) = Compression::of_content(head) {
        let name = compression.as_str();
        return malformed(format!(
            "it is compressed by {name}: a program such as zcat expands it"
        ));
    }
    match head {
        [0xff, 0xfe, ..] => malformed(no_lines(UTF_16LE.name())),
        [0xfe, 0xff, ..] => malformed(no_lines(UTF_16BE.name())),
        _ => None,
    }
}

/// Returns the message for an encoding in which the byte of a line end may be part of any character.
pub fn no_lines(encoding: &str) -> String {
    format!(
        "it is {encoding}, whose lines cannot be passed on one by one: iconv -f {encoding} -t UTF-8 makes it UTF-8"
    )
}
