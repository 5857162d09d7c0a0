//! Runs a program of the user's for a file and takes what it prints as the document.
//!
//! The program gets the file's path as its one argument and nothing on standard input; no shell is in between. What
//! it may take is bounded: its time, what it prints, and how much of what it complains about is kept. Whatever ends
//! it early ends the programs that it has started as well, where the system has process groups.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ignore::overrides::Override;
use wait_timeout::ChildExt;

use crate::document::SkipReason;
use crate::error::Result;
use crate::read::format::{Format, Kind};
use crate::read::source::name::plain;
use crate::read::source::walk::{Globs, compiled};

/// How much of what a program complains about is kept, in bytes.
const COMPLAINT: u64 = 4 << 10;

/// How much of that is shown, in characters.
const SHOWN: usize = 300;

/// A program that reads files, and which ones.
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

/// Why there is no text, and words on it.
type Refusal = (SkipReason, String);

impl Pre {
    /// How long a program may take for a file, by default: 30 seconds.
    pub const TIMEOUT: Duration = Duration::from_secs(30);

    /// Takes the path of a program, the globs of the files it is for (all if there are none), the absolute path of
    /// the folder the user is in, and how long it may take for a file.
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

    /// Takes what stands for the user's folder, and what makes of globs those of that place; returns the same for
    /// files there.
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

    /// Takes the path of a file and says whether the program reads it.
    #[must_use]
    pub fn takes(&self, path: &Path) -> bool {
        let place = plain(&self.base.join(path));
        !self.compiled.matched(place, false).is_ignore()
    }

    /// Takes the path of a file, the most that may be printed for it, in bytes, and a buffer, in which it leaves
    /// what was printed.
    ///
    /// # Errors
    ///
    /// [`SkipReason::PreFailed`] with what the program complained about, [`SkipReason::TooLarge`] beyond the limit.
    pub fn read_into(
        &self,
        path: &Path,
        limit: u64,
        bytes: &mut Vec<u8>,
    ) -> std::result::Result<(), Refusal> {
        let deadline = Instant::now() + self.timeout;
        let mut run = Run::start(self, path).map_err(|error| self.failed(&error.to_string()))?;
        let read = run.streams(std::mem::take(bytes), limit);
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

    /// Ends whatever runs, and starts no more of it.
    pub fn stop(&self) {
        let mut state = self.running.lock();
        state.is_over = true;
        state.groups.iter().copied().for_each(kill_group);
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

/// What runs, so that all of it can be ended.
#[derive(Debug, Default)]
struct Running(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    is_over: bool,
    groups: Vec<u32>,
}

impl Running {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // Nothing in between leaves it half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One run of the program. It ends with this value, if not before.
struct Run<'p> {
    child: Child,
    running: &'p Running,
    has_ended: bool,
}

impl<'p> Run<'p> {
    fn start(pre: &'p Pre, path: &Path) -> io::Result<Self> {
        let mut command = Command::new(&pre.program);
        command
            .arg(argument(path))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        in_own_group(&mut command);
        // Held while it starts, so that whoever ends everything misses nothing.
        let mut state = pre.running.lock();
        if state.is_over {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let child = command.spawn()?;
        state.groups.push(child.id());
        Ok(Self {
            child,
            running: &pre.running,
            has_ended: false,
        })
    }

    /// Takes a buffer for what is printed and how much of that is wanted, and reads what comes.
    fn streams(&mut self, mut buffer: Vec<u8>, limit: u64) -> io::Result<Streams> {
        let (sender, receiver) = mpsc::channel();
        let printed = self.child.stdout.take().expect("asked for a pipe");
        let complained = self.child.stderr.take().expect("asked for a pipe");
        spawn(sender.clone(), move || {
            buffer.clear();
            let mut printed = printed.take(limit.saturating_add(1));
            let read = printed.read_to_end(&mut buffer);
            Message::Printed(read.map(|_| buffer))
        })?;
        spawn(sender, move || {
            let mut complaint = Vec::new();
            let mut complained = complained;
            // What it says is wanted only if it fails, and what cannot be read of it not at all.
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

    /// Waits for its end; nothing if it does not come in time.
    fn end(&mut self, timeout: Duration) -> io::Result<Option<ExitStatus>> {
        let status = self.child.wait_timeout(timeout)?;
        self.has_ended = status.is_some();
        Ok(status)
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let id = self.child.id();
        if !self.has_ended {
            kill_group(id);
            // Where there are no groups, at least the program itself.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        self.running.lock().groups.retain(|&known| known != id);
    }
}

/// What the readers of the pipes have to say.
enum Message {
    Printed(io::Result<Vec<u8>>),
    Complained(Vec<u8>),
}

/// What was read to its end.
enum Stream {
    Printed(io::Result<Vec<u8>>),
    Complained,
}

/// What a program prints and complains about, read at the same time, so that neither can block it.
struct Streams {
    receiver: Receiver<Message>,
    complaint: Vec<u8>,
    /// How many of the two are not at their end.
    open: usize,
}

impl Streams {
    /// The next one that is at its end; nothing if none is in time.
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

/// Reads in the background. A program that got away may keep its pipe open for ever, so nobody waits for the end
/// of this.
fn spawn(
    sender: Sender<Message>,
    read: impl FnOnce() -> Message + Send + 'static,
) -> io::Result<()> {
    let builder = thread::Builder::new().name("pre".into());
    builder
        .spawn(move || {
            // Nobody may want it any more.
            let _ = sender.send(read());
        })
        .map(drop)
}

/// The path as an argument: none is taken for an option.
fn argument(path: &Path) -> OsString {
    let path = path.as_os_str();
    let mut argument = OsString::new();
    if path.as_encoded_bytes().starts_with(b"-") {
        argument.push("./");
    }
    argument.push(path);
    argument
}

/// The first lines of a complaint as one, not too long.
fn shown(complaint: &[u8]) -> String {
    let text = String::from_utf8_lossy(complaint);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.take(3).collect();
    lines.join("; ").chars().take(SHOWN).collect()
}

#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) {}

/// Ends a program and all that it has started. That it is gone already is no error.
#[cfg(unix)]
fn kill_group(id: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(id) = i32::try_from(id) {
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// Takes the path of a file, and the program that may read it, and returns what the file is.
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
