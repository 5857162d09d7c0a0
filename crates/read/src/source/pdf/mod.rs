//! PDF files, read by programs that are started for it, so that no file can use up the memory or the time of this one.
//!
//! Each program serves many files, one after the other. Where one ends early, only its file is not read: the next file
//! starts another one. A file goes to the program in pieces, and its text comes back:
//!
//! ```text
//! request:  the longest text (8 bytes), then pieces: their length (4 bytes) and their bytes; the last one is empty
//! answer:   0 or the number of a refusal (1 byte), the length of the text (8 bytes), the text, in UTF-8
//! ```
//!
//! All numbers are little-endian. The first line of the text is the title, which may be empty. Pages end with a form feed.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::format::Compression;
use crate::skipped::{Refused, SkipReason};
use crate::source::program::Program;
use crate::source::read::{expand, open, skipped};

#[cfg(feature = "pdf")]
pub mod child;

/// How many bytes a file may have, and how long reading it may take.
const FILE: u64 = 256 << 20;
const TIMEOUT: Duration = Duration::from_secs(60);

const PIECE: usize = 64 << 10;

/// Why a program gives no text, by the number in its answer. The first number is that of a text.
const REFUSALS: [(SkipReason, &str); 6] = [
    (SkipReason::Malformed, ""),
    (SkipReason::Malformed, "encrypted: it needs a password"),
    (SkipReason::Malformed, "damaged, or no PDF"),
    (SkipReason::Empty, "no text: scanned?"),
    (
        SkipReason::Malformed,
        "it has more to draw than a document may have",
    ),
    (
        SkipReason::TooLarge,
        "its text is larger than a document may be",
    ),
];

/// How PDF files are read: by programs that call `child::serve` with their standard input and output.
#[derive(Debug, Clone)]
pub struct PdfPrograms {
    command: Arc<[OsString]>,
    idle: Arc<Mutex<Vec<Worker>>>,
}

/// A started program.
#[derive(Debug)]
struct Worker {
    // Closed first, so that the program ends by itself.
    input: ChildStdin,
    answers: Receiver<io::Result<(u8, Vec<u8>)>>,
    _program: Program,
}

impl PdfPrograms {
    /// Returns the programs that a command starts: a program and its arguments.
    pub fn new(command: Vec<OsString>) -> Self {
        Self {
            command: command.into(),
            idle: Arc::default(),
        }
    }

    /// Returns the title of a file, if it has one, and its text of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// The reason for not comparing the file, with details in words.
    pub fn read(
        &self,
        path: &Path,
        compression: Option<Compression>,
        limit: u64,
    ) -> Result<(Option<String>, String), Refused> {
        let file = open(path).and_then(|file| expand(file, compression));
        let mut file = file.map_err(|error| skipped(&error))?;
        let idle = self.lock().pop();
        let mut worker = match idle {
            Some(worker) => worker,
            None => Worker::start(&self.command).map_err(|error| {
                let words = format!("the program that reads PDF cannot be started: {error}");
                (SkipReason::Unreadable, words)
            })?,
        };
        let ended = || {
            let words = "the program that reads it ended: it is damaged, or needs too much time or memory for its size";
            (SkipReason::Malformed, words.to_owned())
        };
        if let Some(refused) = worker.send(&mut file, limit).transpose() {
            return Err(refused.unwrap_or_else(|_| ended()));
        }
        let answer = worker.answers.recv_timeout(TIMEOUT);
        let (number, text) = match answer {
            Ok(Ok(answer)) => answer,
            Err(RecvTimeoutError::Timeout) => {
                let words = format!("it took more than {} s", TIMEOUT.as_secs());
                return Err((SkipReason::TooLarge, words));
            }
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return Err(ended()),
        };
        self.lock().push(worker);
        match (number, REFUSALS.get(usize::from(number))) {
            (0, _) => {
                let text = String::from_utf8(text).map_err(|_| ended())?;
                let (title, text) = text.split_once('\n').ok_or_else(ended)?;
                let title = Some(title.to_owned()).filter(|title| !title.is_empty());
                Ok((title, text.to_owned()))
            }
            (_, Some(&(reason, words))) => Err((reason, words.to_owned())),
            _ => Err(ended()),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker {
    fn start(command: &[OsString]) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut program = Program::start(&mut command)?;
        let input = program.child.stdin.take().expect("asked for a pipe");
        let mut output = program.child.stdout.take().expect("asked for a pipe");
        let (sender, answers) = mpsc::channel();
        thread::Builder::new().spawn(move || {
            loop {
                let answer = answer(&mut output);
                let is_last = answer.is_err();
                if sender.send(answer).is_err() || is_last {
                    break;
                }
            }
        })?;
        Ok(Self {
            input,
            answers,
            _program: program,
        })
    }

    /// Sends a file. Returns why it is not compared, if it cannot be read or is too large. The program has then to end.
    fn send(&mut self, file: &mut impl Read, limit: u64) -> io::Result<Option<Refused>> {
        self.input.write_all(&limit.to_le_bytes())?;
        let (mut piece, mut sent) = (vec![0; PIECE], 0);
        loop {
            let length = match file.read(&mut piece) {
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Ok(Some(skipped(&error))),
            };
            sent += length as u64;
            if sent > FILE {
                let words = format!("a PDF may have {} MiB", FILE >> 20);
                return Ok(Some((SkipReason::TooLarge, words)));
            }
            let prefix = u32::try_from(length).expect("a piece is short");
            self.input.write_all(&prefix.to_le_bytes())?;
            self.input.write_all(&piece[..length])?;
            if length == 0 {
                self.input.flush()?;
                return Ok(None);
            }
        }
    }
}

/// Reads an answer.
fn answer(output: &mut impl Read) -> io::Result<(u8, Vec<u8>)> {
    let number: [u8; 1] = array(output)?;
    let length = u64::from_le_bytes(array(output)?);
    let mut text = Vec::new();
    let read = output.take(length).read_to_end(&mut text)?;
    if read as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok((number[0], text))
}

fn array<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    /// Returns why a program of the shell does not read a file.
    fn refusal(script: &str, limit: u64) -> Refused {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pdf");
        std::fs::write(&path, "%PDF-1.4").unwrap();
        let command = ["sh", "-c", script].map(OsString::from);
        let programs = PdfPrograms::new(command.into());
        programs.read(&path, None, limit).unwrap_err()
    }

    #[test]
    fn a_program_that_ends_refuses_its_file_alone() {
        for script in ["exit 1", "kill -9 $$", "printf x", "printf '\\000\\377'"] {
            let (reason, words) = refusal(script, 9);
            assert_eq!(reason, SkipReason::Malformed, "{script}");
            assert!(words.contains("ended"), "{words}");
        }
    }

    #[test]
    fn a_missing_program_is_named() {
        let programs = PdfPrograms::new(vec!["/no/such/program".into()]);
        let (reason, words) = programs.read(Path::new("/dev/null"), None, 9).unwrap_err();
        assert_eq!(reason, SkipReason::NotAFile, "{words}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pdf");
        std::fs::write(&path, "").unwrap();
        let (reason, words) = programs.read(&path, None, 9).unwrap_err();
        assert_eq!(reason, SkipReason::Unreadable);
        assert!(words.contains("cannot be started"), "{words}");
    }
}
