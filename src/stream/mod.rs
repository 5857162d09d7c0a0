//! Records that come without end, each as its parts, in the order in which they came.
//!
//! ```text
//! a thread reads ─> a thread has workers cut what has come into parts ─> whoever judges and prints
//! ```
//!
//! The threads pass chunks on, few of them at a time, so that memory stays the same however fast one end is
//! and however slow the other. A chunk is what one reading brought: of a slow writer a line, of a file a lot of
//! them. Nothing that is passed on depends on how many workers there are, or on where a chunk ends.

mod prepare;
pub(crate) mod seen;

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

use encoding_rs::{UTF_16BE, UTF_16LE};
use rayon::ThreadPoolBuilder;

use crate::document::{Note, SkipReason, Skipped};
use crate::error::{Error, Result};
use crate::read;
use crate::read::format::Compression;
use crate::read::records::Refused;
use crate::read::records::endless::{Chunk, Endless, Line};

use crate::read::source::read::skipped;
use crate::stream::prepare::prepare;
use crate::stream::seen::Part;
use crate::stream::seen::parts::Cutting;

/// What decides about how records come to their parts.
#[derive(Debug, Clone)]
pub(crate) struct StreamOptions {
    /// How records come to their texts. What it says about files does not matter.
    pub(crate) ingest: read::ReadOptions,
    /// How texts are cut.
    pub(crate) cutting: Cutting,
    /// Workers; 0 is one for each core. Nothing depends on it.
    pub(crate) threads: usize,
}

/// What there is of one record.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Prepared {
    /// Its id, if it has one.
    pub(crate) id: Option<String>,
    /// Its distinct parts, or why it cannot be judged.
    pub(crate) parts: std::result::Result<Vec<Part>, Skipped>,
    /// What to know about it.
    pub(crate) note: Option<Note>,
}

/// Some records, in their order.
#[derive(Debug)]
pub(crate) struct Records {
    chunk: Chunk,
    prepared: Vec<Prepared>,
}

impl Records {
    /// Each record as it came and what there is of it.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Line<'_>, &Prepared)> {
        let lines = (0..self.chunk.len()).map(|at| self.chunk.line(at));
        lines.zip(&self.prepared)
    }
}

/// What happens next.
#[derive(Debug)]
pub(crate) enum Event {
    /// Records have come.
    Records(Records),
    /// Nothing follows.
    End,
    /// Nothing more can be read, and why.
    Failed(Refused),
    /// Somebody has asked to stop.
    Stopped,
}

/// How many chunks wait between two threads. Two keep both at work.
const WAITING: usize = 2;

/// A stream that is being read.
pub(crate) struct Stream {
    events: Receiver<Event>,
    sender: SyncSender<Event>,
    is_stopped: Arc<AtomicBool>,
}

impl Stream {
    /// Takes what is read and how, and begins.
    pub(crate) fn open(
        source: impl Read + Send + 'static,
        settings: StreamOptions,
    ) -> Result<Self> {
        let failed = |error: &dyn std::fmt::Display| Error::Threads(error.to_string());
        let workers = ThreadPoolBuilder::new()
            .num_threads(settings.threads)
            .build();
        let workers = workers.map_err(|error| failed(&error))?;
        let (to_prepare, chunks) = sync_channel(WAITING);
        let (sender, events) = sync_channel(WAITING);
        let limit = settings.ingest.max_filesize;
        let read = move || read(source, limit, &to_prepare);
        let last = Last(sender.clone());
        let prepare = move || prepare(&chunks, &last.0, &settings, &workers);
        for (name, run) in [
            ("read", Box::new(read) as Box<dyn FnOnce() + Send>),
            ("prepare", Box::new(prepare)),
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

    /// What has happened already, if anything has.
    pub(crate) fn waiting(&self) -> Option<Event> {
        if self.is_stopped.load(Ordering::SeqCst) {
            return Some(Event::Stopped);
        }
        match self.events.try_recv() {
            Ok(event) => Some(event),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Event::End),
        }
    }

    /// Waits for what happens next, at most for a time if there is one; nothing if it is over.
    pub(crate) fn wait(&self, time: Option<Duration>) -> Option<Event> {
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

    /// What another thread may call to have the stream stop: it is the next thing that happens.
    pub(crate) fn stop(&self) -> impl Fn() + Send + Sync + 'static {
        let (sender, is_stopped) = (self.sender.clone(), Arc::clone(&self.is_stopped));
        move || {
            is_stopped.store(true, Ordering::SeqCst);
            // Wakes who waits. If there is no room, nobody does.
            let _ = sender.try_send(Event::Stopped);
        }
    }
}

/// Says that nothing follows when the thread that has it ends, however it does.
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

/// Reads up to the end, or until nobody wants more.
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

/// Why a stream that begins like this cannot be read, if it cannot.
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

/// What to say of an encoding in which the byte of a line end may be anything.
pub(crate) fn no_lines(encoding: &str) -> String {
    format!(
        "it is {encoding}, of which no line can be passed on by itself: iconv -f {encoding} -t UTF-8 makes it UTF-8"
    )
}
