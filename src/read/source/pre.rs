//! Runs a program of the user for a file. What the program prints is the document.
//!
//! The program gets the path of the file as its only argument and nothing on standard input. It does not run in a
//! shell. Its time and the size of its output are bounded. If it is ended early, the programs that it has started are
//! ended too, where the system has process groups.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use ignore::overrides::Override;

use crate::document::SkipReason;
use crate::error::Result;
use crate::read::format::{Format, Kind};
use crate::read::source::name::plain;
use crate::read::source::program::{Program, Running};
use crate::read::source::walk::{Globs, compiled};

/// How many bytes of standard error are kept, and how many characters of these are shown.
const COMPLAINT: u64 = 4 << 10;
const SHOWN: usize = 300;

/// A program that reads files, and the files it is for.
#[derive(Debug, Clone)]
pub struct Pre {
    program: PathBuf,
    /// The absolute path of the folder that paths are relative to.
    base: PathBuf,
    globs: Globs,
    compiled: Override,
    timeout: Duration,
    running: Arc<Running>,
}

/// Why there is no text, with details in words.
type Refusal = (SkipReason, String);

impl Pre {
    /// The default of the longest time for a file: 30 seconds.
    pub const TIMEOUT: Duration = Duration::from_secs(30);

    /// Returns a program for the files that match `globs`, or for all files if there are no globs. `base` is the
    /// absolute path of the folder that paths are relative to, `timeout` the longest time for a file.
    ///
    /// # Errors
    ///
    /// [`crate::error::Error::Glob`] if a glob does not parse.
    pub fn new(program: PathBuf, globs: Globs, base: PathBuf, timeout: Duration) -> Result<Self> {
        Ok(Self {
            program,
            base,
            compiled: compiled(&globs, "")?,
            globs,
            timeout,
            running: Arc::default(),
        })
    }

    /// Returns the same program for the files of another folder. `globs` moves globs to that folder.
    ///
    /// # Errors
    ///
    /// As for [`Self::new`].
    pub fn moved(&self, base: PathBuf, globs: impl FnOnce(&Globs) -> Globs) -> Result<Self> {
        let globs = globs(&self.globs);
        Ok(Self {
            base,
            compiled: compiled(&globs, "")?,
            globs,
            ..self.clone()
        })
    }

    /// Whether the program reads a file.
    #[must_use]
    pub fn takes(&self, path: &Path) -> bool {
        let place = plain(&self.base.join(path));
        !self.compiled.matched(place, false).is_ignore()
    }

    /// Replaces the content of `bytes` by what the program prints for a file.
    ///
    /// # Errors
    ///
    /// [`SkipReason::PreFailed`] with what the program printed on standard error, [`SkipReason::TooLarge`] if it prints
    /// more bytes than `limit`.
    pub fn read_into(
        &self,
        path: &Path,
        limit: u64,
        bytes: &mut Vec<u8>,
    ) -> std::result::Result<(), Refusal> {
        let deadline = Instant::now() + self.timeout;
        let mut run = start(self, path).map_err(|error| self.failed(&error.to_string()))?;
        let read = streams(&mut run.child, std::mem::take(bytes), limit);
        let mut streams = read.map_err(|error| self.failed(&error.to_string()))?;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match streams.next(left) {
                None => return Err(self.failed(&self.late())),
                Some(Stream::Printed(Err(error))) => return Err(self.failed(&error.to_string())),
                Some(Stream::Printed(Ok(printed))) => *bytes = printed,
                Some(Stream::Complained) => {}
            }
            if bytes.len() as u64 > limit {
                return Err((
                    SkipReason::TooLarge,
                    format!("it prints more than {limit} bytes"),
                ));
            }
            if streams.open == 0 {
                break;
            }
        }
        let left = deadline.saturating_duration_since(Instant::now());
        match run.end(left) {
            Ok(None) => Err(self.failed(&self.late())),
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => {
                let complaint = shown(&streams.complaint);
                let dash = if complaint.is_empty() { "" } else { ": " };
                Err(self.failed(&format!("{status}{dash}{complaint}")))
            }
            Err(error) => Err(self.failed(&error.to_string())),
        }
    }

    /// Ends all runs, and lets no other one start.
    pub fn stop(&self) {
        self.running.stop();
    }

    fn failed(&self, what: &str) -> Refusal {
        let name = self.program.file_name().unwrap_or_default();
        (
            SkipReason::PreFailed,
            format!("{}: {what}", name.to_string_lossy()),
        )
    }

    fn late(&self) -> String {
        format!(
            "it took more than {} s; --pre-timeout allows more",
            self.timeout.as_secs()
        )
    }
}

/// Starts the program for a file.
fn start<'p>(pre: &'p Pre, path: &Path) -> io::Result<Program<'p>> {
    let mut command = Command::new(&pre.program);
    command
        .arg(argument(path))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    pre.running.start(&mut command)
}

/// Reads standard output, up to one byte more than `limit`, and standard error.
fn streams(child: &mut Child, mut buffer: Vec<u8>, limit: u64) -> io::Result<Streams> {
    let (sender, receiver) = mpsc::channel();
    let printed = child.stdout.take().expect("asked for a pipe");
    let complained = child.stderr.take().expect("asked for a pipe");
    spawn(sender.clone(), move || {
        buffer.clear();
        let mut printed = printed.take(limit.saturating_add(1));
        let read = printed.read_to_end(&mut buffer);
        Message::Printed(read.map(|_| buffer))
    })?;
    spawn(sender, move || {
        let mut complaint = Vec::new();
        let mut complained = complained;
        // Standard error is shown only if the program fails; an error of reading it does not count.
        let _ = complained
            .by_ref()
            .take(COMPLAINT)
            .read_to_end(&mut complaint);
        let _ = io::copy(&mut complained, &mut io::sink());
        Message::Complained(complaint)
    })?;
    Ok(Streams {
        receiver,
        complaint: Vec::new(),
        open: 2,
    })
}

