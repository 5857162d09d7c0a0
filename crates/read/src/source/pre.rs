//! Runs a program of the user for a file. The output of the program is the document.
//!
//! The program gets the path of the file as its only argument and nothing on standard input. It does not run in a
//! shell. Its time and the size of its output are bounded. If it is ended early, the programs that it has started are
//! ended too, where the system has process groups.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ignore::overrides::Override;

use crate::format::{Format, Kind};
use crate::skipped::SkipReason;
use crate::skipped::wording::Wording;
use crate::source::globs::Globs;
use crate::source::name::plain;
use crate::source::program::{Running, read_pipe};
use crate::source::read::Refused;
use dupfind_engine::Result;

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

impl Pre {
    /// The default of the longest time for a file: 30 seconds.
    pub const TIMEOUT: Duration = Duration::from_secs(30);

    /// Returns a program for the files that match `globs`, or for all files if there are no globs. `base` is the
    /// absolute path of the folder that paths are relative to, `timeout` the longest time for a file.
    ///
    /// # Errors
    ///
    /// [`dupfind_engine::Error::Glob`] if a glob does not parse.
    pub fn new(program: PathBuf, globs: Globs, base: PathBuf, timeout: Duration) -> Result<Self> {
        Ok(Self {
            program,
            base,
            compiled: globs.compiled("")?,
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
            compiled: globs.compiled("")?,
            globs,
            ..self.clone()
        })
    }

    /// Whether the program reads a file.
    #[must_use]
    pub fn reads(&self, path: &Path) -> bool {
        let place = plain(&self.base.join(path));
        !self.compiled.matched(place, false).is_ignore()
    }

    /// Replaces the content of `bytes` by the output of the program for a file.
    ///
    /// # Errors
    ///
    /// [`SkipReason::PreFailed`] with the output of the program on standard error, [`SkipReason::TooLarge`] if it prints
    /// more bytes than `limit`.
    pub fn read_into(
        &self,
        path: &Path,
        limit: u64,
        wording: &Wording,
        bytes: &mut Vec<u8>,
    ) -> std::result::Result<(), Refused> {
        let deadline = Instant::now() + self.timeout;
        let left = || deadline.saturating_duration_since(Instant::now());
        let failed = |error: io::Error| self.failed(&error.to_string());
        let mut command = Command::new(&self.program);
        command
            .arg(argument(path))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut run = self.running.start(&mut command).map_err(failed)?;
        // Both pipes are read at the same time, so that neither blocks the program.
        let mut buffer = std::mem::take(bytes);
        let printed = read_pipe(run.child.stdout.take(), move |pipe| {
            buffer.clear();
            pipe.take(limit.saturating_add(1))
                .read_to_end(&mut buffer)?;
            Ok(buffer)
        });
        let complained = read_pipe(run.child.stderr.take(), |mut pipe| {
            let mut complaint = Vec::new();
            // Standard error is shown only if the program fails; an error of reading it does not count.
            let _ = pipe.by_ref().take(COMPLAINT).read_to_end(&mut complaint);
            let _ = io::copy(&mut pipe, &mut io::sink());
            Ok(complaint)
        });
        let (printed, complained) = (printed.map_err(failed)?, complained.map_err(failed)?);
        let printed = printed
            .recv_timeout(left())
            .map_err(|_| self.late(wording))?;
        *bytes = printed.map_err(failed)?;
        if bytes.len() as u64 > limit {
            let words = format!("it prints more than {limit} bytes");
            return Err((SkipReason::TooLarge, words));
        }
        let complaint = complained
            .recv_timeout(left())
            .map_err(|_| self.late(wording))?;
        match run.end(left()) {
            Ok(None) => Err(self.late(wording)),
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => {
                let complaint = shown(&complaint.map_err(failed)?);
                let dash = if complaint.is_empty() { "" } else { ": " };
                Err(self.failed(&format!("{status}{dash}{complaint}")))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Ends all runs, and lets no other one start.
    pub fn stop(&self) {
        self.running.stop();
    }

    fn failed(&self, what: &str) -> Refused {
        let name = self.program.file_name().unwrap_or_default();
        (
            SkipReason::PreFailed,
            format!("{}: {what}", name.to_string_lossy()),
        )
    }

    fn late(&self, wording: &Wording) -> Refused {
        self.failed(&(wording.late)(self.timeout.as_secs()))
    }
}

/// Returns a path as an argument that is never read as an option.
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

/// Returns the kind of a file. `pre` is the program of the user, which may read it.
#[must_use]
pub fn kind_of(path: &Path, pre: Option<&Pre>) -> Kind {
    match pre {
        Some(pre) if pre.reads(path) => Kind {
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
    fn globs_choose_its_files() {
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
            .read_into(Path::new("a"), 9, &Wording::default(), &mut Vec::new())
            .unwrap_err();
        assert_eq!(reason, SkipReason::PreFailed);
        assert!(words.starts_with("none: "), "{words}");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_starts_after_the_end() {
        let usual = Wording::default();
        let pre = Pre {
            program: "/bin/echo".into(),
            ..pre(&[])
        };
        let mut bytes = Vec::new();
        assert_eq!(pre.read_into(Path::new("a"), 9, &usual, &mut bytes), Ok(()));
        assert_eq!(bytes, b"a\n");
        assert_eq!(
            pre.read_into(Path::new("long"), 3, &usual, &mut bytes)
                .unwrap_err()
                .0,
            SkipReason::TooLarge
        );
        pre.stop();
        assert!(
            pre.read_into(Path::new("a"), 9, &usual, &mut bytes)
                .is_err()
        );
    }
}