/// What a reader of a pipe has read.
enum Message {
    Printed(io::Result<Vec<u8>>),
    Complained(Vec<u8>),
}

/// A pipe that was read to its end.
enum Stream {
    Printed(io::Result<Vec<u8>>),
    Complained,
}

/// Standard output and standard error, read at the same time, so that neither blocks the program.
struct Streams {
    receiver: Receiver<Message>,
    complaint: Vec<u8>,
    /// How many of the two have not ended.
    open: usize,
}

impl Streams {
    /// Returns the next one that ends, or nothing if none ends in time.
    fn next(&mut self, timeout: Duration) -> Option<Stream> {
        let message = match self.receiver.recv_timeout(timeout) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        };
        self.open -= 1;
        Some(match message {
            Message::Printed(printed) => Stream::Printed(printed),
            Message::Complained(complaint) => {
                self.complaint = complaint;
                Stream::Complained
            }
        })
    }
}

/// Reads on another thread. Nothing waits for the end of this thread: a program that was started by the program may
/// keep the pipe open for ever.
fn spawn(
    sender: Sender<Message>,
    read: impl FnOnce() -> Message + Send + 'static,
) -> io::Result<()> {
    let builder = thread::Builder::new().name("pre".into());
    builder
        .spawn(move || {
            // The receiver may be gone.
            let _ = sender.send(read());
        })
        .map(drop)
}

/// Returns a path as an argument that is not taken for an option.
fn argument(path: &Path) -> OsString {
    let path = path.as_os_str();
    let mut argument = OsString::new();
    if path.as_encoded_bytes().starts_with(b"-") {
        argument.push("./");
    }
    argument.push(path);
    argument
}

/// Returns the first lines of standard error as one line of at most [`SHOWN`] characters.
fn shown(complaint: &[u8]) -> String {
    let text = String::from_utf8_lossy(complaint);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take(3).collect();
    lines.join("; ").chars().take(SHOWN).collect()
}

/// Returns what a file is. `pre` is the program of the user, which may read it.
#[must_use]
pub fn kind_of(path: &Path, pre: Option<&Pre>) -> Kind {
    match pre {
        Some(pre) if pre.takes(path) => Kind {
            format: Format::Pre,
            compression: None,
        },
        _ => Kind::of(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pre(globs: &[&str]) -> Pre {
        let globs = Globs {
            base: "/site".into(),
            patterns: globs.iter().map(|&glob| glob.to_owned()).collect(),
        };
        Pre::new("none".into(), globs, "/site/docs".into(), Pre::TIMEOUT).unwrap()
    }

    #[test]
    fn globs_say_which_files_it_is_for() {
        for (globs, taken, left) in [
            (&[][..], &["a.md", "/etc/x"][..], &[][..]),
            (&["*.pdf"], &["a.pdf", "../b/c.pdf", "/x/a.pdf"], &["a.md"]),
            (&["*", "!*.md"], &["a.pdf", "b/c"], &["a.md", "./b/c.md"]),
            (&["!*.md"], &["a.pdf"], &["a.md"]),
            (
                &["/docs/*.pdf"],
                &["a.pdf", "./x/../a.pdf"],
                &["b/a.pdf", "../a.pdf"],
            ),
        ] {
            let pre = pre(globs);
            let kind = |path: &&str| kind_of(Path::new(path), Some(&pre)).format;
            assert!(
                taken.iter().all(|path| kind(path) == Format::Pre),
                "{globs:?}"
            );
            assert!(
                left.iter().all(|path| kind(path) != Format::Pre),
                "{globs:?}"
            );
        }
        assert_eq!(kind_of(Path::new("a.docx"), None).format, Format::Docx);
    }

    #[test]
    fn no_path_is_an_option_of_the_program() {
        assert_eq!(argument(Path::new("-o.pdf")), "./-o.pdf");
        assert_eq!(argument(Path::new("/a/-o.pdf")), "/a/-o.pdf");
    }

    #[test]
    fn complaints_are_a_line() {
        assert_eq!(shown(b"\n one \n\ntwo\r\nthree\nfour"), "one; two; three");
        assert_eq!(shown(&[b'x'; 4000]).len(), SHOWN);
        assert_eq!(shown(b"\xff"), "\u{fffd}");
    }

    #[test]
    fn a_program_that_is_not_there_fails() {
        let (reason, words) = pre(&[])
            .read_into(Path::new("a"), 9, &mut Vec::new())
            .unwrap_err();
        assert_eq!(reason, SkipReason::PreFailed);
        assert!(words.starts_with("none: "), "{words}");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_starts_after_the_end() {
        let pre = Pre {
            program: "/bin/echo".into(),
            ..pre(&[])
        };
        let mut bytes = Vec::new();
        assert_eq!(pre.read_into(Path::new("a"), 9, &mut bytes), Ok(()));
        assert_eq!(bytes, b"a\n");
        assert_eq!(
            pre.read_into(Path::new("long"), 3, &mut bytes)
                .unwrap_err()
                .0,
            SkipReason::TooLarge
        );
        pre.stop();
        assert!(pre.read_into(Path::new("a"), 9, &mut bytes).is_err());
    }
}
